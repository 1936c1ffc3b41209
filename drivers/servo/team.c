// SPDX-License-Identifier: GPL-2.0
/*
 * Which servos of a bus move together
 *
 * IIO wants to know the channels of a device when it is registered, but servos
 * come and go. So the servos of a bus are a team, which has a pose device. A
 * servo that comes has that registered anew a moment later, so that the servos
 * of a whole robot cost one registration, but not before a stream that there is has
 * ended; a servo that goes takes it away at once.
 *
 * Locks: teams_lock guards the list of teams and is taken before the lock of
 * one of them, which guards its servos and its pose device. Removal of the pose
 * device waits for its readers, so neither is taken on behalf of one.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/property.h>
#include <linux/slab.h>

#include "servo.h"

/* Servos bind within milliseconds of each other, by asynchronous probing. */
#define SETTLE_MS	100

static LIST_HEAD(teams);
static DEFINE_MUTEX(teams_lock);

static void team_drop_pose(struct dxl_team *team)
{
	lockdep_assert_held(&team->lock);

	if (team->pose)
		dxl_pose_destroy(team->pose);
	team->pose = NULL;
}

static void team_rebuild(struct work_struct *work)
{
	struct dxl_team *team = container_of(to_delayed_work(work),
					     struct dxl_team, rebuild);
	struct iio_dev *pose;

	guard(mutex)(&team->lock);

	/* Else whoever streams would lose it, and with it all joints. */
	if (team->pose && !dxl_stream_allows_rebuild(team->pose)) {
		dev_info(dxl_bus_dev(team->bus),
			 "who can be moved has changed, and does when the stream of poses has ended\n");
		return;
	}

	team_drop_pose(team);
	WRITE_ONCE(team->stale, false);
	pose = dxl_pose_create(team);
	if (IS_ERR(pose)) {
		dev_err(dxl_bus_dev(team->bus), "no pose device: %pe\n", pose);
		return;
	}

	team->pose = pose;
}

/**
 * dxl_team_changed() - have a team's pose device registered anew soon
 * @team: the team
 *
 * Context: Any.
 */
void dxl_team_changed(struct dxl_team *team)
{
	mod_delayed_work(system_percpu_wq, &team->rebuild,
			 msecs_to_jiffies(SETTLE_MS));
}

/**
 * dxl_team_set_stiffness() - have a team's pose device registered anew with other poses
 * @team: the team
 * @stiffness: whether these say how stiff each joint is
 *
 * Context: Any.
 */
void dxl_team_set_stiffness(struct dxl_team *team, bool stiffness)
{
	if (READ_ONCE(team->stiffness) == stiffness)
		return;

	WRITE_ONCE(team->stiffness, stiffness);
	WRITE_ONCE(team->stale, true);
	mod_delayed_work(system_percpu_wq, &team->rebuild, 0);
}

/**
 * dxl_team_trip() - end the motion that a servo takes part in
 * @servo: the servo, whose torque is about to be taken
 *
 * Context: Process context. Sleeps.
 */
void dxl_team_trip(struct dxl_servo *servo)
{
	struct dxl_team *team = servo->team;

	guard(mutex)(&team->lock);

	if (team->pose)
		dxl_stream_trip(team->pose);
	dxl_torque_tell(servo, TORQUE_TAKEN);
}

static uint watchdog_ms = STREAM_WATCHDOG_MS;
module_param(watchdog_ms, uint, 0444);
MODULE_PARM_DESC(watchdog_ms,
		 "How long streams of poses may give no sign of life where the machine's description does not say, in milliseconds (default 500)");

static unsigned int default_watchdog(void)
{
	return clamp_t(uint, watchdog_ms, STREAM_WATCHDOG_MIN_MS,
		       STREAM_WATCHDOG_MAX_MS);
}

/* As the machine's description says, if that can be. */
static unsigned int described_watchdog(struct dxl_bus *bus)
{
	struct device *dev = dxl_bus_dev(bus);
	u32 ms;

	if (device_property_read_u32(dev, "watchdog-timeout-ms", &ms))
		return default_watchdog();
	if (ms >= STREAM_WATCHDOG_MIN_MS && ms <= STREAM_WATCHDOG_MAX_MS)
		return ms;

	dev_warn(dev, "watchdog-timeout-ms of %u is out of range\n", ms);

	return default_watchdog();
}

static struct dxl_team *team_create(struct dxl_bus *bus)
{
	struct dxl_team *team;

	team = kzalloc(sizeof(*team), GFP_KERNEL);
	if (!team)
		return NULL;

	team->bus = bus;
	INIT_DELAYED_WORK(&team->rebuild, team_rebuild);
	mutex_init(&team->lock);
	INIT_LIST_HEAD(&team->servos);
	team->watchdog_ms = described_watchdog(bus);
	spin_lock_init(&team->stream_lock);
	list_add(&team->node, &teams);

	return team;
}

static void team_destroy(struct dxl_team *team)
{
	list_del(&team->node);
	cancel_delayed_work_sync(&team->rebuild);
	mutex_destroy(&team->lock);
	kfree(team);
}

static struct dxl_team *team_find(const struct dxl_bus *bus)
{
	struct dxl_team *team;

	lockdep_assert_held(&teams_lock);

	list_for_each_entry(team, &teams, node)
		if (team->bus == bus)
			return team;

	return NULL;
}

static void team_insert(struct dxl_team *team, struct dxl_servo *servo)
{
	struct dxl_servo *other;

	guard(mutex)(&team->lock);

	list_for_each_entry(other, &team->servos, node)
		if (other->ddev->id > servo->ddev->id)
			break;
	list_add_tail(&servo->node, &other->node);
	servo->team = team;
}

/**
 * dxl_team_add() - let a servo move with the others of its bus
 * @servo: the servo
 *
 * Return: 0 or a negative errno
 */
int dxl_team_add(struct dxl_servo *servo)
{
	struct dxl_team *team;

	guard(mutex)(&teams_lock);

	team = team_find(servo->ddev->bus);
	if (!team)
		team = team_create(servo->ddev->bus);
	if (!team)
		return -ENOMEM;

	team_insert(team, servo);
	dxl_team_changed(team);

	return 0;
}

/**
 * dxl_team_remove() - take back dxl_team_add()
 * @servo: the servo; nothing refers to it afterwards
 */
void dxl_team_remove(struct dxl_servo *servo)
{
	struct dxl_team *team = servo->team;

	guard(mutex)(&teams_lock);

	scoped_guard(mutex, &team->lock) {
		team_drop_pose(team);
		list_del(&servo->node);
	}

	if (list_empty(&team->servos))
		team_destroy(team);
	else
		dxl_team_changed(team);
}
