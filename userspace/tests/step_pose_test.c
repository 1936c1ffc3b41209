// SPDX-License-Identifier: LGPL-2.1-or-later
/* A player that is stepped on a real pose: the watchdog is fed, by the clock and by frames. */
#include "support.h"

#include <time.h>

#include "fake_iio.h"
#include "monotonic.h"

#define MS ((int64_t)1000000)

static const char *const labels[] = { "HeadYaw", "HeadPitch" };

static struct fixture {
	unsigned char *pages;
	struct naohw_motion *motion;
	struct naohw_robot *robot;
	struct naohw_frame *frame;
	struct naohw_pose *pose;
	struct naohw_player *player;
	int64_t time; /* of the last frame */
	bool silent;
	unsigned int asked; /* for frames, be there any or none */
} here;

/* angl1, age, alarm; angl2, age, alarm; time. HeadYaw is where it was sent. */
static void next_frame(void)
{
	unsigned char bytes[16] = { 0 };
	unsigned int pushes = fake_pushes(0);
	int position = pushes ? fake_pose(0, pushes - 1)[0] : 520;

	here.asked++;
	if (here.silent) {
		fake_frame_error(0, -ETIMEDOUT);
		return;
	}
	bytes[0] = (unsigned char)position;
	bytes[1] = (unsigned char)(position >> 8);
	here.time += 10 * MS;
	memcpy(bytes + 8, &here.time, sizeof(here.time));
	fake_frame(0, bytes, sizeof(bytes));
}

static int setup(void **state)
{
	(void)state;
	memset(&here, 0, sizeof(here));
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_goal(0, labels, 2);
	fake_state(0, labels, 2, 100);
	fake_set("dxl0-state", "in_angl1_scale", "0.005113269");
	fake_set("dxl0-state", "in_angl2_scale", "0.005113269");
	fake_on_frame(next_frame);
	here.time = 1000 * MS;
	here.pages = pages_new(2);
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &here.robot, NULL), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_player_free(here.player);
	naohw_frame_close(here.frame);
	naohw_pose_close(here.pose);
	naohw_robot_close(here.robot);
	naohw_motion_free(here.motion);
	free(here.pages);
	return 0;
}

/* One step of HeadYaw to 600, in so many ticks; by frames, or by the clock. */
static void make_player(unsigned int ticks, bool by_frames)
{
	struct naohw_frame_settings *settings;

	assert_int_equal(naohw_frame_settings_new(&settings), 0);
	naohw_frame_settings_set_quantities(settings, 1u << NAOHW_QUANTITY_POSITION);
	page_plain(here.pages + PAGE_SIZE, "go", 1);
	page_position(here.pages + PAGE_SIZE, 0, 1, 600);
	page_times(here.pages + PAGE_SIZE, 0, 0, ticks);
	page_seal(here.pages + PAGE_SIZE);
	here.motion = pages_load(here.pages, 2);
	if (by_frames)
		assert_int_equal(naohw_frame_open(here.robot, settings, &here.frame, NULL), 0);
	naohw_frame_settings_free(settings);
	assert_int_equal(naohw_pose_open(here.robot, NULL, &here.pose, NULL), 0);
	assert_int_equal(naohw_player_new(here.motion, here.pose, &here.player, NULL), 0);
	if (by_frames)
		assert_int_equal(naohw_player_set_frame(here.player, here.frame, NULL), 0);
}

static bool is_playing(void)
{
	return naohw_player_get_state(here.player) == NAOHW_PLAYER_PLAYING;
}

static void sleep_until(int64_t time)
{
	const struct timespec until = { .tv_sec = time / (1000 * MS), .tv_nsec = time % (1000 * MS) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void by_the_clock_the_pose_is_repeated(void **state)
{
	int64_t due;

	(void)state;
	make_player(44, false); /* 352 ms */
	assert_int_equal(naohw_player_begin(here.player, 1, NULL), 0);
	while (is_playing()) {
		assert_int_equal(naohw_player_step(here.player, &due, NULL), 0);
		if (!is_playing())
			break;
		/* Never further away than the watchdog's share */
		assert_true(due <= monotonic_ns() + 100 * MS);
		sleep_until(due);
	}
	assert_int_equal(due, INT64_MAX);
	/* At 0, 100, 200 and 300 ms, or a little later on a machine that is busy */
	assert_in_range(fake_pushes(0), 3, 4);
	assert_int_equal(fake_pose(0, fake_pushes(0) - 1)[0], 600);
}

/* Each call in between costs nothing. */
static void who_comes_often_pushes_no_more(void **state)
{
	int64_t due, began = monotonic_ns();
	unsigned int pushes;

	(void)state;
	make_player(44, false);
	assert_int_equal(naohw_player_begin(here.player, 1, NULL), 0);
	for (int i = 0; i < 50; i++)
		assert_int_equal(naohw_player_step(here.player, &due, NULL), 0);
	pushes = fake_pushes(0);
	assert_true(pushes <= 1 + (monotonic_ns() - began) / (100 * MS));
}

static void each_frame_gets_one_pose(void **state)
{
	unsigned int frames;
	int64_t due = 0;

	(void)state;
	make_player(20, true);
	assert_int_equal(naohw_player_begin(here.player, 1, NULL), 0);
	/* It has looked where the joints are, in the first. */
	frames = fake_frames_read(0);
	assert_int_equal(frames, 1);
	while (is_playing()) {
		assert_int_equal(naohw_player_step(here.player, &due, NULL), 0);
		assert_int_equal(naohw_player_step(here.player, &due, NULL), is_playing() ? 0 : -EINVAL);
		/* It never reads one itself. */
		assert_int_equal(fake_frames_read(0), frames);
		if (!is_playing())
			break;
		assert_int_equal(fake_pushes(0), frames);
		assert_true(due <= monotonic_ns() + 10 * MS);
		assert_int_equal(naohw_frame_read(here.frame, NULL), 0);
		frames++;
	}
	assert_int_equal(due, INT64_MAX);
	/* 160 ms by their times, however fast they came */
	assert_int_equal(frames, 17);
	assert_int_equal(fake_pose(0, 0)[0], 600);
}

/* As if they had never been there, but for the time that this took. */
static void without_frames_it_goes_on_by_the_clock(void **state)
{
	unsigned int asked;
	int64_t due;

	(void)state;
	make_player(40, true); /* 320 ms */
	assert_int_equal(naohw_player_begin(here.player, 1, NULL), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(naohw_player_step(here.player, &due, NULL), 0);
		assert_int_equal(naohw_frame_read(here.frame, NULL), 0);
	}
	here.silent = true;
	asked = here.asked;
	while (is_playing()) {
		unsigned int pushes = fake_pushes(0);
		int64_t before = monotonic_ns();

		assert_int_equal(naohw_player_step(here.player, &due, NULL), 0);
		if (!is_playing())
			break;
		/* Neither over and over again, nor too late for the watchdog */
		assert_true(due > before && due <= monotonic_ns() + 100 * MS);
		sleep_until(due);
		assert_true(fake_pushes(0) <= pushes + 1);
	}
	/* It waits for no frame, but has fed the watchdog all the time. */
	assert_int_equal(here.asked, asked);
	assert_true(fake_pushes(0) >= 5 + 3);
}

static void frames_do_not_begin_in_the_middle(void **state)
{
	struct naohw_frame *frame;
	struct naohw_error err;
	int64_t due;

	(void)state;
	make_player(20, true);
	frame = here.frame;
	assert_int_equal(naohw_player_set_frame(here.player, NULL, &err), 0);
	assert_int_equal(naohw_player_begin(here.player, 1, NULL), 0);
	assert_int_equal(naohw_player_set_frame(here.player, frame, &err), -EBUSY);
	assert_int_equal(naohw_player_step(here.player, &due, NULL), 0);
	assert_int_equal(naohw_player_set_frame(here.player, NULL, &err), 0);
	naohw_player_halt(here.player);
	while (naohw_player_step(here.player, &due, NULL) == 0)
		sleep_until(due);
	assert_int_equal(naohw_player_set_frame(here.player, frame, &err), 0);
}

static void a_torque_that_was_cut_ends_it(void **state)
{
	struct naohw_error err;
	int64_t due;

	(void)state;
	make_player(20, false);
	assert_int_equal(naohw_player_begin(here.player, 1, NULL), 0);
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	assert_int_equal(naohw_player_step(here.player, &due, &err), -EPIPE);
	assert_says(&err, "watchdog has switched the torque off");
	assert_int_equal(naohw_player_get_state(here.player), NAOHW_PLAYER_IDLE);
}

/* A robot that somebody else is moving can be described, and played dry. */
static void a_described_pose_will_do_for_a_dry_play(void **state)
{
	struct naohw_player *dry;
	struct naohw_pose *pose;

	(void)state;
	make_player(20, false);
	assert_int_equal(naohw_pose_describe(here.robot, &pose, NULL), 0);
	assert_int_equal(naohw_player_new_dry(here.motion, pose, &dry, NULL), 0);
	assert_null(naohw_player_assumed_servo(dry));
	assert_int_equal(naohw_player_joint_count(dry, 1), 1);
	assert_int_equal(naohw_player_play(dry, 1, NULL), 0);
	naohw_player_free(dry);
	naohw_pose_close(pose);
	assert_int_equal(fake_pushes(0), 0);
}

int main(void)
{
#define STEP_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		STEP_TEST(by_the_clock_the_pose_is_repeated),
		STEP_TEST(who_comes_often_pushes_no_more),
		STEP_TEST(each_frame_gets_one_pose),
		STEP_TEST(without_frames_it_goes_on_by_the_clock),
		STEP_TEST(frames_do_not_begin_in_the_middle),
		STEP_TEST(a_torque_that_was_cut_ends_it),
		STEP_TEST(a_described_pose_will_do_for_a_dry_play),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
