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
static unsigned int stall_at;	 /* this one comes 400 ms later; 0: none */
static unsigned int silent_from; /* no frames from this period on; 0: never */
static bool limp[2];		 /* stays where it is */
static unsigned int limp_from;	 /* from this period on both do; 0: never */
static unsigned char age[2];

/* All values, or where only positions are wanted these, age and alarm. */
static void fill(unsigned char *bytes)
{
	bool all = fake_sample_size("dxl0-state") == 32;

	for (unsigned int i = 0; i < 2; i++) {
		bytes[i * (all ? 10 : 4)] = (unsigned char)joint[i];
		bytes[i * (all ? 10 : 4) + 1] = (unsigned char)(joint[i] >> 8);
		bytes[i * (all ? 10 : 4) + (all ? 8 : 2)] = age[i];
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
		if (!limp[i] && !(limp_from && periods >= limp_from))
			joint[i] = fake_pose(0, pushes - 1)[2 * i];
	now += stall_at && periods == stall_at ? 410 * MS : 10 * MS;
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
	periods = silent_from = stall_at = limp_from = 0;
	joint[0] = joint[1] = 512;
	limp[0] = limp[1] = false;
	age[0] = age[1] = 0;
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

/* The same, and what it says on stderr. */
static int run_replay(const struct place *place, const char *options, const char **said)
{
	static char text[1024];
	int status, saved = dup(STDERR_FILENO), file;
	ssize_t size;

	file = open(place->temporary, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(saved >= 0 && file >= 0);
	dup2(file, STDERR_FILENO);
	status = run(cmd_replay, options, place->csv, NULL, NULL);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	size = pread(file, text, sizeof(text) - 1, 0);
	close(file);
	assert_true(size >= 0);
	text[size] = '\0';
	*said = text;
	return status;
}

static void check_said(const char *said, const char *part)
{
	if (!strstr(said, part))
		fail_msg("\"%s\" does not say \"%s\"", said, part);
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

/* ---- replay ---- */

/* HeadYaw from 0.1 to 0.6 rad in half a second, HeadPitch back. */
static void write_ramp(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "time_s,HeadYaw.present,NoJoint.present,HeadPitch.present\n");
	for (int i = 0; i <= 25; i++)
		fprintf(file, "%.3f,%.4f,0,%.4f\n", i * 0.02, 0.1 + i * 0.02, -0.1 - i * 0.02);
	assert_int_equal(fclose(file), 0);
}

static int goal_of(unsigned int push, unsigned int axis)
{
	return fake_pose(0, push)[2 * axis];
}

static int speed_of(unsigned int push, unsigned int axis)
{
	return fake_pose(0, push)[2 * axis + 1];
}

static unsigned int first_push_with(int goal)
{
	for (unsigned int i = 0; i < fake_pushes(0); i++)
		if (goal_of(i, 0) == goal)
			return i;
	fail_msg("no pose has the goal %d", goal);
	return 0;
}

static void a_recording_is_replayed(void **state)
{
	const struct place *place = *state;
	unsigned int first, last;

	write_ramp(place->csv);
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	/* First slowly to the first pose: 0.1 rad, at once where the fastest takes half a second */
	assert_int_equal(goal_of(0, 0), 532);
	assert_int_equal(goal_of(0, 1), 492);
	assert_int_equal(speed_of(0, 0), 18); /* 0.2 rad/s */
	assert_int_equal(goal_of(49, 0), 532);
	/* Then 1 rad/s, 10 ms a step, in between of the rows as well */
	first = first_push_with(534);
	assert_in_range(first, 49, 53);
	last = first_push_with(629);
	assert_in_range(last - first, 47, 50);
	for (unsigned int i = first + 1; i <= last; i++) {
		assert_in_range(goal_of(i, 0) - goal_of(i - 1, 0), 1, 3);
		assert_in_range(goal_of(i - 1, 1) - goal_of(i, 1), 1, 3);
		assert_in_range(speed_of(i, 0), 44, 132);
	}
	/* At the end the speeds of before, and nothing is held */
	assert_int_equal(goal_of(fake_pushes(0) - 1, 0), 629);
	assert_int_equal(speed_of(fake_pushes(0) - 1, 0), 1023);
	assert_false(fake_buffer_is_open(0));
	/* A pose for each frame, and the one with the speeds */
	assert_int_equal(fake_pushes(0), periods);
}

/* Whoever has been held up must not be in a hurry afterwards. */
static void a_stall_delays_the_rest(void **state)
{
	const struct place *place = *state;
	unsigned int first;

	write_ramp(place->csv);
	stall_at = 75;
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	first = first_push_with(534);
	for (unsigned int i = first + 1; i < fake_pushes(0) - 1; i++) {
		assert_in_range(goal_of(i, 0) - goal_of(i - 1, 0), 0, 6);
		assert_in_range(speed_of(i, 0), 1, 2 * 132);
	}
	assert_int_equal(goal_of(fake_pushes(0) - 1, 0), 629);
	assert_in_range(first_push_with(629) - first, 46, 50);
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

static void a_tempo_stretches_it(void **state)
{
	const struct place *place = *state;

	write_ramp(place->csv);
	assert_int_equal(run(cmd_replay, "-q", "-s0.5", place->csv, NULL), STATUS_OK);
	assert_in_range(first_push_with(629) - first_push_with(533), 97, 101);
}

static void a_damaged_file_moves_nothing(void **state)
{
	const struct place *place = *state;
	FILE *file;

	write_ramp(place->csv);
	file = fopen(place->csv, "a");
	assert_non_null(file);
	fprintf(file, "0.6,x,0,0\n");
	assert_int_equal(fclose(file), 0);
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_FAILED);
	assert_int_equal(run(cmd_replay, "-qD", place->csv, NULL, NULL), STATUS_FAILED);
	assert_int_equal(fake_pushes(0), 0);
	assert_int_equal(fake_buffers_created(), 0);
}

static void what_is_not_of_this_robot_is_told(void **state)
{
	const struct place *place = *state;

	write_text(place->csv, "time_s,Tail.goal,HeadYaw.speed\n0,1,1\n");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_FAILED);
	write_text(place->csv, "time_s,HeadYaw.goal\n");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_FAILED);
	assert_int_equal(fake_buffers_created(), 0);
}

/* Where it was, not where it was sent, perhaps slowly. */
static void positions_come_first(void **state)
{
	const struct place *place = *state;

	write_text(place->csv, "time_s,HeadYaw.goal,HeadYaw.present\n0,0,0.2\n0.05,0,0.4\n");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	assert_int_equal(goal_of(0, 0), 551);
	assert_int_equal(goal_of(0, 1), 512); /* not in the file: stays */
	assert_int_equal(goal_of(fake_pushes(0) - 1, 0), 590);
	assert_int_equal(goal_of(fake_pushes(0) - 1, 1), 512);
}

static void check_refused(const struct place *place, const char *options, const char *text,
			  const char *says)
{
	const char *said;

	write_text(place->csv, text);
	assert_int_equal(run_replay(place, options, &said), STATUS_FAILED);
	check_said(said, says);
	assert_int_equal(fake_pushes(0), 0);
	assert_int_equal(fake_buffers_created(), 0);
}

/* From -2.618 to 2.613 rad: one that was pushed there is a little beyond, or it is no joint. */
static void a_position_out_of_reach_is_refused(void **state)
{
	const struct place *place = *state;

	check_refused(place, "-q", "time_s,HeadYaw.present\n0,0\n0.5,1e10\n",
		      "r.csv:3: column 2 (HeadYaw.present): found 1e+10 rad, expected -2.618 to "
		      "2.613");
	check_refused(place, "-q", "time_s,HeadPitch.goal,HeadYaw.present\n0,0,0\n1,,-2.8\n",
		      "r.csv:3: column 3 (HeadYaw.present): found -2.8 rad");
	check_refused(place, "-qD", "time_s,Tail.present\n0,0\n9,1e10\n",
		      "r.csv:3: column 2 (Tail.present): found 1e+10 rad");
	write_text(place->csv, "time_s,HeadYaw.present\n0,0\n0.5,2.7\n");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	assert_int_equal(goal_of(fake_pushes(0) - 1, 0), 1023);
}

/* The joint's greatest speed is 11.89 rad/s. */
static void a_jump_is_refused(void **state)
{
	const struct place *place = *state;

	check_refused(place, "-q", "time_s,HeadYaw.present\n0,0\n0.01,0\n0.02,0.3\n0.03,0.3\n",
		      "r.csv:4: column 2 (HeadYaw.present): found 0.3 rad, 0.01 s after 0 rad; "
		      "expected at most 0.2189 rad on the way, at 11.89 rad/s and tempo 1");
	check_refused(place, "-qs2", "time_s,HeadYaw.present\n0,0\n0.1,1\n", "r.csv:3: ");
	check_refused(place, "-qD", "time_s,HeadYaw.present\n0,0\n0.1,2\n", "r.csv:3: ");
	write_text(place->csv, "time_s,HeadYaw.present\n0,0\n0.1,1\n");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
}

/* A servo of the X series can be told to go at 786 rad/s, which none does. */
static void a_jump_is_one_for_any_servo(void **state)
{
	static const char jump[] = "time_s,HeadYaw.present\n0,0\n0.01,0.3\n";
	const struct place *place = *state;

	fake_set("dxl0-goal", "out_anglvel1_raw_available", "[0 1 32767]");
	fake_set("dxl0-goal", "out_anglvel1_scale", "0.024");
	check_refused(place, "-q", jump, "expected at most 0.2257 rad on the way, at 12.57 rad/s");
	check_refused(place, "-qD", "time_s,Tail.present\n0,0\n0.01,0.3\n",
		      "r.csv:3: column 2 (Tail.present): found 0.3 rad");
}

/* A name that is wrong by a letter must not go unnoticed. */
static void who_is_passed_over_is_told(void **state)
{
	const struct place *place = *state;
	int status, saved = dup(STDOUT_FILENO), file;
	char text[1024] = "";

	write_ramp(place->csv);
	fflush(stdout);
	file = open(place->temporary, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(saved >= 0 && file >= 0);
	dup2(file, STDOUT_FILENO);
	status = run(cmd_replay, "-D", place->csv, NULL, NULL);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	assert_true(pread(file, text, sizeof(text) - 1, 0) > 0);
	close(file);
	assert_int_equal(status, STATUS_OK);
	check_said(text, "Note: NoJoint is passed over: this robot does not have it, or the file "
			 "has no place of it.\nFound in");
	assert_null(strstr(text, "HeadYaw is passed over"));
}

static void a_binary_file_has_bytes(void **state)
{
	struct recording_column column = { "HeadYaw", NAOHW_QUANTITY_POSITION, 0, 1, 16, true, 0.005, 0 };
	const struct recording_head head = { .count = 1, .column = &column };
	const int64_t rows[] = { 0, 1, 600 };
	const struct place *place = *state;
	const char *said;
	FILE *file = fopen(place->csv, "w");

	assert_non_null(file);
	recording_write_binary_head(file, &head);
	for (int i = 0; i < 3; i++)
		recording_write_binary_row(file, &head, i * 10 * MS, &rows[i]);
	recording_write_binary_end(file, 3, 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(run_replay(place, "-q", &said), STATUS_FAILED);
	check_said(said, "r.csv: byte 144: frame 3, HeadYaw.present: found 3 rad, expected -2.618");
	assert_int_equal(fake_pushes(0), 0);
}

/* The greatest step of HeadYaw from one pose to the next, once it is at its first place. */
static int greatest_step(void)
{
	int greatest = 0;

	for (unsigned int i = 50; i + 1 < fake_pushes(0); i++)
		greatest = (int)fmax(greatest, abs(goal_of(i + 1, 0) - goal_of(i, 0)));
	return greatest;
}

static void check_gap(const struct place *place, const char *text)
{
	write_text(place->csv, text);
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	assert_in_range(greatest_step(), 2, 4);
	assert_int_equal(goal_of(fake_pushes(0) - 1, 0), 610);
}

/* Nobody knows what was meanwhile; a joint goes no faster than it does elsewhere in the file. */
static void a_gap_is_no_snap(void **state)
{
	check_gap(*state, "time_s,HeadYaw.present\n0,0\n0.1,0.1\n0.99,\n1,0.5\n");
}

static void old_values_are_a_gap(void **state)
{
	check_gap(*state, "time_s,HeadYaw.present,HeadYaw.age\n"
			  "0,0,0\n0.1,0.1,0\n0.99,0.1,89\n1,0.5,0\n");
}

/* Others' times may count from anywhere. */
static void time_counts_from_the_first_row(void **state)
{
	const struct place *place = *state;

	write_text(place->csv, "time_s,HeadYaw.present\n1000,0.1\n1000.1,0.2\n");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	assert_in_range(fake_pushes(0), 50, 80);
}

static void a_file_that_knows_nothing_fails(void **state)
{
	const struct place *place = *state;

	check_refused(place, "-q", "time_s,HeadYaw.present\n0,\n1,\n",
		      "r.csv: it has no position or goal of any joint of this robot");
	check_refused(place, "-qD", "time_s,HeadYaw.present\n0,\n1,\n",
		      "r.csv: it has no position or goal of any joint");
	check_refused(place, "-qD", "time_s,HeadYaw.speed\n0,1\n1,1\n",
		      "r.csv: it has no position or goal of any joint");
}

static void a_joint_that_does_not_arrive_is_told(void **state)
{
	const struct place *place = *state;
	const char *said;

	write_ramp(place->csv);
	limp_from = 75;
	assert_int_equal(run_replay(place, "-q", &said), STATUS_NOT_REACHED);
	check_said(said, "final pose not reached by 2 of 2 joints; HeadYaw is 0.2");
	check_said(said, " rad off its goal");
	/* It keeps the speed that it has, or it would snap when it can move again. */
	assert_in_range(speed_of(fake_pushes(0) - 1, 1), 1, 200);
}

static void a_robot_without_torque_is_told(void **state)
{
	const struct place *place = *state;
	const char *said;

	write_ramp(place->csv);
	limp[0] = limp[1] = true;
	assert_int_equal(run_replay(place, "-q", &said), STATUS_NOT_REACHED);
	check_said(said, "final pose not reached by 2 of 2 joints; HeadYaw has not moved: has it");
	assert_false(fake_buffer_is_open(0));
}

static void a_servo_that_says_nothing_did_not_arrive(void **state)
{
	const struct place *place = *state;
	const char *said;

	write_ramp(place->csv);
	age[1] = 200;
	assert_int_equal(run_replay(place, "-q", &said), STATUS_NOT_REACHED);
	check_said(said, "final pose not reached by 1 of 2 joints; HeadPitch does not answer");
}

/* There at the end, as it was there all the time. */
static void a_joint_that_never_moved_is_told(void **state)
{
	const struct place *place = *state;
	const char *said;

	write_text(place->csv, "time_s,HeadYaw.present\n0,0\n0.5,0.5\n1,0\n");
	limp[0] = true;
	assert_int_equal(run_replay(place, "-q", &said), STATUS_NOT_REACHED);
	check_said(said, "by 1 of 1 joints; HeadYaw has not moved: has it torque?");
	limp[0] = false;
	assert_int_equal(run_replay(place, "-q", &said), STATUS_OK);
}

static void frames_that_end_stop_a_replay(void **state)
{
	const struct place *place = *state;

	write_ramp(place->csv);
	silent_from = 70;
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_FAILED);
	/* It holds where it was seen last. */
	assert_in_range(goal_of(fake_pushes(0) - 1, 0), 540, 600);
	assert_false(fake_buffer_is_open(0));
}

static void without_frames_the_clock_counts(void **state)
{
	const struct place *place = *state;

	write_text(place->csv, "time_s,HeadYaw.goal\n0,0\n0.03,0.1\n");
	silent_from = 1;
	periods = 1;
	fake_set("HeadYaw", "in_angl0_raw", "532");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	assert_int_equal(goal_of(fake_pushes(0) - 1, 0), 532);
	assert_true(fake_pushes(0) > 50);
}

/* As one that hung there without torque while the others were recorded */
static void a_joint_may_stay_where_it_was_recorded(void **state)
{
	const struct place *place = *state;
	FILE *file = fopen(place->csv, "w");

	assert_non_null(file);
	fprintf(file, "time_s,HeadYaw.present,HeadPitch.present\n");
	for (int i = 0; i < 20; i++)
		fprintf(file, "%.2f,-2.6589,0\n", i * 0.01);
	assert_int_equal(fclose(file), 0);
	/* 0.04 rad beyond what it can be sent to */
	joint[0] = -8;
	limp[0] = true;
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	joint[0] = 0;
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
	joint[0] = 20;
	assert_int_not_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_OK);
}

/* ---- recover ---- */

static void a_limp_robot_is_not_replayed(void **state)
{
	const struct place *place = *state;

	write_ramp(place->csv);
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	assert_int_equal(run(cmd_replay, "-q", place->csv, NULL, NULL), STATUS_FAILED);
	assert_int_equal(fake_pushes(0), 0);
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
		FRAMES_TEST(a_recording_is_replayed),
		FRAMES_TEST(a_stall_delays_the_rest),
		FRAMES_TEST(a_full_disk_ends_a_recording),
		FRAMES_TEST(a_recording_that_hangs_can_be_ended),
		FRAMES_TEST(a_recording_ends_in_order),
		FRAMES_TEST(a_tempo_stretches_it),
		FRAMES_TEST(a_damaged_file_moves_nothing),
		FRAMES_TEST(what_is_not_of_this_robot_is_told),
		FRAMES_TEST(positions_come_first),
		FRAMES_TEST(a_position_out_of_reach_is_refused),
		FRAMES_TEST(a_jump_is_refused),
		FRAMES_TEST(a_jump_is_one_for_any_servo),
		FRAMES_TEST(who_is_passed_over_is_told),
		FRAMES_TEST(a_binary_file_has_bytes),
		FRAMES_TEST(a_gap_is_no_snap),
		FRAMES_TEST(old_values_are_a_gap),
		FRAMES_TEST(time_counts_from_the_first_row),
		FRAMES_TEST(a_file_that_knows_nothing_fails),
		FRAMES_TEST(a_joint_that_does_not_arrive_is_told),
		FRAMES_TEST(a_robot_without_torque_is_told),
		FRAMES_TEST(a_servo_that_says_nothing_did_not_arrive),
		FRAMES_TEST(a_joint_that_never_moved_is_told),
		FRAMES_TEST(frames_that_end_stop_a_replay),
		FRAMES_TEST(a_limp_robot_is_not_replayed),
		FRAMES_TEST(a_joint_may_stay_where_it_was_recorded),
		FRAMES_TEST(without_frames_the_clock_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
