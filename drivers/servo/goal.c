// SPDX-License-Identifier: GPL-2.0
/*
 * Which servos of a bus move together
 *
 * IIO wants to know the channels of a device when it is registered, but servos
 * come and go. So each bus that has servos has a goal object; a servo that
 * comes has its pose device registered anew a moment later, so that the
 * servos of a whole robot cost one registration; a servo that goes takes the
 * pose device with it at once.
 *
 * Locks: goals_lock guards the list of goal objects and is taken before the
 * lock of one of them, which guards its servos and its pose device.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "servo.h"

/* Servos bind within milliseconds of each other, by asynchronous probing. */
#define SETTLE_MS	100

struct goal {
	struct list_head node;
	struct dxl_bus *bus;
	struct delayed_work rebuild;
	struct mutex lock; /* guards servos and pose */
	struct list_head servos;
	struct iio_dev *pose;
};

static LIST_HEAD(goals);
static DEFINE_MUTEX(goals_lock);

static void goal_drop_pose(struct goal *goal)
{
	lockdep_assert_held(&goal->lock);

	if (goal->pose)
		dxl_pose_destroy(goal->pose);
	goal->pose = NULL;
}

static void goal_rebuild(struct work_struct *work)
{
	struct goal *goal = container_of(to_delayed_work(work), struct goal,
					 rebuild);
	struct iio_dev *pose;

	guard(mutex)(&goal->lock);

	goal_drop_pose(goal);
	if (list_empty(&goal->servos))
		return;

	pose = dxl_pose_create(goal->bus, &goal->servos);
	if (IS_ERR(pose)) {
		dev_err(dxl_bus_dev(goal->bus), "no pose device: %pe\n", pose);
		return;
	}

	goal->pose = pose;
}

static struct goal *goal_create(struct dxl_bus *bus)
{
	struct goal *goal;

	goal = kzalloc(sizeof(*goal), GFP_KERNEL);
	if (!goal)
		return NULL;

	goal->bus = bus;
	INIT_DELAYED_WORK(&goal->rebuild, goal_rebuild);
	mutex_init(&goal->lock);
	INIT_LIST_HEAD(&goal->servos);
	list_add(&goal->node, &goals);

	return goal;
}

static void goal_destroy(struct goal *goal)
{
	list_del(&goal->node);
	cancel_delayed_work_sync(&goal->rebuild);
	mutex_destroy(&goal->lock);
	kfree(goal);
}

static struct goal *goal_find(const struct dxl_bus *bus)
{
	struct goal *goal;

	lockdep_assert_held(&goals_lock);

	list_for_each_entry(goal, &goals, node)
		if (goal->bus == bus)
			return goal;

	return NULL;
}

static void goal_insert(struct goal *goal, struct dxl_servo *servo)
{
	struct dxl_servo *other;

	guard(mutex)(&goal->lock);

	list_for_each_entry(other, &goal->servos, node)
		if (other->ddev->id > servo->ddev->id)
			break;
	list_add_tail(&servo->node, &other->node);
}

/**
 * dxl_goal_add_servo() - make a servo part of its bus's pose
 * @servo: the servo
 *
 * Return: 0 or a negative errno
 */
int dxl_goal_add_servo(struct dxl_servo *servo)
{
	struct goal *goal;

	guard(mutex)(&goals_lock);

	goal = goal_find(servo->ddev->bus);
	if (!goal)
		goal = goal_create(servo->ddev->bus);
	if (!goal)
		return -ENOMEM;

	goal_insert(goal, servo);
	mod_delayed_work(system_wq, &goal->rebuild,
			 msecs_to_jiffies(SETTLE_MS));

	return 0;
}

/**
 * dxl_goal_remove_servo() - take a servo out of its bus's pose
 * @servo: the servo; nothing refers to it afterwards
 */
void dxl_goal_remove_servo(struct dxl_servo *servo)
{
	struct goal *goal;

	guard(mutex)(&goals_lock);

	goal = goal_find(servo->ddev->bus);
	scoped_guard(mutex, &goal->lock) {
		goal_drop_pose(goal);
		list_del(&servo->node);
	}

	if (list_empty(&goal->servos))
		goal_destroy(goal);
	else
		mod_delayed_work(system_wq, &goal->rebuild,
				 msecs_to_jiffies(SETTLE_MS));
}
