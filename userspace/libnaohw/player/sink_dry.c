// SPDX-License-Identifier: LGPL-2.1-or-later
/* A sink without servos: joints arrive at once, and who waits moves the clock. */
#include <errno.h>
#include <stdlib.h>

#include "../base/base.h"
#include "player.h"

struct dry {
	int64_t time;
	int goal[];
};

static int64_t dry_now(void *data)
{
	const struct dry *dry = data;

	return dry->time;
}

static void dry_sleep(void *data, int64_t deadline)
{
	struct dry *dry = data;

	dry->time = deadline;
}

static int dry_goal(void *data, size_t axis)
{
	const struct dry *dry = data;

	return dry->goal[axis];
}

static int dry_present(void *data, size_t axis, int *counts, struct naohw_error *err)
{
	(void)err;
	*counts = dry_goal(data, axis);
	return 0;
}

static void dry_set(void *data, size_t axis, int goal)
{
	struct dry *dry = data;

	dry->goal[axis] = goal;
}

static int dry_push(void *data, int64_t begin, int64_t end, struct naohw_error *err)
{
	(void)data;
	(void)begin;
	(void)end;
	(void)err;
	return 0;
}

static const struct player_sink dry_sink = {
	.now = dry_now,
	.sleep = dry_sleep,
	.skip = dry_sleep,
	.present = dry_present,
	.goal = dry_goal,
	.set = dry_set,
	.push = dry_push,
	.free = free,
};

int player_create_dry(const struct naohw_motion *motion, const struct servo_axis *axes,
		      size_t count, struct naohw_player **player, struct naohw_error *err)
{
	struct dry *dry = calloc(1, sizeof(*dry) + count * sizeof(dry->goal[0]));

	if (!dry)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++)
		dry->goal[i] = (axes[i].min + axes[i].max + 1) / 2;
	return player_create(motion, axes, count, &dry_sink, dry, player, err);
}
