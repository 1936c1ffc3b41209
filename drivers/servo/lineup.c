// SPDX-License-Identifier: GPL-2.0
/*
 * Who of a team is moved, and let go, now
 *
 * Exchanges go through the targets of a team, so these are only such as have a servo. All
 * members are gathered when the pose device is registered anew; in between a servo can
 * leave its place, and come back to it.
 *
 * Locks: who changes the targets of a team holds both its stream_lock, as exchanges do that
 * look at them, and @recovery, as those do who use them in process context. An exchange that
 * is under way points to what has left until dxl_cycle_flush(), and who computes how long one
 * takes until dxl_cycle_update(). The patrol looks at them without a lock, and is stopped
 * meanwhile.
 *
 * Lifetime: the memory of a line-up is swapped for that of the next one under both locks, and
 * freed by the thread that did so; nothing outside of the locks points into it.
 */
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "team.h"

/**
 * struct lineup_room - memory for a line-up
 * @capacity: for so many servos
 * @targets: as those of &struct dxl_team, and so on
 * @items: for what is asked and told outside of exchanges
 * @survey: for what is asked
 * @release: for what lets joints go
 */
struct lineup_room {
	unsigned int capacity;
	struct dxl_target **targets;
	struct dxl_item *items;
	struct dxl_group *survey;
	struct dxl_group *release;
};

static void free_room(const struct lineup_room *room)
{
	dxl_group_free(room->release);
	dxl_group_free(room->survey);
	kfree(room->items);
	kfree(room->targets);
}

static int alloc_room(struct dxl_bus *bus, struct lineup_room *room)
{
	unsigned int count = room->capacity, items = count * GOAL_ITEMS;

	room->targets = kcalloc(count, sizeof(*room->targets), GFP_KERNEL);
	room->items = kcalloc(count + items, sizeof(*room->items), GFP_KERNEL);
	room->survey = dxl_group_alloc(bus, count, DXL_PRIO_REQUEST);
	room->release = dxl_group_alloc(bus, items, DXL_PRIO_RELEASE);
	if (room->targets && room->items && room->survey && room->release)
		return 0;

	free_room(room);

	return -ENOMEM;
}

static void swap_room(struct dxl_team *team, struct lineup_room *room)
{
	lockdep_assert_held(&team->stream_lock);

	swap(team->capacity, room->capacity);
	swap(team->targets, room->targets);
	swap(team->items, room->items);
	swap(team->survey, room->survey);
	swap(team->release, room->release);
	team->count = 0;
}

/* Nothing changes if there is no memory for that. */
static int join_exchanges(struct dxl_team *team, unsigned int count)
{
	/* The torque limit as it rises is beside all else. */
	unsigned int items = (POSE_ITEMS + 1) * count;

	if (team->capacity)
		return dxl_cycle_resize_output(team->bus, &team->output, items);

	team->output.max_items = items;

	return dxl_cycle_add_output(team->bus, &team->output);
}

/**
 * dxl_lineup_drop() - take all servos out of exchanges
 * @team: the team, without a member
 *
 * Context: Process context. Sleeps.
 */
void dxl_lineup_drop(struct dxl_team *team)
{
	struct lineup_room room = {};

	if (!team->capacity)
		return;

	spin_lock_bh(&team->stream_lock);
	swap_room(team, &room);
	spin_unlock_bh(&team->stream_lock);

	dxl_cycle_remove_output(team->bus, &team->output);
	free_room(&room);
}

/*
 * A lease that has lapsed has taken the torque of all servos, and so has a person who has let all
 * joints go: a new one has none either.
 */
static void add_members(struct dxl_team *team)
{
	struct dxl_target *target;

	lockdep_assert_held(&team->stream_lock);

	list_for_each_entry(target, &team->members, node) {
		team->targets[team->count++] = target;
		if (team->stream == STREAM_LAPSED || (team->limp && !target->gathered))
			dxl_torque_event(target->servo, TORQUE_TAKEN);
		WRITE_ONCE(target->gathered, true);
	}
}

/*
 * Without a stream nothing tells a servo again to let go. One that has just joined may hold its
 * joint, as it has been without a driver.
 */
static void tell_of_limp(const struct dxl_team *team, const struct dxl_target *target)
{
	lockdep_assert_held(&team->recovery);

	if (READ_ONCE(team->limp))
		dxl_servo_release(target->servo);
}

static void tell_newcomers_of_limp(const struct dxl_team *team)
{
	const struct dxl_target *target;

	list_for_each_entry(target, &team->members, node)
		if (!target->gathered)
			tell_of_limp(team, target);
}

/**
 * dxl_lineup_gather() - have all members of a team be moved
 * @team: the team, without a pose device, and each of its members with a servo
 *
 * If there is no memory for that, the line-up stays as it is.
 *
 * Context: Process context, with the team's lock held. Sleeps.
 * Return: 0 or -ENOMEM
 */
int dxl_lineup_gather(struct dxl_team *team)
{
	struct lineup_room room = { .capacity = list_count_nodes(&team->members) };
	int ret;

	lockdep_assert_held(&team->lock);

	guard(mutex)(&team->recovery);

	team->incomplete = true;
	ret = alloc_room(team->bus, &room);
	if (ret)
		return ret;
	ret = join_exchanges(team, room.capacity);
	if (ret) {
		free_room(&room);
		return ret;
	}

	/* If all are let go only now, these are told with the others, who wait for @recovery. */
	tell_newcomers_of_limp(team);
	spin_lock_bh(&team->stream_lock);
	swap_room(team, &room);
	add_members(team);
	spin_unlock_bh(&team->stream_lock);
	team->incomplete = false;
	free_room(&room);
	/* What is said to all again and again is to be said to those that are new. */
	dxl_cycle_urge(team->bus);

	return 0;
}

/**
 * dxl_lineup_join() - a servo has come back for which poses have channels
 * @target: the servo
 *
 * If somebody watches, its torque has been taken by its having gone, or by a person who has let
 * all joints go meanwhile.
 *
 * Context: Process context. Sleeps.
 */
void dxl_lineup_join(struct dxl_target *target)
{
	struct dxl_team *team = target->servo->team;
	unsigned int i;

	guard(mutex)(&team->recovery);

	dxl_patrol_end(team);
	spin_lock_bh(&team->stream_lock);
	for (i = team->count++; i && team->targets[i - 1]->id > target->id; i--)
		team->targets[i] = team->targets[i - 1];
	team->targets[i] = target;
	WRITE_ONCE(target->gathered, true);
	target->ramping = false;
	dxl_stiffness_renew(target);
	if (team->stream != STREAM_IDLE || team->limp)
		dxl_torque_event(target->servo, TORQUE_TAKEN);
	spin_unlock_bh(&team->stream_lock);
	tell_of_limp(team, target);
	dxl_cycle_update(team->bus);
	if (dxl_stream_is_open(READ_ONCE(team->stream)))
		dxl_patrol_begin(team);
}

/**
 * dxl_lineup_leave() - a servo is about to go
 * @target: the servo; nothing of it is used any more on return
 *
 * Context: Process context. Sleeps.
 */
void dxl_lineup_leave(struct dxl_target *target)
{
	struct dxl_team *team = target->servo->team;
	unsigned int i, k = 0;

	guard(mutex)(&team->recovery);

	dxl_patrol_end(team);
	spin_lock_bh(&team->stream_lock);
	for (i = 0; i < team->count; i++)
		if (team->targets[i] != target)
			team->targets[k++] = team->targets[i];
	team->count = k;
	WRITE_ONCE(target->gathered, false);
	spin_unlock_bh(&team->stream_lock);
	dxl_cycle_flush(team->bus);
	/* Nor is it used by who is just computing how long a pose takes. */
	dxl_cycle_update(team->bus);
	if (dxl_stream_is_open(READ_ONCE(team->stream)))
		dxl_patrol_begin(team);
}
