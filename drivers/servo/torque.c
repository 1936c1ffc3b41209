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
#include <linux/device.h>
#include <linux/iio/iio.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

#include "team.h"

/*
 * As user space knows it. A trip takes nothing from a joint that was let go by hand, and no
 * recovery gives it torque.
 */
static enum dxl_torque told(const struct dxl_servo *servo)
{
	enum dxl_torque torque = READ_ONCE(servo->torque);

	return torque == TORQUE_TRIPPED && READ_ONCE(servo->by_hand) ? TORQUE_FREE : torque;
}

/* From any context but hard interrupt: what is done of it at once does not sleep. */
static void notify(struct dxl_servo *servo)
{
	lockdep_assert_held(&servo->team->stream_lock);

	if (servo->torque_file)
		sysfs_notify_dirent(servo->torque_file);
}

/**
 * dxl_torque_event() - something has happened to the torque of a servo
 * @servo: the servo
 * @event: what
 *
 * Context: Any, with the team's stream_lock held.
 */
void dxl_torque_event(struct dxl_servo *servo, enum dxl_torque_event event)
{
	enum dxl_torque before = told(servo);

	lockdep_assert_held(&servo->team->stream_lock);

	WRITE_ONCE(servo->torque, dxl_torque_next(servo->torque, event));
	switch (event) {
	case TORQUE_LET_GO:
		WRITE_ONCE(servo->by_hand, true);
		break;
	case TORQUE_GIVEN:
	case TORQUE_MOVED:
		WRITE_ONCE(servo->by_hand, false);
		break;
	default:
		break;
	}
	if (told(servo) != before)
		notify(servo);
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

/**
 * dxl_torque_is_off() - whether a servo has been told to have no torque
 * @servo: the servo
 *
 * Context: Any.
 * Return: true if it has, and nothing has given it torque since
 */
bool dxl_torque_is_off(const struct dxl_servo *servo)
{
	enum dxl_torque torque = READ_ONCE(servo->torque);

	return dxl_torque_is_taken(servo) || torque == TORQUE_RELAXED || torque == TORQUE_FREE;
}

/* --- what user space sees --- */

static const char * const words[TORQUE_STATES] = {
	[TORQUE_UNHEARD] = "unheard",
	[TORQUE_UNUSED] = "unused",
	[TORQUE_STIFF] = "stiff",
	[TORQUE_DOUBTED] = "doubted",
	[TORQUE_FREE] = "free",
	[TORQUE_RELAXED] = "relaxed",
	[TORQUE_TRIPPED] = "tripped",
	[TORQUE_RECOVERING] = "recovering",
	[TORQUE_RECOVERING_DOUBTED] = "recovering-doubted",
	[TORQUE_SHUT_DOWN] = "shut-down",
};

/**
 * dxl_torque_word() - what is known of a servo's torque, as user space is told
 * @servo: the servo
 *
 * The servo is asked nothing, and no lock is taken: any user may read the word, at any rate.
 *
 * Context: Any.
 * Return: a word: that of a state, or why there is none
 */
const char *dxl_torque_word(const struct dxl_servo *servo)
{
	if (READ_ONCE(servo->ddev->state) == DXL_LOST)
		return "lost";
	if (READ_ONCE(servo->wrong_model))
		return "other-model";

	return words[told(servo)];
}

/**
 * dxl_torque_notify() - wake the programs that poll torque_state
 * @servo: the servo
 *
 * For what is no event of its torque. An event tells by itself.
 *
 * Context: Any but hard interrupt.
 */
void dxl_torque_notify(struct dxl_servo *servo)
{
	spin_lock_bh(&servo->team->stream_lock);
	notify(servo);
	spin_unlock_bh(&servo->team->stream_lock);
}

static void set_file(struct dxl_servo *servo, struct kernfs_node *file)
{
	spin_lock_bh(&servo->team->stream_lock);
	swap(servo->torque_file, file);
	spin_unlock_bh(&servo->team->stream_lock);
	sysfs_put(file);
}

static void forget_file(void *servo)
{
	set_file(servo, NULL);
}

/**
 * devm_dxl_torque_publish() - have torque_state of a servo be polled
 * @servo: the servo, in its team
 * @indio_dev: its IIO device, registered
 *
 * Return: 0 or a negative errno
 */
int devm_dxl_torque_publish(struct dxl_servo *servo, struct iio_dev *indio_dev)
{
	struct kernfs_node *file = sysfs_get_dirent(indio_dev->dev.kobj.sd, "torque_state");

	if (!file)
		return -ENOENT;

	set_file(servo, file);

	return devm_add_action_or_reset(&servo->ddev->dev, forget_file, servo);
}
