// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the description says of a player's joints: which there are, and which are the head. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../robot/robot.h"
#include "player.h"

#define HEAD "Head"

static bool has_key(const struct naohw_robot *robot, const char *label)
{
	const struct subdevice *position = subdevice_position_of(robot, label, true);

	return position && position->actuator;
}

size_t player_take_axes(const struct naohw_pose *pose, struct servo_axis *axes)
{
	size_t count = 0;

	for (size_t i = 0; i < pose_axis_count(pose); i++) {
		pose_get_axis(pose, i, &axes[count]);
		if (!axes[count].is_wheel && has_key(pose_robot(pose), axes[count].label))
			count++;
	}
	return count;
}

static bool is_in_chain(const struct naohw_robot *robot, size_t chain, const char *label)
{
	for (size_t i = 0; i < naohw_chain_joint_count(robot, chain); i++)
		if (strcmp(naohw_chain_joint(robot, chain, i), label) == 0)
			return true;
	return false;
}

static bool has_axis(const struct naohw_player *player, const char *label)
{
	for (size_t i = 0; i < player->count; i++)
		if (strcmp(player->axis[i].info.label, label) == 0)
			return true;
	return false;
}

/* What no driver has taken, and is nowhere on a bus, has no ID that a page could mean. */
int player_know_still(struct naohw_player *player, const struct naohw_robot *robot)
{
	player->still = calloc(robot->joint_count + 1, sizeof(*player->still));
	if (!player->still)
		return -ENOMEM;
	for (size_t i = 0; i < robot->joint_count; i++) {
		const struct joint *joint = &robot->joint[i];

		if (joint->id == JOINT_UNKNOWN || !has_key(robot, joint->unit->label) ||
		    has_axis(player, joint->unit->label))
			continue;
		player->still[player->still_count++] = (struct player_still){
			.joint = i,
			.label = joint->unit->label,
			.id = (unsigned int)joint->id,
		};
	}
	return 0;
}

void player_know_head(struct naohw_player *player, const struct naohw_robot *robot)
{
	size_t head;

	if (naohw_robot_find_chain(robot, HEAD, &head) < 0)
		return;
	for (size_t i = 0; i < player->count; i++)
		player->axis[i].is_head = is_in_chain(robot, head, player->axis[i].info.label);
	for (size_t i = 0; i < player->still_count; i++)
		player->still[i].is_head = is_in_chain(robot, head, player->still[i].label);
	player_bind_axes(player);
}
