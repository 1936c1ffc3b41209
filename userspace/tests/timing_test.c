// SPDX-License-Identifier: LGPL-2.1-or-later
/* Times and speeds against vectors reckoned by hand. */
#include <limits.h>

#include "support.h"

#include "motion/timing.h"

static struct naohw_page page(int time_base, unsigned int speed)
{
	const struct naohw_page page = { .time_base = time_base, .speed = speed };

	return page;
}

static unsigned int move(int time_base, unsigned int speed, unsigned int time, double degrees)
{
	const struct naohw_page p = page(time_base, speed);
	const struct motion_step step = { .time = time };

	return timing_move_ticks(&p, &step, degrees * M_PI / 180);
}

static unsigned int pause_of(int time_base, unsigned int speed, unsigned int pause)
{
	const struct naohw_page p = page(time_base, speed);
	const struct motion_step step = { .pause = pause };

	return timing_pause_ticks(&p, &step);
}

static void time_base_moves(void **state)
{
	(void)state;
	assert_int_equal(move(1, 32, 125, 90), 125); /* as written */
	assert_int_equal(move(1, 32, 125, 0), 125);  /* whatever the way */
	assert_int_equal(move(1, 16, 125, 90), 62);  /* rate 2 */
	assert_int_equal(move(1, 64, 125, 90), 250);
	assert_int_equal(move(1, 48, 50, 90), 75); /* as OP3's pages */
	assert_int_equal(move(1, 15, 9, 90), 4);   /* 0.072 s at rate 2.1 */
	assert_int_equal(move(1, 32, 0, 90), 1);   /* never no time at all */
	assert_int_equal(move(1, 1, 31, 90), 1);
	assert_int_equal(move(1, 255, 255, 90), 2032);
}

static void speed_base_moves(void **state)
{
	(void)state;
	/* 256 is 720 degrees a second: 300 degrees are 1024 * 40 / (256 * 3) = 53 ticks. */
	assert_int_equal(move(0, 64, 128, 300), 53);
	assert_int_equal(move(0, 32, 128, 300), 106);
	assert_int_equal(move(0, 32, 128, 150), 53);
	assert_int_equal(move(0, 32, 128, 0), 1);
	assert_int_equal(move(0, 32, 0, 300), 13653); /* time 0 counts as 1 */
}

static void pauses_follow_the_tempo(void **state)
{
	(void)state;
	assert_int_equal(pause_of(1, 32, 50), 50);
	assert_int_equal(pause_of(1, 16, 50), 25); /* twice as fast: half the pause */
	assert_int_equal(pause_of(1, 64, 50), 100);
	assert_int_equal(pause_of(1, 32, 0), 0);
	assert_int_equal(pause_of(0, 64, 50), 25); /* in speed base a larger byte is faster */
	assert_int_equal(pause_of(0, 16, 50), 100);
	assert_int_equal(pause_of(0, 0, 50), 50);
	assert_int_equal(pause_of(1, 0, 50), 50);
}

static void ticks_are_8_ms(void **state)
{
	(void)state;
	assert_int_equal(timing_ns(1, 1), 8000000);
	assert_int_equal(timing_ns(125, 1), 1000000000);
	assert_int_equal(timing_ns(125, 2), 500000000);
	assert_int_equal(timing_ns(125, 0.5), 2000000000);
	assert_int_equal(timing_ns(0, 1), 0);
}

/* A page counts 4096 to a turn where a servo's own count is none that a page can have. */
static void goals_are_in_the_servos_count(void **state)
{
	struct servo_axis axis = ax12(1, "x");

	(void)state;
	assert_int_equal(timing_goal(&axis, 0), 0);
	assert_int_equal(timing_goal(&axis, 1023), 1023);
	axis.servo_offset = 0;
	axis.servo_scale = 2 * M_PI / 65536;
	assert_int_equal(timing_goal(&axis, 2048), 0);
	assert_int_equal(timing_goal(&axis, 3072), 16384);
	assert_int_equal(timing_goal(&axis, 1), -32752);
}

static void an_offset_is_added_to_what_a_page_says(void **state)
{
	struct servo_axis axis = ax12(1, "x");

	(void)state;
	axis.motion_offset = -19.6;
	assert_int_equal(timing_goal(&axis, 512), 492);
	axis.motion_offset = 1e12;
	assert_int_equal(timing_goal(&axis, 512), INT_MAX);
	axis.servo_offset = 0;
	axis.servo_scale = 2 * M_PI / 65536;
	axis.motion_offset = 7;
	assert_int_equal(timing_goal(&axis, 3072), 16391);
}

static void flags_are_no_goals(void **state)
{
	(void)state;
	assert_true(timing_has_goal(0));
	assert_true(timing_has_goal(4095));
	assert_false(timing_has_goal(0x4000));
	assert_false(timing_has_goal(0x4200));
	assert_false(timing_has_goal(0x2000));
	assert_false(timing_has_goal(0x7000));
	assert_true(timing_has_goal(0x9d00)); /* garbage, which the range check refuses */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_base_moves),
		cmocka_unit_test(speed_base_moves),
		cmocka_unit_test(pauses_follow_the_tempo),
		cmocka_unit_test(ticks_are_8_ms),
		cmocka_unit_test(goals_are_in_the_servos_count),
		cmocka_unit_test(an_offset_is_added_to_what_a_page_says),
		cmocka_unit_test(flags_are_no_goals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
