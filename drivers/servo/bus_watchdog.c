// SPDX-License-Identifier: GPL-2.0
/*
 * The watchdogs that servos have themselves
 *
 * A servo of Protocol 2.0 can stop by itself when it has heard nothing for too long.
 * That comes behind the watchdog of a stream of poses, for a bus that is gone. One
 * that has stopped takes no goal until it is told a 0.
 */
#include <linux/ktime.h>
#include <linux/math.h>
#include <linux/minmax.h>

#include "pose.h"

#define STEP_MS		20
#define STEPS_MAX	127

/* What the register says of a servo that has stopped. */
#define STOPPED		0xff

/* How many times as long as the stream's watchdog. */
#define MARGIN		2

/* How often a servo is told anew because a stream has begun or ended meanwhile. */
#define TRIES		3

static bool has_bus_watchdog(const struct dxl_servo *servo)
{
	return dxl_servo_field(servo, SERVO_BUS_WATCHDOG)->size &&
	       !READ_ONCE(servo->wrong_model) &&
	       servo->ddev->firmware_version >=
	       dxl_servo_layout(servo)->watchdog_firmware;
}

static u8 steps_of(const struct dxl_team *team)
{
	unsigned int ms = MARGIN * team->watchdog_ms;

	return min(DIV_ROUND_UP(ms, STEP_MS), STEPS_MAX);
}

/**
 * dxl_bus_watchdog_fill() - what keeps the servos from thinking that the bus is gone
 * @pose: the pose device
 * @items: where to put it
 *
 * It is needed on a bus on which nothing has been said for long. What is said does
 * not matter.
 *
 * Return: number of items
 */
unsigned int dxl_bus_watchdog_fill(struct pose *pose, struct dxl_item *items)
{
	ktime_t silent = ktime_sub(ktime_get(), pose->spoken);
	unsigned int i, count = 0;

	pose->steps = steps_of(pose->team);
	if (ktime_to_ms(silent) < STEP_MS * pose->steps / MARGIN)
		return 0;

	for (i = 0; i < pose->count; i++) {
		const struct dxl_servo *servo = pose->targets[i].servo;

		if (has_bus_watchdog(servo))
			dxl_pose_register(&items[count++], servo,
					  SERVO_BUS_WATCHDOG, &pose->steps);
	}
	pose->spoken = ktime_get();

	return count;
}

/**
 * dxl_bus_watchdog_has_stopped() - whether a servo has stopped by itself
 * @servo: the servo
 *
 * Context: Process context. Sleeps.
 * Return: 1 if it has, 0 if it has not, or a negative errno
 */
int dxl_bus_watchdog_has_stopped(const struct dxl_servo *servo)
{
	int steps, ret;

	if (!has_bus_watchdog(servo))
		return 0;

	ret = dxl_servo_read_anyway(servo, SERVO_BUS_WATCHDOG, &steps);

	return ret ?: steps == STOPPED;
}

/**
 * dxl_bus_watchdog_start() - have a servo watch the bus, stream or not
 * @servo: the servo; one that has stopped may be given torque again
 *
 * Context: Process context. Sleeps.
 * Return: 0 or as dxl_write()
 */
int dxl_bus_watchdog_start(const struct dxl_servo *servo)
{
	if (!has_bus_watchdog(servo))
		return 0;

	return dxl_servo_write_anyway(servo, SERVO_BUS_WATCHDOG, steps_of(servo->team));
}

/**
 * dxl_bus_watchdog_set() - have a servo watch the bus if there is a stream
 * @servo: the servo, which has been lost or given torque; if there is one it has not
 *	stopped
 *
 * What begins or ends meanwhile tells it too, in whatever order that arrives.
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EAGAIN if streams come and go faster than that, or as dxl_write()
 */
int dxl_bus_watchdog_set(const struct dxl_servo *servo)
{
	const struct dxl_team *team = servo->team;
	unsigned int i;
	bool watched;
	int ret;

	if (!has_bus_watchdog(servo))
		return 0;

	for (i = 0; i < TRIES; i++) {
		watched = READ_ONCE(team->watched);
		ret = dxl_servo_write_anyway(servo, SERVO_BUS_WATCHDOG,
					     watched ? steps_of(team) : 0);
		if (ret || watched == READ_ONCE(team->watched))
			return ret;
	}

	return -EAGAIN;
}

/* One by one, as each acknowledges it then. */
static void write_all(struct pose *pose, u8 value)
{
	unsigned int i;

	for (i = 0; i < pose->count; i++)
		if (has_bus_watchdog(pose->targets[i].servo))
			dxl_servo_write_anyway(pose->targets[i].servo,
					       SERVO_BUS_WATCHDOG, value);
}

/**
 * dxl_bus_watchdog_arm() - have the servos of a pose watch the bus
 * @pose: the pose device
 *
 * Those that have stopped go on.
 *
 * Context: Process context. Sleeps.
 */
void dxl_bus_watchdog_arm(struct pose *pose)
{
	WRITE_ONCE(pose->team->watched, true);
	write_all(pose, 0);
	write_all(pose, steps_of(pose->team));
}

/**
 * dxl_bus_watchdog_disarm() - take back dxl_bus_watchdog_arm()
 * @pose: the pose device
 *
 * Context: Process context. Sleeps.
 */
void dxl_bus_watchdog_disarm(struct pose *pose)
{
	WRITE_ONCE(pose->team->watched, false);
	write_all(pose, 0);
}
