// SPDX-License-Identifier: GPL-2.0
/*
 * Poses that say how stiff each joint is
 *
 * Above 0 it is the torque limit, and the joint has torque. At 0 it has none, and is
 * braked where its motor can do that; below 0 it is not even that. What is free by this
 * is stiff again by the next pose that says so; what somebody has let go by hand in
 * mid-stream is not.
 *
 * LEFT_ALONE is for a joint of which the program knows too little: the servo gets neither its
 * goal nor a stiffness, and keeps what it has. A servo of whose mode a pose has no goal can be
 * let go by that, and is not made stiff.
 *
 * A stiffness is sent when it changes, and once more, as nobody acknowledges it. Where the
 * torque limit is the neighbour of the goals it goes with them. While the torque comes
 * back, see ramp.c, it is what it rises to.
 *
 * Servos of Protocol 1.0 that have shut themselves down have a torque limit of 0, and any
 * other undoes that, and the alarm too. So theirs is never sent twice without an answer
 * between, nor more often than every 100 ms, for it is in the answers meanwhile that a
 * shutdown shows: of ten periods of 10 ms it would have to fall into the one before it.
 * Nor is one that has been set free made stiff without having answered since.
 *
 * Locks: all but what ends it is called with the team's stream_lock held, which guards the
 * targets. What an item points to, in its target, stays until the exchange has ended: the
 * next is filled only then.
 */
#include <linux/array_size.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/unaligned.h>

#include "pose.h"

/* Time between two torque limits that could undo a shutdown. */
#define LIMIT_PAUSE	msecs_to_jiffies(100)

/* Below any stiffness */
#define LEFT_ALONE	S16_MIN

static const struct dxl_servo_field *field(const struct dxl_target *target,
					   enum dxl_servo_reg reg)
{
	return dxl_servo_field(target->servo, reg);
}

static int bounded(const struct dxl_target *target, s16 stiffness)
{
	int max = dxl_servo_layout(target->servo)->torque_max;

	return clamp(stiffness, -max, max);
}

static bool is_recovering(const struct dxl_target *target)
{
	return target->servo->torque == TORQUE_RECOVERING;
}

static bool shutdown_can_be_undone(const struct dxl_target *target)
{
	return dxl_servo_layout(target->servo)->shutdown == SHUTDOWN_LIMIT;
}

static bool has_answered_since(const struct dxl_target *target, unsigned long when)
{
	return time_after(READ_ONCE(target->servo->ddev->heard), when);
}

/* It is all to be said, and at once. */
static void be_new(struct dxl_target *target)
{
	target->repeats = ROUNDS;
	target->switches = ROUNDS;
	target->fresh = true;
}

/*
 * Whether one that poses have let go may get torque: nothing is to be asked first, and no
 * ramp is under way that it would escape.
 */
static bool may_stiffen(const struct dxl_target *target)
{
	const struct dxl_servo *servo = target->servo;

	if (dxl_doubt_lasts(servo))
		return false;
	if (target->ramping && servo->team->stream == STREAM_RECOVERING)
		return false;

	return !shutdown_can_be_undone(target) || has_answered_since(target, target->eased);
}

/* It is to have torque. What has become of it since the last pose may need saying, too. */
static void stiffen(struct dxl_target *target)
{
	struct dxl_servo *servo = target->servo;

	if (dxl_torque_now(servo) == TORQUE_RELAXED) {
		if (!may_stiffen(target))
			return;
		be_new(target);
	} else if (!dxl_target_moves(target)) {
		return;
	}

	dxl_torque_event(servo, TORQUE_MOVED);
	WRITE_ONCE(servo->limit, target->stiffness);
	WRITE_ONCE(servo->restore, is_recovering(target) ? target->stiffness : -1);
}

/* It is to have none. Whoever has given it some is told again. */
static void ease(struct dxl_target *target)
{
	if (target->servo->torque == TORQUE_RELAXED)
		return;

	be_new(target);
	target->eased = jiffies;
	dxl_torque_event(target->servo, TORQUE_EASED);
}

static void take(struct dxl_target *target, const u8 *sample)
{
	s16 said = get_unaligned_le16(sample + target->stiffness_at);
	int stiffness = bounded(target, said);

	target->left_alone = said == LEFT_ALONE ||
			     (stiffness > 0 && !dxl_target_is_meant(target));
	if (target->left_alone || !dxl_servo_takes_poses(target->servo))
		return;
	if (stiffness != target->stiffness)
		target->repeats = ROUNDS;
	if (stiffness > 0 ? target->stiffness <= 0 : target->stiffness > 0)
		target->switches = ROUNDS;
	target->stiffness = stiffness;
	if (stiffness > 0)
		stiffen(target);
	else
		ease(target);
	/* What it does not get now it is to get later. */
	if (!dxl_target_moves(target) && target->servo->torque != TORQUE_RELAXED) {
		target->repeats = ROUNDS;
		target->switches = ROUNDS;
	}
}

/* --- items: the goals first, then what they are approached with, then the torque --- */

static bool could_undo_shutdown(const struct dxl_target *target)
{
	if (!shutdown_can_be_undone(target) || target->fresh)
		return false;

	return !has_answered_since(target, target->said) ||
	       time_in_range(jiffies, target->said, target->said + LIMIT_PAUSE);
}

/* Whether its stiffness is to be said now, and not only its goals. */
static bool is_due(const struct dxl_target *target)
{
	if (!target->repeats || READ_ONCE(target->servo->wrong_model))
		return false;
	if (target->stiffness <= 0)
		return target->servo->torque == TORQUE_RELAXED;

	return target->moves && !is_recovering(target) && !could_undo_shutdown(target);
}

/* All that follows goes by one look at it, as doubts arise meanwhile. */
static void look_at(struct dxl_target *target)
{
	target->moves = !target->left_alone && dxl_target_is_meant(target) &&
			dxl_target_moves(target);
	target->due = !target->left_alone && is_due(target);
}

static bool has_new_limit(const struct dxl_target *target)
{
	return target->due && target->stiffness > 0 && dxl_servo_has_limit(target->servo);
}

/* Returns how many items it is. */
static unsigned int goal_items(struct dxl_target *target, struct dxl_item *items)
{
	bool limit = has_new_limit(target) && dxl_target_limit_is_near(target);

	if (!target->moves)
		return 0;

	dxl_torque_event(target->servo, TORQUE_MOVED);

	return dxl_target_items(target, limit ? target->stiffness : -1, items);
}

static unsigned int limit_item(struct dxl_target *target, struct dxl_item *item)
{
	if (!has_new_limit(target) || dxl_target_limit_is_near(target))
		return 0;

	dxl_servo_encode(field(target, SERVO_TORQUE_LIMIT), target->stiffness,
			 target->limit);
	dxl_target_register(item, target->servo, SERVO_TORQUE_LIMIT, target->limit);

	return 1;
}

/* To those of Protocol 1.0 a goal position gives it. */
static bool gets_torque_by_goal(const struct dxl_servo *servo)
{
	return servo->model->protocol == DXL_PROTOCOL_1 &&
	       READ_ONCE(servo->mode)->position_range;
}

static unsigned int torque_item(struct dxl_target *target, struct dxl_item *item)
{
	target->torque = target->stiffness > 0;
	if (!target->due || !target->switches ||
	    (target->torque && gets_torque_by_goal(target->servo)))
		return 0;

	dxl_target_register(item, target->servo, SERVO_TORQUE_ENABLE, &target->torque);

	return 1;
}

/* Torque makes the motor brake again by itself. */
static unsigned int brake_item(struct dxl_target *target, struct dxl_item *item)
{
	target->brake = !target->stiffness;
	if (!target->due || target->stiffness > 0 || !field(target, SERVO_BRAKE)->size)
		return 0;

	dxl_target_register(item, target->servo, SERVO_BRAKE, &target->brake);

	return 1;
}

static unsigned int (*const item_kinds[])(struct dxl_target *target,
					  struct dxl_item *items) = {
	goal_items, limit_item, torque_item, brake_item
};

static unsigned int all_items(struct dxl_team *team, struct dxl_item *items)
{
	struct dxl_target *target;
	unsigned int kind, i, count = 0;

	for (i = 0; i < team->count; i++)
		look_at(team->targets[i]);

	for (kind = 0; kind < ARRAY_SIZE(item_kinds); kind++)
		for (i = 0; i < team->count; i++)
			count += item_kinds[kind](team->targets[i], &items[count]);

	for (i = 0; i < team->count; i++) {
		target = team->targets[i];
		if (!target->due)
			continue;
		target->repeats--;
		target->switches -= !!target->switches;
		target->said = jiffies;
		target->fresh = false;
	}

	return count;
}

/**
 * dxl_stiffness_items() - a sample with stiffness as it goes to the servos
 * @pose: the pose device, its sample and the goals in it taken from the buffer
 * @items: where to put it
 *
 * Return: number of items
 */
unsigned int dxl_stiffness_items(struct pose *pose, struct dxl_item *items)
{
	struct dxl_team *team = pose->team;
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	for (i = 0; i < team->count; i++)
		take(team->targets[i], pose->sample);

	return all_items(team, items);
}

/**
 * dxl_stiffness_repeat() - what of the last pose has to be said once more
 * @team: the team, for which no pose has come in time since the first
 * @items: where to put it
 *
 * Return: number of items
 */
unsigned int dxl_stiffness_repeat(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	for (i = 0; i < team->count; i++) {
		look_at(team->targets[i]);
		if (team->targets[i]->due)
			return all_items(team, items);
	}

	return 0;
}

/**
 * dxl_stiffness_renew() - a servo has come back, and has been told nothing yet
 * @target: the servo
 */
void dxl_stiffness_renew(struct dxl_target *target)
{
	be_new(target);
	target->stiffness = 0;
	target->eased = jiffies;
}

/*
 * A servo that was let go by hand is free until a pose says otherwise. A trip, be it over or to
 * come, takes nothing from it. While the write that lets it go is under way it does not count as
 * free.
 */
static bool is_claimed(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->by_hand) && !servo->letting_go && dxl_servo_takes_poses(servo);
}

/**
 * dxl_stiffness_begin() - a stream with stiffness begins
 * @team: the team
 *
 * It has the say on those that were let go by hand before.
 */
void dxl_stiffness_begin(struct dxl_team *team)
{
	struct dxl_target *target;
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	for (i = 0; i < team->count; i++) {
		target = team->targets[i];
		be_new(target);
		target->stiffness = 0;
		target->eased = jiffies;
		if (is_claimed(target->servo))
			dxl_torque_event(target->servo, TORQUE_CLAIMED);
	}
}

/* A torque limit of 0 is one that the servo has set, which is to stay. */
static void say_limit(const struct dxl_target *target)
{
	int limit;

	if (!dxl_servo_has_limit(target->servo) ||
	    dxl_servo_read_anyway(target->servo, SERVO_TORQUE_LIMIT, &limit))
		return;
	if (limit && limit != target->stiffness)
		dxl_servo_write_anyway(target->servo, SERVO_TORQUE_LIMIT, target->stiffness);
}

/**
 * dxl_stiffness_end() - a stream with stiffness has ended
 * @team: the team
 *
 * What had to wait is said now.
 *
 * Context: Process context. Sleeps.
 */
void dxl_stiffness_end(struct dxl_team *team)
{
	unsigned int i;

	for (i = 0; i < team->count; i++) {
		const struct dxl_target *target = team->targets[i];

		if (target->repeats && target->stiffness > 0 &&
		    READ_ONCE(target->servo->torque) == TORQUE_STIFF)
			say_limit(target);
	}
}

/**
 * dxl_stiffness_plan() - what makes the longest of such poses longer than others
 * @team: the team
 * @items: where to put it
 *
 * The torque limits are in what is the longest anyhow, while the torque comes back.
 *
 * Return: number of items
 */
unsigned int dxl_stiffness_plan(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;

	/* One packet more of Protocol 1.0: what it says of each is said of goals else. */
	for (i = 0; i < team->count; i++) {
		struct dxl_target *target = team->targets[i];

		if (!dxl_servo_takes_poses(target->servo))
			continue;
		if (!count || target->servo->model->protocol == DXL_PROTOCOL_2)
			dxl_target_register(&items[count++], target->servo,
					    SERVO_TORQUE_ENABLE, &target->torque);
	}

	return count;
}
