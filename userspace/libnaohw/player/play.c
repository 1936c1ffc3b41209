// SPDX-License-Identifier: LGPL-2.1-or-later
/* Plays motion pages: which step when, on whatever sink it is given. */
#include <math.h>

#include "player.h"

#define NS_PER_S 1e9
/* A machine that stalled this long gets a later schedule rather than a hurried motion. */
#define STALL_NS ((int64_t)50 * PLAYER_NS_PER_MS)

/* ---- which step ---- */

/* One look at the end of each pass, where the motion may end or turn to the exit. */
static bool must_stop(struct naohw_player *player)
{
	if (player->max_ms > 0 &&
	    player_now(player) - player->began >= (int64_t)player->max_ms * PLAYER_NS_PER_MS)
		naohw_player_stop(player);
	return player_requested(player) >= PLAYER_STOP;
}

/* The page that follows; NULL: none. */
static const struct naohw_page *follow(struct naohw_player *player, bool stopped)
{
	const struct naohw_page *page = player->progress.page;
	unsigned int next = stopped ? page->exit : page->next;

	/* Exits that lead in a circle would make a stop last for ever. */
	if (stopped && player->exited[next])
		return NULL;
	player->exited[next] = stopped;
	return motion_playable(player->motion, next);
}

/* To another page, or the play is over. */
static void turn_page(struct naohw_player *player)
{
	bool stopped = must_stop(player);
	const struct naohw_page *page = follow(player, stopped);

	if (!page) {
		player_end(player, stopped ? NAOHW_PLAYER_STOPPED : NAOHW_PLAYER_DONE);
		return;
	}
	player->progress.page = page;
	player->progress.pass = 1;
	player->progress.passes = page->repeat;
	player->progress.step = 1;
}

static void next_step(struct naohw_player *player)
{
	struct player_progress *at = &player->progress;

	if (at->step < at->page->step_count) {
		at->step++;
		return;
	}
	if (must_stop(player) || at->pass == at->passes) {
		turn_page(player);
		return;
	}
	at->pass++;
	at->step = 1;
}

/* ---- what a step does ---- */

/* Longest way of a step's joints from where their goals are now, in rad. */
static double longest_travel(const struct naohw_player *player, const struct motion_step *step)
{
	double longest = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		const struct player_axis *axis;
		double travel;

		if (player->by_id[id] < 0 || !timing_has_goal(step->position[id]))
			continue;
		axis = &player->axis[player->by_id[id]];
		travel = timing_travel(&axis->info, axis->goal,
				       timing_goal(&axis->info, step->position[id]));
		if (travel > longest)
			longest = travel;
	}
	return longest;
}

/* How long a step has to be for the joints that it is the first one for. */
static int64_t approach_ns(const struct naohw_player *player, const struct motion_step *step)
{
	double longest = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS && player->sink->approach_speed; id++) {
		const struct player_axis *axis;
		double way;

		if (player->by_id[id] < 0 || !timing_has_goal(step->position[id]))
			continue;
		axis = &player->axis[player->by_id[id]];
		if (axis->moved || axis->is_limp)
			continue;
		way = timing_travel(&axis->info, axis->goal,
				    timing_goal(&axis->info, step->position[id]));
		longest = fmax(longest, way / player->sink->approach_speed(
						player->data, (size_t)player->by_id[id]));
	}
	return llround(longest * NS_PER_S);
}

static int64_t move_ns_of(const struct naohw_player *player, const struct motion_step *step)
{
	double travel = longest_travel(player, step);
	unsigned int ticks = timing_move_ticks(player->progress.page, step, travel);
	int64_t ns = timing_ns(ticks, player->tempo), least = approach_ns(player, step);

	if (ns >= least)
		return ns;
	player_note(player, "the way to step %u takes %ld ms instead of %ld: until a play has "
		    "brought a joint to its first goal, SpeedMax is its limit",
		    player->progress.step, (long)(least / PLAYER_NS_PER_MS),
		    (long)(ns / PLAYER_NS_PER_MS));
	return least;
}

static void leave_behind(const struct naohw_player *player, unsigned int id)
{
	struct player_still *still = player_find_still(player, id);

	if (still)
		still->moved = true;
}

static void aim(struct naohw_player *player, const struct motion_step *step)
{
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		uint16_t position = step->position[id];
		struct player_axis *axis;

		if (!timing_has_goal(position))
			continue;
		if (player->by_id[id] < 0) {
			leave_behind(player, id);
			continue;
		}
		axis = &player->axis[player->by_id[id]];
		axis->goal = timing_goal(&axis->info, position);
		axis->moved = true;
		if (!player_is_limp(player, (size_t)player->by_id[id]))
			player->sink->set(player->data, (size_t)player->by_id[id], axis->goal);
	}
}

static void catch_up(struct naohw_player *player)
{
	int64_t time = player_now(player);

	if (time - player->due <= STALL_NS)
		return;
	player_note(player, "the machine stalled for %ld ms; the motion goes on that much later",
		    (long)((time - player->due) / PLAYER_NS_PER_MS));
	player->due = time;
}

static int send_step(struct naohw_player *player, struct naohw_error *err)
{
	struct player_progress *at = &player->progress;
	const struct motion_step *step = &at->page->step[at->step - 1];
	int64_t move_ns = move_ns_of(player, step);
	int64_t pause_ns = timing_ns(timing_pause_ticks(at->page, step), player->tempo);
	int ret;

	catch_up(player);
	aim(player, step);
	ret = player->sink->push(player->data, player->due, player->due + move_ns, err);
	if (ret < 0)
		return ret;
	at->step_ms = (long)(move_ns / PLAYER_NS_PER_MS);
	at->pause_ms = (long)(pause_ns / PLAYER_NS_PER_MS);
	at->elapsed_ms = (long)((player->due - player->began) / PLAYER_NS_PER_MS);
	if (player->callbacks.step)
		player->callbacks.step(player->callbacks.step_data, player);
	player->due += move_ns + pause_ns;
	return 0;
}

int player_play_on(struct naohw_player *player, struct naohw_error *err)
{
	if (player_requested(player) == PLAYER_HALT) {
		player_hold(player);
		return 0;
	}
	if (player->waits && player_requested(player) == PLAYER_STOP) {
		player_stop_stiffening(player);
		player_end(player, NAOHW_PLAYER_STOPPED);
		return 0;
	}
	if (player->waits)
		player_begin_steps(player);
	next_step(player);
	return player_is_busy(player) ? send_step(player, err) : 0;
}
