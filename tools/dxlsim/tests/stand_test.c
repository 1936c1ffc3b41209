// SPDX-License-Identifier: GPL-2.0-or-later
/* A robot with a body stands, carries itself and falls, each of those that there are. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mannequin.h"

static bool is_up(struct rig *rig)
{
	struct pose pose = body_pose(&rig->bus.body, rig->now);

	return fabs(pose.roll) < 8 && fabs(pose.pitch) < 8;
}

static bool lies(struct rig *rig)
{
	double centre[3], hip[3];

	world_centre(mannequin_world(rig), centre);
	world_point(mannequin_world(rig), TORSO, (double [3]){ 0 }, hip);

	return hip[2] < 0.12 && centre[2] < 0.12;
}

/* Knees bent, or nothing but friction makes it stand. */
static void squat(struct rig *rig)
{
	static const char *const sides[] = { "L", "R" };
	char label[32];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(label, sizeof(label), "%sHipPitch", sides[i]);
		mannequin_turn(rig, label, -0.45);
		snprintf(label, sizeof(label), "%sKneePitch", sides[i]);
		mannequin_turn(rig, label, 0.9);
		snprintf(label, sizeof(label), "%sAnklePitch", sides[i]);
		mannequin_turn(rig, label, -0.45);
	}
	mannequin_wait(rig, 2);
}

static void check(const char *robot)
{
	struct rig *rig = mannequin_new(robot);

	mannequin_stand(rig);
	if (!is_up(rig))
		fail_msg("%s: does not stand", robot);
	squat(rig);
	if (!is_up(rig))
		fail_msg("%s: does not squat, but leans %g %g", robot,
			 body_pose(&rig->bus.body, rig->now).roll,
			 body_pose(&rig->bus.body, rig->now).pitch);
	mannequin_loosen(rig);
	if (mannequin_servo(rig, "HeadYaw")->model == &model_nao_motor) {
		mannequin_wait(rig, 0.5);
		if (lies(rig))
			fail_msg("%s: its brakes do not resist", robot);
	}
	mannequin_wait(rig, 4);
	if (!lies(rig))
		fail_msg("%s: does not fall", robot);
	mannequin_free(rig);
}

static void a_bioloid_stands_squats_and_falls(void **state)
{
	(void)state;
	check("bioloid");
}

static void an_op_does(void **state)
{
	(void)state;
	check("darwin-op");
}

static void an_op3_does(void **state)
{
	(void)state;
	check("op3");
}

static void a_nao_does(void **state)
{
	(void)state;
	check("nao-h25-v33");
}

static void it_is_held_until_its_legs_carry_it(void **state)
{
	struct rig *rig = mannequin_new("bioloid");

	(void)state;
	mannequin_wait(rig, 5);
	assert_true(world_held(mannequin_world(rig)));
	mannequin_stiffen(rig);
	mannequin_put(rig, mannequin_servo(rig, "LKneePitch"), "torque_enable", 0);
	mannequin_wait(rig, 2);
	assert_true(world_held(mannequin_world(rig)));
	mannequin_stiffen(rig);
	mannequin_wait(rig, 2);
	assert_false(world_held(mannequin_world(rig)));
	mannequin_free(rig);
}

/* All that a controller could read of it after a push, as bytes. */
static void record(u8 *bytes, double pause)
{
	struct rig *rig = mannequin_new("bioloid");
	double left;
	size_t i;

	mannequin_stand(rig);
	assert_true(world_push(mannequin_world(rig), TORSO, (double [3]){ 8, 3, 0 },
			       200 * NSEC_PER_MSEC));
	for (left = 1.5; left > pause / 2; left -= pause)
		mannequin_wait(rig, pause);
	for (i = 0; i < rig->bus.device_count; i++) {
		struct device *dev = &rig->bus.devices[i];

		mannequin_item(rig, dev, "id");
		memcpy(bytes + i * TABLE_MAX, dev->table, dev->model->table_size);
	}
	mannequin_free(rig);
}

static void it_falls_in_the_same_way_every_time(void **state)
{
	static u8 first[BUS_DEVICES_MAX * TABLE_MAX], second[BUS_DEVICES_MAX * TABLE_MAX];

	(void)state;
	record(first, 1.5);
	record(second, 0.015);
	assert_memory_equal(first, second, sizeof(first));
}

static void nobody_tells_it_how_to_lean(void **state)
{
	struct rig *rig = mannequin_new("bioloid");
	static const char refusal[] =
		"error: the robot has a body and obeys physics; push it, or start without --body\n";

	(void)state;
	told(rig, "lean 10 0", refusal);
	told(rig, "upright", refusal);
	told(rig, "fall face", refusal);
	told(rig, "lie back", refusal);
	mannequin_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bioloid_stands_squats_and_falls),
		cmocka_unit_test(an_op_does),
		cmocka_unit_test(an_op3_does),
		cmocka_unit_test(a_nao_does),
		cmocka_unit_test(it_is_held_until_its_legs_carry_it),
		cmocka_unit_test(it_falls_in_the_same_way_every_time),
		cmocka_unit_test(nobody_tells_it_how_to_lean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
