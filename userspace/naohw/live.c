// SPDX-License-Identifier: GPL-2.0-or-later
#include "live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "origin.h"

#define NAME_SIZE 512
#define SENSOR	  "/Sensor/Value"
/* Frames that are kept while something else is asked for, which takes its time */
#define DEPTH	 128
#define NS_PER_S ((int64_t)1000000000)
/* For a naohwd's cycle; and between two looks for one that has gone */
#define LONGEST_MS 1000
#define PAUSE_NS   100000000

struct slot {
	bool is_live;
	size_t number;
	bool was_known;
};

struct live {
	const struct keys *keys;
	struct origin origin;
	uint64_t cycle;		   /* of a naohwd */
	struct naohw_store *store; /* naohwd's, or of our own frames */
	struct slot *slot; /* of each key */
	int64_t ahead;	   /* of CLOCK_MONOTONIC, which frames have, CLOCK_REALTIME is */
};

/* Does the description say @part of the sub-device whose Value the key is? */
static bool says(const struct naohw_robot *robot, const struct naohw_key *key, const char *part)
{
	const char *name = naohw_key_name(key);
	struct naohw_key *found;
	char other[NAME_SIZE];

	snprintf(other, sizeof(other), "%.*s/%s", (int)(strrchr(name, '/') - name), name, part);
	return naohw_robot_find_key(robot, other, &found) == 0;
}

enum coming coming_of(const struct naohw_robot *robot, const struct naohw_key *key)
{
	const char *name = naohw_key_name(key);
	size_t length = strlen(name);

	if (length < strlen(SENSOR) || strcmp(name + length - strlen(SENSOR), SENSOR) != 0)
		return COMING_ASKED;
	if (says(robot, key, "Event"))
		return COMING_PRESSED;
	if (says(robot, key, "Formula"))
		return COMING_IN_FRAMES;
	return says(robot, key, "Channel") && !says(robot, key, "Attribute") ? COMING_IN_FRAMES :
									       COMING_ASKED;
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int out_of_memory(struct naohw_error *err)
{
	snprintf(err->message, sizeof(err->message), "out of memory");
	return -ENOMEM;
}

static bool is_live(const struct live *live, const struct naohw_robot *robot,
		    const struct naohw_key *key)
{
	enum coming coming = coming_of(robot, key);

	if (live->origin.dcm)
		return coming != COMING_ASKED;
	return coming == COMING_PRESSED || naohw_frame_has_key(live->origin.frame, key);
}

static int find_slots(struct live *live, const struct naohw_robot *robot, struct naohw_error *err)
{
	live->slot = calloc(live->keys->count, sizeof(*live->slot));
	if (!live->slot)
		return out_of_memory(err);
	for (size_t i = 0; i < live->keys->count; i++) {
		const struct naohw_key *key = live->keys->at[i].key;
		struct slot *slot = &live->slot[i];

		slot->is_live = is_live(live, robot, key) &&
				naohw_store_find(live->store, naohw_key_name(key), &slot->number) ==
					0;
	}
	return 0;
}

static int open_store(struct live *live, struct naohw_robot *robot, struct naohw_error *err)
{
	const struct origin *origin = &live->origin;

	if (!origin->dcm)
		return naohw_store_open(robot, origin->frame, &live->store, err);
	live->store = naohw_dcm_store(origin->dcm);
	return 0;
}

static int open_all(struct live *live, struct naohw_robot *robot, struct naohw_error *err)
{
	const struct frame_options options = { .depth = DEPTH };
	int ret = origin_open(&live->origin, robot, &options, err);

	if (ret == 0)
		ret = open_store(live, robot, err);
	return ret == 0 ? find_slots(live, robot, err) : ret;
}

struct live *live_open(struct naohw_robot *robot, const struct keys *keys, struct naohw_error *err)
{
	struct live *live = calloc(1, sizeof(*live));

	if (!live) {
		(void)out_of_memory(err);
		return NULL;
	}
	live->keys = keys;
	if (open_all(live, robot, err) == 0)
		return live;
	live_close(live);
	return NULL;
}

void live_close(struct live *live)
{
	if (!live)
		return;
	if (!live->origin.dcm)
		naohw_store_close(live->store);
	origin_close(&live->origin);
	free(live->slot);
	free(live);
}

/* One that has gone may come back, and then goes on here. */
static int wait_for_naohwd(struct live *live, struct naohw_error *err)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int ret = naohw_dcm_wait(live->origin.dcm, &live->cycle, LONGEST_MS, err);

	if (ret < 0 && ret != -ETIMEDOUT)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	return ret < 0 ? -ETIMEDOUT : 0;
}

static int wait_for_frame(struct live *live, struct naohw_error *err)
{
	int ret = naohw_frame_read(live->origin.frame, err);

	/* Of what no frame brought it is known now, too. */
	(void)naohw_store_publish(live->store);
	return ret;
}

int live_wait(struct live *live, struct naohw_error *err)
{
	int ret = live->origin.dcm ? wait_for_naohwd(live, err) : wait_for_frame(live, err);

	/* The clock may have been set. */
	live->ahead = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
	return ret;
}

/* Sensors are silent for a moment now and then; one that is so for long is a piece of news. */
static bool take(const struct live *live, size_t index, const struct naohw_value *value,
		 struct reading *reading)
{
	const struct naohw_key *key = live->keys->at[index].key;
	struct slot *slot = &live->slot[index];

	if (value->state == NAOHW_STATE_ABSENT) {
		if (slot->was_known)
			reading_fail(reading, key, -ETIMEDOUT, "does not answer any more");
		return slot->was_known;
	}
	slot->was_known = true;
	reading_put(reading, key, value->number, value->time + live->ahead);
	return true;
}

bool live_has(const struct live *live, size_t index)
{
	return live->slot[index].is_live;
}

bool live_get(struct live *live, size_t index, struct reading *reading)
{
	struct naohw_value value;

	if (naohw_store_read(live->store, live->slot[index].number, &value) < 0)
		return false;
	return take(live, index, &value, reading);
}
