// SPDX-License-Identifier: GPL-2.0-or-later
/* Motion, torque, load, alarms: servos in virtual time, seen over the bus. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "../base/base.h"
#include "burn.h"
#include "harness.h"

#define VOLTAGE		0x01
#define ANGLE		0x02
#define OVERHEAT	0x04
#define RANGE		0x08
#define OVERLOAD	0x20

#define AX	1
#define MX	2

#define AX_DEG	(300.0 / 1024)
#define MX_DEG	(360.0 / 4096)

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_ax12, AX);
	rig_add(rig, &model_mx28, MX);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static struct device *device(struct rig *rig, int id)
{
	return &rig->bus.devices[id - 1];
}

static void poke(struct rig *rig, int id, u8 addr, unsigned int value, int size)
{
	rig_poke(rig, id, addr, size, value);
}

static int position(struct rig *rig, int id)
{
	return (int16_t)rig_read16(rig, id, 36);
}

/* Speed or load: the value with bit 10 as its sign. */
static int with_sign(unsigned int value)
{
	return value & 1024 ? -(int)(value & 1023) : (int)value;
}

static int speed(struct rig *rig, int id)
{
	return with_sign(rig_read16(rig, id, 38));
}

static int load(struct rig *rig, int id)
{
	return with_sign(rig_read16(rig, id, 40));
}

static double seconds_until_still(struct rig *rig, int id)
{
	nsec_t start = rig->now;
	int i;

	for (i = 0; i < 100000 && rig_read8(rig, id, 46); i++)
		rig_wait(rig, 0.001);

	return (double)(rig->now - start) / NSEC_PER_SEC;
}

static void still_at_first(void **state)
{
	struct rig *rig = *state;

	rig_wait(rig, 10);
	assert_int_equal(position(rig, AX), 512);
	assert_int_equal(position(rig, MX), 2048);
	assert_int_equal(rig_read16(rig, AX, 30), 512);
	assert_int_equal(rig_read8(rig, AX, 24), 0);
	assert_int_equal(rig_read8(rig, AX, 46), 0);
	assert_int_equal(rig_read16(rig, AX, 38), 0);
	assert_int_equal(rig_read16(rig, AX, 40), 0);
}

static void goals_are_reached(void **state)
{
	static const int goals[] = { 0, 1023, 1, 1022, 300, 310, 200, 512 };
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(goals) / sizeof(goals[0]); i++) {
		assert_int_equal(rig_write16(rig, AX, 30, goals[i]), 0);
		assert_int_equal(rig_write16(rig, MX, 30, goals[i] * 4), 0);
		assert_int_equal(rig_read8(rig, AX, 46), 1);
		rig_wait(rig, 2);
		assert_in_range(position(rig, AX), goals[i] ? goals[i] - 1 : 0,
				goals[i] + 1);
		assert_int_equal(position(rig, MX), goals[i] * 4);
		assert_int_equal(rig_read8(rig, AX, 46), 0);
		assert_int_equal(rig_read8(rig, MX, 46), 0);
		assert_int_equal(speed(rig, AX), 0);
	}
}

/* Goal Position sets Torque Enable. */
static void a_goal_turns_the_torque_on(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 30, 600);
	assert_int_equal(rig_read8(rig, AX, 24), 1);
	/* Torque and goal in one write: as it says. */
	rig_write8(rig, AX, 24, 0);
	rig_write(rig, AX, 24, (u8[]){ 0, 0, 1, 1, 32, 32, 0, 1 }, 8);
	assert_int_equal(rig_read8(rig, AX, 24), 0);
}

/* The shaft does not jump to an old goal when its torque comes back. */
static void torque_holds_the_present_place(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 30, 800);
	rig_wait(rig, 2);
	rig_write8(rig, AX, 24, 0);
	poke(rig, AX, 36, 400, 2);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, AX), 400);
	rig_write8(rig, AX, 24, 1);
	assert_int_equal(rig_read16(rig, AX, 30), 400);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, AX), 400);
}

static void torque_off_ends_a_motion(void **state)
{
	struct rig *rig = *state;
	int where;

	rig_write16(rig, AX, 30, 1023);
	rig_wait(rig, 0.2);
	rig_write8(rig, AX, 24, 0);
	rig_wait(rig, 0.5);
	where = position(rig, AX);
	assert_in_range(where, 600, 1000);
	assert_int_equal(rig_read8(rig, AX, 46), 0);
	rig_wait(rig, 5);
	assert_int_equal(position(rig, AX), where);
}

/* From here to there with a speed setting: no sooner, and not much later. */
static void check_time(struct rig *rig, int id, int setting, int goal,
		       double degrees, double rpm)
{
	double least = degrees / (rpm * 6);

	rig_write16(rig, id, 32, setting);
	assert_int_equal(rig_write16(rig, id, 30, goal), 0);
	assert_in_range(seconds_until_still(rig, id) * 1e6, least * 1e6,
			(least + 0.15) * 1e6);
}

static void speed_settings_hold(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 30, 0);
	rig_write16(rig, MX, 30, 0);
	rig_wait(rig, 3);

	check_time(rig, AX, 100, 1000, 1000 * AX_DEG, 11.1);
	check_time(rig, AX, 10, 950, 50 * AX_DEG, 1.11);
	check_time(rig, AX, 0, 0, 950 * AX_DEG, 59);
	/* More than it can. */
	check_time(rig, AX, 1023, 1000, 1000 * AX_DEG, 59);
	check_time(rig, MX, 100, 4000, 4000 * MX_DEG, 11.4);
	check_time(rig, MX, 0, 0, 4000 * MX_DEG, 55);
}

static void less_voltage_is_less_speed(void **state)
{
	struct rig *rig = *state;

	poke(rig, AX, 42, 90, 1);
	check_time(rig, AX, 0, 0, 512 * AX_DEG, 59 * 9.0 / 12);
}

static void present_speed_and_load_while_moving(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 32, 100);
	rig_write16(rig, AX, 30, 1000);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, AX), 100);
	assert_in_range(load(rig, AX), 1, 200);
	assert_int_equal(rig_read8(rig, AX, 46), 1);
	rig_write16(rig, AX, 30, 0);
	rig_wait(rig, 0.5);
	assert_int_equal(speed(rig, AX), -100);
	assert_in_range(-load(rig, AX), 1, 200);
	rig_write16(rig, AX, 32, 0);
	rig_wait(rig, 0.1);
	/* 59 rpm at 0.111 rpm */
	assert_int_equal(speed(rig, AX), -532);
}

static void acceleration_is_limited(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, MX, 30, 0);
	rig_wait(rig, 3);
	rig_write8(rig, MX, 73, 10);
	rig_write16(rig, MX, 30, 4095);
	rig_wait(rig, 1);
	/* The manual's example: 14.3 rpm after a second. */
	assert_int_equal(speed(rig, MX), lround(14.3 / 0.114));
	rig_wait(rig, 20);
	assert_int_equal(position(rig, MX), 4095);
}

/* Only where a motion leads matters, not how often one looks. */
static void looking_changes_nothing(void **state)
{
	struct rig *rig = *state, *other = rig_new();
	int i;

	rig_add(other, &model_ax12, AX);
	rig_write16(rig, AX, 30, 900);
	rig_write16(other, AX, 30, 900);
	for (i = 0; i < 330; i++) {
		rig_wait(rig, 0.001);
		position(rig, AX);
	}
	rig_wait(other, 0.330);
	assert_true(fabs(device(rig, AX)->servo.joint.pos -
			 (position(other, AX), device(other, AX)->servo.joint.pos)) <
		    0.01);
	rig_free(other);
}

static void new_goals_on_the_way(void **state)
{
	struct rig *rig = *state;
	uint64_t seed = 9;
	int i, last = position(rig, AX);

	for (i = 0; i < 2000; i++) {
		int goal = random_below(&seed, 1024), here;

		rig_write16(rig, AX, 30, goal);
		rig_wait(rig, 0.01);
		here = position(rig, AX);
		/* 59 rpm are 12 counts in 10 ms. */
		assert_in_range(abs(here - last), 0, 13);
		last = here;
	}
	rig_write16(rig, AX, 30, 333);
	rig_wait(rig, 2);
	assert_in_range(position(rig, AX), 332, 334);
}

static void the_margin_is_a_dead_zone(void **state)
{
	struct rig *rig = *state;

	rig_write8(rig, AX, 27, 20);
	rig_write16(rig, AX, 30, 532);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, AX), 512);
	assert_int_equal(rig_read8(rig, AX, 46), 0);
	rig_write16(rig, AX, 30, 533);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, AX), 533);
	/* The other side has a margin of its own. */
	rig_write16(rig, AX, 30, 530);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, AX), 530);
}

static void without_gain_no_motion(void **state)
{
	struct rig *rig = *state;

	rig_write8(rig, MX, 28, 0);
	rig_write16(rig, MX, 30, 3000);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, MX), 2048);
}

/* --- limits and modes --- */

static void goals_outside_the_angle_limits(void **state)
{
	struct rig *rig = *state;

	rig_burn16(rig, AX, 6, 200);
	rig_burn16(rig, AX, 8, 800);
	assert_int_equal(rig_write16(rig, AX, 30, 199), ANGLE);
	assert_int_equal(rig_write16(rig, AX, 30, 801), ANGLE);
	assert_int_equal(rig_write16(rig, AX, 30, 1024), RANGE);
	assert_int_equal(rig_read16(rig, AX, 30), 512);
	assert_int_equal(rig_write16(rig, AX, 30, 200), 0);
	assert_int_equal(rig_write16(rig, AX, 30, 800), 0);
	/* With the alarm set for it, the motor goes dead. */
	rig_burn8(rig, AX, 18, 2);
	assert_int_equal(rig_write16(rig, AX, 30, 801), ANGLE);
	assert_int_equal(rig_read16(rig, AX, 34), 0);
	assert_int_equal(rig_read8(rig, AX, 24), 0);
}

static void wheel_mode_turns_on_and_on(void **state)
{
	struct rig *rig = *state;
	double before;

	assert_int_equal(rig_write16(rig, AX, 32, 1500), RANGE);
	rig_burn16(rig, AX, 6, 0);
	rig_burn16(rig, AX, 8, 0);
	rig_write8(rig, AX, 24, 1);
	assert_int_equal(rig_write16(rig, AX, 32, 511), 0);
	rig_wait(rig, 1);
	/* Half the output */
	assert_int_equal(speed(rig, AX), 511);
	assert_int_equal(rig_read8(rig, AX, 46), 1);
	before = device(rig, AX)->servo.joint.pos;
	rig_wait(rig, 60);
	position(rig, AX);
	assert_in_range((device(rig, AX)->servo.joint.pos - before) * AX_DEG / 360,
			29, 30);
	rig_write16(rig, AX, 32, 1024 + 1023);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, AX), -1023);
	rig_write16(rig, AX, 32, 1024);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, AX), 0);
	assert_int_equal(rig_read8(rig, AX, 46), 0);
}

/* Both angle limits are 0 then, and so is the only goal within them. */
static void a_wheel_refuses_a_goal(void **state)
{
	static const u8 ids[] = { AX, MX };
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(ids); i++) {
		rig_burn16(rig, ids[i], 6, 0);
		rig_burn16(rig, ids[i], 8, 0);
		assert_int_equal(rig_write16(rig, ids[i], 30, 512), ANGLE);
		assert_int_equal(rig_write16(rig, ids[i], 30, 1), ANGLE);
		assert_int_equal(rig_write16(rig, ids[i], 30, 0), 0);
		assert_int_equal(rig_read16(rig, ids[i], 30), 0);
		/* With a speed behind it, nothing of both is taken. */
		assert_int_equal(rig_write(rig, ids[i], 30, (u8[]){ 0, 2, 100, 0 }, 4).error,
				 ANGLE);
		assert_int_equal(rig_read16(rig, ids[i], 32), 0);
	}
}

static void wheel_mode_of_the_mx_sets_the_speed(void **state)
{
	struct rig *rig = *state;

	rig_burn16(rig, MX, 8, 0);
	rig_write8(rig, MX, 24, 1);
	assert_int_equal(rig_write16(rig, MX, 32, 1024 + 100), 0);
	rig_wait(rig, 1);
	assert_int_equal(speed(rig, MX), -100);
	assert_in_range(position(rig, MX), 0, 4095);
	rig_wait(rig, 7);
	assert_in_range(position(rig, MX), 0, 4095);
}

static void back_from_wheel_mode(void **state)
{
	struct rig *rig = *state;

	rig_burn16(rig, MX, 8, 0);
	rig_write8(rig, MX, 24, 1);
	rig_write16(rig, MX, 32, 300);
	rig_wait(rig, 30);
	rig_write16(rig, MX, 32, 0);
	rig_burn16(rig, MX, 8, 4095);
	assert_int_equal(rig_write16(rig, MX, 30, 1000), 0);
	/* Within a turn */
	rig_wait(rig, 1.5);
	assert_int_equal(position(rig, MX), 1000);
}

static void multi_turn_mode(void **state)
{
	struct rig *rig = *state;

	rig_burn16(rig, MX, 6, 4095);
	rig_burn16(rig, MX, 8, 4095);
	assert_int_equal(rig_write16(rig, MX, 30, (u16)-28672), 0);
	assert_int_equal(rig_write16(rig, MX, 30, (u16)-28673), RANGE);
	rig_wait(rig, 20);
	assert_int_equal(position(rig, MX), -28672);
	/* Present = real / divider + offset */
	rig_write16(rig, MX, 30, 2048);
	rig_wait(rig, 20);
	rig_write8(rig, MX, 24, 0);
	rig_burn16(rig, MX, 20, 1024);
	rig_burn8(rig, MX, 22, 4);
	assert_int_equal(position(rig, MX), 2048 / 4 + 1024);
	rig_write16(rig, MX, 30, 1024);
	rig_wait(rig, 5);
	assert_int_equal(position(rig, MX), 1024);
	rig_write8(rig, MX, 24, 0);
	rig_burn8(rig, MX, 22, 1);
	rig_burn16(rig, MX, 20, 0);
	assert_int_equal(position(rig, MX), 0);
}

/* --- load, heat, voltage --- */

static void too_much_load_shuts_down(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 34, 300);
	rig_write8(rig, AX, 24, 1);
	poke(rig, AX, 40, 299, 2);
	rig_wait(rig, 5);
	assert_int_equal(load(rig, AX), 299);
	assert_int_equal(rig_ping(rig, AX).error, 0);

	poke(rig, AX, 40, 301, 2);
	rig_wait(rig, 0.4);
	assert_int_equal(rig_ping(rig, AX).error, 0);
	rig_wait(rig, 0.3);
	assert_int_equal(rig_ping(rig, AX).error, OVERLOAD);
	assert_int_equal(rig_read16(rig, AX, 34), 0);
	assert_int_equal(rig_read8(rig, AX, 24), 0);
	rig_wait(rig, 10);
	assert_int_equal(rig_ping(rig, AX).error, OVERLOAD);

	/* Driven again under the same load, it gets the same time. */
	rig_write16(rig, AX, 34, 300);
	rig_write8(rig, AX, 24, 1);
	rig_wait(rig, 0.4);
	assert_int_equal(rig_ping(rig, AX).error, 0);
	assert_int_equal(rig_read8(rig, AX, 24), 1);
	rig_wait(rig, 0.2);
	assert_int_equal(rig_ping(rig, AX).error, OVERLOAD);

	/* The load goes, the limit comes back: it works again. */
	poke(rig, AX, 40, 0, 2);
	rig_write16(rig, AX, 34, 1023);
	rig_write16(rig, AX, 30, 700);
	rig_wait(rig, 2);
	assert_int_equal(rig_ping(rig, AX).error, 0);
	assert_in_range(position(rig, AX), 699, 701);
}

static void overload_without_shutdown_ends_with_the_load(void **state)
{
	struct rig *rig = *state;

	rig_burn8(rig, AX, 18, 0);
	rig_write8(rig, AX, 24, 1);
	rig_write16(rig, AX, 34, 100);
	poke(rig, AX, 40, 1024 + 200, 2);
	rig_wait(rig, 1);
	assert_int_equal(rig_ping(rig, AX).error, OVERLOAD);
	assert_int_equal(load(rig, AX), -100);
	assert_int_equal(rig_read8(rig, AX, 24), 1);
	poke(rig, AX, 40, 0, 2);
	rig_wait(rig, 0.1);
	assert_int_equal(rig_ping(rig, AX).error, 0);
}

static void a_weak_limit_does_not_move(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 34, 5);
	rig_write16(rig, AX, 30, 700);
	rig_wait(rig, 0.3);
	assert_int_equal(position(rig, AX), 512);
}

static void heat_shuts_down(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 30, 600);
	rig_wait(rig, 1);
	poke(rig, AX, 43, 71, 1);
	assert_int_equal(rig_ping(rig, AX).error, OVERHEAT);
	rig_wait(rig, 0.2);
	assert_int_equal(rig_read16(rig, AX, 34), 0);
	/* It stays dead as long as it is hot, and cools down. */
	rig_write16(rig, AX, 34, 1023);
	rig_write16(rig, AX, 30, 700);
	rig_wait(rig, 0.2);
	assert_int_equal(rig_read16(rig, AX, 34), 0);
	rig_wait(rig, 20 * 60);
	assert_in_range(rig_read8(rig, AX, 43), 25, 40);
	assert_int_equal(rig_ping(rig, AX).error, 0);
	rig_write16(rig, AX, 34, 1023);
	rig_write16(rig, AX, 30, 700);
	rig_wait(rig, 2);
	assert_in_range(position(rig, AX), 699, 701);
}

static void load_makes_heat(void **state)
{
	struct rig *rig = *state;

	rig_write8(rig, AX, 24, 1);
	poke(rig, AX, 40, 1000, 2);
	rig_wait(rig, 60);
	assert_in_range(rig_read8(rig, AX, 43), 28, 40);
	rig_wait(rig, 3600);
	assert_int_equal(rig_read16(rig, AX, 34), 0);
}

static void voltage_outside_the_limits(void **state)
{
	struct rig *rig = *state;

	poke(rig, AX, 42, 59, 1);
	assert_int_equal(rig_ping(rig, AX).error, VOLTAGE);
	assert_int_equal(rig_read8(rig, AX, 42), 59);
	/* 36 in Shutdown: voltage is not among it. */
	rig_write16(rig, AX, 30, 600);
	rig_wait(rig, 3);
	assert_in_range(position(rig, AX), 599, 601);
	poke(rig, AX, 42, 141, 1);
	assert_int_equal(rig_ping(rig, AX).error, VOLTAGE);
	rig_burn8(rig, AX, 18, 1);
	rig_write16(rig, AX, 30, 700);
	rig_wait(rig, 1);
	assert_in_range(position(rig, AX), 599, 601);
	poke(rig, AX, 42, 120, 1);
	assert_int_equal(rig_ping(rig, AX).error, 0);
}

static void realtime_tick(void **state)
{
	struct rig *rig = *state;

	rig_wait(rig, 1.5);
	assert_int_equal(rig_read16(rig, MX, 50), 1500);
	rig_wait(rig, 32);
	assert_int_equal(rig_read16(rig, MX, 50), 33500 - 32768);
	device_power_cycle(device(rig, MX), rig->now);
	rig_wait(rig, 0.1);
	assert_int_equal(rig_read16(rig, MX, 50), 100);
}

static void power_cycle_keeps_the_shaft_in_place(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 30, 700);
	rig_wait(rig, 2);
	device_power_cycle(device(rig, AX), rig->now);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(rig_read8(rig, AX, 24), 0);
	assert_in_range(position(rig, AX), 699, 701);
	assert_int_equal(rig_read16(rig, AX, 30), position(rig, AX));
}

/* Hours in one step: it ends, and where it should. */
static void a_long_time_at_once(void **state)
{
	struct rig *rig = *state;

	rig_write16(rig, AX, 30, 1000);
	rig_wait(rig, 30 * 24 * 3600.0);
	assert_in_range(position(rig, AX), 999, 1001);
	assert_int_equal(rig_read8(rig, AX, 43), 25);
}

#define SERVO_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVO_TEST(still_at_first),
		SERVO_TEST(goals_are_reached),
		SERVO_TEST(a_goal_turns_the_torque_on),
		SERVO_TEST(torque_holds_the_present_place),
		SERVO_TEST(torque_off_ends_a_motion),
		SERVO_TEST(speed_settings_hold),
		SERVO_TEST(less_voltage_is_less_speed),
		SERVO_TEST(present_speed_and_load_while_moving),
		SERVO_TEST(acceleration_is_limited),
		SERVO_TEST(looking_changes_nothing),
		SERVO_TEST(new_goals_on_the_way),
		SERVO_TEST(the_margin_is_a_dead_zone),
		SERVO_TEST(without_gain_no_motion),
		SERVO_TEST(goals_outside_the_angle_limits),
		SERVO_TEST(wheel_mode_turns_on_and_on),
		SERVO_TEST(a_wheel_refuses_a_goal),
		SERVO_TEST(wheel_mode_of_the_mx_sets_the_speed),
		SERVO_TEST(back_from_wheel_mode),
		SERVO_TEST(multi_turn_mode),
		SERVO_TEST(too_much_load_shuts_down),
		SERVO_TEST(overload_without_shutdown_ends_with_the_load),
		SERVO_TEST(a_weak_limit_does_not_move),
		SERVO_TEST(heat_shuts_down),
		SERVO_TEST(load_makes_heat),
		SERVO_TEST(voltage_outside_the_limits),
		SERVO_TEST(realtime_tick),
		SERVO_TEST(power_cycle_keeps_the_shaft_in_place),
		SERVO_TEST(a_long_time_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
