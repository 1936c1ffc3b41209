// SPDX-License-Identifier: GPL-2.0
/*
 * How the servos are that nobody hears of while poses are streamed
 *
 * Nobody answers a pose. A servo that is asked for nothing else, as no frames are read,
 * could be gone, or have shut itself down, with nobody to notice. So it is asked now and
 * then for any register: that it is silent, or gives an alarm, is what the core counts as
 * a doubt, from which all else follows, see doubt.c. One that has given an alarm for long
 * would say nothing new if it had shut itself down by now, so it is asked for that.
 *
 * The work takes no lock. It runs from the beginning of a stream to its end, which waits
 * for it, so the targets and their servos outlive it. It asks by requests: a thousand readers
 * of attributes must not delay it, nor the threads that wait for its end.
 */
#include <linux/container_of.h>
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "team.h"

#define INTERVAL	msecs_to_jiffies(100)

/* For how long a servo may say nothing, and nothing but that it is not well. */
#define SILENCE		msecs_to_jiffies(200)
#define ALARM		msecs_to_jiffies(1000)

static bool is_long_ago(unsigned long when, unsigned long pause)
{
	return !time_in_range(when, jiffies - pause, jiffies);
}

/* One that is lost is asked by the core. */
static bool is_unheard_of(const struct dxl_device *ddev)
{
	return READ_ONCE(ddev->state) != DXL_LOST &&
	       is_long_ago(READ_ONCE(ddev->heard), SILENCE);
}

/* While its torque comes back it may be rightly without. */
static bool is_unwell(const struct dxl_target *target)
{
	enum dxl_torque torque = READ_ONCE(target->servo->torque);

	return READ_ONCE(target->servo->ddev->alerts) &&
	       (torque == TORQUE_STIFF || torque == TORQUE_RELAXED) &&
	       is_long_ago(target->doubted, ALARM);
}

static void ask(const struct dxl_servo *servo)
{
	u8 torque;

	dxl_read(servo->ddev, dxl_servo_field(servo, SERVO_TORQUE_ENABLE)->addr, &torque,
		 sizeof(torque));
}

static void look_after(struct dxl_target *target)
{
	if (is_unheard_of(target->servo->ddev))
		ask(target->servo);
	if (!is_unwell(target))
		return;

	target->doubted = jiffies;
	dxl_device_doubt(target->servo->ddev);
}

static void patrol(struct work_struct *work)
{
	struct dxl_team *team = container_of(to_delayed_work(work), struct dxl_team, patrol);
	unsigned int i;

	for (i = 0; i < team->count; i++) {
		if (READ_ONCE(team->stream) == STREAM_IDLE)
			return;
		look_after(team->targets[i]);
	}

	queue_delayed_work(system_freezable_wq, &team->patrol, INTERVAL);
}

/**
 * dxl_patrol_init() - prepare a team for that
 * @team: the team
 */
void dxl_patrol_init(struct dxl_team *team)
{
	INIT_DELAYED_WORK(&team->patrol, patrol);
}

/**
 * dxl_patrol_prepare() - a stream has begun that has sent nothing yet
 * @team: the team
 *
 * Context: Process context.
 */
void dxl_patrol_prepare(struct dxl_team *team)
{
	bool stiffness = READ_ONCE(team->options) & POSE_STIFFNESS;
	struct dxl_target *target;
	unsigned int i;

	for (i = 0; i < team->count; i++) {
		target = team->targets[i];
		target->doubted = jiffies - ALARM - 1;
		/* A first torque limit could undo what nobody has heard of yet. */
		if (is_unwell(target) ||
		    (stiffness && is_unheard_of(target->servo->ddev)))
			dxl_device_doubt(target->servo->ddev);
	}
}

/**
 * dxl_patrol_begin() - it has begun
 * @team: the team
 */
void dxl_patrol_begin(struct dxl_team *team)
{
	queue_delayed_work(system_freezable_wq, &team->patrol, INTERVAL);
}

/**
 * dxl_patrol_end() - it has ended
 * @team: the team
 *
 * Context: Process context. Sleeps.
 */
void dxl_patrol_end(struct dxl_team *team)
{
	cancel_delayed_work_sync(&team->patrol);
}
