// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * naohw send on a made-up robot, whose cycle goes on in real time, 10 ms each: what the poses say
 * while lines are carried out, and how it ends.
 */
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../naohw/cli.h"
#include "fake_iio.h"
#include "robot_files.h"

#define NS_PER_MS ((int64_t)1000000)
#define PERIOD_MS 10
/* What a servo has in a frame, and behind two of them the time */
#define SERVO	  10
#define TIME	  24
#define FRAME	  (TIME + 8)
/* Of a servo a count is so many rad, and this is 0; and so stiff it can be. */
#define COUNT	  0.005113269
#define ZERO	  512
#define STIFF	  1023
#define MAX_POSES 1024
#define YAW	  0
#define PITCH	  1

#define PREFERENCE(name, type, value)                                                              \
	"<Preference name='" name "' type='" type "' value='" value "'/>"
#define ARRAY(name, in) "<Preference name='" name "' type='array'>" in "</Preference>"
#define RANGE(min, max) PREFERENCE("Min", "float", min) PREFERENCE("Max", "float", max)
#define JOINT                                                                                      \
	ARRAY("Position",                                                                          \
	      ARRAY("Sensor", PREFERENCE("Channel", "string", "in_angl0"))                         \
	      ARRAY("Actuator", PREFERENCE("Channel", "string", "out_angl0") RANGE("-2", "2")))    \
	ARRAY("Hardness",                                                                          \
	      ARRAY("Actuator", PREFERENCE("Channel", "string", "out_angl0")                       \
				PREFERENCE("Attribute", "string", "torque_limit")                  \
				PREFERENCE("Enable", "string", "en")                               \
				PREFERENCE("Gain", "float", "0.01") RANGE("-1", "1")))
#define ROBOT                                                                                      \
	"<ModulePreference><Preference name='x' memoryName='Device/SubDeviceList' type='array'>"   \
	ARRAY("HeadYaw", JOINT) ARRAY("HeadPitch", JOINT) ARRAY("Tail", JOINT)                     \
	"</Preference><Preference memoryName='DCM/Alias/Head' type='string' "                      \
	"value='HeadYaw/Position/Actuator HeadPitch/Position/Actuator'/></ModulePreference>"

static const char *const labels[] = { "HeadYaw", "HeadPitch" };

/* ---- the robot ---- */

/* In which cycle what happens besides */
static struct {
	unsigned int cycle;
	void (*happen)(void);
} event;
static unsigned int cycles;
static int input; /* what is written there comes in */

/* What was sent; a goal output that is closed is another one afterwards. */
static struct {
	int16_t goal[2];
	int16_t stiffness[2];
} pose[MAX_POSES];
static unsigned int poses;

/* angl1, anglvel1, count1, angl2, ... */
static void take_poses(void)
{
	for (; poses < fake_pushes(0); poses++) {
		const uint16_t *word = fake_pose(0, poses);

		assert_true(poses < MAX_POSES);
		for (unsigned int i = 0; i < 2; i++) {
			pose[poses].goal[i] = (int16_t)word[3 * i];
			pose[poses].stiffness[i] = (int16_t)word[3 * i + 2];
		}
	}
}

static void on_buffer(const char *device, int open)
{
	if (strcmp(device, "dxl0-goal") != 0)
		return;
	if (open)
		poses = 0;
	else
		take_poses();
}

/* What the servo is told for an angle. */
static int goal_at(double angle)
{
	return ZERO + (int)lround(angle / COUNT);
}

static int last_goal(unsigned int joint)
{
	assert_true(poses > 0);
	return pose[poses - 1].goal[joint];
}

static int last_stiffness(unsigned int joint)
{
	assert_true(poses > 0);
	return pose[poses - 1].stiffness[joint];
}

static int place[2];
static bool is_turned; /* somebody turns one that is limp */

/* A joint that is stiff is where it was sent. */
static int place_of(unsigned int joint)
{
	if (poses && last_stiffness(joint) > 0)
		place[joint] = last_goal(joint);
	else if (is_turned)
		place[joint] = ZERO + (int)(cycles % 50);
	return place[joint];
}

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 * NS_PER_MS + time.tv_nsec;
}

static void next_frame(void)
{
	int64_t left = PERIOD_MS * NS_PER_MS - now_ns() % (PERIOD_MS * NS_PER_MS);
	const struct timespec time = { .tv_nsec = left };
	unsigned char bytes[FRAME] = { 0 };
	int64_t now;

	nanosleep(&time, NULL);
	take_poses();
	now = now_ns();
	for (unsigned int i = 0; i < 2; i++) {
		int at = place_of(i);

		bytes[i * SERVO] = (unsigned char)at;
		bytes[i * SERVO + 1] = (unsigned char)(at >> 8);
	}
	memcpy(bytes + TIME, &now, sizeof(now));
	fake_frame(0, bytes, sizeof(bytes));
	if (++cycles == event.cycle)
		event.happen();
}

static int setup(void **state)
{
	fake_reset();
	for (unsigned int i = 0; i < 2; i++) {
		fake_servo(labels[i]);
		fake_set(labels[i], "in_angl0_scale", "0.005");
		fake_set(labels[i], "out_angl0_scale", "0.005");
	}
	fake_goal(0, labels, 2);
	fake_state(0, labels, 2, 1000 / PERIOD_MS);
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	fake_device_set("dxl0-goal", "stiffness", "0");
	fake_on_frame(next_frame);
	fake_on_buffer(on_buffer);
	cycles = event.cycle = poses = 0;
	place[YAW] = place[PITCH] = ZERO;
	is_turned = false;
	input = -1;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	robot_files_setup(state);
	robot_file("robot.xml", ROBOT);
	setenv("NAOHW_ROBOT", robot_path("robot.xml"), 1);
	return 0;
}

static void at_cycle(unsigned int cycle, void (*happen)(void))
{
	event.cycle = cycle;
	event.happen = happen;
}

/* ---- naohw send ---- */

static char said[16384];

/* Both outputs into a file, and back. */
static int outputs[2];
static FILE *said_file;

static void catch_output(void)
{
	said_file = tmpfile();
	assert_non_null(said_file);
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		outputs[i] = dup(i + 1);
		dup2(fileno(said_file), i + 1);
	}
}

static void take_output(void)
{
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		dup2(outputs[i], i + 1);
		close(outputs[i]);
	}
	rewind(said_file);
	said[fread(said, 1, sizeof(said) - 1, said_file)] = '\0';
	fclose(said_file);
}

static int run(const char *path, const char *option)
{
	char *argv[] = { (char *)"send", (char *)path, (char *)option, NULL };
	struct cli cli = { 0 };
	int status;

	assert_true(line_take(&cli.line, option ? 3 : 2, argv));
	complain_as("send");
	catch_output();
	status = cmd_send(&cli);
	take_output();
	assert_false(fake_buffer_is_open(0));
	return status;
}

static const char *path_of(const char *text)
{
	robot_file("lines", text);
	return robot_path("lines");
}

/* A file of these lines, which are carried out as quietly as can be. */
static int send_file(const char *text)
{
	return run(path_of(text), "-q");
}

static void assert_said(const char *what)
{
	if (!strstr(said, what))
		fail_msg("said '%s', expected '%s'", said, what);
}

static void assert_quiet(void)
{
	assert_string_equal(said, "");
}

/* As the input, something to which lines can be written; or its end is to be closed at last. */
static int send_input(int from)
{
	int saved = dup(STDIN_FILENO), status;

	dup2(from, STDIN_FILENO);
	close(from);
	status = run("-", "-q");
	dup2(saved, STDIN_FILENO);
	close(saved);
	return status;
}

static int open_pipe(void)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	input = ends[1];
	return ends[0];
}

static void put(const char *text)
{
	assert_int_equal(write(input, text, strlen(text)), strlen(text));
}

static void end_input(void)
{
	close(input);
}

/* ---- a file ---- */

static int highest(unsigned int joint)
{
	int found = 0;

	for (unsigned int i = 0; i < poses; i++)
		if (pose[i].goal[joint] > found)
			found = pose[i].goal[joint];
	return found;
}

static void a_file_is_carried_out_in_time(void **state)
{
	int64_t begin = now_ns(), took;

	(void)state;
	assert_int_equal(send_file("set Head*/Hardness/Actuator 1@0\n"
				   "wait 100\n"
				   "separate Head +200 +400 : 0.2 0 / 0 -0.1\n"
				   "alias All HeadYaw/Hardness HeadPitch/Hardness\n"
				   "mixed All Merge 0.5@500 / 0.8@500\n"),
			 STATUS_OK);
	took = (now_ns() - begin) / NS_PER_MS;
	assert_quiet();
	assert_in_range(took, 500, 20000);
	/* No cycle need be just when it is there. */
	assert_in_range(highest(YAW), goal_at(0.17), goal_at(0.2));
	assert_int_equal(last_goal(YAW), goal_at(0));
	assert_int_equal(last_goal(PITCH), goal_at(-0.1));
	assert_int_equal(last_stiffness(YAW), lround(STIFF * 0.5));
	assert_int_equal(last_stiffness(PITCH), lround(STIFF * 0.8));
}

static void what_is_not_there_is_told_before_anything_moves(void **state)
{
	(void)state;
	assert_int_equal(send_file("set HeadYaw 1@100\nwait 100\nset Tail 0@50\n"), STATUS_FAILED);
	assert_said(":3: Device/SubDeviceList/Tail/Position/Actuator: no IIO device");
	assert_int_equal(poses, 0);
}

/* The bus has no other owner, and nothing is left of the command. */
static void it_can_be_done_again(void **state)
{
	(void)state;
	assert_int_equal(send_file("set Head*/Hardness/Actuator 1\nset Head 0.1@50\n"), STATUS_OK);
	/* What the servo has kept */
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadYaw", "out_angl0_torque_limit", "100");
	assert_int_equal(send_file("set Head 0.2@50\n"), STATUS_OK);
	assert_int_equal(last_goal(YAW), goal_at(0.2));
	assert_int_equal(last_stiffness(YAW), STIFF);
}

static void it_waits_for_what_comes_late(void **state)
{
	(void)state;
	assert_int_equal(send_file("set HeadYaw/Hardness 1@0\nset HeadYaw 0@900 0.1@1000\n"),
			 STATUS_OK);
	assert_int_equal(last_goal(YAW), goal_at(0.1));
}

/* Two that would be too fast: one without a time, at 1 rad/s, and one at 4. */
static void it_waits_for_joints_that_arrive_later(void **state)
{
	(void)state;
	assert_int_equal(send_file("set Head*/Hardness/Actuator 1@0\nset HeadYaw 0.3\n"
				   "set HeadPitch -1@0\n"),
			 STATUS_OK);
	assert_int_equal(last_goal(YAW), goal_at(0.3));
	assert_int_equal(last_goal(PITCH), goal_at(-1));
}

static void a_limp_joint_is_told_of(void **state)
{
	(void)state;
	assert_int_equal(run(path_of("set HeadYaw 0.3@50\n"), NULL), STATUS_OK);
	assert_said("Note: HeadYaw/Hardness/Actuator is 0, so the joint is limp and has not moved.\n");
	assert_int_equal(last_goal(YAW), ZERO);
	/* Who has made it so himself knows. */
	assert_int_equal(run(path_of("set HeadYaw/Hardness 0@0\nset HeadYaw 0.3@50\n"), NULL),
			 STATUS_OK);
	assert_null(strstr(said, "Note"));
	assert_said("2 lines, 0.05 s\n");
}

static void a_limp_joint_is_not_waited_for(void **state)
{
	(void)state;
	is_turned = true;
	assert_int_equal(send_file("set HeadYaw 0.3@50\nset HeadPitch/Hardness 1@50\n"), STATUS_OK);
}

/* ---- what comes in ---- */

static void second_line(void)
{
	put("set HeadYaw 0.2@+500\n");
	end_input();
}

/* In which cycle a joint has come there. */
static unsigned int arrival_at(int goal)
{
	unsigned int i = 0;

	while (i < poses && pose[i].goal[YAW] < goal)
		i++;
	return i;
}

static void lines_are_carried_out_as_they_come(void **state)
{
	int from = open_pipe();
	unsigned int first;

	(void)state;
	put("set HeadYaw/Hardness 1\nset HeadYaw 0.1@100\n");
	at_cycle(30, second_line);
	assert_int_equal(send_input(from), STATUS_OK);
	assert_quiet();
	first = arrival_at(goal_at(0.1) + 1);
	assert_in_range(first, 30, 100);
	/* The second one has a time from when it came. */
	assert_in_range(arrival_at(goal_at(0.2)) - first, 30, 100);
	assert_int_equal(last_goal(YAW), goal_at(0.2));
}

static void bad_line(void)
{
	put("set Nose 1@5\nset HeadYaw 1@5000\n");
}

/* Where a program was wrong it is not to go on. */
static void a_bad_line_from_a_program_is_the_end(void **state)
{
	int from = open_pipe();
	int goal;

	(void)state;
	put("set HeadYaw/Hardness 1\nset HeadYaw 1@1000\n");
	at_cycle(40, bad_line);
	assert_int_equal(send_input(from), STATUS_FAILED);
	end_input();
	assert_said("naohw send: stdin:3: found \"Nose\", expected an actuator or an alias");
	goal = last_goal(YAW);
	assert_in_range(goal, goal_at(0.1), goal_at(0.98));
	assert_int_equal(pose[poses - 2].goal[YAW], goal);
}

static void good_line(void)
{
	put("set HeadYaw 0.1@+50\n\004");
}

static int open_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave;

	assert_true(master >= 0);
	assert_int_equal(grantpt(master) | unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	input = master;
	return slave;
}

/* Who types may try once more, and what he has begun goes on. */
static void a_bad_line_that_is_typed_is_not_the_end(void **state)
{
	int from = open_terminal();

	(void)state;
	put("set HeadYaw/Hardness 1\nset Nose 1\n");
	at_cycle(20, good_line);
	assert_int_equal(send_input(from), STATUS_FAILED);
	end_input();
	assert_said("stdin:2: found \"Nose\"");
	assert_int_equal(last_goal(YAW), goal_at(0.1));
}

static void what_comes_in_for_nobody_is_refused(void **state)
{
	int from = open_pipe();

	(void)state;
	put("set HeadYaw/Hardness 1\nset Tail 1\n");
	end_input();
	assert_int_equal(send_input(from), STATUS_FAILED);
	assert_said("stdin:2: Device/SubDeviceList/Tail/Position/Actuator: no IIO device");
}

/* ---- ended early ---- */

static void interrupt(void)
{
	kill(getpid(), SIGINT);
}

static void assert_holds(void)
{
	int goal = last_goal(YAW);

	assert_in_range(goal, goal_at(0.1), goal_at(0.98));
	assert_int_equal(pose[poses - 2].goal[YAW], goal);
	assert_int_equal(last_stiffness(YAW), STIFF);
}

static void a_signal_has_it_hold(void **state)
{
	(void)state;
	at_cycle(40, interrupt);
	assert_int_equal(send_file("set HeadYaw/Hardness 1\nset HeadYaw 1@1000\n"),
			 STATUS_INTERRUPTED);
	assert_quiet();
	assert_holds();
}

static void a_signal_ends_a_wait_too(void **state)
{
	(void)state;
	at_cycle(40, interrupt);
	assert_int_equal(send_file("set HeadYaw/Hardness 1\nset HeadYaw 1@1000\nwait 60000\n"),
			 STATUS_INTERRUPTED);
	assert_holds();
}

static void a_signal_ends_waiting_for_input(void **state)
{
	int from = open_pipe();

	(void)state;
	put("set HeadYaw/Hardness 1\nset HeadYaw 1@1000\n");
	at_cycle(40, interrupt);
	assert_int_equal(send_input(from), STATUS_INTERRUPTED);
	end_input();
	assert_holds();
}

static void trip(void)
{
	fake_device_set("dxl0-goal", "stream_state", "tripped");
}

static void when_the_watchdog_has_acted_it_ends(void **state)
{
	(void)state;
	at_cycle(20, trip);
	assert_int_equal(send_file("set HeadYaw/Hardness 1\nset HeadYaw 1@60000\n"), STATUS_FAILED);
	assert_said("naohw send: the kernel's watchdog has switched the torque off, since no pose "
		    "came in time; \"naohw recover\" brings it back\n");
}

static void trip_and_interrupt(void)
{
	trip();
	at_cycle(cycles + 50, interrupt);
}

static void nobody_goes_on_typing_after_that(void **state)
{
	int from = open_terminal();

	(void)state;
	put("set HeadYaw/Hardness 1\n");
	at_cycle(20, trip_and_interrupt);
	assert_int_equal(send_input(from), STATUS_FAILED);
	end_input();
	assert_said("\"naohw recover\" brings it back");
}

static void what_another_program_has_is_not_taken(void **state)
{
	(void)state;
	fake_take("dxl0-goal");
	assert_int_equal(send_file("set HeadYaw 1@100\n"), STATUS_FAILED);
	assert_int_equal(poses, 0);
}

/* ---- room ---- */

/* So many commands, far away, from that time on. */
static char *put_commands(char *at, const char *name, unsigned int count, unsigned int from)
{
	at += sprintf(at, "set %s Merge", name);
	for (unsigned int i = 0; i < count; i++)
		at += sprintf(at, " 1@%u", from + i);
	return stpcpy(at, "\n");
}

static void a_list_without_room_is_told_with_its_lines(void **state)
{
	static char text[16384];
	char *at = text;

	(void)state;
	at = put_commands(at, "HeadYaw", 400, 60000);
	at = stpcpy(at, "wait 10\n");
	at = put_commands(at, "HeadYaw", 400, 61000);
	stpcpy(at, "wait 60000\n");
	assert_int_equal(send_file(text), STATUS_FAILED);
	assert_said(":3: HeadYaw/Position/Actuator: with those that it has, more than 512 commands");
	at = put_commands(text, "HeadYaw", 400, 60000);
	at = put_commands(at, "HeadYaw", 400, 61000);
	assert_int_equal(send_file(text), STATUS_FAILED);
	assert_said(": in the lines 1 to 2: HeadYaw/Position/Actuator: with those");
}

static void stand_still(void)
{
	usleep(300000);
}

/* 4096 of them may wait for the cycle. */
static void there_may_be_many_lines(void **state)
{
	static char text[400000] = "set HeadYaw/Hardness 1\n";
	char *at = text + strlen(text);

	(void)state;
	for (unsigned int i = 0; i < 6000; i++)
		at += sprintf(at, "set Head %.1f@20\n", i == 5999 ? 0.1 : 0.2);
	at_cycle(3, stand_still);
	assert_int_equal(send_file(text), STATUS_OK);
	assert_int_equal(last_goal(YAW), goal_at(0.1));
}

/* ---- those who read what it says ---- */

static void a_reader_that_goes_ends_no_motion(void **state)
{
	char *argv[] = { (char *)"send", NULL, NULL };
	struct cli cli = { 0 };
	int ends[2], saved, status;

	(void)state;
	argv[1] = (char *)path_of("set HeadYaw/Hardness 1\nset HeadYaw 0.1@100\n");
	signal(SIGPIPE, SIG_IGN);
	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	saved = dup(STDOUT_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	assert_true(line_take(&cli.line, 2, argv));
	status = cmd_send(&cli);
	fflush(stdout);
	clearerr(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(status, STATUS_FAILED);
	assert_int_equal(last_goal(YAW), goal_at(0.1));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, robot_files_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_carried_out_in_time),
		TEST(what_is_not_there_is_told_before_anything_moves),
		TEST(it_can_be_done_again),
		TEST(it_waits_for_what_comes_late),
		TEST(it_waits_for_joints_that_arrive_later),
		TEST(a_limp_joint_is_told_of),
		TEST(a_limp_joint_is_not_waited_for),
		TEST(lines_are_carried_out_as_they_come),
		TEST(a_bad_line_from_a_program_is_the_end),
		TEST(a_bad_line_that_is_typed_is_not_the_end),
		TEST(what_comes_in_for_nobody_is_refused),
		TEST(a_signal_has_it_hold),
		TEST(a_signal_ends_a_wait_too),
		TEST(a_signal_ends_waiting_for_input),
		TEST(when_the_watchdog_has_acted_it_ends),
		TEST(nobody_goes_on_typing_after_that),
		TEST(what_another_program_has_is_not_taken),
		TEST(a_list_without_room_is_told_with_its_lines),
		TEST(there_may_be_many_lines),
		TEST(a_reader_that_goes_ends_no_motion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
