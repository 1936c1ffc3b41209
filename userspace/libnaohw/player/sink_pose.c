// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The sink with servos behind it: a pose, and frames or the monotonic clock.
 *
 * With frames there is one push for each: what the player pushed since the one before, or the
 * same pose again. So poses do not pile up in the kernel, and its watchdog sees one come in
 * every period. Without them the pose is repeated now and then.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../base/base.h"
#include "../pose/pose.h"
#include "monotonic.h"
#include "player.h"

/* A small part of the watchdog's time, which is 500 ms unless somebody set it. */
#define REPEAT_NS  ((int64_t)100 * PLAYER_NS_PER_MS)
/* After such a pause the watchdog may have acted, and nobody would tell. */
#define PAUSE_NS   ((int64_t)200 * PLAYER_NS_PER_MS)
/* Frames that come less often are no clock for a motion. */
#define PERIOD_MAX ((int64_t)50 * PLAYER_NS_PER_MS)
/* Time-outs in succession after which no frame is expected any more. */
#define FRAME_TRIES 4
/* A frame of so many periods ago does not show where the joints are now. */
#define FRESH	   2
/* Who reads the frames for us and brings none for so long has none any more. */
#define NEWS_NS	   ((int64_t)1000 * PLAYER_NS_PER_MS)

struct sink {
	struct naohw_pose *pose;
	struct naohw_frame *frame; /* NULL: by the clock */
	uint64_t seen;		   /* number of the frame that the time is of */
	bool pushed;		   /* since that frame */
	bool cut;		   /* the watchdog has acted, as far as we know */
	int64_t pushed_at;	   /* by the monotonic clock, as ... */
	int64_t read_at;	   /* ... this is; 0: none of these frames yet */
	int64_t ahead;		   /* of our time before the monotonic clock */
};

static int check_stream(const struct sink *sink, struct naohw_error *err)
{
	enum naohw_stream stream;

	if (naohw_pose_get_stream(sink->pose, &stream, NULL) < 0)
		return 0;
	return player_check_stream(stream, err);
}

static int push(struct sink *sink, struct naohw_error *err)
{
	int64_t time = monotonic_ns();
	bool paused = time - sink->pushed_at > PAUSE_NS;
	int ret;

	sink->pushed = true;
	sink->pushed_at = time;
	ret = naohw_pose_push(sink->pose, err);
	if (ret == 0 && (paused || sink->cut)) {
		ret = check_stream(sink, err);
		/* Of a pose that is only repeated nobody hears; the next one will be asked. */
		sink->cut = ret < 0;
	}
	return ret;
}

/* A servo goes by its speed. */
static int pose_push(void *data, int64_t begin, int64_t end, struct naohw_error *err)
{
	(void)begin;
	(void)end;
	return push(data, err);
}

static bool is_fresh(const struct sink *sink)
{
	return sink->read_at &&
	       monotonic_ns() - sink->read_at < FRESH * naohw_frame_period(sink->frame);
}

/* A machine that stands still for a while is waited for, and the watchdog told that it is. */
static int wait_for_frame(struct sink *sink)
{
	int ret = 0;

	for (int i = 0; i < FRAME_TRIES; i++) {
		ret = naohw_frame_read(sink->frame, NULL);
		if (ret != -ETIMEDOUT)
			break;
		(void)naohw_pose_keep_alive(sink->pose, NULL);
	}
	return ret;
}

static void take_frame(struct sink *sink)
{
	sink->seen = naohw_frame_count(sink->frame);
	sink->pushed = false;
	sink->read_at = monotonic_ns();
	sink->ahead = naohw_frame_time(sink->frame) - sink->read_at;
}

/* Frames that fail are given up: each further try might cost as much again. */
static void next_frame(struct sink *sink)
{
	int ret = wait_for_frame(sink);

	if (ret == 0)
		take_frame(sink);
	/* Who cancels a wait wants no end of frames. */
	else if (ret != -ECANCELED)
		sink->frame = NULL;
}

/* The same without a wait, where it is the caller who reads them. */
static void look_for_frame(struct sink *sink)
{
	if (naohw_frame_count(sink->frame) != sink->seen)
		take_frame(sink);
	else if (monotonic_ns() - sink->read_at > NEWS_NS)
		sink->frame = NULL;
}

static void pose_refresh(void *data)
{
	struct sink *sink = data;

	if (sink->frame && !is_fresh(sink))
		next_frame(sink);
}

/* Time is what the frames say; if they end, the clock goes on from there. */
static int64_t pose_now(void *data)
{
	struct sink *sink = data;

	if (sink->frame)
		look_for_frame(sink);
	return sink->frame ? naohw_frame_time(sink->frame) : monotonic_ns() + sink->ahead;
}

static void pose_sleep(void *data, int64_t deadline)
{
	struct sink *sink = data;

	if (sink->frame)
		next_frame(sink);
	else
		player_sleep(deadline - sink->ahead);
}

/* A frame that is late is still to be waited for, but not as if it were there already. */
static int64_t next_frame_at(const struct sink *sink, int64_t time)
{
	int64_t period = naohw_frame_period(sink->frame), next = sink->read_at + period;

	return next > time ? next : time + period;
}

static int64_t pose_feed(void *data, int64_t due)
{
	struct sink *sink = data;
	int64_t time = monotonic_ns(), repeat;

	/* If it cannot be pushed, the player's own next push says why. */
	if ((sink->frame && !sink->pushed) || time - sink->pushed_at >= REPEAT_NS)
		(void)push(sink, NULL);
	if (sink->frame)
		return next_frame_at(sink, time);
	repeat = sink->pushed_at + REPEAT_NS;
	return due - sink->ahead < repeat ? due - sink->ahead : repeat;
}

static bool present_in_frame(struct sink *sink, size_t axis, int *counts)
{
	return sink->frame && is_fresh(sink) &&
	       pose_present_in(sink->pose, axis, sink->frame, counts) == 0;
}

static int pose_present(void *data, size_t axis, int *counts, struct naohw_error *err)
{
	struct sink *sink = data;

	if (present_in_frame(sink, axis, counts))
		return 0;
	return pose_read_present(sink->pose, axis, counts, err);
}

static int pose_goal(void *data, size_t axis)
{
	const struct sink *sink = data;

	return pose_get_counts(sink->pose, axis);
}

static int pose_set(void *data, size_t axis, int goal, int speed)
{
	const struct sink *sink = data;

	return pose_set_counts(sink->pose, axis, goal, speed);
}

static int pose_speed_of(void *data, size_t axis)
{
	const struct sink *sink = data;

	return pose_speed(sink->pose, axis);
}

static void pose_restore(void *data, size_t axis)
{
	const struct sink *sink = data;

	pose_restore_speed(sink->pose, axis);
}

static int pose_set_frame(void *data, struct naohw_frame *frame, struct naohw_error *err)
{
	struct sink *sink = data;
	int64_t period = frame ? naohw_frame_period(frame) : 0;

	if (frame && (period <= 0 || period > PERIOD_MAX))
		return fail(err, -ERANGE, "the frames come too seldom");
	sink->frame = frame;
	sink->read_at = 0;
	return 0;
}

static void pose_free(void *data)
{
	free(data);
}

static const struct player_sink pose_sink = {
	.now = pose_now,
	.sleep = pose_sleep,
	.refresh = pose_refresh,
	.present = pose_present,
	.goal = pose_goal,
	.speed = pose_speed_of,
	.set = pose_set,
	.push = pose_push,
	.feed = pose_feed,
	.restore = pose_restore,
	.set_frame = pose_set_frame,
	.free = pose_free,
};

static struct sink *sink_new(struct naohw_pose *pose)
{
	struct sink *sink = calloc(1, sizeof(*sink));

	if (!sink)
		return NULL;
	sink->pose = pose;
	/* Perhaps the one before us was. */
	sink->cut = true;
	sink->pushed_at = monotonic_ns();
	return sink;
}

int naohw_player_new(const struct naohw_motion *motion, struct naohw_pose *pose,
		     struct naohw_player **player, struct naohw_error *err)
{
	size_t count = pose_axis_count(pose);
	struct servo_axis *axes = calloc(count + 1, sizeof(*axes));
	struct sink *sink = sink_new(pose);
	int ret = -ENOMEM;

	for (size_t i = 0; axes && i < count; i++)
		pose_get_axis(pose, i, &axes[i]);
	if (axes && sink) {
		ret = player_create(motion, axes, count, &pose_sink, sink, player, err);
		if (ret == 0)
			player_know_head(*player, pose_robot(pose));
	} else {
		if (sink)
			pose_free(sink);
		fail(err, ret, "out of memory");
	}
	free(axes);
	return ret;
}
