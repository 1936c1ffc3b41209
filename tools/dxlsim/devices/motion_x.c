// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a control table of the X series asks of the motor: goals and limits in
 * units of the shaft, and the profile that leads to a goal.
 */
#include <math.h>
#include <stdlib.h>

#include "motor.h"
#include "servo_x.h"
#include "table.h"

#define ACCEL_RPM_MIN	214.577	/* one count, rev/min^2 */

/* A homing offset beyond this does not count in position control mode. */
#define HOMING_MAX_JOINT	1024

u8 x_mode(const struct device *dev)
{
	return dev->table[OPERATING_MODE];
}

bool x_has_goal(u8 mode)
{
	return mode == MODE_POSITION || mode == MODE_EXTENDED ||
	       mode == MODE_CURRENT_POSITION;
}

bool x_has_current(const struct device *dev)
{
	return dev->layout->at[GOAL_CURRENT];
}

double x_clamp(double value, double low, double high)
{
	return fmin(fmax(value, low), high);
}

/* --- units --- */

static double counts_per_rpm(const struct device *dev)
{
	return DEGREES_PER_RPM / dev->model->servo->count_deg;
}

/* Velocity items to counts/s. */
double x_velocity(const struct device *dev, int value)
{
	return value * dev->model->servo->speed_unit_rpm * counts_per_rpm(dev);
}

int x_velocity_value(const struct device *dev, double vel)
{
	return lround(vel / x_velocity(dev, 1));
}

/* Fastest the shaft can turn with this supply, in counts/s, above 0. */
double x_top_speed(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double share = (double)dev->servo.supply / spec->supply;

	return fmax(spec->no_load_rpm * share, 0.01) * counts_per_rpm(dev);
}

/* Greatest acceleration of the motor, in counts/s^2. */
double x_top_accel(const struct device *dev)
{
	return dev->model->servo->accel_deg / dev->model->servo->count_deg;
}

int x_homing_offset(const struct device *dev)
{
	int offset = table_s32(dev->table, HOMING_OFFSET);

	if (x_mode(dev) == MODE_POSITION && abs(offset) > HOMING_MAX_JOINT)
		return 0;

	return offset;
}

int x_present_position(const struct device *dev)
{
	return lround(dev->servo.joint.pos) + x_homing_offset(dev);
}

/* Goal Position as a place of the shaft. */
double x_goal(const struct device *dev)
{
	return table_s32(dev->table, GOAL_POSITION) - x_homing_offset(dev);
}

/* Goals as a share of the full output. */
static double goal_pwm(const struct device *dev)
{
	double share = (double)table_s16(dev->table, GOAL_PWM) / FULL_PWM;

	return x_clamp(share, -1, 1);
}

double x_goal_current(const struct device *dev)
{
	double share = (double)table_s16(dev->table, GOAL_CURRENT) /
		       dev->model->servo->full_load;

	return x_clamp(share, -1, 1);
}

/* How much of the full output there may be, by the goals that limit it. */
double x_output_limit(const struct device *dev)
{
	switch (x_mode(dev)) {
	case MODE_CURRENT:
		return fabs(x_goal_current(dev));
	case MODE_CURRENT_POSITION:
		return fmin(fabs(goal_pwm(dev)), fabs(x_goal_current(dev)));
	default:
		return fabs(goal_pwm(dev));
	}
}

/* Speed of a motion without a goal, in counts/s. */
double x_free_speed(const struct device *dev)
{
	double top = x_top_speed(dev);

	switch (x_mode(dev)) {
	case MODE_VELOCITY:
		return x_clamp(x_velocity(dev, table_s32(dev->table,
						     GOAL_VELOCITY)),
			     -top, top);
	case MODE_PWM:
		return goal_pwm(dev) * top;
	default:
		/* Nothing hangs on the shaft: any current speeds it up. */
		if (fabs(x_goal_current(dev)) <= MOTOR_FRICTION)
			return 0;
		return copysign(top, x_goal_current(dev));
	}
}

/* --- the position's controller: of the PID, P and D --- */

/* The manual's units, and PWM for a count; D is for one a millisecond, which is ours. */
#define P_UNIT		128.0
#define D_UNIT		16.0
#define D_SECONDS	1e-3

double x_position_gain(const struct device *dev)
{
	return table_u16(dev->table, POSITION_P_GAIN) / P_UNIT / FULL_PWM;
}

double x_position_damping(const struct device *dev)
{
	return table_u16(dev->table, POSITION_D_GAIN) / D_UNIT / FULL_PWM * D_SECONDS;
}

/* --- profile --- */

static double profile_accel(const struct device *dev)
{
	int value = table_s32(dev->table, PROFILE_ACCELERATION);
	double accel = value * ACCEL_RPM_MIN / 60 * counts_per_rpm(dev);

	if (!value)
		return x_top_accel(dev);

	return fmin(accel, x_top_accel(dev));
}

/* Profile Velocity is how long it takes, Profile Acceleration a part of it. */
static struct drive time_profile(const struct device *dev, double dist)
{
	double whole = table_s32(dev->table, PROFILE_VELOCITY) / 1000.0;
	double ramp = fmin(table_s32(dev->table, PROFILE_ACCELERATION) / 1000.0,
			   whole / 2);
	double vel;

	if (whole <= 0)
		return (struct drive){ x_top_speed(dev), x_top_accel(dev) };

	vel = fmax(dist / (whole - ramp), 1e-3);

	return (struct drive){
		fmin(vel, x_top_speed(dev)),
		ramp > 0 ? fmin(vel / ramp, x_top_accel(dev)) : x_top_accel(dev),
	};
}

static struct drive velocity_profile(const struct device *dev)
{
	int value = table_s32(dev->table, PROFILE_VELOCITY);
	double top = x_top_speed(dev);

	return (struct drive){
		value ? fmin(x_velocity(dev, value), top) : top,
		profile_accel(dev),
	};
}

/* A speed is set: from now on the shaft takes it on in this way. */
void x_plan_speed(struct device *dev)
{
	int ms = table_s32(dev->table, PROFILE_ACCELERATION);
	double change = fabs(x_free_speed(dev) - dev->servo.joint.vel);
	double accel = profile_accel(dev);

	if (dev->table[DRIVE_MODE] & TIME_BASED)
		accel = ms ? fmin(change * 1000 / ms, x_top_accel(dev)) :
			     x_top_accel(dev);
	dev->servo.profile.accel = fmax(accel, 1e-3);
}

static u8 shape_of(const struct device *dev, double dist)
{
	const struct drive *profile = &dev->servo.profile;

	if (!table_s32(dev->table, PROFILE_VELOCITY))
		return 0;
	if (!table_s32(dev->table, PROFILE_ACCELERATION))
		return PROFILE_RECTANGULAR;
	if (dist * profile->accel < profile->max_vel * profile->max_vel)
		return PROFILE_TRIANGULAR;

	return PROFILE_TRAPEZOIDAL;
}

/* A goal is set: from now on the motion is the one that leads there. */
void x_plan(struct device *dev)
{
	struct servo *servo = &dev->servo;
	double from = servo->limb.world ? servo->aim.pos : servo->joint.pos;
	double dist = fabs(x_goal(dev) - from);

	servo->profile = dev->table[DRIVE_MODE] & TIME_BASED ?
			 time_profile(dev, dist) : velocity_profile(dev);
	servo->shape = shape_of(dev, dist);
	servo->moves = true;
}
