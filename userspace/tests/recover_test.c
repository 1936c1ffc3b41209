// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * naohw recover on a made-up robot of two buses, which no naohwd has: what it tells the kernel, what
 * its poses say meanwhile, and how it ends. The cycle goes on in real time, 10 ms each.
 */
#include "support.h"

#include <time.h>
#include <unistd.h>

#include "../naohw/cli.h"
#include "fake_iio.h"

#define PERIOD_NS 10000000
/* What a servo has in a frame, and the time behind the servos of a bus */
#define SERVO	  10
#define TIME(n)	  (((n) * SERVO + 7) / 8 * 8)
/* What a servo has in a pose: its goal, its speed and how stiff it is */
#define WORDS	  3
#define JOINTS	  3
#define ALONE	  INT16_MIN

static const char *const labels[] = { "HeadYaw", "HeadPitch", "LKneePitch" };
static const unsigned int bus_of[] = { 0, 0, 1 };

/* In which cycle what happens besides */
static struct {
	unsigned int cycle;
	void (*happen)(void);
} event;
static unsigned int cycles, poses[2];
static int place; /* of all joints, which are held there */
static bool is_pushed[JOINTS]; /* a pose has said something of it, ... */
static int16_t said_of[JOINTS][WORDS]; /* ... and this was the last */

static void note_pose(unsigned int joint, const uint16_t *words)
{
	if ((int16_t)words[2] == ALONE)
		return;
	is_pushed[joint] = true;
	for (unsigned int i = 0; i < WORDS; i++)
		said_of[joint][i] = (int16_t)words[i];
}

static void take_poses(void)
{
	for (unsigned int bus = 0; bus < 2; bus++)
		for (; poses[bus] < fake_pushes(bus); poses[bus]++)
			for (unsigned int i = 0; i < JOINTS; i++)
				if (bus_of[i] == bus)
					note_pose(i, fake_pose(bus, poses[bus]) +
							     (bus ? 0 : WORDS * i));
}

/* A goal output that is closed is another one afterwards. */
static void on_buffer(const char *device, int open)
{
	unsigned int bus = strcmp(device, "dxl1-goal") == 0;

	if (bus || strcmp(device, "dxl0-goal") == 0) {
		if (open)
			poses[bus] = 0;
		else
			take_poses();
	}
}

static void frame_of(unsigned int bus, unsigned int count, int64_t now)
{
	unsigned char bytes[TIME(2) + 8] = { 0 };

	for (unsigned int i = 0; i < count; i++) {
		bytes[i * SERVO] = (unsigned char)place;
		bytes[i * SERVO + 1] = (unsigned char)(place >> 8);
	}
	memcpy(bytes + TIME(count), &now, sizeof(now));
	fake_frame(bus, bytes, TIME(count) + 8);
}

/* When those of the last period have been read, of both buses. */
static void next_frames(void)
{
	const struct timespec pause = { .tv_nsec = PERIOD_NS };
	struct timespec now;

	if (fake_frames_read(0) < cycles || fake_frames_read(1) < cycles)
		return;
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	take_poses();
	for (unsigned int bus = 0; bus < 2; bus++)
		frame_of(bus, bus ? 1 : 2, now.tv_sec * 1000000000 + now.tv_nsec);
	if (++cycles == event.cycle)
		event.happen();
}

/* ---- its servos ---- */

/* It holds at a goal that it does not quite reach, slowly and with 60 % of its strength. */
static void hold(const char *label)
{
	fake_set(label, "out_angl0_en", "1");
	fake_set(label, "out_angl0_raw", "530");
	fake_set(label, "out_anglvel0_raw", "60");
	fake_set(label, "out_angl0_torque_limit", "60");
	fake_device_set(label, "torque_state", "stiff");
}

static void lose(const char *label)
{
	fake_set(label, "out_angl0_en", "0");
	fake_device_set(label, "torque_state", "tripped");
}

/* The first bus trips, in which HeadPitch was let go by hand before. */
static void trip(void)
{
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	lose("HeadYaw");
	fake_set("HeadPitch", "out_angl0_en", "0");
	fake_device_set("HeadPitch", "torque_state", "relaxed");
}

static void bring_back(void)
{
	hold("HeadYaw");
	fake_device_set("dxl0-goal", "stream_state", "streaming");
}

static void make_bus(unsigned int bus, const char *const *on_it, unsigned int count)
{
	char goal[32];

	snprintf(goal, sizeof(goal), "dxl%u-goal", bus);
	fake_goal(bus, on_it, count);
	fake_state(bus, on_it, count, 100);
	fake_device_set(goal, "stream_state", "streaming");
	fake_device_set(goal, "stiffness", "0");
	fake_device_set(goal, "keep_alive", "");
	fake_device_set(goal, "recover", "");
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	for (unsigned int i = 0; i < JOINTS; i++) {
		fake_servo(labels[i]);
		fake_set(labels[i], "in_angl0_raw", "525");
		hold(labels[i]);
	}
	make_bus(0, labels, 2);
	make_bus(1, labels + 2, 1);
	fake_on_frame(next_frames);
	fake_on_buffer(on_buffer);
	cycles = event.cycle = poses[0] = poses[1] = 0;
	place = 525;
	memset(is_pushed, 0, sizeof(is_pushed));
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
	return 0;
}

/* ---- naohw recover ---- */

static int recover(void)
{
	char *argv[] = { (char *)"recover", NULL };
	struct cli cli = { 0 };
	int status;

	assert_true(line_take(&cli.line, 1, argv));
	status = cmd_recover(&cli);
	assert_false(fake_buffer_is_open(0) || fake_buffer_is_open(1));
	return status;
}

static void nothing_is_brought_back_that_was_not_lost(void **state)
{
	(void)state;
	assert_int_equal(recover(), STATUS_OK);
	assert_string_equal(fake_device_get("dxl0-goal", "recover"), "");
	/* What is said of a joint is what it has. */
	for (unsigned int i = 0; i < JOINTS; i++) {
		if (!is_pushed[i])
			continue;
		assert_int_equal(said_of[i][0], 530);
		assert_int_equal(said_of[i][1], 60);
		assert_near(said_of[i][2], 0.6 * 1023, 1);
	}
}

static void the_torque_comes_back_and_nothing_is_pushed(void **state)
{
	(void)state;
	trip();
	fake_on_write("dxl0-goal", "recover", "stream_state", "recovering");
	event.cycle = 100;
	event.happen = bring_back;
	assert_int_equal(recover(), STATUS_OK);
	assert_string_equal(fake_device_get("dxl0-goal", "recover"), "1");
	assert_true(cycles >= 100);
	for (unsigned int i = 0; i < JOINTS; i++)
		assert_false(is_pushed[i]);
}

/* The stream of its bus runs, and nobody but the kernel knows of it. */
static void what_a_servo_has_lost_by_itself_comes_back(void **state)
{
	(void)state;
	lose("HeadYaw");
	event.cycle = 100;
	event.happen = bring_back;
	assert_int_equal(recover(), STATUS_OK);
	assert_string_equal(fake_device_get("dxl0-goal", "recover"), "1");
	assert_true(cycles >= 100);
}

static void what_one_bus_cannot_have_another_can(void **state)
{
	(void)state;
	trip();
	fake_device_set("dxl1-goal", "stream_state", "tripped");
	lose("LKneePitch");
	fake_device_fail("dxl0-goal", "recover", -EIO);
	fake_on_write("dxl1-goal", "recover", "stream_state", "recovering");
	assert_int_equal(recover(), STATUS_FAILED);
	assert_string_equal(fake_device_get("dxl1-goal", "recover"), "1");
	/* It was watched all the time. */
	assert_true(cycles > 400);
}

/* The others have theirs. */
static void a_joint_that_stays_limp_is_named(void **state)
{
	char text[1024];
	ssize_t size;
	int saved = dup(STDERR_FILENO), pair[2];

	(void)state;
	trip();
	lose("HeadPitch");
	fake_on_write("dxl0-goal", "recover", "stream_state", "recovering");
	event.cycle = 100;
	event.happen = bring_back;
	assert_int_equal(pipe(pair), 0);
	dup2(pair[1], STDERR_FILENO);
	assert_int_equal(recover(), STATUS_FAILED);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(pair[1]);
	size = read(pair[0], text, sizeof(text) - 1);
	close(pair[0]);
	assert_true(size > 0);
	text[size] = '\0';
	assert_non_null(strstr(text, "HeadPitch: the torque has not come back"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nothing_is_brought_back_that_was_not_lost, setup),
		cmocka_unit_test_setup(the_torque_comes_back_and_nothing_is_pushed, setup),
		cmocka_unit_test_setup(what_a_servo_has_lost_by_itself_comes_back, setup),
		cmocka_unit_test_setup(what_one_bus_cannot_have_another_can, setup),
		cmocka_unit_test_setup(a_joint_that_stays_limp_is_named, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
