// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The commands that hold a stream of poses, on a made-up robot: whatever the user, the disk and
 * the terminal do, poses keep coming, and at the end the stream is closed.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fake_iio.h"

#include "../naohw/background.h"
#include "../naohw/cli.h"
#include "../naohw/interrupt.h"
#include "../naohw/recording.h"

#define MS	    ((int64_t)1000000)
#define PERIOD	    (10 * MS)
#define SAMPLE	    24 /* 10 bytes of the servo, and the time at 16 */
#define START	    512
#define POSES_MAX   2048
/* Of what should take no time at all. */
#define PATIENCE_MS 10000

static const char *const labels[] = { "HeadYaw" };
static const int all_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };

static struct {
	char directory[64];
	char motion[96];
	char recording[96];
	char fifo[96];
} place;

/* The joint is where the last pose sent it, in each period. */
static unsigned int periods;
static unsigned int signal_at; /* period in which ... */
static int signal_to_raise;    /* ... this comes; 0: none */
static bool at_open, at_close; /* or as the stream does this */
static atomic_bool closed;
/* Of the last stream: where the joint was sent. */
static int sent[POSES_MAX];
static unsigned int sent_count, sent_before;
/* What was done before the stream opened. */
static bool locked, locked_before;
static size_t size_as_locked;
static bool state_is_open;

static size_t own_size(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	size_t pages;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%zu", &pages), 1);
	fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Before the C library's own. */
int mlockall(int flags)
{
	(void)flags;
	locked = true;
	size_as_locked = own_size();
	errno = EPERM;
	return -1;
}

static void sleep_ns(int64_t ns)
{
	const struct timespec time = { .tv_sec = ns / (1000 * MS), .tv_nsec = ns % (1000 * MS) };

	nanosleep(&time, NULL);
}

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 * MS + time.tv_nsec;
}

static void next_period(void)
{
	bool all = fake_sample_size("dxl0-state") == SAMPLE;
	unsigned char bytes[SAMPLE] = { 0 };
	unsigned int pushes = fake_pushes(0);
	int joint = pushes ? fake_pose(0, pushes - 1)[0] : START;
	int64_t now;

	sleep_ns(PERIOD - now_ns() % PERIOD);
	now = now_ns();
	bytes[0] = (unsigned char)joint;
	bytes[1] = (unsigned char)(joint >> 8);
	memcpy(bytes + (all ? 16 : 8), &now, sizeof(now));
	fake_frame(0, bytes, all ? SAMPLE : 16);
	/* It is the command's, and not this thread's. */
	if (++periods == signal_at)
		kill(getpid(), signal_to_raise);
}

static void take_sent(void)
{
	for (sent_count = 0; sent_before + sent_count < fake_pushes(0); sent_count++) {
		assert_true(sent_count < POSES_MAX);
		sent[sent_count] = fake_pose(0, sent_before + sent_count)[0];
	}
}

static void on_buffer(const char *device, int open)
{
	bool is_goal = strcmp(device, "dxl0-goal") == 0;

	if (!is_goal) {
		state_is_open = open;
		return;
	}
	if (open) {
		locked_before = locked;
		sent_before = fake_pushes(0);
	} else {
		take_sent();
	}
	if (open ? at_open : at_close)
		raise(signal_to_raise);
	closed = !open;
}

static void write_files(void)
{
	unsigned char *pages = pages_new(2);
	FILE *file;

	page_plain(pages + PAGE_SIZE, "Nod", 2);
	page_position(pages + PAGE_SIZE, 0, 1, 600);
	page_position(pages + PAGE_SIZE, 1, 1, 450);
	page_times(pages + PAGE_SIZE, 0, 0, 25);
	page_times(pages + PAGE_SIZE, 1, 0, 25);
	page_seal(pages + PAGE_SIZE);
	file = fopen(place.motion, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(pages, PAGE_SIZE, 2, file), 2);
	assert_int_equal(fclose(file), 0);
	free(pages);
	file = fopen(place.recording, "w");
	assert_non_null(file);
	fprintf(file, "time_s,HeadYaw.present\n0,0.1\n0.5,0.5\n");
	assert_int_equal(fclose(file), 0);
}

/* Whoever has us started in the background may have had some of them ignored. */
static void reset_signals(void)
{
	for (size_t i = 0; i < sizeof(all_signals) / sizeof(all_signals[0]); i++)
		signal(all_signals[i], SIG_DFL);
	signal(SIGTTIN, SIG_DFL);
	signal(SIGTTOU, SIG_DFL);
}

static int setup(void **state)
{
	(void)state;
	reset_signals();
	strcpy(place.directory, "/tmp/naohw-stream-XXXXXX");
	assert_non_null(mkdtemp(place.directory));
	snprintf(place.motion, sizeof(place.motion), "%s/m.bin", place.directory);
	snprintf(place.recording, sizeof(place.recording), "%s/r.csv", place.directory);
	snprintf(place.fifo, sizeof(place.fifo), "%s/fifo", place.directory);
	write_files();
	fake_reset();
	fake_servo("HeadYaw");
	fake_goal(0, labels, 1);
	fake_state(0, labels, 1, 100);
	fake_set("dxl0-state", "in_angl1_scale", "0.005113269");
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	fake_device_set("dxl0-goal", "stiffness", "0");
	fake_on_frame(next_period);
	fake_on_buffer(on_buffer);
	periods = signal_at = 0;
	signal_to_raise = 0;
	at_open = at_close = closed = false;
	locked = locked_before = state_is_open = false;
	sent_count = 0;
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(place.motion);
	unlink(place.recording);
	unlink(place.fifo);
	rmdir(place.directory);
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

static int play(void)
{
	return run(cmd_play, "-q", place.motion, "1", NULL);
}

static int replay(void)
{
	return run(cmd_replay, "-q", place.recording, NULL, NULL);
}

static int recover(void)
{
	return run(cmd_recover, NULL, NULL, NULL, NULL);
}

/* Servos that do not come back for a long time. */
static void be_tripped(void)
{
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	fake_device_set("dxl0-goal", "recover", "");
	fake_on_write("dxl0-goal", "recover", "stream_state", "recovering\n");
}

/* The last stream has sent the joint nowhere. */
static void check_still(void)
{
	for (unsigned int i = 0; i < sent_count; i++)
		assert_int_equal(sent[i], START);
}

/* Everything as it was: the program may be ended in any way again. */
static void check_end(void)
{
	assert_false(fake_buffer_is_open(0));
	assert_false(state_is_open);
	for (size_t i = 0; i < sizeof(all_signals) / sizeof(all_signals[0]); i++) {
		struct sigaction found;

		assert_int_equal(sigaction(all_signals[i], NULL, &found), 0);
		assert_true(found.sa_handler == SIG_DFL);
	}
}

/* ---- signals ---- */

static void before_the_motion_there_is_none(void **state)
{
	(void)state;
	signal_to_raise = SIGINT;
	at_open = true;
	assert_int_equal(play(), STATUS_INTERRUPTED);
	check_end();
	check_still();
	assert_int_equal(replay(), STATUS_INTERRUPTED);
	check_end();
	check_still();
	be_tripped();
	assert_int_equal(recover(), STATUS_INTERRUPTED);
	check_end();
	check_still();
	assert_string_equal(fake_device_get("dxl0-goal", "recover"), "");
}

/* Neither a recording where there was one, nor a new one. */
static void before_the_motion_nothing_is_recorded(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/new.csv", place.directory);
	signal_to_raise = SIGTERM;
	at_open = true;
	assert_int_equal(run(cmd_play, "-qw", path, place.motion, "1"), STATUS_INTERRUPTED);
	assert_int_not_equal(access(path, F_OK), 0);
	check_end();
	strcat(path, ".new");
	assert_int_not_equal(access(path, F_OK), 0);
}

/* The robot has a cycle, but no player yet: where the joint is it stays. */
static void as_the_cycle_begins_it_ends(void **state)
{
	(void)state;
	signal_to_raise = SIGHUP;
	signal_at = 1;
	assert_int_equal(play(), STATUS_INTERRUPTED);
	check_end();
	assert_true(sent_count > 0);
	check_still();
}

static void while_it_closes_it_goes_on_closing(void **state)
{
	(void)state;
	signal_to_raise = SIGINT;
	at_close = true;
	(void)play();
	check_end();
	(void)replay();
	check_end();
	(void)recover();
	check_end();
}

static void check_ends_in_order(int (*command)(void), int number)
{
	signal_to_raise = number;
	periods = 0;
	signal_at = 20;
	assert_int_equal(command(), STATUS_INTERRUPTED);
	check_end();
	assert_true(sent_count > 0);
}

static void a_play_ends_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++)
		check_ends_in_order(play, all_signals[i]);
}

static void a_play_is_not_stopped(void **state)
{
	(void)state;
	check_ends_in_order(play, SIGQUIT);
	check_ends_in_order(play, SIGTSTP);
}

static void a_replay_ends_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(all_signals) / sizeof(all_signals[0]); i++)
		check_ends_in_order(replay, all_signals[i]);
}

static void (*handler_of(int number))(int)
{
	struct sigaction found;

	assert_int_equal(sigaction(number, NULL, &found), 0);
	return found.sa_handler;
}

/* By nohup(1), or SIGINT and SIGQUIT by a shell that starts it with "&". */
static void check_stays_ignored(int (*command)(void), int number)
{
	signal(number, SIG_IGN);
	signal_to_raise = number;
	periods = 0;
	signal_at = 20;
	assert_int_equal(command(), STATUS_OK);
	assert_true(handler_of(number) == SIG_IGN);
	signal(number, SIG_DFL);
	check_end();
}

static void what_was_ignored_stays_so(void **state)
{
	(void)state;
	check_stays_ignored(play, SIGHUP);
	check_stays_ignored(replay, SIGINT);
	check_stays_ignored(replay, SIGQUIT);
}

static void somebody(int number)
{
	(void)number;
}

/* And what was neither ignored nor the default is that again. */
static void handlers_are_put_back(void **state)
{
	(void)state;
	signal(SIGTERM, somebody);
	signal(SIGTTOU, somebody);
	assert_int_equal(replay(), STATUS_OK);
	assert_true(handler_of(SIGTERM) == somebody);
	assert_true(handler_of(SIGTTOU) == somebody);
	signal(SIGTERM, SIG_DFL);
	signal(SIGTTOU, SIG_DFL);
	check_end();
}

/* Some commands catch and end; the next one must not take that for what there was before. */
static void caught_twice_is_caught_once(void **state)
{
	(void)state;
	catch_interrupts();
	assert_int_equal(replay(), STATUS_OK);
	check_end();
}

/* "stty tostop" is about what is shown. */
static void in_the_background_it_goes_on(void **state)
{
	(void)state;
	signal_to_raise = SIGTTOU;
	signal_at = 20;
	assert_int_equal(play(), STATUS_OK);
	check_end();
}

static pthread_t main_thread;

static void *interrupt_soon(void *data)
{
	(void)data;
	sleep_ns(200 * MS);
	pthread_kill(main_thread, SIGTSTP);
	return NULL;
}

static void a_recovery_ends_in_order(void **state)
{
	struct timespec began, ended;
	pthread_t thread;

	(void)state;
	be_tripped();
	main_thread = pthread_self();
	clock_gettime(CLOCK_MONOTONIC, &began);
	assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, NULL), 0);
	assert_int_equal(recover(), STATUS_INTERRUPTED);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(ended.tv_sec - began.tv_sec < 4);
	check_end();
}

/* ---- what is done before the stream ---- */

/* Or where more must not be locked, a recording would find none when the stream is open. */
static void a_recording_has_its_memory_before(void **state)
{
	char path[128];
	size_t without;

	(void)state;
	snprintf(path, sizeof(path), "%s/new.csv", place.directory);
	assert_int_equal(play(), STATUS_OK);
	assert_true(locked_before);
	without = size_as_locked;
	locked = locked_before = false;
	assert_int_equal(run(cmd_play, "-qw", path, place.motion, "1"), STATUS_OK);
	assert_true(locked_before);
	assert_true(size_as_locked >= without + 10 * 1024 * 1024);
	assert_int_equal(unlink(path), 0);
	check_end();
}

struct printed {
	int saved[2];
	int from;
	char text[4096];
};

static void catch_output(struct printed *printed)
{
	int ends[2];

	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	for (int i = 0; i < 2; i++) {
		printed->saved[i] = dup(i + 1);
		dup2(ends[1], i + 1);
	}
	close(ends[1]);
	printed->from = ends[0];
}

static void take_output(struct printed *printed)
{
	size_t size = 0;
	ssize_t more;

	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		dup2(printed->saved[i], i + 1);
		close(printed->saved[i]);
	}
	while ((more = read(printed->from, printed->text + size,
			    sizeof(printed->text) - 1 - size)) > 0)
		size += (size_t)more;
	printed->text[size] = '\0';
	close(printed->from);
}

/* What a user does who sees nothing of the first one is to stop a robot in the middle of a step. */
static void the_first_signal_is_answered(void **state)
{
	struct printed printed;
	int status;

	(void)state;
	signal_to_raise = SIGINT;
	signal_at = 20;
	catch_output(&printed);
	status = run(cmd_play, place.motion, "1", NULL, NULL);
	take_output(&printed);
	assert_int_equal(status, STATUS_INTERRUPTED);
	assert_non_null(strstr(printed.text,
			       "ends this pass of the page, and its exit page follows; a second "
			       "Ctrl-C stops at once\n"));
	check_end();
}

/* Of a bar each state takes the place of the one before. */
static void a_timetable_is_lines_on_a_terminal(void **state)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), saved = dup(STDOUT_FILENO), status;
	char text[4096] = "";
	size_t size = 0;
	ssize_t more;
	int slave;

	(void)state;
	/* Those of other tests */
	catch_interrupts();
	release_interrupts();
	fflush(stdout);
	assert_int_equal(grantpt(terminal) | unlockpt(terminal), 0);
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(dup2(slave, STDOUT_FILENO) >= 0);
	status = run(cmd_play, "-D", place.motion, "1", NULL);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(slave);
	while ((more = read(terminal, text + size, sizeof(text) - 1 - size)) > 0)
		size += (size_t)more;
	close(terminal);
	assert_int_equal(status, STATUS_OK);
	assert_null(strchr(text, '\033'));
	assert_non_null(strstr(text, "step 1/2  ["));
	assert_non_null(strstr(text, "step 2/2  ["));
}

static void check_refused(const char *record, const char *path, const char *says)
{
	struct printed printed;
	int status;

	catch_output(&printed);
	if (record)
		status = run(cmd_play, record, path, place.motion, "1");
	else
		status = run(cmd_play, place.motion, "1", NULL, NULL);
	take_output(&printed);
	assert_int_equal(status, STATUS_FAILED);
	assert_string_equal(printed.text, says);
	check_end();
}

static void check_is_busy(const char *record, const char *path)
{
	check_refused(record, path, "naohw: dxl0-goal: another program is moving the robot\n");
}

/* Who has the goals often has the frames too; it is the goals that count. */
static void a_robot_that_moves_is_left_alone(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/new.csv", place.directory);
	fake_take("dxl0-goal");
	check_is_busy(NULL, NULL);
	check_is_busy("-w", path);
	fake_take("dxl0-state");
	check_is_busy(NULL, NULL);
	check_is_busy("-w", path);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* What a cycle reads and sends has no time in the bus's period. */
static void a_period_that_is_too_short_is_told(void **state)
{
	(void)state;
	fake_fail_buffer(-ENOSPC);
	check_refused(NULL, NULL,
		      "naohw: dxl0-state: what is to be read does not fit into the bus's period; "
		      "lengthen cycle/period_us of dxl0, the kernel's log has the times; for a cycle "
		      "set DCM/TargetCycleTime to what fits, as by \"naohw pref\", or shorten the "
		      "servos' return delay\n");
}

/* There a joint without torque would get it with its first goal. */
static void a_robot_on_another_machine_is_played_there(void **state)
{
	(void)state;
	fake_remote();
	check_refused(NULL, NULL,
		      "naohw: the robot is on another machine, and only that machine can host its "
		      "cycle: run the program there, as \"naohw --uri ssh://HOST\" does\n");
	assert_int_equal(fake_buffers_created(), 0);
}

/* ---- disks and terminals that stand still ---- */

static void *look_at_oneself(void *data)
{
	int *policy = data;
	sigset_t blocked;

	*policy = sched_getscheduler(0);
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	return sigismember(&blocked, SIGINT) ? data : NULL;
}

/* Where we may have no real time, the other policy that everybody may have tells as much. */
static void be_special(void)
{
	const struct sched_param some = { .sched_priority = 1 }, none = { 0 };

	if (sched_setscheduler(0, SCHED_FIFO, &some) < 0)
		assert_int_equal(sched_setscheduler(0, SCHED_BATCH, &none), 0);
}

static void who_writes_has_no_priority(void **state)
{
	const struct sched_param none = { 0 };
	pthread_t thread;
	void *blocked;
	int policy, ret;

	(void)state;
	be_special();
	ret = background_start(&thread, look_at_oneself, &policy);
	sched_setscheduler(0, SCHED_OTHER, &none);
	assert_int_equal(ret, 0);
	assert_int_equal(pthread_join(thread, &blocked), 0);
	assert_int_equal(policy, SCHED_OTHER);
	assert_non_null(blocked);
}

/* Takes what is written only when the stream has ended. */
struct late_reader {
	pthread_t thread;
	int fd;
	bool in_time; /* that was without us */
	size_t size;  /* of what came, and its end */
	unsigned char end[64];
};

static void take(struct late_reader *reader)
{
	unsigned char text[4096];
	ssize_t size;

	while ((size = read(reader->fd, text, sizeof(text))) > 0) {
		size_t count = (size_t)size < sizeof(reader->end) ? (size_t)size
								   : sizeof(reader->end);
		size_t kept = sizeof(reader->end) - count;

		memmove(reader->end, reader->end + count, kept);
		memcpy(reader->end + kept, text + size - count, count);
		reader->size += (size_t)size;
	}
}

static void *read_late(void *data)
{
	struct late_reader *reader = data;

	for (int ms = 0; ms < PATIENCE_MS && !closed; ms += 5)
		sleep_ns(5 * MS);
	reader->in_time = closed;
	take(reader);
	return NULL;
}

/* Until it takes no more; then it takes again what is written with patience. */
static void fill(int fd)
{
	static const char text[4096];

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	while (write(fd, text, sizeof(text)) > 0)
		continue;
	while (write(fd, text, 1) > 0)
		continue;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

static void start(struct late_reader *reader, int fd)
{
	memset(reader, 0, sizeof(*reader));
	reader->fd = fd;
	assert_int_equal(pthread_create(&reader->thread, NULL, read_late, reader), 0);
}

static void end(struct late_reader *reader)
{
	assert_int_equal(pthread_join(reader->thread, NULL), 0);
	close(reader->fd);
	if (!reader->in_time)
		fail_msg("what is written keeps the stream from going on");
}

static void a_disk_is_not_waited_for(void **state)
{
	struct late_reader reader;
	size_t before;
	int from, to;

	(void)state;
	assert_int_equal(mkfifo(place.fifo, 0600), 0);
	from = open(place.fifo, O_RDONLY | O_NONBLOCK);
	to = open(place.fifo, O_WRONLY);
	assert_true(from >= 0 && to >= 0);
	fcntl(from, F_SETFL, 0);
	before = (size_t)fcntl(from, F_GETPIPE_SZ);
	fill(to);
	start(&reader, from);
	/* The FIFO has no end before we close ours, and we do when the stream has ended. */
	fake_on_buffer(on_buffer);
	close(to);
	assert_int_equal(run(cmd_play, "-qw", place.fifo, place.motion, "1"), STATUS_OK);
	end(&reader);
	check_end();
	/* And all of it has arrived. */
	assert_true(reader.size > before + 1024);
	assert_memory_equal(reader.end + sizeof(reader.end) - BINARY_END_SIZE, BINARY_END,
			    BINARY_MAGIC_SIZE);
}

struct terminal {
	int saved[2];
	int from;
	struct late_reader reader;
};

/* Both outputs, as a terminal is. */
static void stop_terminal(struct terminal *terminal)
{
	int ends[2];

	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	fill(ends[1]);
	for (int i = 0; i < 2; i++) {
		terminal->saved[i] = dup(i + 1);
		dup2(ends[1], i + 1);
	}
	close(ends[1]);
	start(&terminal->reader, ends[0]);
}

static void put_back(struct terminal *terminal)
{
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		dup2(terminal->saved[i], i + 1);
		close(terminal->saved[i]);
	}
	end(&terminal->reader);
	check_end();
}

static void a_terminal_is_not_waited_for_by_play(void **state)
{
	struct terminal terminal;
	int status;

	(void)state;
	stop_terminal(&terminal);
	status = run(cmd_play, place.motion, "1", NULL, NULL);
	put_back(&terminal);
	assert_int_equal(status, STATUS_OK);
}

static void a_terminal_is_not_waited_for_by_replay(void **state)
{
	struct terminal terminal;
	int status;

	(void)state;
	stop_terminal(&terminal);
	status = run(cmd_replay, place.recording, NULL, NULL, NULL);
	put_back(&terminal);
	assert_int_equal(status, STATUS_OK);
}

static void a_terminal_is_not_waited_for_by_recover(void **state)
{
	struct terminal terminal;
	int status;

	(void)state;
	be_tripped();
	fake_on_write("dxl0-goal", "recover", "stream_state", "streaming\n");
	stop_terminal(&terminal);
	status = recover();
	put_back(&terminal);
	assert_int_equal(status, STATUS_OK);
}

/* That there is a pipe in between is not to be seen. */
static void on_a_terminal_there_is_a_bar(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave, saved, status;
	char text[8192] = "";
	size_t size = 0;
	ssize_t more;

	(void)state;
	assert_true(master >= 0);
	assert_int_equal(grantpt(master) | unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	dup2(slave, STDOUT_FILENO);
	status = run(cmd_play, place.motion, "1", NULL, NULL);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	fcntl(master, F_SETFL, O_NONBLOCK);
	while ((more = read(master, text + size, sizeof(text) - 1 - size)) > 0)
		size += (size_t)more;
	close(slave);
	close(master);
	assert_int_equal(status, STATUS_OK);
	if (!strstr(text, "\rpage 1 Nod") || !strstr(text, "] "))
		fail_msg("found: %s", text);
	assert_non_null(strstr(text, "Final pose reached: 1 joints"));
}

/* main() ignores SIGPIPE. The motion goes on, and that nobody saw it all is told at the end. */
static void a_reader_that_goes_ends_no_motion(void **state)
{
	int ends[2], saved, status;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	saved = dup(STDOUT_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	status = run(cmd_play, place.motion, "1", NULL, NULL);
	fflush(stdout);
	clearerr(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(status, STATUS_FAILED);
	check_end();
	assert_int_equal(sent[sent_count - 1], 450);
}

int main(int argc, char **argv)
{
#define STREAM_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		/* First, before there is memory that somebody has let go of. */
		STREAM_TEST(a_recording_has_its_memory_before),
		STREAM_TEST(before_the_motion_there_is_none),
		STREAM_TEST(before_the_motion_nothing_is_recorded),
		STREAM_TEST(as_the_cycle_begins_it_ends),
		STREAM_TEST(while_it_closes_it_goes_on_closing),
		STREAM_TEST(a_play_ends_in_order),
		STREAM_TEST(a_play_is_not_stopped),
		STREAM_TEST(a_replay_ends_in_order),
		STREAM_TEST(what_was_ignored_stays_so),
		STREAM_TEST(handlers_are_put_back),
		STREAM_TEST(caught_twice_is_caught_once),
		STREAM_TEST(in_the_background_it_goes_on),
		STREAM_TEST(a_recovery_ends_in_order),
		STREAM_TEST(the_first_signal_is_answered),
		STREAM_TEST(a_timetable_is_lines_on_a_terminal),
		STREAM_TEST(a_robot_that_moves_is_left_alone),
		STREAM_TEST(a_period_that_is_too_short_is_told),
		STREAM_TEST(a_robot_on_another_machine_is_played_there),
		STREAM_TEST(who_writes_has_no_priority),
		STREAM_TEST(a_disk_is_not_waited_for),
		STREAM_TEST(a_terminal_is_not_waited_for_by_play),
		STREAM_TEST(a_terminal_is_not_waited_for_by_replay),
		STREAM_TEST(a_terminal_is_not_waited_for_by_recover),
		STREAM_TEST(on_a_terminal_there_is_a_bar),
		STREAM_TEST(a_reader_that_goes_ends_no_motion),
	};

	/* One by one, where the others would end the program. */
	if (argc == 2)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
