// SPDX-License-Identifier: GPL-2.0
/*
 * What others may write to a servo while its joints are watched
 *
 * A stream has the say on the goals that it gives, and on its torque and the limit of that
 * where a trip, a recovery or the servo itself has taken it. Who writes something by hand
 * asks here before, and again when it is about to be sent.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/spinlock.h>

#include "team.h"

static bool is_moved(const struct dxl_servo *servo)
{
	return dxl_servo_in_stream(servo) && READ_ONCE(servo->target->in_pose) &&
	       dxl_servo_takes_poses(servo);
}

/*
 * A servo that joined after the stream or the lease began would not be let go by it. Nor may
 * one be moved whose mode is not known, or any while all are to be limp.
 */
static bool is_out_of_reach(const struct dxl_servo *servo)
{
	if (!dxl_servo_mode_is_known(servo) || READ_ONCE(servo->team->limp))
		return true;

	return READ_ONCE(servo->team->stream) != STREAM_IDLE &&
	       !READ_ONCE(servo->target->gathered);
}

/* A current drives a joint only in the mode for that, else it is a limit. */
static bool drives(const struct dxl_servo *servo, enum dxl_servo_reg reg)
{
	return reg != SERVO_GOAL_CURRENT || !READ_ONCE(servo->mode)->position_range;
}

/**
 * dxl_stream_forbids_goal() - whether a servo may get no goal of its own
 * @servo: the servo
 * @reg: the goal
 *
 * Return: true if a stream gives it that, or if it would switch its torque on, which has
 * been taken or could not be
 */
bool dxl_stream_forbids_goal(const struct dxl_servo *servo, enum dxl_servo_reg reg)
{
	if (drives(servo, reg) && (dxl_torque_is_taken(servo) || is_out_of_reach(servo)))
		return true;

	return is_moved(servo) && (drives(servo, reg) || dxl_target_goals(servo) & BIT(reg));
}

/**
 * dxl_stream_lets_move() - a goal of its own is about to be sent to a servo
 * @servo: the servo
 * @reg: the goal
 *
 * Context: Any but hard interrupt.
 * Return: true if it may be; it is known to have been then
 */
bool dxl_stream_lets_move(struct dxl_servo *servo, enum dxl_servo_reg reg)
{
	bool may;

	spin_lock_bh(&servo->team->stream_lock);
	may = !dxl_stream_forbids_goal(servo, reg) && !servo->letting_go;
	/* To others it gives no torque. */
	if (may && servo->model->protocol == DXL_PROTOCOL_1)
		dxl_torque_event(servo, TORQUE_MOVED);
	spin_unlock_bh(&servo->team->stream_lock);

	return may;
}

static bool is_shut_down(const struct dxl_servo *servo)
{
	return dxl_servo_in_stream(servo) &&
	       READ_ONCE(servo->torque) == TORQUE_SHUT_DOWN;
}

/**
 * dxl_stream_forbids_torque() - whether a servo's torque is the business of who watches
 * @servo: the servo
 *
 * Return: true if it must not be switched on
 */
bool dxl_stream_forbids_torque(const struct dxl_servo *servo)
{
	enum dxl_stream_state state = READ_ONCE(servo->team->stream);

	return state == STREAM_LAPSED || state == STREAM_TRIPPED ||
	       state == STREAM_RECOVERING || is_shut_down(servo) ||
	       is_out_of_reach(servo);
}

/**
 * dxl_stream_forbids_limit() - whether a servo may get no torque limit of its own
 * @servo: the servo
 *
 * Return: true if a stream gives it that, or if it would undo a shutdown, which recovery
 * alone may
 */
bool dxl_stream_forbids_limit(const struct dxl_servo *servo)
{
	return is_shut_down(servo) ||
	       (is_moved(servo) && READ_ONCE(servo->team->options) & POSE_STIFFNESS);
}

/**
 * dxl_stream_lets_limit() - a torque limit of its own is about to be sent to a servo
 * @servo: the servo
 *
 * Context: Any.
 * Return: true if it may be
 */
bool dxl_stream_lets_limit(struct dxl_servo *servo)
{
	if (dxl_stream_forbids_limit(servo))
		return false;

	return !dxl_servo_in_stream(servo) || !dxl_doubt_lasts(servo);
}

/**
 * dxl_stream_torque_given() - somebody has switched a servo's torque on
 * @servo: the servo
 * @releases: how often it had been let go before that
 *
 * If the stream has tripped meanwhile, it is switched off again. If it has been let go
 * meanwhile, it has been already.
 */
void dxl_stream_torque_given(struct dxl_servo *servo, int releases)
{
	spin_lock_bh(&servo->team->stream_lock);
	if (!dxl_stream_forbids_torque(servo) && !servo->letting_go &&
	    atomic_read(&servo->releases) == releases)
		dxl_torque_event(servo, TORQUE_GIVEN);
	spin_unlock_bh(&servo->team->stream_lock);
}

/**
 * dxl_stream_release() - switch the torque of a servo off for good
 * @servo: the servo, to which poses do not go any more
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_servo_release()
 */
int dxl_stream_release(struct dxl_servo *servo)
{
	dxl_servo_release(servo);
	/* A pose that was on its way may have come behind it, and switched it on. */
	dxl_cycle_flush(servo->ddev->bus);

	return dxl_servo_release(servo);
}

/**
 * dxl_stream_let_go() - let a servo go by hand
 * @servo: the servo
 *
 * A stream gives it nothing any more, nor does anybody else before it is done.
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_servo_release()
 */
int dxl_stream_let_go(struct dxl_servo *servo)
{
	spinlock_t *lock = &servo->team->stream_lock;
	bool free;
	int ret;

	spin_lock_bh(lock);
	servo->letting_go++;
	dxl_torque_event(servo, TORQUE_LET_GO);
	spin_unlock_bh(lock);

	ret = dxl_stream_release(servo);

	spin_lock_bh(lock);
	servo->letting_go--;
	free = servo->torque == TORQUE_FREE;
	spin_unlock_bh(lock);

	if (!ret && free)
		dxl_ramp_restore(servo);

	return ret;
}
