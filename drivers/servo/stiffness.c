// SPDX-License-Identifier: GPL-2.0
/*
 * Poses that say how stiff each joint is
 *
 * Above 0 it is the torque limit, and the joint has torque. At 0 it has none, and is
 * braked where its motor can do that; below 0 it is not even that. What is free by this
 * is stiff again by the next pose that says so; what somebody has let go by hand in
 * mid-stream is not.
 *
 * A stiffness is sent when it changes, and once more, as nobody acknowledges it. Not in
 * every pose: a servo that has shut itself down has a torque limit of 0, which the same
 * value once more would undo before anybody has noticed. Where the torque limit is the
 * neighbour of the goals it goes with them. While the torque comes back, see ramp.c, it
 * is what it rises to.
 *
 * Everything here is called with the team's stream_lock held.
 */
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/unaligned.h>

#include "pose.h"

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

/* It is to have torque. What has become of it since the last pose may need saying, too. */
static void stiffen(struct pose_target *target)
{
	struct dxl_servo *servo = target->servo;

	if (is_relaxed(target))
		target->repeats = ROUNDS;
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
	target->stiffness = stiffness;
	if (stiffness > 0)
		stiffen(target);
	else
		dxl_torque_event(target->servo, TORQUE_EASED);
	dxl_pose_fill(target, pose->sample);
	/* What it does not get now it is to get later. */
	if (!dxl_pose_takes(target->servo) && target->servo->torque != TORQUE_RELAXED)
		target->repeats = ROUNDS;
}

/* --- items: the goals first, then what they are approached with, then the torque --- */

static bool says_limit(const struct pose_target *target)
{
	return target->repeats && target->stiffness > 0 && !is_recovering(target);
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
	if (!says_limit(target) || !is_neighbour(target))
		return true;

	dxl_servo_encode(limit, target->stiffness, target->bytes + item->len);
	item->len += limit->size;

	return true;
}

static bool limit_item(struct pose_target *target, struct dxl_item *item)
{
	if (!dxl_pose_takes(target->servo) || !says_limit(target) || is_neighbour(target))
		return false;

	dxl_servo_encode(field(target, SERVO_TORQUE_LIMIT), target->stiffness,
			 target->limit);
	dxl_pose_register(item, target->servo, SERVO_TORQUE_LIMIT, target->limit);

	return true;
}

/* A goal is enough for those of Protocol 1.0. */
static bool torque_item(struct pose_target *target, struct dxl_item *item)
{
	const struct dxl_servo *servo = target->servo;

	target->torque = target->stiffness > 0;
	if (!target->repeats || READ_ONCE(servo->wrong_model))
		return false;
	if (target->torque && (servo->model->protocol == DXL_PROTOCOL_1 ||
			       !dxl_pose_takes(target->servo)))
		return false;
	if (!target->torque && servo->torque != TORQUE_RELAXED)
		return false;

	dxl_pose_register(item, servo, SERVO_TORQUE_ENABLE, &target->torque);

	return true;
}

/* Torque makes the motor brake again by itself. */
static bool brake_item(struct pose_target *target, struct dxl_item *item)
{
	target->brake = !target->stiffness;
	if (!field(target, SERVO_BRAKE)->size || !target->repeats ||
	    target->servo->torque != TORQUE_RELAXED ||
	    READ_ONCE(target->servo->wrong_model))
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
	unsigned int kind, i, count = 0;

	for (kind = 0; kind < POSE_ITEMS; kind++)
		for (i = 0; i < pose->count; i++)
			count += item_kinds[kind](&pose->targets[i], &items[count]);

	for (i = 0; i < pose->count; i++)
		if (pose->targets[i].repeats)
			pose->targets[i].repeats--;

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
		if (pose->targets[i].repeats)
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
		pose->targets[i].repeats = ROUNDS;
		pose->targets[i].stiffness = 0;
		dxl_torque_event(pose->targets[i].servo, TORQUE_CLAIMED);
	}
}

/**
 * dxl_stiffness_plan() - the longest that such a pose can be
 * @pose: the pose device
 * @items: where to put it
 *
 * Return: number of items
 */
unsigned int dxl_stiffness_plan(struct pose *pose, struct dxl_item *items)
{
	unsigned int i, count = 0;

	for (i = 0; i < pose->count; i++) {
		struct pose_target *target = &pose->targets[i];

		items[count] = target->item;
		if (is_neighbour(target))
			items[count].len += field(target, SERVO_TORQUE_LIMIT)->size;
		else
			dxl_pose_register(&items[++count], target->servo,
					  SERVO_TORQUE_LIMIT, target->limit);
		dxl_pose_register(&items[++count], target->servo, SERVO_TORQUE_ENABLE,
				  &target->torque);
		count++;
	}

	return count;
}
