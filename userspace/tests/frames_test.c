// SPDX-License-Identifier: GPL-2.0-or-later
/* The commands that work with frames, on a made-up robot whose joints go where they are told. */
#include "support.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_iio.h"

#include "../naohw/cli.h"
#include "../naohw/recording.h"
#include "../naohw/tape.h"

#define MS    ((int64_t)1000000)

static const char *const labels[] = { "HeadYaw", "HeadPitch" };

struct place {
	char directory[64];
	char csv[96];
	char binary[96];
	char temporary[128];
};

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct samples *samples;

/* What the joints do: in each period they are where the last pose sent them. */
static int64_t now;
static int joint[2];
static unsigned int periods;
static unsigned int silent_from; /* no frames from this period on; 0: never */

/* All values, or where only positions are wanted these, age and alarm. */
static void fill(unsigned char *bytes)
{
	bool all = fake_sample_size("dxl0-state") == 32;

	for (unsigned int i = 0; i < 2; i++) {
		bytes[i * (all ? 10 : 4)] = (unsigned char)joint[i];
		bytes[i * (all ? 10 : 4) + 1] = (unsigned char)(joint[i] >> 8);
	}
	memcpy(bytes + (all ? 24 : 8), &now, sizeof(now));
	fake_frame(0, bytes, all ? 32 : 16);
}

static void next_period(void)
{
	unsigned char bytes[32] = { 0 }; /* 10 of each servo, and the time at 24 */
	unsigned int pushes = fake_pushes(0);

	if (silent_from && periods >= silent_from)
		return;
	for (unsigned int i = 0; i < 2 && pushes; i++)
		joint[i] = fake_pose(0, pushes - 1)[2 * i];
	now += 10 * MS;
	periods++;
	fill(bytes);
}

static int setup(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	strcpy(place->directory, "/tmp/naohw-frames-XXXXXX");
	assert_non_null(mkdtemp(place->directory));
	snprintf(place->csv, sizeof(place->csv), "%s/r.csv", place->directory);
	snprintf(place->binary, sizeof(place->binary), "%s/r.frames", place->directory);
	snprintf(place->temporary, sizeof(place->temporary), "%s.new", place->csv);
	*state = place;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_goal(0, labels, 2);
	fake_state(0, labels, 2, 100);
	fake_set("dxl0-state", "in_angl1_scale", "0.005113269");
	fake_set("dxl0-state", "in_angl2_scale", "0.005113269");
	fake_on_frame(next_period);
	now = 1000 * MS;
	periods = silent_from = 0;
	joint[0] = joint[1] = 512;
	frame = NULL;
	robot = NULL;
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
	return 0;
}

static int teardown(void **state)
{
	struct place *place = *state;

	samples_free(samples);
	samples = NULL;
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	unlink(place->csv);
	unlink(place->binary);
	unlink(place->temporary);
	rmdir(place->directory);
	free(place);
	return 0;
}

static int run(int (*command)(const struct cli *), const char *first, const char *second,
	       const char *third, const char *fourth)
{
	char *argv[] = { (char *)"command", (char *)first, (char *)second, (char *)third,
			 (char *)fourth, NULL };
	struct cli cli = { 0 };
	int argc = 1;

	while (argv[argc])
		argc++;
	assert_true(line_take(&cli.line, argc, argv));
	return command(&cli);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void check_text(const char *path, const char *expected)
{
	char text[2048] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	if (strncmp(text, expected, strlen(expected)) != 0)
		fail_msg("found:\n%sexpected:\n%s", text, expected);
}

/* ---- tape ---- */

static void open_frames(void)
{
	assert_int_equal(naohw_robot_open(NULL, NULL, &robot, NULL), 0);
	assert_int_equal(naohw_frame_open(robot, NULL, &frame, NULL), 0);
}

static struct tape *begin_tape(const char *path, size_t room)
{
	struct tape_options options = { .room = room };
	struct tape *tape = tape_open(path, NULL);

	assert_non_null(tape);
	assert_int_equal(samples_of_frame(robot, frame, &options.samples, NULL), 0);
	samples = options.samples;
	assert_int_equal(tape_begin(tape, &options), 0);
	return tape;
}

#define HEADER \
	"time_s,HeadYaw.present,HeadYaw.speed,HeadYaw.load,HeadYaw.voltage," \
	"HeadYaw.temperature,HeadYaw.age,HeadYaw.alarm,HeadPitch.present,"

static void the_old_file_stays_until_the_new_is_whole(void **state)
{
	const struct place *place = *state;
	struct tape *tape;

	open_frames();
	write_text(place->csv, "old\n");
	tape = begin_tape(place->csv, 0);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	tape_add(tape);
	check_text(place->csv, "old\n");
	assert_int_equal(tape_close(tape), 0);
	check_text(place->csv, HEADER);
	assert_int_not_equal(access(place->temporary, F_OK), 0);
}

static void a_link_stays_a_link(void **state)
{
	const struct place *place = *state;
	char link[128];
	struct stat found;

	open_frames();
	snprintf(link, sizeof(link), "%s/link.csv", place->directory);
	write_text(place->csv, "old\n");
	assert_int_equal(symlink(place->csv, link), 0);
	assert_int_equal(tape_close(begin_tape(link, 0)), 0);
	assert_int_equal(lstat(link, &found), 0);
	assert_true(S_ISLNK(found.st_mode));
	unlink(link);
	check_text(place->csv, HEADER);
}

static void a_device_is_not_replaced(void **state)
{
	struct stat found;

	(void)state;
	open_frames();
	assert_int_equal(tape_close(begin_tape("/dev/null", 0)), 0);
	assert_int_equal(stat("/dev/null", &found), 0);
	assert_true(S_ISCHR(found.st_mode));
}

static void what_is_read_is_not_written(void **state)
{
	const struct place *place = *state;

	open_frames();
	write_text(place->binary, "a motion\n");
	assert_int_equal(symlink(place->binary, place->csv), 0);
	assert_null(tape_open(place->binary, place->binary));
	assert_null(tape_open(place->csv, place->binary));
	check_text(place->binary, "a motion\n");
}

static void a_frame_is_written_once(void **state)
{
	const struct place *place = *state;
	struct tape *tape;

	open_frames();
	tape = begin_tape(place->csv, 0);
	tape_add(tape); /* there is none yet */
	assert_int_equal(tape_frames(tape), 0);
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	tape_add(tape);
	tape_add(tape);
	assert_int_equal(tape_frames(tape), 1);
	assert_int_equal(tape_close(tape), 0);
}

static void a_tape_that_never_began_leaves_nothing(void **state)
{
	const struct place *place = *state;
	struct tape *tape = tape_open(place->csv, NULL);

	assert_non_null(tape);
	assert_int_equal(tape_close(tape), 0);
	assert_int_not_equal(access(place->csv, F_OK), 0);
	assert_int_not_equal(access(place->temporary, F_OK), 0);
}

struct late_disk {
	int fd;
	size_t size;
	unsigned char bytes[128 * 1024];
};

/* One that takes nothing yet. */
static void stop_disk(struct late_disk *disk, const char *fifo)
{
	static const char text[4096];
	int to;

	assert_int_equal(mkfifo(fifo, 0600), 0);
	disk->fd = open(fifo, O_RDONLY | O_NONBLOCK);
	to = open(fifo, O_WRONLY | O_NONBLOCK);
	assert_true(disk->fd >= 0 && to >= 0);
	while (write(to, text, sizeof(text)) > 0)
		continue;
	close(to);
}

static void *go_on(void *data)
{
	struct late_disk *disk = data;
	ssize_t size;

	fcntl(disk->fd, F_SETFL, 0);
	while ((size = read(disk->fd, disk->bytes + disk->size,
			    sizeof(disk->bytes) - disk->size)) > 0)
		disk->size += (size_t)size;
	return NULL;
}

/* Some are in the writer's own buffer, and a few in ours. */
static void what_a_disk_does_not_take_is_lost(void **state)
{
	static struct late_disk disk;
	const struct place *place = *state;
	unsigned long long frames, lost;
	const unsigned char *end;
	struct tape *tape;
	pthread_t thread;

	open_frames();
	stop_disk(&disk, place->binary);
	tape = begin_tape(place->binary, 64 * sizeof(int64_t));
	for (int i = 0; i < 400; i++) {
		assert_int_equal(naohw_frame_read(frame, NULL), 0);
		assert_int_equal(tape_add(tape), 0);
	}
	frames = tape_frames(tape);
	lost = tape_lost(tape);
	assert_in_range(frames, 4, 200);
	assert_int_equal(frames + lost, 400);
	assert_int_equal(pthread_create(&thread, NULL, go_on, &disk), 0);
	assert_int_equal(tape_close(tape), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	close(disk.fd);
	assert_true(disk.size > BINARY_END_SIZE);
	end = disk.bytes + disk.size - BINARY_END_SIZE;
	assert_memory_equal(end, BINARY_END, BINARY_MAGIC_SIZE);
	assert_int_equal(end[8] | end[9] << 8, frames);
	assert_int_equal(end[16] | end[17] << 8, lost);
}

/* ---- record ---- */

static void joints_are_recorded_by_name(void **state)
{
	const struct place *place = *state;

	joint[1] = 612;
	assert_int_equal(run(cmd_record, "-qn3", place->csv, "HeadPitch", NULL), STATUS_OK);
	check_text(place->csv,
		   "time_s,HeadPitch.present,HeadPitch.speed,HeadPitch.load,HeadPitch.voltage,"
		   "HeadPitch.temperature,HeadPitch.age,HeadPitch.alarm\n"
		   "0.000000,0.5113269,0,0,0,0,0,0\n"
		   "0.010000,0.5113269,0,0,0,0,0,0\n"
		   "0.020000,0.5113269,0,0,0,0,0,0\n");
	assert_int_equal(run(cmd_record, "-qn3", place->csv, "HeadRoll", NULL), STATUS_FAILED);
}

static void a_duration_is_kept(void **state)
{
	const struct place *place = *state;
	struct recording *recording;
	struct naohw_error err;
	double values[14];
	int64_t time = 0;
	int rows = 0;

	assert_int_equal(run(cmd_record, "-q", "-d0.25", place->binary, NULL), STATUS_OK);
	assert_int_equal(recording_open(place->binary, &recording, &err), 0);
	assert_int_equal(recording_head(recording)->count, 14);
	assert_int_equal(recording_head(recording)->period, 10 * MS);
	assert_true(recording_head(recording)->start > 1600000000 * (int64_t)1000000000);
	while (recording_next(recording, &time, values, &err) > 0)
		rows++;
	assert_int_equal(rows, 26);
	assert_int_equal(time, 250 * MS);
	recording_close(recording);
}

static void what_there_is_is_kept(void **state)
{
	const struct place *place = *state;

	silent_from = 2;
	assert_int_equal(run(cmd_record, "-qn5", place->csv, "HeadYaw", NULL), STATUS_FAILED);
	check_text(place->csv,
		   "time_s,HeadYaw.present,HeadYaw.speed,HeadYaw.load,HeadYaw.voltage,"
		   "HeadYaw.temperature,HeadYaw.age,HeadYaw.alarm\n"
		   "0.000000,0,0,0,0,0,0,0\n"
		   "0.010000,0,0,0,0,0,0,0\n");
}

static void a_busy_bus_is_not_recorded(void **state)
{
	const struct place *place = *state;

	write_text(place->csv, "old\n");
	fake_fail_buffer(-EBUSY);
	assert_int_equal(run(cmd_record, "-qn3", place->csv, NULL, NULL), STATUS_FAILED);
	check_text(place->csv, "old\n");
}

/* As on a bus, frames leave the thread that writes them some time. */
static void next_period_in_time(void)
{
	usleep(1000);
	next_period();
}

static void a_full_disk_ends_a_recording(void **state)
{
	(void)state;
	fake_on_frame(next_period_in_time);
	assert_int_equal(run(cmd_record, "-q", "-n100000", "/dev/full", NULL), STATUS_FAILED);
	assert_true(periods < 1000);
}

#define RECORDED "some has been recorded"

/* And tells when there is more of it than stdio keeps to itself. */
static void next_period_of_bus(void)
{
	usleep(2000);
	next_period();
	if (periods == 250)
		dprintf(STDERR_FILENO, RECORDED "\n");
}

/* Until it says @text, or nothing for longer than it should take. */
static bool await_text(int says, const char *text)
{
	struct pollfd pollfd = { .fd = says, .events = POLLIN };
	char found[1024] = "";
	size_t size = 0;

	while (!strstr(found, text)) {
		ssize_t more = poll(&pollfd, 1, 8000) > 0
				       ? read(says, found + size, sizeof(found) - 1 - size)
				       : -1;

		if (more <= 0)
			return false;
		size += (size_t)more;
	}
	return true;
}

static pid_t start_recording(const char *path, int *says)
{
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		/* We may have been started in the background, where it is ignored. */
		signal(SIGINT, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		dup2(ends[1], STDERR_FILENO);
		fake_on_frame(next_period_of_bus);
		_exit(run(cmd_record, "-q", path, NULL, NULL));
	}
	close(ends[1]);
	*says = ends[0];
	if (await_text(*says, RECORDED))
		return pid;
	kill(pid, SIGKILL);
	fail_msg("nothing is recorded");
	return -1;
}

/* One that does not end by itself is killed, which its status tells. */
static int status_of(pid_t pid)
{
	int status;

	for (int ms = 0; ms < 5000; ms += 10) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		usleep(10000);
	}
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void check_hung_disk(const struct place *place, int number)
{
	static struct late_disk disk;
	bool said;
	int says, status;
	pid_t pid;

	stop_disk(&disk, place->binary);
	pid = start_recording(place->binary, &says);
	kill(pid, number);
	said = await_text(says, "is still being written");
	kill(pid, number);
	status = status_of(pid);
	close(says);
	close(disk.fd);
	unlink(place->binary);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
	assert_true(said);
}

/* The first one ends it in order, which takes as long as the disk does; the second at once. */
static void a_recording_that_hangs_can_be_ended(void **state)
{
	check_hung_disk(*state, SIGINT);
	check_hung_disk(*state, SIGTERM);
	check_hung_disk(*state, SIGHUP);
}

static void a_recording_ends_in_order(void **state)
{
	const struct place *place = *state;
	int says, status;
	char text[16];
	pid_t pid = start_recording(place->csv, &says);

	kill(pid, SIGINT);
	status = status_of(pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), STATUS_OK);
	/* And nobody is told how to end what has ended. */
	assert_int_equal(read(says, text, sizeof(text)), 0);
	close(says);
	check_text(place->csv, HEADER);
}

int main(void)
{
#define FRAMES_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		FRAMES_TEST(the_old_file_stays_until_the_new_is_whole),
		FRAMES_TEST(a_link_stays_a_link),
		FRAMES_TEST(a_device_is_not_replaced),
		FRAMES_TEST(what_is_read_is_not_written),
		FRAMES_TEST(a_frame_is_written_once),
		FRAMES_TEST(a_tape_that_never_began_leaves_nothing),
		FRAMES_TEST(what_a_disk_does_not_take_is_lost),
		FRAMES_TEST(joints_are_recorded_by_name),
		FRAMES_TEST(a_duration_is_kept),
		FRAMES_TEST(what_there_is_is_kept),
		FRAMES_TEST(a_busy_bus_is_not_recorded),
		FRAMES_TEST(a_full_disk_ends_a_recording),
		FRAMES_TEST(a_recording_that_hangs_can_be_ended),
		FRAMES_TEST(a_recording_ends_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
