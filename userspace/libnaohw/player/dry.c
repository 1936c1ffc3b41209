// SPDX-License-Identifier: LGPL-2.1-or-later
/* Players that move nothing: on the servos of a robot, or on such as the file suggests. */
#include <errno.h>
#include <stdlib.h>

#include "../base/base.h"
#include "player.h"

static int new_from_pose(const struct naohw_motion *motion, const struct naohw_pose *pose,
			 struct naohw_player **player, struct naohw_error *err)
{
	struct servo_axis *axes = calloc(pose_axis_count(pose) + 1, sizeof(*axes));
	int ret;

	if (!axes)
		return fail(err, -ENOMEM, "out of memory");
	ret = player_create_dry(motion, axes, player_take_axes(pose, axes), player, err);
	if (ret == 0)
		player_know_head(*player, pose_robot(pose));
	free(axes);
	return ret;
}

static int new_nominal(const struct naohw_motion *motion, struct naohw_player **player,
		       struct naohw_error *err)
{
	const struct servo_axis *nominal = motion_nominal_axis(motion);
	struct servo_axis axes[NAOHW_PAGE_IDS];
	int ret;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		axes[id] = *nominal;
		axes[id].id = id;
	}
	ret = player_create_dry(motion, axes, NAOHW_PAGE_IDS, player, err);
	if (ret == 0)
		(*player)->nominal = nominal;
	return ret;
}

int naohw_player_new_dry(const struct naohw_motion *motion, const struct naohw_pose *pose,
			 struct naohw_player **player, struct naohw_error *err)
{
	return pose ? new_from_pose(motion, pose, player, err) : new_nominal(motion, player, err);
}

const char *naohw_player_assumed_servo(const struct naohw_player *player)
{
	return player->nominal ? player->nominal->label : NULL;
}

/* Is a servo thought to be there? What is no position of it, as real files have, tells nothing. */
static bool is_assumed(const struct naohw_player *player, const struct naohw_page *page,
		       unsigned int id)
{
	return page->step_count && page->step[0].position[id] <= player->nominal->max;
}

void player_bind(struct naohw_player *player, const struct naohw_page *first)
{
	if (!player->nominal)
		return;
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++)
		player->by_id[id] = is_assumed(player, first, id) ? (int)id : -1;
}

static bool is_moved(const struct naohw_player *player, const struct naohw_page *page,
		     unsigned int id)
{
	if (player->nominal)
		return is_assumed(player, page, id);
	return page->step_count && player->by_id[id] >= 0 &&
	       timing_has_goal(page->step[0].position[id]);
}

unsigned int naohw_player_joint_count(const struct naohw_player *player, unsigned int number)
{
	const struct naohw_page *page = naohw_motion_page(player->motion, number);
	unsigned int count = 0;

	for (unsigned int id = 0; page && id < NAOHW_PAGE_IDS; id++)
		if (is_moved(player, page, id))
			count++;
	return count;
}
