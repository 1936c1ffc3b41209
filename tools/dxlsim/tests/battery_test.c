// SPDX-License-Identifier: GPL-2.0-or-later
/* The robot's battery: what drains it, and what the devices see of that. */
#include "cmocka_all.h"

#include <math.h>

#include "harness.h"

#define AX12		1
#define XM430		2
#define CM510		210
#define CHEST		220	/* which does not tell its supply */

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_ax12, AX12);
	rig_add(rig, &model_xm430_w350, XM430);
	rig_add(rig, &model_cm510, CM510);
	rig_add(rig, &model_nao_chest, CHEST);
	rig_wait(rig, 1);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

/* Time passes, in pieces of so long. */
static void pass(struct rig *rig, double seconds, double piece)
{
	nsec_t end = rig->now + seconds * NSEC_PER_SEC;

	while (rig->now < end) {
		rig_wait(rig, piece);
		battery_play(&rig->bus, rig->now);
	}
}

static double charge(const struct rig *rig)
{
	return rig->bus.battery.charge;
}

static double volts(const struct rig *rig)
{
	return battery_voltage(&rig->bus.battery);
}

static void shown(struct rig *rig, const char *tenths)
{
	char expected[16];

	snprintf(expected, sizeof(expected), "%s\nok\n", tenths);
	told(rig, "get 1 present_voltage", expected);
	told(rig, "get 2 present_input_voltage", expected);
	told(rig, "get 210 present_voltage", expected);
}

static void without_one(void **state)
{
	struct rig *rig = *state;

	told(rig, "battery", "error: there is no battery, try: battery PERCENT\n");
	told(rig, "battery charge",
	     "error: there is no battery, try: battery PERCENT\n");
	assert_true(battery_due(&rig->bus) == NSEC_NEVER);
	pass(rig, 10, 1);
	told(rig, "get 1 voltage", "120\nok\n");
	told(rig, "get 210 voltage", "111\nok\n");
	order(rig, "battery off");
	told(rig, "get 1 voltage", "120\nok\n");
	told(rig, "get 210 voltage", "111\nok\n");
}

static void everybody_has_its_voltage(void **state)
{
	struct rig *rig = *state;

	order(rig, "battery 100");
	shown(rig, "126");
	told(rig, "battery", "percent 100.0\nvolts 12.60\namperes 0.00\nok\n");
	order(rig, "battery 55");
	/* In the middle between two points of the curve */
	assert_true(fabs(volts(rig) - 3 * 3.855) < 1e-9);
	shown(rig, "116");
	order(rig, "battery 0");
	shown(rig, "98");
	order(rig, "battery off");
	told(rig, "get 1 present_voltage", "120\nok\n");
	told(rig, "get 2 present_input_voltage", "120\nok\n");
	told(rig, "get 210 present_voltage", "111\nok\n");
}

/* Two servos that stand by take 0.1 A of 1 Ah. */
static void standing_by_drains_it(void **state)
{
	struct rig *rig = *state;

	order(rig, "battery 90");
	pass(rig, 3600, 60);
	assert_true(fabs(charge(rig) - 0.8) < 1e-6);
	assert_true(fabs(volts(rig) - (3 * 4.02 - 0.1 * 0.15)) < 1e-6);
	shown(rig, "120");
	order(rig, "battery 5");
	pass(rig, 3600, 600);
	assert_true(charge(rig) == 0);
	told(rig, "battery", "percent 0.0\nvolts 9.79\namperes 0.10\nok\n");
}

/* Half the torque of an AX-12, to hold against, is another 0.75 A and a bit. */
static void load_drains_it(void **state)
{
	struct rig *rig = *state;
	double idle, loaded;

	rig_write8(rig, AX12, 24, 1);
	order(rig, "battery 90");
	pass(rig, 10, 0.1);
	idle = volts(rig);
	order(rig, "write 1 40 0 2");
	pass(rig, 10, 0.1);
	loaded = rig->bus.battery.current;
	assert_true(fabs(loaded - 0.1 - 1.5 * 512 / 1023) < 0.01);
	assert_true(fabs(idle - volts(rig) - 0.75 * 0.15) < 0.03);
	/* With the torque off, it holds nothing any more. */
	rig_write8(rig, AX12, 24, 0);
	pass(rig, 10, 0.1);
	assert_true(fabs(rig->bus.battery.current - 0.1) < 1e-6);
}

/* It is the same however often somebody looks, and whenever. */
static void looking_changes_nothing(void **state)
{
	struct rig *rig = *state;
	double fine;

	rig_write8(rig, AX12, 24, 1);
	order(rig, "write 1 40 0 2");
	order(rig, "battery 90");
	pass(rig, 100, 0.1);
	fine = charge(rig);
	order(rig, "battery 90");
	pass(rig, 100, 10);
	assert_true(fabs(fine - charge(rig)) < 1e-9);
	/* What has been drawn before does not count. */
	order(rig, "battery off");
	pass(rig, 100, 100);
	order(rig, "battery 90");
	pass(rig, 0.1, 0.1);
	assert_true(0.9 - charge(rig) < 1e-4);
}

static void who_has_no_supply_draws_nothing(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_cm730, 200);
	order(rig, "battery 50");
	pass(rig, 3600, 60);
	assert_true(charge(rig) == 0.5);
	order(rig, "write 200 24 1");
	pass(rig, 3600, 60);
	assert_true(fabs(charge(rig) - 0.4) < 1e-6);
}

static void it_is_charged(void **state)
{
	struct rig *rig = *state;

	order(rig, "battery 20");
	order(rig, "battery charge");
	pass(rig, 1200, 10);
	/* 1 A, less what the servos take */
	assert_true(fabs(charge(rig) - 0.5) < 1e-6);
	assert_true(fabs(volts(rig) - (3 * 3.84 + 0.9 * 0.15)) < 1e-6);
	pass(rig, 3600, 10);
	told(rig, "battery", "percent 100.0\nvolts 12.60\namperes 0.00\nok\n");
	shown(rig, "126");
	order(rig, "battery discharge");
	pass(rig, 3600, 10);
	assert_true(fabs(charge(rig) - 0.9) < 1e-6);
}

/* Too little is too little, whoever gives it. */
static void an_alarm_for_too_little(void **state)
{
	struct rig *rig = *state;

	order(rig, "write 1 12 100");
	order(rig, "battery 5");
	pass(rig, 1, 0.1);
	assert_int_equal(rig_ping(rig, AX12).error & 1, 0);
	order(rig, "battery 0");
	assert_int_equal(rig_ping(rig, AX12).error & 1, 1);
}

static void nonsense_is_refused(void **state)
{
	static const char *const refused[] = { "101", "-1", "full", "80%", "nan" };
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char line[40], expected[160];

		snprintf(line, sizeof(line), "battery %s", refused[i]);
		snprintf(expected, sizeof(expected),
			 "error: charge is \"%s\", expected percent from 0 to 100, charge, discharge or off\n",
			 refused[i]);
		told(rig, line, expected);
	}
	assert_true(battery_due(&rig->bus) == NSEC_NEVER);
}

#define BATTERY_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

/* Six cells, which its battery boards measure. */
static void a_nao_has_a_larger_one(void **state)
{
	struct rig *rig = rig_new();

	(void)state;
	rig_add(rig, &model_nao_motor, 1);
	rig_add(rig, &model_nao_bmz, 206);
	rig_add(rig, &model_nao_sanyo, 207);
	rig_wait(rig, 1);
	order(rig, "battery 100");
	told(rig, "battery", "percent 100.0\nvolts 25.20\namperes 0.00\nok\n");
	assert_int_equal(rig_value2(rig, 206, 26, 2), 1000);
	assert_int_equal(rig_value2(rig, 206, 30, 2), 4200);
	order(rig, "battery 50");
	pass(rig, 0.2, 0.1);
	assert_int_equal((int16_t)rig_value2(rig, 206, 28, 2), -50);
	assert_in_range(rig_value2(rig, 207, 38, 2), 1074, 1076);
	order(rig, "battery charge");
	pass(rig, 3.5, 0.1);
	assert_int_equal((int16_t)rig_value2(rig, 207, 28, 2), 1750);
	/* 1.75 A of 2.15 Ah */
	pass(rig, 1800, 1);
	assert_in_range(rig_value2(rig, 207, 26, 2), 906, 908);
	rig_free(rig);
}

/* --- what the boards in a NAO's battery tell of it --- */

#define BMZ		206
#define SANYO		207

/* Their registers, and what some bits of Status are */
enum { STATUS = 24, CURRENT = 28, CELL_MAX = 30, CELL_MIN = 32, FULL = 36, LEFT = 38 };

enum {
	END = 1 << 0, NEAR_END = 1 << 1, FETS = 1 << 2 | 1 << 3, LEARNS = 1 << 4,
	DISCHARGED = 1 << 5, IS_FULL = 1 << 6, CHARGED = 1 << 7, TOO_HOT = 1 << 8,
	OVER_14_A = 1 << 12, OVER_6_A = 1 << 13, CHARGER = 1 << 15,
};

enum { LEARNF = 1 << 4, SEF = 1 << 5, AEF = 1 << 6, CHGTF = 1 << 7 };

/* Both, and motors that take 2 A each as long as they have torque. */
static struct rig *nao(unsigned int motors)
{
	struct rig *rig = rig_new();
	unsigned int id;

	for (id = 1; id <= motors; id++)
		rig_add(rig, &model_nao_motor, id);
	rig_add(rig, &model_nao_bmz, BMZ);
	rig_add(rig, &model_nao_sanyo, SANYO);
	rig_wait(rig, 1);

	return rig;
}

/* Each has a load that takes all that it may. */
static void load(struct rig *rig, unsigned int motors)
{
	unsigned int id;

	for (id = 1; id <= motors; id++) {
		rig_set2(rig, id, 65, 1, 0);
		rig_set2(rig, id, 64, 1, 1);
		rig_poke(rig, id, 80, 2, 2000);
	}
}

static int tells(struct rig *rig, u8 id, u16 addr)
{
	return (int16_t)rig_value2(rig, id, addr, 2);
}

static unsigned int status(struct rig *rig, u8 id)
{
	return rig_value2(rig, id, STATUS, 2);
}

/* A battery that is so full, after a moment in which @rig draws what it draws. */
static void with(struct rig *rig, const char *percent)
{
	char line[20];

	snprintf(line, sizeof(line), "battery %s", percent);
	order(rig, line);
	pass(rig, 4, 0.02);
}

/* [cur-5] */
static void each_tells_anew_in_its_own_time(void **state)
{
	struct rig *rig = nao(1);

	(void)state;
	order(rig, "battery 50");
	assert_int_equal(tells(rig, BMZ, CURRENT), 0);
	pass(rig, 0.02, 0.02);
	assert_int_equal(tells(rig, BMZ, CURRENT), -50);
	pass(rig, 3.46, 0.02);
	assert_int_equal(tells(rig, SANYO, CURRENT), 0);
	pass(rig, 0.02, 0.02);
	assert_int_equal(tells(rig, SANYO, CURRENT), -50);
	order(rig, "battery charge");
	pass(rig, 3.48, 0.02);
	assert_int_equal(tells(rig, BMZ, CURRENT), 1750);
	assert_int_equal(tells(rig, SANYO, CURRENT), -50);
	pass(rig, 0.02, 0.02);
	assert_int_equal(tells(rig, SANYO, CURRENT), 1750);
	rig_free(rig);
}

/* [bat-9] [bat-10] */
static void a_sanyo_computes(void **state)
{
	struct rig *rig = nao(1);

	(void)state;
	order(rig, "set 207 full_charge_capacity raw 1000");
	with(rig, "9");
	assert_int_equal(tells(rig, SANYO, FULL), 1000);
	with(rig, "50");
	assert_in_range(tells(rig, SANYO, LEFT), 1070, 1076);
	assert_in_range(tells(rig, SANYO, FULL), 2149, 2151);
	/* The mean of all cells, which have lost little by 0.05 A of theirs without a load. */
	assert_in_range(tells(rig, SANYO, CELL_MAX), 3830, 3840);
	assert_int_equal(tells(rig, SANYO, CELL_MIN), tells(rig, SANYO, CELL_MAX));
	rig_free(rig);
}

/* [bmz-0] [bmz-1] [bmz-2] [bmz-3] [bmz-5] [bmz-6] [bmz-7] [bmz-12] [bmz-13] [bmz-15] */
static void the_status_of_a_bmz(void **state)
{
	struct rig *rig = nao(8);

	(void)state;
	with(rig, "50");
	assert_int_equal(status(rig, BMZ), FETS | DISCHARGED);
	order(rig, "battery charge");
	pass(rig, 1, 0.02);
	assert_int_equal(status(rig, BMZ), FETS | CHARGED | CHARGER);
	order(rig, "battery 100");
	order(rig, "battery charge");
	pass(rig, 1, 0.02);
	assert_int_equal(status(rig, BMZ), FETS | IS_FULL | CHARGER);
	load(rig, 2);
	with(rig, "50");
	assert_int_equal(status(rig, BMZ), FETS | DISCHARGED);
	load(rig, 4);
	with(rig, "50");
	assert_int_equal(status(rig, BMZ), FETS | DISCHARGED | OVER_6_A);
	/* 3.27 V a cell, of which 8.2 A take 0.41 */
	with(rig, "0");
	assert_int_equal(status(rig, BMZ), FETS | DISCHARGED | OVER_6_A | NEAR_END | END);
	load(rig, 8);
	with(rig, "50");
	assert_int_equal(status(rig, BMZ),
			 FETS | DISCHARGED | OVER_6_A | OVER_14_A | NEAR_END);
	/* What no battery of this simulator comes to is as somebody has set it. */
	order(rig, "set 206 status 272");
	pass(rig, 1, 0.02);
	assert_int_equal(status(rig, BMZ) & (LEARNS | TOO_HOT), LEARNS | TOO_HOT);
	rig_free(rig);
}

/* [bat-12] [sanyo-5] [sanyo-6] [sanyo-7] */
static void the_status_of_a_sanyo(void **state)
{
	struct rig *rig = nao(8);

	(void)state;
	with(rig, "100");
	assert_int_equal(status(rig, SANYO), 0);
	order(rig, "battery 100");
	order(rig, "battery charge");
	pass(rig, 4, 0.02);
	assert_int_equal(status(rig, SANYO), CHGTF);
	with(rig, "90.5");
	assert_int_equal(status(rig, SANYO), CHGTF);
	with(rig, "89");
	assert_int_equal(status(rig, SANYO), 0);
	with(rig, "11");
	assert_int_equal(status(rig, SANYO), 0);
	with(rig, "9");
	assert_int_equal(status(rig, SANYO), SEF);
	with(rig, "14");
	assert_int_equal(status(rig, SANYO), SEF);
	with(rig, "16");
	assert_int_equal(status(rig, SANYO), 0);
	load(rig, 8);
	with(rig, "4");
	assert_int_equal(status(rig, SANYO), SEF | AEF);
	order(rig, "power-cycle all");
	pass(rig, 1, 0.02);
	with(rig, "4");
	assert_int_equal(status(rig, SANYO), SEF | AEF);
	with(rig, "6");
	assert_int_equal(status(rig, SANYO), SEF);
	order(rig, "set 207 status 16");
	with(rig, "50");
	assert_int_equal(status(rig, SANYO), LEARNF);
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BATTERY_TEST(without_one),
		BATTERY_TEST(everybody_has_its_voltage),
		cmocka_unit_test(a_nao_has_a_larger_one),
		BATTERY_TEST(standing_by_drains_it),
		BATTERY_TEST(load_drains_it),
		BATTERY_TEST(looking_changes_nothing),
		BATTERY_TEST(who_has_no_supply_draws_nothing),
		BATTERY_TEST(it_is_charged),
		BATTERY_TEST(an_alarm_for_too_little),
		BATTERY_TEST(nonsense_is_refused),
		cmocka_unit_test(each_tells_anew_in_its_own_time),
		cmocka_unit_test(a_sanyo_computes),
		cmocka_unit_test(the_status_of_a_bmz),
		cmocka_unit_test(the_status_of_a_sanyo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
