// SPDX-License-Identifier: GPL-2.0-or-later
/* What a NAO's sonar hears, in every mode. */
#include "cmocka_all.h"

#include <string.h>

#include "harness.h"

#define US		202

#define VALUE		24
#define LEFT		25
#define RIGHT		35
#define MODE		64

#define ECHOES		10

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_nao_us, US);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static void send(struct rig *rig, u8 mode)
{
	assert_int_equal(rig_set2(rig, US, MODE, 1, mode), 0);
}

/* The first echoes are these, cm, and all behind them are none. */
static void expect(struct rig *rig, u16 addr, const u8 *echoes, size_t count)
{
	struct reply reply = rig_read2(rig, US, addr, ECHOES);
	size_t i;

	assert_int_equal(reply.len, ECHOES);
	for (i = 0; i < ECHOES; i++)
		assert_int_equal(reply.params[i], i < count ? echoes[i] : 255);
}

#define EXPECT(rig, addr, ...) \
	expect(rig, addr, (u8[]){ __VA_ARGS__ }, sizeof((u8[]){ __VA_ARGS__ }))

static void expect_nothing(struct rig *rig, u16 addr)
{
	const u8 none[ECHOES] = { 0 };

	expect(rig, addr, none, ECHOES);
}

/* Nobody hears what is beside the other's side, or was sent on that. */
/* [us-1] */
static void one_receiver(void **state)
{
	static const struct {
		u8 mode;
		int value;
	} cases[] = {
		{ 0, 60 }, { 1, 100 }, { 2, 100 }, { 3, 70 }, { 8, 60 },
		{ 64, 60 }, { 65, 100 }, { 66, 100 }, { 67, 70 }, { 72, 60 },
	};
	struct rig *rig = *state;
	size_t i;

	order(rig, "obstacle front 1m");
	order(rig, "obstacle left 0.6m");
	order(rig, "obstacle right 0.7m");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		send(rig, cases[i].mode);
		assert_int_equal(rig_value2(rig, US, MODE, 1), cases[i].mode);
		rig_wait(rig, 0.011);
		assert_int_equal(rig_value2(rig, US, VALUE, 1), cases[i].value);
	}
	expect_nothing(rig, LEFT);
	expect_nothing(rig, RIGHT);
}

/* [us-4] [us-5] [us-13] */
static void both_receivers(void **state)
{
	static const u8 modes[] = { 4, 12, 68, 76 };
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(modes); i++) {
		order(rig, "obstacle front 2m 1m");
		order(rig, "obstacle left 1.5m");
		order(rig, "obstacle right 300mm");
		send(rig, modes[i]);
		rig_wait(rig, 0.021);
		EXPECT(rig, LEFT, 100, 150, 200);
		EXPECT(rig, RIGHT, 30, 100, 200);
		assert_int_equal(rig_value2(rig, US, VALUE, 1), 0);
		send(rig, 0);
		order(rig, "power-cycle");
		rig_wait(rig, 1);
		expect_nothing(rig, LEFT);
	}
}

/* Twice as long where each side has a wave of its own. */
/* [us-11] */
static void it_takes_time(void **state)
{
	struct rig *rig = *state;

	order(rig, "obstacle front 1m");
	send(rig, 0);
	rig_wait(rig, 0.008);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 0);
	rig_wait(rig, 0.002);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 100);
	send(rig, 4);
	rig_wait(rig, 0.018);
	expect_nothing(rig, LEFT);
	rig_wait(rig, 0.002);
	EXPECT(rig, LEFT, 100);
	order(rig, "obstacle front 2m");
	send(rig, 12);
	rig_wait(rig, 0.008);
	EXPECT(rig, LEFT, 100);
	rig_wait(rig, 0.002);
	EXPECT(rig, LEFT, 200);
}

static void once_when_asked(void **state)
{
	struct rig *rig = *state;

	order(rig, "obstacle front 1m");
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 0);
	send(rig, 3);
	/* What comes before the echo is back is heard, and nothing later. */
	rig_wait(rig, 0.005);
	order(rig, "obstacle front 1.2m");
	rig_wait(rig, 1);
	order(rig, "obstacle front 0.5m");
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 120);
	send(rig, 3);
	rig_wait(rig, 0.1);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 50);
	send(rig, 4);
	rig_wait(rig, 0.1);
	EXPECT(rig, LEFT, 50);
	order(rig, "obstacle front none");
	rig_wait(rig, 1);
	EXPECT(rig, LEFT, 50);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 50);
}

/* [us-6] */
static void again_and_again(void **state)
{
	struct rig *rig = *state;

	order(rig, "obstacle front 1m");
	send(rig, 68);
	rig_wait(rig, 0.021);
	EXPECT(rig, LEFT, 100);
	order(rig, "obstacle front 2m");
	rig_wait(rig, 0.095);
	EXPECT(rig, LEFT, 100);
	rig_wait(rig, 0.005);
	EXPECT(rig, LEFT, 200);
	/* Hours later as well, whoever has looked. */
	order(rig, "obstacle front 3m");
	rig_wait(rig, 7200);
	EXPECT(rig, LEFT, 255);
	order(rig, "obstacle left 0.9m");
	rig_wait(rig, 0.1);
	EXPECT(rig, LEFT, 90, 255);
	EXPECT(rig, RIGHT, 255);
	/* Any other ends it, with a last wave. */
	send(rig, 4);
	rig_wait(rig, 0.1);
	order(rig, "obstacle left none");
	rig_wait(rig, 1);
	EXPECT(rig, LEFT, 90, 255);
	/* And so does the power. */
	send(rig, 64);
	rig_wait(rig, 0.05);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 255);
	order(rig, "power-cycle");
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, US, MODE, 1), 0);
	assert_int_equal(rig_value2(rig, US, VALUE, 1), 0);
}

static int heard(struct rig *rig, const char *obstacle)
{
	order(rig, obstacle);
	send(rig, 0);
	rig_wait(rig, 0.1);

	return rig_value2(rig, US, VALUE, 1);
}

/* [us-3] [us-8] */
static void near_and_far(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(heard(rig, "obstacle front 1mm"), 0);
	assert_int_equal(heard(rig, "obstacle front 244mm"), 0);
	assert_int_equal(heard(rig, "obstacle front 245mm"), 25);
	assert_int_equal(heard(rig, "obstacle front 0.25m"), 25);
	assert_int_equal(heard(rig, "obstacle front 2.54m"), 254);
	assert_int_equal(heard(rig, "obstacle front 2.55m"), 255);
	assert_int_equal(heard(rig, "obstacle front 10m"), 255);
	assert_int_equal(heard(rig, "obstacle front none"), 255);
}

/* [us-7] */
static void ten_echoes(void **state)
{
	struct rig *rig = *state;

	order(rig, "obstacle left 1m 0.9m 0.8m 0.7m 0.6m 0.5m 0.4m 0.3m 0.2m 1.1m");
	send(rig, 4);
	rig_wait(rig, 0.1);
	EXPECT(rig, LEFT, 0, 30, 40, 50, 60, 70, 80, 90, 100, 110);
	EXPECT(rig, RIGHT, 255);
	/* The nearest ones. */
	order(rig, "obstacle front 0.35m 2m");
	send(rig, 12);
	rig_wait(rig, 0.1);
	EXPECT(rig, LEFT, 0, 30, 35, 40, 50, 60, 70, 80, 90, 100);
	EXPECT(rig, RIGHT, 35, 200);
}

static bool is_mode(int mode)
{
	mode &= ~64;

	return mode <= 4 || mode == 8 || mode == 12;
}

static void no_other_mode(void **state)
{
	struct rig *rig = *state;
	int mode;

	for (mode = 0; mode < 256; mode++)
		assert_int_equal(rig_set2(rig, US, MODE, 1, mode),
				 is_mode(mode) ? 0 : DXL2_ERR_RANGE);
	assert_int_equal(rig_value2(rig, US, MODE, 1), 76);
	assert_int_equal(rig_set2(rig, US, LEFT, 1, 50), DXL2_ERR_ACCESS);
	told(rig, "senses 202", "ok\n");
	told(rig, "set 202 left_value 1",
	     "error: left_value cannot be set; the NAO-US hears what is around, try: obstacle front 0.5m\n");
	told(rig, "get 202 left_value_9", "0\nok\n");
	told(rig, "get 202 right_value_1", "0\nok\n");
}

#define SONAR_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SONAR_TEST(one_receiver),
		SONAR_TEST(both_receivers),
		SONAR_TEST(it_takes_time),
		SONAR_TEST(once_when_asked),
		SONAR_TEST(again_and_again),
		SONAR_TEST(near_and_far),
		SONAR_TEST(ten_echoes),
		SONAR_TEST(no_other_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
