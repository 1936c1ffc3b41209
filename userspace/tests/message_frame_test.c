// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Messages of frames: of a NAO with its boards, as their drivers show them, and of a Bioloid
 * without any.
 */
#include "support.h"

#include "fake_iio.h"
#include "nao_boards.h"

#define MS	  ((int64_t)1000000)
#define START	  (5000 * MS)
#define JOINTS	  NAOHW_NAO_JOINTS

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct naohw_store *store;
static struct naohw_snapshot *snapshot;
static struct naohw_messages *messages;

static int teardown(void **state)
{
	(void)state;
	naohw_messages_free(messages);
	naohw_snapshot_free(snapshot);
	naohw_store_close(store);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	messages = NULL;
	snapshot = NULL;
	store = NULL;
	frame = NULL;
	robot = NULL;
	return 0;
}

static struct nao_joints_frame joints[NAO_BUSES];
static struct nao_boards_frame boards;

static void make_frames(void)
{
	memset(joints, 0, sizeof(joints));
	memset(&boards, 0, sizeof(boards));
	for (size_t bus = 0; bus < NAO_BUSES; bus++)
		for (size_t i = 0; i < NAO_JOINTS; i++) {
			joints[bus].servo[i].angle = 512;
			joints[bus].servo[i].temperature = 50;
		}
}

static void open_robot(const char *path)
{
	struct naohw_error err;

	if (naohw_robot_open(path, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

static void open_messages(void)
{
	struct naohw_error err;

	if (naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_store_open(robot, frame, &store, &err) < 0 ||
	    naohw_snapshot_new(store, &snapshot, &err) < 0 ||
	    naohw_messages_new(store, &messages, &err) < 0)
		fail_msg("%s", err.message);
	make_frames();
}

static void open_nao(void)
{
	struct naohw_error err;

	if (nao_make_whole(&err) < 0)
		fail_msg("%s", err.message);
	open_robot(NAO_ROBOT);
	open_messages();
}

/* Each joint has its servo in frames. */
static size_t number_of(const char *label)
{
	size_t number;

	if (naohw_robot_find_joint(robot, label, &number) < 0)
		fail_msg("no %s", label);
	assert_in_range(number, 0, NAO_BUSES * NAO_JOINTS - 1);
	return number;
}

static struct nao_servo *servo_of(const char *label)
{
	size_t number = number_of(label);

	return &joints[number / NAO_JOINTS].servo[number % NAO_JOINTS];
}

static int16_t *current_of(const char *label)
{
	size_t number = number_of(label);

	return &joints[number / NAO_JOINTS].current[number % NAO_JOINTS];
}

/* What is in the newest frame is in the messages. */
static void show(void)
{
	assert_int_equal(naohw_store_publish(store), 0);
	assert_int_equal(naohw_snapshot_take(snapshot), 0);
	assert_int_equal(naohw_messages_fill(messages, snapshot), 0);
}

static void read_and_show(void)
{
	struct naohw_error err;

	if (naohw_frame_read(frame, &err) < 0)
		fail_msg("%s", err.message);
	show();
}

static void give_joints(unsigned int buses, int64_t time, size_t size)
{
	for (unsigned int bus = 0; bus < buses; bus++) {
		joints[bus].time = time;
		fake_frame(bus, &joints[bus], size);
	}
}

static void show_nao(int64_t time)
{
	give_joints(NAO_BUSES, time, sizeof(joints[0]));
	boards.time = time;
	fake_frame(NAO_BOARDS, &boards, sizeof(boards));
	read_and_show();
}

static void a_nao_has_all_joints_of_its_frames(void **state)
{
	(void)state;
	open_nao();
	for (size_t i = 0; i < JOINTS; i++) {
		const char *label = naohw_nao_joint_name(i);

		servo_of(label)->angle = (int16_t)(512 + (int)i * 4);
		servo_of(label)->temperature = (uint8_t)(65 + i);
		*current_of(label) = (int16_t)(i * 10);
	}
	show_nao(START);
	for (size_t i = 0; i < JOINTS; i++) {
		double number = (double)i;

		assert_near(naohw_messages_joint_positions(messages)->positions[i], number * 0.02,
			    1e-6);
		assert_near(naohw_messages_joint_temperatures(messages)->temperatures[i],
			    65 + number, 1e-5);
		assert_near(naohw_messages_joint_currents(messages)->currents[i], number * 0.01,
			    1e-6);
		assert_int_equal(naohw_messages_joint_statuses(messages)->statuses[i],
				 i < 10 ? 0 : i <= 13 ? 1 : i < 20 ? 2 : 3);
	}
	assert_int_equal(naohw_messages_joint_positions(messages)->state.all, NAOHW_STATE_FRESH);
	assert_int_equal(naohw_messages_time(messages), START);
	/* Nobody tells what actuators got. */
	assert_int_equal(naohw_messages_joint_stiffnesses(messages)->state.all,
			 NAOHW_STATE_ABSENT);
	assert_true(isnan(naohw_messages_joint_stiffnesses(messages)->stiffnesses[0]));
}

/* A motor turns both hips, and has one place among the joints. */
static void both_hips_are_the_left_one(void **state)
{
	static const char *const right =
		"Device/SubDeviceList/RHipYawPitch/Position/Sensor/Value";
	struct naohw_value value;
	size_t slot;

	(void)state;
	open_nao();
	servo_of("LHipYawPitch")->angle = 412;
	show_nao(START);
	assert_near(naohw_messages_joint_positions(messages)->positions[7], -0.5, 1e-6);
	assert_int_equal(naohw_store_find(store, right, &slot), 0);
	assert_int_equal(naohw_snapshot_get(snapshot, slot, &value), 0);
	assert_near(value.number, -0.5, 1e-6);
	for (size_t i = 0; i < JOINTS; i++)
		if (i != 7)
			assert_near(naohw_messages_joint_positions(messages)->positions[i], 0, 0);
}

static void a_standing_nao_feels_its_weight(void **state)
{
	const struct naohw_fsr *fsr;

	(void)state;
	open_nao();
	boards.inertial.acceleration[2] = 56;
	boards.inertial.acceleration[0] = -7;
	boards.inertial.rate[0] = 155;
	boards.inertial.rate[1] = -155;
	boards.inertial.angle[0] = 1000;
	boards.inertial.angle[1] = -500;
	/* Front left, front right, rear right, rear left */
	boards.left = (struct nao_foot){ .force = { 9807, 0, 4903, 1961 } };
	boards.right = (struct nao_foot){ .force = { 0, 9807, 1961, 4903 } };
	show_nao(START);
	assert_near(naohw_messages_accelerometer(messages)->z, 9.80665, 1e-4);
	assert_near(naohw_messages_accelerometer(messages)->x, -1.225831, 1e-4);
	assert_near(naohw_messages_gyroscope(messages)->x, 1.001948, 1e-4);
	assert_near(naohw_messages_gyroscope(messages)->y, -1.001948, 1e-4);
	assert_true(isnan(naohw_messages_gyroscope(messages)->z));
	assert_near(naohw_messages_angle(messages)->x, 0.1, 1e-4);
	assert_near(naohw_messages_angle(messages)->y, -0.05, 1e-4);
	fsr = naohw_messages_fsr(messages);
	assert_near(fsr->l_foot_front_left, 1, 1e-3);
	assert_near(fsr->l_foot_front_right, 0, 1e-3);
	assert_near(fsr->l_foot_back_left, 0.2, 1e-3);
	assert_near(fsr->l_foot_back_right, 0.5, 1e-3);
	assert_near(fsr->r_foot_front_left, 0, 1e-3);
	assert_near(fsr->r_foot_front_right, 1, 1e-3);
	assert_near(fsr->r_foot_back_left, 0.5, 1e-3);
	assert_near(fsr->r_foot_back_right, 0.2, 1e-3);
	assert_int_equal(fsr->state.all, NAOHW_STATE_FRESH);
	assert_int_equal(fsr->state.time, START);
}

static void a_nao_feels_what_it_hits(void **state)
{
	(void)state;
	open_nao();
	boards.left.buttons = 1;
	boards.right.buttons = 2;
	boards.head.touch = 4;
	boards.sonar.left = 30;
	boards.sonar.right = 255;
	show_nao(START);
	assert_true(naohw_messages_buttons(messages)->l_foot_bumper_left);
	assert_false(naohw_messages_buttons(messages)->l_foot_bumper_right);
	assert_false(naohw_messages_buttons(messages)->r_foot_bumper_left);
	assert_true(naohw_messages_buttons(messages)->r_foot_bumper_right);
	assert_false(naohw_messages_touch(messages)->head_front);
	assert_false(naohw_messages_touch(messages)->head_middle);
	assert_true(naohw_messages_touch(messages)->head_rear);
	assert_near(naohw_messages_sonar(messages)->left, 0.3, 1e-6);
	assert_near(naohw_messages_sonar(messages)->right, 2.55, 1e-6);
}

/* Constants of the description, and a chest that is not there */
static void a_nao_tells_which_it_is(void **state)
{
	const struct naohw_robot_config *found;

	(void)state;
	open_nao();
	show_nao(START);
	found = naohw_messages_robot_config(messages);
	assert_string_equal(found->body_id, "");
	assert_int_equal(found->state.each[0], NAOHW_STATE_ABSENT);
	assert_string_equal(found->body_version, "3.3.0");
	assert_string_equal(found->head_id, "");
	assert_string_equal(found->head_version, "V3.3");
	assert_int_equal(found->state.time, 0);
	assert_int_equal(naohw_messages_buttons(messages)->state.each[0], NAOHW_STATE_ABSENT);
	assert_int_equal(naohw_messages_battery(messages)->state.all, NAOHW_STATE_ABSENT);
}

/* One joint alone, and then all of them */
static void a_silent_joint_is_told(void **state)
{
	const struct naohw_joint_positions *found;

	(void)state;
	open_nao();
	found = naohw_messages_joint_positions(messages);
	servo_of("LKneePitch")->angle = 612;
	show_nao(START);
	servo_of("LKneePitch")->age = 1;
	show_nao(START + 10 * MS);
	assert_int_equal(found->state.all, NAOHW_STATE_STALE);
	for (size_t i = 0; i < JOINTS; i++)
		assert_int_equal(found->state.each[i],
				 i == 10 ? NAOHW_STATE_STALE : NAOHW_STATE_FRESH);
	assert_near(found->positions[10], 0.5, 1e-6);
	assert_int_equal(naohw_messages_time(messages), START + 10 * MS);
	servo_of("LKneePitch")->age = 255;
	show_nao(START + 20 * MS);
	assert_int_equal(found->state.each[10], NAOHW_STATE_ABSENT);
	assert_true(isnan(found->positions[10]));
}

static void without_a_frame_all_is_old(void **state)
{
	(void)state;
	open_nao();
	servo_of("HeadYaw")->angle = 612;
	boards.inertial.acceleration[2] = 56;
	show_nao(START);
	assert_int_equal(naohw_frame_read(frame, NULL), -ETIMEDOUT);
	show();
	assert_int_equal(naohw_messages_joint_positions(messages)->state.all, NAOHW_STATE_STALE);
	assert_near(naohw_messages_joint_positions(messages)->positions[0], 0.5, 1e-6);
	assert_int_equal(naohw_messages_accelerometer(messages)->state.all, NAOHW_STATE_STALE);
	assert_near(naohw_messages_accelerometer(messages)->z, 9.80665, 1e-4);
	assert_int_equal(naohw_messages_time(messages), START);
	assert_int_equal(naohw_messages_sequence(messages), 2);
}

#define BIOLOID_BUSES 4

/* Of the 25; two of its twenty turn as none of a NAO's. */
static const char *const bioloid_has = "1111010011111111111101000";

static void open_bioloid(void)
{
	static const char *const path = ROBOTS_DIR "/bioloid.xml";
	struct naohw_error err;

	if (nao_make_other(path, BIOLOID_BUSES, &err) < 0)
		fail_msg("%s", err.message);
	open_robot(path);
	open_messages();
}

static void show_bioloid(void)
{
	give_joints(BIOLOID_BUSES, START, offsetof(struct nao_joints_frame, current));
	read_and_show();
}

static void a_bioloid_has_the_joints_that_it_has(void **state)
{
	const struct naohw_joint_positions *found;

	(void)state;
	open_bioloid();
	found = naohw_messages_joint_positions(messages);
	servo_of("RShoulderRoll")->angle = 612;
	show_bioloid();
	for (size_t i = 0; i < JOINTS; i++) {
		assert_int_equal(found->state.each[i], bioloid_has[i] == '1' ?
						       NAOHW_STATE_FRESH : NAOHW_STATE_ABSENT);
		assert_int_equal(isnan(found->positions[i]), bioloid_has[i] != '1');
	}
	assert_int_equal(found->state.all, NAOHW_STATE_FRESH);
	assert_near(found->positions[NAOHW_NAO_HEAD_YAW], 0, 1e-6);
	/* By its description this one turns the other way from -90 degrees, and that is 22 off. */
	assert_near(found->positions[NAOHW_NAO_R_SHOULDER_ROLL], -0.5 - 1.570796, 1e-5);
	assert_near(found->positions[NAOHW_NAO_L_KNEE_PITCH], -0.381954, 1e-6);
}

static void a_bioloid_becomes_hot(void **state)
{
	const int32_t *found;

	(void)state;
	open_bioloid();
	found = naohw_messages_joint_statuses(messages)->statuses;
	servo_of("LKneePitch")->temperature = 61;
	servo_of("RKneePitch")->temperature = 70;
	show_bioloid();
	assert_int_equal(found[NAOHW_NAO_L_KNEE_PITCH], NAOHW_STATUS_HOT);
	assert_int_equal(found[NAOHW_NAO_R_KNEE_PITCH], NAOHW_STATUS_CRITICALLY_HOT);
	assert_int_equal(found[NAOHW_NAO_HEAD_YAW], NAOHW_STATUS_NORMAL);
	assert_int_equal(found[NAOHW_NAO_L_WRIST_YAW], NAOHW_STATUS_UNKNOWN);
}

static void what_a_bioloid_lacks_is_not_made_up(void **state)
{
	(void)state;
	open_bioloid();
	show_bioloid();
	for (size_t i = 0; i < JOINTS; i++)
		assert_true(isnan(naohw_messages_joint_currents(messages)->currents[i]));
	assert_true(isnan(naohw_messages_accelerometer(messages)->z));
	assert_int_equal(naohw_messages_accelerometer(messages)->state.all, NAOHW_STATE_ABSENT);
	assert_false(naohw_messages_buttons(messages)->chest);
	assert_int_equal(naohw_messages_buttons(messages)->state.each[0], NAOHW_STATE_ABSENT);
	assert_string_equal(naohw_messages_robot_config(messages)->body_version, "");
}

int main(void)
{
#define MESSAGE_TEST(test) cmocka_unit_test_teardown(test, teardown)
	const struct CMUnitTest tests[] = {
		MESSAGE_TEST(a_nao_has_all_joints_of_its_frames),
		MESSAGE_TEST(both_hips_are_the_left_one),
		MESSAGE_TEST(a_standing_nao_feels_its_weight),
		MESSAGE_TEST(a_nao_feels_what_it_hits),
		MESSAGE_TEST(a_nao_tells_which_it_is),
		MESSAGE_TEST(a_silent_joint_is_told),
		MESSAGE_TEST(without_a_frame_all_is_old),
		MESSAGE_TEST(a_bioloid_has_the_joints_that_it_has),
		MESSAGE_TEST(a_bioloid_becomes_hot),
		MESSAGE_TEST(what_a_bioloid_lacks_is_not_made_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
