// SPDX-License-Identifier: GPL-2.0
/*
 * What somebody writes to a single servo: goals, torque and its limit
 *
 * All of it is subject to what becomes of the torque by others, see permit.c, and is asked
 * again when it is about to be sent: until its turn comes a stream may have begun, tripped
 * and ended, or somebody may have let the joint go.
 */
#include <linux/bits.h>
#include <linux/iio/iio.h>
#include <linux/minmax.h>

#include "team.h"

/**
 * struct intent - what somebody wants of a servo, until its turn comes
 * @servo: the servo
 * @reg: the register
 * @releases: how often it had been let go before that
 */
struct intent {
	struct dxl_servo *servo;
	enum dxl_servo_reg reg;
	int releases;
};

static struct intent intent_now(struct dxl_servo *servo)
{
	return (struct intent){ .servo = servo, .releases = atomic_read(&servo->releases) };
}

/* What lets the joint go overtakes all that waits, and is the last word on that. */
static bool is_overtaken(const struct intent *intent)
{
	return atomic_read(&intent->servo->releases) != intent->releases;
}

/* --- goals --- */

static bool goal_is_wanted(void *context)
{
	const struct intent *intent = context;

	return !is_overtaken(intent) && dxl_stream_lets_move(intent->servo, intent->reg);
}

/**
 * dxl_hand_goal() - write a goal of a servo
 * @servo: the servo
 * @chan: its channel
 * @value: the goal
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EBUSY if poses move it, if its torque has been taken or if there is no such
 * goal in its mode, -ERANGE, or another negative errno
 */
int dxl_hand_goal(struct dxl_servo *servo, const struct iio_chan_spec *chan, int value)
{
	struct intent intent = intent_now(servo);
	const int *range;
	int ret;

	/* The range is that of the mode, which must be known, and so must its torque. */
	ret = dxl_servo_ready_to_move(servo);
	if (ret)
		return ret;

	intent.reg = dxl_servo_goal_reg(servo, chan);
	if (dxl_stream_forbids_goal(servo, intent.reg) ||
	    !dxl_servo_has_goal(servo, intent.reg))
		return -EBUSY;
	range = dxl_servo_range(servo, intent.reg);
	if (value < range[0] || value > range[2])
		return -ERANGE;

	return dxl_servo_write_anyway_if(servo, goal_is_wanted, &intent, intent.reg, value);
}

/* --- torque --- */

static bool torque_is_wanted(void *context)
{
	const struct intent *intent = context;

	return !is_overtaken(intent) && !READ_ONCE(intent->servo->letting_go) &&
	       !dxl_stream_forbids_torque(intent->servo);
}

static int hold_position(struct dxl_servo *servo, struct intent *intent, const int *range)
{
	int position, ret;

	ret = dxl_servo_read_anyway(servo, SERVO_POSITION, &position);
	if (ret)
		return ret;

	return dxl_servo_write_anyway_if(servo, torque_is_wanted, intent,
					 SERVO_GOAL_POSITION,
					 clamp(position, range[0], range[2]));
}

/* In a mode without a goal position. It has one goal then. */
static int stand_still(struct dxl_servo *servo, struct intent *intent)
{
	return dxl_servo_write_anyway_if(servo, torque_is_wanted, intent,
					 __ffs(READ_ONCE(servo->mode)->goals), 0);
}

/*
 * A joint whose torque comes back is to stay where it is, not to leap to its goal, nor is
 * a wheel to turn on.
 */
static int stay(struct dxl_servo *servo, struct intent *intent)
{
	const int *range = READ_ONCE(servo->mode)->position_range;

	return range ? hold_position(servo, intent, range) : stand_still(servo, intent);
}

static int get_ready_for_torque(struct dxl_servo *servo, struct intent *intent)
{
	int torque, ret;

	ret = dxl_servo_ready_to_move(servo);
	if (ret)
		return ret;
	ret = dxl_servo_read_anyway(servo, SERVO_TORQUE_ENABLE, &torque);
	/* One that has torque would only be put at risk by either. */
	if (ret || torque)
		return ret;

	/* It may get torque without anybody hearing that it did. */
	if (dxl_servo_layout(servo)->watches)
		ret = dxl_bus_watchdog_start(servo);

	return ret ?: stay(servo, intent);
}

static int torque_on(struct dxl_servo *servo)
{
	struct intent intent = intent_now(servo);
	int ret;

	if (dxl_stream_forbids_torque(servo))
		return -EBUSY;

	ret = get_ready_for_torque(servo, &intent);
	if (ret)
		return ret;

	ret = dxl_servo_write_anyway_if(servo, torque_is_wanted, &intent,
					SERVO_TORQUE_ENABLE, 1);
	if (ret)
		return ret;
	dxl_stream_torque_given(servo, intent.releases);

	/* Without a stream nobody is there to keep it going. */
	return dxl_servo_layout(servo)->watches ? dxl_bus_watchdog_set(servo) :
						  0;
}

/**
 * dxl_hand_torque() - switch the torque of a servo on or off
 * @servo: the servo
 * @on: whether it is to have torque
 *
 * Off needs nothing of what may keep others waiting: the servo need not be known to be ready,
 * and no lock of it is taken.
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EBUSY if a stream has taken it, or another negative errno; of a release as
 * dxl_servo_release()
 */
int dxl_hand_torque(struct dxl_servo *servo, bool on)
{
	if (on)
		return torque_on(servo);

	return dxl_stream_let_go(servo);
}

/* --- torque limit --- */

static bool limit_is_wanted(void *servo)
{
	return dxl_servo_has_limit(servo) && dxl_stream_lets_limit(servo);
}

/* Any answer has the alarm of a servo that has shut itself down, if it has. */
static int hear_from(struct dxl_servo *servo)
{
	int torque;

	return dxl_servo_read(servo, SERVO_TORQUE_ENABLE, &torque);
}

/**
 * dxl_hand_limit() - write the torque limit of a servo
 * @servo: the servo
 * @limit: the limit
 *
 * In a stream it would undo a shutdown that nobody has heard of.
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EBUSY if it is not to have it now, or if its register is a goal in its
 * mode, or another negative errno
 */
int dxl_hand_limit(struct dxl_servo *servo, int limit)
{
	int ret = 0;

	if (dxl_servo_in_stream(servo))
		ret = hear_from(servo);
	if (!ret)
		ret = dxl_servo_ready_to_move(servo);
	if (ret)
		return ret;
	if (dxl_stream_forbids_limit(servo) || !dxl_servo_has_limit(servo))
		return -EBUSY;
	if (dxl_ramp_takes_limit(servo, limit))
		return 0;

	ret = dxl_servo_write_anyway_if(servo, limit_is_wanted, servo, SERVO_TORQUE_LIMIT,
					limit);
	if (!ret)
		dxl_ramp_note_limit(servo, limit);

	return ret;
}
