// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a person does by hand to a made-up robot that no program moves: naohw set --in, which goes by the
 * servos' own speed, and naohw limp.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "robot/robot.h"

#include "../naohw/cli.h"
#include "fake_iio.h"

#define YAW	 "HeadYaw/Position/Actuator"
#define HARDNESS "HeadYaw/Hardness/Actuator"
/* Half a rad from its middle, in counts */
#define HALF	 "610"
#define SAID_MAX 4096

static char said[SAID_MAX];

static int setup(void **state)
{
	static const char *const first[] = { "HeadYaw" }, *const second[] = { "LKneePitch" };

	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("LKneePitch");
	fake_goal(0, first, 1);
	fake_goal(1, second, 1);
	fake_device_set("dxl0-goal", "limp", "0");
	fake_device_set("dxl1-goal", "limp", "0");
	fake_set("HeadYaw", "out_anglvel0_raw", "30");
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
	return 0;
}

/* A command, and what it says to both. */
static int run(int (*command)(const struct cli *cli), int argc, const char *const *arguments)
{
	char *argv[16] = { (char *)"naohw" };
	struct cli cli = { 0 };
	int saved[] = { dup(STDOUT_FILENO), dup(STDERR_FILENO) }, pair[2], status;
	ssize_t size;

	for (int i = 0; i < argc; i++)
		argv[i + 1] = (char *)arguments[i];
	assert_int_equal(pipe(pair), 0);
	fflush(NULL);
	dup2(pair[1], STDOUT_FILENO);
	dup2(pair[1], STDERR_FILENO);
	close(pair[1]);
	status = line_take(&cli.line, argc + 1, argv) ? command(&cli) : STATUS_USAGE;
	fflush(NULL);
	dup2(saved[0], STDOUT_FILENO);
	dup2(saved[1], STDERR_FILENO);
	close(saved[0]);
	close(saved[1]);
	size = read(pair[0], said, sizeof(said) - 1);
	close(pair[0]);
	said[size > 0 ? size : 0] = '\0';
	return status;
}

#define RUN(command, ...)                                                                          \
	run(command, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *),                \
	    (const char *const[]){ __VA_ARGS__ })

static void assert_said(const char *what)
{
	if (!strstr(said, what))
		fail_msg("said '%s', expected '%s'", said, what);
}

/* ---- naohw set --in ---- */

/* 5 counts of the way are left, so the joint is as near as it has to be. */
static void a_joint_takes_its_time_and_has_its_speed_back(void **state)
{
	(void)state;
	fake_set("HeadYaw", "in_angl0_raw", "605");
	fake_set("HeadYaw", "out_angl0_en", "1");
	if (RUN(cmd_set, "--in", "50ms", YAW, "0.5") != STATUS_OK)
		fail_msg("%s", said);
	/* 0.5 rad - (605 - 512) * 0.0051 rad in 0.05 s, in steps of 0.0116 rad/s */
	assert_string_equal(fake_log(), "HeadYaw out_anglvel0_raw=42;HeadYaw out_angl0_raw=" HALF
					";HeadYaw out_anglvel0_raw=30;");
	assert_string_equal(said, "");
}

/* One that comes free later must not leap there. */
static void a_joint_that_does_not_arrive_stops(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	assert_int_equal(RUN(cmd_set, "--in", "0.1s", YAW, "30deg"), STATUS_NOT_REACHED);
	assert_said("rad off its goal, so it stops there");
	assert_non_null(strstr(fake_log(), ";HeadYaw out_angl0_raw=512;HeadYaw out_anglvel0_raw=30;"));
}

/* Broken answers leave nothing behind; one is that of why a joint would not move. */
static void a_joint_is_told_to_stop_more_than_once(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_fail_times("HeadYaw", "out_angl0_en", -EBADMSG, 2);
	assert_int_equal(RUN(cmd_set, "--in", "0.1s", YAW, "30deg"), STATUS_NOT_REACHED);
	assert_non_null(strstr(fake_log(),
			       ";HeadYaw out_angl0_raw=512;HeadYaw out_anglvel0_raw=30;"));
}

/* With the speed of before it would leap to its goal. */
static void a_joint_that_cannot_be_stopped_stays_slow(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	assert_int_equal(RUN(cmd_set, "--in", "0.1s", YAW, "30deg"), STATUS_FAILED);
	assert_said("timed out, no answer; the servo keeps the slow speed of this way: when the "
		    "joint is free, write 30 to its out_anglvel0_raw");
	assert_null(strstr(fake_log(), "out_anglvel0_raw=30;"));
}

/* On these servos a goal would give it torque again. */
static void a_joint_that_was_let_go_meanwhile_gets_no_goal(void **state)
{
	(void)state;
	assert_int_equal(RUN(cmd_set, "--in", "0.1s", YAW, "30deg"), STATUS_NOT_REACHED);
	assert_null(strstr(fake_log(), "out_angl0_raw=512"));
}

static void what_no_servo_can_is_refused_with_what_it_takes(void **state)
{
	(void)state;
	assert_int_equal(RUN(cmd_set, "--in", "1ms", YAW, "0.5"), STATUS_FAILED);
	assert_said("0.5 rad in 0.001 s is more than the servo can: it takes 0.042 s");
	assert_string_equal(fake_log(), "");
}

static void what_is_no_position_is_refused_before_all(void **state)
{
	(void)state;
	assert_int_equal(RUN(cmd_set, "--in", "1s", YAW, "0.5", HARDNESS, "1"), STATUS_FAILED);
	assert_said("HeadYaw/Hardness/Actuator/Value: nothing is set: --in is for");
	assert_string_equal(fake_log(), "");
}

static void what_is_no_time_is_refused(void **state)
{
	static const char *const times[] = { "", "s", "ms", "0", "-1s", "2 s", "2m", "1e9", "nan",
					     "0.0001", "3601s" };

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		assert_int_equal(RUN(cmd_set, "--in", times[i], YAW, "0.5"), STATUS_USAGE);
		assert_said("expected a time of 1ms to 3600s");
	}
	assert_string_equal(fake_log(), "");
}

static void a_servo_may_sag_as_its_model_has_it(void **state)
{
	static const struct {
		const char *model;
		int counts;
	} sags[] = {
		{ "ax-12", 11 },      { "rx-64", 11 },	    { "ex-106", 11 },	  { "xl-320", 11 },
		{ "mx-12w", 143 },    { "mx-28", 36 },	    { "mx-106", 36 },	  { "mx-28-2", 45 },
		{ "mx-106-2", 45 },   { "xl430-w250", 59 }, { "xc430-w150", 83 }, { "xc430-w240", 54 },
		{ "xm430-w350", 48 }, { "xh430-w210", 42 }, { "xh430-v210", 48 }, { "nao-motor", 348 },
		{ "board", 2 },	      { NULL, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sags) / sizeof(sags[0]); i++)
		if (sag_of_model(sags[i].model) != sags[i].counts)
			fail_msg("%s: %d, expected %d", sags[i].model, sag_of_model(sags[i].model),
				 sags[i].counts);
}

/* ---- naohw limp ---- */

static void assert_limp(const char *first, const char *second)
{
	assert_string_equal(fake_device_get("dxl0-goal", "limp"), first);
	assert_string_equal(fake_device_get("dxl1-goal", "limp"), second);
}

/* Of what it has read; @answer: NULL: there is no terminal. */
static int answer_limp(const char *answer)
{
	int saved = dup(STDIN_FILENO), status, terminal = -1;
	int in = open("/dev/null", O_RDWR);

	if (answer) {
		close(in);
		terminal = posix_openpt(O_RDWR | O_NOCTTY);
		assert_true(terminal >= 0);
		assert_int_equal(grantpt(terminal) | unlockpt(terminal), 0);
		in = open(ptsname(terminal), O_RDWR | O_NOCTTY);
		assert_int_equal(write(terminal, answer, strlen(answer)), strlen(answer));
	}
	assert_true(in >= 0);
	dup2(in, STDIN_FILENO);
	close(in);
	clearerr(stdin);
	status = run(cmd_limp, 0, NULL);
	dup2(saved, STDIN_FILENO);
	close(saved);
	if (terminal >= 0)
		close(terminal);
	return status;
}

static void a_robot_is_let_go_on_all_its_buses(void **state)
{
	(void)state;
	if (RUN(cmd_limp, "--yes") != STATUS_OK)
		fail_msg("%s", said);
	assert_said("until \"naohw recover\"");
	assert_limp("1", "1");
}

static void a_bus_that_fails_keeps_no_other_one_stiff(void **state)
{
	(void)state;
	fake_device_fail("dxl0-goal", "limp", -EIO);
	assert_int_equal(RUN(cmd_limp, "--yes"), STATUS_FAILED);
	assert_said("dxl0-goal: limp: ");
	assert_limp("0", "1");
}

/* The kernel registers it anew in the moment in which the robot is opened. */
static void a_bus_that_comes_late_is_let_go_too(void **state)
{
	static const char *const second[] = { "LKneePitch" };

	(void)state;
	fake_state(1, second, 1, 100);
	fake_appear_after("dxl1-goal", 5);
	if (RUN(cmd_limp, "--yes") != STATUS_OK)
		fail_msg("%s", said);
	assert_limp("1", "1");
}

static void a_bus_that_does_not_come_is_named(void **state)
{
	static const char *const second[] = { "LKneePitch" };

	(void)state;
	fake_state(1, second, 1, 100);
	fake_appear_after("dxl1-goal", 1000000);
	assert_int_equal(RUN(cmd_limp, "--yes"), STATUS_FAILED);
	assert_said("dxl1-goal: limp: not there; joints there may be stiff");
	assert_limp("1", "0");
}

/* As it does for a program that has had the robot open since, and knows the one from before. */
static void a_bus_that_was_registered_anew_is_let_go(void **state)
{
	struct naohw_robot *robot;
	struct naohw_error err;
	struct device goals;

	(void)state;
	fake_device_set("dxl1-goal", "stiffness", "0");
	fake_register_after(3);
	if (naohw_robot_open(NULL, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
	goals = robot->goals.list[1].held;
	assert_int_equal(device_write(&goals, "stiffness", "1"), 0);
	if (naohw_robot_limp(robot, &err) < 0)
		fail_msg("%s", err.message);
	naohw_robot_close(robot);
	assert_limp("1", "1");
}

static void a_terminal_is_asked_before(void **state)
{
	(void)state;
	assert_int_equal(answer_limp(NULL), STATUS_USAGE);
	assert_said("--yes");
	assert_int_equal(answer_limp("n\n"), STATUS_FAILED);
	assert_said("nothing was let go");
	assert_limp("0", "0");
	assert_int_equal(answer_limp("y\n"), STATUS_OK);
	assert_limp("1", "1");
}

/* By a key, where the kernel refuses it */
static void stiffness_is_refused_until_it_recovers(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "limp", "1");
	fake_fail("HeadYaw", "out_angl0_en", -EBUSY);
	assert_int_equal(RUN(cmd_set, HARDNESS, "1"), STATUS_FAILED);
	assert_said("the joint does not move: a person has let the robot go, by naohw limp; "
		    "hold the robot, and type naohw recover");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_joint_takes_its_time_and_has_its_speed_back, setup),
		cmocka_unit_test_setup(a_joint_that_does_not_arrive_stops, setup),
		cmocka_unit_test_setup(a_joint_is_told_to_stop_more_than_once, setup),
		cmocka_unit_test_setup(a_joint_that_cannot_be_stopped_stays_slow, setup),
		cmocka_unit_test_setup(a_joint_that_was_let_go_meanwhile_gets_no_goal, setup),
		cmocka_unit_test_setup(what_no_servo_can_is_refused_with_what_it_takes, setup),
		cmocka_unit_test_setup(what_is_no_position_is_refused_before_all, setup),
		cmocka_unit_test_setup(what_is_no_time_is_refused, setup),
		cmocka_unit_test_setup(a_servo_may_sag_as_its_model_has_it, setup),
		cmocka_unit_test_setup(a_robot_is_let_go_on_all_its_buses, setup),
		cmocka_unit_test_setup(a_bus_that_fails_keeps_no_other_one_stiff, setup),
		cmocka_unit_test_setup(a_bus_that_comes_late_is_let_go_too, setup),
		cmocka_unit_test_setup(a_bus_that_does_not_come_is_named, setup),
		cmocka_unit_test_setup(a_bus_that_was_registered_anew_is_let_go, setup),
		cmocka_unit_test_setup(a_terminal_is_asked_before, setup),
		cmocka_unit_test_setup(stiffness_is_refused_until_it_recovers, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
