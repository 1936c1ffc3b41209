// SPDX-License-Identifier: LGPL-2.1-or-later
/* The sink with servos behind it: a pose and the monotonic clock. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "monotonic.h"
#include "player.h"
#include "pose.h"

#define NS_PER_S 1000000000

static int64_t pose_now(void *data)
{
	(void)data;
	return monotonic_ns();
}

static void pose_sleep(void *data, int64_t deadline)
{
	const struct timespec until = {
		.tv_sec = deadline / NS_PER_S,
		.tv_nsec = deadline % NS_PER_S,
	};

	(void)data;
	/* A signal ends it early; the player looks at its requests and comes again. */
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int pose_present(void *data, size_t axis, int *counts, struct naohw_error *err)
{
	return naohw_pose_read_present(data, axis, counts, err);
}

static int pose_goal(void *data, size_t axis)
{
	return naohw_pose_get_goal(data, axis);
}

static int pose_set(void *data, size_t axis, int goal, int speed)
{
	return naohw_pose_set(data, axis, goal, speed);
}

static int pose_push(void *data, struct naohw_error *err)
{
	return naohw_pose_push(data, err);
}

static int pose_speed_of(void *data, size_t axis)
{
	return pose_speed(data, axis);
}

static void pose_restore(void *data, size_t axis)
{
	pose_restore_speed(data, axis);
}

static const struct player_sink pose_sink = {
	.now = pose_now,
	.sleep = pose_sleep,
	.present = pose_present,
	.goal = pose_goal,
	.speed = pose_speed_of,
	.set = pose_set,
	.push = pose_push,
	.restore = pose_restore,
};

int naohw_player_new(const struct naohw_motion *motion, struct naohw_pose *pose,
		     struct naohw_error *err, struct naohw_player **player)
{
	size_t count = naohw_pose_axis_count(pose);
	struct naohw_axis *axes = calloc(count ? count : 1, sizeof(*axes));
	int ret;

	if (!axes)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++)
		naohw_pose_get_axis(pose, i, &axes[i]);
	ret = player_create(motion, axes, count, &pose_sink, pose, err, player);
	free(axes);
	return ret;
}
