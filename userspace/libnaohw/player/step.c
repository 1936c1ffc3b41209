// SPDX-License-Identifier: LGPL-2.1-or-later
/* Does what is due, if it is, and says when to come again: what all loops are made of. */
#include <errno.h>

#include "../base/base.h"
#include "player.h"

enum naohw_player_state naohw_player_get_state(const struct naohw_player *player)
{
	return player->state;
}

bool player_is_busy(const struct naohw_player *player)
{
	return player->state == NAOHW_PLAYER_PLAYING || player->state == NAOHW_PLAYER_SETTLING;
}

int player_busy(struct naohw_error *err)
{
	return fail(err, -EBUSY, "the player is at work; halt it and step it to the end first");
}

void player_end(struct naohw_player *player, enum naohw_player_state state)
{
	player->state = state;
	player->holding = player->waits = false;
	atomic_store(&player->request, PLAYER_GO);
}

int64_t player_now(const struct naohw_player *player)
{
	return player->sink->now(player->data);
}

/* The wait of a halt is short, and there is nothing that could end it. */
bool player_is_due(struct naohw_player *player)
{
	if (!player->holding && player_requested(player) == PLAYER_HALT)
		return true;
	return player_now(player) >= player->due;
}

static int do_what_is_due(struct naohw_player *player, struct naohw_error *err)
{
	if (player->holding)
		return player_let_go(player, err);
	if (player->state == NAOHW_PLAYER_SETTLING)
		return player_settle_on(player, err);
	return player_play_on(player, err);
}

int player_advance(struct naohw_player *player, struct naohw_error *err)
{
	int ret;

	if (!player_is_due(player))
		return 0;
	ret = do_what_is_due(player, err);
	if (ret < 0)
		player_end(player, NAOHW_PLAYER_IDLE);
	return ret;
}

int naohw_player_step(struct naohw_player *player, int64_t *due_ns, struct naohw_error *err)
{
	int ret;

	if (!player_is_busy(player))
		return fail(err, -EINVAL, "nothing has been begun, or it is over");
	if (player->sink->skip && !player_is_due(player))
		player->sink->skip(player->data, player->due);
	ret = player_advance(player, err);
	if (ret < 0)
		return ret;
	*due_ns = player_is_busy(player) ? player->due : INT64_MAX;
	return 0;
}
