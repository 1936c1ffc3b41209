// SPDX-License-Identifier: LGPL-2.1-or-later
/* Does what is due, if it is, and says when to come again: what all loops are made of. */
#include <errno.h>

#include "../base/base.h"
#include "player.h"

/* How often one is asked. A servo that is really gone costs as many time-outs. */
#define TRIES 3

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
	player->holding = false;
	atomic_store(&player->request, PLAYER_GO);
}

static void refresh(struct naohw_player *player)
{
	if (player->may_wait && player->sink->refresh)
		player->sink->refresh(player->data);
}

int64_t player_now(struct naohw_player *player)
{
	refresh(player);
	return player->sink->now(player->data);
}

int player_present(struct naohw_player *player, size_t axis, int *counts, struct naohw_error *err)
{
	refresh(player);
	return player->sink->present(player->data, axis, counts, err);
}

int player_ask_present(struct naohw_player *player, size_t axis, int *counts,
		       struct naohw_error *err)
{
	int ret = 0;

	for (int i = 0; i < TRIES; i++) {
		ret = player_present(player, axis, counts, err);
		if (ret >= 0)
			break;
	}
	return ret;
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

int64_t player_feed(const struct naohw_player *player)
{
	return player->sink->feed ? player->sink->feed(player->data, player->due) : player->due;
}

int naohw_player_step(struct naohw_player *player, int64_t *due_ns, struct naohw_error *err)
{
	int ret;

	if (!player_is_busy(player))
		return fail(err, -EINVAL, "nothing has been begun, or it is over");
	player->may_wait = false;
	if (player->sink->skip && !player_is_due(player))
		player->sink->skip(player->data, player->due);
	ret = player_advance(player, err);
	if (ret < 0)
		return ret;
	*due_ns = player_is_busy(player) ? player_feed(player) : INT64_MAX;
	return 0;
}
