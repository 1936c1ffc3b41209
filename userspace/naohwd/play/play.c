// SPDX-License-Identifier: GPL-2.0-or-later
#include "play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"

/*
 * So many go by from when the last step's time is over: what is held is let go then, and where
 * joints are to be by that time a cycle of before must have told them.
 */
#define LAST_CYCLES 3

struct plays {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct leases *leases;
	struct motions *motions;
	struct play_status status;
	const char **limp; /* of the status: room for all joints */
	unsigned int changes;
	struct often often;
	/* Of the play that goes on */
	struct naohw_player *player; /* NULL: none does */
	struct naohw_motion *own;    /* one that is not installed, or NULL */
	const struct party *client;  /* whose it is; NULL: it stays */
	struct party party;	     /* which holds what it moves, by ... */
	unsigned int lease;
	unsigned int last_cycles;
};

/* ---- what is told of it ---- */

static void change(struct plays *plays, enum play_state state)
{
	plays->status.state = state;
	plays->changes++;
}

static void on_step(void *data, const struct naohw_player *player)
{
	struct plays *plays = data;

	plays->status.page = naohw_page_number(naohw_player_progress_page(player));
	plays->status.step = naohw_player_progress_step(player);
	plays->status.limp_count = naohw_player_limp(player, plays->limp,
						     naohw_robot_joint_count(plays->robot));
	plays->changes++;
}

static void on_note(void *data, const char *text)
{
	struct plays *plays = data;

	log_often(&plays->often, "play %u: %s", plays->status.id, text);
}

/* ---- its end ---- */

static void let_go(struct plays *plays)
{
	struct naohw_error none;

	naohw_player_free(plays->player);
	naohw_motion_free(plays->own);
	plays->player = NULL;
	plays->own = NULL;
	plays->client = NULL;
	plays->last_cycles = 0;
	/* What its program has said of the same joints comes last, if that has gone. */
	(void)lease_release(&plays->party, plays->lease, &none);
	party_leave(&plays->party);
}

static void end(struct plays *plays, enum play_state state, const struct naohw_error *why)
{
	if (state == PLAY_FAILED)
		plays->status.why = *why;
	let_go(plays);
	change(plays, state);
}

/* Return: false: it is over. */
static bool go_on(struct plays *plays)
{
	struct naohw_error err;
	int64_t due;
	int ret = naohw_player_step(plays->player, &due, &err);

	if (ret == 0)
		return naohw_player_get_state(plays->player) == NAOHW_PLAYER_PLAYING;
	if (ret != -ECANCELED)
		log_often(&plays->often, "play %u has failed: %s", plays->status.id, err.message);
	end(plays, ret == -ECANCELED ? PLAY_HALTED : PLAY_FAILED, &err);
	return true;
}

static bool is_stopped(const struct plays *plays)
{
	return naohw_player_get_state(plays->player) == NAOHW_PLAYER_STOPPED;
}

void plays_cycle(struct plays *plays)
{
	if (!plays->player || (!plays->last_cycles && go_on(plays)))
		return;
	if (++plays->last_cycles > LAST_CYCLES)
		end(plays, is_stopped(plays) ? PLAY_STOPPED : PLAY_DONE, NULL);
}

int play_stop(struct plays *plays, bool at_once, struct naohw_error *err)
{
	if (!plays->player)
		return trouble(err, -ENOENT, "nothing plays");
	if (at_once)
		naohw_player_halt(plays->player);
	else
		naohw_player_stop(plays->player);
	return 0;
}

bool play_holds(const struct plays *plays, unsigned int lease)
{
	return plays->player && plays->lease == lease;
}

void play_leave(struct plays *plays, struct party *party)
{
	if (!plays->player || plays->client != party)
		return;
	log_often(&plays->often, "play %u stops, as %s (process %ld) has gone", plays->status.id,
		  party->program, (long)party->pid);
	plays->client = NULL;
	/* The exit page is not to be gone through by a robot of which a part is limp. */
	party_give(party, &plays->party);
	naohw_player_stop(plays->player);
}

/* ---- its beginning ---- */

static int find_motion(struct plays *plays, const struct play_wish *wish,
		       const struct naohw_motion **motion, struct naohw_error *err)
{
	int ret;

	if (wish->bytes) {
		ret = naohw_motion_read(wish->motion, wish->bytes, wish->size, &plays->own, err);
		*motion = plays->own;
		return ret;
	}
	*motion = motions_find(plays->motions, wish->motion);
	return *motion ? 0 : trouble(err, -ENOENT, "%.200s: no such motion is installed",
				     wish->motion);
}

/* What the client holds is no hindrance, and is the play's until that ends. */
static int take_lease(struct plays *plays, const struct party *party, unsigned int page,
		      struct naohw_error *err)
{
	size_t room = naohw_robot_joint_count(plays->robot);
	const char **names = calloc(room + 1, sizeof(*names));
	struct lease_wish wish = {
		.names = names,
		.end = LEASE_HOLD,
		.is_exclusive = true,
		.ally = party,
	};
	int ret = 0;

	if (!names)
		return trouble(err, -ENOMEM, "out of memory");
	wish.count = naohw_player_moved(plays->player, page, names, room);
	if (wish.count)
		ret = lease_take(&plays->party, &wish, &plays->lease, err);
	free(names);
	return ret;
}

static void set_up(struct plays *plays, const struct play_wish *wish)
{
	/* In its range, as who asked has looked. */
	(void)naohw_player_set_speed(plays->player, wish->speed, NULL);
	naohw_player_set_repeat(plays->player, wish->repeat);
	naohw_player_on_step(plays->player, on_step, plays);
	naohw_player_on_note(plays->player, on_note, plays);
}

/* A program may have asked for a longer one, in which the joints would go in coarser steps. */
static double period_of(const struct plays *plays)
{
	double before = leases_period_before(plays->leases);
	double ms = naohw_player_get_period(plays->player);

	return ms > 0 && ms < before ? ms : before;
}

static int begin(struct plays *plays, const struct party *party, const struct play_wish *wish,
		 struct naohw_error *err)
{
	const struct naohw_motion *motion;
	unsigned int page;
	int ret = find_motion(plays, wish, &motion, err);

	if (ret == 0)
		ret = naohw_motion_find_page(motion, wish->page, &page, err);
	if (ret == 0)
		ret = naohw_player_new(motion, plays->robot, plays->dcm, &plays->player, err);
	if (ret == 0)
		ret = naohw_player_set_head(plays->player, wish->head, err);
	if (ret == 0)
		ret = naohw_player_set_stiff(plays->player, wish->stiff, err);
	if (ret == 0)
		ret = naohw_player_check(plays->player, page, err);
	if (ret == 0)
		ret = take_lease(plays, party, page, err);
	if (ret < 0)
		return ret;
	set_up(plays, wish);
	/* One that holds the period alone is to have that. */
	(void)party_ask_period(&plays->party, period_of(plays), NAOHW_TIME_NONE, NULL);
	return naohw_player_begin(plays->player, page, err);
}

int play_begin(struct plays *plays, const struct party *party, const struct play_wish *wish,
	       unsigned int *id, struct naohw_error *err)
{
	int ret;

	if (plays->player)
		return trouble(err, -EBUSY, "play %u goes on", plays->status.id);
	snprintf(plays->party.program, sizeof(plays->party.program), "%.20s's play",
		 party->program);
	plays->party.pid = party->pid;
	plays->party.uid = party->uid;
	plays->status.id++;
	ret = begin(plays, party, wish, err);
	if (ret < 0) {
		plays->status.id--;
		let_go(plays);
		return ret;
	}
	plays->client = wish->stays ? NULL : party;
	*id = plays->status.id;
	plays->status = (struct play_status){ .id = *id, .limp = plays->limp };
	change(plays, PLAY_PLAYING);
	log_often(&plays->often, "play %u: page %.64s of %.200s, for %s (process %ld)", *id,
		  wish->page, wish->motion, party->program, (long)party->pid);
	return 0;
}

/* ---- all of it ---- */

int plays_new(struct naohw_robot *robot, struct naohw_dcm *dcm, struct leases *leases,
	      const char *directory, struct plays **out, struct naohw_error *err)
{
	struct plays *plays = calloc(1, sizeof(*plays));

	if (plays) {
		plays->motions = motions_read(directory);
		plays->limp = calloc(naohw_robot_joint_count(robot) + 1, sizeof(*plays->limp));
	}
	if (!plays || !plays->motions || !plays->limp) {
		plays_free(plays);
		return trouble(err, -ENOMEM, "out of memory");
	}
	plays->robot = robot;
	plays->dcm = dcm;
	plays->leases = leases;
	plays->party.leases = leases;
	*out = plays;
	return 0;
}

void plays_free(struct plays *plays)
{
	if (!plays)
		return;
	let_go(plays);
	motions_free(plays->motions);
	free(plays->limp);
	free(plays);
}

const struct play_status *plays_status(const struct plays *plays)
{
	return &plays->status;
}

unsigned int plays_changes(const struct plays *plays)
{
	return plays->changes;
}
