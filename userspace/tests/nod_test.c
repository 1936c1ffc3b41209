// SPDX-License-Identifier: LGPL-2.1-or-later
/* Documentation/examples/nod.c: the head nods, in time, and what fails ends it before it does. */
#include "support.h"

#include "example.h"

#include <sys/mman.h>
#include <time.h>

#include "fake_iio.h"

#define PERIOD_NS  10000000
/* angl1, anglvel1, count1 */
#define GOAL	   0
#define STIFFNESS  2
/* Of the servo's, see fake_iio.c */
#define ZERO	   512
#define COUNT	   0.005113269
#define STIFF	   1023
#define SAMPLE	   24 /* 10 bytes of the servo, and the time at 16 */

static struct outcome outcome;

/* Of the process that the example runs in */
static struct poses {
	unsigned int count;
	int highest;
	int goal; /* the last ones */
	int stiffness;
} *poses;

static void take_poses(void)
{
	for (; poses->count < fake_pushes(0); poses->count++) {
		const uint16_t *word = fake_pose(0, poses->count);

		poses->goal = (int16_t)word[GOAL];
		poses->stiffness = (int16_t)word[STIFFNESS];
		if (poses->goal > poses->highest)
			poses->highest = poses->goal;
	}
}

static void before_close(const char *device, int open)
{
	if (!open && strcmp(device, "dxl0-goal") == 0)
		take_poses();
}

/* The head is where it was sent. */
static void next_period(void)
{
	const struct timespec period = { .tv_nsec = PERIOD_NS };
	unsigned char bytes[SAMPLE] = { 0 };
	struct timespec time;
	int64_t now;
	int at;

	nanosleep(&period, NULL);
	take_poses();
	at = poses->count ? poses->goal : ZERO;
	bytes[0] = (unsigned char)at;
	bytes[1] = (unsigned char)(at >> 8);
	clock_gettime(CLOCK_MONOTONIC, &time);
	now = time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
	memcpy(bytes + 16, &now, sizeof(now));
	fake_frame(0, bytes, sizeof(bytes));
}

static void prepare_joint(const char *label, const char *robot)
{
	setenv("NAOHW_ROBOT", robot, 1);
	fake_reset();
	fake_servo(label);
	fake_goal(0, &label, 1);
	fake_state(0, &label, 1, 100);
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	fake_device_set("dxl0-goal", "stiffness", "0");
	fake_on_frame(next_period);
	fake_on_buffer(before_close);
}

static void prepare_plain(void)
{
	prepare_joint("HeadPitch", PLAIN_ROBOT);
}

static int setup(void **state)
{
	(void)state;
	poses = mmap(NULL, sizeof(*poses), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	return poses == MAP_FAILED;
}

static int teardown(void **state)
{
	(void)state;
	return munmap(poses, sizeof(*poses));
}

static void it_nods(void **state)
{
	(void)state;
	run_example(prepare_plain, &outcome);
	assert_string_equal(outcome.said, "");
	assert_int_equal(outcome.status, 0);
	/* No cycle need be just when it is there. */
	assert_in_range(poses->highest, ZERO + 50, ZERO + lround(0.3 / COUNT));
	assert_int_equal(poses->goal, ZERO);
	assert_int_equal(poses->stiffness, lround(STIFF * 0.8));
}

static void assert_refused(void (*prepare)(void), const char *why)
{
	run_example(prepare, &outcome);
	assert_int_equal(outcome.status, 1);
	if (!strstr(outcome.said, why))
		fail_msg("said '%s', expected '%s'", outcome.said, why);
	assert_true(poses->highest <= ZERO);
}

static void prepare_nothing(void)
{
	prepare_plain();
	setenv("NAOHW_ROBOT", "/nonexistent.xml", 1);
}

static void without_a_description_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_nothing, "/nonexistent.xml");
}

static void prepare_no_frames(void)
{
	fake_reset();
	fake_servo("HeadPitch");
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
}

static void without_frames_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_no_frames, "dxlN-state");
}

static void prepare_no_head(void)
{
	prepare_joint("LKneePitch", joint_robot("LKneePitch", "0", "1", "0"));
}

static void without_a_head_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_no_head, "HeadPitch/Hardness/Actuator");
}

static void prepare_busy(void)
{
	prepare_plain();
	fake_take("dxl0-goal");
}

static void beside_another_it_moves_nothing(void **state)
{
	(void)state;
	assert_refused(prepare_busy, "dxl0-goal");
}

int __wrap_main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(it_nods),
		TEST(without_a_description_it_ends),
		TEST(without_frames_it_ends),
		TEST(without_a_head_it_ends),
		TEST(beside_another_it_moves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
