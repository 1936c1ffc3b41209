// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * naohw replay on a made-up robot, in a time of its own: each time that it waits for a cycle there
 * is one, 10 ms after the one before. So it is told what poses come of it, cycle by cycle.
 */
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "fake_iio.h"
#include "robot_files.h"

#include "../naohw/cli.h"
#include "../naohw/recording.h"

#define MS	  ((int64_t)1000000)
#define PERIOD	  10
/* What a servo has in a frame, and behind two of them the time */
#define SERVO	  10
#define AGE	  8
#define TIME	  24
#define FRAME	  (TIME + 8)
#define MIDDLE	  512
#define MAX_POSES 2048
#define YAW	  0
#define PITCH	  1

static const char *const labels[] = { "HeadYaw", "HeadPitch" };

/* ---- time ---- */

static atomic_llong now; /* ns: the cycle's, and the command's */
static _Thread_local bool is_cycle;

/* How many cycles the command has waited for, how many there were, and one is under way. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int asked;
	unsigned int done;
	bool is_free; /* nobody waits any more */
} turn = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int64_t __wrap_naohw_dcm_get_time(const struct naohw_dcm *dcm, int64_t offset);
int __real_naohw_dcm_wait(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
			  struct naohw_error *err);
int __wrap_naohw_dcm_wait(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
			  struct naohw_error *err);
void __real_naohw_dcm_close(struct naohw_dcm *dcm);
void __wrap_naohw_dcm_close(struct naohw_dcm *dcm);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	if (!is_cycle || clock != CLOCK_MONOTONIC)
		return __real_clock_gettime(clock, time);
	time->tv_sec = now / (1000 * MS);
	time->tv_nsec = now % (1000 * MS);
	return 0;
}

int64_t __wrap_naohw_dcm_get_time(const struct naohw_dcm *dcm, int64_t offset)
{
	(void)dcm;
	return now / MS + offset;
}

/* A cycle begins with its frame, and so the one before it has ended. */
static void await_turn(void)
{
	pthread_mutex_lock(&turn.lock);
	turn.done = turn.asked;
	pthread_cond_broadcast(&turn.changed);
	while (turn.done == turn.asked && !turn.is_free)
		pthread_cond_wait(&turn.changed, &turn.lock);
	pthread_mutex_unlock(&turn.lock);
	if (turn.is_free)
		usleep(1000);
}

int __wrap_naohw_dcm_wait(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
			  struct naohw_error *err)
{
	unsigned int mine;

	pthread_mutex_lock(&turn.lock);
	mine = ++turn.asked;
	pthread_cond_broadcast(&turn.changed);
	while (turn.done != mine && !turn.is_free)
		pthread_cond_wait(&turn.changed, &turn.lock);
	pthread_mutex_unlock(&turn.lock);
	return __real_naohw_dcm_wait(dcm, cycle, timeout_ms, err);
}

static void let_turn(bool is_free)
{
	pthread_mutex_lock(&turn.lock);
	turn.asked = turn.done = 0;
	turn.is_free = is_free;
	pthread_cond_broadcast(&turn.changed);
	pthread_mutex_unlock(&turn.lock);
}

void __wrap_naohw_dcm_close(struct naohw_dcm *dcm)
{
	let_turn(true);
	__real_naohw_dcm_close(dcm);
}

/* ---- the robot ---- */

/* What the joints do: in each period they are where the last pose sent them. */
static int joint[2];
static unsigned int periods;
static unsigned int stall_at;	 /* this one comes later; 0: none */
static unsigned int stall_ms;	 /* so much */
static unsigned int silent_from; /* no frames from this period on; 0: never */
static bool stuck[2];		 /* stays where it is */
static unsigned int stuck_from;	 /* from this period on both do; 0: never */
static unsigned char age[2];
static unsigned int pause_us;	 /* in each period, for what other threads do */
/* In which cycle what happens besides */
static struct {
	unsigned int cycle;
	void (*happen)(void);
} event;

/* The goal output is another one when it has been closed. */
static struct {
	int goal[2];
	int speed[2];
	int stiffness[2];
} pose[MAX_POSES];
static unsigned int poses;
static unsigned int pushes;

/* angl1, anglvel1, count1, angl2, ... */
static void take_poses(void)
{
	for (; pushes < fake_pushes(0); pushes++, poses++) {
		const uint16_t *word = fake_pose(0, pushes);

		assert_true(poses < MAX_POSES);
		for (unsigned int i = 0; i < 2; i++) {
			pose[poses].goal[i] = (int16_t)word[3 * i];
			pose[poses].speed[i] = (int16_t)word[3 * i + 1];
			pose[poses].stiffness[i] = (int16_t)word[3 * i + 2];
		}
	}
}

static void on_buffer(const char *device, int open)
{
	if (strcmp(device, "dxl0-goal") != 0)
		return;
	if (open)
		let_turn(false);
	else
		take_poses();
	pushes = 0;
}

static void move(unsigned int i)
{
	if (poses && pose[poses - 1].stiffness[i] > 0 && !stuck[i] &&
	    !(stuck_from && periods >= stuck_from))
		joint[i] = pose[poses - 1].goal[i];
}

/* Cycles go on by themselves, as it is not said how many looks for a frame one takes. */
static void have_silence(void)
{
	let_turn(true);
	now += PERIOD * MS;
}

static void next_period(void)
{
	unsigned char bytes[FRAME] = { 0 };
	int64_t time;

	is_cycle = true;
	await_turn();
	take_poses();
	if (silent_from && periods >= silent_from) {
		have_silence();
		return;
	}
	usleep(pause_us);
	now += (PERIOD + (stall_at && periods == stall_at ? stall_ms : 0)) * MS;
	periods++;
	for (unsigned int i = 0; i < 2; i++) {
		move(i);
		bytes[i * SERVO] = (unsigned char)joint[i];
		bytes[i * SERVO + 1] = (unsigned char)(joint[i] >> 8);
		bytes[i * SERVO + AGE] = age[i];
	}
	time = now;
	memcpy(bytes + TIME, &time, sizeof(time));
	fake_frame(0, bytes, sizeof(bytes));
	if (periods == event.cycle)
		event.happen();
}

static void make_servo(const char *label)
{
	fake_servo(label);
	fake_set(label, "out_angl0_en", "1");
	fake_set(label, "out_angl0_torque_limit", "100");
	fake_device_set(label, "torque_state", "stiff");
}

static void begin_anew(void)
{
	periods = stall_at = silent_from = stuck_from = event.cycle = pause_us = 0;
	stuck[YAW] = stuck[PITCH] = false;
	age[YAW] = age[PITCH] = 0;
	poses = pushes = 0;
}

static int setup(void **state)
{
	struct timespec real;

	fake_reset();
	make_servo("HeadYaw");
	make_servo("HeadPitch");
	fake_goal(0, labels, 2);
	fake_state(0, labels, 2, 1000 / PERIOD);
	fake_set("dxl0-state", "in_angl1_scale", "0.005113269");
	fake_set("dxl0-state", "in_angl2_scale", "0.005113269");
	fake_device_set("dxl0-goal", "stream_state", "streaming\n");
	fake_device_set("dxl0-goal", "stiffness", "0");
	fake_on_frame(next_period);
	fake_on_buffer(on_buffer);
	__real_clock_gettime(CLOCK_MONOTONIC, &real);
	now = real.tv_sec * 1000 * MS;
	joint[YAW] = joint[PITCH] = MIDDLE;
	begin_anew();
	signal(SIGINT, SIG_DFL);
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
	return robot_files_setup(state);
}

/* ---- naohw replay ---- */

static char said[16384];

/* What it says on @output is in said. */
static int run_and_hear(int output, const char *options, const char *more)
{
	char *argv[] = { (char *)"replay", (char *)robot_path("r.csv"), (char *)options,
			 (char *)more, NULL };
	struct cli cli = { 0 };
	int status, saved = dup(output), file, argc = 2;
	ssize_t size;

	while (argv[argc])
		argc++;
	assert_true(line_take(&cli.line, argc, argv));
	file = open(robot_path("said"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(saved >= 0 && file >= 0);
	fflush(stdout);
	dup2(file, output);
	status = cmd_replay(&cli);
	fflush(stdout);
	dup2(saved, output);
	close(saved);
	size = pread(file, said, sizeof(said) - 1, 0);
	close(file);
	assert_true(size >= 0);
	said[size] = '\0';
	assert_false(fake_buffer_is_open(0));
	return status;
}

static int run_quietly(void)
{
	return run_and_hear(STDERR_FILENO, "-q", NULL);
}

static int run_again(void)
{
	begin_anew();
	return run_quietly();
}

static void check_said(const char *part)
{
	if (!strstr(said, part))
		fail_msg("\"%s\" does not say \"%s\"", said, part);
}

static void assert_status(int status, int expected)
{
	if (status != expected)
		fail_msg("status %d, expected %d; said \"%s\"", status, expected, said);
}

static void write_text(const char *text)
{
	robot_file("r.csv", text);
}

/* HeadYaw from 0.1 to 0.6 rad in half a second, HeadPitch back. */
static void write_ramp(void)
{
	FILE *file = fopen(robot_path("r.csv"), "w");

	assert_non_null(file);
	fprintf(file, "time_s,HeadYaw.present,NoJoint.present,HeadPitch.present\n");
	for (int i = 0; i <= 25; i++)
		fprintf(file, "%.3f,%.4f,0,%.4f\n", i * 0.02, 0.1 + i * 0.02, -0.1 - i * 0.02);
	assert_int_equal(fclose(file), 0);
}

static int last_goal(unsigned int i)
{
	assert_true(poses > 0);
	return pose[poses - 1].goal[i];
}

static unsigned int first_pose_at(int goal)
{
	for (unsigned int i = 0; i < poses; i++)
		if (pose[i].goal[YAW] >= goal)
			return i;
	fail_msg("no pose has the goal %d", goal);
	return 0;
}

static int greatest_step_from(unsigned int first)
{
	int greatest = 0;

	for (unsigned int i = first + 1; i < poses; i++)
		greatest = (int)fmax(greatest, abs(pose[i].goal[YAW] - pose[i - 1].goal[YAW]));
	return greatest;
}

/* ---- the way ---- */

static void a_recording_is_replayed(void **state)
{
	unsigned int first, last;

	(void)state;
	write_ramp();
	assert_status(run_quietly(), STATUS_OK);
	/* First slowly to the first pose: 0.1 rad, at once where the fastest takes half a second */
	first = first_pose_at(532);
	assert_in_range(first - first_pose_at(MIDDLE + 1), 44, 50);
	assert_in_range(greatest_step_from(0), 1, 3);
	assert_int_equal(pose[first].goal[PITCH], 492);
	/* Then 1 rad/s, 10 ms a step, in between of the rows as well, and both at once */
	first = first_pose_at(533);
	last = first_pose_at(629);
	assert_in_range(last - first, 47, 50);
	for (unsigned int i = first + 1; i < last; i++) {
		assert_in_range(pose[i].goal[YAW] - pose[i - 1].goal[YAW], 1, 3);
		assert_in_range(pose[i].goal[YAW] + pose[i].goal[PITCH], 1023, 1025);
		assert_in_range(pose[i].speed[YAW], 1, 132);
	}
	assert_int_equal(last_goal(YAW), 629);
	assert_int_equal(last_goal(PITCH), 395);
}

static void stall_for(unsigned int ms)
{
	unsigned int first;

	begin_anew();
	joint[YAW] = joint[PITCH] = MIDDLE;
	stall_at = 85;
	stall_ms = ms;
	assert_status(run_quietly(), STATUS_OK);
	first = first_pose_at(533);
	assert_in_range(first, 50, 70);
	/* What it was told ahead, which is two to four periods. */
	assert_in_range(greatest_step_from(first), 2, 9);
	for (unsigned int i = first + 1; i < poses; i++)
		assert_in_range(pose[i].speed[YAW], 1, 132);
	assert_in_range(first_pose_at(629) - first, 43, 52);
	assert_int_equal(last_goal(YAW), 629);
}

/* Whoever has been held up must not be in a hurry afterwards. */
static void a_stall_delays_the_rest(void **state)
{
	(void)state;
	write_ramp();
	stall_for(3);
	stall_for(10);
	stall_for(15);
	stall_for(20);
	stall_for(25);
	stall_for(400);
}

static void a_tempo_stretches_it(void **state)
{
	(void)state;
	write_ramp();
	assert_status(run_and_hear(STDERR_FILENO, "-q", "-s0.5"), STATUS_OK);
	assert_in_range(first_pose_at(629) - first_pose_at(533), 95, 101);
}

/* 4 rows a period: of these it takes those that are a period apart. */
static void rows_may_be_closer_than_cycles(void **state)
{
	FILE *file = fopen(robot_path("r.csv"), "w");

	(void)state;
	assert_non_null(file);
	fprintf(file, "time_s,HeadYaw.present\n");
	for (int i = 0; i <= 200; i++)
		fprintf(file, "%.4f,%.4f\n", i * 0.0025, i * 0.0025);
	assert_int_equal(fclose(file), 0);
	assert_status(run_quietly(), STATUS_OK);
	assert_in_range(greatest_step_from(0), 1, 3);
	assert_in_range(first_pose_at(609) - first_pose_at(513), 46, 50);
	assert_int_equal(last_goal(YAW), 610);
}

/* 2 rad/s to and fro: at a row, where it turns back, it is where the row has it. */
static void it_turns_back_where_a_row_does(void **state)
{
	int highest = 0;

	(void)state;
	write_text("time_s,HeadYaw.present\n0,0\n0.115,0.23\n0.23,0\n0.8,0\n");
	assert_status(run_quietly(), STATUS_OK);
	for (unsigned int i = 0; i < poses; i++)
		highest = (int)fmax(highest, pose[i].goal[YAW]);
	/* 0.23 rad, without what it goes from a cycle to the next */
	assert_in_range(highest, 557 - 2, 557);
	assert_int_equal(last_goal(YAW), MIDDLE);
}

/* The plain robot, whose HeadYaw may go so fast, in rad/s */
static void be_slow(const char *rad_s)
{
	static char text[16384];
	FILE *file = fopen(PLAIN_ROBOT, "r");
	char *end;

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 512, file)] = '\0';
	fclose(file);
	end = strstr(text, "</ModulePreference>");
	assert_non_null(end);
	sprintf(end, "<Preference memoryName='" LIST "HeadYaw/Position/Actuator/SpeedMax' "
		"type='float' value='%s'/>" CLOSE, rad_s);
	robot_file("slow.xml", text);
	setenv("NAOHW_ROBOT", robot_path("slow.xml"), 1);
}

/* 0.5 rad */
static void the_way_to_the_first_pose_is_as_slow_as_the_joint(void **state)
{
	(void)state;
	be_slow("0.1");
	write_text("time_s,HeadYaw.present\n0,0.5\n0.1,0.5\n");
	assert_status(run_and_hear(STDOUT_FILENO, NULL, NULL), STATUS_OK);
	check_said("To its first pose in 5.0 s.\n");
	assert_in_range(first_pose_at(610) - first_pose_at(MIDDLE + 1), 470, 500);
	assert_int_equal(greatest_step_from(0), 1);
	assert_int_equal(last_goal(YAW), 610);
}

/* ---- what is refused and told ---- */

static void a_damaged_file_moves_nothing(void **state)
{
	FILE *file;

	(void)state;
	write_ramp();
	file = fopen(robot_path("r.csv"), "a");
	assert_non_null(file);
	fprintf(file, "0.6,x,0,0\n");
	assert_int_equal(fclose(file), 0);
	assert_status(run_quietly(), STATUS_FAILED);
	assert_status(run_and_hear(STDERR_FILENO, "-qD", NULL), STATUS_FAILED);
	assert_int_equal(fake_pushes(0), 0);
	assert_int_equal(fake_buffers_created(), 0);
}

static void what_is_not_of_this_robot_is_told(void **state)
{
	(void)state;
	write_text("time_s,Tail.goal,HeadYaw.speed\n0,1,1\n");
	assert_status(run_quietly(), STATUS_FAILED);
	write_text("time_s,HeadYaw.goal\n");
	assert_status(run_quietly(), STATUS_FAILED);
	assert_int_equal(fake_buffers_created(), 0);
}

/* Where it was, not where it was sent, perhaps slowly. */
static void positions_come_first(void **state)
{
	(void)state;
	write_text("time_s,HeadYaw.goal,HeadYaw.present\n0,0,0.2\n0.05,0,0.4\n");
	assert_status(run_quietly(), STATUS_OK);
	assert_int_equal(last_goal(YAW), 590);
	for (unsigned int i = 0; i < poses; i++) {
		assert_in_range(pose[i].goal[YAW], MIDDLE, 590);
		assert_int_equal(pose[i].goal[PITCH], MIDDLE); /* not in the file: stays */
	}
}

static void check_refused(const char *options, const char *text, const char *says)
{
	write_text(text);
	assert_status(run_and_hear(STDERR_FILENO, options, NULL), STATUS_FAILED);
	check_said(says);
	assert_int_equal(fake_pushes(0), 0);
	assert_int_equal(fake_buffers_created(), 0);
}

/* From -2.618 to 2.613 rad: one that was pushed there is a little beyond, or it is no joint. */
static void a_position_out_of_reach_is_refused(void **state)
{
	(void)state;
	check_refused("-q", "time_s,HeadYaw.present\n0,0\n0.5,1e10\n",
		      "r.csv:3: column 2 (HeadYaw.present): found 1e+10 rad, expected -2.618 to "
		      "2.613");
	check_refused("-q", "time_s,HeadPitch.goal,HeadYaw.present\n0,0,0\n1,,-2.8\n",
		      "r.csv:3: column 3 (HeadYaw.present): found -2.8 rad");
	check_refused("-qD", "time_s,Tail.present\n0,0\n9,1e10\n",
		      "r.csv:3: column 2 (Tail.present): found 1e+10 rad");
	write_text("time_s,HeadYaw.present\n0,0\n0.5,2.7\n");
	assert_status(run_quietly(), STATUS_OK);
	assert_int_equal(last_goal(YAW), 1023);
}

/* The joint's greatest speed is 11.89 rad/s. */
static void a_jump_is_refused(void **state)
{
	(void)state;
	check_refused("-q", "time_s,HeadYaw.present\n0,0\n0.01,0\n0.02,0.3\n0.03,0.3\n",
		      "r.csv:4: column 2 (HeadYaw.present): found 0.3 rad, 0.01 s after 0 rad; "
		      "expected at most 0.2189 rad on the way, at 11.89 rad/s and tempo 1");
	check_refused("-qs2", "time_s,HeadYaw.present\n0,0\n0.1,1\n", "r.csv:3: ");
	check_refused("-qD", "time_s,HeadYaw.present\n0,0\n0.1,2\n", "r.csv:3: ");
	write_text("time_s,HeadYaw.present\n0,0\n0.1,1\n");
	assert_status(run_quietly(), STATUS_OK);
}

/* A servo of the X series can be told to go at 786 rad/s, which none does. */
static void a_jump_is_one_for_any_servo(void **state)
{
	static const char jump[] = "time_s,HeadYaw.present\n0,0\n0.01,0.3\n";

	(void)state;
	fake_set("dxl0-goal", "out_anglvel1_raw_available", "[0 1 32767]");
	fake_set("dxl0-goal", "out_anglvel1_scale", "0.024");
	check_refused("-q", jump, "expected at most 0.2257 rad on the way, at 12.57 rad/s");
	check_refused("-qD", "time_s,Tail.present\n0,0\n0.01,0.3\n",
		      "r.csv:3: column 2 (Tail.present): found 0.3 rad");
}

/* A name that is wrong by a letter must not go unnoticed. */
static void who_is_passed_over_is_told(void **state)
{
	(void)state;
	write_ramp();
	assert_status(run_and_hear(STDOUT_FILENO, "-D", NULL), STATUS_OK);
	check_said("Note: NoJoint is passed over: this robot does not have it, or the file has no "
		   "place of it.\nFound in");
	assert_null(strstr(said, "HeadYaw is passed over"));
}

static void a_binary_file_has_bytes(void **state)
{
	struct recording_column column = { "HeadYaw", NAOHW_QUANTITY_POSITION, 0, 1, 16, true,
					   0.005, 0 };
	const struct recording_head head = { .count = 1, .column = &column };
	const int64_t rows[] = { 0, 1, 600 };
	FILE *file = fopen(robot_path("r.csv"), "w");

	(void)state;
	assert_non_null(file);
	recording_write_binary_head(file, &head);
	for (int i = 0; i < 3; i++)
		recording_write_binary_row(file, &head, i * 10 * MS, &rows[i]);
	recording_write_binary_end(file, 3, 0);
	assert_int_equal(fclose(file), 0);
	assert_status(run_quietly(), STATUS_FAILED);
	check_said("r.csv: byte 144: frame 3, HeadYaw.present: found 3 rad, expected -2.618");
	assert_int_equal(fake_pushes(0), 0);
}

static void check_gap(const char *text)
{
	write_text(text);
	assert_status(run_quietly(), STATUS_OK);
	assert_in_range(greatest_step_from(0), 2, 4);
	assert_int_equal(last_goal(YAW), 610);
}

/* Nobody knows what was meanwhile; a joint goes no faster than it does elsewhere in the file. */
static void a_gap_is_no_snap(void **state)
{
	(void)state;
	check_gap("time_s,HeadYaw.present\n0,0\n0.1,0.1\n0.99,\n1,0.5\n");
}

static void old_values_are_a_gap(void **state)
{
	(void)state;
	check_gap("time_s,HeadYaw.present,HeadYaw.age\n"
		  "0,0,0\n0.1,0.1,0\n0.99,0.1,89\n1,0.5,0\n");
}

/* Others' times may count from anywhere. */
static void time_counts_from_the_first_row(void **state)
{
	(void)state;
	write_text("time_s,HeadYaw.present\n1000,0.1\n1000.1,0.2\n");
	assert_status(run_quietly(), STATUS_OK);
	assert_in_range(poses, 50, 90);
}

static void a_file_that_knows_nothing_fails(void **state)
{
	(void)state;
	check_refused("-q", "time_s,HeadYaw.present\n0,\n1,\n",
		      "r.csv: has no position or goal of any joint of this robot");
	check_refused("-qD", "time_s,HeadYaw.present\n0,\n1,\n",
		      "r.csv: has no position or goal of any joint");
	check_refused("-qD", "time_s,HeadYaw.speed\n0,1\n1,1\n",
		      "r.csv: has no position or goal of any joint");
}

static void a_joint_that_does_not_arrive_is_told(void **state)
{
	(void)state;
	write_ramp();
	stuck_from = 80;
	assert_status(run_quietly(), STATUS_NOT_REACHED);
	check_said("final pose not reached by 2 of 2 joints; HeadYaw is 0.2");
	check_said(" rad off its goal");
	/* It keeps the speed that it has, or it would snap when it can move again. */
	assert_in_range(pose[poses - 1].speed[PITCH], 1, 200);
}

static void a_robot_without_torque_is_told(void **state)
{
	(void)state;
	write_ramp();
	stuck[YAW] = stuck[PITCH] = true;
	assert_status(run_quietly(), STATUS_NOT_REACHED);
	check_said("final pose not reached by 2 of 2 joints; HeadYaw has not moved: has it");
}

static void a_servo_that_says_nothing_did_not_arrive(void **state)
{
	(void)state;
	write_ramp();
	age[PITCH] = 200;
	assert_status(run_quietly(), STATUS_NOT_REACHED);
	check_said("final pose not reached by 1 of 2 joints; HeadPitch does not answer");
}

/* There at the end, as it was there all the time. */
static void a_joint_that_never_moved_is_told(void **state)
{
	(void)state;
	write_text("time_s,HeadYaw.present\n0,0\n0.5,0.5\n1,0\n");
	stuck[YAW] = true;
	assert_status(run_quietly(), STATUS_NOT_REACHED);
	check_said("by 1 of 1 joints; HeadYaw has not moved: has it torque?");
	assert_status(run_again(), STATUS_OK);
}

static void frames_that_end_stop_a_replay(void **state)
{
	(void)state;
	write_ramp();
	silent_from = 85;
	assert_status(run_quietly(), STATUS_FAILED);
	check_said("no joint answers any more");
}

/* As one that hung there without torque while the others were recorded */
static void a_joint_may_stay_where_it_was_recorded(void **state)
{
	FILE *file = fopen(robot_path("r.csv"), "w");

	(void)state;
	assert_non_null(file);
	fprintf(file, "time_s,HeadYaw.present,HeadPitch.present\n");
	for (int i = 0; i < 20; i++)
		fprintf(file, "%.2f,-2.6589,0\n", i * 0.01);
	assert_int_equal(fclose(file), 0);
	/* 0.04 rad beyond what it can be sent to */
	joint[YAW] = -8;
	stuck[YAW] = true;
	assert_status(run_quietly(), STATUS_OK);
	joint[YAW] = 20;
	begin_anew();
	stuck[YAW] = true;
	assert_status(run_quietly(), STATUS_NOT_REACHED);
}

/* A limp joint is left so; the others go their way. */
static void limp_joints_are_told_before(void **state)
{
	(void)state;
	fake_set("HeadPitch", "out_angl0_en", "0");
	write_ramp();
	assert_status(run_and_hear(STDOUT_FILENO, NULL, NULL), STATUS_NOT_REACHED);
	check_said("Note: a replay gives no torque, limp joints are left out: HeadPitch.\nTo its first pose");
	assert_int_equal(last_goal(YAW), 629);
	assert_int_equal(last_goal(PITCH), MIDDLE);
	for (unsigned int i = 0; i < poses; i++)
		assert_true(pose[i].stiffness[PITCH] <= 0);
}

/* It has not been moved, wherever it is. */
static void a_limp_joint_at_its_last_place_has_not_arrived(void **state)
{
	(void)state;
	fake_set("HeadPitch", "out_angl0_en", "0");
	write_text("time_s,HeadYaw.present,HeadPitch.present\n0,0,0\n1,0.5,0\n");
	assert_status(run_quietly(), STATUS_NOT_REACHED);
	check_said("by 1 of 2 joints; HeadPitch was limp");
}

static void give_torque(void)
{
	fake_device_set("HeadPitch", "torque_state", "stiff");
}

/* One that gets its torque while others are on their way would have to hurry after them. */
static void who_gets_torque_meanwhile_stays(void **state)
{
	(void)state;
	fake_device_set("HeadPitch", "torque_state", "free");
	pause_us = 2000;
	usleep(100000);
	write_text("time_s,HeadYaw.present,HeadPitch.present\n0,0,0.5\n1,0.5,0.5\n");
	event.cycle = 100;
	event.happen = give_torque;
	assert_status(run_quietly(), STATUS_NOT_REACHED);
	check_said("by 1 of 2 joints; HeadPitch was limp");
	assert_int_equal(last_goal(YAW), 610);
	for (unsigned int i = 0; i < poses; i++)
		assert_in_range(pose[i].goal[PITCH], MIDDLE, MIDDLE);
}

static void without_torque_nothing_moves(void **state)
{
	(void)state;
	write_ramp();
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	assert_status(run_quietly(), STATUS_FAILED);
	check_said("\"naohw recover\" brings it back");
	for (unsigned int i = 0; i < poses; i++)
		assert_int_equal(pose[i].goal[YAW], MIDDLE);
}

static void trip(void)
{
	pause_us = 2000;
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
}

/* The DCM's own thread looks at that, which takes its time. */
static void a_watchdog_that_acts_ends_it(void **state)
{
	(void)state;
	write_text("time_s,HeadYaw.present\n0,0\n3600,1\n");
	event.cycle = 80;
	event.happen = trip;
	assert_status(run_quietly(), STATUS_FAILED);
	check_said("\"naohw recover\" brings it back");
}

static void interrupt(void)
{
	kill(getpid(), SIGINT);
}

/* It is held back, and a cycle later that is known. */
static void hold_back(void)
{
	stuck[YAW] = true;
	joint[YAW] -= 10;
	event.cycle++;
	event.happen = interrupt;
}

/* In the middle of the way: it is where it was found, and not where it was sent. */
static void the_first_signal_holds_the_joints(void **state)
{
	(void)state;
	write_ramp();
	event.cycle = 85;
	event.happen = hold_back;
	assert_status(run_quietly(), STATUS_INTERRUPTED);
	assert_in_range(joint[YAW], 533, 600);
	assert_int_equal(last_goal(YAW), joint[YAW]);
	assert_in_range(last_goal(PITCH), 420, 492);
	for (unsigned int i = 1; i < poses; i++)
		assert_in_range(abs(pose[i].goal[YAW] - pose[i - 1].goal[YAW]), 0, 4);
}

#define TEXT(name, value) \
	"<Preference memoryName=\"" LIST name "\" type=\"string\" value=\"" value "\"/>\n"

/* The DCM moves what the description has, and no other servo. */
static void a_joint_that_is_not_described_is_passed_over(void **state)
{
	(void)state;
	robot_file("one.xml", OPEN TEXT("HeadYaw/Position/Actuator/Channel", "out_angl0")
		   FLOAT("HeadYaw/Position/Actuator/Min", "-2")
		   FLOAT("HeadYaw/Position/Actuator/Max", "2")
		   TEXT("HeadYaw/Position/Sensor/Channel", "in_angl0") CLOSE);
	setenv("NAOHW_ROBOT", robot_path("one.xml"), 1);
	write_text("time_s,HeadYaw.present,HeadPitch.present\n0,0.1,0.1\n0.1,0.1,0.1\n");
	assert_status(run_and_hear(STDOUT_FILENO, NULL, NULL), STATUS_OK);
	check_said("Note: passed over: HeadPitch: the description has no Position/Actuator of it.\n");
	assert_int_equal(last_goal(YAW), 532);
	assert_int_equal(last_goal(PITCH), MIDDLE);
	write_text("time_s,HeadPitch.present\n0,0.1\n0.1,0.1\n");
	assert_status(run_again(), STATUS_FAILED);
	check_said("r.csv: has no joint of this robot that can be moved");
}

int main(void)
{

#define REPLAY_TEST(test) cmocka_unit_test_setup_teardown(test, setup, robot_files_teardown)
	const struct CMUnitTest tests[] = {
		REPLAY_TEST(a_recording_is_replayed),
		REPLAY_TEST(a_stall_delays_the_rest),
		REPLAY_TEST(a_tempo_stretches_it),
		REPLAY_TEST(rows_may_be_closer_than_cycles),
		REPLAY_TEST(it_turns_back_where_a_row_does),
		REPLAY_TEST(the_way_to_the_first_pose_is_as_slow_as_the_joint),
		REPLAY_TEST(a_damaged_file_moves_nothing),
		REPLAY_TEST(what_is_not_of_this_robot_is_told),
		REPLAY_TEST(positions_come_first),
		REPLAY_TEST(a_position_out_of_reach_is_refused),
		REPLAY_TEST(a_jump_is_refused),
		REPLAY_TEST(a_jump_is_one_for_any_servo),
		REPLAY_TEST(who_is_passed_over_is_told),
		REPLAY_TEST(a_binary_file_has_bytes),
		REPLAY_TEST(a_gap_is_no_snap),
		REPLAY_TEST(old_values_are_a_gap),
		REPLAY_TEST(time_counts_from_the_first_row),
		REPLAY_TEST(a_file_that_knows_nothing_fails),
		REPLAY_TEST(a_joint_that_does_not_arrive_is_told),
		REPLAY_TEST(a_robot_without_torque_is_told),
		REPLAY_TEST(a_servo_that_says_nothing_did_not_arrive),
		REPLAY_TEST(a_joint_that_never_moved_is_told),
		REPLAY_TEST(frames_that_end_stop_a_replay),
		REPLAY_TEST(a_joint_may_stay_where_it_was_recorded),
		REPLAY_TEST(limp_joints_are_told_before),
		REPLAY_TEST(a_limp_joint_at_its_last_place_has_not_arrived),
		REPLAY_TEST(who_gets_torque_meanwhile_stays),
		REPLAY_TEST(without_torque_nothing_moves),
		REPLAY_TEST(a_watchdog_that_acts_ends_it),
		REPLAY_TEST(the_first_signal_holds_the_joints),
		REPLAY_TEST(a_joint_that_is_not_described_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
