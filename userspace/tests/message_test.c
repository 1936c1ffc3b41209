// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Messages against their text's units, signs and order, of any values in a store that has the keys
 * of a shipped robot. What is expected is written down here, and not taken of the library.
 */
#include "support.h"

#include "allocations.h"
#include "fake_iio.h"
#include "store/store.h"

#define PREFIX	 "Device/SubDeviceList/"
#define KEYS_MAX 8192
#define MS	 ((int64_t)1000000)
#define START	 (5000 * MS)
#define JOINTS	 25
#define COUNT(of) (sizeof(of) / sizeof((of)[0]))

/* JointIndexes, as the text has them */
static const char *const joints[JOINTS] = {
	"HeadYaw",    "HeadPitch", "LShoulderPitch", "LShoulderRoll",  "LElbowYaw",
	"LElbowRoll", "LWristYaw", "LHipYawPitch",   "LHipRoll",       "LHipPitch",
	"LKneePitch", "LAnklePitch", "LAnkleRoll",   "RHipRoll",       "RHipPitch",
	"RKneePitch", "RAnklePitch", "RAnkleRoll",   "RShoulderPitch", "RShoulderRoll",
	"RElbowYaw",  "RElbowRoll", "RWristYaw",     "LHand",	       "RHand",
};

static struct naohw_robot *robot;
static struct naohw_store *store;
static struct naohw_snapshot *snapshot;
static struct naohw_messages *messages;

static void close_all(void)
{
	naohw_messages_free(messages);
	naohw_snapshot_free(snapshot);
	naohw_store_close(store);
	naohw_robot_close(robot);
	messages = NULL;
	snapshot = NULL;
	store = NULL;
	robot = NULL;
}

static int teardown(void **state)
{
	(void)state;
	close_all();
	return 0;
}

static void open_robot(const char *name)
{
	struct naohw_error err;
	char path[256];

	snprintf(path, sizeof(path), ROBOTS_DIR "/%s.xml", name);
	if (naohw_robot_open(path, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

static void open_messages(void)
{
	struct naohw_error err;

	if (naohw_snapshot_new(store, &snapshot, &err) < 0 ||
	    naohw_messages_new(store, &messages, &err) < 0)
		fail_msg("%s", err.message);
}

/* ---- a store with a robot's keys, into which the test puts what it likes ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

static size_t slot_of(const char *name)
{
	size_t slot;

	if (naohw_store_find(store, name, &slot) < 0)
		fail_msg("no %s", name);
	return slot;
}

#define LIMIT "/Temperature/Sensor/Max"

/* The limits of temperatures, which messages look at once, are what the description says. */
static void put_limits(void)
{
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		struct naohw_key *key = naohw_robot_key_at(robot, i);
		struct naohw_value value = { .state = NAOHW_STATE_FRESH };

		if (!ends_with(naohw_key_name(key), LIMIT))
			continue;
		assert_int_equal(naohw_key_read(key, &value.number, NULL), 0);
		store_put(store, slot_of(naohw_key_name(key)), &value);
	}
}

static void open_keys(const char *name)
{
	static struct store_key keys[KEYS_MAX];
	size_t count;

	fake_reset();
	open_robot(name);
	count = naohw_robot_key_count(robot);
	assert_in_range(count, 1, KEYS_MAX);
	for (size_t i = 0; i < count; i++) {
		struct naohw_key *key = naohw_robot_key_at(robot, i);

		keys[i] = (struct store_key){ naohw_key_name(key), naohw_key_get_type(key),
					      ends_with(naohw_key_name(key), LIMIT) };
	}
	assert_int_equal(store_create(keys, count, &store, NULL), 0);
	put_limits();
	open_messages();
}

static void put_value(const char *name, const struct naohw_value *value)
{
	char full[256];

	snprintf(full, sizeof(full), PREFIX "%s/Value", name);
	store_put(store, slot_of(full), value);
}

static void put_in(const char *name, double number, enum naohw_state state, int64_t time)
{
	const struct naohw_value value = { .state = state, .time = time, .number = number };

	put_value(name, &value);
}

static void put(const char *name, double number)
{
	put_in(name, number, NAOHW_STATE_FRESH, START);
}

static void put_joint(size_t joint, const char *of, double number)
{
	char name[128];

	snprintf(name, sizeof(name), "%s/%s", joints[joint], of);
	put(name, number);
}

static void put_text(const char *key, const char *text)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = START };

	snprintf(value.text, sizeof(value.text), "%s", text);
	store_put(store, slot_of(key), &value);
}

/* What was put is in the messages. */
static void show(void)
{
	assert_int_equal(naohw_store_publish(store), 0);
	assert_int_equal(naohw_snapshot_take(snapshot), 0);
	assert_int_equal(naohw_messages_fill(messages, snapshot), 0);
}

/* ---- units and signs ---- */

static void standing_accelerates_upward(void **state)
{
	const struct naohw_accelerometer *found;

	(void)state;
	open_keys("nao-h25-v33");
	put("InertialSensor/AccelerometerX/Sensor", 0.5);
	put("InertialSensor/AccelerometerY/Sensor", -0.25);
	put("InertialSensor/AccelerometerZ/Sensor", 9.8);
	/* In counts, in which no message is */
	put("InertialSensor/AccZ/Sensor", 56);
	show();
	found = naohw_messages_accelerometer(messages);
	assert_near(found->x, 0.5, 0);
	assert_near(found->y, -0.25, 0);
	assert_near(found->z, 9.8, 1e-6);
	assert_int_equal(found->state.all, NAOHW_STATE_FRESH);
	assert_int_equal(found->state.time, START);
}

static void a_torso_leans_in_radians(void **state)
{
	const struct naohw_angle *found;

	(void)state;
	open_keys("nao-h25-v33");
	put("InertialSensor/AngleX/Sensor", 0.125);
	put("InertialSensor/AngleY/Sensor", -0.5);
	show();
	found = naohw_messages_angle(messages);
	assert_near(found->x, 0.125, 0);
	assert_near(found->y, -0.5, 0);
}

static void a_nao_does_not_feel_its_yaw(void **state)
{
	const struct naohw_gyroscope *found;

	(void)state;
	open_keys("nao-h25-v33");
	put("InertialSensor/GyroscopeX/Sensor", 1.5);
	put("InertialSensor/GyroscopeY/Sensor", -2.5);
	put("InertialSensor/GyrX/Sensor", -2000);
	put("InertialSensor/GyrRef/Sensor", 1526);
	show();
	found = naohw_messages_gyroscope(messages);
	assert_near(found->x, 1.5, 0);
	assert_near(found->y, -2.5, 0);
	assert_true(isnan(found->z));
	assert_int_equal(found->state.each[2], NAOHW_STATE_ABSENT);
	/* What it has is well. */
	assert_int_equal(found->state.all, NAOHW_STATE_FRESH);
}

static void a_battery_is_charged_by_a_current_above_0(void **state)
{
	static const struct {
		double current;
		bool charging;
	} known[] = { { 0.75, true }, { 0, false }, { -1.5, false } };
	const struct naohw_battery *found;

	(void)state;
	open_keys("nao-h25-v33");
	put("Battery/Charge/Sensor", 0.5);
	put("Battery/Temperature/Sensor", 31);
	for (size_t i = 0; i < COUNT(known); i++) {
		put("Battery/Current/Sensor", known[i].current);
		show();
		found = naohw_messages_battery(messages);
		assert_near(found->charge, 50, 0);
		assert_near(found->current, known[i].current, 0);
		assert_near(found->temperature, 31, 0);
		assert_int_equal(found->charging, known[i].charging);
	}
}

static unsigned int pressed(void)
{
	const struct naohw_buttons *b = naohw_messages_buttons(messages);

	return b->chest | b->l_foot_bumper_left << 1 | b->l_foot_bumper_right << 2 |
	       b->r_foot_bumper_left << 3 | b->r_foot_bumper_right << 4;
}

static unsigned int touched(void)
{
	const struct naohw_touch *touch = naohw_messages_touch(messages);

	return touch->head_front | touch->head_middle << 1 | touch->head_rear << 2;
}

/* Each of them alone is the bit of its number. */
static void check_switches(const char *const *names, size_t count, unsigned int (*bits)(void))
{
	for (size_t on = 0; on < count; on++) {
		for (size_t i = 0; i < count; i++)
			put(names[i], i == on);
		show();
		assert_int_equal(bits(), 1u << on);
	}
}

static void each_button_is_its_own(void **state)
{
	static const char *const names[] = {
		"ChestBoard/Button/Sensor", "LFoot/Bumper/Left/Sensor",
		"LFoot/Bumper/Right/Sensor", "RFoot/Bumper/Left/Sensor",
		"RFoot/Bumper/Right/Sensor",
	};

	(void)state;
	open_keys("nao-h25-v33");
	check_switches(names, COUNT(names), pressed);
}

static void each_touch_is_its_own(void **state)
{
	static const char *const names[] = {
		"Head/Touch/Front/Sensor", "Head/Touch/Middle/Sensor", "Head/Touch/Rear/Sensor",
	};

	(void)state;
	open_keys("nao-h25-v33");
	check_switches(names, COUNT(names), touched);
}

static void forces_are_weights(void **state)
{
	static const char *const names[] = {
		"LFoot/FSR/FrontLeft/Sensor", "LFoot/FSR/FrontRight/Sensor",
		"LFoot/FSR/RearLeft/Sensor",  "LFoot/FSR/RearRight/Sensor",
		"RFoot/FSR/FrontLeft/Sensor", "RFoot/FSR/FrontRight/Sensor",
		"RFoot/FSR/RearLeft/Sensor",  "RFoot/FSR/RearRight/Sensor",
	};
	const struct naohw_fsr *found;

	(void)state;
	open_keys("nao-h25-v33");
	for (size_t i = 0; i < COUNT(names); i++)
		put(names[i], 0.25 * (double)(i + 1));
	show();
	found = naohw_messages_fsr(messages);
	assert_near(found->l_foot_front_left, 0.25, 0);
	assert_near(found->l_foot_front_right, 0.5, 0);
	assert_near(found->l_foot_back_left, 0.75, 0);
	assert_near(found->l_foot_back_right, 1, 0);
	assert_near(found->r_foot_front_left, 1.25, 0);
	assert_near(found->r_foot_front_right, 1.5, 0);
	assert_near(found->r_foot_back_left, 1.75, 0);
	assert_near(found->r_foot_back_right, 2, 0);
}

static void a_sonar_has_two_sides(void **state)
{
	(void)state;
	open_keys("nao-h25-v33");
	put("US/Sensor", 1);
	put("US/Left/Sensor", 0.25);
	put("US/Right/Sensor", 2.55);
	show();
	assert_near(naohw_messages_sonar(messages)->left, 0.25, 0);
	assert_near(naohw_messages_sonar(messages)->right, 2.55, 1e-6);
}

static void a_robot_tells_which_it_is(void **state)
{
	const struct naohw_robot_config *found;

	(void)state;
	open_keys("nao-h25-v33");
	put_text("Device/DeviceList/ChestBoard/BodyId", "P0000073A07S94700012");
	put_text("RobotConfig/Body/Version", "3.3.0");
	put_text("RobotConfig/Head/BaseVersion", "V3.3");
	show();
	found = naohw_messages_robot_config(messages);
	assert_string_equal(found->body_id, "P0000073A07S94700012");
	assert_string_equal(found->body_version, "3.3.0");
	assert_string_equal(found->head_id, "");
	assert_string_equal(found->head_version, "V3.3");
	assert_int_equal(found->state.each[2], NAOHW_STATE_ABSENT);
	assert_int_equal(found->state.all, NAOHW_STATE_FRESH);
}

/* A layer for this head may know its ID. */
static void a_head_may_have_an_id(void **state)
{
	static const struct store_key keys[] = {
		{ "RobotConfig/Head/FullHeadId", NAOHW_KEY_STRING, true },
	};

	(void)state;
	assert_int_equal(store_create(keys, COUNT(keys), &store, NULL), 0);
	put_text("RobotConfig/Head/FullHeadId", "P0000074A05S93M00061");
	open_messages();
	show();
	assert_string_equal(naohw_messages_robot_config(messages)->head_id,
			    "P0000074A05S93M00061");
}

/* ---- joints ---- */

static void joints_are_in_their_order(void **state)
{
	(void)state;
	open_keys("nao-h25-v33");
	for (size_t i = 0; i < JOINTS; i++) {
		put_joint(i, "Position/Sensor", 0.125 * (double)i - 1);
		put_joint(i, "Hardness/Actuator", 0.03125 * (double)i);
		put_joint(i, "Temperature/Sensor", 30 + (double)i);
		put_joint(i, "ElectricCurrent/Sensor", 0.0625 * (double)i);
	}
	show();
	for (size_t i = 0; i < JOINTS; i++) {
		double number = (double)i;

		assert_string_equal(naohw_nao_joint_name(i), joints[i]);
		assert_near(naohw_messages_joint_positions(messages)->positions[i],
			    0.125 * number - 1, 0);
		assert_near(naohw_messages_joint_stiffnesses(messages)->stiffnesses[i],
			    0.03125 * number, 0);
		assert_near(naohw_messages_joint_temperatures(messages)->temperatures[i],
			    30 + number, 0);
		assert_near(naohw_messages_joint_currents(messages)->currents[i], 0.0625 * number,
			    0);
		assert_int_equal(naohw_messages_joint_statuses(messages)->statuses[i],
				 NAOHW_STATUS_NORMAL);
	}
	assert_null(naohw_nao_joint_name(JOINTS));
	assert_int_equal(naohw_messages_joint_positions(messages)->state.all, NAOHW_STATE_FRESH);
}

/* They are numbers that programs are built with, and some that the text has. */
static void joints_have_numbers(void **state)
{
	(void)state;
	assert_int_equal(NAOHW_NAO_JOINTS, JOINTS);
	assert_int_equal(NAOHW_NAO_HEAD_YAW, 0);
	assert_int_equal(NAOHW_NAO_L_HIP_YAW_PITCH, 7);
	assert_int_equal(NAOHW_NAO_L_KNEE_PITCH, 10);
	assert_int_equal(NAOHW_NAO_R_HIP_ROLL, 13);
	assert_int_equal(NAOHW_NAO_R_SHOULDER_PITCH, 18);
	assert_int_equal(NAOHW_NAO_R_WRIST_YAW, 22);
	assert_int_equal(NAOHW_NAO_L_HAND, 23);
	assert_int_equal(NAOHW_NAO_R_HAND, 24);
}

static void a_free_joint_has_no_stiffness(void **state)
{
	static const double known[][2] = { { -1, 0 }, { 0, 0 }, { 0.5, 0.5 }, { 1, 1 } };

	(void)state;
	open_keys("nao-h25-v33");
	for (size_t i = 0; i < COUNT(known); i++) {
		put("HeadYaw/Hardness/Actuator", known[i][0]);
		show();
		assert_near(naohw_messages_joint_stiffnesses(messages)->stiffnesses[0],
			    known[i][1], 0);
	}
}

struct heat {
	double temperature;
	int status;
};

static void check_heat(const char *name, const struct heat *heat, size_t count)
{
	open_keys(name);
	for (size_t i = 0; i < count; i++) {
		int found;

		put("RKneePitch/Temperature/Sensor", heat[i].temperature);
		show();
		found = naohw_messages_joint_statuses(messages)->statuses[NAOHW_NAO_R_KNEE_PITCH];
		if (found != heat[i].status)
			fail_msg("%s: %g degrees are %d, expected %d", name, heat[i].temperature,
				 found, heat[i].status);
	}
	close_all();
}

/* By its maker a NAO's current is limited from 75 on, so that it stays below 85. */
static void a_status_is_how_hot_a_joint_is(void **state)
{
	static const struct heat nao[] = {
		{ 0, 0 },    { 50, 0 }, { 74.9, 0 }, { 75, 1 },	 { 78, 1 },
		{ 78.1, 2 }, { 84, 2 }, { 84.9, 2 }, { 85, 3 }, { 120, 3 },
	};
	static const struct heat mx28[] = { { 69.9, 0 }, { 70, 1 }, { 73.1, 2 }, { 80, 3 } };
	static const struct heat ax12[] = { { 59, 0 }, { 60, 1 }, { 64, 2 }, { 69, 2 }, { 70, 3 } };

	(void)state;
	check_heat("nao-h25-v33", nao, COUNT(nao));
	check_heat("darwin-op", mx28, COUNT(mx28));
	check_heat("op3", mx28, COUNT(mx28));
	check_heat("bioloid", ax12, COUNT(ax12));
}

/* Numbers of a sensor are no rounder than its Gain. */
static void rounding_heats_nothing(void **state)
{
	(void)state;
	open_keys("nao-h25-v33");
	put("HeadYaw/Temperature/Sensor", nextafter(78, 100));
	put("HeadPitch/Temperature/Sensor", nextafter(75, 0));
	show();
	assert_int_equal(naohw_messages_joint_statuses(messages)->statuses[0], NAOHW_STATUS_HOT);
	assert_int_equal(naohw_messages_joint_statuses(messages)->statuses[1], NAOHW_STATUS_HOT);
}

static void without_a_limit_nobody_knows(void **state)
{
	static const struct store_key keys[] = {
		{ PREFIX "HeadPitch/Temperature/Sensor/Max", NAOHW_KEY_FLOAT, true },
		{ PREFIX "HeadPitch/Temperature/Sensor/Value", NAOHW_KEY_FLOAT, false },
		{ PREFIX "HeadYaw/Temperature/Sensor/Value", NAOHW_KEY_FLOAT, false },
	};

	(void)state;
	assert_int_equal(store_create(keys, COUNT(keys), &store, NULL), 0);
	open_messages();
	put("HeadYaw/Temperature/Sensor", 90);
	put("HeadPitch/Temperature/Sensor", 90);
	show();
	assert_near(naohw_messages_joint_temperatures(messages)->temperatures[0], 90, 0);
	assert_int_equal(naohw_messages_joint_statuses(messages)->statuses[0],
			 NAOHW_STATUS_UNKNOWN);
	/* One that is there, and is not */
	assert_int_equal(naohw_messages_joint_statuses(messages)->statuses[1],
			 NAOHW_STATUS_UNKNOWN);
}

/* ---- which robot has what ---- */

/* 1: the field has a source; joints that are not NAO's, as LHipYaw, are in no message. */
#define NAO_JOINTS_ALL "1111111111111111111111111"
#define HUMANOID       "1111010011111111111101000"
#define NO_JOINTS      "0000000000000000000000000"
#define NAO_HEAD       "1100000000000000000000000"

static const struct owner {
	const char *name;
	const char *accelerometer, *angle, *battery, *buttons, *fsr, *gyroscope;
	const char *joints, *currents, *sonar, *touch, *config;
} owners[] = {
	{ "nao-h25-v33", "111", "11", "1111", "11111", "11111111", "110", NAO_JOINTS_ALL,
	  NAO_JOINTS_ALL, "11", "111", "1101" },
	{ "nao-t2-v33", "111", "11", "1111", "10000", "00000000", "110", NAO_HEAD, NAO_HEAD, "11",
	  "111", "1101" },
	{ "darwin-op", "111", "00", "0000", "10000", "11111111", "111", HUMANOID, NO_JOINTS, "00",
	  "000", "0000" },
	{ "op3", "111", "11", "0000", "10000", "00000000", "111", HUMANOID, HUMANOID, "00", "000",
	  "0000" },
	{ "bioloid", "000", "00", "0000", "00000", "00000000", "000", HUMANOID, NO_JOINTS, "00",
	  "000", "0000" },
	{ "bioloid-premium", "000", "00", "0000", "10000", "00000000", "110", HUMANOID, NO_JOINTS,
	  "00", "000", "0000" },
	{ "bioloid-premium-accel", "110", "00", "0000", "10000", "00000000", "000", HUMANOID,
	  NO_JOINTS, "00", "000", "0000" },
};

static void put_one_everywhere(void)
{
	const struct naohw_value one = { .state = NAOHW_STATE_FRESH, .time = START, .number = 1,
					 .integer = 1, .text = "1" };

	for (size_t i = 0; i < naohw_store_slot_count(store); i++)
		if (!ends_with(naohw_store_name(store, i), "/Max"))
			store_put(store, i, &one);
}

static void check_has(const char *robot_name, const char *message,
		      const struct naohw_message_state *state, const char *expected)
{
	for (size_t i = 0; i < NAOHW_MESSAGE_FIELDS; i++) {
		bool has = i < strlen(expected) && expected[i] == '1';

		if ((state->each[i] == NAOHW_STATE_FRESH) != has)
			fail_msg("%s: %s's field %zu is %d", robot_name, message, i,
				 state->each[i]);
	}
	assert_int_equal(state->all,
			 strchr(expected, '1') ? NAOHW_STATE_FRESH : NAOHW_STATE_ABSENT);
	assert_int_equal(state->time, strchr(expected, '1') ? START : 0);
}

#define CHECK_HAS(owner, message, expected) \
	check_has((owner)->name, #message, &naohw_messages_##message(messages)->state, expected)

static void check_owner(const struct owner *owner)
{
	open_keys(owner->name);
	put_one_everywhere();
	show();
	CHECK_HAS(owner, accelerometer, owner->accelerometer);
	CHECK_HAS(owner, angle, owner->angle);
	CHECK_HAS(owner, battery, owner->battery);
	CHECK_HAS(owner, buttons, owner->buttons);
	CHECK_HAS(owner, fsr, owner->fsr);
	CHECK_HAS(owner, gyroscope, owner->gyroscope);
	CHECK_HAS(owner, joint_positions, owner->joints);
	CHECK_HAS(owner, joint_stiffnesses, owner->joints);
	CHECK_HAS(owner, joint_temperatures, owner->joints);
	CHECK_HAS(owner, joint_statuses, owner->joints);
	CHECK_HAS(owner, joint_currents, owner->currents);
	CHECK_HAS(owner, sonar, owner->sonar);
	CHECK_HAS(owner, touch, owner->touch);
	CHECK_HAS(owner, robot_config, owner->config);
	close_all();
}

static void each_robot_has_what_its_keys_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(owners); i++)
		check_owner(&owners[i]);
}

/* ---- what nobody knows, and what is old ---- */

static void check_nothing_is_known(void)
{
	const struct naohw_battery *battery = naohw_messages_battery(messages);

	assert_true(isnan(naohw_messages_accelerometer(messages)->z));
	assert_true(isnan(naohw_messages_angle(messages)->x));
	assert_true(isnan(battery->charge));
	assert_true(isnan(battery->current));
	assert_false(battery->charging);
	assert_int_equal(pressed(), 0);
	assert_int_equal(touched(), 0);
	assert_true(isnan(naohw_messages_fsr(messages)->r_foot_back_right));
	assert_true(isnan(naohw_messages_sonar(messages)->left));
	assert_string_equal(naohw_messages_robot_config(messages)->body_id, "");
	for (size_t i = 0; i < JOINTS; i++) {
		assert_true(isnan(naohw_messages_joint_positions(messages)->positions[i]));
		assert_true(isnan(naohw_messages_joint_stiffnesses(messages)->stiffnesses[i]));
		assert_int_equal(naohw_messages_joint_statuses(messages)->statuses[i],
				 NAOHW_STATUS_UNKNOWN);
	}
	assert_int_equal(naohw_messages_joint_positions(messages)->state.all, NAOHW_STATE_ABSENT);
	assert_int_equal(naohw_messages_joint_positions(messages)->state.time, 0);
	assert_int_equal(naohw_messages_time(messages), 0);
}

static void at_first_nothing_is_known(void **state)
{
	(void)state;
	open_keys("nao-h25-v33");
	check_nothing_is_known();
	assert_int_equal(naohw_messages_sequence(messages), 0);
	/* Of a snapshot that nobody has taken */
	assert_int_equal(naohw_messages_fill(messages, snapshot), 0);
	check_nothing_is_known();
	assert_int_equal(naohw_messages_sequence(messages), 0);
	show();
	check_nothing_is_known();
	assert_int_equal(naohw_messages_sequence(messages), 1);
}

/* A store keeps the last value of what is absent, messages do not. */
static void what_is_absent_again_has_no_value(void **state)
{
	(void)state;
	open_keys("nao-h25-v33");
	put_one_everywhere();
	show();
	assert_near(naohw_messages_accelerometer(messages)->z, 1, 0);
	assert_true(naohw_messages_battery(messages)->charging);
	assert_int_equal(pressed(), 0x1f);
	for (size_t i = 0; i < naohw_store_slot_count(store); i++) {
		const struct naohw_value gone = { .time = START, .number = 1, .integer = 1,
						  .text = "1" };

		if (!ends_with(naohw_store_name(store, i), "/Max"))
			store_put(store, i, &gone);
	}
	show();
	check_nothing_is_known();
}

static const char *const positions[] = { "HeadYaw/Position/Sensor", "HeadPitch/Position/Sensor" };

static void put_heads(enum naohw_state one, int64_t one_time, enum naohw_state other,
		      int64_t other_time)
{
	for (size_t i = 0; i < JOINTS; i++)
		put_joint(i, "Position/Sensor", 0.5);
	put_in(positions[0], 0.25, one, one_time);
	put_in(positions[1], 0.75, other, other_time);
	show();
}

/* Fresh, then faulty, then stale, then absent */
static void a_message_is_as_good_as_its_worst_field(void **state)
{
	static const enum naohw_state order[] = { NAOHW_STATE_FRESH, NAOHW_STATE_FAULTY,
						  NAOHW_STATE_STALE, NAOHW_STATE_ABSENT };
	const struct naohw_joint_positions *found;

	(void)state;
	open_keys("nao-h25-v33");
	found = naohw_messages_joint_positions(messages);
	for (size_t i = 0; i < COUNT(order); i++)
		for (size_t j = 0; j < COUNT(order); j++) {
			put_heads(order[i], START, order[j], START);
			assert_int_equal(found->state.all, order[i > j ? i : j]);
			assert_int_equal(found->state.each[0], order[i]);
			assert_int_equal(found->state.each[1], order[j]);
			assert_int_equal(found->state.each[2], NAOHW_STATE_FRESH);
		}
}

static void what_is_old_is_there_and_told(void **state)
{
	const struct naohw_joint_positions *found;

	(void)state;
	open_keys("nao-h25-v33");
	found = naohw_messages_joint_positions(messages);
	put_heads(NAOHW_STATE_STALE, START - 700 * MS, NAOHW_STATE_FAULTY, START + 10 * MS);
	assert_near(found->positions[0], 0.25, 0);
	assert_near(found->positions[1], 0.75, 0);
	/* The newest of them; of the other messages none is known. */
	assert_int_equal(found->state.time, START + 10 * MS);
	assert_int_equal(naohw_messages_time(messages), START + 10 * MS);
	assert_int_equal(naohw_messages_joint_currents(messages)->state.all, NAOHW_STATE_ABSENT);
	/* What was once and is no more has no time either. */
	put_heads(NAOHW_STATE_FRESH, START, NAOHW_STATE_ABSENT, START + 20 * MS);
	assert_int_equal(found->state.time, START);
	assert_true(isnan(found->positions[1]));
}

/* Others may go on to publish: what was taken is what messages are of. */
static void all_is_of_one_snapshot(void **state)
{
	const struct naohw_joint_positions *found;

	(void)state;
	open_keys("nao-h25-v33");
	found = naohw_messages_joint_positions(messages);
	put_one_everywhere();
	assert_int_equal(naohw_store_publish(store), 0);
	assert_int_equal(naohw_snapshot_take(snapshot), 0);
	for (size_t i = 0; i < JOINTS; i++)
		put_joint(i, "Position/Sensor", 2);
	put("InertialSensor/AccelerometerZ/Sensor", 2);
	assert_int_equal(naohw_store_publish(store), 0);
	assert_int_equal(naohw_messages_fill(messages, snapshot), 0);
	for (size_t i = 0; i < JOINTS; i++)
		assert_near(found->positions[i], 1, 0);
	assert_near(naohw_messages_accelerometer(messages)->z, 1, 0);
	assert_int_equal(naohw_messages_sequence(messages), 1);
	show();
	assert_int_equal(naohw_messages_sequence(messages), naohw_store_sequence(store));
	assert_near(found->positions[0], 2, 0);
	assert_near(naohw_messages_accelerometer(messages)->z, 2, 0);
}

static void a_snapshot_of_another_store_is_refused(void **state)
{
	static const struct store_key keys[] = { { "Other", NAOHW_KEY_FLOAT, false } };
	struct naohw_snapshot *strange;
	struct naohw_store *other;

	(void)state;
	open_keys("nao-h25-v33");
	put_one_everywhere();
	show();
	assert_int_equal(store_create(keys, COUNT(keys), &other, NULL), 0);
	assert_int_equal(naohw_snapshot_new(other, &strange, NULL), 0);
	assert_int_equal(naohw_messages_fill(messages, strange), -EINVAL);
	assert_near(naohw_messages_accelerometer(messages)->z, 1, 0);
	assert_int_equal(naohw_messages_sequence(messages), 1);
	naohw_snapshot_free(strange);
	naohw_store_close(other);
}

/* As another process has it */
static void an_attached_store_has_messages(void **state)
{
	struct naohw_messages *theirs;
	struct naohw_snapshot *seen;
	struct naohw_store *attached;

	(void)state;
	open_keys("nao-h25-v33");
	put_one_everywhere();
	put("RHand/Temperature/Sensor", 76);
	show();
	assert_int_equal(naohw_store_attach(naohw_store_fd(store), &attached, NULL), 0);
	assert_int_equal(naohw_snapshot_new(attached, &seen, NULL), 0);
	assert_int_equal(naohw_messages_new(attached, &theirs, NULL), 0);
	assert_int_equal(naohw_snapshot_take(seen), 0);
	assert_int_equal(naohw_messages_fill(theirs, seen), 0);
	assert_near(naohw_messages_accelerometer(theirs)->z, 1, 0);
	assert_int_equal(naohw_messages_joint_statuses(theirs)->statuses[NAOHW_NAO_R_HAND],
			 NAOHW_STATUS_HOT);
	naohw_messages_free(theirs);
	naohw_snapshot_free(seen);
	naohw_store_close(attached);
}

static void filling_allocates_nothing(void **state)
{
	unsigned int before, during;

	(void)state;
	before = allocations();
	open_keys("nao-h25-v33");
	put_one_everywhere();
	assert_true(allocations() > before);
	before = allocations();
	for (unsigned int i = 0; i < 20; i++)
		show();
	during = allocations() - before;
	assert_int_equal(during, 0);
}

int main(void)
{
#define MESSAGE_TEST(test) cmocka_unit_test_teardown(test, teardown)
	const struct CMUnitTest tests[] = {
		MESSAGE_TEST(standing_accelerates_upward),
		MESSAGE_TEST(a_torso_leans_in_radians),
		MESSAGE_TEST(a_nao_does_not_feel_its_yaw),
		MESSAGE_TEST(a_battery_is_charged_by_a_current_above_0),
		MESSAGE_TEST(each_button_is_its_own),
		MESSAGE_TEST(each_touch_is_its_own),
		MESSAGE_TEST(forces_are_weights),
		MESSAGE_TEST(a_sonar_has_two_sides),
		MESSAGE_TEST(a_robot_tells_which_it_is),
		MESSAGE_TEST(a_head_may_have_an_id),
		MESSAGE_TEST(joints_are_in_their_order),
		MESSAGE_TEST(joints_have_numbers),
		MESSAGE_TEST(a_free_joint_has_no_stiffness),
		MESSAGE_TEST(a_status_is_how_hot_a_joint_is),
		MESSAGE_TEST(rounding_heats_nothing),
		MESSAGE_TEST(without_a_limit_nobody_knows),
		MESSAGE_TEST(each_robot_has_what_its_keys_are),
		MESSAGE_TEST(at_first_nothing_is_known),
		MESSAGE_TEST(what_is_absent_again_has_no_value),
		MESSAGE_TEST(a_message_is_as_good_as_its_worst_field),
		MESSAGE_TEST(what_is_old_is_there_and_told),
		MESSAGE_TEST(all_is_of_one_snapshot),
		MESSAGE_TEST(a_snapshot_of_another_store_is_refused),
		MESSAGE_TEST(an_attached_store_has_messages),
		MESSAGE_TEST(filling_allocates_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
