// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../overlay.h"
#include "../physique_load.h"
#include "mannequin.h"

/* Less than the shortest watchdog of a motor. */
#define TALK		0.1

/* So slowly, rad/s, a robot stands still; and for how long it may take to come to that, s. */
#define CALM		0.01
#define CALMING		1.5

/* What boards a robot is thought to have; its servos are those of its device tree. */
static const struct {
	const char *robot;
	const struct model *board;
	const struct model *foot;
	bool skin;
} robots[] = {
	{ "bioloid", &model_cm510, NULL, false },
	{ "darwin-op", &model_cm730, &model_fsr, false },
	{ "op3", &model_opencr, NULL, false },
	{ "nao-h25-v33", &model_nao_inertial, &model_nao_foot, true },
};

/* What only a NAO has. */
static void add_skin(struct rig *rig)
{
	bus_add(&rig->bus, &model_nao_us, 202, "US", rig->now);
	bus_add(&rig->bus, &model_nao_touch, 203, "Head", rig->now);
	bus_add(&rig->bus, &model_nao_hand, 114, "LHandTouch", rig->now);
}

static bool turns_a_joint(const struct physique *physique, const char *label)
{
	size_t i;

	for (i = 1; i < physique->count; i++)
		if (!strcmp(physique->links[i].servo, label))
			return true;

	return false;
}

static void add_servos(struct rig *rig, const struct physique *physique, const char *robot)
{
	static struct overlay overlay;
	char path[256];
	size_t i;

	snprintf(path, sizeof(path), OVERLAYS "/%s.dtbo", robot);
	assert_int_equal(overlay_load(&overlay, path, stderr), 0);
	for (i = 0; i < overlay.count; i++) {
		const struct overlay_device *dev = &overlay.devices[i];

		if (dev->model->servo && turns_a_joint(physique, dev->label))
			bus_add(&rig->bus, dev->model, dev->id, dev->label, rig->now);
	}
}

/* Some boards have to be told to feed the servos. */
static void switch_on(struct rig *rig)
{
	struct device *dev = mannequin_servo(rig, "Board");

	if (dev->model->board->power)
		mannequin_put(rig, dev, "dynamixel_power", 1);
	bus_feed(&rig->bus, rig->now);
}

struct rig *mannequin_new(const char *robot)
{
	struct physique *physique;
	struct rig *rig = rig_new();
	char path[256];
	size_t i = 0;

	while (strcmp(robots[i].robot, robot))
		i++;
	snprintf(path, sizeof(path), ROBOTS "/%s.xml", robot);
	physique = physique_load(path, stderr);
	assert_non_null(physique);
	add_servos(rig, physique, robot);
	bus_add(&rig->bus, robots[i].board, 200, "Board", rig->now);
	if (robots[i].foot) {
		bus_add(&rig->bus, robots[i].foot, 111, "RFoot", rig->now);
		bus_add(&rig->bus, robots[i].foot, 112, "LFoot", rig->now);
	}
	if (robots[i].skin)
		add_skin(rig);
	assert_true(bus_embody(&rig->bus, world_new(physique, rig->now)) > 0);
	free(physique);
	switch_on(rig);

	return rig;
}

void mannequin_free(struct rig *rig)
{
	world_free(rig->bus.body.world);
	rig_free(rig);
}

struct world *mannequin_world(struct rig *rig)
{
	return rig->bus.body.world;
}

struct device *mannequin_servo(struct rig *rig, const char *label)
{
	size_t i;

	for (i = 0; i < rig->bus.device_count; i++)
		if (!strcmp(rig->bus.devices[i].label, label))
			return &rig->bus.devices[i];

	return NULL;
}

struct device *mannequin_board(struct rig *rig, const char *model)
{
	size_t i;

	for (i = 0; i < rig->bus.device_count; i++)
		if (!strcmp(rig->bus.devices[i].model->name, model))
			return &rig->bus.devices[i];
	fail_msg("no %s", model);

	return NULL;
}

int mannequin_item(struct rig *rig, struct device *dev, const char *item)
{
	return device_value(dev, model_item_named(dev->model, item), rig->now);
}

void mannequin_put(struct rig *rig, struct device *dev, const char *name, int value)
{
	const struct item *item = model_item_named(dev->model, name);
	const u8 bytes[4] = { value, value >> 8, value >> 16, value >> 24 };

	assert_non_null(item);
	assert_int_equal(device_write(dev, (struct span){ item->addr, item->size }, bytes,
				      rig->now), REFUSED_NOT);
}

static void hear_all(struct rig *rig)
{
	size_t i;

	for (i = 0; i < rig->bus.device_count; i++)
		rig->bus.devices[i].heard_at = rig->now;
}

void mannequin_wait_until(struct rig *rig, nsec_t end)
{
	while (rig->now < end) {
		nsec_t next = rig->now + TALK * NSEC_PER_SEC;

		hear_all(rig);
		rig->now = next < end ? next : end;
		body_advance(&rig->bus.body, rig->now);
	}
	hear_all(rig);
}

void mannequin_wait(struct rig *rig, double seconds)
{
	mannequin_wait_until(rig, rig->now + seconds * NSEC_PER_SEC);
}

static void put_torque(struct rig *rig, int value)
{
	size_t i;

	for (i = 0; i < rig->bus.device_count; i++)
		if (rig->bus.devices[i].model->servo)
			mannequin_put(rig, &rig->bus.devices[i], "torque_enable", value);
}

void mannequin_stiffen(struct rig *rig)
{
	put_torque(rig, 1);
}

void mannequin_loosen(struct rig *rig)
{
	put_torque(rig, 0);
}

void mannequin_turn(struct rig *rig, const char *label, double angle)
{
	struct device *dev = mannequin_servo(rig, label);
	const struct servo_spec *spec;
	struct mount mount;

	if (!dev)
		return;
	spec = dev->model->servo;
	mount = dev->model->ops->mount(dev);
	if (dev->model->ops == &servo_nao_ops)
		mount.centre = 0;
	mannequin_put(rig, dev, "goal_position",
		      lround(mount.centre + (angle - dev->servo.limb.offset) /
			     dev->servo.limb.gain / (spec->count_deg * M_PI / 180)));
}

/* How fast the fastest of its torso and joints turns, rad/s. */
static double turning(struct rig *rig)
{
	const struct world *world = mannequin_world(rig);
	struct inertial inertial;
	double most = 0;
	size_t i;

	world_inertial(world, &inertial);
	for (i = 0; i < 3; i++)
		most = fmax(most, fabs(inertial.rate[i]));
	for (i = 1; i < world_physique(world)->count; i++)
		most = fmax(most, fabs(world_turning(world, i).rate));

	return most;
}

static void calm_down(struct rig *rig)
{
	nsec_t end = rig->now + CALMING * NSEC_PER_SEC;

	do
		mannequin_wait(rig, TALK);
	while (turning(rig) > CALM && rig->now < end);
}

void mannequin_stand(struct rig *rig)
{
	size_t i;

	mannequin_stiffen(rig);
	for (i = 1; i < world_physique(mannequin_world(rig))->count; i++)
		mannequin_turn(rig, world_physique(mannequin_world(rig))->links[i].joint, 0);
	mannequin_turn(rig, "LShoulderPitch", 1.5);
	mannequin_turn(rig, "RShoulderPitch", 1.5);
	mannequin_turn(rig, "LShoulderRoll", 0.2);
	mannequin_turn(rig, "RShoulderRoll", -0.2);
	for (i = 0; i < 30 && world_held(mannequin_world(rig)); i++)
		mannequin_wait(rig, TALK);
	assert_false(world_held(mannequin_world(rig)));
	/* What does not stand has begun to fall by then. */
	mannequin_wait(rig, 0.5);
	calm_down(rig);
}
