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

#include "team.h"

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

/* Nobody would tell others that the bus is still there. */
static bool watches_poses(const struct dxl_servo *servo)
{
	return has_bus_watchdog(servo) && dxl_servo_takes_poses(servo);
}

static bool is_to_watch(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->team->watched) && watches_poses(servo);
}

static u8 steps_of(const struct dxl_team *team)
{
	unsigned int ms = MARGIN * team->watchdog_ms;

	return min(DIV_ROUND_UP(ms, STEP_MS), STEPS_MAX);
}

/**
 * dxl_bus_watchdog_fill() - what keeps the servos from thinking that the bus is gone
 * @team: the team
 * @items: where to put it
 *
 * It is needed on a bus on which nothing has been said for long. What is said does
 * not matter.
 *
 * Return: number of items
 */
unsigned int dxl_bus_watchdog_fill(struct dxl_team *team, struct dxl_item *items)
{
	ktime_t silent = ktime_sub(ktime_get(), team->spoken);
	unsigned int i, count = 0;

	team->steps = steps_of(team);
	if (ktime_to_ms(silent) < STEP_MS * team->steps / MARGIN)
		return 0;

	for (i = 0; i < team->count; i++) {
		const struct dxl_servo *servo = team->targets[i]->servo;

		if (watches_poses(servo))
			dxl_target_register(&items[count++], servo,
					    SERVO_BUS_WATCHDOG, &team->steps);
	}
	team->spoken = ktime_get();

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
		watched = is_to_watch(servo);
		ret = dxl_servo_write_anyway(servo, SERVO_BUS_WATCHDOG,
					     watched ? steps_of(team) : 0);
		if (ret || watched == is_to_watch(servo))
			return ret;
	}

	return -EAGAIN;
}

/*
 * Writes to one servo after the other, as each acknowledges its own write. The end of a stream
 * writes to all of them again, so what it waits for stops here.
 */
static void write_all(struct dxl_team *team, u8 value)
{
	unsigned int i;

	for (i = 0; i < team->count && !READ_ONCE(team->ending); i++)
		if (watches_poses(team->targets[i]->servo))
			dxl_servo_write_anyway(team->targets[i]->servo,
					       SERVO_BUS_WATCHDOG, value);
}

/**
 * dxl_bus_watchdog_arm() - have the servos of a team watch the bus
 * @team: the team
 *
 * Those that have stopped go on.
 *
 * Context: Process context. Sleeps.
 */
void dxl_bus_watchdog_arm(struct dxl_team *team)
{
	WRITE_ONCE(team->watched, true);
	write_all(team, 0);
	write_all(team, steps_of(team));
}

/**
 * dxl_bus_watchdog_disarm() - take back dxl_bus_watchdog_arm()
 * @team: the team
 *
 * Context: Process context. Sleeps.
 */
void dxl_bus_watchdog_disarm(struct dxl_team *team)
{
	WRITE_ONCE(team->watched, false);
	write_all(team, 0);
}
