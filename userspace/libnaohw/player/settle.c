// SPDX-License-Identifier: LGPL-2.1-or-later
/* After a play: see whether the joints have arrived. */
#include <errno.h>

#include "../base/base.h"
#include "../dcm/dcm.h"
#include "player.h"

#define LOOK_NS ((int64_t)40 * PLAYER_NS_PER_MS)

static int tolerance_of(const struct naohw_player *player, const struct player_axis *axis)
{
	int given = player->arrival.tolerance;

	return given < 0 ? axis->info.sag : given;
}

static void look_at(struct naohw_player *player, size_t index)
{
	struct player_axis *axis = &player->axis[index];
	int counts;
	int ret;

	/* One that happens to be at its goal has not gone there. */
	if (player_is_limp(player, index))
		return;
	axis->why = player_why(player, index);
	ret = player->sink->present(player->data, index, &counts, NULL);
	axis->lost = ret < 0 ? ret : 0;
	if (ret < 0)
		return;
	axis->distance = dcm_joint_off(&axis->info, counts, axis->goal);
	axis->arrived = axis->distance <= tolerance_of(player, axis);
}

/* A joint that was seen at its goal is done: over a bad line not all answer at one time. */
static void look(struct naohw_player *player)
{
	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].moved && !player->axis[i].arrived)
			look_at(player, i);
	player->arrival.looked = true;
}

static void add_up(const struct player_axis *axis, struct player_arrival *arrival)
{
	arrival->joints++;
	if (!axis->arrived)
		arrival->off++;
	if (axis->is_limp) {
		arrival->left++;
	} else if (axis->lost) {
		arrival->lost_label = axis->info.label;
		arrival->lost_error = axis->lost;
	} else if (!arrival->worst_label || axis->distance > arrival->worst) {
		arrival->worst = axis->distance;
		arrival->worst_label = axis->info.label;
	}
}

static void sum_up(struct naohw_player *player)
{
	struct player_arrival *arrival = &player->arrival;

	arrival->joints = arrival->off = arrival->left = 0;
	arrival->worst = arrival->lost_error = 0;
	arrival->worst_label = arrival->lost_label = NULL;
	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].moved)
			add_up(&player->axis[i], arrival);
	for (size_t i = 0; i < player->still_count; i++) {
		arrival->joints += player->still[i].moved;
		arrival->off += player->still[i].moved;
		arrival->left += player->still[i].moved;
	}
}

/* Of those that were read and are off, the one that is the farthest beyond what is tolerated */
static const struct player_axis *worst_of(const struct naohw_player *player)
{
	const struct player_axis *worst = NULL;
	int most = 0;

	for (size_t i = 0; i < player->count; i++) {
		const struct player_axis *axis = &player->axis[i];
		int beyond = axis->distance - tolerance_of(player, axis);

		if (!axis->moved || axis->arrived || axis->is_limp || axis->lost || beyond <= most)
			continue;
		worst = axis;
		most = beyond;
	}
	return worst;
}

static int verdict(const struct naohw_player *player, struct naohw_error *err)
{
	const struct player_arrival *arrival = &player->arrival;
	const struct player_axis *worst = worst_of(player);
	char left[256] = "";

	if (arrival->left)
		player_list_left(player, true, PLAYER_LIST_ALL, left, sizeof(left));
	if (arrival->left && arrival->left == arrival->off)
		return fail(err, -ETIMEDOUT, "%u of %u joints did not go to their goal:%s",
			    arrival->left, arrival->joints, left);
	if (arrival->lost_label)
		return fail(err, -ETIMEDOUT, "%s: %s, so whether it has arrived is not known%s%s",
			    arrival->lost_label, error_text(arrival->lost_error),
			    *left ? "; left out:" : "", left);
	return fail(err, -ETIMEDOUT,
		    "%u of %u joints did not arrive within %ld ms; %s is %d counts off its goal, "
		    "and %d are tolerated%s%s",
		    arrival->off, arrival->joints, arrival->timeout_ms, worst->info.label,
		    worst->distance, tolerance_of(player, worst), *left ? "; left out:" : "", left);
}

static int finish(struct naohw_player *player, struct naohw_error *err)
{
	int ret = player->sink->check ? player->sink->check(player->data, err) : 0;

	if (ret == 0 && player->arrival.off)
		ret = verdict(player, err);
	if (ret == 0)
		player_end(player, NAOHW_PLAYER_DONE);
	return ret;
}

int player_settle_on(struct naohw_player *player, struct naohw_error *err)
{
	struct player_arrival *arrival = &player->arrival;
	int64_t deadline = player->began + (int64_t)arrival->timeout_ms * PLAYER_NS_PER_MS;
	int64_t time;

	if (arrival->looked && player_requested(player) == PLAYER_HALT) {
		player_hold(player);
		return 0;
	}
	look(player);
	sum_up(player);
	time = player_now(player);
	arrival->ms = (long)((time - player->began) / PLAYER_NS_PER_MS);
	/* Those without torque will not come. */
	if (arrival->off == arrival->left || time >= deadline)
		return finish(player, err);
	player->due = time + LOOK_NS < deadline ? time + LOOK_NS : deadline;
	return 0;
}

/* Of a joint that only is not where it is to be nothing is known. */
static const struct naohw_reason *reason_of(enum guard_reason why)
{
	return &guard_words[why ? why : GUARD_STUCK];
}

const struct naohw_reason *naohw_player_behind(const struct naohw_player *player, size_t index,
					       const char **label)
{
	for (size_t i = 0; i < player->count; i++) {
		const struct player_axis *axis = &player->axis[i];

		if (!axis->moved || axis->arrived || index--)
			continue;
		*label = axis->info.label;
		return reason_of(axis->why);
	}
	for (size_t i = 0; i < player->still_count; i++) {
		if (!player->still[i].moved || index--)
			continue;
		*label = player->still[i].label;
		return reason_of(player->still[i].why);
	}
	return NULL;
}

int naohw_player_begin_settle(struct naohw_player *player, int tolerance, long timeout_ms,
			      struct naohw_error *err)
{
	if (player_is_busy(player))
		return player_busy(err);
	for (size_t i = 0; i < player->count; i++)
		player->axis[i].arrived = false;
	player->arrival = (struct player_arrival){
		.tolerance = tolerance,
		.timeout_ms = timeout_ms < PLAYER_MS_MAX ? timeout_ms : PLAYER_MS_MAX,
	};
	player->state = NAOHW_PLAYER_SETTLING;
	player->began = player_now(player);
	player->due = player->began;
	return 0;
}
