// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The two motors of a NAO's motor board, over the bus: what the page
 * Documentation/boards/nao-motor.rst says of them.
 */
#include "cmocka_all.h"

#include "burn.h"
#include "harness.h"

#define RANGE	4
#define LIMIT	6
#define ACCESS	7
#define ALERT	0x80

#define ONE	5	/* motor 1 of board 3 */
#define TWO	6	/* and its motor 2 */

/* Registers. */
enum {
	ZERO = 44, TORQUE = 64, WATCHDOG = 65, CURRENT_MAX = 66, GOAL = 68,
	SPEED = 70, HARDNESS = 72, POSITION = 74, VELOCITY = 76, MOTOR = 78,
	CURRENT = 80, HEAT = 82, ERROR = 83, BRAKE = 84,
};

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_nao_motor, ONE);
	rig_add(rig, &model_nao_motor, TWO);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static int get(struct rig *rig, int id, unsigned int addr)
{
	unsigned int size = addr == TORQUE || addr == WATCHDOG || addr >= HEAT ?
			    1 : 2;

	return rig_value2(rig, id, addr, size);
}

static int position(struct rig *rig, int id)
{
	return (int16_t)get(rig, id, POSITION);
}

static void put(struct rig *rig, int id, unsigned int addr, unsigned int size,
		int value)
{
	assert_int_equal(rig_set2(rig, id, addr, size, value) & ~ALERT, 0);
	if (addr < TORQUE)
		rig_wait(rig, RIG_BURN_TIME);
}

/* Torque, and a watchdog that does not mind a test that is slow. */
static void hold(struct rig *rig, int id)
{
	put(rig, id, WATCHDOG, 1, 0);
	put(rig, id, TORQUE, 1, 1);
}

static u8 alert(struct rig *rig, int id)
{
	return rig_ping2(rig, id).error & ALERT;
}

/* The codes that it tells in turn, as a set of their kinds. */
static unsigned int kinds(struct rig *rig, int id)
{
	unsigned int i, set = 0;

	for (i = 0; i < 10; i++) {
		set |= 1 << (get(rig, id, ERROR) >> 4);
		rig_wait(rig, 0.01);
	}

	return set;
}

#define NEAR(value, expected, by) \
	assert_in_range((value) + 100000, (expected) - (by) + 100000, \
			(expected) + (by) + 100000)

/* --- the table --- */

/* [pos-12] */
static void the_table_is_the_pages(void **state)
{
	static const struct {
		unsigned int addr, size;
		int value;
		bool writable;
	} page[] = {
		{ 0, 2, 0x4e10, false }, { 2, 1, 1, false }, { 3, 1, ONE, true },
		{ 4, 1, 3, true }, { 5, 1, 0, true }, { 16, 1, 2, true },
		{ 24, 1, 1, false }, { 25, 1, 3, false }, { 26, 2, 1, false },
		{ 28, 2, 2, false }, { 30, 1, 3, false }, { 31, 1, 4, false },
		{ 32, 1, 1, false }, { 33, 1, 3, false }, { 34, 1, 2, true },
		{ 35, 1, 1, false }, { 36, 1, 2, false }, { 37, 1, 0, true },
		{ 38, 1, 32, true }, { 39, 1, 0, true }, { 40, 1, 0, true },
		{ 42, 2, 13085, true }, { 44, 2, 2048, true },
		{ 64, 1, 0, true }, { 65, 1, 25, true }, { 66, 2, 2000, true },
		{ 68, 2, 0, true }, { 70, 2, 0, true }, { 72, 2, 1000, true },
		{ 74, 2, 0, false }, { 76, 2, 0, false }, { 80, 2, 0, false },
		{ 82, 1, 50, false }, { 83, 1, 0, false }, { 84, 1, 1, true },
	};
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(page) / sizeof(page[0]); i++) {
		const struct item *item = model_item_at(&model_nao_motor,
							page[i].addr);

		assert_non_null(item);
		assert_int_equal(item->addr, page[i].addr);
		assert_int_equal(item->size, page[i].size);
		assert_int_equal(item->access == ACCESS_RW, page[i].writable);
		assert_int_equal(item->area == AREA_EEPROM, item->addr < 64);
		assert_int_equal(rig_value2(rig, ONE, page[i].addr,
					    page[i].size), page[i].value);
	}
}

/* What is of the board is the same at both IDs, and what is of a motor is not. */
static void a_board_has_two_motors(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_value2(rig, TWO, 25, 1), 3);
	assert_int_equal(rig_value2(rig, TWO, 26, 2), 1);
	assert_int_equal(rig_value2(rig, TWO, 31, 1), 4);
	assert_int_equal(rig_value2(rig, TWO, 32, 1), 2);
	assert_int_equal(rig_value2(rig, TWO, 35, 1), 3);
	assert_int_equal(rig_value2(rig, TWO, 36, 1), 4);
	put(rig, TWO, 34, 1, 1);
	assert_int_equal(rig_value2(rig, TWO, 36, 1), 0);
	assert_int_equal(get(rig, TWO, MOTOR), 0);
}

static void what_is_no_value(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_set2(rig, ONE, HARDNESS, 2, 1001), RANGE);
	assert_int_equal(rig_set2(rig, ONE, CURRENT_MAX, 2, 2001), RANGE);
	assert_int_equal(rig_set2(rig, ONE, WATCHDOG, 1, 128), RANGE);
	assert_int_equal(rig_set2(rig, ONE, SPEED, 2, 32768), RANGE);
	assert_int_equal(rig_set2(rig, ONE, ZERO, 2, 4096), RANGE);
	assert_int_equal(rig_set2(rig, ONE, TORQUE, 1, 2), RANGE);
	assert_int_equal(rig_set2(rig, ONE, ERROR, 1, 0), ACCESS);
	hold(rig, ONE);
	assert_int_equal(rig_set2(rig, ONE, ZERO, 2, 2000), ACCESS);
}

/* --- motion --- */

/* [act-4] */
static void it_goes_to_its_goal(void **state)
{
	struct rig *rig = *state;

	put(rig, ONE, GOAL, 2, 9000);
	rig_wait(rig, 1);
	assert_int_equal(position(rig, ONE), 0);
	hold(rig, ONE);
	assert_int_equal((int16_t)get(rig, ONE, GOAL), 0);
	put(rig, ONE, GOAL, 2, -20003);
	rig_wait(rig, 0.2);
	assert_in_range(position(rig, ONE) + 20003, 100, 20000);
	assert_true((int16_t)get(rig, ONE, VELOCITY) < -1000);
	rig_wait(rig, 3);
	NEAR(position(rig, ONE), -20003, 8);
	assert_int_equal(position(rig, ONE) % 16, 0);
	assert_int_equal(get(rig, ONE, VELOCITY), 0);
	assert_int_equal(position(rig, TWO), 0);
}

/* A quarter of a turn with 1 rad/s. */
static void as_fast_as_it_is_told(void **state)
{
	struct rig *rig = *state;

	hold(rig, ONE);
	put(rig, ONE, SPEED, 2, 1000);
	put(rig, ONE, GOAL, 2, 16384);
	rig_wait(rig, 1);
	NEAR(position(rig, ONE), 10430, 200);
	assert_int_equal(get(rig, ONE, VELOCITY), 1000);
}

static void its_motor_turns_more_often(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, ONE, POSITION, 2, 16);
	NEAR(get(rig, ONE, MOTOR), (int)((2049 * 16 * 130.85)) % 65536, 16);
}

static void its_zero_can_be_set(void **state)
{
	struct rig *rig = *state;

	put(rig, ONE, ZERO, 2, 2148);
	assert_int_equal(position(rig, ONE), -1600);
	put(rig, ONE, ZERO, 2, 1);
	assert_int_equal(position(rig, ONE), 2047 * 16);
	/* Half a turn the other way is nearer. */
	put(rig, ONE, ZERO, 2, 4095);
	put(rig, ONE, ZERO, 2, 0);
	assert_int_equal(rig_set2(rig, ONE, TORQUE, 1, 1), LIMIT);
	assert_int_equal(get(rig, ONE, TORQUE), 0);
	put(rig, ONE, ZERO, 2, 2048);
	assert_int_equal(rig_set2(rig, ONE, TORQUE, 1, 1), 0);
	assert_int_equal(position(rig, ONE), 0);
}

/* --- hardness and current --- */

/* Half the torque takes 1000 mA, and more hardness than half of it. */
/* [err-3] [act-9] */
static void hardness_limits_the_current(void **state)
{
	struct rig *rig = *state;

	hold(rig, ONE);
	rig_poke(rig, ONE, CURRENT, 2, 1000);
	put(rig, ONE, GOAL, 2, 8000);
	rig_wait(rig, 3);
	NEAR(position(rig, ONE), 8000, 8);
	assert_int_equal(get(rig, ONE, CURRENT), 1000);
	assert_int_equal(get(rig, ONE, ERROR), 0);
	put(rig, ONE, HARDNESS, 2, 400);
	put(rig, ONE, GOAL, 2, 0);
	rig_wait(rig, 3);
	NEAR(position(rig, ONE), 8000, 8);
	assert_int_equal(get(rig, ONE, CURRENT), 800);
	/* A warning, and that it has not come to its goal is no wonder. */
	assert_int_equal(kinds(rig, ONE), 1 << 13);
	assert_int_equal(get(rig, ONE, ERROR), 0xd1);
	assert_int_equal(alert(rig, ONE), 0);
	put(rig, ONE, HARDNESS, 2, 1000);
	rig_wait(rig, 3);
	NEAR(position(rig, ONE), 0, 8);
	put(rig, ONE, CURRENT_MAX, 2, 500);
	put(rig, ONE, GOAL, 2, 8000);
	rig_wait(rig, 1);
	NEAR(position(rig, ONE), 0, 8);
	assert_int_equal(get(rig, ONE, CURRENT), 500);
	assert_int_equal(kinds(rig, ONE), 1 << 13 | 1 << 3);
	assert_int_equal(alert(rig, ONE), 0);
}

/* Free it is only as long as it has no torque, and what takes that leaves a brake. */
static void torque_ends_with_a_brake(void **state)
{
	struct rig *rig = *state;

	put(rig, ONE, BRAKE, 1, 0);
	assert_int_equal(rig_set2(rig, ONE, BRAKE, 1, 2), RANGE);
	put(rig, ONE, TORQUE, 1, 1);
	assert_int_equal(get(rig, ONE, BRAKE), 1);
	assert_int_equal(rig_set2(rig, ONE, BRAKE, 1, 0), RANGE);
	put(rig, ONE, BRAKE, 1, 1);
	rig_wait(rig, 1);
	assert_int_equal(get(rig, ONE, WATCHDOG), 255);
	assert_int_equal(get(rig, ONE, BRAKE), 1);
	put(rig, ONE, BRAKE, 1, 0);
	assert_int_equal(get(rig, ONE, BRAKE), 0);
}

static void without_hardness_it_does_nothing(void **state)
{
	struct rig *rig = *state;

	hold(rig, ONE);
	put(rig, ONE, HARDNESS, 2, 0);
	put(rig, ONE, GOAL, 2, 8000);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, ONE), 0);
	assert_int_equal(get(rig, ONE, CURRENT), 0);
}

/* What a hand does to it does not flow through the bridge. */
/* [cur-6] */
static void by_hand_there_is_no_current(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, ONE, CURRENT, 2, 1000);
	rig_poke(rig, ONE, POSITION, 2, 4000);
	assert_int_equal(get(rig, ONE, CURRENT), 0);
	hold(rig, ONE);
	assert_int_equal(get(rig, ONE, CURRENT), 1000);
	put(rig, ONE, TORQUE, 1, 0);
	assert_int_equal(get(rig, ONE, CURRENT), 0);
}

/* --- heat --- */

/* [temp-3] */
static void heat_takes_the_current(void **state)
{
	struct rig *rig = *state;
	int i, heat, most = 0;

	hold(rig, TWO);
	rig_poke(rig, TWO, CURRENT, 2, 2000);
	rig_wait(rig, 60);
	assert_in_range(get(rig, TWO, HEAT), 55, 65);
	assert_int_equal(get(rig, TWO, ERROR), 0);
	assert_int_equal(get(rig, TWO, CURRENT), 2000);
	for (i = 0; i < 100; i++) {
		rig_wait(rig, 60);
		heat = get(rig, TWO, HEAT);
		most = heat > most ? heat : most;
	}
	assert_in_range(most, 75, 84);
	assert_in_range(get(rig, TWO, CURRENT), 500, 1900);
	assert_int_equal(kinds(rig, TWO) & 1 << 2, 1 << 2);
	assert_int_equal(alert(rig, TWO), ALERT);
	assert_int_equal(get(rig, ONE, HEAT), 50);
	/* Nobody lets it cool but by not asking for torque. */
	put(rig, TWO, TORQUE, 1, 0);
	rig_wait(rig, 3600);
	assert_int_equal(get(rig, TWO, HEAT), 50);
	assert_int_equal(get(rig, TWO, ERROR), 0);
	assert_int_equal(alert(rig, TWO), 0);
}

static void limits_of_heat(void **state)
{
	struct rig *rig = *state;

	hold(rig, TWO);
	rig_poke(rig, TWO, CURRENT, 2, 2000);
	rig_poke(rig, TWO, HEAT, 1, 74);
	assert_int_equal(get(rig, TWO, CURRENT), 2000);
	assert_int_equal(get(rig, TWO, ERROR), 0);
	rig_poke(rig, TWO, HEAT, 1, 80);
	NEAR(get(rig, TWO, CURRENT), 1000, 10);
	assert_int_equal(kinds(rig, TWO) & ~(1 << 3 | 1 << 13), 1 << 2);
	rig_poke(rig, TWO, HEAT, 1, 85);
	NEAR(get(rig, TWO, CURRENT), 0, 10);
	/* It knows of no heat from before it has started. */
	device_power_cycle(&rig->bus.devices[1], rig->now);
	rig_wait(rig, 1);
	assert_int_equal(get(rig, TWO, HEAT), 50);
}

/* --- its own watchdog --- */

static void it_stops_by_itself(void **state)
{
	struct rig *rig = *state;

	put(rig, ONE, TORQUE, 1, 1);
	put(rig, ONE, SPEED, 2, 100);
	put(rig, ONE, GOAL, 2, 16000);
	rig_wait(rig, 0.48);
	assert_int_equal(get(rig, ONE, WATCHDOG), 25);
	rig_wait(rig, 0.52);
	assert_int_equal(get(rig, ONE, WATCHDOG), 255);
	/* That was 980 ms, of which it has moved for 980. */
	NEAR(position(rig, ONE), 1022, 32);
	rig_wait(rig, 1);
	NEAR(position(rig, ONE), 1022, 32);
	assert_int_equal(get(rig, ONE, CURRENT), 0);
	assert_int_equal(get(rig, ONE, TORQUE), 0);
	assert_int_equal(rig_set2(rig, ONE, GOAL, 2, 100), RANGE);
	assert_int_equal(rig_set2(rig, ONE, TORQUE, 1, 1), RANGE);
	/* That it may have torque again gives it none. */
	rig_poke(rig, ONE, POSITION, 2, -1600);
	rig_poke(rig, ONE, CURRENT, 2, 1000);
	put(rig, ONE, WATCHDOG, 1, 0);
	assert_int_equal(get(rig, ONE, CURRENT), 0);
	rig_poke(rig, ONE, CURRENT, 2, 0);
	put(rig, ONE, TORQUE, 1, 1);
	rig_wait(rig, 2);
	assert_int_equal(position(rig, ONE), -1600);
	put(rig, ONE, GOAL, 2, 100);
	rig_wait(rig, 20);
	NEAR(position(rig, ONE), 100, 8);
	/* What is for the other motor does not keep it going. */
	put(rig, ONE, WATCHDOG, 1, 25);
	rig_wait(rig, 0.3);
	get(rig, TWO, HEAT);
	rig_wait(rig, 0.3);
	assert_int_equal(get(rig, ONE, WATCHDOG), 255);
	/* Nor does one stop that holds nothing. */
	assert_int_equal(get(rig, TWO, WATCHDOG), 25);
}

/* --- errors --- */

static void every_code_is_told(void **state)
{
	static const u8 quiet[] = { 3, 6, 7, 13 };
	struct rig *rig = *state;
	unsigned int code, i;

	for (code = 1; code < 256; code++) {
		u8 expected = ALERT;

		for (i = 0; i < sizeof(quiet); i++)
			if (code >> 4 == quiet[i])
				expected = 0;
		rig_poke(rig, ONE, ERROR, 1, code);
		assert_int_equal(get(rig, ONE, ERROR), code);
		assert_int_equal(alert(rig, ONE), expected);
		assert_int_equal(get(rig, TWO, ERROR), 0);
		assert_int_equal(alert(rig, TWO), 0);
	}
	rig_poke(rig, ONE, ERROR, 1, 0);
	assert_int_equal(get(rig, ONE, ERROR), 0);
	assert_int_equal(alert(rig, ONE), 0);
}

/* Nobody controls a joint without knowing where it is. */
/* [act-5] */
static void without_an_encoder_it_stops(void **state)
{
	struct rig *rig = *state;

	hold(rig, TWO);
	put(rig, TWO, SPEED, 2, 1000);
	put(rig, TWO, GOAL, 2, 16000);
	rig_wait(rig, 0.1);
	rig_poke(rig, TWO, ERROR, 1, 0x44);	/* no data from the joint's */
	assert_in_range(position(rig, TWO), 500, 1500);
	rig_wait(rig, 0.4);
	assert_in_range(position(rig, TWO), 500, 1500);
	assert_int_equal(kinds(rig, TWO), 1 << 4);
	rig_wait(rig, 0.1);
	assert_int_equal(kinds(rig, TWO), 1 << 4 | 1 << 15);
	rig_poke(rig, TWO, ERROR, 1, 0);
	assert_in_range(position(rig, TWO), 5000, 6500);
	assert_int_equal(get(rig, TWO, ERROR), 0);
	rig_poke(rig, TWO, ERROR, 1, 0x88);	/* parity of the motor's */
	rig_wait(rig, 0.6);
	assert_int_equal(kinds(rig, TWO), 1 << 8 | 1 << 15);
	/* That of the other motor is its own. */
	rig_poke(rig, TWO, ERROR, 1, 0x43);
	rig_wait(rig, 1);
	assert_int_equal(kinds(rig, TWO), 1 << 4);
	/* A warning is none. */
	rig_poke(rig, TWO, ERROR, 1, 0x6f);
	rig_wait(rig, 20);
	assert_int_equal(kinds(rig, TWO), 1 << 6);
	NEAR(position(rig, TWO), 16000, 8);
	rig_poke(rig, TWO, ERROR, 1, 0xe1);
	put(rig, TWO, GOAL, 2, 0);
	rig_wait(rig, 20);
	NEAR(position(rig, TWO), 0, 8);
	rig_poke(rig, TWO, ERROR, 1, 0xf1);
	put(rig, TWO, GOAL, 2, 16000);
	rig_wait(rig, 2);
	NEAR(position(rig, TWO), 0, 8);
}

/* Which encoder it was is in the code. */
static void what_an_encoder_lacks(void **state)
{
	static const struct {
		u8 error, code;
	} cases[] = {
		{ 0x41, 0xe2 }, { 0x42, 0xe1 }, { 0x43, 0xe3 },
		{ 0x81, 0xe8 }, { 0x82, 0xe4 }, { 0x93, 0xec },
		{ 0x51, 0xe8 },
	};
	struct rig *rig = *state;
	size_t i, k;

	hold(rig, ONE);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool told = false;

		rig_poke(rig, ONE, ERROR, 1, cases[i].error);
		rig_wait(rig, 0.6);
		for (k = 0; k < 10; k++) {
			told = told || get(rig, ONE, ERROR) == cases[i].code;
			rig_wait(rig, 0.01);
		}
		assert_true(told);
	}
}

/* Half of what it may use otherwise. */
/* [act-6] */
static void without_a_motor_it_is_careful(void **state)
{
	struct rig *rig = *state;

	hold(rig, ONE);
	rig_poke(rig, ONE, CURRENT, 2, 2000);
	assert_int_equal(get(rig, ONE, CURRENT), 2000);
	rig_poke(rig, ONE, ERROR, 1, 0x12);
	assert_int_equal(get(rig, ONE, CURRENT), 2000);
	rig_poke(rig, ONE, ERROR, 1, 0x11);
	assert_int_equal(get(rig, ONE, CURRENT), 1000);
	rig_poke(rig, ONE, ERROR, 1, 0);
	assert_int_equal(get(rig, ONE, CURRENT), 2000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_table_is_the_pages),
		TEST(a_board_has_two_motors),
		TEST(what_is_no_value),
		TEST(it_goes_to_its_goal),
		TEST(as_fast_as_it_is_told),
		TEST(its_motor_turns_more_often),
		TEST(its_zero_can_be_set),
		TEST(hardness_limits_the_current),
		TEST(torque_ends_with_a_brake),
		TEST(without_hardness_it_does_nothing),
		TEST(by_hand_there_is_no_current),
		TEST(heat_takes_the_current),
		TEST(limits_of_heat),
		TEST(it_stops_by_itself),
		TEST(every_code_is_told),
		TEST(without_an_encoder_it_stops),
		TEST(what_an_encoder_lacks),
		TEST(without_a_motor_it_is_careful),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
