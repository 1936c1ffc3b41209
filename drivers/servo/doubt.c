// SPDX-License-Identifier: GPL-2.0
/*
 * Servos that may have been without power, or have shut themselves down
 *
 * A servo of Protocol 1.0 that has been without has all of its torque, at once, with the
 * next goal that it hears. One that has shut itself down for an overload or for its heat
 * has it with the next torque limit. So when two answers of a servo are missing, or it
 * raises an alarm, it gets nothing until it has been asked. If it has torque then it has
 * had it all the time, as nobody has given it any, and it goes on with the others. Else it
 * stays free, as after a stream that has tripped, until somebody recovers. So it does if
 * the stream has ended before.
 *
 * Doubts are counted by the core, see its ladder.c, so that none is overlooked that
 * arises while the servo is asked, or is over before anybody has looked.
 */
#include <linux/compiler.h>
#include <linux/device.h>
#include <linux/spinlock.h>

#include "team.h"

/**
 * dxl_doubt_lasts() - whether there is a doubt about a servo since it was last asked
 * @servo: the servo
 *
 * Context: Any.
 * Return: true if nobody knows what became of its torque
 */
bool dxl_doubt_lasts(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->ddev->doubts) != READ_ONCE(servo->doubts);
}

/* One that a pose has let go may have shut itself down before the next gives it torque. */
static bool is_doubted(enum dxl_torque torque)
{
	return torque == TORQUE_DOUBTED || torque == TORQUE_RECOVERING_DOUBTED ||
	       torque == TORQUE_RELAXED;
}

/**
 * dxl_doubt_matters() - whether a servo is to be asked for its torque, if in doubt
 * @servo: the servo
 *
 * Return: true if a stream moves it, or has left it in doubt, and it had torque
 */
bool dxl_doubt_matters(struct dxl_servo *servo)
{
	bool matters;

	if (!servo->team)
		return false;

	/* A stream that ends must not be missed both as that and by what it leaves. */
	spin_lock_bh(&servo->team->stream_lock);
	matters = is_doubted(dxl_servo_in_stream(servo) ? dxl_torque_now(servo) :
							  servo->torque);
	spin_unlock_bh(&servo->team->stream_lock);

	return matters && dxl_servo_takes_poses(servo);
}

/* Later doubts stay, those that a stream has left by now too. */
static void note_answer(struct dxl_servo *servo, unsigned int doubts)
{
	WRITE_ONCE(servo->doubts, doubts);
	if (!servo->team)
		return;

	spin_lock_bh(&servo->team->stream_lock);
	if (!dxl_doubt_lasts(servo))
		dxl_torque_event(servo, TORQUE_ANSWERED);
	spin_unlock_bh(&servo->team->stream_lock);
}

/* While its torque comes back, or if nobody wants any of it, 0 is not the servo's. */
static bool limit_tells(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->torque) != TORQUE_RECOVERING_DOUBTED &&
	       READ_ONCE(servo->limit);
}

/* Whether it says that it is not well, and has just what a shutdown leaves. */
static int has_shut_down(const struct dxl_servo *servo, int torque)
{
	const struct dxl_servo_layout *layout = dxl_servo_layout(servo);
	int value, ret;

	if (!READ_ONCE(servo->ddev->alerts))
		return 0;
	if (layout->shutdown == SHUTDOWN_LIMIT && limit_tells(servo)) {
		ret = dxl_servo_read_anyway(servo, SERVO_TORQUE_LIMIT, &value);
		return ret ?: !value;
	}
	if (layout->shutdown != SHUTDOWN_RESTART || torque)
		return 0;

	return dxl_doubt_needs_restart(servo);
}

/**
 * dxl_doubt_needs_restart() - whether a servo does nothing before it is restarted
 * @servo: the servo
 *
 * Context: Process context. Sleeps.
 * Return: 1 if it has shut itself down in that way, 0 if not, or a negative errno
 */
int dxl_doubt_needs_restart(const struct dxl_servo *servo)
{
	const struct dxl_servo_layout *layout = dxl_servo_layout(servo);
	int errors, ret;

	if (layout->shutdown != SHUTDOWN_RESTART || !READ_ONCE(servo->ddev->alerts))
		return 0;

	ret = dxl_servo_read_anyway(servo, SERVO_ERRORS, &errors);

	return ret ?: !!(errors & layout->shutdown_errors);
}

static int has_let_go(const struct dxl_servo *servo, int torque)
{
	if (READ_ONCE(servo->torque) == TORQUE_RELAXED)
		return 0;

	return torque ? dxl_bus_watchdog_has_stopped(servo) : 1;
}

/* Returns what has become of its torque, as an event, or a negative errno. */
static int ask(struct dxl_servo *servo)
{
	int torque, ret;

	ret = dxl_servo_read_anyway(servo, SERVO_TORQUE_ENABLE, &torque);
	if (ret)
		return ret;
	ret = has_shut_down(servo, torque);
	if (ret)
		return ret < 0 ? ret : TORQUE_FAILED;
	ret = has_let_go(servo, torque);
	if (ret)
		return ret < 0 ? ret : TORQUE_GONE;

	return TORQUE_ANSWERED;
}

static int settle(struct dxl_servo *servo)
{
	int event = ask(servo);

	if (event < 0)
		return event;
	if (event == TORQUE_ANSWERED)
		return dxl_bus_watchdog_set(servo);

	dxl_torque_tell(servo, event);
	/* A goal meanwhile has switched it on, though its torque limit is 0. */
	if (event == TORQUE_FAILED)
		dxl_stream_release(servo);
	dev_warn(&servo->ddev->dev, "%s; it gets no goal until it recovers\n",
		 event == TORQUE_FAILED ? "has shut itself down" :
					  "has lost its torque");

	/* Else it is what recovers that sets it. */
	return dxl_servo_in_stream(servo) ? 0 : dxl_bus_watchdog_set(servo);
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

	note_answer(servo, doubts);

	return 0;
}
