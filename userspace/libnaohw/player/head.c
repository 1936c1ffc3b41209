// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which joints are the head, that pages leave alone. */
#include <string.h>

#include "player.h"

#define HEAD "Head"

static bool is_in_chain(const struct naohw_robot *robot, size_t chain, const char *label)
{
	for (size_t i = 0; i < naohw_chain_joint_count(robot, chain); i++)
		if (strcmp(naohw_chain_joint(robot, chain, i), label) == 0)
			return true;
	return false;
}

void player_know_head(struct naohw_player *player, const struct naohw_robot *robot)
{
	size_t head;

	if (naohw_robot_find_chain(robot, HEAD, &head) < 0)
		return;
	for (size_t i = 0; i < player->count; i++)
		player->axis[i].is_head = is_in_chain(robot, head, player->axis[i].info.label);
	player_bind_axes(player);
}
