// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Motion, modes, profiles and alarms of the servos with Protocol 2.0, and what
 * the larger ones with 1.0 have beyond the AX-12, over the bus.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "burn.h"
#include "harness.h"

#define RANGE	4
#define LIMIT	6
#define ALERT	0x80

#define XM	1	/* XM430-W350: 46 rpm, measures its current */
#define XL	2	/* XL430-W250: 61 rpm, tells its load */
#define XL320	3

#define DEG	(360.0 / 4096)

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_xm430_w350, XM);
	rig_add(rig, &model_xl430_w250, XL);
	rig_add(rig, &model_xl320, XL320);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static u8 put(struct rig *rig, int id, unsigned int addr, unsigned int size,
	      int value)
{
	u8 error = rig_set2(rig, id, addr, size, value);

	/* The EEPROM's area, after which it is deaf. */
	if (addr < 64)
		rig_wait(rig, RIG_BURN_TIME);

	return error;
}

static int position(struct rig *rig, int id)
{
	return rig_value2(rig, id, 132, 4);
}

static int speed(struct rig *rig, int id)
{
	return rig_value2(rig, id, 128, 4);
}

static int current(struct rig *rig, int id)
{
	return (int16_t)rig_value2(rig, id, 126, 2);
}

static void torque(struct rig *rig, int id, bool on)
{
	assert_int_equal(put(rig, id, 64, 1, on), 0);
}

static void mode(struct rig *rig, int id, int value)
{
	torque(rig, id, false);
	assert_int_equal(put(rig, id, 11, 1, value), 0);
	torque(rig, id, true);
}

static double seconds_until_still(struct rig *rig, int id)
{
	nsec_t start = rig->now;
	int i;

	for (i = 0; i < 20000 && rig_value2(rig, id, 122, 1); i++)
		rig_wait(rig, 0.001);

	return (double)(rig->now - start) / NSEC_PER_SEC;
}

#define NEAR(value, expected, by) \
	assert_in_range(lround((value) * 1e6), \
			lround(((expected) - (by)) * 1e6), \
			lround(((expected) + (by)) * 1e6))

/* --- positions --- */

static void still_at_first(void **state)
{
	struct rig *rig = *state;

	rig_wait(rig, 5);
	assert_int_equal(position(rig, XM), 2048);
	assert_int_equal(rig_value2(rig, XM, 116, 4), 2048);
	assert_int_equal(rig_value2(rig, XM, 100, 2), 885);
	assert_int_equal(rig_value2(rig, XM, 102, 2), 1193);
	assert_int_equal(rig_value2(rig, XM, 122, 1), 0);
	assert_int_equal(rig_value2(rig, XM, 123, 1), 1);
	assert_int_equal(speed(rig, XM), 0);
	assert_int_equal(current(rig, XM), 0);
	assert_int_equal(rig_value2(rig, XM, 144, 2), 120);
	assert_int_equal(rig_value2(rig, XM, 146, 1), 25);
}

/* A goal alone does not turn the torque on, but for a bit of Drive Mode. */
static void a_goal_waits_for_torque(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(put(rig, XM, 116, 4, 3000), 0);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, XM), 2048);
	assert_int_equal(rig_value2(rig, XM, 122, 1), 0);
	/* Turned on, it holds the shaft where it is. */
	torque(rig, XM, true);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, XM), 2048);
	assert_int_equal(put(rig, XM, 116, 4, 3000), 0);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, XM), 3000);

	assert_int_equal(put(rig, XL, 10, 1, 8), 0);
	assert_int_equal(put(rig, XL, 116, 4, 1000), 0);
	assert_int_equal(rig_value2(rig, XL, 64, 1), 1);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, XL), 1000);
}

static void no_faster_than_it_can(void **state)
{
	struct rig *rig = *state;

	torque(rig, XM, true);
	put(rig, XM, 116, 4, 0);
	rig_wait(rig, 2);
	put(rig, XM, 116, 4, 4095);
	rig_wait(rig, 0.2);
	/* 46 rpm */
	NEAR(speed(rig, XM) * 0.229, 46, 0.2);
	NEAR(seconds_until_still(rig, XM) + 0.2, 4095 * DEG / (46 * 6), 0.1);
	assert_int_equal(position(rig, XM), 4095);
}

static void velocity_based_profile(void **state)
{
	struct rig *rig = *state;

	torque(rig, XM, true);
	put(rig, XM, 112, 4, 100);		/* 22.9 rpm */
	put(rig, XM, 108, 4, 10);		/* 2145.77 rev/min^2 */
	put(rig, XM, 116, 4, 0);
	/* 22.9 rpm are reached after 0.64 s and 44 degrees. */
	rig_wait(rig, 0.32);
	NEAR(-speed(rig, XM), 50, 1);
	assert_int_equal(rig_value2(rig, XM, 123, 1), 0x32);
	rig_wait(rig, 0.5);
	assert_int_equal(speed(rig, XM), -100);
	NEAR(seconds_until_still(rig, XM) + 0.82, 180 / (22.9 * 6) + 0.64, 0.02);
	assert_int_equal(position(rig, XM), 0);
	/* Too short to get to speed. */
	put(rig, XM, 116, 4, 300);
	rig_wait(rig, 0.1);
	assert_int_equal(rig_value2(rig, XM, 123, 1) & 0x30, 0x20);
	rig_wait(rig, 3);
	put(rig, XM, 108, 4, 0);
	put(rig, XM, 116, 4, 600);
	assert_int_equal(rig_value2(rig, XM, 123, 1) & 0x30, 0x10);
}

static void time_based_profile(void **state)
{
	struct rig *rig = *state;

	put(rig, XM, 10, 1, 4);
	torque(rig, XM, true);
	put(rig, XM, 112, 4, 2000);
	put(rig, XM, 108, 4, 500);
	put(rig, XM, 116, 4, 3048);
	NEAR(seconds_until_still(rig, XM), 2, 0.03);
	assert_int_equal(position(rig, XM), 3048);
	/* As long for a shorter way. */
	put(rig, XM, 116, 4, 3148);
	NEAR(seconds_until_still(rig, XM), 2, 0.03);
}

static void extended_positions(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(put(rig, XM, 116, 4, 5000), LIMIT);
	mode(rig, XM, 4);
	assert_int_equal(put(rig, XM, 116, 4, 3 * 4096 + 100), 0);
	rig_wait(rig, 6);
	assert_int_equal(position(rig, XM), 3 * 4096 + 100);
	assert_int_equal(put(rig, XM, 116, 4, -4000), 0);
	rig_wait(rig, 8);
	assert_int_equal(position(rig, XM), -4000);
	assert_int_equal(put(rig, XM, 116, 4, -1048576), RANGE);
	/* It does not know its turns after a start. */
	device_power_cycle(&rig->bus.devices[XM - 1], rig->now);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(position(rig, XM), 96);
}

static void position_limits(void **state)
{
	struct rig *rig = *state;

	put(rig, XM, 48, 4, 3000);
	put(rig, XM, 52, 4, 1000);
	assert_int_equal(put(rig, XM, 116, 4, 999), LIMIT);
	assert_int_equal(put(rig, XM, 116, 4, 3001), LIMIT);
	assert_int_equal(put(rig, XM, 116, 4, 3000), 0);
	/* They are for position control mode. */
	mode(rig, XM, 4);
	assert_int_equal(put(rig, XM, 116, 4, 3001), 0);
}

static void homing_offset(void **state)
{
	struct rig *rig = *state;

	put(rig, XM, 20, 4, -500);
	assert_int_equal(position(rig, XM), 1548);
	torque(rig, XM, true);
	put(rig, XM, 116, 4, 1000);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, XM), 1000);
	/* More than a quarter turn counts only in the other modes. */
	torque(rig, XM, false);
	put(rig, XM, 20, 4, 5000);
	assert_int_equal(position(rig, XM), 1500);
	mode(rig, XM, 4);
	assert_int_equal(position(rig, XM), 6500);
}

static void reverse_mode(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, XM, 132, 4, 1000);
	put(rig, XM, 10, 1, 1);
	assert_int_equal(position(rig, XM), 3096);
	put(rig, XM, 10, 1, 0);
	assert_int_equal(position(rig, XM), 1000);
}

/* --- other modes --- */

static void velocity_mode(void **state)
{
	struct rig *rig = *state;

	mode(rig, XM, 1);
	assert_int_equal(put(rig, XM, 104, 4, 100), 0);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, XM), 100);
	assert_int_equal(rig_value2(rig, XM, 122, 1), 1);
	put(rig, XM, 104, 4, -150);
	rig_wait(rig, 10);
	assert_int_equal(speed(rig, XM), -150);
	/* Beyond one turn it counts on. */
	assert_true(position(rig, XM) < -8000);
	put(rig, XM, 104, 4, 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, XM, 122, 1), 0);

	/* 50 counts are 10729 rev/min^2 */
	put(rig, XM, 108, 4, 5);
	put(rig, XM, 104, 4, 200);
	rig_wait(rig, 1);
	NEAR(speed(rig, XM) * 0.229, 5 * 214.577 / 60, 0.3);
	torque(rig, XM, false);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, XM), 0);
	assert_int_equal(rig_value2(rig, XM, 104, 4), 0);
}

static void velocity_mode_with_a_time(void **state)
{
	struct rig *rig = *state;

	put(rig, XM, 10, 1, 4);
	mode(rig, XM, 1);
	put(rig, XM, 108, 4, 1000);
	put(rig, XM, 104, 4, 100);
	rig_wait(rig, 0.5);
	NEAR(speed(rig, XM), 50, 2);
	rig_wait(rig, 0.6);
	assert_int_equal(speed(rig, XM), 100);
}

static void pwm_mode(void **state)
{
	struct rig *rig = *state;

	mode(rig, XL, 16);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, XL), 0);
	assert_int_equal(put(rig, XL, 100, 2, 443), 0);
	rig_wait(rig, 2);
	/* Half of 61 rpm */
	NEAR(speed(rig, XL) * 0.229, 30.5, 0.3);
	assert_int_equal(put(rig, XL, 100, 2, 886), RANGE);
	put(rig, XL, 100, 2, 0);
	torque(rig, XL, false);
	put(rig, XL, 36, 2, 400);
	torque(rig, XL, true);
	assert_int_equal(put(rig, XL, 100, 2, 401), LIMIT);
	assert_int_equal(put(rig, XL, 100, 2, -400), 0);
}

static void current_mode(void **state)
{
	struct rig *rig = *state;

	/* One that does not measure it has no such mode. */
	assert_int_equal(put(rig, XL, 11, 1, 0), RANGE);
	assert_int_equal(put(rig, XL, 11, 1, 5), RANGE);
	assert_int_equal(put(rig, XM, 11, 1, 2), RANGE);

	mode(rig, XM, 0);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, XM), 0);
	rig_poke(rig, XM, 126, 2, 300);
	assert_int_equal(put(rig, XM, 102, 2, 200), 0);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, XM), 0);
	assert_int_equal(current(rig, XM), 200);
	put(rig, XM, 102, 2, 400);
	rig_wait(rig, 1);
	assert_true(speed(rig, XM) > 100);
	assert_int_equal(current(rig, XM), 400);
	assert_int_equal(put(rig, XM, 102, 2, 1194), RANGE);
	torque(rig, XM, false);
	put(rig, XM, 38, 2, 500);
	assert_int_equal(put(rig, XM, 102, 2, -501), LIMIT);
	assert_int_equal(put(rig, XM, 102, 2, -500), 0);
}

static void current_based_position_mode(void **state)
{
	struct rig *rig = *state;

	mode(rig, XM, 5);
	assert_int_equal(put(rig, XM, 102, 2, 200), 0);
	rig_poke(rig, XM, 126, 2, 300);
	put(rig, XM, 116, 4, 5000);
	rig_wait(rig, 0.3);
	/* It is not let to do more. */
	assert_int_equal(position(rig, XM), 2048);
	assert_int_equal(rig_value2(rig, XM, 123, 1) & 0x08, 0x08);
	assert_int_equal(current(rig, XM), 200);
	put(rig, XM, 102, 2, 500);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, XM), 5000);
}

static void a_new_mode_begins_anew(void **state)
{
	struct rig *rig = *state;

	put(rig, XM, 84, 2, 99);
	put(rig, XM, 112, 4, 50);
	put(rig, XM, 100, 2, 300);
	mode(rig, XM, 4);
	assert_int_equal(rig_value2(rig, XM, 84, 2), 800);
	assert_int_equal(rig_value2(rig, XM, 112, 4), 0);
	assert_int_equal(rig_value2(rig, XM, 100, 2), 885);
}

/* --- alarms --- */

static void overload_shuts_down_until_a_restart(void **state)
{
	struct rig *rig = *state;

	torque(rig, XM, true);
	rig_poke(rig, XM, 126, 2, 1500);
	put(rig, XM, 116, 4, 3000);
	rig_wait(rig, 0.4);
	assert_int_equal(rig_value2(rig, XM, 70, 1), 0);
	rig_wait(rig, 0.3);
	assert_int_equal(rig_ping2(rig, XM).error, ALERT);
	assert_int_equal(rig_value2(rig, XM, 70, 1), 0x20);
	assert_int_equal(rig_value2(rig, XM, 64, 1), 0);
	/* The load goes, the error stays, and torque stays off. */
	rig_poke(rig, XM, 126, 2, 0);
	assert_int_equal(put(rig, XM, 64, 1, 1), ALERT);
	assert_int_equal(rig_value2(rig, XM, 64, 1), 0);
	rig_ask2(rig, XM, 0x08, NULL, 0);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(rig_ping2(rig, XM).error, 0);
	torque(rig, XM, true);
	assert_int_equal(rig_value2(rig, XM, 64, 1), 1);
}

/* Its shaft stands still as it is asked for too little, and not as too much hangs on it. */
static void little_pwm_is_no_overload(void **state)
{
	struct rig *rig = *state;

	mode(rig, XM, 16);
	torque(rig, XM, true);
	put(rig, XM, 100, 2, 5);
	rig_wait(rig, 2);
	assert_int_equal(rig_ping2(rig, XM).error, 0);
	assert_int_equal(rig_value2(rig, XM, 64, 1), 1);
	/* More than it could ever hold is. */
	rig_poke(rig, XM, 126, 2, 1500);
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, XM, 70, 1), 0x20);
}

static void heat_and_voltage(void **state)
{
	struct rig *rig = *state;

	torque(rig, XM, true);
	/* Not among what shuts it down, as it comes from the factory. */
	rig_poke(rig, XM, 144, 2, 170);
	assert_int_equal(rig_value2(rig, XM, 70, 1), 1);
	assert_int_equal(rig_value2(rig, XM, 64, 1), 1);
	rig_poke(rig, XM, 144, 2, 120);
	assert_int_equal(rig_value2(rig, XM, 70, 1), 0);
	rig_poke(rig, XM, 146, 1, 81);
	rig_wait(rig, 0.01);
	assert_int_equal(rig_value2(rig, XM, 70, 1), 4);
	assert_int_equal(rig_value2(rig, XM, 64, 1), 0);
}

/* Errors that nothing here brings about can be made by hand. */
static void an_encoder_error(void **state)
{
	struct rig *rig = *state;

	put(rig, XM, 63, 1, 8);
	torque(rig, XM, true);
	rig_poke(rig, XM, 70, 1, 8);
	rig_wait(rig, 0.01);
	assert_int_equal(rig_value2(rig, XM, 70, 1), 8);
	assert_int_equal(rig_value2(rig, XM, 64, 1), 0);
}

/* The manual's example. */
static void bus_watchdog(void **state)
{
	struct rig *rig = *state;
	int where;

	mode(rig, XM, 1);
	put(rig, XM, 104, 4, 50);
	assert_int_equal(put(rig, XM, 98, 1, 100), 0);
	rig_wait(rig, 1.9);
	assert_int_equal(speed(rig, XM), 50);
	rig_wait(rig, 2.3);
	assert_int_equal(speed(rig, XM), 0);
	assert_int_equal(rig_value2(rig, XM, 98, 1), 255);
	where = position(rig, XM);
	assert_int_equal(put(rig, XM, 104, 4, 150), RANGE);
	assert_int_equal(put(rig, XM, 98, 1, 0), 0);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, XM), where);
	assert_int_equal(put(rig, XM, 104, 4, 150), 0);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, XM), 150);
}

/* Others' packets do not count as heard. */
static void bus_watchdog_hears_its_own(void **state)
{
	struct rig *rig = *state;
	int i;

	torque(rig, XM, true);
	put(rig, XM, 98, 1, 5);
	for (i = 0; i < 10; i++) {
		rig_wait(rig, 0.05);
		rig_ping2(rig, XM);
	}
	assert_int_equal(rig_value2(rig, XM, 98, 1), 5);
	for (i = 0; i < 10; i++) {
		rig_wait(rig, 0.05);
		rig_ping2(rig, XL);
	}
	assert_int_equal(rig_value2(rig, XM, 98, 1), 255);
}

static void realtime_tick(void **state)
{
	struct rig *rig = *state;

	rig_wait(rig, 1.5);
	assert_int_equal(rig_value2(rig, XM, 120, 2), 1500);
	rig_wait(rig, 32);
	assert_int_equal(rig_value2(rig, XM, 120, 2), 33500 - 32768);
}

static void load_in_thousandths(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, XL, 126, 2, -250);
	assert_int_equal(current(rig, XL), 0);
	torque(rig, XL, true);
	assert_int_equal(current(rig, XL), -250);
}

static void less_voltage_is_less_speed(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, XL, 144, 2, 60);
	mode(rig, XL, 16);
	put(rig, XL, 100, 2, 885);
	rig_wait(rig, 2);
	NEAR(speed(rig, XL) * 0.229, 30.5, 0.3);
}

/* Only where a motion leads matters, not how often one looks. */
static void looking_changes_nothing(void **state)
{
	struct rig *rig = *state, *other = rig_new();
	int i;

	rig_add(other, &model_xm430_w350, XM);
	torque(rig, XM, true);
	torque(other, XM, true);
	put(rig, XM, 116, 4, 3000);
	put(other, XM, 116, 4, 3000);
	for (i = 0; i < 330; i++) {
		rig_wait(rig, 0.001);
		position(rig, XM);
	}
	rig_wait(other, 0.330);
	assert_int_equal(position(rig, XM), position(other, XM));
	rig_free(other);
}

/* --- XL-320 --- */

static void xl320_moves(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_value2(rig, XL320, 37, 2), 512);
	assert_int_equal(rig_set2(rig, XL320, 30, 2, 800), 0);
	rig_wait(rig, 2);
	assert_int_equal(rig_value2(rig, XL320, 37, 2), 800);
	assert_int_equal(rig_set2(rig, XL320, 30, 2, 1024), RANGE);
	/* A goal turns the torque on, and that locks the EEPROM. */
	assert_int_equal(rig_set2(rig, XL320, 12, 1, 60), 7);
	rig_set2(rig, XL320, 24, 1, 0);
	assert_int_equal(rig_set2(rig, XL320, 11, 1, 1), 0);
	rig_wait(rig, RIG_BURN_TIME);
	rig_set2(rig, XL320, 24, 1, 1);
	rig_set2(rig, XL320, 32, 2, 1024 + 512);
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, XL320, 39, 2), 1024 + 512);
}

/* Its bits of Hardware Error Status are its own. */
static void xl320_alarms(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, XL320, 45, 1, 40);
	assert_int_equal(rig_ping2(rig, XL320).error, ALERT);
	assert_int_equal(rig_value2(rig, XL320, 50, 1), 4);
	rig_poke(rig, XL320, 45, 1, 74);
	rig_set2(rig, XL320, 24, 1, 1);
	rig_poke(rig, XL320, 46, 1, 66);
	rig_wait(rig, 0.01);
	assert_int_equal(rig_value2(rig, XL320, 50, 1), 2);
	assert_int_equal(rig_value2(rig, XL320, 24, 1), 0);
	rig_poke(rig, XL320, 46, 1, 30);
	rig_set2(rig, XL320, 24, 1, 1);
	assert_int_equal(rig_value2(rig, XL320, 24, 1), 0);
	rig_ask2(rig, XL320, 0x08, NULL, 0);
	rig_wait(rig, RIG_BURN_TIME);
	rig_set2(rig, XL320, 24, 1, 1);
	assert_int_equal(rig_value2(rig, XL320, 24, 1), 1);
}

/* --- larger ones with Protocol 1.0 --- */

static void torque_control_of_the_mx64(void **state)
{
	struct rig *rig = rig_new();

	(void)state;
	rig_add(rig, &model_mx64, 1);
	assert_int_equal(rig_read16(rig, 1, 68), 2048);
	rig_write8(rig, 1, 24, 1);
	rig_write8(rig, 1, 70, 1);
	rig_wait(rig, 1);
	assert_int_equal(rig_read8(rig, 1, 46), 0);
	assert_int_equal(rig_write16(rig, 1, 71, 1024 + 512), 0);
	rig_wait(rig, 1);
	/* Clockwise, with half of 63 rpm. */
	NEAR((rig_read16(rig, 1, 38) - 1024) * 0.114, 31.5, 0.2);
	assert_in_range(rig_read16(rig, 1, 68), 1900, 2047);
	rig_write16(rig, 1, 34, 400);
	assert_int_equal(rig_write16(rig, 1, 71, 401), 8);
	rig_free(rig);
}

static void reverse_mode_of_the_ex106(void **state)
{
	struct rig *rig = rig_new();
	struct device *dev;

	(void)state;
	dev = rig_add(rig, &model_ex106, 1);
	assert_int_equal(rig_read16(rig, 1, 36), 2048);
	dev->servo.joint.pos = 1000;
	rig_burn8(rig, 1, 10, 1);
	assert_int_equal(rig_read16(rig, 1, 36), 3095);
	assert_int_equal(rig_read16(rig, 1, 56), 512);
	assert_int_equal(rig_read8(rig, 1, 42), 148);
	rig_free(rig);
}

/* In wheel mode its encoder counts on; clockwise is more current than 512. */
static void wheel_mode_of_the_ex106(void **state)
{
	struct rig *rig = rig_new();

	(void)state;
	rig_add(rig, &model_ex106, 1);
	rig_burn16(rig, 1, 8, 0);
	rig_write8(rig, 1, 24, 1);
	rig_write16(rig, 1, 32, 1024 + 1023);
	rig_wait(rig, 1);
	assert_in_range(rig_read16(rig, 1, 56), 513, 700);
	/* 72.8 rpm from 2048 down through 0 */
	assert_in_range(rig_read16(rig, 1, 36), 65536 - 5500, 65536 - 4500);
	rig_free(rig);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(still_at_first),
		TEST(a_goal_waits_for_torque),
		TEST(no_faster_than_it_can),
		TEST(velocity_based_profile),
		TEST(time_based_profile),
		TEST(extended_positions),
		TEST(position_limits),
		TEST(homing_offset),
		TEST(reverse_mode),
		TEST(velocity_mode),
		TEST(velocity_mode_with_a_time),
		TEST(pwm_mode),
		TEST(current_mode),
		TEST(current_based_position_mode),
		TEST(a_new_mode_begins_anew),
		TEST(overload_shuts_down_until_a_restart),
		TEST(little_pwm_is_no_overload),
		TEST(heat_and_voltage),
		TEST(an_encoder_error),
		TEST(bus_watchdog),
		TEST(bus_watchdog_hears_its_own),
		TEST(realtime_tick),
		TEST(load_in_thousandths),
		TEST(less_voltage_is_less_speed),
		TEST(looking_changes_nothing),
		TEST(xl320_moves),
		TEST(xl320_alarms),
		cmocka_unit_test(torque_control_of_the_mx64),
		cmocka_unit_test(reverse_mode_of_the_ex106),
		cmocka_unit_test(wheel_mode_of_the_ex106),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
