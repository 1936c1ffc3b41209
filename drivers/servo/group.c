// SPDX-License-Identifier: GPL-2.0
/*
 * Which servos of a bus move together
 *
 * IIO wants to know the channels of a device when it is registered, but servos
 * come and go. So the servos of a bus are a group, which has a pose device. A
 * servo that comes has that registered anew a moment later, so that the servos
 * of a whole robot cost one registration; a servo that goes takes it away at
 * once.
 *
 * Locks: groups_lock guards the list of groups and is taken before the lock of
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

static LIST_HEAD(groups);
static DEFINE_MUTEX(groups_lock);

static void group_drop_pose(struct dxl_servo_group *group)
{
	lockdep_assert_held(&group->lock);

	if (group->pose)
		dxl_pose_destroy(group->pose);
	group->pose = NULL;
}

static void group_rebuild(struct work_struct *work)
{
	struct dxl_servo_group *group = container_of(to_delayed_work(work),
					       struct dxl_servo_group, rebuild);
	struct iio_dev *pose;

	guard(mutex)(&group->lock);

	group_drop_pose(group);
	pose = dxl_pose_create(group);
	if (IS_ERR(pose)) {
		dev_err(dxl_bus_dev(group->bus), "no pose device: %pe\n", pose);
		return;
	}

	group->pose = pose;
}

/**
 * dxl_servo_group_changed() - have a group's pose device registered anew soon
 * @group: the group
 *
 * Context: Any.
 */
void dxl_servo_group_changed(struct dxl_servo_group *group)
{
	mod_delayed_work(system_percpu_wq, &group->rebuild,
			 msecs_to_jiffies(SETTLE_MS));
}

/**
 * dxl_servo_group_trip() - end the motion that a servo takes part in
 * @servo: the servo, whose torque is about to be taken
 *
 * Context: Process context. Sleeps.
 */
void dxl_servo_group_trip(struct dxl_servo *servo)
{
	struct dxl_servo_group *group = servo->group;

	guard(mutex)(&group->lock);

	if (group->pose)
		dxl_stream_trip(group->pose);
	dxl_stream_torque_taken(servo);
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

static struct dxl_servo_group *group_create(struct dxl_bus *bus)
{
	struct dxl_servo_group *group;

	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return NULL;

	group->bus = bus;
	INIT_DELAYED_WORK(&group->rebuild, group_rebuild);
	mutex_init(&group->lock);
	INIT_LIST_HEAD(&group->servos);
	group->watchdog_ms = described_watchdog(bus);
	spin_lock_init(&group->stream_lock);
	list_add(&group->node, &groups);

	return group;
}

static void group_destroy(struct dxl_servo_group *group)
{
	list_del(&group->node);
	cancel_delayed_work_sync(&group->rebuild);
	mutex_destroy(&group->lock);
	kfree(group);
}

static struct dxl_servo_group *group_find(const struct dxl_bus *bus)
{
	struct dxl_servo_group *group;

	lockdep_assert_held(&groups_lock);

	list_for_each_entry(group, &groups, node)
		if (group->bus == bus)
			return group;

	return NULL;
}

static void group_insert(struct dxl_servo_group *group, struct dxl_servo *servo)
{
	struct dxl_servo *other;

	guard(mutex)(&group->lock);

	list_for_each_entry(other, &group->servos, node)
		if (other->ddev->id > servo->ddev->id)
			break;
	list_add_tail(&servo->node, &other->node);
	servo->group = group;
}

/**
 * dxl_servo_group_add() - let a servo move with the others of its bus
 * @servo: the servo
 *
 * Return: 0 or a negative errno
 */
int dxl_servo_group_add(struct dxl_servo *servo)
{
	struct dxl_servo_group *group;

	guard(mutex)(&groups_lock);

	group = group_find(servo->ddev->bus);
	if (!group)
		group = group_create(servo->ddev->bus);
	if (!group)
		return -ENOMEM;

	group_insert(group, servo);
	dxl_servo_group_changed(group);

	return 0;
}

/**
 * dxl_servo_group_remove() - take back dxl_servo_group_add()
 * @servo: the servo; nothing refers to it afterwards
 */
void dxl_servo_group_remove(struct dxl_servo *servo)
{
	struct dxl_servo_group *group = servo->group;

	guard(mutex)(&groups_lock);

	scoped_guard(mutex, &group->lock) {
		group_drop_pose(group);
		list_del(&servo->node);
	}

	if (list_empty(&group->servos))
		group_destroy(group);
	else
		dxl_servo_group_changed(group);
}
