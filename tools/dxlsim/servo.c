// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hardware behind a servo's control table
 *
 * The joint moves freely: nothing hangs on it but the outer load that a test
 * may set. Its state is brought up to date when someone looks; it is a
 * function of time, not of how often that is.
 */
#include <math.h>

#include <linux/dxl/packet.h>

#include "device.h"
#include "servo.h"

#define SUPPLY_NOMINAL	120	/* 12 V, for which the manual gives the speeds */

/* Present Load (0 to 1023) that moving takes by itself. */
#define FRICTION	30
#define SPEED_DRAG	70

/* How long a load must be too much to count as persistent. */
#define OVERLOAD_TIME	(500 * NSEC_PER_MSEC)

/* Heating: in the end this much above the surroundings at full load. */
#define AMBIENT		25.0
#define FULL_LOAD_HEAT	55.0
#define HEAT_TIME	400.0	/* time constant, s */

/* Longest step in which overload and heat are looked at only once. */
#define STEP_MAX	(10 * NSEC_PER_MSEC)
#define STEPS_MAX	1000

#define DIRECTION_BIT	1024
#define MAGNITUDE_MAX	1023

#define DEGREES_PER_RPM	6.0	/* degrees/s */

enum mode { MODE_JOINT, MODE_WHEEL, MODE_MULTI_TURN };

static enum mode mode_of(const struct servo_spec *spec, const u8 *table)
{
	int cw = table_u16(table, ADDR_CW_LIMIT);
	int ccw = table_u16(table, ADDR_CCW_LIMIT);

	if (!cw && !ccw)
		return MODE_WHEEL;
	if (spec->multi_turn && cw == spec->max_position &&
	    ccw == spec->max_position)
		return MODE_MULTI_TURN;

	return MODE_JOINT;
}

static enum mode mode(const struct device *dev)
{
	return mode_of(dev->model->servo, dev->table);
}

static int s16(const u8 *table, unsigned int addr)
{
	return (int16_t)table_u16(table, addr);
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/* --- what the table asks for --- */

static int divider(const struct device *dev)
{
	return clamp(dev->table[ADDR_DIVIDER], 1, 4);
}

/* Goal Position as a place of the shaft, in counts of full resolution. */
static double goal(const struct device *dev)
{
	int value = s16(dev->table, ADDR_GOAL_POSITION);

	if (mode(dev) == MODE_MULTI_TURN)
		return (value - s16(dev->table, ADDR_MULTI_TURN_OFFSET)) *
		       divider(dev);

	return clamp(value, 0, dev->model->servo->max_position);
}

static double counts_per_rpm(const struct device *dev)
{
	return DEGREES_PER_RPM / dev->model->servo->count_deg;
}

/* Fastest the shaft can turn with this supply, in counts/s, above 0. */
static double top_speed(const struct device *dev)
{
	double volts = dev->servo.supply / 10.0;

	return fmax(dev->model->servo->no_load_rpm * volts / 12.0, 0.01) *
	       counts_per_rpm(dev);
}

static double speed_setting(const struct device *dev)
{
	int value = table_u16(dev->table, ADDR_MOVING_SPEED) & MAGNITUDE_MAX;
	double top = top_speed(dev);

	if (mode(dev) == MODE_WHEEL && dev->model->servo->wheel_is_output)
		return top * value / MAGNITUDE_MAX;
	if (mode(dev) != MODE_WHEEL && !value)
		return top;

	return fmin(top, value * dev->model->servo->speed_unit_rpm *
			 counts_per_rpm(dev));
}

static double wheel_speed(const struct device *dev)
{
	double speed = speed_setting(dev);

	if (table_u16(dev->table, ADDR_MOVING_SPEED) & DIRECTION_BIT)
		speed = -speed;

	return speed;
}

static struct drive drive(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double accel = spec->accel_deg;

	if (!spec->compliance && dev->table[ADDR_GOAL_ACCEL])
		accel = dev->table[ADDR_GOAL_ACCEL] * 8.583;

	return (struct drive){ speed_setting(dev), accel / spec->count_deg };
}

static bool driven_by(const struct servo_spec *spec, const u8 *table)
{
	if (!table[ADDR_TORQUE_ENABLE] || !table_u16(table, ADDR_TORQUE_LIMIT))
		return false;

	return spec->compliance || table[ADDR_P_GAIN];
}

static bool driven(const struct device *dev)
{
	return driven_by(dev->model->servo, dev->table);
}

/* How far from its goal the shaft may rest. */
static int dead_zone(const struct device *dev, double dist)
{
	if (!dev->model->servo->compliance)
		return 0;

	return dev->table[dist > 0 ? ADDR_CCW_MARGIN : ADDR_CW_MARGIN];
}

/* Direction in which the motor means to turn: 1, -1, or 0 to hold. */
static int direction(const struct device *dev)
{
	const struct joint *joint = &dev->servo.joint;
	double dist;

	if (!driven(dev))
		return 0;
	if (mode(dev) == MODE_WHEEL) {
		double speed = wheel_speed(dev);

		return (speed > 0) - (speed < 0);
	}

	dist = goal(dev) - joint->pos;
	if (joint->vel == 0 && fabs(dist) <= dead_zone(dev, dist))
		return 0;

	return dist < 0 ? -1 : 1;
}

/* --- load and heat --- */

static bool stalled(const struct device *dev)
{
	int need = dev->servo.outer_load + direction(dev) * FRICTION;
	int limit = table_u16(dev->table, ADDR_TORQUE_LIMIT);

	return driven(dev) && (need > limit || -need > limit);
}

/* What the motor puts out: the value of Present Load, with a sign. */
static int output(const struct device *dev)
{
	const struct servo *servo = &dev->servo;
	int limit = table_u16(dev->table, ADDR_TORQUE_LIMIT);
	int value = servo->outer_load + direction(dev) * FRICTION;

	if (!driven(dev))
		return 0;

	value += lround(SPEED_DRAG * servo->joint.vel / top_speed(dev));
	limit = clamp(limit, 0, MAGNITUDE_MAX);

	return clamp(value, -limit, limit);
}

static void heat(struct device *dev, double seconds)
{
	double share = output(dev) / (double)MAGNITUDE_MAX;
	double end = AMBIENT + FULL_LOAD_HEAT * share * share;
	double *temperature = &dev->servo.temperature;

	*temperature = end + (*temperature - end) * exp(-seconds / HEAT_TIME);
}

static u8 condition(const struct device *dev)
{
	const struct servo *servo = &dev->servo;
	u8 error = 0;

	if (servo->supply < dev->table[ADDR_MIN_VOLTAGE] ||
	    servo->supply > dev->table[ADDR_MAX_VOLTAGE])
		error |= DXL1_ERR_VOLTAGE;
	if (lround(servo->temperature) > dev->table[ADDR_TEMP_LIMIT])
		error |= DXL1_ERR_OVERHEAT;
	if (servo->overload)
		error |= DXL1_ERR_OVERLOAD;

	return error;
}

/*
 * An overload lasts until the motor is driven again: with the torque shut down
 * there is no load left to tell it by.
 */
static void watch_load(struct device *dev)
{
	struct servo *servo = &dev->servo;

	if (!driven(dev))
		return;
	if (!stalled(dev)) {
		servo->stalled_at = NSEC_NEVER;
		servo->overload = false;
		return;
	}

	if (servo->stalled_at == NSEC_NEVER)
		servo->stalled_at = servo->time;
	if (servo->time - servo->stalled_at >= OVERLOAD_TIME)
		servo->overload = true;
}

static void shut_down(struct device *dev)
{
	table_put_u16(dev->table, ADDR_TORQUE_LIMIT, 0);
	dev->table[ADDR_TORQUE_ENABLE] = 0;
}

/* --- time --- */

static void turn(struct device *dev, double seconds)
{
	struct joint *joint = &dev->servo.joint;
	struct drive d = drive(dev);

	if (!direction(dev) || stalled(dev))
		joint_spin(joint, 0, d.accel, seconds);
	else if (mode(dev) == MODE_WHEEL)
		joint_spin(joint, wheel_speed(dev), d.accel, seconds);
	else
		joint_seek(joint, &d, goal(dev), seconds);
}

static void step(struct device *dev, nsec_t length)
{
	double seconds = (double)length / NSEC_PER_SEC;

	turn(dev, seconds);
	heat(dev, seconds);
	dev->servo.time += length;
}

static void guard(struct device *dev)
{
	watch_load(dev);
	if (driven(dev))
		device_alarm(dev, condition(dev));
}

static void advance(struct device *dev, nsec_t now)
{
	struct servo *servo = &dev->servo;
	nsec_t length;

	if (now <= servo->time)
		return;

	length = (now - servo->time) / STEPS_MAX;
	if (length < STEP_MAX)
		length = STEP_MAX;

	guard(dev);
	while (servo->time < now) {
		step(dev, now - servo->time < length ? now - servo->time :
						       length);
		guard(dev);
	}
}

/* --- the table --- */

static double one_turn(const struct device *dev)
{
	return 360 / dev->model->servo->count_deg;
}

static double within_turn(const struct device *dev, double pos)
{
	double turns = floor(pos / one_turn(dev));

	return pos - turns * one_turn(dev);
}

static int present_position(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double pos = dev->servo.joint.pos;
	long offset = s16(dev->table, ADDR_MULTI_TURN_OFFSET);

	if (mode(dev) == MODE_MULTI_TURN)
		return clamp(lround(pos / divider(dev)) + offset,
			     -spec->multi_turn, spec->multi_turn);
	if (mode(dev) == MODE_WHEEL)
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

static void refresh(struct device *dev)
{
	u8 *table = dev->table;

	table_put_u16(table, ADDR_PRESENT_POSITION, present_position(dev));
	table_put_u16(table, ADDR_PRESENT_SPEED, present_speed(dev));
	table_put_u16(table, ADDR_PRESENT_LOAD, with_direction(output(dev)));
	table[ADDR_PRESENT_VOLTAGE] = dev->servo.supply;
	table[ADDR_PRESENT_TEMP] = clamp(lround(dev->servo.temperature), 0, 255);
	table[ADDR_MOVING] = direction(dev) != 0;
	if (model_item_at(dev->model, ADDR_TICK))
		table_put_u16(table, ADDR_TICK,
			      (dev->servo.time - dev->servo.power_on_at) /
			      NSEC_PER_MSEC % 32768);
}

static void assemble(struct device *dev, nsec_t now)
{
	dev->servo = (struct servo){
		.joint.pos = (dev->model->servo->max_position + 1) / 2,
		.time = now,
		.power_on_at = now,
		.stalled_at = NSEC_NEVER,
		.temperature = AMBIENT,
		.supply = SUPPLY_NOMINAL,
	};
}

static void take_present_as_goal(struct device *dev)
{
	table_put_u16(dev->table, ADDR_GOAL_POSITION, present_position(dev));
}

/* A servo does not know how many turns it was away from zero. */
static void power_on(struct device *dev, nsec_t now)
{
	struct servo *servo = &dev->servo;

	servo->joint.pos = within_turn(dev, servo->joint.pos);
	servo->joint.vel = 0;
	servo->power_on_at = now;
	servo->stalled_at = NSEC_NEVER;
	servo->overload = false;
	table_put_u16(dev->table, ADDR_TORQUE_LIMIT,
		      table_u16(dev->table, ADDR_MAX_TORQUE));
	take_present_as_goal(dev);
}

static u8 check_goal(const struct servo_spec *spec, const u8 *table)
{
	int value = s16(table, ADDR_GOAL_POSITION);

	if (mode_of(spec, table) == MODE_MULTI_TURN)
		return 0;
	if (value < 0 || value > spec->max_position)
		return DXL1_ERR_RANGE;
	if (mode_of(spec, table) == MODE_WHEEL)
		return 0;
	if (value < (int)table_u16(table, ADDR_CW_LIMIT) ||
	    value > (int)table_u16(table, ADDR_CCW_LIMIT))
		return DXL1_ERR_ANGLE;

	return 0;
}

static u8 check(const struct device *dev, const u8 *table, struct span span)
{
	const struct servo_spec *spec = dev->model->servo;

	if (span_covers(span, ADDR_MOVING_SPEED) &&
	    mode_of(spec, table) != MODE_WHEEL &&
	    table_u16(table, ADDR_MOVING_SPEED) > MAGNITUDE_MAX)
		return DXL1_ERR_RANGE;
	if (span_covers(span, ADDR_GOAL_POSITION))
		return check_goal(spec, table);

	return 0;
}

/*
 * A goal turns the torque on, unless the same write says otherwise. Torque
 * that is turned on without a goal holds the shaft where it is.
 */
static void torque_written(struct device *dev, const u8 *before,
			   struct span span)
{
	bool enable = span_covers(span, ADDR_TORQUE_ENABLE);
	bool aimed = span_covers(span, ADDR_GOAL_POSITION) &&
		     mode(dev) != MODE_WHEEL;

	if (aimed && !enable)
		dev->table[ADDR_TORQUE_ENABLE] = 1;
	if (!dev->table[ADDR_TORQUE_ENABLE] || before[ADDR_TORQUE_ENABLE])
		return;
	if (!aimed)
		take_present_as_goal(dev);
}

static void written(struct device *dev, const u8 *before, struct span span)
{
	const struct servo_spec *spec = dev->model->servo;
	struct servo *servo = &dev->servo;

	if (mode_of(spec, before) != mode(dev))
		servo->joint.pos = within_turn(dev, servo->joint.pos);

	torque_written(dev, before, span);
	if (driven(dev) && !driven_by(spec, before)) {
		servo->stalled_at = NSEC_NEVER;
		servo->overload = false;
	}
}

static void poke(struct device *dev, const struct item *item, int value)
{
	struct servo *servo = &dev->servo;
	int magnitude = value & MAGNITUDE_MAX;

	switch (item->addr) {
	case ADDR_PRESENT_POSITION:
		servo->joint.pos = value;
		servo->joint.vel = 0;
		break;
	case ADDR_PRESENT_LOAD:
		servo->outer_load = value & DIRECTION_BIT ? -magnitude :
							    magnitude;
		break;
	case ADDR_PRESENT_VOLTAGE:
		servo->supply = value;
		break;
	case ADDR_PRESENT_TEMP:
		servo->temperature = value;
		break;
	}
}

const struct device_ops servo_ops = {
	.assemble = assemble,
	.power_on = power_on,
	.advance = advance,
	.refresh = refresh,
	.check = check,
	.written = written,
	.condition = condition,
	.shut_down = shut_down,
	.poke = poke,
};
