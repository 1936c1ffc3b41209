// SPDX-License-Identifier: LGPL-2.1-or-later
/* The loops for whoever has none: step after step, and the waits between them. */
#include "player.h"

/* Between two looks at the clock, the callback and what another thread requests. */
#define IDLE_NS ((int64_t)5 * PLAYER_NS_PER_MS)

/* The callback may take its time, so the clock is looked at after it. */
static void wait_a_little(const struct naohw_player *player)
{
	int64_t time = player_now(player), wake;

	if (time < player->due && player->callbacks.idle)
		player->callbacks.idle(player->callbacks.idle_data,
				       (long)((player->due - time) / PLAYER_NS_PER_MS));
	wake = player_now(player) + IDLE_NS;
	player->sink->sleep(player->data, wake < player->due ? wake : player->due);
}

static int run(struct naohw_player *player, struct naohw_error *err)
{
	while (player_is_busy(player)) {
		int ret = player_advance(player, err);

		if (ret < 0)
			return ret;
		/* At once, where it is late or somebody has called a halt. */
		if (!player_is_busy(player) || player_is_due(player))
			continue;
		wait_a_little(player);
	}
	return 0;
}

int naohw_player_play(struct naohw_player *player, unsigned int page, struct naohw_error *err)
{
	int ret = naohw_player_begin(player, page, err);

	return ret < 0 ? ret : run(player, err);
}

int naohw_player_settle(struct naohw_player *player, int tolerance, long timeout_ms,
			struct naohw_error *err)
{
	int ret = naohw_player_begin_settle(player, tolerance, timeout_ms, err);

	return ret < 0 ? ret : run(player, err);
}
