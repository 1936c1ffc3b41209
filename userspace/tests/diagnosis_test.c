// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is to be done about which trouble: each row of NAO's and Pepper's tables, held against a
 * table of its own; and when a trouble begins and is over.
 */
#include "support.h"

#include <naohw.h>

#include "diagnosis/code.h"
#include "diagnosis/heat.h"
#include "diagnosis/passive.h"
#include "diagnosis/verdict.h"

/* ---- a body: two wheels, two legs that share a joint, an arm, a head, and one of no chain ---- */

enum { LWHEEL, RWHEEL, LHIP, HIPS, RHIP, SHOULDER, ELBOW, YAW, PITCH, TAIL, JOINTS };

enum { LLEG = 1, RLEG = 2, LEGS = 4, ARM = 8, HEAD = 16 };

static const struct body_joint joints[JOINTS] = {
	[LWHEEL] = { GROUP_WHEELS, 0 },
	[RWHEEL] = { GROUP_WHEELS, 0 },
	[LHIP] = { GROUP_LEGS, LLEG | LEGS },
	[HIPS] = { GROUP_LEGS, LLEG | RLEG | LEGS },
	[RHIP] = { GROUP_LEGS, RLEG | LEGS },
	[SHOULDER] = { GROUP_ARMS, ARM },
	[ELBOW] = { GROUP_ARMS, ARM },
	[YAW] = { GROUP_HEAD, HEAD },
	[PITCH] = { GROUP_HEAD, HEAD },
	[TAIL] = { GROUP_ARMS, 0 },
};

static const struct body body = { joints, JOINTS };

static enum way ways[JOINTS];
static struct verdict verdict;

static int setup(void **state)
{
	(void)state;
	verdict.way = ways;
	verdict_clear(&verdict, &body);
	return 0;
}

/* One character a joint: "." does what it is told, "p" goes to its posture, "0" is limp at once. */
static void assert_ways(const char *expected)
{
	char found[JOINTS + 1] = "";

	for (size_t i = 0; i < JOINTS; i++)
		found[i] = ".p00"[ways[i]];
	assert_string_equal(found, expected);
}

/* ---- the tables ---- */

struct row {
	const char *said; /* the text's words */
	enum part part;
	enum trouble trouble;
	size_t joint; /* that has it, or is of its chain */
	const char *ways;
	enum effect effect;
};

#define SAFE	  "pppppppppp"
#define NO_WHEELS "00pppppppp"
#define NO_LEGS	  "00000ppppp"
#define NOTHING	  ".........."

static const struct row nao[] = {
	{ "Legs status 2", PART_LEGS, TROUBLE_HOT, LHIP, SAFE, EFFECT_NO_WAKE_UP },
	{ "Legs status 3", PART_LEGS, TROUBLE_VERY_HOT, LHIP, NO_LEGS, EFFECT_NO_WAKE_UP },
	{ "Arms or Head status 2", PART_LIMBS, TROUBLE_HOT, YAW, ".......pp.", EFFECT_CHAIN_KEPT },
	{ "Arms or Head status 3", PART_LIMBS, TROUBLE_VERY_HOT, ELBOW, ".....00...",
	  EFFECT_CHAIN_KEPT },
	{ "Legs NACKs or error code", PART_LEGS, TROUBLE_ERROR, RHIP, NO_LEGS, EFFECT_NO_WAKE_UP },
	{ "Arms or Head NACKs or error code", PART_LIMBS, TROUBLE_ERROR, PITCH, ".......00.",
	  EFFECT_CHAIN_KEPT },
	{ "Pepper's USB disconnection", PART_CHEST_BOARD, TROUBLE_DISCONNECTED, NO_JOINT,
	  "0000000000", EFFECT_NO_WAKE_UP },
};

static const struct row pepper[] = {
	{ "Wheels status 2", PART_WHEELS, TROUBLE_HOT, LWHEEL, SAFE, EFFECT_NO_WAKE_UP },
	{ "Wheels status 3", PART_WHEELS, TROUBLE_VERY_HOT, LWHEEL, NO_WHEELS, EFFECT_NO_WAKE_UP },
	{ "Leg status 2", PART_LEGS, TROUBLE_HOT, LHIP, SAFE, EFFECT_NO_WAKE_UP },
	{ "Leg status 3", PART_LEGS, TROUBLE_VERY_HOT, LHIP, NO_LEGS, EFFECT_NO_WAKE_UP },
	{ "Arms or Head status 2", PART_LIMBS, TROUBLE_HOT, SHOULDER, ".....pp...",
	  EFFECT_CHAIN_KEPT },
	{ "Arms or Head status 3", PART_LIMBS, TROUBLE_VERY_HOT, PITCH, ".......00.",
	  EFFECT_CHAIN_KEPT },
	{ "Wheels NACKs or error code", PART_WHEELS, TROUBLE_ERROR, RWHEEL, NO_WHEELS,
	  EFFECT_NO_WAKE_UP },
	{ "Leg NACKs or error code", PART_LEGS, TROUBLE_ERROR, LHIP, NO_LEGS, EFFECT_NO_WAKE_UP },
	{ "Arms or Head NACKs or error code", PART_LIMBS, TROUBLE_ERROR, YAW, ".......00.",
	  EFFECT_CHAIN_KEPT },
	{ "Brake open", PART_BRAKE, TROUBLE_OPEN, NO_JOINT, SAFE, EFFECT_NO_WAKE_UP },
	{ "Brake closed", PART_BRAKE, TROUBLE_CLOSED, NO_JOINT, SAFE, EFFECT_NO_WAKE_UP },
	{ "Wheel joint position error", PART_WHEELS, TROUBLE_POSITION, LWHEEL, NO_WHEELS,
	  EFFECT_NO_WAKE_UP },
	{ "Leg joint position error", PART_LEGS, TROUBLE_POSITION, RHIP, SAFE, EFFECT_NO_WAKE_UP },
	{ "Arms or Head joint position error", PART_LIMBS, TROUBLE_POSITION, ELBOW, ".....pp...",
	  EFFECT_CHAIN_KEPT },
	{ "Leg Fuse status 2", PART_LEG_FUSE, TROUBLE_HOT, NO_JOINT, SAFE, EFFECT_NO_WAKE_UP },
	{ "Leg Fuse status 3", PART_LEG_FUSE, TROUBLE_VERY_HOT, NO_JOINT, NO_LEGS,
	  EFFECT_NO_WAKE_UP },
	{ "Arms or Head Fuse status 2", PART_LIMB_FUSE, TROUBLE_HOT, NO_JOINT, ".....pp...",
	  EFFECT_CHAIN_KEPT },
	{ "Arms or Head Fuse status 3", PART_LIMB_FUSE, TROUBLE_VERY_HOT, NO_JOINT, ".....00...",
	  EFFECT_CHAIN_KEPT },
	{ "Battery status 2", PART_BATTERY, TROUBLE_HOT, NO_JOINT, SAFE, EFFECT_NO_WAKE_UP },
	{ "Battery status 3", PART_BATTERY, TROUBLE_VERY_HOT, NO_JOINT, "0000000000",
	  EFFECT_NO_WAKE_UP },
	{ "HAL crashed", PART_HAL, TROUBLE_CRASHED, NO_JOINT, "0000000000", EFFECT_NO_WAKE_UP },
	{ "Leg Fuse NACKs or error code", PART_LEG_FUSE, TROUBLE_ERROR, NO_JOINT, SAFE,
	  EFFECT_NO_WAKE_UP },
	{ "Arms or Head Fuse NACKs", PART_LIMB_FUSE, TROUBLE_ERROR, NO_JOINT, ".....pp...",
	  EFFECT_CHAIN_KEPT },
	{ "ChestBoard USB disconnection", PART_CHEST_BOARD, TROUBLE_DISCONNECTED, NO_JOINT,
	  "0000000000", EFFECT_NO_WAKE_UP },
	{ "Laser NACKs or error code", PART_LASER, TROUBLE_ERROR, NO_JOINT, NOTHING,
	  EFFECT_DEGRADED },
	{ "Sonar NACKs or error code", PART_SONAR, TROUBLE_ERROR, NO_JOINT, NOTHING,
	  EFFECT_DEGRADED },
	{ "Battery NACKs or error code", PART_BATTERY, TROUBLE_ERROR, NO_JOINT, SAFE,
	  EFFECT_NO_WAKE_UP },
	{ "3D Camera not responding", PART_CAMERA, TROUBLE_NOT_RESPONDING, NO_JOINT, SAFE,
	  EFFECT_NO_WAKE_UP },
	{ "Inertial not responding", PART_INERTIAL, TROUBLE_NOT_RESPONDING, NO_JOINT, SAFE,
	  EFFECT_NO_WAKE_UP },
	{ "Laser freeze", PART_LASER, TROUBLE_FROZEN, NO_JOINT, NOTHING, EFFECT_DEGRADED },
	{ "Sonar freeze", PART_SONAR, TROUBLE_FROZEN, NO_JOINT, NOTHING, EFFECT_DEGRADED },
	{ "Bumper blocked", PART_BUMPER, TROUBLE_BLOCKED, NO_JOINT, NOTHING, EFFECT_NONE },
};

static struct ailment ailment_of(const struct row *row)
{
	return (struct ailment){
		.part = row->part,
		.trouble = row->trouble,
		.severity = SEVERITY_UNKNOWN,
		.joint = row->joint,
		.chains = ARM, /* that the fuse of a limb is of */
	};
}

/* As it is, with what was said of it if that is wrong */
static void check_row(const struct rules *rules, const struct row *row)
{
	const struct ailment ailment = ailment_of(row);
	bool is_degraded;

	verdict_clear(&verdict, &body);
	is_degraded = verdict_add(&verdict, &body, rules, &ailment);
	print_message("%s: %s\n", rules->name, row->said);
	assert_ways(row->ways);
	assert_int_equal(is_degraded, row->effect == EFFECT_DEGRADED);
	assert_int_equal(verdict.forbids_wake_up, row->effect == EFFECT_NO_WAKE_UP);
	/* The whole body rests with each that forbids it, and a chain that is kept does not forbid it. */
	assert_int_equal(verdict.rests, row->effect == EFFECT_NO_WAKE_UP);
	assert_false(verdict.disables_fall_manager);
}

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static void each_row_of_naos_table(void **state)
{
	const struct rules *rules = rules_find("NAO");

	(void)state;
	assert_int_equal(rules->count, ROWS(nao));
	for (size_t i = 0; i < ROWS(nao); i++)
		check_row(rules, &nao[i]);
}

static void each_row_of_peppers_table(void **state)
{
	const struct rules *rules = rules_find("Pepper");

	(void)state;
	assert_int_equal(rules->count, ROWS(pepper));
	for (size_t i = 0; i < ROWS(pepper); i++)
		check_row(rules, &pepper[i]);
	assert_null(rules_find("Romeo"));
}

static void no_trouble_changes_nothing(void **state)
{
	(void)state;
	assert_ways(NOTHING);
	assert_false(verdict.rests);
	assert_false(verdict.forbids_wake_up);
}

/* ---- the reflexes ---- */

static void each_reflex(void **state)
{
	static const struct {
		enum reflex reflex;
		const char *ways;
		bool rests;
	} rows[] = {
		{ REFLEX_WHEELS_SAFE, "pp........", false },
		{ REFLEX_WHEELS_IMMEDIATE, "00........", false },
		{ REFLEX_CHAIN_SAFE, ".....pp...", false },
		{ REFLEX_CHAIN_IMMEDIATE, ".....00...", false },
		{ REFLEX_BODY_SAFE, SAFE, true },
		{ REFLEX_BODY_IMMEDIATE, "0000000000", true },
		{ REFLEX_BODY_SLUMPING, SAFE, true },
		{ REFLEX_BODY_PARAMETRIC, SAFE, true },
		{ REFLEX_BODY_SAFE_IMMEDIATE_ON_ARMS, "ppppp00pp0", true },
		{ REFLEX_BODY_SAFE_IMMEDIATE_ON_LEGS, NO_LEGS, true },
		{ REFLEX_BODY_SAFE_IMMEDIATE_ON_WHEELS, NO_WHEELS, true },
	};

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		verdict_clear(&verdict, &body);
		verdict_rest(&verdict, &body, rows[i].reflex, WAY_LIMP, ARM, NO_JOINT);
		assert_ways(rows[i].ways);
		assert_int_equal(verdict.rests, rows[i].rests);
	}
}

static void of_several_the_worst_counts_for_each_joint(void **state)
{
	(void)state;
	verdict_rest(&verdict, &body, REFLEX_CHAIN_IMMEDIATE, WAY_LIMP, HEAD, YAW);
	verdict_rest(&verdict, &body, REFLEX_BODY_SAFE, WAY_LIMP, 0, NO_JOINT);
	verdict_rest(&verdict, &body, REFLEX_CHAIN_SAFE, WAY_LIMP, ARM, ELBOW);
	assert_ways("ppppppp00p");
	assert_true(verdict.rests);
}

static void a_joint_of_two_chains_has_both_rest_and_one_of_none_itself(void **state)
{
	(void)state;
	verdict_rest(&verdict, &body, REFLEX_CHAIN_SAFE, WAY_LIMP, joints[HIPS].chains, HIPS);
	verdict_rest(&verdict, &body, REFLEX_CHAIN_IMMEDIATE, WAY_LIMP, joints[TAIL].chains, TAIL);
	assert_ways("..ppp....0");
}

/* ---- severity ---- */

static void add(const char *table, enum part part, enum trouble trouble, int severity, size_t joint)
{
	const struct ailment ailment = {
		.part = part,
		.trouble = trouble,
		.severity = severity,
		.joint = joint,
	};

	(void)verdict_add(&verdict, &body, rules_find(table), &ailment);
}

static void a_negligible_device_silences_its_row(void **state)
{
	(void)state;
	add("NAO", PART_LEGS, TROUBLE_ERROR, NAOHW_SEVERITY_NEGLIGIBLE, LHIP);
	add("Pepper", PART_HAL, TROUBLE_CRASHED, NAOHW_SEVERITY_NEGLIGIBLE, NO_JOINT);
	assert_ways(NOTHING);
	assert_false(verdict.forbids_wake_up);
}

static void a_critical_one_raises_its_row_to_the_body(void **state)
{
	(void)state;
	add("NAO", PART_LIMBS, TROUBLE_ERROR, NAOHW_SEVERITY_CRITICAL, YAW);
	assert_ways("ppppppp00p");
	assert_true(verdict.forbids_wake_up);
	assert_true(verdict.rests);
}

/* The text's first example */
static void a_head_joint_in_error_takes_the_heads_stiffness(void **state)
{
	(void)state;
	add("NAO", PART_LIMBS, TROUBLE_ERROR, NAOHW_SEVERITY_SERIOUS, PITCH);
	assert_ways(".......00.");
	assert_false(verdict.forbids_wake_up);
}

/* The second one, where Pepper's table has another effect */
static void without_an_inertial_sensor_there_is_no_fall_manager(void **state)
{
	(void)state;
	add("NAO", PART_INERTIAL, TROUBLE_NOT_RESPONDING, NAOHW_SEVERITY_SERIOUS, NO_JOINT);
	assert_ways(NOTHING);
	assert_true(verdict.disables_fall_manager);
	assert_false(verdict.forbids_wake_up);
	verdict_clear(&verdict, &body);
	add("Pepper", PART_INERTIAL, TROUBLE_NOT_RESPONDING, NAOHW_SEVERITY_SERIOUS, NO_JOINT);
	assert_ways(SAFE);
	assert_false(verdict.disables_fall_manager);
	assert_true(verdict.forbids_wake_up);
}

static void what_no_row_has_goes_by_its_severity(void **state)
{
	(void)state;
	add("NAO", PART_LIMBS, TROUBLE_POSITION, NAOHW_SEVERITY_SERIOUS, ELBOW);
	assert_ways(".....pp...");
	assert_false(verdict.rests);
	verdict_clear(&verdict, &body);
	/* A standing robot goes down, and no leg is limp before. */
	add("NAO", PART_LEGS, TROUBLE_POSITION, NAOHW_SEVERITY_CRITICAL, LHIP);
	assert_ways(SAFE);
	assert_true(verdict.forbids_wake_up);
	verdict_clear(&verdict, &body);
	add("NAO", PART_BATTERY, TROUBLE_ERROR, NAOHW_SEVERITY_CRITICAL, NO_JOINT);
	assert_ways(SAFE);
	assert_true(verdict.forbids_wake_up);
	verdict_clear(&verdict, &body);
	add("NAO", PART_LIMBS, TROUBLE_POSITION, SEVERITY_UNKNOWN, ELBOW);
	assert_ways(NOTHING);
}

/* ---- error codes ---- */

static void codes_are_errors_noise_or_warnings(void **state)
{
	static const enum code_kind kinds[16] = {
		CODE_WARNING, CODE_ERROR, CODE_WARNING, CODE_WARNING, CODE_ERROR,   CODE_ERROR,
		CODE_WARNING, CODE_WARNING, CODE_ERROR, CODE_ERROR,   CODE_NOISE,   CODE_NOISE,
		CODE_WARNING, CODE_WARNING, CODE_ERROR, CODE_ERROR,
	};

	(void)state;
	assert_int_equal(code_kind_of(0), CODE_NONE);
	for (int code = 1; code < 256; code++)
		assert_int_equal(code_kind_of(code), kinds[code / 16]);
	assert_int_equal(code_kind_of(256), CODE_WARNING);
	assert_int_equal(code_kind_of(-1), CODE_NONE);
}

/* ---- passive ---- */

#define PERIOD 20
/* Frames until a trouble is over */
#define GOOD   (PASSIVE_GOOD_MS / PERIOD + 1)

static const struct passive_seen fine = { .answers = true };
static const struct passive_seen silent = { .answers = false };

/* So many frames like this one; ms of the last of them. */
static int64_t frames(struct passive *passive, const struct passive_seen *seen, unsigned int count)
{
	static int64_t now = 1000;

	for (; count; count--) {
		now += PERIOD;
		passive_look(passive, seen, now, PERIOD);
	}
	return now;
}

static void a_joint_is_silent_after_two_seconds_and_no_sooner(void **state)
{
	struct passive joint = { 0 };

	(void)state;
	frames(&joint, &fine, 10);
	frames(&joint, &silent, 99);
	assert_int_equal(joint.cause, PASSIVE_FINE);
	frames(&joint, &silent, 1);
	assert_int_equal(joint.cause, PASSIVE_NO_ANSWER);
	frames(&joint, &fine, GOOD - 1);
	assert_int_equal(joint.cause, PASSIVE_NO_ANSWER);
	frames(&joint, &fine, 1);
	assert_int_equal(joint.cause, PASSIVE_FINE);
}

static void answers_that_come_a_second_late_are_good(void **state)
{
	struct passive joint = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++) {
		frames(&joint, &silent, 1000 / PERIOD);
		frames(&joint, &fine, 1);
		assert_int_equal(joint.cause, PASSIVE_FINE);
	}
}

static void one_that_has_never_answered_is_silent_too(void **state)
{
	struct passive joint = { 0 };

	(void)state;
	frames(&joint, &silent, 100);
	assert_int_equal(joint.cause, PASSIVE_NO_ANSWER);
}

static void lost_torque_is_known_at_once(void **state)
{
	const struct passive_seen lost = { .answers = true, .has_lost_torque = true };
	struct passive joint = { 0 };

	(void)state;
	frames(&joint, &fine, 10);
	frames(&joint, &lost, 1);
	assert_int_equal(joint.cause, PASSIVE_NO_TORQUE);
	frames(&joint, &fine, GOOD);
	assert_int_equal(joint.cause, PASSIVE_FINE);
}

static void an_error_code_is_believed_after_200_ms(void **state)
{
	const struct passive_seen code = { .answers = true, .code = 17 };
	struct passive joint = { 0 };

	(void)state;
	frames(&joint, &code, 200 / PERIOD);
	assert_int_equal(joint.cause, PASSIVE_FINE);
	frames(&joint, &code, 1);
	assert_int_equal(joint.cause, PASSIVE_CODE);
	assert_int_equal(joint.code, 17);
	/* A whole turn lacks it. */
	frames(&joint, &fine, PASSIVE_TURN_MS / PERIOD);
	assert_int_equal(joint.cause, PASSIVE_CODE);
	frames(&joint, &fine, 1 + GOOD);
	assert_int_equal(joint.cause, PASSIVE_FINE);
}

static void a_few_frames_with_one_are_none(void **state)
{
	const struct passive_seen code = { .answers = true, .code = 17 };
	struct passive joint = { 0 };

	(void)state;
	for (int i = 0; i < 20; i++) {
		frames(&joint, &code, 3);
		frames(&joint, &fine, PASSIVE_TURN_MS / PERIOD + 1);
		assert_int_equal(joint.cause, PASSIVE_FINE);
	}
}

/* Boards send several errors in turn. */
static void of_codes_in_turn_none_is_missed(void **state)
{
	static const int turn[] = { 49, 17, 33, 209 };
	struct passive joint = { 0 };

	(void)state;
	for (int i = 0; i < 40; i++) {
		const struct passive_seen seen = { .answers = true, .code = turn[i % 4] };

		frames(&joint, &seen, 1);
	}
	assert_int_equal(joint.cause, PASSIVE_CODE);
	assert_int_equal(joint.code, 17);
}

static void warnings_and_heat_are_none(void **state)
{
	static const int codes[] = { 33, 49, 50, 51, 97, 111, 113, 127, 193, 209, 210, 211 };
	struct passive joint = { 0 };

	(void)state;
	for (size_t i = 0; i < ROWS(codes); i++) {
		const struct passive_seen seen = { .answers = true, .code = codes[i] };

		frames(&joint, &seen, 200);
		assert_int_equal(joint.cause, PASSIVE_FINE);
	}
}

/* A stall of the machine is no silence of its joints. */
static void a_time_in_which_nobody_looks_does_not_count(void **state)
{
	struct passive joint = { 0 };

	(void)state;
	passive_look(&joint, &fine, 1000, PERIOD);
	passive_look(&joint, &silent, 9000, 2 * PERIOD);
	assert_int_equal(joint.cause, PASSIVE_FINE);
}

static void noise_now_and_then_is_normal(void **state)
{
	const struct passive_seen noise = { .answers = true, .code = 161 };
	struct passive joint = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++) {
		frames(&joint, &noise, 1);
		frames(&joint, &fine, 1900 / PERIOD);
		assert_int_equal(joint.cause, PASSIVE_FINE);
	}
}

static void noise_needs_to_last(void **state)
{
	const struct passive_seen noise = { .answers = true, .code = 161 };
	struct passive joint = { 0 };

	(void)state;
	frames(&joint, &noise, PASSIVE_NOISE_MS / PERIOD);
	assert_int_equal(joint.cause, PASSIVE_FINE);
	frames(&joint, &noise, 1);
	assert_int_equal(joint.cause, PASSIVE_CODE);
}

static void an_overloaded_servo_is_in_error(void **state)
{
	const struct passive_seen overload = { .answers = true, .has_error = true };
	struct passive joint = { 0 };

	(void)state;
	frames(&joint, &overload, 200 / PERIOD + 1);
	assert_int_equal(joint.cause, PASSIVE_CODE);
	assert_int_equal(joint.code, 0);
}

/* ---- heat ---- */

#define MAX 70

static void heat_has_the_statuses_of_the_messages(void **state)
{
	(void)state;
	assert_int_equal(heat_status(NAOHW_STATUS_UNKNOWN, 50, MAX), NAOHW_STATUS_NORMAL);
	assert_int_equal(heat_status(NAOHW_STATUS_NORMAL, 60, MAX), NAOHW_STATUS_HOT);
	assert_int_equal(heat_status(NAOHW_STATUS_HOT, 63.1, MAX), NAOHW_STATUS_VERY_HOT);
	assert_int_equal(heat_status(NAOHW_STATUS_HOT, 70, MAX), NAOHW_STATUS_CRITICALLY_HOT);
	assert_int_equal(heat_trouble(NAOHW_STATUS_HOT), TROUBLE_NONE);
	assert_int_equal(heat_trouble(NAOHW_STATUS_VERY_HOT), TROUBLE_HOT);
	assert_int_equal(heat_trouble(NAOHW_STATUS_CRITICALLY_HOT), TROUBLE_VERY_HOT);
}

static void it_does_not_go_to_and_fro_at_a_limit(void **state)
{
	enum naohw_joint_status status = NAOHW_STATUS_CRITICALLY_HOT;

	(void)state;
	status = heat_status(status, MAX - 1, MAX);
	assert_int_equal(status, NAOHW_STATUS_CRITICALLY_HOT);
	status = heat_status(status, MAX - HEAT_HYSTERESIS - 0.5, MAX);
	assert_int_equal(status, NAOHW_STATUS_VERY_HOT);
	status = heat_status(status, MAX - 1, MAX);
	assert_int_equal(status, NAOHW_STATUS_VERY_HOT);
	status = heat_status(status, 20, MAX);
	assert_int_equal(status, NAOHW_STATUS_NORMAL);
}

static void a_temperature_that_nobody_knows_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(heat_status(NAOHW_STATUS_VERY_HOT, (double)NAN, MAX), NAOHW_STATUS_VERY_HOT);
	assert_int_equal(heat_status(NAOHW_STATUS_NORMAL, 90, (double)NAN), NAOHW_STATUS_NORMAL);
}

static void what_a_servo_does_not_reduce_itself_is_reduced(void **state)
{
	(void)state;
	assert_float_equal(heat_part(NAOHW_STATUS_HOT), 1, 0);
	assert_true(heat_part(NAOHW_STATUS_VERY_HOT) < 0.7);
	assert_float_equal(heat_part(NAOHW_STATUS_CRITICALLY_HOT), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_row_of_naos_table, setup),
		cmocka_unit_test_setup(each_row_of_peppers_table, setup),
		cmocka_unit_test_setup(no_trouble_changes_nothing, setup),
		cmocka_unit_test_setup(each_reflex, setup),
		cmocka_unit_test_setup(of_several_the_worst_counts_for_each_joint, setup),
		cmocka_unit_test_setup(a_joint_of_two_chains_has_both_rest_and_one_of_none_itself, setup),
		cmocka_unit_test_setup(a_negligible_device_silences_its_row, setup),
		cmocka_unit_test_setup(a_critical_one_raises_its_row_to_the_body, setup),
		cmocka_unit_test_setup(a_head_joint_in_error_takes_the_heads_stiffness, setup),
		cmocka_unit_test_setup(without_an_inertial_sensor_there_is_no_fall_manager, setup),
		cmocka_unit_test_setup(what_no_row_has_goes_by_its_severity, setup),
		cmocka_unit_test(codes_are_errors_noise_or_warnings),
		cmocka_unit_test(a_joint_is_silent_after_two_seconds_and_no_sooner),
		cmocka_unit_test(answers_that_come_a_second_late_are_good),
		cmocka_unit_test(one_that_has_never_answered_is_silent_too),
		cmocka_unit_test(lost_torque_is_known_at_once),
		cmocka_unit_test(an_error_code_is_believed_after_200_ms),
		cmocka_unit_test(a_few_frames_with_one_are_none),
		cmocka_unit_test(of_codes_in_turn_none_is_missed),
		cmocka_unit_test(warnings_and_heat_are_none),
		cmocka_unit_test(a_time_in_which_nobody_looks_does_not_count),
		cmocka_unit_test(noise_now_and_then_is_normal),
		cmocka_unit_test(noise_needs_to_last),
		cmocka_unit_test(an_overloaded_servo_is_in_error),
		cmocka_unit_test(heat_has_the_statuses_of_the_messages),
		cmocka_unit_test(it_does_not_go_to_and_fro_at_a_limit),
		cmocka_unit_test(a_temperature_that_nobody_knows_changes_nothing),
		cmocka_unit_test(what_a_servo_does_not_reduce_itself_is_reduced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
