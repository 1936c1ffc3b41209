// SPDX-License-Identifier: GPL-2.0
/*
 * What is known of a servo's torque, and what follows from that
 *
 * Each servo is in one of the states of &enum dxl_torque. What happens to its torque,
 * by whomever, is an event, and what follows from it stands in one table, see torque.h.
 * Who is about to send a servo something asks which state it is in, and nothing else.
 *
 * One thing more is remembered: that somebody has let the joint go by hand, which no
 * recovery undoes, whatever else has become of its torque.
 *
 * The core counts doubts as they arise, see its ladder.c, in a context in which nobody
 * may look at servos. They become an event when somebody who cares looks next.
 */
#include <linux/compiler.h>
#include <linux/lockdep.h>
#include <linux/spinlock.h>

#include "team.h"

/**
 * dxl_torque_event() - something has happened to the torque of a servo
 * @servo: the servo
 * @event: what
 *
 * Context: Any, with the team's stream_lock held.
 */
void dxl_torque_event(struct dxl_servo *servo, enum dxl_torque_event event)
{
	lockdep_assert_held(&servo->team->stream_lock);

	WRITE_ONCE(servo->torque, dxl_torque_next(servo->torque, event));
	switch (event) {
	case TORQUE_LET_GO:
		WRITE_ONCE(servo->by_hand, true);
		break;
	case TORQUE_GIVEN:
	case TORQUE_MOVED:
	case TORQUE_CLAIMED:
		WRITE_ONCE(servo->by_hand, false);
		break;
	default:
		break;
	}
}

/**
 * dxl_torque_tell() - the same for those who do not hold the lock
 * @servo: the servo
 * @event: what
 *
 * Context: Any.
 */
void dxl_torque_tell(struct dxl_servo *servo, enum dxl_torque_event event)
{
	spin_lock_bh(&servo->team->stream_lock);
	dxl_torque_event(servo, event);
	spin_unlock_bh(&servo->team->stream_lock);
}

/**
 * dxl_torque_now() - the state of a servo whom a stream moves, or has moved until now
 * @servo: the servo
 *
 * Context: Any, with the team's stream_lock held.
 * Return: the state, doubts that have arisen since somebody has looked included
 */
enum dxl_torque dxl_torque_now(struct dxl_servo *servo)
{
	if (dxl_doubt_lasts(servo))
		dxl_torque_event(servo, TORQUE_MISSED);

	return servo->torque;
}

/**
 * dxl_torque_is_taken() - whether a servo is to stay free until somebody says otherwise
 * @servo: the servo
 *
 * Context: Any.
 * Return: true if nothing may be sent to it that could give it torque
 */
bool dxl_torque_is_taken(const struct dxl_servo *servo)
{
	enum dxl_torque torque = READ_ONCE(servo->torque);

	return torque == TORQUE_TRIPPED || torque == TORQUE_SHUT_DOWN;
}
