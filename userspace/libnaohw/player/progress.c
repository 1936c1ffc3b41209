// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far a play is, and where its joints have arrived. */
#include "player.h"

const struct naohw_page *naohw_player_progress_page(const struct naohw_player *player)
{
	return player->progress.page;
}

unsigned int naohw_player_progress_pass(const struct naohw_player *player)
{
	return player->progress.pass;
}

unsigned int naohw_player_progress_passes(const struct naohw_player *player)
{
	return player->progress.passes;
}

unsigned int naohw_player_progress_step(const struct naohw_player *player)
{
	return player->progress.step;
}

long naohw_player_progress_step_ms(const struct naohw_player *player)
{
	return player->progress.step_ms;
}

long naohw_player_progress_pause_ms(const struct naohw_player *player)
{
	return player->progress.pause_ms;
}

long naohw_player_progress_elapsed_ms(const struct naohw_player *player)
{
	return player->progress.elapsed_ms;
}

unsigned int naohw_player_arrival_joints(const struct naohw_player *player)
{
	return player->arrival.joints;
}

unsigned int naohw_player_arrival_off(const struct naohw_player *player)
{
	return player->arrival.off;
}

int naohw_player_arrival_worst(const struct naohw_player *player)
{
	return player->arrival.worst;
}

const char *naohw_player_arrival_worst_label(const struct naohw_player *player)
{
	return player->arrival.worst_label;
}

const char *naohw_player_arrival_lost_label(const struct naohw_player *player)
{
	return player->arrival.lost_label;
}

int naohw_player_arrival_lost_error(const struct naohw_player *player)
{
	return player->arrival.lost_error;
}

long naohw_player_arrival_ms(const struct naohw_player *player)
{
	return player->arrival.ms;
}
