// SPDX-License-Identifier: LGPL-2.1-or-later
/* After a play: wait until the joints have arrived. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "player.h"

#define NS_PER_MS 1000000
#define LOOK_NS	  ((int64_t)40 * NS_PER_MS)

static void look_at(struct naohw_player *player, size_t index, int tolerance)
{
	struct player_axis *axis = &player->axis[index];
	int counts;
	int ret = player->sink->present(player->data, index, &counts, NULL);

	axis->lost = ret < 0 ? ret : 0;
	if (ret < 0)
		return;
	axis->distance = abs(counts - axis->goal);
	axis->arrived = axis->distance <= tolerance;
}

/* A joint that was seen at its goal is done: over a bad line not all answer at one time. */
static void look(struct naohw_player *player, int tolerance)
{
	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].moved && !player->axis[i].arrived)
			look_at(player, i, tolerance);
}

static void add_up(const struct player_axis *axis, struct naohw_arrival *arrival)
{
	arrival->joints++;
	if (!axis->arrived)
		arrival->off++;
	if (axis->lost) {
		arrival->lost_label = axis->info.label;
		arrival->lost_error = axis->lost;
	} else if (!arrival->worst_label || axis->distance > arrival->worst) {
		arrival->worst = axis->distance;
		arrival->worst_label = axis->info.label;
	}
}

static void sum_up(const struct naohw_player *player, struct naohw_arrival *arrival)
{
	memset(arrival, 0, sizeof(*arrival));
	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].moved)
			add_up(&player->axis[i], arrival);
}

static int verdict(const struct naohw_arrival *arrival, long timeout_ms, struct naohw_error *err)
{
	if (arrival->lost_label)
		return fail(err, -ETIMEDOUT, "%s: %s", arrival->lost_label,
			    error_text(arrival->lost_error));
	return fail(err, -ETIMEDOUT,
		    "%u of %u joints did not arrive within %ld ms; %s is %d counts off its goal",
		    arrival->off, arrival->joints, timeout_ms, arrival->worst_label,
		    arrival->worst);
}

static int settle(struct naohw_player *player, int tolerance, long timeout_ms,
		  struct naohw_arrival *arrival, struct naohw_error *err)
{
	int64_t began = player->sink->now(player->data);
	int64_t deadline = began + (int64_t)timeout_ms * NS_PER_MS;
	int64_t time;
	int ret;

	for (size_t i = 0; i < player->count; i++)
		player->axis[i].arrived = false;
	for (;;) {
		look(player, tolerance);
		sum_up(player, arrival);
		time = player->sink->now(player->data);
		arrival->ms = (long)((time - began) / NS_PER_MS);
		if (arrival->off == 0 || time >= deadline)
			break;
		player_wait(player, time + LOOK_NS < deadline ? time + LOOK_NS : deadline,
			    PLAYER_HALT);
		if (player_requested(player) == PLAYER_HALT) {
			player_hold(player);
			return fail(err, -ECANCELED,
				    "halted; joints that were on their way hold where they are");
		}
	}
	ret = player_restore(player, err);
	if (ret < 0 || arrival->off == 0)
		return ret;
	return verdict(arrival, timeout_ms, err);
}

int naohw_player_settle(struct naohw_player *player, int tolerance, long timeout_ms,
			const struct naohw_play_options *options, struct naohw_arrival *arrival,
			struct naohw_error *err)
{
	static const struct naohw_play_options none;
	int ret;

	player->options = options ? options : &none;
	ret = settle(player, tolerance, timeout_ms, arrival, err);
	/* A stop asked for in the meantime has nothing left to stop. */
	player_end(player);
	return ret;
}
