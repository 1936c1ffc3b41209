// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Joints at rest, by what each pose says: those that a person has sent there, and those that the
 * diagnosis does; what is refused meanwhile, and how they come back.
 */
#include "dcm_stage.h"

#include <errno.h>

#include "fake_iio.h"

/* Counts of the safe postures of both */
#define YAW_REST   (STAGE_ZERO + 100)
#define PITCH_REST (STAGE_ZERO - 60)

#define BODY(rules, severity)                                                                      \
	"<Preference memoryName='Device/ChainList/Head' type='string' value='HeadYaw HeadPitch'/>" \
	"<Preference memoryName='Device/SubDeviceList/" YAW_POSITION "/Rest' type='float' "        \
	"value='0.5'/>"                                                                            \
	"<Preference memoryName='Device/SubDeviceList/" PITCH_POSITION "/Rest' type='float' "      \
	"value='-0.3'/>" rules severity

#define RULES	   "<Preference memoryName='DCM/DiagnosisRules' type='string' value='NAO'/>"
#define OF_LEGS	   "<Preference memoryName='Device/ChainList/Legs' type='string' value='HeadPitch'/>"
#define CRITICAL                                                                                   \
	"<Preference memoryName='Device/SubDeviceList/HeadPitch/Severity' type='string' "          \
	"value='CRITICAL'/>"
#define NEGLIGIBLE                                                                                 \
	"<Preference memoryName='Device/SubDeviceList/HeadPitch/Severity' type='string' "          \
	"value='NEGLIGIBLE'/>"

static void assert_limp(void)
{
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* ---- rest and wake up ---- */

static void a_robot_goes_to_its_posture_and_lets_go_there(void **state)
{
	(void)state;
	stage_open_stiff(BODY("", ""), 1);
	assert_string_equal(stage_text("DCM/Rest"), "awake");
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	assert_int_equal(naohw_dcm_check_stream(stage.dcm, NULL), 0);
	stage_cycles(2);
	assert_true(naohw_dcm_is_resting(stage.dcm));
	/* So a play ends. */
	assert_int_equal(naohw_dcm_check_stream(stage.dcm, NULL), -EPIPE);
	assert_string_equal(stage_text("DCM/Rest"), "going to rest");
	for (int before[2] = { stage_goal(YAW), stage_goal(PITCH) }, i = 0;
	     stage_stiffness(YAW) > 0; i++) {
		assert_true(i < 400);
		stage_cycles(1);
		/* 1 rad/s are two counts a cycle. */
		assert_near(stage_goal(YAW), before[YAW], 3);
		assert_near(stage_goal(PITCH), before[PITCH], 3);
		before[YAW] = stage_goal(YAW);
		before[PITCH] = stage_goal(PITCH);
	}
	assert_limp();
	assert_int_equal(stage.present[YAW], YAW_REST);
	assert_int_equal(stage.present[PITCH], PITCH_REST);
	stage_cycles(1);
	assert_string_equal(stage_text("DCM/Rest"), "at rest");
	assert_string_equal(stage_text("DCM/Guard/HeadYaw"), "rests");
}

static void both_arrive_together(void **state)
{
	int arrived[2] = { 0, 0 };

	(void)state;
	stage_open_stiff(BODY("", ""), 1);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	for (int i = 0; i < 100; i++) {
		stage_cycles(1);
		if (!arrived[YAW] && stage_goal(YAW) == YAW_REST)
			arrived[YAW] = i;
		if (!arrived[PITCH] && stage_goal(PITCH) == PITCH_REST)
			arrived[PITCH] = i;
	}
	assert_near(arrived[YAW], arrived[PITCH], 2);
}

static void commands_do_nothing_on_the_way_and_at_rest(void **state)
{
	struct naohw_error err = { "" };
	const struct naohw_command stiff = { .value = 1, .time = 0 };
	const struct naohw_command far = { .value = -1, .time = 0 };

	(void)state;
	stage_open_stiff(BODY("", ""), 1);
	stage_set(YAW_POSITION, -1, 5000);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(1);
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_POSITION, NAOHW_UPDATE_MERGE, &far, 1, &err),
			 -EPERM);
	stage_set(PITCH_HARDNESS, 0, 0);
	stage_cycles(5);
	assert_true(stage_goal(YAW) > STAGE_START);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	stage_cycles(400);
	assert_limp();
	assert_int_equal(stage.present[YAW], YAW_REST);
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_HARDNESS, NAOHW_UPDATE_MERGE, &stiff, 1, &err),
			 -EPERM);
	assert_says(&err, "at rest");
	stage_cycles(5);
	assert_limp();
}

static void a_joint_that_is_held_or_silent_keeps_nobody_from_resting(void **state)
{
	(void)state;
	stage_open_stiff(BODY("", ""), 1);
	stage.is_held[YAW] = true;
	stage.age[PITCH] = 5;
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(400);
	assert_limp();
	assert_int_equal(stage.present[YAW], STAGE_START);
}

static void a_limp_joint_is_not_made_stiff_to_rest(void **state)
{
	(void)state;
	stage_open_stiff(BODY("", ""), 1);
	stage_set(PITCH_HARDNESS, 0, 0);
	stage_cycles(2);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	for (int i = 0; i < 300; i++) {
		stage_cycles(1);
		assert_int_equal(stage_stiffness(PITCH), 0);
	}
	assert_int_equal(stage.present[PITCH], STAGE_START);
	assert_limp();
}

static void waking_up_is_slow_and_where_the_joints_are(void **state)
{
	int before;

	(void)state;
	stage_open_stiff(BODY("", ""), 1);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(400);
	stage.present[YAW] = STAGE_ZERO + 33;
	stage_cycles(2);
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage_cycles(2);
	assert_false(naohw_dcm_is_resting(stage.dcm));
	before = stage_stiffness(YAW);
	assert_true(before < 100);
	for (int i = 0; i < 210; i++) {
		stage_cycles(1);
		assert_true(stage_stiffness(YAW) <= before + 10);
		before = stage_stiffness(YAW);
		assert_int_equal(stage_goal(YAW), STAGE_ZERO + 33);
	}
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	stage_set(YAW_POSITION, 0, 100);
	stage_cycles(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO);
	assert_string_equal(stage_text("DCM/Guard/HeadYaw"), "");
}

static void who_wakes_up_on_the_way_stays_there(void **state)
{
	(void)state;
	stage_open_stiff(BODY("", ""), 1);
	assert_int_equal(naohw_dcm_rest(stage.dcm, NULL), 0);
	stage_cycles(5);
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage_cycles(400);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_true(stage_goal(YAW) < YAW_REST);
}

/* ---- the diagnosis ---- */

static void without_a_table_nothing_is_diagnosed(void **state)
{
	struct naohw_error err;
	size_t slot;

	(void)state;
	stage_open_stiff(BODY("", CRITICAL), 1);
	stage.age[PITCH] = 255;
	stage_cycles(400);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(naohw_store_find(naohw_dcm_store(stage.dcm),
					  "Diagnosis/Passive/HeadPitch/Error", &slot), -ENOENT);
	(void)err;
}

static void a_silent_joint_takes_its_chains_stiffness(void **state)
{
	const struct naohw_command stiff = { .value = 1, .time = 0 };
	struct naohw_error err = { "" };

	(void)state;
	stage_open_stiff(BODY(RULES, ""), 1);
	assert_float_equal(stage_value("Diagnosis/Passive/HeadPitch/Error"), 0, 0);
	stage.age[PITCH] = 255;
	stage_cycles(199);
	assert_int_equal(stage_stiffness(YAW), 1000);
	stage_cycles(3);
	assert_limp();
	assert_float_equal(stage_value("Diagnosis/Passive/HeadPitch/Error"), 1, 0);
	assert_string_equal(stage_text("Diagnosis/Passive/HeadPitch/Cause"), "no answer");
	assert_float_equal(stage_value("Diagnosis/Passive/HeadYaw/Error"), 0, 0);
	assert_string_equal(stage_text("DCM/Guard/HeadYaw"), "diagnosis");
	assert_string_equal(stage_text("DCM/Rest"), "awake");
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_HARDNESS, NAOHW_UPDATE_MERGE, &stiff, 1, &err),
			 -EPERM);
	/* It answers again, and then its chain may be stiff; nobody makes it so unasked. */
	stage.age[PITCH] = 0;
	stage_cycles(110);
	assert_limp();
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
	assert_true(stage_stiffness(YAW) < 100);
	stage_cycles(210);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_float_equal(stage_value("Diagnosis/Passive/HeadPitch/Error"), 0, 0);
}

static void one_of_a_leg_has_the_robot_rest_and_forbids_waking_up(void **state)
{
	const struct naohw_command stiff = { .value = 1, .time = 0 };
	struct naohw_error err = { "" };

	(void)state;
	stage_open_stiff(BODY(RULES, OF_LEGS), 1);
	stage.age[PITCH] = 255;
	stage_cycles(202);
	assert_int_equal(stage_stiffness(PITCH), 0);
	assert_int_equal(stage_stiffness(YAW), 1000);
	stage_cycles(300);
	assert_int_equal(stage.present[YAW], YAW_REST);
	assert_limp();
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "HeadPitch: no answer");
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, &err), -EPERM);
	assert_says(&err, "HeadPitch: no answer");
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_HARDNESS, NAOHW_UPDATE_MERGE, &stiff, 1, &err),
			 -EPERM);
	assert_says(&err, "HeadPitch: no answer");
	/* When the joint is back the robot still rests, and may be woken up. */
	stage.age[PITCH] = 0;
	stage_cycles(110);
	assert_limp();
	assert_string_equal(stage_text("DCM/Rest"), "at rest");
	assert_int_equal(naohw_dcm_wake_up(stage.dcm, NULL), 0);
	stage_cycles(210);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

static void severity_silences_and_raises(void **state)
{
	(void)state;
	stage_open_stiff(BODY(RULES, OF_LEGS NEGLIGIBLE), 1);
	stage.age[PITCH] = 255;
	stage_cycles(400);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_float_equal(stage_value("Diagnosis/Passive/HeadPitch/Error"), 1, 0);
	stage_close();
	stage_open_stiff(BODY(RULES, CRITICAL), 1);
	stage.age[PITCH] = 255;
	stage_cycles(202);
	assert_limp(); /* both are of the head, which is limp at once */
	assert_string_equal(stage_text("DCM/WakeUpForbidden"), "HeadPitch: no answer");
}

static void a_servo_that_shuts_down_is_in_error_at_once(void **state)
{
	(void)state;
	stage_open_stiff(BODY(RULES, ""), 1);
	fake_device_set("HeadPitch", "torque_state", "shut-down");
	UNTIL(stage_stiffness(YAW) == 0, stage_cycles(1));
	stage_cycles(1);
	assert_string_equal(stage_text("Diagnosis/Passive/HeadPitch/Cause"),
			    "it has lost its torque");
}

/* As after it was without supply for a moment: it answers all the time. */
static void a_joint_that_has_lost_its_torque_is_in_error_until_it_has_it_back(void **state)
{
	(void)state;
	stage_open_stiff(BODY(RULES, ""), 1);
	fake_device_set("HeadPitch", "torque_state", "tripped");
	UNTIL(strcmp(stage_text("DCM/Guard/HeadPitch"), "tripped") == 0, stage_cycles(1));
	stage_cycles(15);
	/* A bus that trips has each of its joints so for a moment. */
	assert_int_equal(stage_stiffness(YAW), 1000);
	UNTIL(stage_stiffness(YAW) == 0, stage_cycles(1));
	for (int i = 0; i < 400; i++) {
		stage_cycles(1);
		assert_float_equal(stage_value("Diagnosis/Passive/HeadPitch/Error"), 1, 0);
	}
	fake_device_set("HeadPitch", "torque_state", "free");
	UNTIL(stage_value("Diagnosis/Passive/HeadPitch/Error") == 0, stage_cycles(1));
	assert_limp();
}

/* A watchdog's trip is no servo's trouble. */
static void a_trip_of_the_bus_is_no_trouble_of_a_joint(void **state)
{
	(void)state;
	stage_open_stiff(BODY(RULES, ""), 1);
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	fake_device_set("HeadYaw", "torque_state", "tripped");
	fake_device_set("HeadPitch", "torque_state", "tripped");
	UNTIL(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED, stage_cycles(1));
	stage_cycles(50);
	assert_float_equal(stage_value("Diagnosis/Passive/HeadPitch/Error"), 0, 0);
	assert_string_equal(stage_text("DCM/Guard/HeadYaw"), "tripped");
}

static void a_table_that_there_is_not_is_refused(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	assert_int_equal(stage_try("<Preference memoryName='DCM/DiagnosisRules' type='string' "
				   "value='Romeo'/>", &err), -EINVAL);
	assert_says(&err, "the string NAO or Pepper");
}

/* ---- whatever happens ---- */

/* Counts that a goal may go in a cycle: 4 rad/s; and where it may be. */
#define MOST_A_CYCLE 9
#define GOAL_MIN     (STAGE_ZERO - 400)
#define GOAL_MAX     (STAGE_ZERO + 400)

static unsigned int chance;

static unsigned int roll(unsigned int sides)
{
	chance = chance * 1103515245u + 12345u;
	return (chance >> 16) % sides;
}

static bool must_be_limp(unsigned int joint)
{
	const struct joint_guard *guard = &stage.host->joints.list[joint];

	return diagnosis_verdict(stage.host->rest.diagnosis)->way[guard->joint] == WAY_LIMP;
}

/* One cycle, and what holds in each */
static void cycle_and_look(void)
{
	const struct rest *rest = &stage.host->rest;
	int before[2] = { stage_goal(YAW), stage_goal(PITCH) };
	bool was_wanted = rest->is_wanted, wakes = atomic_load(&rest->wish) == WISH_WAKE_UP;

	stage_cycles(1);
	/* Waking up is forbidden, and so it does not. */
	if (was_wanted && wakes && diagnosis_verdict(rest->diagnosis)->forbids_wake_up)
		assert_true(rest->is_wanted);
	for (unsigned int i = YAW; i <= PITCH; i++) {
		if (must_be_limp(i))
			assert_true(stage_stiffness(i) <= 0);
		/* One that was moved while it was silent goes on from where it is. */
		if (stage_stiffness(i) > 0 && abs(stage_goal(i) - stage.present[i]) > MOST_A_CYCLE)
			assert_near(stage_goal(i), before[i], MOST_A_CYCLE);
		assert_in_range(stage_goal(i), GOAL_MIN, GOAL_MAX);
	}
}

static void say_something(void)
{
	static const char *const names[] = { YAW_POSITION, PITCH_POSITION, YAW_HARDNESS,
					     PITCH_HARDNESS };
	const struct naohw_command command = {
		.value = (double)roll(400) / 100 - 2,
		.time = stage.now + roll(500),
	};

	(void)naohw_dcm_set(stage.dcm, names[roll(4)], NAOHW_UPDATE_CLEAR_ALL, &command, 1, NULL);
}

static void happen(void)
{
	unsigned int joint = roll(2);

	switch (roll(8)) {
	case 0:
		stage.age[joint] = 255;
		break;
	case 1:
		stage.age[joint] = 0;
		break;
	case 2:
		atomic_store(&stage.host->rest.wish, WISH_REST);
		break;
	case 3:
		atomic_store(&stage.host->rest.wish, WISH_WAKE_UP);
		break;
	case 4:
		stage.is_held[joint] = !stage.is_held[joint];
		break;
	case 5:
		atomic_store(&stage.host->rest.wish, WISH_TEST);
		break;
	default:
		say_something();
		break;
	}
}

static void look_until_rest_is(const char *state)
{
	for (int i = 0; strcmp(stage_text("DCM/Rest"), state) != 0; i++) {
		assert_true(i < 1000);
		cycle_and_look();
	}
}

/* What a test has found is over with the next one that is passed. */
static void pass_tests(void)
{
	if (stage_value("Diagnosis/Active/HeadYaw/Error") == 0 &&
	    stage_value("Diagnosis/Active/HeadPitch/Error") == 0)
		return;
	atomic_store(&stage.host->rest.wish, WISH_REST);
	cycle_and_look();
	look_until_rest_is("at rest");
	atomic_store(&stage.host->rest.wish, WISH_TEST);
	look_until_rest_is("testing");
	look_until_rest_is("at rest");
}

/* What is over frees what it held. */
static void all_is_well_again(void)
{
	stage.age[YAW] = stage.age[PITCH] = 0;
	stage.is_held[YAW] = stage.is_held[PITCH] = false;
	for (int i = 0; i < 110; i++)
		cycle_and_look();
	pass_tests();
	atomic_store(&stage.host->rest.wish, WISH_WAKE_UP);
	cycle_and_look();
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	for (int i = 0; i < 210; i++)
		cycle_and_look();
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

static void try_sequences(const char *preferences, unsigned int count)
{
	stage_open_stiff(preferences, 1);
	for (unsigned int seed = 1; seed <= count; seed++) {
		chance = seed;
		for (unsigned int i = 3 + roll(10); i; i--) {
			happen();
			for (unsigned int cycles = 1 + roll(roll(3) ? 20 : 220); cycles; cycles--)
				cycle_and_look();
		}
		all_is_well_again();
	}
	stage_close();
}

/* NAOHW_SEQUENCES: how many; a few without it */
static void whatever_happens_no_rule_is_broken(void **state)
{
	const char *told = getenv("NAOHW_SEQUENCES");
	unsigned int count = told ? (unsigned int)strtoul(told, NULL, 10) : 100;

	(void)state;
	try_sequences(BODY(RULES, ""), count / 2);
	try_sequences(BODY(RULES, OF_LEGS), count / 4);
	try_sequences(BODY(RULES, CRITICAL), count / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_robot_goes_to_its_posture_and_lets_go_there, stage_teardown),
		cmocka_unit_test_teardown(both_arrive_together, stage_teardown),
		cmocka_unit_test_teardown(commands_do_nothing_on_the_way_and_at_rest, stage_teardown),
		cmocka_unit_test_teardown(a_joint_that_is_held_or_silent_keeps_nobody_from_resting,
					  stage_teardown),
		cmocka_unit_test_teardown(a_limp_joint_is_not_made_stiff_to_rest, stage_teardown),
		cmocka_unit_test_teardown(waking_up_is_slow_and_where_the_joints_are, stage_teardown),
		cmocka_unit_test_teardown(who_wakes_up_on_the_way_stays_there, stage_teardown),
		cmocka_unit_test_teardown(without_a_table_nothing_is_diagnosed, stage_teardown),
		cmocka_unit_test_teardown(a_silent_joint_takes_its_chains_stiffness, stage_teardown),
		cmocka_unit_test_teardown(one_of_a_leg_has_the_robot_rest_and_forbids_waking_up,
					  stage_teardown),
		cmocka_unit_test_teardown(severity_silences_and_raises, stage_teardown),
		cmocka_unit_test_teardown(a_servo_that_shuts_down_is_in_error_at_once, stage_teardown),
		cmocka_unit_test_teardown(
			a_joint_that_has_lost_its_torque_is_in_error_until_it_has_it_back, stage_teardown),
		cmocka_unit_test_teardown(a_trip_of_the_bus_is_no_trouble_of_a_joint, stage_teardown),
		cmocka_unit_test_teardown(a_table_that_there_is_not_is_refused, stage_teardown),
		cmocka_unit_test_teardown(whatever_happens_no_rule_is_broken, stage_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
