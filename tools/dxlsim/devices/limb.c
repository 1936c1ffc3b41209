// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A DC motor behind its gear: standing it gives its full torque at full output, and none at
 * the speed that this output gives it without load. Where its output follows the shaft's
 * place, that is the place at the end of the step, so that no gain makes it swing up.
 */
#include <math.h>
#include <string.h>

#include "../physics/physics.h"
#include "device.h"
#include "limb.h"
#include "motor.h"

/* Slower than this, friction gives way as a thick fluid does, rad/s; ours. */
#define CREEP		1e-3

/* Slower than this share of its top speed it gets nowhere. */
#define STANDSTILL	0.1

#define SECONDS		((double)WORLD_STEP / NSEC_PER_SEC)

static double count_rad(const struct device *dev)
{
	return dev->model->servo->count_deg * M_PI / 180;
}

static double supply_share(const struct device *dev)
{
	return (double)dev->servo.supply / dev->model->servo->supply;
}

static struct mount mount(const struct device *dev)
{
	return dev->model->ops->mount(dev);
}

/* The shaft's turn, in counts of the servo, for one of the joint, in rad. */
static double counts(const struct device *dev)
{
	return mount(dev).way / dev->servo.limb.gain / count_rad(dev);
}

double limb_angle(const struct device *dev)
{
	const struct limb *limb = &dev->servo.limb;

	return (dev->servo.joint.pos - mount(dev).centre) / counts(dev) + limb->offset;
}

/* Before what the motor may not. */
static double wanted(const struct drive_order *order, double vel)
{
	return order->output + order->gain * (order->error - vel * SECONDS) -
	       order->damping * vel;
}

static double output(const struct drive_order *order, double vel)
{
	if (!order->driven)
		return 0;

	return fmin(fmax(wanted(order, vel), -order->limit), order->limit);
}

/* --- before a step --- */

/* What only resists. */
static double resistance(const struct device *dev, double speed)
{
	const struct limb *limb = &dev->servo.limb;

	return limb->torque * (MOTOR_FRICTION / fmax(speed, CREEP) +
			       MOTOR_DRAG / limb->speed);
}

/* All as the motor has it: shares of its torque, counts. */
static void feed(const struct device *dev, const struct drive_order *order, double vel,
		 struct effort *effort)
{
	const struct limb *limb = &dev->servo.limb;
	double full = limb->torque * (order->as_torque ? 1 : supply_share(dev));
	double share = wanted(order, vel);

	if (!order->as_torque)
		effort->damping += limb->torque / limb->speed;
	if (fabs(share) >= order->limit) {
		effort->torque += full * copysign(order->limit, share);
		return;
	}
	effort->torque += full * (order->output + order->gain * order->error);
	effort->damping += full * (order->gain * SECONDS + order->damping) / count_rad(dev);
}

/* The same share of all that it gives to each of its joints, which are geared together. */
static void share_out(struct device *dev, const struct turning *turning,
		      struct effort *effort)
{
	const struct limb *limb = &dev->servo.limb;
	double way = counts(dev) > 0 ? 1 : -1;
	const struct drive_order *order = &dev->servo.order;

	*effort = (struct effort){
		.torque = -dev->servo.outer_load * limb->torque,
		.damping = resistance(dev, fabs(turning->rate)),
		.holds = order->driven,
	};
	if (order->driven)
		feed(dev, order, turning->rate * counts(dev), effort);
	else if (order->shorted)
		effort->damping += limb->torque / limb->speed;
	effort->torque *= way / limb->links;
	effort->damping /= limb->links;
}

static void drive(void *owner, const struct turning *turning, struct effort *effort)
{
	struct device *dev = owner;

	dev->servo.order = (struct drive_order){ 0 };
	dev->model->ops->order(dev, SECONDS, &dev->servo.order);
	share_out(dev, turning, effort);
}

/* A further joint, after the first. */
static void follow(void *owner, const struct turning *turning, struct effort *effort)
{
	share_out(owner, turning, effort);
}

/* --- and after it --- */

static void moved(void *owner, const struct turning *turning, nsec_t now)
{
	struct device *dev = owner;
	struct servo *servo = &dev->servo;
	double vel = turning->rate * counts(dev);

	servo->joint = (struct joint){
		mount(dev).centre + (turning->angle - servo->limb.offset) * counts(dev), vel,
	};
	servo->output = output(&servo->order, vel);
	servo->pull = servo->output;
	if (servo->order.driven && !servo->order.as_torque)
		servo->pull = servo->output * supply_share(dev) -
			      vel * count_rad(dev) / servo->limb.speed;
	servo->time = now;
	dev->model->ops->ran(dev, SECONDS);
}

bool limb_is_stuck(const struct device *dev)
{
	const struct servo *servo = &dev->servo;
	double top = servo->limb.speed / count_rad(dev);

	return servo->order.driven && fabs(servo->output) >= servo->order.limit - 1e-9 &&
	       fabs(servo->joint.vel) < STANDSTILL * top;
}

/* --- building it in --- */

static void build_in(struct device *dev, struct world *world, const struct part *link)
{
	const struct servo_spec *spec = dev->model->servo;

	dev->servo.aim = dev->servo.joint;
	dev->servo.limb = (struct limb){
		.world = world,
		.gain = link->gain,
		.offset = link->offset,
		.torque = link->torque ? link->torque : spec->torque,
		.speed = link->speed ? link->speed :
				       spec->no_load_rpm * 2 * M_PI / 60,
	};
}

bool limb_attach(struct device *dev, struct world *world)
{
	const struct physique *physique = world_physique(world);
	struct actuator actuator = { drive, moved, dev };
	struct limb *limb = &dev->servo.limb;
	size_t i;

	*limb = (struct limb){ 0 };
	for (i = 0; dev->model->servo && i < physique->count; i++) {
		if (strcmp(physique->links[i].servo, dev->label))
			continue;
		if (!limb->world)
			build_in(dev, world, &physique->links[i]);
		limb->links++;
		world_attach(world, i, &actuator);
		/* What is the second to turn turns as the first does. */
		actuator = (struct actuator){ .drive = follow, .owner = dev };
	}

	return limb->world;
}
