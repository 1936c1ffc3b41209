// SPDX-License-Identifier: GPL-2.0-or-later
#include "follow.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli.h"
#include "live.h"
#include "output.h"

/* How often a button is looked at, which costs nothing, while no frames are the clock. */
#define LOOK 0.01

struct follower {
	const struct follow *follow;
	struct reading *last; /* of each key; that of a reading is NULL before the first one */
	enum coming *coming;  /* of each key */
	struct live *live;    /* NULL: all is asked for */
	struct failures failures; /* of this look at the keys */
	bool has_pressed;     /* there are buttons among the keys */
	bool is_late;	      /* a frame did not come, which has been told */
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A board that hears nothing while frames are read keeps what it has. */
static bool is_news(const struct follower *follower, size_t index, const struct reading *reading)
{
	const struct reading *last = &follower->last[index];

	if (!follower->follow->changes || !last->key)
		return true;
	return reading->error != -EBUSY && !reading_is_same(reading, last);
}

static void show(struct follower *follower, size_t index, const struct reading *reading)
{
	if (!is_news(follower, index, reading))
		return;
	(void)reading_print(reading, &follower->follow->format, &follower->failures);
	follower->last[index] = *reading;
}

static void ask(struct follower *follower, size_t index)
{
	struct reading reading;

	reading_take(&reading, follower->follow->keys->at[index].key);
	show(follower, index, &reading);
}

static void ask_all(struct follower *follower)
{
	for (size_t i = 0; i < follower->follow->keys->count; i++)
		if (!follower->live || !live_has(follower->live, i))
			ask(follower, i);
	failures_tell(&follower->failures);
}

static void ask_pressed(struct follower *follower)
{
	for (size_t i = 0; i < follower->follow->keys->count; i++)
		if (follower->coming[i] == COMING_PRESSED)
			ask(follower, i);
	failures_tell(&follower->failures);
}

/* Who reads the frames may be another program, or there are none. */
static void begin_live(struct follower *follower)
{
	const struct follow *follow = follower->follow;
	bool any = false;
	struct naohw_error err;

	for (size_t i = 0; i < follow->keys->count; i++) {
		follower->coming[i] = coming_of(follow->robot, follow->keys->at[i].key);
		follower->has_pressed |= follower->coming[i] == COMING_PRESSED;
		any |= follower->coming[i] != COMING_ASKED;
	}
	if (!any)
		return;
	follower->live = live_open(follow->robot, follow->keys, &err);
	if (!follower->live)
		complain("%s; keys are asked for every %g s", err.message, follow->interval);
}

static void show_live(struct follower *follower)
{
	struct reading reading;

	for (size_t i = 0; i < follower->follow->keys->count; i++)
		if (live_has(follower->live, i) && live_get(follower->live, i, &reading))
			show(follower, i, &reading);
	failures_tell(&follower->failures);
}

/* Return: 0, or a negative errno; complained. A frame that does not come may do so later. */
static int wait_live(struct follower *follower)
{
	struct naohw_error err;
	int ret = live_wait(follower->live, &err);

	if (ret < 0 && !(ret == -ETIMEDOUT && follower->is_late))
		complain("%s", err.message);
	follower->is_late = ret == -ETIMEDOUT;
	show_live(follower);
	return ret == -ETIMEDOUT ? 0 : ret;
}

/* Until the next reading. Return: 1; 0 there is to be none; or a negative errno; complained. */
static int wait_for_next(struct follower *follower)
{
	double until = now() + follower->follow->interval;
	int ret = 0;

	if (!follower->live && !follower->has_pressed)
		return output_wait(follower->follow->interval);
	do {
		if (!output_wait(follower->live ? 0 : fmin(LOOK, follower->follow->interval)))
			return 0;
		if (follower->live)
			ret = wait_live(follower);
		else
			ask_pressed(follower);
	} while (ret == 0 && now() < until);
	return ret < 0 ? ret : 1;
}

static int run(struct follower *follower)
{
	const struct follow *follow = follower->follow;
	int ret = 1;

	for (long i = 1; ret > 0 && !ferror(stdout); i++) {
		ask_all(follower);
		if (i == follow->count)
			break;
		if (i == 1 && follow->changes)
			begin_live(follower);
		ret = wait_for_next(follower);
	}
	return ret < 0 ? STATUS_FAILED : STATUS_OK;
}

int follow(const struct follow *follow)
{
	struct follower follower = { .follow = follow };
	int status;

	follower.last = calloc(follow->keys->count, sizeof(*follower.last));
	follower.coming = calloc(follow->keys->count, sizeof(*follower.coming));
	setlinebuf(stdout);
	status = follower.last && follower.coming ? run(&follower) : complain("out of memory");
	live_close(follower.live);
	free(follower.coming);
	free(follower.last);
	return status;
}
