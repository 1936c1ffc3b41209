// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What LoLA has of a robot: of a whole NAO each field with its unit and sign, of a Bioloid what it
 * has, and which keys of theirs a client's fields are.
 */
#include "support.h"

#include "../naohwd/lola/sensors.h"
#include "fake_iio.h"
#include "lola_bytes.h"
#include "lola_programs.h"
#include "nao_boards.h"

#define MS	      ((int64_t)1000000)
#define START	      (5000 * MS)
#define BIOLOID_BUSES 4
#define SUBDEVICES    "Device/SubDeviceList/"

static const char *const joint_names[] = {
	"HeadYaw",    "HeadPitch",   "LShoulderPitch", "LShoulderRoll",	 "LElbowYaw",
	"LElbowRoll", "LWristYaw",   "LHipYawPitch",   "LHipRoll",	 "LHipPitch",
	"LKneePitch", "LAnklePitch", "LAnkleRoll",     "RHipRoll",	 "RHipPitch",
	"RKneePitch", "RAnklePitch", "RAnkleRoll",     "RShoulderPitch", "RShoulderRoll",
	"RElbowYaw",  "RElbowRoll",  "RWristYaw",      "LHand",		 "RHand",
};

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct naohw_store *store;
static struct lola_senses *senses;
static struct nao_joints_frame joints[NAO_BUSES];
static struct nao_boards_frame boards;
static uint8_t packet[LOLA_SENSORS_SIZE];

static int teardown(void **state)
{
	(void)state;
	lola_senses_free(senses);
	naohw_store_close(store);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	senses = NULL;
	store = NULL;
	frame = NULL;
	robot = NULL;
	return 0;
}

static void open_all(const char *path)
{
	struct naohw_error err;

	if (naohw_robot_open(path, NULL, &robot, &err) < 0 ||
	    naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_store_open(robot, frame, &store, &err) < 0 ||
	    lola_senses_new(store, &senses, &err) < 0)
		fail_msg("%s", err.message);
	memset(joints, 0, sizeof(joints));
	memset(&boards, 0, sizeof(boards));
	for (size_t bus = 0; bus < NAO_BUSES; bus++)
		for (size_t i = 0; i < NAO_JOINTS; i++)
			joints[bus].servo[i] =
				(struct nao_servo){ .angle = 512, .temperature = 50 };
}

static void open_nao(void)
{
	struct naohw_error err;

	if (nao_make_whole(&err) < 0)
		fail_msg("%s", err.message);
	open_all(NAO_ROBOT);
}

static void open_bioloid(void)
{
	struct naohw_error err;

	if (nao_make_other(ROBOTS_DIR "/bioloid.xml", BIOLOID_BUSES, &err) < 0)
		fail_msg("%s", err.message);
	open_all(ROBOTS_DIR "/bioloid.xml");
}

/* The frames become a packet. */
static void show(unsigned int buses, size_t size)
{
	static int64_t now = START;
	struct lola_sensors sensors;
	struct naohw_error err;

	now += 10 * MS;
	for (unsigned int bus = 0; bus < buses; bus++) {
		joints[bus].time = now;
		fake_frame(bus, &joints[bus], size);
	}
	boards.time = now;
	if (buses == NAO_BUSES)
		fake_frame(NAO_BOARDS, &boards, sizeof(boards));
	if (naohw_frame_read(frame, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(naohw_store_publish(store), 0);
	assert_int_equal(lola_sense(senses, &sensors), 0);
	lola_encode(&sensors, packet);
}

static void show_nao(void)
{
	show(NAO_BUSES, sizeof(joints[0]));
}

static void show_bioloid(void)
{
	show(BIOLOID_BUSES, offsetof(struct nao_joints_frame, current));
}

static double found(const char *name, unsigned int index)
{
	return float_of(packet, sizeof(packet), name, index);
}

static size_t number_of(const char *label)
{
	size_t number;

	if (naohw_robot_find_joint(robot, label, &number) < 0)
		fail_msg("no %s", label);
	return number;
}

static struct nao_servo *servo_of(const char *label)
{
	return &joints[number_of(label) / NAO_JOINTS].servo[number_of(label) % NAO_JOINTS];
}

static int16_t *current_of(const char *label)
{
	return &joints[number_of(label) / NAO_JOINTS].current[number_of(label) % NAO_JOINTS];
}

static double read_key(const char *name)
{
	struct naohw_value value;
	char full[128];
	size_t slot;

	snprintf(full, sizeof(full), SUBDEVICES "%s/Sensor/Value", name);
	assert_int_equal(naohw_store_find(store, full, &slot), 0);
	assert_int_equal(naohw_store_read(store, slot, &value), 0);
	return value.number;
}

/* ---- sensors ---- */

/* [lola-5] [lola-11] Each has another value, so that none is at another's place. */
static void each_joint_is_at_its_index(void **state)
{
	unsigned int count;
	const uint8_t *status;
	char name[64];

	(void)state;
	open_nao();
	for (unsigned int i = 0; i < 25; i++) {
		*servo_of(joint_names[i]) = (struct nao_servo){
			.angle = (int16_t)(512 + i),
			.temperature = (uint8_t)(40 + i),
		};
		*current_of(joint_names[i]) = (int16_t)(100 * i);
	}
	servo_of("LKneePitch")->temperature = 75;
	servo_of("RKneePitch")->temperature = 79;
	servo_of("RHand")->temperature = 85;
	show_nao();
	for (unsigned int i = 0; i < 25; i++) {
		snprintf(name, sizeof(name), "%s/Position", joint_names[i]);
		assert_near(found("Position", i), read_key(name), 1e-6);
		assert_near(found("Temperature", i), servo_of(joint_names[i])->temperature, 1e-4);
		snprintf(name, sizeof(name), "%s/ElectricCurrent", joint_names[i]);
		assert_near(found("Current", i), read_key(name), 1e-6);
		assert_true(i == 0 || found("Current", i) > found("Current", i - 1));
	}
	status = field_of(packet, sizeof(packet), "Status", &count);
	assert_int_equal(count, 25);
	assert_int_equal(status[0], 0);
	assert_int_equal(status[10], 1);
	assert_int_equal(status[15], 2);
	assert_int_equal(status[24], 3);
}

/* [lola-4] */
static void a_standing_nao_has_its_gravity_below(void **state)
{
	(void)state;
	open_nao();
	boards.inertial.acceleration[0] = 1;
	boards.inertial.acceleration[1] = -2;
	boards.inertial.acceleration[2] = 56;
	show_nao();
	assert_near(found("Accelerometer", 0), -0.17511875, 1e-6);
	assert_near(found("Accelerometer", 1), 2 * 0.17511875, 1e-6);
	assert_near(found("Accelerometer", 2), -9.80665, 1e-4);
}

/* [lola-8] */
static void it_turns_and_leans_by_the_right_hand(void **state)
{
	(void)state;
	open_nao();
	boards.inertial.rate[0] = 10;
	boards.inertial.rate[1] = -20;
	boards.inertial.angle[0] = 100;
	boards.inertial.angle[1] = -200;
	show_nao();
	assert_near(found("Gyroscope", 0), read_key("InertialSensor/GyroscopeX"), 1e-6);
	assert_near(found("Gyroscope", 1), read_key("InertialSensor/GyroscopeY"), 1e-6);
	assert_true(found("Gyroscope", 0) > 0 && found("Gyroscope", 1) < 0);
	/* Which it has no sensor for */
	assert_near(found("Gyroscope", 2), 0, 0);
	assert_near(found("Angles", 0), read_key("InertialSensor/AngleX"), 1e-6);
	assert_near(found("Angles", 1), read_key("InertialSensor/AngleY"), 1e-6);
	assert_true(found("Angles", 0) > 0 && found("Angles", 1) < 0);
}

/* [lola-7] */
static void its_feet_have_kilograms(void **state)
{
	static const char *const sensors[] = {
		"LFoot/FSR/FrontLeft", "LFoot/FSR/FrontRight", "LFoot/FSR/RearLeft",
		"LFoot/FSR/RearRight", "RFoot/FSR/FrontLeft",  "RFoot/FSR/FrontRight",
		"RFoot/FSR/RearLeft",  "RFoot/FSR/RearRight",
	};

	(void)state;
	open_nao();
	for (unsigned int i = 0; i < 4; i++) {
		boards.left.force[i] = (uint16_t)(1000 * (i + 1));
		boards.right.force[i] = (uint16_t)(5000 + 1000 * i);
	}
	show_nao();
	for (unsigned int i = 0; i < 8; i++)
		assert_near(found("FSR", i), read_key(sensors[i]), 1e-6);
	assert_near(found("FSR", 0), 0.101971621, 1e-6);
}

/* One touch at a time, each in the packet alone. */
static void assert_touched(unsigned int index)
{
	show_nao();
	for (unsigned int i = 0; i < 14; i++)
		assert_near(found("Touch", i), i == index, 0);
}

/* [lola-9] */
static void it_feels_each_touch(void **state)
{
	(void)state;
	open_nao();
	for (unsigned int i = 0; i < 3; i++) {
		boards.head.touch = (uint16_t)(1 << i);
		assert_touched(1 + i);
		boards.head.touch = 0;
	}
	for (unsigned int i = 0; i < 2; i++) {
		boards.left.buttons = (uint16_t)(1 << i);
		assert_touched(4 + i);
		boards.left.buttons = 0;
		boards.right.buttons = (uint16_t)(1 << i);
		assert_touched(9 + i);
		boards.right.buttons = 0;
	}
	for (unsigned int i = 0; i < 3; i++) {
		boards.left_hand.touch = (uint16_t)(1 << i);
		assert_touched(6 + i);
		boards.left_hand.touch = 0;
		boards.right_hand.touch = (uint16_t)(1 << i);
		assert_touched(11 + i);
		boards.right_hand.touch = 0;
	}
}

/* [lola-10] */
static void it_hears_how_far_away_things_are(void **state)
{
	(void)state;
	open_nao();
	boards.sonar.left = 55;
	boards.sonar.right = 130;
	show_nao();
	assert_near(found("Sonar", 0), 0.55, 1e-6);
	assert_near(found("Sonar", 1), 1.3, 1e-6);
}

/* ---- what is not there ---- */

static bool has_joint(unsigned int index)
{
	char name[128];
	size_t slot;

	snprintf(name, sizeof(name), SUBDEVICES "%s/Position/Sensor/Value", joint_names[index]);
	return naohw_store_find(store, name, &slot) == 0;
}

/* [lola-5] */
static void what_a_bioloid_lacks_is_0(void **state)
{
	unsigned int count, joints_there = 0;
	const uint8_t *config;

	(void)state;
	open_bioloid();
	for (unsigned int i = 0; i < BIOLOID_BUSES * NAO_JOINTS; i++)
		joints[i / NAO_JOINTS].servo[i % NAO_JOINTS].angle = 600;
	show_bioloid();
	for (unsigned int i = 0; i < 25; i++) {
		joints_there += has_joint(i);
		assert_int_equal(found("Position", i) != 0, has_joint(i));
		assert_int_equal(found("Temperature", i) != 0, has_joint(i));
		assert_near(found("Current", i), 0, 0);
	}
	assert_in_range(joints_there, 15, 24);
	for (unsigned int i = 0; i < 3; i++)
		assert_near(found("Accelerometer", i), 0, 0);
	for (unsigned int i = 0; i < 4; i++)
		assert_near(found("Battery", i), i == 1 ? 32 : 0, 0);
	config = field_of(packet, sizeof(packet), "RobotConfig", &count);
	assert_int_equal(count, 4);
	assert_memory_equal(config,
			    "\xb4                    \xa5"
			    "0.0.0",
			    27);
}

/* ---- programs ---- */

/* As each program that looks at it reads the battery's status; nao_lola looks at the current. */
static void assert_not_charging(void)
{
	struct nao_devils devils;
	struct runswift runswift;
	struct nao_lola lola;
	struct bhuman bhuman;
	struct hulks hulks;
	uint32_t bits;

	read_as_hulks(packet, sizeof(packet), &hulks);
	assert_int_equal((int)hulks.battery.status & 0x80, 0);
	read_as_bhuman(packet, sizeof(packet), &bhuman);
	assert_int_equal((int16_t)bhuman_float(packet, bhuman.battery_charging, 0) & 0x80, 0);
	read_as_nao_devils(packet, sizeof(packet), &devils);
	assert_int_equal((int)devils.battery.status & 0x20, 0x20);
	read_as_runswift(packet, sizeof(packet), &runswift);
	memcpy(&bits, &runswift.battery.status, sizeof(bits));
	assert_int_equal(bits >> 14 & 1, 0);
	read_as_nao_lola(packet, sizeof(packet), &lola);
	assert_int_equal((int16_t)lola.battery.status & 0x80, 0);
}

static void assert_joints(const float *joint, const char *field)
{
	for (unsigned int i = 0; i < 25; i++)
		assert_near(joint[i], found(field, i), 0);
}

/* [lola-26] */
static void each_program_reads_a_nao(void **state)
{
	struct berlin_united united;
	struct nao_devils devils;
	struct bembelbots bots;
	struct runswift runswift;
	struct nidhogg nidhogg;
	struct nao_lola lola;
	struct bhuman bhuman;
	struct hulks hulks;

	(void)state;
	open_nao();
	for (unsigned int i = 0; i < 25; i++)
		servo_of(joint_names[i])->angle = (int16_t)(520 + i);
	servo_of("RKneePitch")->temperature = 79;
	boards.inertial.acceleration[2] = 56;
	boards.left.force[1] = 4000;
	boards.right.buttons = 2;
	show_nao();
	read_as_hulks(packet, sizeof(packet), &hulks);
	assert_int_equal(hulks.body_version, 3);
	assert_int_equal(hulks.head_version, 3);
	assert_near(hulks.position.right_knee_pitch, read_key("RKneePitch/Position"), 1e-6);
	assert_near(hulks.position.left_hand, read_key("LHand/Position"), 1e-6);
	assert_near(hulks.temperature.right_knee_pitch, 79, 1e-4);
	assert_near(hulks.status.right_knee_pitch, 2, 0);
	assert_near(hulks.left_foot[1], read_key("LFoot/FSR/FrontRight"), 1e-6);
	assert_true(hulks.touch.right_foot_right && !hulks.touch.right_foot_left);
	read_as_nao_devils(packet, sizeof(packet), &devils);
	assert_joints(devils.position, "Position");
	assert_int_equal(devils.status[15], 2);
	assert_near(devils.acc[2], -9.80665, 1e-4);
	read_as_berlin_united(packet, sizeof(packet), &united);
	assert_joints(united.position, "Position");
	assert_int_equal(united.status[15], 2);
	assert_int_equal(strlen(united.config.full_head_id), 20);
	assert_near(united.left_fsr[1], hulks.left_foot[1], 0);
	read_as_nidhogg(packet, sizeof(packet), &nidhogg);
	assert_joints(nidhogg.temperature, "Temperature");
	assert_int_equal(nidhogg.status[15], 2);
	read_as_nao_lola(packet, sizeof(packet), &lola);
	assert_joints(lola.position, "Position");
	assert_near(lola.status[15], 2, 0);
	read_as_runswift(packet, sizeof(packet), &runswift);
	assert_joints(runswift.angles, "Position");
	assert_near(runswift.touch[10], 1, 0);
	read_as_bembelbots(packet, sizeof(packet), &bots);
	assert_joints(bots.position, "Position");
	assert_near(bots.status[15], 2, 0);
	read_as_bhuman(packet, sizeof(packet), &bhuman);
	for (unsigned int i = 0; i < 25; i++)
		assert_near(bhuman_float(packet, bhuman.joint_angles, i), found("Position", i), 0);
	assert_int_equal(packet[bhuman.joint_statuses + 15], 2);
	assert_near(bhuman_float(packet, bhuman.keys, 10), 1, 0);
}

/* [lola-26] [lola-27] The layout that B-Human keeps holds for all robots. */
static void and_a_bioloid_that_has_no_battery(void **state)
{
	struct berlin_united united;
	struct bembelbots bots;
	struct nidhogg nidhogg;
	struct hulks hulks;

	(void)state;
	open_bioloid();
	show_bioloid();
	assert_not_charging();
	read_as_hulks(packet, sizeof(packet), &hulks);
	assert_int_equal(hulks.body_version, 0);
	assert_int_equal(hulks.head_version, 0);
	read_as_berlin_united(packet, sizeof(packet), &united);
	read_as_nidhogg(packet, sizeof(packet), &nidhogg);
	assert_string_equal(nidhogg.head_version, "0.0.0");
	read_as_bembelbots(packet, sizeof(packet), &bots);
	assert_near(bots.battery_current, 0, 0);
}

/* ---- actuators ---- */

static void write_name(const struct lola_field *field, unsigned int index, char name[128])
{
	if (field->of_joint)
		snprintf(name, 128, SUBDEVICES "%s%s/Value", joint_names[index], field->of_joint);
	else
		snprintf(name, 128, SUBDEVICES "%s/Value", field->actuator[index]);
}

/* What a client's index is, as NAO's programs have it */
static const struct {
	enum lola_actuator field;
	unsigned int index;
	const char *actuator;
} known[] = {
	{ LOLA_R_EAR, 0, "Ears/Led/Right/324Deg/Actuator" },
	{ LOLA_R_EAR, 9, "Ears/Led/Right/0Deg/Actuator" },
	{ LOLA_L_EAR, 0, "Ears/Led/Left/0Deg/Actuator" },
	{ LOLA_L_EAR, 9, "Ears/Led/Left/324Deg/Actuator" },
	{ LOLA_CHEST, 0, "ChestBoard/Led/Red/Actuator" },
	{ LOLA_CHEST, 1, "ChestBoard/Led/Green/Actuator" },
	{ LOLA_CHEST, 2, "ChestBoard/Led/Blue/Actuator" },
	{ LOLA_L_EYE, 0, "Face/Led/Red/Left/45Deg/Actuator" },
	{ LOLA_L_EYE, 1, "Face/Led/Red/Left/0Deg/Actuator" },
	{ LOLA_L_EYE, 7, "Face/Led/Red/Left/90Deg/Actuator" },
	{ LOLA_L_EYE, 8, "Face/Led/Green/Left/45Deg/Actuator" },
	{ LOLA_L_EYE, 23, "Face/Led/Blue/Left/90Deg/Actuator" },
	{ LOLA_R_EYE, 0, "Face/Led/Red/Right/0Deg/Actuator" },
	{ LOLA_R_EYE, 7, "Face/Led/Red/Right/315Deg/Actuator" },
	{ LOLA_R_EYE, 16, "Face/Led/Blue/Right/0Deg/Actuator" },
	{ LOLA_L_FOOT, 2, "LFoot/Led/Blue/Actuator" },
	{ LOLA_R_FOOT, 0, "RFoot/Led/Red/Actuator" },
	{ LOLA_SKULL, 0, "Head/Led/Front/Left/1/Actuator" },
	{ LOLA_SKULL, 3, "Head/Led/Rear/Left/0/Actuator" },
	{ LOLA_SKULL, 6, "Head/Led/Rear/Right/2/Actuator" },
	{ LOLA_SKULL, 11, "Head/Led/Front/Right/1/Actuator" },
};

/* [lola-14] */
static void each_index_is_an_actuator_of_a_nao(void **state)
{
	struct naohw_error err;
	struct naohw_key *key;
	char name[128];

	(void)state;
	if (naohw_robot_describe(NAO_ROBOT, &robot, &err) < 0)
		fail_msg("%s", err.message);
	for (unsigned int i = 0; i < LOLA_ACTUATORS; i++) {
		if (i == LOLA_SONAR)
			continue;
		for (unsigned int j = 0; j < lola_fields[i].count; j++) {
			write_name(&lola_fields[i], j, name);
			if (naohw_robot_find_key(robot, name, &key) < 0)
				fail_msg("%s %u: no %s", lola_fields[i].name, j, name);
			assert_true(naohw_key_is_writable(key));
		}
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		assert_string_equal(lola_fields[known[i].field].actuator[known[i].index],
				    known[i].actuator);
}

static void and_none_is_there_twice(void **state)
{
	char name[128], other[128];

	(void)state;
	for (unsigned int i = 0; i < LOLA_ACTUATORS; i++)
		for (unsigned int j = 0; i != LOLA_SONAR && j < lola_fields[i].count; j++) {
			write_name(&lola_fields[i], j, name);
			for (unsigned int k = 0; k < j; k++) {
				write_name(&lola_fields[i], k, other);
				assert_string_not_equal(name, other);
			}
		}
}

int main(void)
{
#define LOLA_TEST(test) cmocka_unit_test_teardown(test, teardown)
	const struct CMUnitTest tests[] = {
		LOLA_TEST(each_joint_is_at_its_index),
		LOLA_TEST(a_standing_nao_has_its_gravity_below),
		LOLA_TEST(it_turns_and_leans_by_the_right_hand),
		LOLA_TEST(its_feet_have_kilograms),
		LOLA_TEST(it_feels_each_touch),
		LOLA_TEST(it_hears_how_far_away_things_are),
		LOLA_TEST(what_a_bioloid_lacks_is_0),
		LOLA_TEST(each_program_reads_a_nao),
		LOLA_TEST(and_a_bioloid_that_has_no_battery),
		LOLA_TEST(each_index_is_an_actuator_of_a_nao),
		LOLA_TEST(and_none_is_there_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
