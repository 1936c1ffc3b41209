// SPDX-License-Identifier: LGPL-2.1-or-later
/* The beginning of a play: all is checked, and one looks where the joints are. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "player.h"

static bool has_goal_for(const struct naohw_page *page, unsigned int id)
{
	for (unsigned int i = 0; i < page->step_count; i++)
		if (timing_has_goal(page->step[i].position[id]))
			return true;
	return false;
}

/* The first of the pages with a goal for this ID, NULL: none. */
static const struct naohw_page *page_with_goal(const struct naohw_player *player,
					       const bool *reachable, unsigned int id)
{
	for (unsigned int i = 0; i < player->motion->count; i++)
		if (reachable[i] && has_goal_for(&player->motion->page[i], id))
			return &player->motion->page[i];
	return NULL;
}

/* That of a joint of the head, which pages are not to move */
static const struct player_axis *head_with_id(const struct naohw_player *player, unsigned int id)
{
	for (size_t i = 0; i < player->count; i++)
		if (player->axis[i].is_head && player->axis[i].info.id == id)
			return &player->axis[i];
	return NULL;
}

static void note_head(struct naohw_player *player, const bool *reachable)
{
	char labels[128] = "";
	size_t used = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		const struct player_axis *axis = head_with_id(player, id);

		if (axis && player->by_id[id] < 0 && used < sizeof(labels) &&
		    page_with_goal(player, reachable, id))
			used += (size_t)snprintf(labels + used, sizeof(labels) - used, " %s",
						 axis->info.label);
	}
	if (used)
		player_note(player, "pages do not move the head unless told to, ignored:%s",
			    labels);
}

static void note_unknown_ids(struct naohw_player *player, const bool *reachable)
{
	const struct naohw_page *first = NULL;
	char ids[128] = "";
	size_t used = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		const struct naohw_page *page;

		if (player->by_id[id] >= 0 || head_with_id(player, id) ||
		    player_find_still(player, id))
			continue;
		page = page_with_goal(player, reachable, id);
		if (!page)
			continue;
		if (!first || page < first)
			first = page;
		used += (size_t)snprintf(ids + used, sizeof(ids) - used, " %u", id);
	}
	if (first)
		player_note(player,
			    "goals for IDs that are no joint's, from page %u (%s) on, ignored:%s",
			    first->number, first->name, ids);
}

/* The same ID on a second bus is out of a page's reach. */
static bool is_moved(const struct naohw_player *player, const bool *reachable, size_t axis)
{
	unsigned int id = player->axis[axis].info.id;

	return id < NAOHW_PAGE_IDS && player->by_id[id] == (int)axis &&
	       page_with_goal(player, reachable, id);
}

static void begin_still(struct naohw_player *player, const bool *reachable)
{
	for (size_t i = 0; i < player->still_count; i++) {
		struct player_still *still = &player->still[i];

		still->moved = false;
		still->is_reached = still->id < NAOHW_PAGE_IDS &&
				    player_find_still(player, still->id) == still &&
				    page_with_goal(player, reachable, still->id);
		if (still->is_reached)
			still->why = player->sink->why_still(player->data, still->joint);
	}
}

size_t naohw_player_moved(struct naohw_player *player, unsigned int number, const char **labels,
			  size_t room)
{
	bool reachable[MOTION_PAGES] = { false };
	size_t count = 0;

	if (player_check(player, number, reachable, NULL) < 0)
		return 0;
	for (size_t i = 0; i < player->count; i++) {
		if (!is_moved(player, reachable, i))
			continue;
		if (count < room)
			labels[count] = player->axis[i].info.label;
		count++;
	}
	return count;
}

/* The first step's way is measured from where the joints are. */
static void take_present(struct naohw_player *player)
{
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		struct player_axis *axis;
		struct naohw_error err;
		size_t index;
		int counts;

		if (player->by_id[id] < 0)
			continue;
		index = (size_t)player->by_id[id];
		axis = &player->axis[index];
		axis->goal = player->sink->goal(player->data, index);
		if (player->sink->present(player->data, index, &counts, &err) < 0)
			player_note(player, "%s; the play goes on without its position",
				    err.message);
		else
			axis->goal = player_clamp(axis, counts);
	}
}

void player_begin_steps(struct naohw_player *player)
{
	player->waits = false;
	take_present(player);
	player_note_limp(player);
}

/* @wait: ns from now on; what is told of the steps is told as of its end. */
static void start(struct naohw_player *player, const struct naohw_page *page, int64_t wait)
{
	player->waits = wait;
	player->progress = (struct player_progress){
		.page = page,
		.pass = 1,
		.passes = player->repeat ? player->repeat : page->repeat,
	};
	memset(player->exited, 0, sizeof(player->exited));
	player->began = player_now(player) + wait;
	player->due = player->began;
}

int naohw_player_begin(struct naohw_player *player, unsigned int number, struct naohw_error *err)
{
	bool reachable[MOTION_PAGES] = { false };
	int64_t wait;
	int ret;

	if (player_is_busy(player))
		return player_busy(err);
	ret = player_check(player, number, reachable, err);
	if (ret < 0) {
		player_end(player, NAOHW_PLAYER_IDLE);
		return ret;
	}
	/* From here on, so that what is told by a note cannot begin another play. */
	player->state = NAOHW_PLAYER_PLAYING;
	note_unknown_ids(player, reachable);
	note_head(player, reachable);
	player_note_too_fast(player, reachable);
	player_note_period(player);
	if (player->sink->begin)
		player->sink->begin(player->data);
	for (size_t i = 0; i < player->count; i++) {
		player->axis[i].is_reached = is_moved(player, reachable, i);
		player->axis[i].moved = player->axis[i].arrived = false;
		player->axis[i].why = GUARD_NONE;
	}
	begin_still(player, reachable);
	wait = player_give_torque(player, err);
	if (wait < 0) {
		player_end(player, NAOHW_PLAYER_IDLE);
		return (int)wait;
	}
	if (!wait)
		player_begin_steps(player);
	start(player, motion_playable(player->motion, number), wait);
	return 0;
}
