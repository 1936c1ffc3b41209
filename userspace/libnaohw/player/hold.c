// SPDX-License-Identifier: LGPL-2.1-or-later
/* A halt. */
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

/* One that does not answer now goes no further than it was sent. */
static int place_of(const struct naohw_player *player, size_t index)
{
	int counts;

	if (player->sink->present(player->data, index, &counts, NULL) != 0)
		counts = player->sink->goal(player->data, index);
	return player_clamp(&player->axis[index], counts);
}

void player_hold(struct naohw_player *player)
{
	int64_t time;

	if (player->waits)
		player_stop_stiffening(player);
	for (size_t i = 0; i < player->count; i++) {
		struct player_axis *axis = &player->axis[i];

		if (!axis->moved || axis->arrived || axis->is_limp)
			continue;
		axis->goal = place_of(player, i);
		axis->arrived = true;
		player->sink->set(player->data, i, axis->goal);
	}
	time = player_now(player);
	player->due = time + HOLD_NS;
	player->sink->push(player->data, time, player->due, NULL);
	player->holding = true;
}

int player_let_go(const struct naohw_player *player, struct naohw_error *err)
{
	return fail(err, -ECANCELED, "halted; %s hold where they are",
		    player->state == NAOHW_PLAYER_SETTLING ? "joints that were on their way"
							   : "the joints");
}
