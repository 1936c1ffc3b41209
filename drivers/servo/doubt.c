// SPDX-License-Identifier: GPL-2.0
/*
 * Servos that may have been without power while poses are streamed
 *
 * A servo of Protocol 1.0 that has been has all of its torque, at once, with the next
 * goal that it hears. So when two answers of a servo are missing it gets no pose until
 * it has been asked. If it has torque then it has had it all the time, as nobody has
 * given it any, and it goes on with the others. Else it stays limp, as after a stream
 * that has tripped, until somebody recovers. So it does if the stream has ended before.
 *
 * Doubts are counted by the core, see its ladder.c, so that none is overlooked that
 * arises while the servo is asked, or is over before anybody has looked.
 */
#include <linux/compiler.h>
#include <linux/device.h>
#include <linux/spinlock.h>

#include "pose.h"

/**
 * dxl_doubt_lasts() - whether answers of a servo are missing since it was last asked
 * @servo: the servo
 *
 * Context: Any.
 * Return: true if nobody knows what became of its torque
 */
bool dxl_doubt_lasts(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->ddev->doubts) != READ_ONCE(servo->doubts);
}

static bool is_streaming(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->team->stream) != STREAM_IDLE;
}

/**
 * dxl_doubt_matters() - whether a servo is to be asked for its torque, if in doubt
 * @servo: the servo
 *
 * Return: true if a stream moves it, or has left it in doubt, and it had torque
 */
bool dxl_doubt_matters(const struct dxl_servo *servo)
{
	bool moves;

	if (!servo->team)
		return false;

	/* A stream that ends must not be missed both as that and by what it leaves. */
	spin_lock_bh(&servo->team->stream_lock);
	moves = (is_streaming(servo) || servo->left) && servo->driven &&
		!servo->limp;
	spin_unlock_bh(&servo->team->stream_lock);

	return moves && READ_ONCE(servo->poses);
}

/* What a stream has left meanwhile by a later doubt stays. */
static void note_end(struct dxl_servo *servo, unsigned int doubts)
{
	WRITE_ONCE(servo->doubts, doubts);
	if (!servo->team)
		return;

	spin_lock_bh(&servo->team->stream_lock);
	servo->left = servo->left && dxl_doubt_lasts(servo);
	spin_unlock_bh(&servo->team->stream_lock);
}

/* 1 if it does not hold its joint, 0 if it does, or a negative errno */
static int has_let_go(struct dxl_servo *servo)
{
	int torque, ret;

	ret = dxl_servo_read_anyway(servo, SERVO_TORQUE_ENABLE, &torque);
	if (ret)
		return ret;

	return torque ? dxl_bus_watchdog_has_stopped(servo) : 1;
}

static int settle(struct dxl_servo *servo)
{
	int ret;

	ret = has_let_go(servo);
	if (ret < 0)
		return ret;
	if (!ret)
		return dxl_bus_watchdog_set(servo);

	dxl_stream_torque_taken(servo);
	dev_warn(&servo->ddev->dev,
		 "has let its joint go, and gets no goal until it recovers\n");

	/* Else it is what recovers that sets it. */
	return is_streaming(servo) ? 0 : dxl_bus_watchdog_set(servo);
}

/**
 * dxl_doubt_end() - ask a servo whether it has torque, if that is in doubt
 * @servo: the servo, known to be what it is taken for
 * @doubts: those of its device, before anything of that was known
 *
 * Context: Process context. Sleeps.
 * Return: 0 or as dxl_read()
 */
int dxl_doubt_end(struct dxl_servo *servo, unsigned int doubts)
{
	int ret;

	if (doubts == servo->doubts)
		return 0;

	if (dxl_doubt_matters(servo)) {
		ret = settle(servo);
		if (ret)
			return ret;
	}

	note_end(servo, doubts);

	return 0;
}
