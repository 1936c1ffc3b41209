// SPDX-License-Identifier: LGPL-2.1-or-later
/* A halt, and how joints that rest get their speed back. */
#include <errno.h>

#include "../base/base.h"
#include "player.h"

/* A joint told to stay where it was seen a moment ago comes back from a little further. */
#define HOLD_NS ((int64_t)100 * PLAYER_NS_PER_MS)

int player_clamp(const struct player_axis *axis, int counts)
{
	if (counts < axis->info.min)
		return axis->info.min;
	return counts > axis->info.max ? axis->info.max : counts;
}

int player_restore(struct naohw_player *player, struct naohw_error *err)
{
	for (size_t i = 0; i < player->count; i++)
		if (!player->axis[i].moved || player->axis[i].arrived)
			player->sink->restore(player->data, i);
	return player->sink->push(player->data, player->due, player->due, err);
}

void player_hold(struct naohw_player *player)
{
	int64_t time;

	for (size_t i = 0; i < player->count; i++) {
		struct player_axis *axis = &player->axis[i];
		int counts;

		if (!axis->moved || axis->arrived ||
		    player_ask_present(player, i, &counts, NULL) < 0)
			continue;
		axis->goal = player_clamp(axis, counts);
		axis->arrived = true;
		player->sink->set(player->data, i, axis->goal, axis->speed);
	}
	time = player_now(player);
	player->due = time + HOLD_NS;
	player->sink->push(player->data, time, player->due, NULL);
	player->holding = true;
}

int player_let_go(struct naohw_player *player, struct naohw_error *err)
{
	player_restore(player, NULL);
	return fail(err, -ECANCELED, "halted; %s hold where they are",
		    player->state == NAOHW_PLAYER_SETTLING ? "joints that were on their way"
							   : "the joints");
}
