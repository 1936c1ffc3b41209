// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hardware behind a control table of the X series (and of the MX series
 * with Protocol 2.0)
 *
 * Without a body the joint moves freely: nothing hangs on it but the outer load that a
 * test may set. Its place is kept as it is shown, but for the homing offset: in
 * reverse mode it counts the other way round.
 */
#include <math.h>
#include <stdlib.h>

#include "limb.h"
#include "motor.h"
#include "servo_x.h"
#include "table.h"

#define WATCHDOG_UNIT	(20 * NSEC_PER_MSEC)
#define WATCHDOG_MAX	127
#define WATCHDOG_ERROR	0xff

/* So near to the goal counts as there, in counts. */
#define NEAR		10

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
	if (!x_has_goal(x_mode(dev)))
		way = x_free_speed(dev);
	else if (dev->servo.moves)
		way = x_goal(dev) - dev->servo.joint.pos;
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
	if (dev->servo.limb.world)
		return limb_is_stuck(dev);

	return driven(dev) &&
	       fabs(load_needed(dev)) > x_output_limit(dev) + 1e-9;
}

/* More than it may put out, unless little is just what it is asked for. */
static bool overloaded(const struct device *dev)
{
	if (!dev->servo.limb.world && fabs(load_needed(dev)) > 1)
		return true;

	switch (x_mode(dev)) {
	case MODE_CURRENT:
	case MODE_CURRENT_POSITION:
	case MODE_PWM:
		return false;
	default:
		return stalled(dev) && (dev->servo.limb.world || direction(dev));
	}
}

static double output(const struct device *dev)
{
	double limit = x_output_limit(dev);

	if (!driven(dev))
		return 0;
	if (dev->servo.limb.world)
		return dev->servo.pull;
	if (x_mode(dev) == MODE_CURRENT)
		return x_goal_current(dev);

	return x_clamp(load_needed(dev) + MOTOR_DRAG * dev->servo.joint.vel /
					x_top_speed(dev),
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
	table_put_s32(dev->table, GOAL_POSITION, x_present_position(dev));
	if (x_mode(dev) == MODE_PWM)
		table_put_u16(dev->table, GOAL_PWM, 0);
	if (x_mode(dev) == MODE_CURRENT)
		table_put_u16(dev->table, GOAL_CURRENT, 0);
}

/* Only a restart ends it, and until then the error stays. */
static void shut_down(struct device *dev)
{
	dev->servo.errors |= present_errors(dev);
	dev->servo.down = true;
	dev->table[TORQUE_ENABLE] = 0;
	motor_note_torque(&dev->servo, false);
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
	double accel = x_mode(dev) == MODE_VELOCITY ? servo->profile.accel :
						    x_top_accel(dev);

	if (!direction(dev) || stalled(dev))
		joint_spin(&servo->joint, 0, x_top_accel(dev), seconds);
	else if (x_has_goal(x_mode(dev)))
		joint_seek(&servo->joint, &servo->profile, x_goal(dev), seconds);
	else
		joint_spin(&servo->joint, x_free_speed(dev), accel, seconds);

	if (servo->joint.vel == 0 && servo->joint.pos == x_goal(dev))
		servo->moves = false;
}

static void step(struct device *dev, nsec_t length)
{
	double seconds = (double)length / NSEC_PER_SEC;

	turn(dev, seconds);
	motor_load(&dev->servo, output(dev), seconds);
}

static void advance(struct device *dev, nsec_t now)
{
	motor_advance(dev, now, step, guard);
}

/* --- in a body --- */

static struct mount mount(const struct device *dev)
{
	return (struct mount){ TURN / 2, dev->table[DRIVE_MODE] & REVERSE ? -1 : 1 };
}

/* A motion has ended for the servo when its aim is there, with the shaft on its way. */
static void seek(struct device *dev, double seconds)
{
	struct servo *servo = &dev->servo;

	if (!servo->moves)
		return;
	joint_seek(&servo->aim, &servo->profile, x_goal(dev), seconds);
	if (servo->aim.vel == 0 && servo->aim.pos == x_goal(dev))
		servo->moves = false;
}

static void order_speed(struct device *dev, double seconds, struct drive_order *order)
{
	struct joint *aim = &dev->servo.aim;

	aim->pos = dev->servo.joint.pos;
	joint_spin(aim, x_free_speed(dev), dev->servo.profile.accel, seconds);
	order->damping = X_HOLDS_SPEED / x_top_speed(dev);
	order->output = aim->vel / x_top_speed(dev) + order->damping * aim->vel;
}

static void order(struct device *dev, double seconds, struct drive_order *order)
{
	struct servo *servo = &dev->servo;

	order->driven = driven(dev) && !dev->starved;
	order->limit = x_output_limit(dev);
	if (!order->driven) {
		servo->aim = servo->joint;
		return;
	}
	switch (x_mode(dev)) {
	case MODE_VELOCITY:
		order_speed(dev, seconds, order);
		break;
	case MODE_CURRENT:
		order->as_torque = true;
		order->output = x_goal_current(dev);
		break;
	case MODE_PWM:
		order->output = copysign(order->limit, x_free_speed(dev));
		break;
	default:
		seek(dev, seconds);
		order->error = servo->aim.pos - servo->joint.pos;
		order->gain = x_position_gain(dev);
		order->damping = x_position_damping(dev);
	}
}

static void ran(struct device *dev, double seconds)
{
	motor_load(&dev->servo, output(dev), seconds);
	guard(dev);
}

/* --- the table --- */

static double within_turn(double pos)
{
	return pos - floor(pos / TURN) * TURN;
}

static u8 moving_status(const struct device *dev)
{
	double off = fabs(x_goal(dev) - dev->servo.joint.pos);
	u8 status = 0;

	if (!x_has_goal(x_mode(dev)))
		return 0;
	if (driven(dev) && dev->servo.moves)
		status |= PROFILE_ONGOING | dev->servo.shape;
	if (stalled(dev))
		status |= FOLLOWING_ERROR;

	return status | (off <= NEAR ? IN_POSITION : 0);
}

static bool is_moving(const struct device *dev)
{
	double least = x_velocity(dev, table_s32(dev->table, MOVING_THRESHOLD));

	return fabs(dev->servo.joint.vel) > least ||
	       (driven(dev) && x_has_goal(x_mode(dev)) && dev->servo.moves);
}

static void refresh_motion(struct device *dev)
{
	int vel = x_velocity_value(dev, dev->servo.joint.vel);
	u8 *table = dev->table;

	table[MOVING] = is_moving(dev);
	table[MOVING_STATUS] = moving_status(dev);
	table_put_s32(table, PRESENT_VELOCITY, vel);
	table_put_s32(table, PRESENT_POSITION,
		      motor_shown(&dev->servo, x_present_position(dev)));
	table_put_s32(table, VELOCITY_TRAJECTORY, vel);
	table_put_s32(table, POSITION_TRAJECTORY, x_present_position(dev));
}

static double pwm(const struct device *dev)
{
	if (dev->servo.limb.world)
		return dev->servo.output;

	return x_clamp(dev->servo.joint.vel / x_top_speed(dev) + output(dev), -1, 1);
}

static void refresh(struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;
	const struct servo *servo = &dev->servo;
	u8 *table = dev->table;

	refresh_motion(dev);
	table[HARDWARE_ERROR] = condition(dev);
	table_put_u16(table, REALTIME_TICK, motor_tick(servo));
	table_put_u16(table, PRESENT_PWM, lround(pwm(dev) * FULL_PWM));
	table_put_u16(table, PRESENT_CURRENT,
		      lround(output(dev) * spec->full_load));
	table_put_u16(table, PRESENT_VOLTAGE, servo->supply);
	table[PRESENT_TEMPERATURE] = x_clamp(lround(servo->temperature), 0, 255);
}

static void assemble(struct device *dev, nsec_t now)
{
	motor_init(&dev->servo, TURN / 2, dev->model->servo->supply, now);
	dev->servo.profile = (struct drive){ x_top_speed(dev), x_top_accel(dev) };
}

/* The goals that nobody has set yet. */
static void initial_goals(struct device *dev)
{
	table_put_u16(dev->table, GOAL_PWM, table_u16(dev->table, PWM_LIMIT));
	if (x_has_current(dev))
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
		return x_has_current(dev);
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
	if (x_has_current(dev) && reach->at[GOAL_CURRENT] &&
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
	if (x_mode(dev) == MODE_POSITION)
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
	motor_note_torque(&dev->servo, device_torque(dev));
	if (reach->at[GOAL_POSITION])
		motor_note_goal(&dev->servo);
	motor_note_aim(&dev->servo,
		       device_torque(dev) && x_has_goal(x_mode(dev)),
		       x_goal(dev));
	if (reach->at[GOAL_POSITION] && x_has_goal(x_mode(dev)))
		x_plan(dev);
	if (reach->at[GOAL_VELOCITY] && x_mode(dev) == MODE_VELOCITY)
		x_plan_speed(dev);
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
		servo->joint = (struct joint){ value - x_homing_offset(dev), 0 };
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
	.mount = mount,
	.order = order,
	.ran = ran,
};
