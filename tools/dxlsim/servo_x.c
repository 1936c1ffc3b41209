// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hardware behind a control table of the X series (and of the MX series
 * with Protocol 2.0)
 *
 * The joint moves freely: nothing hangs on it but the outer load that a test
 * may set. Its place is kept as it is shown, but for the homing offset: in
 * reverse mode it counts the other way round.
 */
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "motor.h"
#include "servo.h"

enum {
	DRIVE_MODE		= 10,
	OPERATING_MODE		= 11,
	HOMING_OFFSET		= 20,
	MOVING_THRESHOLD	= 24,
	TEMPERATURE_LIMIT	= 31,
	MAX_VOLTAGE_LIMIT	= 32,
	MIN_VOLTAGE_LIMIT	= 34,
	PWM_LIMIT		= 36,
	CURRENT_LIMIT		= 38,
	ACCELERATION_LIMIT	= 40,	/* MX */
	VELOCITY_LIMIT		= 44,
	MAX_POSITION_LIMIT	= 48,
	MIN_POSITION_LIMIT	= 52,
	SHUTDOWN		= 63,
	TORQUE_ENABLE		= 64,
	HARDWARE_ERROR		= 70,
	GAINS			= 76,
	GAINS_END		= 92,
	BUS_WATCHDOG		= 98,
	GOAL_PWM		= 100,
	GOAL_CURRENT		= 102,
	GOAL_VELOCITY		= 104,
	PROFILE_ACCELERATION	= 108,
	PROFILE_VELOCITY	= 112,
	GOAL_POSITION		= 116,
	REALTIME_TICK		= 120,
	MOVING			= 122,
	MOVING_STATUS		= 123,
	PRESENT_PWM		= 124,
	PRESENT_CURRENT		= 126,	/* or load */
	PRESENT_VELOCITY	= 128,
	PRESENT_POSITION	= 132,
	VELOCITY_TRAJECTORY	= 136,
	POSITION_TRAJECTORY	= 140,
	PRESENT_VOLTAGE		= 144,
	PRESENT_TEMPERATURE	= 146,
};

/* Drive Mode */
enum {
	REVERSE		= 0x01,
	TIME_BASED	= 0x04,
	TORQUE_BY_GOAL	= 0x08,
};

/* Operating Mode */
enum {
	MODE_CURRENT		= 0,
	MODE_VELOCITY		= 1,
	MODE_POSITION		= 3,
	MODE_EXTENDED		= 4,
	MODE_CURRENT_POSITION	= 5,
	MODE_PWM		= 16,
};

/* Moving Status */
enum {
	IN_POSITION		= 0x01,
	PROFILE_ONGOING		= 0x02,
	FOLLOWING_ERROR		= 0x08,
	PROFILE_RECTANGULAR	= 0x10,
	PROFILE_TRIANGULAR	= 0x20,
	PROFILE_TRAPEZOIDAL	= 0x30,
};

#define TURN		4096
#define FULL_PWM	885

#define ACCEL_RPM_MIN	214.577	/* one count, rev/min^2 */

/* A homing offset beyond this does not count in position control mode. */
#define HOMING_MAX_JOINT	1024

#define WATCHDOG_UNIT	(20 * NSEC_PER_MSEC)
#define WATCHDOG_MAX	127
#define WATCHDOG_ERROR	0xff

/* So near to the goal counts as there, in counts. */
#define NEAR		10

static u8 mode(const struct device *dev)
{
	return dev->table[OPERATING_MODE];
}

static bool has_goal(u8 mode)
{
	return mode == MODE_POSITION || mode == MODE_EXTENDED ||
	       mode == MODE_CURRENT_POSITION;
}

static bool has_current(const struct device *dev)
{
	return dev->layout->at[GOAL_CURRENT];
}

static double clamp(double value, double low, double high)
{
	return fmin(fmax(value, low), high);
}

/* --- units --- */

static double counts_per_rpm(const struct device *dev)
{
	return DEGREES_PER_RPM / dev->model->servo->count_deg;
}

/* Velocity items to counts/s. */
static double velocity(const struct device *dev, int value)
{
	return value * dev->model->servo->speed_unit_rpm * counts_per_rpm(dev);
}

static int velocity_value(const struct device *dev, double vel)
{
	return lround(vel / velocity(dev, 1));
}

/* Fastest the shaft can turn with this supply, in counts/s, above 0. */
static double top_speed(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	double share = (double)dev->servo.supply / spec->supply;

	return fmax(spec->no_load_rpm * share, 0.01) * counts_per_rpm(dev);
}

/* Greatest acceleration of the motor, in counts/s^2. */
static double top_accel(const struct device *dev)
{
	return dev->model->servo->accel_deg / dev->model->servo->count_deg;
}

static int homing_offset(const struct device *dev)
{
	int offset = table_s32(dev->table, HOMING_OFFSET);

	if (mode(dev) == MODE_POSITION && abs(offset) > HOMING_MAX_JOINT)
		return 0;

	return offset;
}

static int present_position(const struct device *dev)
{
	return lround(dev->servo.joint.pos) + homing_offset(dev);
}

/* Goal Position as a place of the shaft. */
static double goal(const struct device *dev)
{
	return table_s32(dev->table, GOAL_POSITION) - homing_offset(dev);
}

/* Goals as a share of the full output. */
static double goal_pwm(const struct device *dev)
{
	double share = (double)table_s16(dev->table, GOAL_PWM) / FULL_PWM;

	return clamp(share, -1, 1);
}

static double goal_current(const struct device *dev)
{
	double share = (double)table_s16(dev->table, GOAL_CURRENT) /
		       dev->model->servo->full_load;

	return clamp(share, -1, 1);
}

/* How much of the full output there may be, by the goals that limit it. */
static double output_limit(const struct device *dev)
{
	switch (mode(dev)) {
	case MODE_CURRENT:
		return fabs(goal_current(dev));
	case MODE_CURRENT_POSITION:
		return fmin(fabs(goal_pwm(dev)), fabs(goal_current(dev)));
	default:
		return fabs(goal_pwm(dev));
	}
}

/* Speed of a motion without a goal, in counts/s. */
static double free_speed(const struct device *dev)
{
	double top = top_speed(dev);

	switch (mode(dev)) {
	case MODE_VELOCITY:
		return clamp(velocity(dev, table_s32(dev->table,
						     GOAL_VELOCITY)),
			     -top, top);
	case MODE_PWM:
		return goal_pwm(dev) * top;
	default:
		/* Nothing hangs on the shaft: any current speeds it up. */
		if (fabs(goal_current(dev)) <= MOTOR_FRICTION)
			return 0;
		return copysign(top, goal_current(dev));
	}
}

/* --- profile --- */

static double profile_accel(const struct device *dev)
{
	int value = table_s32(dev->table, PROFILE_ACCELERATION);
	double accel = value * ACCEL_RPM_MIN / 60 * counts_per_rpm(dev);

	if (!value)
		return top_accel(dev);

	return fmin(accel, top_accel(dev));
}

/* Profile Velocity is how long it takes, Profile Acceleration a part of it. */
static struct drive time_profile(const struct device *dev, double dist)
{
	double whole = table_s32(dev->table, PROFILE_VELOCITY) / 1000.0;
	double ramp = fmin(table_s32(dev->table, PROFILE_ACCELERATION) / 1000.0,
			   whole / 2);
	double vel;

	if (whole <= 0)
		return (struct drive){ top_speed(dev), top_accel(dev) };

	vel = fmax(dist / (whole - ramp), 1e-3);

	return (struct drive){
		fmin(vel, top_speed(dev)),
		ramp > 0 ? fmin(vel / ramp, top_accel(dev)) : top_accel(dev),
	};
}

static struct drive velocity_profile(const struct device *dev)
{
	int value = table_s32(dev->table, PROFILE_VELOCITY);
	double top = top_speed(dev);

	return (struct drive){
		value ? fmin(velocity(dev, value), top) : top,
		profile_accel(dev),
	};
}

/* A speed is set: from now on the shaft takes it on in this way. */
static void plan_speed(struct device *dev)
{
	int ms = table_s32(dev->table, PROFILE_ACCELERATION);
	double change = fabs(free_speed(dev) - dev->servo.joint.vel);
	double accel = profile_accel(dev);

	if (dev->table[DRIVE_MODE] & TIME_BASED)
		accel = ms ? fmin(change * 1000 / ms, top_accel(dev)) :
			     top_accel(dev);
	dev->servo.profile.accel = fmax(accel, 1e-3);
}

/* A goal is set: from now on the motion is the one that leads there. */
static void plan(struct device *dev)
{
	struct servo *servo = &dev->servo;
	double dist = fabs(goal(dev) - servo->joint.pos);

	servo->profile = dev->table[DRIVE_MODE] & TIME_BASED ?
			 time_profile(dev, dist) : velocity_profile(dev);
	servo->moves = true;
}

/* --- load and alarms --- */

static bool driven(const struct device *dev)
{
	return dev->table[TORQUE_ENABLE] &&
	       dev->table[BUS_WATCHDOG] != WATCHDOG_ERROR;
}

/* Direction in which the motor means to turn: 1, -1, or 0 to hold. */
static int direction(const struct device *dev)
{
	double way;

	if (!driven(dev))
		return 0;
	if (!has_goal(mode(dev)))
		way = free_speed(dev);
	else if (dev->servo.moves)
		way = goal(dev) - dev->servo.joint.pos;
	else
		way = 0;

	return (way > 0) - (way < 0);
}

/* Share of the full torque that the outer load and getting under way take. */
static double load_needed(const struct device *dev)
{
	return dev->servo.outer_load + direction(dev) * MOTOR_FRICTION;
}

static bool stalled(const struct device *dev)
{
	return driven(dev) &&
	       fabs(load_needed(dev)) > output_limit(dev) + 1e-9;
}

/* More than the motor can do, whatever it is allowed to: it will not last. */
static bool overloaded(const struct device *dev)
{
	return fabs(load_needed(dev)) > 1 || (stalled(dev) && direction(dev));
}

static double output(const struct device *dev)
{
	double limit = output_limit(dev);

	if (!driven(dev))
		return 0;
	if (mode(dev) == MODE_CURRENT)
		return goal_current(dev);

	return clamp(load_needed(dev) + MOTOR_DRAG * dev->servo.joint.vel /
					top_speed(dev),
		     -limit, limit);
}

static u8 present_errors(const struct device *dev)
{
	const struct error_bits *bits = &dev->model->servo->bits;
	const struct servo *servo = &dev->servo;
	u8 errors = 0;

	if (servo->supply < (int)table_u16(dev->table, MIN_VOLTAGE_LIMIT) ||
	    servo->supply > (int)table_u16(dev->table, MAX_VOLTAGE_LIMIT))
		errors |= bits->voltage;
	if (lround(servo->temperature) > dev->table[TEMPERATURE_LIMIT])
		errors |= bits->heat;
	if (servo->overload)
		errors |= bits->overload;

	return errors;
}

static u8 condition(const struct device *dev)
{
	return present_errors(dev) | dev->servo.errors;
}

/* No goal is left that would turn the shaft. */
static void hold_still(struct device *dev)
{
	dev->servo.moves = false;
	table_put_s32(dev->table, GOAL_VELOCITY, 0);
	table_put_s32(dev->table, GOAL_POSITION, present_position(dev));
	if (mode(dev) == MODE_PWM)
		table_put_u16(dev->table, GOAL_PWM, 0);
	if (mode(dev) == MODE_CURRENT)
		table_put_u16(dev->table, GOAL_CURRENT, 0);
}

/* Only a restart ends it, and until then the error stays. */
static void shut_down(struct device *dev)
{
	dev->servo.errors |= present_errors(dev);
	dev->servo.down = true;
	dev->table[TORQUE_ENABLE] = 0;
	hold_still(dev);
}

static void watch_bus(struct device *dev)
{
	u8 setting = dev->table[BUS_WATCHDOG];
	nsec_t limit = setting * WATCHDOG_UNIT;

	if (!setting || setting > WATCHDOG_MAX || !driven(dev))
		return;
	if (dev->servo.time < dev->heard_at + limit)
		return;

	dev->table[BUS_WATCHDOG] = WATCHDOG_ERROR;
	table_put_s32(dev->table, PROFILE_ACCELERATION, 0);
	table_put_s32(dev->table, PROFILE_VELOCITY, 0);
	hold_still(dev);
}

static void guard(struct device *dev)
{
	watch_bus(dev);
	if (dev->table[TORQUE_ENABLE])
		motor_watch_load(&dev->servo, overloaded(dev));
	if (!dev->servo.down &&
	    (dev->servo.errors | present_errors(dev)) & dev->table[SHUTDOWN])
		shut_down(dev);
}

/* --- time --- */

static void turn(struct device *dev, double seconds)
{
	struct servo *servo = &dev->servo;
	double accel = mode(dev) == MODE_VELOCITY ? servo->profile.accel :
						    top_accel(dev);

	if (!direction(dev) || stalled(dev))
		joint_spin(&servo->joint, 0, top_accel(dev), seconds);
	else if (has_goal(mode(dev)))
		joint_seek(&servo->joint, &servo->profile, goal(dev), seconds);
	else
		joint_spin(&servo->joint, free_speed(dev), accel, seconds);

	if (servo->joint.vel == 0 && servo->joint.pos == goal(dev))
		servo->moves = false;
}

static void step(struct device *dev, nsec_t length)
{
	double seconds = (double)length / NSEC_PER_SEC;

	turn(dev, seconds);
	motor_heat(&dev->servo, output(dev), seconds);
}

static void advance(struct device *dev, nsec_t now)
{
	motor_advance(dev, now, step, guard);
}

/* --- the table --- */

static double within_turn(double pos)
{
	return pos - floor(pos / TURN) * TURN;
}

/* Which shape the motion has: Moving Status tells. */
static u8 profile_shape(const struct device *dev)
{
	const struct drive *profile = &dev->servo.profile;

	if (!driven(dev) || !dev->servo.moves ||
	    !table_s32(dev->table, PROFILE_VELOCITY))
		return 0;
	if (!table_s32(dev->table, PROFILE_ACCELERATION))
		return PROFILE_RECTANGULAR;
	if (fabs(dev->servo.joint.vel) < profile->max_vel * 0.999)
		return PROFILE_TRIANGULAR;

	return PROFILE_TRAPEZOIDAL;
}

static u8 moving_status(const struct device *dev)
{
	double off = fabs(goal(dev) - dev->servo.joint.pos);
	u8 status = profile_shape(dev);

	if (!has_goal(mode(dev)))
		return status;
	if (driven(dev) && dev->servo.moves)
		status |= PROFILE_ONGOING;
	if (stalled(dev))
		status |= FOLLOWING_ERROR;

	return status | (off <= NEAR ? IN_POSITION : 0);
}

static bool is_moving(const struct device *dev)
{
	double least = velocity(dev, table_s32(dev->table, MOVING_THRESHOLD));

	return fabs(dev->servo.joint.vel) > least ||
	       (driven(dev) && has_goal(mode(dev)) && dev->servo.moves);
}

static void refresh_motion(struct device *dev)
{
	int vel = velocity_value(dev, dev->servo.joint.vel);
	u8 *table = dev->table;

	table[MOVING] = is_moving(dev);
	table[MOVING_STATUS] = moving_status(dev);
	table_put_s32(table, PRESENT_VELOCITY, vel);
	table_put_s32(table, PRESENT_POSITION, present_position(dev));
	table_put_s32(table, VELOCITY_TRAJECTORY, vel);
	table_put_s32(table, POSITION_TRAJECTORY, present_position(dev));
}

static void refresh(struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	const struct servo *servo = &dev->servo;
	double speed = servo->joint.vel / top_speed(dev);
	u8 *table = dev->table;

	refresh_motion(dev);
	table[HARDWARE_ERROR] = condition(dev);
	table_put_u16(table, REALTIME_TICK, motor_tick(servo));
	table_put_u16(table, PRESENT_PWM,
		      lround(clamp(speed + output(dev), -1, 1) * FULL_PWM));
	table_put_u16(table, PRESENT_CURRENT,
		      lround(output(dev) * spec->full_load));
	table_put_u16(table, PRESENT_VOLTAGE, servo->supply);
	table[PRESENT_TEMPERATURE] = clamp(lround(servo->temperature), 0, 255);
}

static void assemble(struct device *dev, nsec_t now)
{
	motor_init(&dev->servo, TURN / 2, dev->model->servo->supply, now);
	dev->servo.profile = (struct drive){ top_speed(dev), top_accel(dev) };
}

/* The goals that nobody has set yet. */
static void initial_goals(struct device *dev)
{
	table_put_u16(dev->table, GOAL_PWM, table_u16(dev->table, PWM_LIMIT));
	if (has_current(dev))
		table_put_u16(dev->table, GOAL_CURRENT,
			      table_u16(dev->table, CURRENT_LIMIT));
	hold_still(dev);
}

static void power_on(struct device *dev, nsec_t now)
{
	struct servo *servo = &dev->servo;

	motor_power_on(servo, now);
	servo->joint.pos = within_turn(servo->joint.pos);
	initial_goals(dev);
}

/* --- writes --- */

static bool known_mode(const struct device *dev, u8 mode)
{
	switch (mode) {
	case MODE_CURRENT:
	case MODE_CURRENT_POSITION:
		return has_current(dev);
	case MODE_VELOCITY:
	case MODE_POSITION:
	case MODE_EXTENDED:
	case MODE_PWM:
		return true;
	default:
		return false;
	}
}

static bool within(int value, int limit)
{
	return value >= -limit && value <= limit;
}

static enum refusal check_goal_position(const u8 *table)
{
	int value = table_s32(table, GOAL_POSITION);

	if (table[OPERATING_MODE] != MODE_POSITION)
		return REFUSED_NOT;
	if (value < table_s32(table, MIN_POSITION_LIMIT) ||
	    value > table_s32(table, MAX_POSITION_LIMIT))
		return REFUSED_LIMIT;

	return REFUSED_NOT;
}

static bool goal_reached_by(const struct reach *reach)
{
	return reach->at[GOAL_PWM] || reach->at[GOAL_CURRENT] ||
	       reach->at[GOAL_VELOCITY] || reach->at[GOAL_POSITION];
}

static enum refusal check_goals(const struct device *dev, const u8 *table,
				const struct reach *reach)
{
	if (goal_reached_by(reach) &&
	    dev->table[BUS_WATCHDOG] == WATCHDOG_ERROR)
		return REFUSED_RANGE;
	if (reach->at[GOAL_PWM] &&
	    !within(table_s16(table, GOAL_PWM), table_u16(table, PWM_LIMIT)))
		return REFUSED_LIMIT;
	if (has_current(dev) && reach->at[GOAL_CURRENT] &&
	    !within(table_s16(table, GOAL_CURRENT),
		    table_u16(table, CURRENT_LIMIT)))
		return REFUSED_LIMIT;
	if (reach->at[GOAL_VELOCITY] &&
	    !within(table_s32(table, GOAL_VELOCITY),
		    table_s32(table, VELOCITY_LIMIT)))
		return REFUSED_LIMIT;
	if (reach->at[GOAL_POSITION])
		return check_goal_position(table);

	return REFUSED_NOT;
}

static enum refusal check(const struct device *dev, const u8 *table,
			  const struct reach *reach)
{
	if (reach->at[OPERATING_MODE] &&
	    !known_mode(dev, table[OPERATING_MODE]))
		return REFUSED_RANGE;
	if (reach->at[PROFILE_ACCELERATION] &&
	    dev->layout->at[ACCELERATION_LIMIT] &&
	    table_s32(table, PROFILE_ACCELERATION) >
	    table_s32(table, ACCELERATION_LIMIT))
		return REFUSED_LIMIT;

	return check_goals(dev, table, reach);
}

/* Another mode: gains and profile go back to where they begin. */
static void change_mode(struct device *dev)
{
	size_t i;

	for (i = 0; i < dev->layout->count; i++) {
		const struct item *item = &dev->layout->items[i];

		if (item->addr >= GAINS && item->addr < GAINS_END)
			item_store(item, dev->table, item->init);
	}
	table_put_s32(dev->table, PROFILE_ACCELERATION, 0);
	table_put_s32(dev->table, PROFILE_VELOCITY, 0);
	dev->servo.joint.pos = within_turn(dev->servo.joint.pos);
	initial_goals(dev);
}

/*
 * Torque that is turned on without a goal holds the shaft where it is. After an
 * alarm it stays off.
 */
static void torque_written(struct device *dev, const u8 *before,
			   const struct reach *reach)
{
	u8 *enable = &dev->table[TORQUE_ENABLE];

	if (goal_reached_by(reach) && dev->table[DRIVE_MODE] & TORQUE_BY_GOAL &&
	    !reach->at[TORQUE_ENABLE])
		*enable = 1;
	if (dev->servo.down)
		*enable = 0;
	if (*enable == before[TORQUE_ENABLE])
		return;

	motor_forget_load(&dev->servo);
	if (mode(dev) == MODE_POSITION)
		dev->servo.joint.pos = within_turn(dev->servo.joint.pos);
	if (!*enable || !goal_reached_by(reach))
		hold_still(dev);
}

static void written(struct device *dev, const u8 *before,
		    const struct reach *reach)
{
	struct joint *joint = &dev->servo.joint;

	if (before[OPERATING_MODE] != dev->table[OPERATING_MODE])
		change_mode(dev);
	if ((before[DRIVE_MODE] ^ dev->table[DRIVE_MODE]) & REVERSE) {
		joint->pos = within_turn(-joint->pos);
		hold_still(dev);
	}
	if (reach->at[HOMING_OFFSET])
		hold_still(dev);

	torque_written(dev, before, reach);
	if (reach->at[GOAL_POSITION] && has_goal(mode(dev)))
		plan(dev);
	if (reach->at[GOAL_VELOCITY] && mode(dev) == MODE_VELOCITY)
		plan_speed(dev);
}

static bool clear_turns(struct device *dev)
{
	struct joint *joint = &dev->servo.joint;

	if (is_moving(dev) || joint->vel != 0)
		return false;
	joint->pos = within_turn(joint->pos);
	hold_still(dev);

	return true;
}

static void poke(struct device *dev, const struct item *item, int value)
{
	struct servo *servo = &dev->servo;

	switch (item->addr) {
	case PRESENT_POSITION:
		servo->joint = (struct joint){ value - homing_offset(dev), 0 };
		break;
	case PRESENT_CURRENT:
		servo->outer_load = (double)value /
				    dev->model->servo->full_load;
		break;
	case PRESENT_VOLTAGE:
		servo->supply = value;
		break;
	case PRESENT_TEMPERATURE:
		servo->temperature = value;
		break;
	case HARDWARE_ERROR:
		servo->errors = value;
		break;
	}
}

const struct device_ops servo_x_ops = {
	.assemble = assemble,
	.power_on = power_on,
	.advance = advance,
	.refresh = refresh,
	.check = check,
	.written = written,
	.condition = condition,
	.clear_turns = clear_turns,
	.poke = poke,
};
