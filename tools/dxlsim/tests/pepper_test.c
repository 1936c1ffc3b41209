// SPDX-License-Identifier: GPL-2.0-or-later
/* A Pepper's boards, and what can be wrong with them. */
#include "cmocka_all.h"

#include <string.h>

#include "harness.h"

#define FUSE		210
#define LASER		214
#define BASE		215
#define US		202
#define HIP_PITCH	17
#define KNEE_PITCH	18
#define ROUNDS		200

/* Of the motor board */
#define TORQUE		64
#define WATCHDOG	65

/* Of the base and of the laser */
#define BRAKE_HIP	25
#define BRAKE_KNEE	26
#define PICTURES	28
#define SEGMENT_1	24

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_pepper_fuse, FUSE);
	rig_add(rig, &model_pepper_laser, LASER);
	/* Before its joints: a brake finds its servo whatever their order on the bus is */
	rig_add(rig, &model_pepper_base, BASE);
	bus_add(&rig->bus, &model_nao_motor, HIP_PITCH, "HipPitch", rig->now);
	bus_add(&rig->bus, &model_nao_motor, KNEE_PITCH, "KneePitch", rig->now);
	rig_add(rig, &model_nao_us, US);
	rig_wait(rig, 1);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static void fuses(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_value2(rig, FUSE, 24, 1), 40);
	assert_int_equal(rig_value2(rig, FUSE, 25, 1), 0);
	order(rig, "set 210 temperature 85");
	order(rig, "set 210 error 2");
	assert_int_equal(rig_value2(rig, FUSE, 24, 2), 85 | 2 << 8);
	told(rig, "senses 210", "present_temperature 85 degrees Celsius\nerror 2 bits\nok\n");
	told(rig, "set 210 error raw 256", "error: error is \"256\", expected a count of 0 to 255\n");
}

static void expect_brakes(struct rig *rig, int hip, int knee)
{
	assert_int_equal(rig_value2(rig, BASE, BRAKE_HIP, 1), hip);
	assert_int_equal(rig_value2(rig, BASE, BRAKE_KNEE, 1), knee);
}

static void brakes_open_with_torque(void **state)
{
	struct rig *rig = *state;

	expect_brakes(rig, 0, 0);
	assert_int_equal(rig_set2(rig, KNEE_PITCH, WATCHDOG, 1, 0), 0);
	assert_int_equal(rig_set2(rig, KNEE_PITCH, TORQUE, 1, 1), 0);
	expect_brakes(rig, 0, 1);
	assert_int_equal(rig_set2(rig, HIP_PITCH, TORQUE, 1, 1), 0);
	expect_brakes(rig, 1, 1);
	/* That of the hip ends by its watchdog, of which its brake alone knows here. */
	rig_wait(rig, 0.6);
	expect_brakes(rig, 0, 1);
	assert_int_equal(rig_set2(rig, KNEE_PITCH, TORQUE, 1, 0), 0);
	expect_brakes(rig, 0, 0);
}

static void brakes_stick(void **state)
{
	struct rig *rig = *state;

	order(rig, "freeze 215 brake_hip_pitch 1");
	expect_brakes(rig, 1, 0);
	assert_int_equal(rig_set2(rig, HIP_PITCH, TORQUE, 1, 1), 0);
	order(rig, "freeze 215 brake_hip_pitch 0");
	expect_brakes(rig, 0, 0);
	order(rig, "power-cycle 215");
	rig_wait(rig, 1);
	assert_int_equal(rig_set2(rig, HIP_PITCH, WATCHDOG, 1, 0), 0);
	assert_int_equal(rig_set2(rig, HIP_PITCH, TORQUE, 1, 1), 0);
	expect_brakes(rig, 0, 0);
	order(rig, "thaw 215 brake_hip_pitch");
	expect_brakes(rig, 1, 0);
}

static void bumpers(void **state)
{
	struct rig *rig = *state;

	order(rig, "press 215 front-left");
	assert_int_equal(rig_value2(rig, BASE, 24, 1), 2);
	order(rig, "press 215 back");
	assert_int_equal(rig_value2(rig, BASE, 24, 1), 6);
	order(rig, "release 215 front-left");
	order(rig, "press 215 front-right");
	assert_int_equal(rig_value2(rig, BASE, 24, 1), 5);
	order(rig, "freeze 215 button 4");
	order(rig, "release 215 back");
	assert_int_equal(rig_value2(rig, BASE, 24, 1), 4);
	order(rig, "thaw 215");
	assert_int_equal(rig_value2(rig, BASE, 24, 1), 1);
}

static void the_camera_counts_its_pictures(void **state)
{
	struct rig *rig = *state;
	int first = rig_value2(rig, BASE, PICTURES, 2), then;

	rig_wait(rig, 2);
	then = rig_value2(rig, BASE, PICTURES, 2);
	assert_in_range(then - first, 60, 61);
	order(rig, "freeze 215 camera_frames");
	rig_wait(rig, 2);
	assert_int_equal(rig_value2(rig, BASE, PICTURES, 2), then);
	order(rig, "thaw 215 camera_frames");
	assert_in_range(rig_value2(rig, BASE, PICTURES, 2) - first, 120, 122);
}

/* How many of many readings of an item are one count below, at and one above @middle; no other is. */
static void count_noise(struct rig *rig, u8 id, u16 addr, unsigned int size, int middle, int *counts)
{
	int i;

	memset(counts, 0, 3 * sizeof(*counts));
	for (i = 0; i < ROUNDS; i++) {
		int off = rig_value2(rig, id, addr, size) - middle;

		assert_in_range(off + 1, 0, 2);
		counts[off + 1]++;
		rig_wait(rig, 0.1);
	}
}

static void expect_noise(struct rig *rig, u8 id, u16 addr, unsigned int size, int middle)
{
	int counts[3], i;

	count_noise(rig, id, addr, size, middle, counts);
	for (i = 0; i < 3; i++)
		assert_in_range(counts[i], ROUNDS / 6, ROUNDS / 2);
}

static void expect_none(struct rig *rig, u8 id, u16 addr, unsigned int size, int middle)
{
	int counts[3];

	count_noise(rig, id, addr, size, middle, counts);
	assert_int_equal(counts[1], ROUNDS);
}

static void the_laser_is_noisy(void **state)
{
	struct rig *rig = *state;

	expect_noise(rig, LASER, SEGMENT_1, 2, 3000);
	order(rig, "set 214 segment_2 1234");
	expect_noise(rig, LASER, SEGMENT_1 + 2, 2, 1234);
	order(rig, "obstacle front 0.5m");
	expect_noise(rig, LASER, SEGMENT_1, 2, 500);
	order(rig, "obstacle front 9m");
	expect_none(rig, LASER, SEGMENT_1, 2, 0);
	/* No distance is less than the least, or more than the most. */
	order(rig, "set 214 segment_1 1");
	assert_in_range(rig_value2(rig, LASER, SEGMENT_1, 2), 1, 2);
	order(rig, "noise 214 off");
	order(rig, "set 214 segment_3 5000");
	expect_none(rig, LASER, SEGMENT_1 + 4, 2, 5000);
	assert_int_equal(rig_value2(rig, LASER, 30, 1), 0);
}

static void noise_is_of_the_time_and_the_seed(void **state)
{
	struct rig *rig = *state, *other = rig_new();
	int differ = 0, i;

	rig_add(other, &model_pepper_laser, LASER);
	rig_wait(other, (double)(rig->now - other->now) / NSEC_PER_SEC);
	for (i = 0; i < ROUNDS; i++) {
		rig_wait(rig, 0.1);
		rig_wait(other, (double)(rig->now - other->now) / NSEC_PER_SEC);
		if (i == ROUNDS / 2)
			order(other, "seed 9");
		differ += rig_value2(rig, LASER, SEGMENT_1, 2) !=
			  rig_value2(other, LASER, SEGMENT_1, 2);
		if (i < ROUNDS / 2)
			assert_int_equal(differ, 0);
	}
	assert_in_range(differ, ROUNDS / 6, ROUNDS / 2);
	rig_free(other);
}

static void a_sonar_that_is_to_be_noisy(void **state)
{
	struct rig *rig = *state;

	order(rig, "obstacle front 1m");
	assert_int_equal(rig_set2(rig, US, 64, 1, 68), 0);
	rig_wait(rig, 0.1);
	expect_none(rig, US, 25, 1, 100);
	order(rig, "noise 202 on");
	rig_wait(rig, 0.1);
	expect_noise(rig, US, 25, 1, 100);
	/* What is no echo is none. */
	expect_none(rig, US, 26, 1, 255);
}

static void what_is_frozen_stays(void **state)
{
	struct rig *rig = *state;
	int first, i;

	order(rig, "noise 202 on");
	order(rig, "obstacle front 1m");
	assert_int_equal(rig_set2(rig, US, 64, 1, 68), 0);
	rig_wait(rig, 0.2);
	order(rig, "freeze 202");
	first = rig_value2(rig, US, 25, 1);
	expect_none(rig, US, 25, 1, first);
	order(rig, "thaw 202");
	rig_wait(rig, 0.2);
	expect_noise(rig, US, 25, 1, 100);

	order(rig, "freeze 214 segment_1");
	first = rig_value2(rig, LASER, SEGMENT_1, 2);
	order(rig, "set 214 segment_1 700");
	expect_none(rig, LASER, SEGMENT_1, 2, first);
	expect_noise(rig, LASER, SEGMENT_1 + 2, 2, 1000);
	order(rig, "set 214 segment_1 raw 700");
	assert_int_equal(rig_value2(rig, LASER, SEGMENT_1, 2), first);
	order(rig, "thaw 214 segment_1");
	expect_noise(rig, LASER, SEGMENT_1, 2, 700);
	for (i = 0; i < 20; i++) {
		order(rig, "set 214 segment_1 raw 701");
		rig_wait(rig, 0.1);
	}
}

static void nonsense_is_refused(void **state)
{
	struct rig *rig = *state;

	told(rig, "freeze 17 error", "error: the NAO-motor is no board\n");
	told(rig, "thaw 17", "error: the NAO-motor is no board\n");
	told(rig, "noise 17 on", "error: the NAO-motor is no board\n");
	told(rig, "noise 215 on", "error: the Pepper-base has no sensor for distances\n");
	told(rig, "noise 214 loud", "error: noise is \"loud\", expected on or off\n");
	told(rig, "freeze 215 brake", "error: the Pepper-base has no field \"brake\"\n");
	told(rig, "thaw 215 brake", "error: the Pepper-base has no field \"brake\"\n");
	told(rig, "freeze 215 brake_hip_pitch 2",
	     "error: brake_hip_pitch is \"2\", expected a count of 0 to 1\n");
	told(rig, "freeze 215 brake_hip_pitch open",
	     "error: brake_hip_pitch is \"open\", expected a count of 0 to 1\n");
	told(rig, "freeze 215 id 3",
	     "error: id is nothing that the Pepper-base senses, and does not freeze\n");
	told(rig, "thaw 202 mode",
	     "error: mode is nothing that the NAO-US senses, and does not freeze\n");
	expect_brakes(rig, 0, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define PEPPER_TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		PEPPER_TEST(fuses),
		PEPPER_TEST(brakes_open_with_torque),
		PEPPER_TEST(brakes_stick),
		PEPPER_TEST(bumpers),
		PEPPER_TEST(the_camera_counts_its_pictures),
		PEPPER_TEST(the_laser_is_noisy),
		PEPPER_TEST(noise_is_of_the_time_and_the_seed),
		PEPPER_TEST(a_sonar_that_is_to_be_noisy),
		PEPPER_TEST(what_is_frozen_stays),
		PEPPER_TEST(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
