// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which joints of a play have torque, and how they get it: only if that is asked for, all in the same
 * time, and before the first step. The others get no goal, so that whoever makes them stiff in the
 * middle of the play has them stay where they are.
 */
#include <stdio.h>
#include <string.h>

#include "player.h"

/* As slowly as a hand that holds a limb can follow, and no slower than a user waits */
#define RISE_NS	 ((int64_t)1000 * PLAYER_NS_PER_MS)
/* By then a cycle has sent a stiffness that was set before the play, and another one has said so. */
#define TOLD_NS	 ((int64_t)200 * PLAYER_NS_PER_MS)
/* For " and 4294967295 more" */
#define MORE_SIZE 21

static bool any_is_limp(const struct naohw_player *player)
{
	for (size_t i = 0; i < player->count && player->sink->is_limp; i++)
		if (player->axis[i].is_reached && player->sink->is_limp(player->data, i))
			return true;
	return false;
}

static int stiffen_all(struct naohw_player *player, struct naohw_error *err)
{
	int64_t end = player_now(player) + RISE_NS;
	int any = 0;

	for (size_t i = 0; i < player->count; i++) {
		struct player_axis *axis = &player->axis[i];
		int ret;

		if (!axis->is_reached)
			continue;
		ret = player->sink->stiffen(player->data, i, end, err);
		if (ret < 0)
			return ret;
		axis->rises = ret;
		any |= ret;
	}
	return any;
}

int64_t player_give_torque(struct naohw_player *player, struct naohw_error *err)
{
	int ret;

	for (size_t i = 0; i < player->count; i++)
		player->axis[i].rises = player->axis[i].is_limp = false;
	if (!player->gives_torque || !player->sink->stiffen)
		return any_is_limp(player) ? TOLD_NS : 0;
	ret = stiffen_all(player, err);
	if (ret < 0)
		player_stop_stiffening(player);
	if (ret <= 0)
		return ret;
	return RISE_NS;
}

void player_stop_stiffening(struct naohw_player *player)
{
	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].rises)
			player->sink->stop_stiffening(player->data, i);
}

bool player_is_limp(struct naohw_player *player, size_t index)
{
	struct player_axis *axis = &player->axis[index];

	if (!axis->is_limp && player->sink->is_limp)
		axis->is_limp = player->sink->is_limp(player->data, index);
	return axis->is_limp;
}

void player_list_limp(const struct naohw_player *player, bool moved, char *labels, size_t size)
{
	unsigned int more = 0;
	size_t used = 0;

	labels[0] = '\0';
	for (size_t i = 0; i < player->count; i++) {
		const struct player_axis *axis = &player->axis[i];

		if (!axis->is_limp || axis->moved != moved)
			continue;
		if (more || used + 1 + strlen(axis->info.label) + MORE_SIZE > size)
			more++;
		else
			used += (size_t)snprintf(labels + used, size - used, " %s",
						 axis->info.label);
	}
	if (more)
		snprintf(labels + used, size - used, " and %u more", more);
}

void player_note_limp(struct naohw_player *player)
{
	char labels[160];
	bool any = false;

	for (size_t i = 0; i < player->count; i++)
		any |= player->axis[i].is_reached && player_is_limp(player, i);
	if (!any)
		return;
	player_list_limp(player, false, labels, sizeof(labels));
	if (player->gives_torque)
		player_note(player, "these joints cannot be given torque and are left out:%s", labels);
	else
		player_note(player, "a play gives no torque unless told to, limp joints are left "
			    "out:%s", labels);
}

size_t naohw_player_limp(const struct naohw_player *player, const char **labels, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < player->count; i++) {
		if (!player->axis[i].is_limp)
			continue;
		if (count < room)
			labels[count] = player->axis[i].info.label;
		count++;
	}
	return count;
}
