/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hangs on a servo's shaft when the robot has a body: a joint of it, which the motor
 * turns and which turns the motor.
 */
#ifndef DXLSIM_LIMB_H
#define DXLSIM_LIMB_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/base.h"

struct device;
struct world;

/**
 * struct limb - a servo in a body
 * @world: the body; NULL: nothing hangs on the shaft
 * @links: how many of its joints the servo turns
 * @gain: the joint's angle by the shaft's
 * @offset: the joint's angle where the shaft's is 0, rad
 * @torque: full, Nm
 * @speed: without load, rad/s
 */
struct limb {
	struct world *world;
	unsigned int links;
	double gain;
	double offset;
	double torque;
	double speed;
};

/* How the shaft's angle is counted: @centre is its 0. */
struct mount {
	double centre;
	int way;
};

/**
 * struct drive_order - what a servo asks of its motor for a step
 * @driven: it is fed
 * @shorted: or its terminals are joined, which brakes
 * @as_torque: whatever the speed, the output comes to be torque
 * @limit: most output, as a share of all
 * @output: beside what follows
 * @gain: output for a count that the shaft is off
 * @error: counts that it is off, ahead
 * @damping: output less for a count/s
 */
struct drive_order {
	bool driven;
	bool shorted;
	bool as_torque;
	double limit;
	double output;
	double gain;
	double error;
	double damping;
};

/* False: the body has no joint that this servo turns. */
bool limb_attach(struct device *dev, struct world *world);

/* The angle at which the shaft puts a joint. */
double limb_angle(const struct device *dev);

/* Whether the motor gives all it may and gets nowhere. */
bool limb_is_stuck(const struct device *dev);

#endif
