// SPDX-License-Identifier: GPL-2.0
/*
 * How the servos are that nobody hears of while poses are streamed
 *
 * Nobody answers a pose. A servo that is asked for nothing else, as no frames are read,
 * could be gone, or have shut itself down, with nobody to notice. So it is asked now and
 * then for any register: that it is silent, or gives an alarm, is what the core counts as
 * a doubt, from which all else follows, see doubt.c.
 */
#include <linux/container_of.h>
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "pose.h"

#define INTERVAL	msecs_to_jiffies(100)

/* For how long a servo may say nothing. */
#define SILENCE		msecs_to_jiffies(200)

/* One that is lost is asked by the core. */
static bool is_unheard_of(const struct dxl_device *ddev)
{
	return READ_ONCE(ddev->state) != DXL_LOST &&
	       time_after(jiffies, READ_ONCE(ddev->heard) + SILENCE);
}

static void ask(const struct dxl_servo *servo)
{
	u8 torque;

	dxl_read_attribute(servo->ddev, dxl_servo_field(servo, SERVO_TORQUE_ENABLE)->addr,
			   &torque, sizeof(torque));
}

static void patrol(struct work_struct *work)
{
	struct pose *pose = container_of(to_delayed_work(work), struct pose, patrol);
	unsigned int i;

	for (i = 0; i < pose->count && READ_ONCE(pose->open); i++)
		if (is_unheard_of(pose->targets[i].servo->ddev))
			ask(pose->targets[i].servo);

	queue_delayed_work(system_freezable_wq, &pose->patrol, INTERVAL);
}

/**
 * dxl_patrol_init() - prepare a pose device for that
 * @pose: the pose device
 */
void dxl_patrol_init(struct pose *pose)
{
	INIT_DELAYED_WORK(&pose->patrol, patrol);
}

/**
 * dxl_patrol_begin() - a stream has begun
 * @pose: the pose device
 */
void dxl_patrol_begin(struct pose *pose)
{
	queue_delayed_work(system_freezable_wq, &pose->patrol, INTERVAL);
}

/**
 * dxl_patrol_end() - a stream ends
 * @pose: the pose device
 *
 * Context: Process context. Sleeps.
 */
void dxl_patrol_end(struct pose *pose)
{
	cancel_delayed_work_sync(&pose->patrol);
}
