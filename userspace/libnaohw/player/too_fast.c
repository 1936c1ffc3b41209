// SPDX-License-Identifier: LGPL-2.1-or-later
/* Before anything moves: which of the ways between a page's steps no servo can go in time. */
#include <limits.h>

#include "player.h"

#define NS_PER_S 1e9
/* Some servos count below 0. */
#define NOWHERE	 INT_MIN

/* Where the steps before have a joint; NOWHERE: none has said it. */
struct places {
	int at[NAOHW_PAGE_IDS];
};

static const struct servo_axis *axis_of(const struct naohw_player *player, unsigned int id)
{
	return player->by_id[id] < 0 ? NULL : &player->axis[player->by_id[id]].info;
}

/* NOWHERE: it has none, or nobody would go there. */
static int goal_of(const struct servo_axis *axis, uint16_t position)
{
	return axis && timing_has_goal(position) ? timing_goal(axis, position) : NOWHERE;
}

static double travel_of(const struct naohw_player *player, const struct motion_step *step,
			const struct places *places, unsigned int id)
{
	const struct servo_axis *axis = axis_of(player, id);
	int goal = goal_of(axis, step->position[id]);

	if (goal == NOWHERE || places->at[id] == NOWHERE)
		return 0;
	return timing_travel(axis, places->at[id], goal);
}

static int64_t step_ns(const struct naohw_player *player, const struct naohw_page *page,
		       const struct motion_step *step, const struct places *places)
{
	double longest = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		double travel = travel_of(player, step, places, id);

		if (travel > longest)
			longest = travel;
	}
	return timing_ns(timing_move_ticks(page, step, longest), player->tempo);
}

static void note_way(const struct naohw_player *player, const struct naohw_page *page,
		     unsigned int step, unsigned int id, double rad_s)
{
	const struct servo_axis *axis = axis_of(player, id);
	double most = axis->speed_max * axis->speed_scale;

	if (rad_s > most)
		player_note(player,
			    "page %u (%s), step %u: %s (ID %u) would have to go at %.1f rad/s, its "
			    "servo can be told %.1f: it comes late",
			    page->number, page->name, step, axis->label, id, rad_s, most);
}

static void note_step(const struct naohw_player *player, const struct naohw_page *page,
		      unsigned int index, struct places *places)
{
	const struct motion_step *step = &page->step[index];
	double seconds = (double)step_ns(player, page, step, places) / NS_PER_S;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		int goal = goal_of(axis_of(player, id), step->position[id]);

		if (goal == NOWHERE)
			continue;
		note_way(player, page, index + 1, id,
			 travel_of(player, step, places, id) / seconds);
		places->at[id] = goal;
	}
}

void player_note_too_fast(const struct naohw_player *player, const bool *reachable)
{
	for (unsigned int i = 0; i < player->motion->count; i++) {
		const struct naohw_page *page = &player->motion->page[i];
		struct places places;

		if (!reachable[i])
			continue;
		for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++)
			places.at[id] = NOWHERE;
		for (unsigned int step = 0; step < page->step_count; step++)
			note_step(player, page, step, &places);
	}
}
