// SPDX-License-Identifier: LGPL-2.1-or-later
/* Plays motion pages: which step when, on whatever sink it is given. */
#include "player.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "motion.h"
#include "timing.h"

/* A machine that stalled this long gets a later schedule rather than a hurried motion. */
#define STALL_NS	 ((int64_t)50 * 1000000)
/* Between two looks at the clock, the callback and what another thread requests. */
#define IDLE_NS		 ((int64_t)5 * 1000000)
/* A joint told to stay where it was seen a moment ago comes back from a little further. */
#define HOLD_NS		 ((int64_t)100 * 1000000)
/* Nearer than this to a goal that it already has, a joint stays: it sags under its load. */
#define STAY_RAD	 0.05
#define NS_PER_MS	 1000000
#define TEMPO_MIN	 0.01
#define TEMPO_MAX	 100.0

int player_create(const struct naohw_motion *motion, const struct naohw_axis *axes, size_t count,
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
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++)
		player->by_id[id] = -1;
	for (size_t i = 0; i < count; i++) {
		axis[i].info = axes[i];
		/* The same ID on a second bus is out of a page's reach. */
		if (axes[i].id < NAOHW_PAGE_IDS && player->by_id[axes[i].id] < 0)
			player->by_id[axes[i].id] = (int)i;
	}
	*out = player;
	return 0;
}

void naohw_player_free(struct naohw_player *player)
{
	if (!player)
		return;
	if (player->sink->free)
		player->sink->free(player->data);
	free(player->axis);
	free(player);
}

int naohw_player_set_frame(struct naohw_player *player, struct naohw_frame *frame)
{
	return player->sink->set_frame ? player->sink->set_frame(player->data, frame) : -EINVAL;
}

void naohw_player_ignore_checksum(struct naohw_player *player)
{
	player->ignore_checksum = true;
}

/* The requests only ever grow: a stop after a halt changes nothing. */
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

enum player_request player_requested(struct naohw_player *player)
{
	return (enum player_request)atomic_load(&player->request);
}

void player_note(const struct naohw_player *player, const char *format, ...)
{
	char text[256];
	va_list args;

	if (!player->options->note)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	player->options->note(player->options->data, text);
}

static int64_t now(const struct naohw_player *player)
{
	return player->sink->now(player->data);
}

void player_wait(struct naohw_player *player, int64_t deadline, enum player_request ends)
{
	const struct naohw_play_options *options = player->options;
	int64_t time;

	while (player_requested(player) < ends && (time = now(player)) < deadline) {
		int64_t wake;

		if (options->idle)
			options->idle(options->data, (long)((deadline - time) / NS_PER_MS));
		wake = now(player) + IDLE_NS;
		player->sink->sleep(player->data, wake < deadline ? wake : deadline);
	}
}

double player_longest_travel(const struct naohw_player *player, const struct naohw_step *step)
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

/*
 * A joint that stays keeps its speed: a lower one would make it weak against a push. In the
 * first step its way is from where it is found, which is not quite the goal that it has.
 */
static bool stays(const struct naohw_player *player, const struct player_axis *axis, int goal)
{
	if (goal == axis->goal)
		return true;
	return goal == player->sink->goal(player->data, (size_t)(axis - player->axis)) &&
	       timing_travel(&axis->info, axis->goal, goal) < STAY_RAD;
}

/* Returns 1 when the servo cannot be told to go as fast as the step wants. */
static int aim(struct naohw_player *player, struct player_axis *axis, int goal, int64_t ns)
{
	int too_fast = 0;

	if (!stays(player, axis, goal))
		axis->speed = timing_speed(&axis->info, goal - axis->goal, ns, &too_fast);
	axis->goal = goal;
	axis->moved = true;
	player->sink->set(player->data, (size_t)(axis - player->axis), goal, axis->speed);
	return too_fast;
}

static unsigned int aim_all(struct naohw_player *player, const struct naohw_step *step, int64_t ns)
{
	unsigned int too_fast = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		uint16_t position = step->position[id];
		struct player_axis *axis;

		if (player->by_id[id] < 0 || !timing_has_goal(position))
			continue;
		axis = &player->axis[player->by_id[id]];
		if (aim(player, axis, timing_goal(&axis->info, position), ns))
			too_fast++;
	}
	return too_fast;
}

static void catch_up(struct naohw_player *player)
{
	int64_t time = now(player);

	if (time - player->deadline <= STALL_NS)
		return;
	player_note(player, "the machine stalled for %ld ms; the motion goes on that much later",
		    (long)((time - player->deadline) / NS_PER_MS));
	player->deadline = time;
}

static int play_step(struct naohw_player *player, const struct motion_page *page,
		     struct naohw_progress *progress, struct naohw_error *err)
{
	const struct naohw_step *step = &page->step[progress->step - 1];
	unsigned int move =
		timing_move_ticks(&page->head, step, player_longest_travel(player, step));
	int64_t move_ns = timing_ns(move, player->tempo);
	int64_t pause_ns = timing_ns(timing_pause_ticks(&page->head, step), player->tempo);
	int ret;

	if (player_requested(player) == PLAYER_HALT)
		return -ECANCELED;
	catch_up(player);
	progress->too_fast = aim_all(player, step, move_ns);
	ret = player->sink->push(player->data, err);
	if (ret < 0)
		return ret;
	progress->step_ms = (long)(move_ns / NS_PER_MS);
	progress->pause_ms = (long)(pause_ns / NS_PER_MS);
	progress->elapsed_ms = (long)((player->deadline - player->began) / NS_PER_MS);
	if (player->options->step)
		player->options->step(player->options->data, progress);
	player->deadline += move_ns + pause_ns;
	player_wait(player, player->deadline, PLAYER_HALT);
	return player_requested(player) == PLAYER_HALT ? -ECANCELED : 0;
}

static int play_pass(struct naohw_player *player, const struct motion_page *page,
		     struct naohw_progress *progress, struct naohw_error *err)
{
	for (progress->step = 1; progress->step <= page->head.steps; progress->step++) {
		int ret = play_step(player, page, progress, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* One look at the end of each pass, where the motion may end or turn to the exit. */
static bool must_stop(struct naohw_player *player)
{
	long max = player->options->max_ms;

	if (max > 0 && now(player) - player->began >= (int64_t)max * NS_PER_MS)
		naohw_player_stop(player);
	return player_requested(player) >= PLAYER_STOP;
}

static int play_page(struct naohw_player *player, const struct motion_page *page,
		     unsigned int passes, struct naohw_error *err)
{
	struct naohw_progress progress = {
		.page = page->head.number,
		.name = page->head.name,
		.passes = passes,
		.steps = page->head.steps,
	};

	for (progress.pass = 1; progress.pass <= passes; progress.pass++) {
		int ret = play_pass(player, page, &progress, err);

		if (ret < 0)
			return ret;
		if (must_stop(player))
			break;
	}
	return 0;
}

static int play_chain(struct naohw_player *player, const struct motion_page *page,
		      struct naohw_error *err)
{
	bool exited[MOTION_PAGES] = { false };
	unsigned int passes = player->options->repeat;
	bool stopped = false;

	while (page) {
		int ret = play_page(player, page, passes ? passes : page->head.repeat, err);
		unsigned int next;

		if (ret < 0)
			return ret;
		passes = 0;
		stopped = must_stop(player);
		next = stopped ? page->head.exit : page->head.next;
		/* Exits that lead in a circle would make a stop last for ever. */
		if (stopped && exited[next])
			break;
		exited[next] = stopped;
		page = motion_playable(player->motion, next);
	}
	return stopped;
}

static bool has_goal_for(const struct motion_page *page, unsigned int id)
{
	for (unsigned int i = 0; i < page->head.steps; i++)
		if (timing_has_goal(page->step[i].position[id]))
			return true;
	return false;
}

/* The first of the pages with a goal for this ID, NULL: none. */
static const struct motion_page *page_with_goal(const struct naohw_player *player,
						const bool *reachable, unsigned int id)
{
	for (unsigned int i = 0; i < player->motion->count; i++)
		if (reachable[i] && has_goal_for(&player->motion->page[i], id))
			return &player->motion->page[i];
	return NULL;
}

static void note_unknown_ids(struct naohw_player *player, const bool *reachable)
{
	const struct motion_page *first = NULL;
	char ids[128] = "";
	size_t used = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		const struct motion_page *page;

		if (player->by_id[id] >= 0)
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
			    "goals for IDs without a servo, from page %u (%s) on, ignored:%s",
			    first->head.number, first->head.name, ids);
}

static int clamp(int value, const struct naohw_axis *axis)
{
	if (value < axis->min)
		return axis->min;
	return value > axis->max ? axis->max : value;
}

static int ask_present(struct naohw_player *player, size_t axis, int *counts,
		       struct naohw_error *err)
{
	int ret = 0;

	for (int i = 0; i < PLAYER_TRIES; i++) {
		ret = player->sink->present(player->data, axis, counts, err);
		if (ret >= 0)
			break;
	}
	return ret;
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
		axis->moved = false;
		axis->arrived = false;
		axis->speed = player->sink->speed(player->data, index);
		axis->goal = player->sink->goal(player->data, index);
		if (ask_present(player, index, &counts, &err) < 0)
			player_note(player, "%s; the play goes on without its position",
				    err.message);
		else
			axis->goal = clamp(counts, &axis->info);
	}
}

int player_restore(struct naohw_player *player, struct naohw_error *err)
{
	for (size_t i = 0; i < player->count; i++)
		if (!player->axis[i].moved || player->axis[i].arrived)
			player->sink->restore(player->data, i);
	return player->sink->push(player->data, err);
}

void player_hold(struct naohw_player *player)
{
	for (size_t i = 0; i < player->count; i++) {
		struct player_axis *axis = &player->axis[i];
		int counts;

		if (!axis->moved || axis->arrived || ask_present(player, i, &counts, NULL) < 0)
			continue;
		axis->goal = clamp(counts, &axis->info);
		axis->arrived = true;
		player->sink->set(player->data, i, axis->goal, axis->speed);
	}
	player->sink->push(player->data, NULL);
	player_wait(player, now(player) + HOLD_NS, PLAYER_NEVER);
	player_restore(player, NULL);
}

static int play(struct naohw_player *player, unsigned int number,
		const struct naohw_play_options *options, struct naohw_error *err)
{
	static const struct naohw_play_options none;
	const struct motion_page *page;
	bool reachable[MOTION_PAGES] = { false };
	double tempo = options && options->speed != 0 ? options->speed : 1;
	int ret = player_check(player, number, reachable, err);

	if (ret < 0)
		return ret;
	if (!(tempo >= TEMPO_MIN && tempo <= TEMPO_MAX))
		return fail(err, -EINVAL, "speed %g, expected %g to %g", tempo, TEMPO_MIN,
			    TEMPO_MAX);
	page = motion_playable(player->motion, number);
	player->options = options ? options : &none;
	player->tempo = tempo;
	note_unknown_ids(player, reachable);
	take_present(player);
	player->began = now(player);
	player->deadline = player->began;
	ret = play_chain(player, page, err);
	if (ret == -ECANCELED) {
		player_hold(player);
		fail(err, ret, "halted; the joints hold where they are");
	}
	return ret;
}

void player_end(struct naohw_player *player)
{
	atomic_store(&player->request, PLAYER_GO);
	player->options = NULL;
}

int naohw_player_play(struct naohw_player *player, unsigned int number,
		      const struct naohw_play_options *options, struct naohw_error *err)
{
	int ret = play(player, number, options, err);

	player_end(player);
	return ret;
}

size_t naohw_player_axis_count(const struct naohw_player *player)
{
	return player->count;
}

int naohw_player_get_axis(const struct naohw_player *player, size_t index, struct naohw_axis *axis)
{
	if (index >= player->count)
		return -EINVAL;
	*axis = player->axis[index].info;
	return 0;
}

int naohw_player_get_goal(const struct naohw_player *player, size_t index)
{
	if (index >= player->count)
		return -EINVAL;
	return player->sink->goal(player->data, index);
}

int naohw_player_read_present(struct naohw_player *player, size_t index, int *counts,
			      struct naohw_error *err)
{
	if (index >= player->count)
		return fail(err, -EINVAL, "axis %zu: there are %zu", index, player->count);
	return player->sink->present(player->data, index, counts, err);
}
