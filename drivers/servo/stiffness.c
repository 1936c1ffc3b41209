// SPDX-License-Identifier: GPL-2.0
/*
 * Poses that say how stiff each joint is
 *
 * Above 0 it is the torque limit, and the joint has torque. At 0 it has none, and is
 * braked where its motor can do that; below 0 it is not even that. What is free by this
 * is stiff again by the next pose that says so; what somebody has let go by hand in
 * mid-stream is not.
 *
 * A stiffness is sent when it changes, and once more, as nobody acknowledges it. Where the
 * torque limit is the neighbour of the goals it goes with them. While the torque comes
 * back, see ramp.c, it is what it rises to.
 *
 * Servos of Protocol 1.0 that have shut themselves down have a torque limit of 0, and any
 * other undoes that, and the alarm too. So theirs is never sent twice without an answer
 * between, nor more often than every 100 ms, for it is in the answers meanwhile that a
 * shutdown shows: of ten periods of 10 ms it would have to fall into the one before it.
 *
 * Everything here is called with the team's stream_lock held.
 */
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/unaligned.h>

#include "pose.h"

/* Time between two torque limits that could undo a shutdown, and without an answer. */
#define LIMIT_PAUSE		msecs_to_jiffies(100)
#define LIMIT_PAUSE_UNHEARD	msecs_to_jiffies(500)

static const struct dxl_servo_field *field(const struct pose_target *target,
					   enum dxl_servo_reg reg)
{
	return dxl_servo_field(target->servo, reg);
}

static int stiffness_in(const struct pose_target *target, const u8 *sample)
{
	int max = dxl_servo_layout(target->servo)->torque_max;

	return clamp((s16)get_unaligned_le16(sample + target->stiffness_at), -max, max);
}

static bool is_recovering(const struct pose_target *target)
{
	return target->servo->torque == TORQUE_RECOVERING;
}

/* Not by hand, and nothing is to be asked first. */
static bool is_relaxed(struct pose_target *target)
{
	return dxl_torque_now(target->servo) == TORQUE_RELAXED &&
	       !dxl_doubt_lasts(target->servo);
}

/* It is all to be said at once: what has no torque cannot have an overload. */
static void be_new(struct pose_target *target)
{
	target->repeats = ROUNDS;
	target->switches = ROUNDS;
	target->said = jiffies - LIMIT_PAUSE_UNHEARD;
}

/* It is to have torque. What has become of it since the last pose may need saying, too. */
static void stiffen(struct pose_target *target)
{
	struct dxl_servo *servo = target->servo;

	if (is_relaxed(target))
		be_new(target);
	else if (!dxl_pose_takes(servo))
		return;

	dxl_torque_event(servo, TORQUE_MOVED);
	WRITE_ONCE(servo->limit, target->stiffness);
	WRITE_ONCE(servo->restore, is_recovering(target) ? target->stiffness : -1);
}

static void take(struct pose *pose, struct pose_target *target)
{
	int stiffness = stiffness_in(target, pose->sample);

	if (stiffness != target->stiffness)
		target->repeats = ROUNDS;
	if (stiffness > 0 ? target->stiffness <= 0 : target->stiffness > 0)
		target->switches = ROUNDS;
	target->stiffness = stiffness;
	if (stiffness > 0)
		stiffen(target);
	else
		dxl_torque_event(target->servo, TORQUE_EASED);
	dxl_pose_fill(target, pose->sample);
	/* What it does not get now it is to get later. */
	if (!dxl_pose_takes(target->servo) && target->servo->torque != TORQUE_RELAXED) {
		target->repeats = ROUNDS;
		target->switches = ROUNDS;
	}
}

/* --- items: the goals first, then what they are approached with, then the torque --- */

static bool could_undo_shutdown(const struct pose_target *target)
{
	unsigned long heard = READ_ONCE(target->servo->ddev->heard);

	if (dxl_servo_layout(target->servo)->shutdown != SHUTDOWN_LIMIT)
		return false;
	if (time_after(heard, target->said))
		return time_before(jiffies, target->said + LIMIT_PAUSE);

	return time_before(jiffies, target->said + LIMIT_PAUSE_UNHEARD);
}

/* Whether its stiffness is to be said now, and not only its goals. */
static bool is_due(struct pose_target *target)
{
	if (!target->repeats || READ_ONCE(target->servo->wrong_model))
		return false;
	if (target->stiffness <= 0)
		return target->servo->torque == TORQUE_RELAXED;

	return dxl_pose_takes(target->servo) && !is_recovering(target) &&
	       !could_undo_shutdown(target);
}

static bool is_neighbour(const struct pose_target *target)
{
	return field(target, SERVO_TORQUE_LIMIT)->addr ==
	       target->item.addr + target->item.len;
}

static bool goal_item(struct pose_target *target, struct dxl_item *item)
{
	const struct dxl_servo_field *limit = field(target, SERVO_TORQUE_LIMIT);

	if (!dxl_pose_takes(target->servo))
		return false;

	*item = target->item;
	if (!target->due || !is_neighbour(target))
		return true;

	dxl_servo_encode(limit, target->stiffness, target->bytes + item->len);
	item->len += limit->size;

	return true;
}

static bool limit_item(struct pose_target *target, struct dxl_item *item)
{
	if (!target->due || target->stiffness <= 0 || is_neighbour(target))
		return false;

	dxl_servo_encode(field(target, SERVO_TORQUE_LIMIT), target->stiffness,
			 target->limit);
	dxl_pose_register(item, target->servo, SERVO_TORQUE_LIMIT, target->limit);

	return true;
}

/* To those of Protocol 1.0 a goal gives it. */
static bool torque_item(struct pose_target *target, struct dxl_item *item)
{
	target->torque = target->stiffness > 0;
	if (!target->due || !target->switches ||
	    (target->torque && target->servo->model->protocol == DXL_PROTOCOL_1))
		return false;

	dxl_pose_register(item, target->servo, SERVO_TORQUE_ENABLE, &target->torque);

	return true;
}

/* Torque makes the motor brake again by itself. */
static bool brake_item(struct pose_target *target, struct dxl_item *item)
{
	target->brake = !target->stiffness;
	if (!target->due || target->stiffness > 0 || !field(target, SERVO_BRAKE)->size)
		return false;

	dxl_pose_register(item, target->servo, SERVO_BRAKE, &target->brake);

	return true;
}

static bool (*const item_kinds[POSE_ITEMS])(struct pose_target *target,
					    struct dxl_item *item) = {
	goal_item, limit_item, torque_item, brake_item
};

static unsigned int all_items(struct pose *pose, struct dxl_item *items)
{
	struct pose_target *target;
	unsigned int kind, i, count = 0;

	for (i = 0; i < pose->count; i++)
		pose->targets[i].due = is_due(&pose->targets[i]);

	for (kind = 0; kind < POSE_ITEMS; kind++)
		for (i = 0; i < pose->count; i++)
			count += item_kinds[kind](&pose->targets[i], &items[count]);

	for (i = 0; i < pose->count; i++) {
		target = &pose->targets[i];
		if (!target->due)
			continue;
		target->repeats--;
		target->switches -= !!target->switches;
		target->said = jiffies;
	}

	return count;
}

/**
 * dxl_stiffness_items() - a sample with stiffness as it goes to the servos
 * @pose: the pose device, its sample taken from the buffer
 * @items: where to put it
 *
 * Return: number of items
 */
unsigned int dxl_stiffness_items(struct pose *pose, struct dxl_item *items)
{
	unsigned int i;

	lockdep_assert_held(&pose->team->stream_lock);

	for (i = 0; i < pose->count; i++)
		take(pose, &pose->targets[i]);

	return all_items(pose, items);
}

/**
 * dxl_stiffness_repeat() - what of the last pose has to be said once more
 * @pose: the pose device, for which no pose has come in time
 * @items: where to put it
 *
 * Return: number of items
 */
unsigned int dxl_stiffness_repeat(struct pose *pose, struct dxl_item *items)
{
	unsigned int i;

	lockdep_assert_held(&pose->team->stream_lock);

	for (i = 0; i < pose->count && pose->begun; i++)
		if (is_due(&pose->targets[i]))
			return all_items(pose, items);

	return 0;
}

/**
 * dxl_stiffness_begin() - a stream with stiffness begins
 * @pose: the pose device
 *
 * It has the say on those that were let go by hand before.
 */
void dxl_stiffness_begin(struct pose *pose)
{
	unsigned int i;

	lockdep_assert_held(&pose->team->stream_lock);

	for (i = 0; i < pose->count; i++) {
		be_new(&pose->targets[i]);
		pose->targets[i].stiffness = 0;
		dxl_torque_event(pose->targets[i].servo, TORQUE_CLAIMED);
	}
}

/**
 * dxl_stiffness_plan() - what makes the longest of such poses longer than others
 * @pose: the pose device
 * @items: where to put it
 *
 * The torque limits are in what is the longest anyhow, while the torque comes back.
 *
 * Return: number of items
 */
unsigned int dxl_stiffness_plan(struct pose *pose, struct dxl_item *items)
{
	unsigned int i, count = 0;

	for (i = 0; i < pose->count; i++) {
		struct pose_target *target = &pose->targets[i];

		if (target->servo->model->protocol == DXL_PROTOCOL_2)
			dxl_pose_register(&items[count++], target->servo,
					  SERVO_TORQUE_ENABLE, &target->torque);
	}

	return count;
}
