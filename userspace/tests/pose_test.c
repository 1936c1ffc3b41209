// SPDX-License-Identifier: LGPL-2.1-or-later
/* Poses: what goes out in one sample, and where the joints start from. */
#include "support.h"

#include <unistd.h>

#include "fake_iio.h"

#include "motion/motion.h"
#include "pose/pose.h"

static const char *const labels[] = { "HeadYaw", "HeadPitch", "LKneePitch" };

static const char *description;
static struct naohw_robot *robot;
static struct naohw_pose *pose;

static void describe(const char *path)
{
	naohw_robot_close(robot);
	description = path;
	assert_int_equal(naohw_robot_open(path, NULL, &robot, NULL), 0);
}

/* What there is has changed since the robot was opened. */
static void reopen(void)
{
	describe(description);
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_goal(0, labels, 2);
	robot = NULL;
	describe(PLAIN_ROBOT);
	pose = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_pose_close(pose);
	naohw_robot_close(robot);
	return 0;
}

static void open_pose(void)
{
	struct naohw_error err;

	if (naohw_pose_open(robot, NULL, &pose, &err) < 0)
		fail_msg("%s", err.message);
}

static enum naohw_stream stream(void)
{
	enum naohw_stream found;

	assert_int_equal(naohw_pose_get_stream(pose, &found, NULL), 0);
	return found;
}

static void push(void)
{
	struct naohw_error err;

	if (naohw_pose_push(pose, &err) < 0)
		fail_msg("%s", err.message);
}

static void axes_are_described(void **state)
{
	struct servo_axis axis;

	(void)state;
	open_pose();
	assert_int_equal(pose_axis_count(pose), 2);
	assert_int_equal(pose_get_axis(pose, 1, &axis), 0);
	assert_string_equal(axis.label, "HeadPitch");
	assert_int_equal(axis.bus, 0);
	assert_int_equal(axis.id, 2);
	assert_int_equal(axis.min, 0);
	assert_int_equal(axis.max, 1023);
	assert_near(axis.scale, 0.005113269, 1e-12);
	assert_near(axis.offset, -512, 0);
	assert_int_equal(axis.speed_max, 1023);
	assert_near(axis.speed_scale, 0.011623893, 1e-12);
	assert_int_equal(pose_get_axis(pose, 2, &axis), -EINVAL);
}

/* Its angle and its limits are the joint's, its counts the servo's. */
static void a_joint_may_turn_against_its_servo(void **state)
{
	struct servo_axis axis;

	(void)state;
	describe(turned_robot());
	open_pose();
	assert_int_equal(pose_get_axis(pose, 0, &axis), 0);
	assert_near((512 + axis.offset) * axis.scale, 0.5, 1e-9);
	assert_near((612 + axis.offset) * axis.scale, 0.5 - 100 * 0.005113269, 1e-9);
	/* -1 and 2 rad of it are 1.5 and -1.5 rad of its servo. */
	assert_int_equal(axis.min, 512 - 293);
	assert_int_equal(axis.max, 512 + 293);
	assert_near(axis.servo_scale, 0.005113269, 1e-12);
	assert_near(axis.servo_offset, -512, 0);
}

/* Its mode has no goal positions; the sample has room for some all the same. */
static void a_wheel_is_no_axis(void **state)
{
	struct servo_axis axis;

	(void)state;
	fake_set("dxl0-goal", "out_angl1_raw_available", "[0 0 0]");
	open_pose();
	assert_int_equal(pose_axis_count(pose), 1);
	assert_int_equal(pose_get_axis(pose, 0, &axis), 0);
	assert_string_equal(axis.label, "HeadPitch");
	assert_int_equal(pose_set_counts(pose, 0, 400, 66), 0);
	push();
	assert_int_equal(fake_pose(0, 0)[0], 0);
	assert_int_equal(fake_pose(0, 0)[1], 0);
	assert_int_equal(fake_pose(0, 0)[2], 400);
	assert_int_equal(fake_pose(0, 0)[3], 66);
}

static void one_push_is_one_sample(void **state)
{
	(void)state;
	open_pose();
	assert_int_equal(fake_pushes(0), 0); /* opening moves nothing */
	assert_int_equal(pose_set_counts(pose, 0, 300, 55), 0);
	assert_int_equal(pose_set_counts(pose, 1, 400, 66), 0);
	push();
	assert_int_equal(fake_pushes(0), 1);
	assert_int_equal(fake_pose(0, 0)[0], 300);
	assert_int_equal(fake_pose(0, 0)[1], 55);
	assert_int_equal(fake_pose(0, 0)[2], 400);
	assert_int_equal(fake_pose(0, 0)[3], 66);
	assert_int_equal(pose_get_counts(pose, 1), 400);
}

static void limits_hold(void **state)
{
	(void)state;
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, -1, 1), -ERANGE);
	assert_int_equal(pose_set_counts(pose, 0, 1024, 1), -ERANGE);
	assert_int_equal(pose_set_counts(pose, 0, 512, 0), -ERANGE); /* 0 is "no limit" */
	assert_int_equal(pose_set_counts(pose, 0, 512, 1024), -ERANGE);
	assert_int_equal(pose_set_counts(pose, 2, 512, 1), -EINVAL);
}

/* Torque on: the goal it holds. Torque off: where it is, or it would jump. */
static void joints_start_where_they_stay(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadYaw", "out_angl0_raw", "600");
	fake_set("HeadYaw", "in_angl0_raw", "598");
	fake_set("HeadYaw", "out_anglvel0_raw", "77");
	fake_set("HeadPitch", "out_angl0_raw", "600");
	fake_set("HeadPitch", "in_angl0_raw", "400");
	open_pose();
	push();
	assert_int_equal(fake_pose(0, 0)[0], 600);
	assert_int_equal(fake_pose(0, 0)[1], 77);
	assert_int_equal(fake_pose(0, 0)[2], 400);
	assert_int_equal(fake_pose(0, 0)[3], 1023); /* it had 0, "no limit" */
}

static void a_silent_joint_gets_its_last_goal_slowly(void **state)
{
	(void)state;
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	fake_fail("HeadYaw", "in_angl0_raw", -ETIMEDOUT);
	open_pose();
	push();
	assert_int_equal(fake_pose(0, 0)[0], 700);
	assert_int_equal(fake_pose(0, 0)[1], 1);
	assert_int_equal(naohw_pose_stay(pose, 0, NULL, NULL), -ETIMEDOUT);
}

static void speeds_are_restored(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_anglvel0_raw", "77");
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, 300, 5), 0);
	push();
	assert_int_equal(naohw_pose_restore_speeds(pose, NULL), 0);
	assert_int_equal(fake_pose(0, 1)[0], 300);
	assert_int_equal(fake_pose(0, 1)[1], 77);
	assert_int_equal(fake_pose(0, 1)[3], 1023);
}

/* Its speed before is not known, so it must not get one: least of all the highest. */
static void a_silent_joint_is_not_let_loose(void **state)
{
	(void)state;
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	fake_fail("HeadYaw", "in_angl0_raw", -ETIMEDOUT);
	open_pose();
	assert_int_equal(naohw_pose_restore_speeds(pose, NULL), 0);
	assert_int_equal(fake_pose(0, 0)[0], 700);
	assert_int_equal(fake_pose(0, 0)[1], 1);
	assert_int_equal(fake_pose(0, 0)[3], 1023);
}

static void a_joint_that_answers_again_stays_where_it_is(void **state)
{
	(void)state;
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	open_pose();
	fake_set("HeadYaw", "in_angl0_raw", "345");
	fake_fail_times("HeadYaw", "in_angl0_raw", -ETIMEDOUT, 2);
	assert_int_equal(naohw_pose_restore_speeds(pose, NULL), 0);
	assert_int_equal(fake_pose(0, 0)[0], 345);
	assert_int_equal(fake_pose(0, 0)[1], 1);
}

/* Somebody has given it a goal since then: that one holds, with the speed it came with. */
static void a_silent_joint_keeps_what_it_was_given(void **state)
{
	(void)state;
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, 300, 55), 0);
	assert_int_equal(naohw_pose_restore_speeds(pose, NULL), 0);
	assert_int_equal(fake_pose(0, 0)[0], 300);
	assert_int_equal(fake_pose(0, 0)[1], 55);
}

static void a_speed_is_asked_for_three_times(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_anglvel0_raw", "77");
	fake_fail_times("HeadYaw", "out_anglvel0_raw", -ETIMEDOUT, 2);
	fake_fail("HeadPitch", "out_anglvel0_raw", -ETIMEDOUT);
	open_pose();
	push();
	assert_int_equal(fake_pose(0, 0)[1], 77);
	assert_int_equal(fake_pose(0, 0)[3], 1); /* not known */
	assert_int_equal(naohw_pose_restore_speeds(pose, NULL), 0);
	assert_int_equal(fake_pose(0, 1)[1], 77);
	assert_int_equal(fake_pose(0, 1)[3], 1);
}

static void the_description_narrows(void **state)
{
	struct servo_axis axis;

	(void)state;
	naohw_robot_close(robot);
	assert_int_equal(
		naohw_robot_open(temp_text("<ModulePreference><Preference type=\"array\" "
					   "memoryName=\"Device/SubDeviceList/HeadYaw/Position/"
					   "Actuator\">"
					   "<Preference name=\"Channel\" type=\"string\" "
					   "value=\"out_angl0\"/>"
					   "<Preference name=\"Min\" type=\"float\" "
					   "value=\"-0.5113269\"/>"
					   "<Preference name=\"Max\" type=\"float\" "
					   "value=\"1.0226538\"/>"
					   "</Preference></ModulePreference>"),
				 NULL, &robot, NULL),
		0);
	open_pose();
	assert_int_equal(pose_get_axis(pose, 0, &axis), 0);
	assert_int_equal(axis.min, 412);
	assert_int_equal(axis.max, 712);
	assert_int_equal(pose_get_axis(pose, 1, &axis), 0);
	assert_int_equal(axis.max, 1023);
}

static void all_buses_move(void **state)
{
	struct servo_axis axis;

	(void)state;
	fake_servo("LKneePitch");
	fake_goal(3, labels + 2, 1);
	reopen();
	open_pose();
	assert_int_equal(pose_axis_count(pose), 3);
	assert_int_equal(pose_get_axis(pose, 2, &axis), 0);
	assert_int_equal(axis.bus, 3);
	assert_int_equal(axis.id, 1);
	assert_int_equal(pose_set_counts(pose, 2, 123, 45), 0);
	push();
	assert_int_equal(fake_pushes(0), 1);
	assert_int_equal(fake_pushes(3), 1);
	assert_int_equal(fake_pose(3, 0)[0], 123);
	assert_int_equal(fake_pose(3, 0)[1], 45);
}

static uint32_t wide(unsigned int push, unsigned int index)
{
	uint32_t value;

	memcpy(&value, &fake_pose(3, push)[2 * index], sizeof(value));
	return value;
}

static void open_wide_pose(unsigned int bits)
{
	fake_reset();
	fake_servo("LKneePitch");
	fake_goal_of_bits(3, labels + 2, 1, bits);
	fake_set("dxl3-goal", "out_angl1_raw_available", "[0 1 4095]");
	fake_set("dxl3-goal", "out_anglvel1_raw_available", "[0 1 32767]");
	naohw_robot_close(robot);
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
}

/* Servos of Protocol 2.0 have goals of 32 bits. */
static void wide_goals_are_sent(void **state)
{
	(void)state;
	open_wide_pose(32);
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, 300, 32767), 0);
	push();
	assert_int_equal(wide(0, 0), 300);
	assert_int_equal(wide(0, 1), 32767);
	assert_int_equal(pose_set_counts(pose, 0, 300, 32768), -ERANGE);
}

/* As of a joint that makes several turns, or of one that counts from its zero both ways. */
static void goals_may_be_below_zero(void **state)
{
	struct servo_axis axis;

	(void)state;
	open_wide_pose(32);
	fake_set("dxl3-goal", "out_angl1_raw_available", "[-1048575 1 1048575]");
	fake_set("dxl3-goal", "out_angl1_scale", "0.000095874");
	fake_set("dxl3-goal", "out_angl1_offset", "0");
	fake_set("LKneePitch", "in_angl0_raw", "-5000");
	open_pose();
	assert_int_equal(pose_get_axis(pose, 0, &axis), 0);
	assert_true(axis.min < -20000); /* which the description narrows */
	assert_int_equal(pose_get_counts(pose, 0), -5000);
	assert_int_equal(pose_set_counts(pose, 0, -6000, 1), 0);
	push();
	assert_int_equal((int32_t)wide(0, 0), -6000);
}

/* As the last one of a sample has: what is above its bits is 0. */
static void a_goal_may_have_more_room_than_bits(void **state)
{
	(void)state;
	open_wide_pose(32);
	fake_set("dxl3-goal", "out_angl1_raw_available", "[-1000 1 1000]");
	fake_set("dxl3-goal", "out_angl1_offset", "0");
	fake_format("dxl3-goal", "out_angl1", 16, 0);
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, -6, 1), 0);
	push();
	assert_int_equal(wide(0, 0), 0xfffa);
}

static void a_goal_may_have_its_highest_byte_first(void **state)
{
	(void)state;
	open_wide_pose(32);
	fake_format("dxl3-goal", "out_angl1", 32, 1);
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, 0x123, 7), 0);
	push();
	assert_int_equal(wide(0, 0), 0x23010000);
	assert_int_equal(wide(0, 1), 7);
}

/* Of a servo that no description narrows, on a bus of the robot's. */
static void several_turns_are_in_reach(void **state)
{
	static const char *const tail[] = { "Tail", "LKneePitch" };
	struct servo_axis axis;

	(void)state;
	fake_goal_of_bits(3, tail, 2, 32);
	fake_set("dxl3-goal", "out_angl1_raw_available", "[-1048575 1 1048575]");
	reopen();
	open_pose();
	assert_int_equal(pose_get_axis(pose, 2, &axis), 0);
	assert_string_equal(axis.label, "Tail");
	assert_int_equal(axis.min, -1048575);
	assert_int_equal(axis.max, 1048575);
	assert_int_equal(pose_set_counts(pose, 2, 1000000, 1), 0);
	push();
	assert_int_equal(wide(0, 0), 1000000);
}

static void closing_lets_go(void **state)
{
	(void)state;
	open_pose();
	assert_true(fake_buffer_is_open(0));
	naohw_pose_close(pose);
	pose = NULL;
	assert_false(fake_buffer_is_open(0));
}

static void check_refused(int code, const char *says)
{
	struct naohw_error err;

	assert_int_equal(naohw_pose_open(robot, NULL, &pose, &err), code);
	assert_says(&err, says);
}

static void a_busy_output_is_told(void **state)
{
	(void)state;
	fake_fail_buffer(-EBUSY);
	check_refused(-EBUSY, "dxl0-goal: another program is moving the robot");
}

/* Nothing is opened before it is known that nobody has it. */
static void another_program_is_not_disturbed(void **state)
{
	(void)state;
	fake_probe(-EBUSY);
	check_refused(-EBUSY, "dxl0-goal: another program is moving the robot");
	assert_int_equal(fake_buffers_created(), 0);
	fake_probe(0);
	open_pose();
	assert_int_equal(fake_buffers_created(), 1);
}

static void a_description_takes_nothing(void **state)
{
	unsigned int reads = fake_reads("HeadYaw", "out_angl0_en");
	struct naohw_error err;
	struct servo_axis axis;

	(void)state;
	fake_probe(-EBUSY);
	assert_int_equal(naohw_pose_describe(robot, &pose, &err), 0);
	assert_int_equal(fake_buffers_created(), 0);
	assert_int_equal(fake_reads("HeadYaw", "out_angl0_en"), reads);
	assert_int_equal(pose_axis_count(pose), 2);
	assert_int_equal(pose_get_axis(pose, 1, &axis), 0);
	assert_string_equal(axis.label, "HeadPitch");
	assert_int_equal(axis.max, 1023);
	assert_int_equal(naohw_pose_push(pose, &err), -EBADF);
	assert_int_equal(naohw_pose_restore_speeds(pose, NULL), -EBADF);
}

static void a_failed_push_is_told(void **state)
{
	struct naohw_error err;

	(void)state;
	open_pose();
	fake_fail_buffer(-EIO);
	assert_int_equal(naohw_pose_push(pose, &err), -EIO);
	assert_says(&err, "dxl0-goal: cannot send a pose");
}

static void other_shapes_are_refused(void **state)
{
	(void)state;
	fake_remove("dxl0-goal", "out_angl1_raw_available");
	check_refused(-EINVAL, "dxl0-goal, servo 1: no raw_available");
	open_wide_pose(64);
	check_refused(-EINVAL, "dxl3-goal, servo 1: not a scan element of 16 or 32 bits");
}

static void no_output_is_told(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	fake_reset();
	fake_servo("HeadYaw");
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
	check_refused(-ENODEV, "no IIO device is named dxlN-goal");
}

/* ---- by frames ---- */

/* angl1, age, alarm; angl2, age, alarm; time. HeadYaw is at 520, HeadPitch at 300. */
static void next_frame(void)
{
	static const unsigned char bytes[16] = { 520 & 0xff, 520 >> 8, [4] = 300 & 0xff, [5] = 300 >> 8,
						 [11] = 1 };

	fake_frame(0, bytes, sizeof(bytes));
}

static struct naohw_frame *open_frames(void)
{
	struct naohw_frame_settings *settings;
	struct naohw_frame *frame;

	fake_state(0, labels, 2, 100);
	fake_set("dxl0-state", "in_angl1_scale", "0.005113269");
	fake_set("dxl0-state", "in_angl2_scale", "0.005113269");
	reopen();
	fake_on_frame(next_frame);
	assert_int_equal(naohw_frame_settings_new(&settings), 0);
	naohw_frame_settings_set_quantities(settings, 1u << NAOHW_QUANTITY_POSITION);
	assert_int_equal(naohw_frame_open(robot, settings, &frame, NULL), 0);
	naohw_frame_settings_free(settings);
	return frame;
}

/* A sensor that is said to be off, or is not described at all, moves no joint that is to stay. */
static void check_stay(const char *path)
{
	struct naohw_frame *frame;

	describe(path);
	frame = open_frames();
	open_pose();
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	assert_int_equal(naohw_pose_stay(pose, 1, frame, NULL), 0);
	/* Where next_frame() has it */
	assert_int_equal(pose_get_counts(pose, 1), 300);
	naohw_frame_close(frame);
}

static void a_joint_stays_where_it_is(void **state)
{
	(void)state;
	check_stay(PLAIN_ROBOT);
}

static void it_stays_whatever_is_said_of_its_sensor(void **state)
{
	(void)state;
	check_stay(joint_robot("HeadPitch", "0.3", "1", "0"));
}

static void it_stays_if_nothing_is_said_of_its_sensor(void **state)
{
	(void)state;
	check_stay(joint_robot("HeadPitch", NULL, "-1", "0.3"));
}

static void what_no_frame_has_is_asked_where_it_stays(void **state)
{
	(void)state;
	fake_set("HeadPitch", "in_angl0_raw", "444");
	open_pose();
	assert_int_equal(naohw_pose_stay(pose, 1, NULL, NULL), 0);
	assert_int_equal(pose_get_counts(pose, 1), 444);
	assert_int_equal(naohw_pose_stay(pose, 2, NULL, NULL), -ENODEV);
	assert_int_equal(naohw_pose_stay(pose, 99, NULL, NULL), -EINVAL);
}

/* ---- described ---- */

static char noted[256];

static void note(void *data, const char *text)
{
	(void)data;
	snprintf(noted, sizeof(noted), "%s", text);
}

/* Page 1 sends both joints somewhere. */
static void play_dry(unsigned int joints)
{
	unsigned char *pages = pages_new(2);
	struct naohw_motion *motion;
	struct naohw_player *dry;

	page_plain(pages + PAGE_SIZE, "go", 1);
	page_position(pages + PAGE_SIZE, 0, 1, 530);
	page_position(pages + PAGE_SIZE, 0, 2, 540);
	page_seal(pages + PAGE_SIZE);
	motion = pages_load(pages, 2);
	assert_int_equal(naohw_player_new_dry(motion, pose, &dry, NULL), 0);
	assert_null(naohw_player_assumed_servo(dry));
	assert_int_equal(naohw_player_joint_count(dry, 1), joints);
	naohw_player_on_note(dry, note, NULL);
	noted[0] = '\0';
	assert_int_equal(naohw_player_play(dry, 1, NULL), 0);
	naohw_player_free(dry);
	naohw_motion_free(motion);
	free(pages);
}

/* A robot that somebody else is moving can be described, and played dry. */
static void a_described_pose_will_do_for_a_dry_play(void **state)
{
	(void)state;
	assert_int_equal(naohw_pose_describe(robot, &pose, NULL), 0);
	play_dry(2);
	assert_string_equal(noted, "");
	assert_int_equal(fake_pushes(0), 0);
}

/* No command could be given to it. */
static void pages_move_no_servo_without_a_key(void **state)
{
	(void)state;
	describe(joint_robot("HeadYaw", "0", "1", "0"));
	assert_int_equal(naohw_pose_describe(robot, &pose, NULL), 0);
	play_dry(1);
	assert_string_equal(noted, "goals for IDs that are no joint's, from page 1 (go) on, ignored: 2");
}

/* ---- the watchdog ---- */

static void opening_keeps_the_watchdog_quiet(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "keep_alive", "");
	open_pose();
	/* One for the bus, and one for each of its joints. */
	assert_int_equal(fake_device_writes("dxl0-goal", "keep_alive"), 3);
	assert_int_equal(naohw_pose_keep_alive(pose, NULL), 0);
	assert_int_equal(fake_device_writes("dxl0-goal", "keep_alive"), 4);
}

/* Two buses, each with a watchdog. */
static void watch_two_buses(void)
{
	fake_goal(3, labels + 2, 1);
	fake_device_set("dxl0-goal", "keep_alive", "");
	fake_device_set("dxl3-goal", "keep_alive", "");
	reopen();
}

static unsigned int alive_before;

static void note_alive(const char *device, int open)
{
	if (open && strcmp(device, "dxl3-goal") == 0)
		alive_before = fake_device_writes("dxl0-goal", "keep_alive");
}

/* The first one's watchdog is on its guard while the others are opened. */
static void opening_one_bus_keeps_the_others_alive(void **state)
{
	(void)state;
	watch_two_buses();
	fake_on_buffer(note_alive);
	open_pose();
	assert_int_equal(alive_before, 1);
}

/* One that takes its time, or takes nothing any more, must not make the others fall. */
static void closing_one_bus_keeps_the_others_alive(void **state)
{
	unsigned int before;

	(void)state;
	watch_two_buses();
	fake_device_set("dxl3-goal", "watchdog_ms", "80\n");
	open_pose();
	push();
	fake_queue(0, 1);
	before = fake_device_writes("dxl3-goal", "keep_alive");
	naohw_pose_close(pose);
	pose = NULL;
	/* In half a second, every 20 ms, or some more on a machine that is busy */
	assert_true(fake_device_writes("dxl3-goal", "keep_alive") > before + 4);
}

/* The most impatient of all watchdogs rules. */
static void waiting_for_one_bus_keeps_the_others_alive(void **state)
{
	unsigned int before;

	(void)state;
	watch_two_buses();
	fake_device_set("dxl3-goal", "watchdog_ms", "20\n");
	open_pose();
	before = fake_device_writes("dxl3-goal", "keep_alive");
	fake_fail_push(0, -EAGAIN);
	assert_int_equal(naohw_pose_push(pose, NULL), -ETIMEDOUT);
	/* A second of 5 ms each; with the other's patience it would be ten. */
	assert_true(fake_device_writes("dxl3-goal", "keep_alive") > before + 20);
}

static char order[64];

static void note_push(const char *device)
{
	size_t used = strlen(order);

	if (used < sizeof(order) - 1)
		snprintf(order + used, sizeof(order) - used, "%c", device[3]);
}

static void no_bus_waits_for_the_queue_of_another(void **state)
{
	(void)state;
	watch_two_buses();
	open_pose();
	order[0] = '\0';
	fake_on_push(note_push);
	fake_fail_push_times(0, -EAGAIN, 2);
	push();
	assert_string_equal(order, "0300");
}

/* Only a part of the robot would move, or a page's goals go to the joints of another bus. */
static void a_bus_that_was_registered_anew_is_told(void **state)
{
	(void)state;
	watch_two_buses();
	fake_replug("dxl0-goal");
	check_refused(-ENODEV, "dxl0-goal: is not the one any more that was there");
	assert_int_equal(fake_buffers_created(), 0);
}

/* Of another bus than those that the pose has. */
static void a_pose_watches_its_own_buses_alone(void **state)
{
	struct naohw_key *hardness;

	(void)state;
	fake_set_bus(1);
	reopen();
	open_pose();
	assert_int_equal(naohw_robot_find_key(robot, "Device/SubDeviceList/HeadYaw/Hardness/"
					      "Actuator/Value", &hardness), 0);
	assert_int_equal(naohw_key_write(hardness, 1, NULL), 0);
	assert_non_null(strstr(fake_log(), "lease 1;"));
}

/* With the end of his lease he would let go what we move. */
static void who_moves_joints_one_by_one_comes_first(void **state)
{
	struct naohw_key *hardness;

	(void)state;
	fake_device_set("dxl0-goal", "stream_state", "leased\n");
	check_refused(-EBUSY, "dxl0: another program is moving its joints, one by one");
	assert_int_equal(fake_buffers_created(), 0);
	assert_int_equal(naohw_robot_find_key(robot, "Device/SubDeviceList/HeadYaw/Hardness/"
					      "Actuator/Value", &hardness), 0);
	assert_int_equal(naohw_key_write(hardness, 1, NULL), 0);
	open_pose();
}

static void the_worst_bus_is_told(void **state)
{
	(void)state;
	fake_goal(3, labels + 2, 1);
	reopen();
	open_pose();
	assert_int_equal(stream(), NAOHW_STREAM_RUNNING);
	fake_device_set("dxl0-goal", "stream_state", "streaming\n");
	fake_device_set("dxl3-goal", "stream_state", "recovering\n");
	assert_int_equal(stream(), NAOHW_STREAM_RECOVERING);
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	assert_int_equal(stream(), NAOHW_STREAM_TRIPPED);
}

static void torque_comes_back_where_the_joints_are(void **state)
{
	(void)state;
	fake_goal(3, labels + 2, 1);
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	fake_device_set("dxl3-goal", "stream_state", "streaming\n");
	fake_device_set("dxl0-goal", "recover", "");
	fake_device_set("dxl3-goal", "recover", "");
	reopen();
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, 900, 100), 0);
	assert_int_equal(pose_set_counts(pose, 2, 800, 100), 0);
	fake_set("HeadYaw", "in_angl0_raw", "345");
	assert_int_equal(naohw_pose_recover(pose, NULL), 0);
	assert_int_equal(pose_get_counts(pose, 0), 345);
	assert_int_equal(pose_get_counts(pose, 2), 800);
	assert_string_equal(fake_log(), "dxl0-goal recover=1;");
}

static void a_bus_that_nobody_can_help_keeps_no_other_down(void **state)
{
	struct naohw_error err;

	(void)state;
	watch_two_buses();
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	fake_device_set("dxl3-goal", "stream_state", "tripped\n");
	fake_device_set("dxl0-goal", "recover", "");
	fake_device_set("dxl3-goal", "recover", "");
	open_pose();
	fake_device_fail("dxl0-goal", "recover", -EIO);
	assert_int_equal(naohw_pose_recover(pose, &err), -EIO);
	assert_says(&err, "dxl0-goal: recover");
	assert_string_equal(fake_device_get("dxl3-goal", "recover"), "1");
}

/* The watchdog has not acted, but a servo was without power for a while. */
static void torque_of_one_joint_comes_back(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "stream_state", "streaming\n");
	fake_device_set("dxl0-goal", "recover", "");
	fake_set("HeadPitch", "out_angl0_en", "1");
	fake_set("HeadYaw", "in_angl0_raw", "345");
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, 900, 100), 0);
	assert_int_equal(pose_set_counts(pose, 1, 800, 100), 0);
	assert_int_equal(naohw_pose_recover(pose, NULL), 0);
	assert_string_equal(fake_log(), "dxl0-goal recover=1;");
	assert_int_equal(pose_get_counts(pose, 0), 345);
	assert_int_equal(pose_get_counts(pose, 1), 800);
	/* The kernel says so where it was let go by hand. */
	fake_device_fail("dxl0-goal", "recover", -EINVAL);
	assert_int_equal(naohw_pose_recover(pose, NULL), 0);
	fake_set("HeadYaw", "out_angl0_en", "1");
	assert_int_equal(naohw_pose_recover(pose, NULL), 0);
	assert_string_equal(fake_log(), "dxl0-goal recover=1;");
}

/* The other joints of the robot must not pay for it. */
static void a_bus_that_is_gone_takes_no_other_along(void **state)
{
	unsigned int pushes;

	(void)state;
	fake_goal(3, labels + 2, 1);
	fake_device_set("dxl0-goal", "keep_alive", "");
	fake_device_set("dxl3-goal", "keep_alive", "");
	reopen();
	open_pose();
	push();
	pushes = fake_pushes(3);
	fake_replug("dxl0-goal");
	fake_fail_push(0, -ENODEV);
	fake_device_set("dxl3-goal", "keep_alive", "");
	assert_int_equal(naohw_pose_keep_alive(pose, NULL), -ENODEV);
	assert_string_equal(fake_device_get("dxl3-goal", "keep_alive"), "1");
	assert_int_equal(naohw_pose_push(pose, NULL), -ENODEV);
	assert_int_equal(fake_pushes(3), pushes + 1);
}

static void the_other_is_there_by_now(void)
{
	fake_probe(-EBUSY);
}

/* The one who has locked the buffer is about to take it. */
static void two_programs_cannot_begin_together(void **state)
{
	(void)state;
	fake_lock("dxl0-goal", 0);
	fake_on_look(the_other_is_there_by_now);
	check_refused(-EBUSY, "dxl0-goal: another program is moving the robot");
	assert_int_equal(fake_buffers_created(), 0);
}

/* Anybody who can read the file can do that. */
static void a_lock_alone_keeps_nobody_out(void **state)
{
	(void)state;
	fake_lock("dxl0-goal", 3);
	open_pose();
	naohw_pose_close(pose);
	pose = NULL;
	fake_lock("dxl0-goal", 0);
	open_pose();
}

/* Its number is another device's by now, which is alive as long as somebody says so. */
static void another_bus_is_not_kept_alive(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "keep_alive", "");
	reopen();
	open_pose();
	fake_replug("dxl0-goal");
	fake_device_set("dxl0-goal", "keep_alive", "");
	assert_int_equal(naohw_pose_keep_alive(pose, NULL), -ENODEV);
	assert_string_equal(fake_device_get("dxl0-goal", "keep_alive"), "");
}

static void a_full_queue_is_waited_for(void **state)
{
	unsigned int pushes;

	(void)state;
	fake_device_set("dxl0-goal", "keep_alive", "");
	fake_device_set("dxl0-goal", "watchdog_ms", "40\n");
	open_pose();
	pushes = fake_pushes(0);
	fake_device_set("dxl0-goal", "keep_alive", "");
	fake_fail_push_times(0, -EAGAIN, 3);
	push();
	assert_int_equal(fake_pushes(0), pushes + 1);
	assert_string_equal(fake_device_get("dxl0-goal", "keep_alive"), "1");
}

static void a_queue_that_stays_full_is_told(void **state)
{
	struct naohw_error err;

	(void)state;
	open_pose();
	fake_fail_push(0, -EAGAIN);
	assert_int_equal(naohw_pose_push(pose, &err), -ETIMEDOUT);
	assert_says(&err, "dxl0-goal: takes no poses any more");
}

/* However long a watchdog is: its signs of life are not what is waited for. */
static void a_patient_watchdog_makes_no_longer_wait(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "keep_alive", "");
	fake_device_set("dxl0-goal", "watchdog_ms", "10000\n");
	open_pose();
	fake_fail_push(0, -EAGAIN);
	assert_int_equal(naohw_pose_push(pose, NULL), -ETIMEDOUT);
	assert_in_range(fake_longest_poll(), 1, 1000);
}

static void a_description_has_no_stream(void **state)
{
	enum naohw_stream unused;

	(void)state;
	assert_int_equal(naohw_pose_describe(robot, &pose, NULL), 0);
	assert_int_equal(naohw_pose_keep_alive(pose, NULL), -EBADF);
	assert_int_equal(naohw_pose_get_stream(pose, &unused, NULL), -EBADF);
	assert_int_equal(naohw_pose_recover(pose, NULL), -EBADF);
}

static void the_queue_is_as_long_as_wanted(void **state)
{
	struct naohw_pose_settings *settings;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_pose_settings_new(&settings), 0);
	naohw_pose_settings_set_queue(settings, 1);
	assert_int_equal(naohw_pose_open(robot, settings, &pose, &err), -EINVAL);
	assert_says(&err, "a queue of 1, expected 2 to 1024 poses");
	naohw_pose_settings_set_queue(settings, 1025);
	assert_int_equal(naohw_pose_open(robot, settings, &pose, NULL), -EINVAL);
	open_pose();
	assert_int_equal(fake_depth("dxl0-goal"), 4);
	naohw_pose_close(pose);
	naohw_pose_settings_set_queue(settings, 16);
	assert_int_equal(naohw_pose_open(robot, settings, &pose, NULL), 0);
	assert_int_equal(fake_depth("dxl0-goal"), 16);
	naohw_pose_settings_free(settings);
}

int main(void)
{
#define POSE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		POSE_TEST(axes_are_described),
		POSE_TEST(a_joint_may_turn_against_its_servo),
		POSE_TEST(a_wheel_is_no_axis),
		POSE_TEST(one_push_is_one_sample),
		POSE_TEST(limits_hold),
		POSE_TEST(joints_start_where_they_stay),
		POSE_TEST(a_silent_joint_gets_its_last_goal_slowly),
		POSE_TEST(speeds_are_restored),
		POSE_TEST(a_silent_joint_is_not_let_loose),
		POSE_TEST(a_joint_that_answers_again_stays_where_it_is),
		POSE_TEST(a_silent_joint_keeps_what_it_was_given),
		POSE_TEST(a_speed_is_asked_for_three_times),
		POSE_TEST(the_description_narrows),
		POSE_TEST(all_buses_move),
		POSE_TEST(wide_goals_are_sent),
		POSE_TEST(a_goal_may_have_more_room_than_bits),
		POSE_TEST(a_goal_may_have_its_highest_byte_first),
		POSE_TEST(goals_may_be_below_zero),
		POSE_TEST(several_turns_are_in_reach),
		POSE_TEST(closing_lets_go),
		POSE_TEST(a_busy_output_is_told),
		POSE_TEST(another_program_is_not_disturbed),
		POSE_TEST(a_description_takes_nothing),
		POSE_TEST(a_failed_push_is_told),
		POSE_TEST(other_shapes_are_refused),
		POSE_TEST(no_output_is_told),
		POSE_TEST(a_joint_stays_where_it_is),
		POSE_TEST(it_stays_whatever_is_said_of_its_sensor),
		POSE_TEST(it_stays_if_nothing_is_said_of_its_sensor),
		POSE_TEST(what_no_frame_has_is_asked_where_it_stays),
		POSE_TEST(a_described_pose_will_do_for_a_dry_play),
		POSE_TEST(pages_move_no_servo_without_a_key),
		POSE_TEST(opening_keeps_the_watchdog_quiet),
		POSE_TEST(opening_one_bus_keeps_the_others_alive),
		POSE_TEST(closing_one_bus_keeps_the_others_alive),
		POSE_TEST(waiting_for_one_bus_keeps_the_others_alive),
		POSE_TEST(no_bus_waits_for_the_queue_of_another),
		POSE_TEST(a_bus_that_was_registered_anew_is_told),
		POSE_TEST(who_moves_joints_one_by_one_comes_first),
		POSE_TEST(a_pose_watches_its_own_buses_alone),
		POSE_TEST(the_worst_bus_is_told),
		POSE_TEST(torque_comes_back_where_the_joints_are),
		POSE_TEST(a_bus_that_nobody_can_help_keeps_no_other_down),
		POSE_TEST(torque_of_one_joint_comes_back),
		POSE_TEST(a_bus_that_is_gone_takes_no_other_along),
		POSE_TEST(two_programs_cannot_begin_together),
		POSE_TEST(a_lock_alone_keeps_nobody_out),
		POSE_TEST(another_bus_is_not_kept_alive),
		POSE_TEST(a_full_queue_is_waited_for),
		POSE_TEST(a_queue_that_stays_full_is_told),
		POSE_TEST(a_patient_watchdog_makes_no_longer_wait),
		POSE_TEST(a_description_has_no_stream),
		POSE_TEST(the_queue_is_as_long_as_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
