// SPDX-License-Identifier: LGPL-2.1-or-later
/* Before anything moves: every page that a play can reach must be fit to be played. */
#include <errno.h>
#include <stdio.h>

#include "../base/base.h"
#include "player.h"

static int check_link(const struct naohw_motion *motion, const struct naohw_page *from,
		      const char *which, unsigned int to, struct naohw_error *err)
{
	const struct naohw_page *page;

	/* No link at all, whatever the page of that number holds. */
	if (to == 0)
		return 0;
	if (to >= motion->count)
		return fail(err, -ERANGE,
			    "%s: page %u (%s): %s is page %u, but the file ends with page %u",
			    motion->path, from->number, from->name, which, to, motion->count - 1);
	page = &motion->page[to];
	if (page->state == NAOHW_PAGE_DAMAGED)
		return fail(err, -EBADMSG,
			    "%s: page %u (%s): %s is page %u, which is damaged: %s", motion->path,
			    from->number, from->name, which, to, page->fault);
	return 0;
}

/* A page for servos of another resolution would send them to other angles, all within their range. */
static int check_motor(const struct naohw_player *player, unsigned int id, struct naohw_error *err)
{
	const struct naohw_motion *motion = player->motion;
	const struct servo_axis *axis = &player->axis[player->by_id[id]].info;
	bool is_10_bit = timing_is_10_bit(axis);
	char found[48] = "version 1.0";

	if (!motion->motor_line || id >= MOTION_TEXT_IDS || player->nominal ||
	    is_10_bit == !motion->motor[id])
		return 0;
	if (motion->has_motor_type)
		snprintf(found, sizeof(found), "motor_type %u of ID %u", motion->motor[id], id);
	return fail(err, -ENOTSUP,
		    "%s:%u: found %s, which is for servos that count to %s, but %s (ID %u) counts "
		    "to %s: it would go to other angles", motion->path, motion->motor_line, found,
		    is_10_bit ? "4095" : "1023", axis->label, id, is_10_bit ? "1023" : "4095");
}

static int check_goal(const struct naohw_player *player, const struct naohw_page *page,
		      unsigned int step, unsigned int id, struct naohw_error *err)
{
	uint16_t position = player->motion->page[page->number].step[step].position[id];
	const struct servo_axis *axis;
	int goal, ret;

	if (player->by_id[id] < 0 || !timing_has_goal(position))
		return 0;
	ret = check_motor(player, id, err);
	if (ret < 0)
		return ret;
	axis = &player->axis[player->by_id[id]].info;
	goal = timing_goal(axis, position);
	if (goal >= axis->min && goal <= axis->max)
		return 0;
	return fail(err, -ERANGE,
		    "%s: page %u (%s), step %u: %s (ID %u) would go to %d, but it can go from %d "
		    "to %d only",
		    player->motion->path, page->number, page->name, step + 1, axis->label, id, goal,
		    axis->min, axis->max);
}

static int check_goals(const struct naohw_player *player, const struct naohw_page *page,
		       struct naohw_error *err)
{
	for (unsigned int step = 0; step < page->step_count; step++) {
		for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
			int ret = check_goal(player, page, step, id, err);

			if (ret < 0)
				return ret;
		}
	}
	return 0;
}

static int check_page(const struct naohw_player *player, unsigned int number,
		      struct naohw_error *err)
{
	const struct naohw_page *page = &player->motion->page[number];
	int ret = check_link(player->motion, page, "next", page->next, err);

	if (ret == 0)
		ret = check_link(player->motion, page, "exit", page->exit, err);
	if (ret == 0)
		ret = check_goals(player, page, err);
	return ret;
}

static int check_file(const struct naohw_player *player, struct naohw_error *err)
{
	const struct naohw_motion *motion = player->motion;

	if (!*motion->checksum_fault || player->ignore_checksum)
		return 0;
	return fail(err, -EBADMSG, "%s: %s", motion->path, motion->checksum_fault);
}

static int check_first(const struct naohw_motion *motion, unsigned int number,
		       struct naohw_error *err)
{
	const struct naohw_page *page;
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	if (number == 0 || number >= motion->count)
		return motion_no_page(motion, text, err);
	page = &motion->page[number];
	if (page->state == NAOHW_PAGE_DAMAGED)
		return fail(err, -EBADMSG, "%s: page %u (%s) is damaged: %s", motion->path, number,
			    page->name, page->fault);
	if (page->state == NAOHW_PAGE_ERASED)
		return fail(err, -ENODATA, "%s: page %u is erased (all its bytes are 0xff)",
			    motion->path, number);
	if (page->state == NAOHW_PAGE_EMPTY)
		return fail(err, -ENODATA, "%s: page %u (%s) is empty: %u steps, repeat %u",
			    motion->path, number, page->name, page->step_count, page->repeat);
	return 0;
}

int player_check(struct naohw_player *player, unsigned int first, bool *seen,
		 struct naohw_error *err)
{
	const struct naohw_motion *motion = player->motion;
	unsigned int queue[MOTION_PAGES];
	unsigned int head = 0, tail = 0;
	int ret = check_file(player, err);

	if (ret == 0)
		ret = check_first(motion, first, err);
	if (ret < 0)
		return ret;
	player_bind(player, &motion->page[first]);
	queue[tail++] = first;
	seen[first] = true;
	while (head < tail) {
		const struct naohw_page *page = &motion->page[queue[head++]];
		const unsigned int links[] = { page->next, page->exit };

		ret = check_page(player, page->number, err);
		if (ret < 0)
			return ret;
		for (unsigned int i = 0; i < 2; i++) {
			/* A link to an empty page ends the play, as a link to page 0 does. */
			if (seen[links[i]] || !motion_playable(motion, links[i]))
				continue;
			seen[links[i]] = true;
			queue[tail++] = links[i];
		}
	}
	return 0;
}

int naohw_player_check(struct naohw_player *player, unsigned int first, struct naohw_error *err)
{
	bool reachable[MOTION_PAGES] = { false };

	if (player_is_busy(player))
		return player_busy(err);
	return player_check(player, first, reachable, err);
}
