// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hardware behind a control table of the AX-12's family
 *
 * Without a body the joint moves freely: nothing hangs on it but the outer load that a
 * test may set.
 */
#include <math.h>
#include <stdlib.h>

#include "limb.h"
#include "motor.h"
#include "servo.h"
#include "table.h"

#define DIRECTION_BIT	1024
#define MAGNITUDE_MAX	1023

#define GOAL_ACCEL_DEG	8.583	/* one count, degrees/s^2 */

#define REVERSE_BIT	0x01	/* of Drive Mode */

enum mode { MODE_JOINT, MODE_WHEEL, MODE_MULTI_TURN, MODE_TORQUE };

/* Values of Control Mode, where it is not the angle limits that tell. */
enum { CONTROL_WHEEL = 1, CONTROL_JOINT };

static const struct servo_map *map(const struct device *dev)
{
	return dev->model->servo->map;
}

/* An item that the model has not reads as 0. */
static int byte(const u8 *table, u16 addr)
{
	return addr ? table[addr] : 0;
}

static int word(const u8 *table, u16 addr)
{
	return addr ? (int)table_u16(table, addr) : 0;
}

static enum mode mode_of(const struct device *dev, const u8 *table)
{
	const struct servo_spec *spec = dev->model->servo;
	int cw = word(table, map(dev)->cw_limit);
	int ccw = word(table, map(dev)->ccw_limit);

	if (map(dev)->control_mode)
		return byte(table, map(dev)->control_mode) == CONTROL_WHEEL ?
		       MODE_WHEEL : MODE_JOINT;
	if (byte(table, map(dev)->torque_mode))
		return MODE_TORQUE;
	if (!cw && !ccw)
		return MODE_WHEEL;
	if (spec->multi_turn && cw == spec->max_position &&
	    ccw == spec->max_position)
		return MODE_MULTI_TURN;

	return MODE_JOINT;
}

static enum mode mode(const struct device *dev)
{
	return mode_of(dev, dev->table);
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/* --- what the table asks for --- */

static int divider(const struct device *dev)
{
	return clamp(byte(dev->table, map(dev)->divider), 1, 4);
}

static int turn_offset(const struct device *dev)
{
	u16 addr = map(dev)->multi_turn_offset;

	return addr ? table_s16(dev->table, addr) : 0;
}

/* Goal Position as a place of the shaft, in counts of full resolution. */
static double goal(const struct device *dev)
{
	int value = table_s16(dev->table, map(dev)->goal);

	if (mode(dev) == MODE_MULTI_TURN)
		return (value - turn_offset(dev)) * divider(dev);

	return clamp(value, 0, dev->model->servo->max_position);
}

static double counts_per_rpm(const struct device *dev)
{
	return DEGREES_PER_RPM / dev->model->servo->count_deg;
}

/* Fastest the shaft can turn with this supply, in counts/s, above 0. */
static double top_speed(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double share = (double)dev->servo.supply / spec->supply;

	return fmax(spec->no_load_rpm * share, 0.01) * counts_per_rpm(dev);
}

static double speed_setting(const struct device *dev)
{
	int value = word(dev->table, map(dev)->speed) & MAGNITUDE_MAX;
	double top = top_speed(dev);

	if (mode(dev) == MODE_WHEEL && dev->model->servo->wheel_is_output)
		return top * value / MAGNITUDE_MAX;
	if (mode(dev) != MODE_WHEEL && !value)
		return top;

	return fmin(top, value * dev->model->servo->speed_unit_rpm *
			 counts_per_rpm(dev));
}

/* A value with its sign in bit 10, as the share of the greatest. */
static double signed_share(int value)
{
	double share = (double)(value & MAGNITUDE_MAX) / MAGNITUDE_MAX;

	return value & DIRECTION_BIT ? -share : share;
}

/* Speed of a motion without a goal, in counts/s. */
static double free_speed(const struct device *dev)
{
	if (mode(dev) == MODE_TORQUE)
		return signed_share(word(dev->table, map(dev)->goal_torque)) *
		       top_speed(dev);

	return copysign(speed_setting(dev),
			signed_share(word(dev->table, map(dev)->speed)));
}

static struct drive drive(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	int setting = byte(dev->table, map(dev)->goal_accel);
	double accel = setting ? setting * GOAL_ACCEL_DEG : spec->accel_deg;

	return (struct drive){ speed_setting(dev), accel / spec->count_deg };
}

static bool driven_by(const struct device *dev, const u8 *table)
{
	if (!table[dev->model->registers->torque_enable] ||
	    !word(table, map(dev)->torque_limit))
		return false;

	return !map(dev)->p_gain || table[map(dev)->p_gain];
}

static bool driven(const struct device *dev)
{
	return driven_by(dev, dev->table);
}

/* How far from its goal the shaft may rest. */
static int dead_zone(const struct device *dev, double dist)
{
	return byte(dev->table, dist > 0 ? map(dev)->ccw_margin :
					   map(dev)->cw_margin);
}

static bool has_goal(enum mode mode)
{
	return mode == MODE_JOINT || mode == MODE_MULTI_TURN;
}

/* Direction in which the motor means to turn: 1, -1, or 0 to hold. */
static int direction(const struct device *dev)
{
	const struct joint *joint = &dev->servo.joint;
	double dist;

	if (!driven(dev))
		return 0;
	if (!has_goal(mode(dev))) {
		double speed = free_speed(dev);

		return (speed > 0) - (speed < 0);
	}

	if (dev->servo.limb.world)
		joint = &dev->servo.aim;
	dist = goal(dev) - joint->pos;
	if (joint->vel == 0 && fabs(dist) <= dead_zone(dev, dist))
		return 0;

	return dist < 0 ? -1 : 1;
}

/* --- load and alarms --- */

/* Present Load that the outer load and getting under way take. */
static int load_needed(const struct device *dev)
{
	return lround((dev->servo.outer_load +
		       direction(dev) * MOTOR_FRICTION) * MAGNITUDE_MAX);
}

static bool stalled(const struct device *dev)
{
	int limit = word(dev->table, map(dev)->torque_limit);

	if (dev->servo.limb.world)
		return limb_is_stuck(dev);

	return driven(dev) && abs(load_needed(dev)) > limit;
}

/* What the motor puts out: the value of Present Load, with a sign. */
static int output(const struct device *dev)
{
	int limit = clamp(word(dev->table, map(dev)->torque_limit), 0,
			  MAGNITUDE_MAX);
	double drag = MOTOR_DRAG * dev->servo.joint.vel / top_speed(dev);

	if (!driven(dev))
		return 0;
	if (dev->servo.limb.world)
		return lround(dev->servo.output * MAGNITUDE_MAX);

	return clamp(load_needed(dev) + lround(drag * MAGNITUDE_MAX), -limit,
		     limit);
}

static u8 present_errors(const struct device *dev)
{
	const struct error_bits *bits = &dev->model->servo->bits;
	const struct servo *servo = &dev->servo;
	u8 errors = 0;

	if (servo->supply < dev->table[map(dev)->min_voltage] ||
	    servo->supply > dev->table[map(dev)->max_voltage])
		errors |= bits->voltage;
	if (lround(servo->temperature) > dev->table[map(dev)->temp_limit])
		errors |= bits->heat;
	if (servo->overload)
		errors |= bits->overload;

	return errors;
}

static u8 condition(const struct device *dev)
{
	return present_errors(dev) | dev->servo.errors;
}

/* With Protocol 2.0 only a restart ends it, and until then the error stays. */
static void shut_down(struct device *dev)
{
	if (dev->model->protocol == DXL_PROTOCOL_2) {
		dev->servo.down = true;
		dev->servo.errors = present_errors(dev);
	}
	dev->table[dev->model->registers->torque_enable] = 0;
	table_put_u16(dev->table, map(dev)->torque_limit, 0);
	motor_note_torque(&dev->servo, false);
}

static void alarmed(struct device *dev, u8 error)
{
	if (dev->model->protocol == DXL_PROTOCOL_1 &&
	    error & dev->table[map(dev)->shutdown])
		shut_down(dev);
}

/*
 * An overload lasts until the motor is driven again: with the torque shut down
 * there is no load left to tell it by.
 */
static void guard(struct device *dev)
{
	if (!driven(dev))
		return;
	motor_watch_load(&dev->servo, stalled(dev));
	if (present_errors(dev) & dev->table[map(dev)->shutdown])
		shut_down(dev);
}

/* --- time --- */

static void turn(struct device *dev, double seconds)
{
	struct joint *joint = &dev->servo.joint;
	struct drive d = drive(dev);

	if (!direction(dev) || stalled(dev))
		joint_spin(joint, 0, d.accel, seconds);
	else if (has_goal(mode(dev)))
		joint_seek(joint, &d, goal(dev), seconds);
	else
		joint_spin(joint, free_speed(dev), d.accel, seconds);
}

static void step(struct device *dev, nsec_t length)
{
	double seconds = (double)length / NSEC_PER_SEC;

	turn(dev, seconds);
	motor_load(&dev->servo, (double)output(dev) / MAGNITUDE_MAX, seconds);
}

static void advance(struct device *dev, nsec_t now)
{
	motor_advance(dev, now, step, guard);
}

/* --- in a body --- */

static struct mount mount(const struct device *dev)
{
	int most = dev->model->servo->max_position, half = (most + 1) / 2;

	if (byte(dev->table, map(dev)->drive_mode) & REVERSE_BIT)
		return (struct mount){ most - half, -1 };

	return (struct mount){ half, 1 };
}

/* A P gain of 32 does what a slope of 32 does on an AX-12; so the manual has it. */
#define SLOPE		32
#define SLOPE_DEG	(SLOPE * 300.0 / 1024)

/* Counts that the shaft must be off for the full output. */
static double slope(const struct device *dev, double dist)
{
	u16 addr = dist > 0 ? map(dev)->ccw_slope : map(dev)->cw_slope;
	double whole = SLOPE_DEG / dev->model->servo->count_deg;

	if (map(dev)->p_gain)
		return whole * SLOPE / fmax(byte(dev->table, map(dev)->p_gain), 1);

	return addr ? fmax(byte(dev->table, addr), 1) : whole;
}

/*
 * The aim moves as a shaft without load would. It does not run away from one that is held
 * fast.
 */
static void seek(struct device *dev, double seconds)
{
	struct servo *servo = &dev->servo;
	struct drive d = drive(dev);
	double off, most;

	joint_seek(&servo->aim, &d, goal(dev), seconds);
	off = servo->aim.pos - servo->joint.pos;
	most = dead_zone(dev, off) + 2 * slope(dev, off);
	if (fabs(off) > most)
		servo->aim.pos = servo->joint.pos + copysign(most, off);
}

static void order_place(const struct device *dev, struct drive_order *order)
{
	double off = dev->servo.aim.pos - dev->servo.joint.pos;
	double beyond = fabs(off) - dead_zone(dev, off);
	double punch = word(dev->table, map(dev)->punch) / (double)MAGNITUDE_MAX;

	if (beyond <= 0)
		return;
	order->output = copysign(punch, off);
	order->error = copysign(beyond, off);
	order->gain = (1 - punch) / slope(dev, off);
}

/* In wheel mode some set the output, others the speed: those hold it by all they have. */
static void order_speed(const struct device *dev, struct drive_order *order)
{
	double top = top_speed(dev);

	order->output = free_speed(dev) / top;
	if (mode(dev) == MODE_TORQUE || dev->model->servo->wheel_is_output)
		return;
	order->damping = SLOPE / top;
	order->output += order->damping * free_speed(dev);
}

static void order(struct device *dev, double seconds, struct drive_order *order)
{
	struct servo *servo = &dev->servo;

	order->driven = driven(dev) && !dev->starved;
	order->limit = fmin(word(dev->table, map(dev)->torque_limit) /
			    (double)MAGNITUDE_MAX, 1);
	order->as_torque = mode(dev) == MODE_TORQUE;
	if (!order->driven || !has_goal(mode(dev)))
		servo->aim = servo->joint;
	if (!order->driven)
		return;
	if (!has_goal(mode(dev))) {
		order_speed(dev, order);
		return;
	}
	seek(dev, seconds);
	order_place(dev, order);
}

static void ran(struct device *dev, double seconds)
{
	motor_load(&dev->servo, dev->servo.output, seconds);
	guard(dev);
}

/* --- the table --- */

static double one_turn(const struct device *dev)
{
	return 360 / dev->model->servo->count_deg;
}

static double within_turn(const struct device *dev, double pos)
{
	return pos - floor(pos / one_turn(dev)) * one_turn(dev);
}

static int present_position(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double pos = dev->servo.joint.pos;

	if (mode(dev) == MODE_MULTI_TURN)
		return clamp(lround(pos / divider(dev)) + turn_offset(dev),
			     -spec->multi_turn, spec->multi_turn);
	if (mode(dev) == MODE_WHEEL && spec->wheel_counts)
		return lround(pos) & 0xffff;
	if (mode(dev) != MODE_JOINT)
		pos = within_turn(dev, pos);

	/* The potentiometer of some models ends before the turn does. */
	return clamp(lround(pos), 0, spec->max_position);
}

static int with_direction(long value)
{
	int magnitude = clamp(value < 0 ? -value : value, 0, MAGNITUDE_MAX);

	return value < 0 ? magnitude | DIRECTION_BIT : magnitude;
}

static int present_speed(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double vel = dev->servo.joint.vel;

	if (mode(dev) == MODE_WHEEL && spec->wheel_is_output)
		return with_direction(lround(vel / top_speed(dev) *
					     MAGNITUDE_MAX));

	return with_direction(lround(vel / counts_per_rpm(dev) /
				     spec->speed_unit_rpm));
}

static void refresh_extras(struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	u8 *table = dev->table;

	if (map(dev)->tick)
		table_put_u16(table, map(dev)->tick, motor_tick(&dev->servo));
	if (map(dev)->current)
		table_put_u16(table, map(dev)->current, spec->current_zero +
			      output(dev) * spec->full_load / MAGNITUDE_MAX);
	if (map(dev)->hardware_error)
		table[map(dev)->hardware_error] = condition(dev);
}

static void refresh(struct device *dev)
{
	u8 *table = dev->table;

	table_put_u16(table, map(dev)->present_position,
		      motor_shown(&dev->servo, present_position(dev)));
	table_put_u16(table, map(dev)->present_speed, present_speed(dev));
	table_put_u16(table, map(dev)->present_load,
		      with_direction(output(dev)));
	table[map(dev)->present_voltage] = dev->servo.supply;
	table[map(dev)->present_temp] = clamp(lround(dev->servo.temperature),
					      0, 255);
	table[map(dev)->moving] = direction(dev) != 0;
	refresh_extras(dev);
}

static void assemble(struct device *dev, nsec_t now)
{
	const struct servo_spec *spec = dev->model->servo;

	motor_init(&dev->servo, (spec->max_position + 1) / 2, spec->supply,
		   now);
}

static void take_present_as_goal(struct device *dev)
{
	table_put_u16(dev->table, map(dev)->goal, present_position(dev));
}

/* A servo does not know how many turns it was away from zero. */
static void power_on(struct device *dev, nsec_t now)
{
	struct servo *servo = &dev->servo;

	motor_power_on(servo, now);
	servo->joint.pos = within_turn(dev, servo->joint.pos);
	table_put_u16(dev->table, map(dev)->torque_limit,
		      word(dev->table, map(dev)->max_torque));
	take_present_as_goal(dev);
}

/* Angle limits that make a wheel of the servo are limits like any others. */
static bool angle_limits_hold(const struct device *dev, const u8 *table)
{
	enum mode mode = mode_of(dev, table);

	return mode == MODE_JOINT || (mode == MODE_WHEEL && !map(dev)->control_mode);
}

static enum refusal check_goal(const struct device *dev, const u8 *table)
{
	int value = table_s16(table, map(dev)->goal);

	if (mode_of(dev, table) == MODE_MULTI_TURN)
		return REFUSED_NOT;
	if (value < 0 || value > dev->model->servo->max_position)
		return REFUSED_RANGE;
	if (!angle_limits_hold(dev, table))
		return REFUSED_NOT;
	if (value < word(table, map(dev)->cw_limit) ||
	    value > word(table, map(dev)->ccw_limit))
		return REFUSED_LIMIT;

	return REFUSED_NOT;
}

static enum refusal check(const struct device *dev, const u8 *table,
			  const struct reach *reach)
{
	if (reach->at[map(dev)->speed] && has_goal(mode_of(dev, table)) &&
	    word(table, map(dev)->speed) > MAGNITUDE_MAX)
		return REFUSED_RANGE;
	if (map(dev)->goal_torque && reach->at[map(dev)->goal_torque] &&
	    (word(table, map(dev)->goal_torque) & MAGNITUDE_MAX) >
	    word(table, map(dev)->torque_limit))
		return REFUSED_RANGE;
	if (reach->at[map(dev)->goal])
		return check_goal(dev, table);

	return REFUSED_NOT;
}

/*
 * A goal turns the torque on, unless the same write says otherwise. Torque
 * that is turned on without a goal holds the shaft where it is.
 */
static void torque_written(struct device *dev, const u8 *before,
			   const struct reach *reach)
{
	u16 addr = dev->model->registers->torque_enable;
	bool aimed = reach->at[map(dev)->goal] && has_goal(mode(dev));

	if (aimed && !reach->at[addr])
		dev->table[addr] = 1;
	if (dev->servo.down)
		dev->table[addr] = 0;
	if (!dev->table[addr] || before[addr])
		return;
	if (!aimed)
		take_present_as_goal(dev);
}

static void written(struct device *dev, const u8 *before,
		    const struct reach *reach)
{
	struct joint *joint = &dev->servo.joint;
	u16 drive_mode = map(dev)->drive_mode;

	if (mode_of(dev, before) != mode(dev))
		joint->pos = within_turn(dev, joint->pos);
	if ((byte(before, drive_mode) ^ byte(dev->table, drive_mode)) &
	    REVERSE_BIT)
		joint->pos = dev->model->servo->max_position - joint->pos;

	torque_written(dev, before, reach);
	motor_note_torque(&dev->servo, device_torque(dev));
	if (reach->at[map(dev)->goal])
		motor_note_goal(&dev->servo);
	motor_note_aim(&dev->servo, driven(dev) && has_goal(mode(dev)),
		       goal(dev));
	if (driven(dev) && !driven_by(dev, before))
		motor_forget_load(&dev->servo);
}

static void poke(struct device *dev, const struct item *item, int value)
{
	struct servo *servo = &dev->servo;

	if (item->addr == map(dev)->present_position)
		servo->joint = (struct joint){ .pos = value };
	else if (item->addr == map(dev)->present_load)
		servo->outer_load = signed_share(value);
	else if (item->addr == map(dev)->present_voltage)
		servo->supply = value;
	else if (item->addr == map(dev)->present_temp)
		servo->temperature = value;
}

const struct device_ops servo_ops = {
	.assemble = assemble,
	.power_on = power_on,
	.advance = advance,
	.refresh = refresh,
	.check = check,
	.written = written,
	.condition = condition,
	.alarmed = alarmed,
	.poke = poke,
	.mount = mount,
	.order = order,
	.ran = ran,
};
