// SPDX-License-Identifier: LGPL-2.1-or-later
/* A joint that is blocked, by what each pose says: when it is eased, what frees it, and what is no stall. */
#include "dcm_stage.h"

#include <errno.h>

#include "fake_iio.h"

#define LEAF(key, value) "<Preference memoryName='" key "' type='float' value='" value "'/>"
#define STALLED		 "stalled"
/* Counts that an eased joint is sent beyond where it is, at the most: 0.03 rad */
#define EASED 6

static const char *reason(void)
{
	return stage_text("DCM/Guard/HeadYaw");
}

/* It is to go 0.4 rad, and comes no farther than it is. */
static void block(int load)
{
	stage.is_held[YAW] = true;
	stage.load[YAW] = load;
	stage_set(YAW_POSITION, 0.44, 400);
	stage_cycles(40);
}

/* And then it is eased. */
static void stall(double stiffness, int load)
{
	stage_open_stiff("", stiffness);
	block(load);
	stage_cycles(40);
	assert_string_equal(reason(), STALLED);
}

/* What it is called by its key, so many cycles later, with these preferences */
static void check(const char *preferences, int load, unsigned int cycles, const char *word)
{
	stage_open_stiff(preferences, 1);
	block(load);
	stage_cycles(cycles);
	assert_string_equal(reason(), word);
	stage_close();
}

static void unblock(void)
{
	stage.is_held[YAW] = false;
	stage.load[YAW] = 0;
}

/* It goes to where block() has sent it, at 4 rad/s at the most. */
static void goes_on_slowly(void)
{
	for (int i = 0, before = stage_goal(YAW); i < 100; i++, before = stage_goal(YAW)) {
		stage_cycles(1);
		assert_near(stage_goal(YAW), before, 9);
	}
	assert_string_equal(reason(), "");
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 88);
}

static void a_blocked_joint_is_eased_within_its_servos_time(void **state)
{
	int cycles = 0;

	(void)state;
	stage_open_stiff("", 1);
	stage.is_held[YAW] = true;
	stage.load[YAW] = 100;
	/* Without a time, far away: an AX-12 switches itself off 500 ms after its load began. */
	stage_set(YAW_POSITION, 1.6, 0);
	for (int all = 0; all < 100; all++) {
		stage_cycles(1);
		cycles += stage_goal(YAW) > STAGE_START + 34;
	}
	assert_in_range(cycles, 15, 40);
	assert_string_equal(reason(), STALLED);
	assert_in_range(stage_goal(YAW), STAGE_START, STAGE_START + EASED);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_string_equal(stage_text("DCM/Guard/HeadPitch"), "");
}

static void it_is_eased_until_it_is_moved_away(void **state)
{
	(void)state;
	stall(1, 100);
	/* Nothing blocks it any more, and it does not jump. */
	unblock();
	stage_set(YAW_POSITION, 0.5, 100);
	stage_cycles(200);
	assert_string_equal(reason(), STALLED);
	assert_in_range(stage_goal(YAW), STAGE_START, STAGE_START + EASED);
	stage_set(YAW_POSITION, -0.1, 200);
	stage_cycles(25);
	assert_string_equal(reason(), "");
	assert_int_equal(stage_goal(YAW), STAGE_ZERO - 20);
	stage_set(YAW_POSITION, 0.44, 400);
	stage_cycles(60);
	assert_string_equal(reason(), "");
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 88);
}

static void a_recovery_frees_it_and_it_goes_slowly(void **state)
{
	(void)state;
	stall(1, 100);
	unblock();
	assert_int_equal(naohw_dcm_recover(stage.dcm, NULL), 0);
	goes_on_slowly();
}

/* A step of a page may be as fast as the servo can be told. */
static void in_a_page_it_goes_slowly_too(void **state)
{
	static const char *const names[] = { YAW_POSITION, PITCH_POSITION };
	static const double goals[] = { 0.44, 0.04 };

	(void)state;
	stage_open_stiff("", 1);
	stage.is_held[YAW] = true;
	stage.load[YAW] = 100;
	assert_int_equal(naohw_dcm_set_step(stage.dcm, names, goals, 2, stage.now, stage.now + 400,
					    NULL), 0);
	stage_cycles(80);
	assert_string_equal(reason(), STALLED);
	unblock();
	assert_int_equal(naohw_dcm_recover(stage.dcm, NULL), 0);
	goes_on_slowly();
}

/* The battery recovers, as the joint pushes no more. No program has asked the joint to go on. */
static void what_heat_and_battery_give_back_frees_nothing(void **state)
{
	(void)state;
	stage_open_stiff("", 1);
	/* Out of the battery, which bears 8 A, comes more; the load is all that there is left. */
	stage.current = 120;
	stage_cycles(60);
	stage.is_held[YAW] = true;
	stage_set(YAW_POSITION, 0.44, 400);
	for (int i = 0; i < 100; i++) {
		stage.load[YAW] = stage_stiffness(YAW) / 10;
		stage_cycles(1);
	}
	assert_string_equal(reason(), STALLED);
	assert_true(stage_stiffness(YAW) < 950);
	stage.current = 0;
	unblock();
	stage_cycles(1200);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_string_equal(reason(), STALLED);
}

#define OF_LEG "<Preference memoryName='Device/ChainList/LLeg' type='string' value='HeadYaw'/>"

/* Somebody leans on a robot that stands, and lets go: it is to stand as before. */
static void a_leg_is_not_eased_unless_it_has_a_time(void **state)
{
	(void)state;
	stage_open_stiff(OF_LEG, 1);
	block(100);
	stage_cycles(300);
	assert_string_equal(reason(), "");
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 88);
	stage_close();
	check(OF_LEG LEAF("Device/SubDeviceList/" YAW_POSITION "/StallTime", "200"), 100, 40, STALLED);
	check(LEAF("Device/SubDeviceList/" YAW_POSITION "/StallTime", "0"), 100, 300, "");
}

/* It wakes up with little torque at first, which friction alone holds. */
static void one_that_becomes_stiff_softly_is_not_blocked(void **state)
{
	(void)state;
	stage_open_stiff("", 1);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(310);
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage.is_held[YAW] = true;
	stage_cycles(2);
	stage_set(YAW_POSITION, 0.1, 0);
	for (int i = 0; i < 150; i++) {
		stage.load[YAW] = stage_stiffness(YAW) / 10 + 1;
		stage_cycles(1);
		assert_string_not_equal(reason(), STALLED);
	}
}

/* A servo gives all of a fifth nearer to its goal. */
static void one_of_little_stiffness_is_eased_nearer_to_its_goal(void **state)
{
	(void)state;
	stage_open_stiff("", 0.2);
	stage.is_held[YAW] = true;
	stage.load[YAW] = 20;
	stage_set(YAW_POSITION, 0.09, 0);
	stage_cycles(80);
	assert_string_equal(reason(), STALLED);
	assert_in_range(stage_goal(YAW), STAGE_START, STAGE_START + 1);
}

/* Eased a second time, it is where it is then. */
static void what_pushes_it_on_eases_it_there(void **state)
{
	(void)state;
	stall(1, 100);
	stage.present[YAW] -= 40;
	stage_cycles(100);
	assert_string_equal(reason(), STALLED);
	assert_in_range(stage_goal(YAW), STAGE_START - 40, STAGE_START - 40 + EASED);
}

/* Knees that bear a robot sag, and push with less than all that they have. */
static void a_joint_that_sags_is_not_blocked(void **state)
{
	(void)state;
	stage_open_stiff("", 1);
	block(80);
	stage_cycles(1000);
	assert_string_equal(reason(), "");
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 88);
}

/* All that it has is less then. */
static void one_of_less_stiffness_has_less(void **state)
{
	(void)state;
	stage_open_stiff("", 0.5);
	block(40);
	stage_cycles(100);
	assert_string_equal(reason(), "");
	stage.load[YAW] = 48;
	stage_cycles(45);
	assert_string_equal(reason(), STALLED);
}

static void one_that_moves_is_not_blocked(void **state)
{
	(void)state;
	stage_open_stiff("", 1);
	block(100);
	/* 0.025 rad each 150 ms */
	for (int i = 0; i < 14; i++) {
		stage.present[YAW] += 5;
		stage_cycles(15);
		assert_string_equal(reason(), "");
	}
}

static void one_that_is_where_it_is_sent_is_not(void **state)
{
	(void)state;
	stage_open_stiff("", 1);
	stage.load[YAW] = 100;
	stage_set(YAW_POSITION, 0.44, 400);
	stage_cycles(300);
	assert_string_equal(reason(), "");
}

/* The host does not know where a silent joint is. */
static void a_silent_one_is_not(void **state)
{
	(void)state;
	stage_open_stiff("", 1);
	block(100);
	stage.age[YAW] = 5;
	stage_cycles(40);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 88);
}

static void one_without_torque_is_not_any_more(void **state)
{
	(void)state;
	stall(1, 100);
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(2);
	assert_string_equal(reason(), "no-torque");
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
	assert_string_equal(reason(), "");
}

/* A joint that was to be weak has hung since then, and its program makes it strong. */
static void more_stiffness_frees_it(void **state)
{
	(void)state;
	stall(0.1, 10);
	unblock();
	stage_set(YAW_HARDNESS, 1, 300);
	stage_cycles(100);
	assert_string_equal(reason(), "");
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 88);
}

static void the_description_has_the_limits(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	check(LEAF("DCM/StallTime", "0"), 100, 300, "");
	check(LEAF("DCM/StallError", "0.5"), 100, 300, "");
	check(LEAF("DCM/StallLoad", "0.7"), 80, 40, STALLED);
	assert_int_equal(stage_try(LEAF("DCM/StallLoad", "2"), &err), -EINVAL);
	assert_says(&err, "a number from 0.1 to 1");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define STALL_TEST(name) cmocka_unit_test_teardown(name, stage_teardown)
		STALL_TEST(a_blocked_joint_is_eased_within_its_servos_time),
		STALL_TEST(it_is_eased_until_it_is_moved_away),
		STALL_TEST(a_recovery_frees_it_and_it_goes_slowly),
		STALL_TEST(in_a_page_it_goes_slowly_too),
		STALL_TEST(what_heat_and_battery_give_back_frees_nothing),
		STALL_TEST(a_leg_is_not_eased_unless_it_has_a_time),
		STALL_TEST(one_that_becomes_stiff_softly_is_not_blocked),
		STALL_TEST(one_of_little_stiffness_is_eased_nearer_to_its_goal),
		STALL_TEST(what_pushes_it_on_eases_it_there),
		STALL_TEST(a_joint_that_sags_is_not_blocked),
		STALL_TEST(one_of_less_stiffness_has_less),
		STALL_TEST(one_that_moves_is_not_blocked),
		STALL_TEST(one_that_is_where_it_is_sent_is_not),
		STALL_TEST(a_silent_one_is_not),
		STALL_TEST(one_without_torque_is_not_any_more),
		STALL_TEST(more_stiffness_frees_it),
		STALL_TEST(the_description_has_the_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
