// SPDX-License-Identifier: LGPL-2.1-or-later
/* A player: to make one, what it is told, and what it is asked for meanwhile. */
#include "player.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../base/base.h"

#define TEMPO_MIN 0.01
#define TEMPO_MAX 100.0

/* ---- which joints it has ---- */

void player_bind_axes(struct naohw_player *player)
{
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++)
		player->by_id[id] = -1;
	for (size_t i = player->count; i-- > 0;)
		/* The same ID on a second bus is out of a page's reach. */
		if (player->axis[i].info.id < NAOHW_PAGE_IDS)
			player->by_id[player->axis[i].info.id] = (int)i;
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS && !player->moves_head; id++)
		if (player->by_id[id] >= 0 && player->axis[player->by_id[id]].is_head)
			player->by_id[id] = -1;
}

/* One that an ID moves is meant, and not one of another bus that has that ID, too. */
struct player_still *player_find_still(const struct naohw_player *player, unsigned int id)
{
	for (size_t i = 0; i < player->still_count && player->by_id[id] < 0; i++)
		if (player->still[i].id == id && (player->moves_head || !player->still[i].is_head))
			return &player->still[i];
	return NULL;
}

/* ---- its life ---- */

int player_create(const struct naohw_motion *motion, const struct servo_axis *axes, size_t count,
		  const struct player_sink *sink, void *data, struct naohw_player **out,
		  struct naohw_error *err)
{
	struct naohw_player *player = calloc(1, sizeof(*player));
	struct player_axis *axis = calloc(count ? count : 1, sizeof(*axis));

	if (!player || !axis) {
		free(player);
		free(axis);
		if (sink->free)
			sink->free(data);
		return fail(err, -ENOMEM, "out of memory");
	}
	player->motion = motion;
	player->sink = sink;
	player->data = data;
	player->count = count;
	player->axis = axis;
	player->tempo = 1;
	for (size_t i = 0; i < count; i++)
		axis[i].info = axes[i];
	player_bind_axes(player);
	*out = player;
	return 0;
}

void naohw_player_free(struct naohw_player *player)
{
	if (!player)
		return;
	if (player->sink->free)
		player->sink->free(player->data);
	free(player->still);
	free(player->axis);
	free(player);
}

/* ---- settings ---- */

void naohw_player_ignore_checksum(struct naohw_player *player)
{
	player->ignore_checksum = true;
}

int naohw_player_set_head(struct naohw_player *player, int moves, struct naohw_error *err)
{
	if (player_is_busy(player))
		return player_busy(err);
	player->moves_head = moves;
	player_bind_axes(player);
	return 0;
}

int naohw_player_set_stiff(struct naohw_player *player, int gives_torque, struct naohw_error *err)
{
	if (player_is_busy(player))
		return player_busy(err);
	player->gives_torque = gives_torque;
	return 0;
}

int naohw_player_set_speed(struct naohw_player *player, double speed, struct naohw_error *err)
{
	if (!(speed >= TEMPO_MIN && speed <= TEMPO_MAX))
		return fail(err, -EINVAL, "speed %g, expected %g to %g", speed, TEMPO_MIN,
			    TEMPO_MAX);
	player->tempo = speed;
	return 0;
}

void naohw_player_set_repeat(struct naohw_player *player, unsigned int passes)
{
	player->repeat = passes;
}

void naohw_player_set_max_ms(struct naohw_player *player, long max_ms)
{
	player->max_ms = max_ms < PLAYER_MS_MAX ? max_ms : PLAYER_MS_MAX;
}

void naohw_player_on_step(struct naohw_player *player,
			  void (*step)(void *data, const struct naohw_player *player), void *data)
{
	player->callbacks.step = step;
	player->callbacks.step_data = data;
}

void naohw_player_on_idle(struct naohw_player *player, void (*idle)(void *data, long free_ms),
			  void *data)
{
	player->callbacks.idle = idle;
	player->callbacks.idle_data = data;
}

void naohw_player_on_note(struct naohw_player *player, void (*note)(void *data, const char *text),
			  void *data)
{
	player->callbacks.note = note;
	player->callbacks.note_data = data;
}

void player_note(const struct naohw_player *player, const char *format, ...)
{
	char text[256];
	va_list args;

	if (!player->callbacks.note)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	player->callbacks.note(player->callbacks.note_data, text);
}

/* ---- requests ---- */

/* They only ever grow: a stop after a halt changes nothing. */
static void request(struct naohw_player *player, int wanted)
{
	int present = atomic_load(&player->request);

	while (present < wanted &&
	       !atomic_compare_exchange_weak(&player->request, &present, wanted))
		continue;
}

void naohw_player_stop(struct naohw_player *player)
{
	request(player, PLAYER_STOP);
}

void naohw_player_halt(struct naohw_player *player)
{
	request(player, PLAYER_HALT);
}

enum player_request player_requested(const struct naohw_player *player)
{
	return (enum player_request)atomic_load(&player->request);
}
