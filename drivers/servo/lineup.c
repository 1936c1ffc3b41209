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
 */
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/slab.h>

#include "team.h"

/**
 * dxl_lineup_drop() - move nobody any more
 * @team: the team
 *
 * Context: Process context. Sleeps.
 */
void dxl_lineup_drop(struct dxl_team *team)
{
	spin_lock_bh(&team->stream_lock);
	team->count = 0;
	spin_unlock_bh(&team->stream_lock);

	if (team->capacity)
		dxl_cycle_remove_output(team->bus, &team->output);
	dxl_group_free(team->release);
	dxl_group_free(team->survey);
	kfree(team->items);
	kfree(team->targets);
	team->release = NULL;
	team->survey = NULL;
	team->items = NULL;
	team->targets = NULL;
	team->capacity = 0;
}

static int make_room(struct dxl_team *team, unsigned int count)
{
	unsigned int items = count * GOAL_ITEMS;
	int ret;

	team->targets = kcalloc(count, sizeof(*team->targets), GFP_KERNEL);
	team->items = kcalloc(count + items, sizeof(*team->items), GFP_KERNEL);
	team->survey = dxl_group_alloc(team->bus, count, DXL_PRIO_REQUEST);
	team->release = dxl_group_alloc(team->bus, items, DXL_PRIO_RELEASE);
	if (!team->targets || !team->items || !team->survey || !team->release)
		return -ENOMEM;

	/* The torque limit as it rises is beside all that. */
	team->output.max_items = (POSE_ITEMS + 1) * count;
	ret = dxl_cycle_add_output(team->bus, &team->output);
	if (!ret)
		team->capacity = count;

	return ret;
}

/* Whoever comes while nobody watches any more has no torque either. */
static void add_members(struct dxl_team *team)
{
	struct dxl_target *target;

	spin_lock_bh(&team->stream_lock);
	list_for_each_entry(target, &team->members, node) {
		team->targets[team->count++] = target;
		WRITE_ONCE(target->gathered, true);
		if (team->stream == STREAM_LAPSED)
			dxl_torque_event(target->servo, TORQUE_TAKEN);
	}
	spin_unlock_bh(&team->stream_lock);
}

/**
 * dxl_lineup_gather() - have all members of a team be moved
 * @team: the team, without a pose device, and all of its members with a servo
 *
 * Context: Process context, with the team's lock held. Sleeps.
 * Return: 0 or -ENOMEM
 */
int dxl_lineup_gather(struct dxl_team *team)
{
	unsigned int count = list_count_nodes(&team->members);
	int ret;

	lockdep_assert_held(&team->lock);

	guard(mutex)(&team->recovery);

	dxl_lineup_drop(team);
	if (!count)
		return 0;

	ret = make_room(team, count);
	if (ret) {
		dxl_lineup_drop(team);
		return ret;
	}

	add_members(team);
	/* What had to be said again and again had to wait. */
	dxl_cycle_urge(team->bus);

	return 0;
}

/**
 * dxl_lineup_join() - a servo has come back for which poses have channels
 * @target: the servo
 *
 * If somebody watches, its torque has been taken by its having gone.
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
	if (team->stream != STREAM_IDLE)
		dxl_torque_event(target->servo, TORQUE_TAKEN);
	spin_unlock_bh(&team->stream_lock);
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
	spin_unlock_bh(&team->stream_lock);
	dxl_cycle_flush(team->bus);
	/* Nor is it used by who is just computing how long a pose takes. */
	dxl_cycle_update(team->bus);
	if (dxl_stream_is_open(READ_ONCE(team->stream)))
		dxl_patrol_begin(team);
}
