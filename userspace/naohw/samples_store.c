// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of a DCM's store, one of each of its cycles; it may be a naohwd's. */
#include <errno.h>
#include <math.h>
#include <monotonic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "key_forms.h"
#include "recording.h"
#include "samples.h"

#define NAME_SIZE 512
#define NS_PER_MS 1e6
/* For a cycle; between two looks for a naohwd that has gone; and until it is given up */
#define LONGEST_MS  1000
#define PAUSE_NS    100000000
#define PATIENCE_NS INT64_C(10000000000)

/* Of each joint, as far as the robot has the key, and in this order */
static const struct {
	enum naohw_quantity quantity;
	const char *key; /* behind its name */
	double scale;
} values[] = {
	{ NAOHW_QUANTITY_GOAL, "Position/Actuator", SAMPLE_RAD },
	{ NAOHW_QUANTITY_POSITION, "Position/Sensor", SAMPLE_RAD },
	{ NAOHW_QUANTITY_CURRENT, "ElectricCurrent/Sensor", 1e-6 },
	{ NAOHW_QUANTITY_TEMPERATURE, "Temperature/Sensor", 0.01 },
};

#define VALUES (sizeof(values) / sizeof(values[0]))

struct store_samples {
	struct samples samples;
	struct naohw_dcm *dcm;
	struct naohw_snapshot *snapshot;
	size_t *slot;	 /* of each channel; of an age, its position's */
	uint64_t waited; /* for that cycle */
	uint64_t cycle;	 /* of which is the snapshot, by the store's count */
	uint64_t number;
	uint64_t lost;
	int64_t time; /* of the newest position */
	int64_t seen; /* when a cycle came last */
};

static struct store_samples *own_of(struct samples *samples)
{
	return (struct store_samples *)samples;
}

static const struct store_samples *of(const struct samples *samples)
{
	return (const struct store_samples *)samples;
}

static struct naohw_value value_of(const struct store_samples *own, size_t channel)
{
	struct naohw_value value = { .state = NAOHW_STATE_ABSENT };

	(void)naohw_snapshot_get(own->snapshot, own->slot[channel], &value);
	return value;
}

/* ---- the next one ---- */

static int64_t newest_position(const struct store_samples *own)
{
	int64_t newest = 0;

	for (size_t i = 0; i < own->samples.count; i++) {
		struct naohw_value value;

		if (own->samples.channel[i].quantity != NAOHW_QUANTITY_POSITION)
			continue;
		value = value_of(own, i);
		if (value.time > newest)
			newest = value.time;
	}
	return newest;
}

/* Another naohwd counts anew. */
static void count(struct store_samples *own, uint64_t cycle)
{
	if (own->number && cycle > own->cycle)
		own->lost += cycle - own->cycle - 1;
	own->cycle = cycle;
	own->number++;
}

static void look_at_store(struct samples *samples)
{
	struct store_samples *own = own_of(samples);
	uint64_t cycle;

	if (naohw_snapshot_take(own->snapshot) < 0)
		return;
	cycle = naohw_snapshot_sequence(own->snapshot);
	if (!cycle || cycle == own->cycle)
		return;
	count(own, cycle);
	own->time = newest_position(own);
}

/* One that has gone may come back, and then it goes on. */
static int wait_for_cycle(struct samples *samples, struct naohw_error *err)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct store_samples *own = own_of(samples);
	int ret = naohw_dcm_wait(own->dcm, &own->waited, LONGEST_MS, err);

	if (ret == 0) {
		own->seen = monotonic_ns();
		look_at_store(samples);
		return 0;
	}
	if (monotonic_ns() - own->seen > PATIENCE_NS)
		return ret;
	if (ret != -ETIMEDOUT)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	return 0;
}

/* ---- what it says ---- */

static uint64_t store_number(const struct samples *samples)
{
	return of(samples)->number;
}

static uint64_t store_lost(const struct samples *samples)
{
	return of(samples)->lost;
}

static int64_t store_time(const struct samples *samples)
{
	return of(samples)->time;
}

/* How many cycles its joint has been silent for, as frames have it. */
static int64_t age_of(const struct store_samples *own, const struct naohw_value *position)
{
	double periods;

	if (position->state == NAOHW_STATE_ABSENT)
		return RECORDING_AGE_UNKNOWN;
	if (position->state != NAOHW_STATE_STALE)
		return 0;
	periods = own->samples.period ?
			  (double)(own->time - position->time) / (double)own->samples.period :
			  1;
	return llround(fmin(fmax(periods, 1), RECORDING_AGE_UNKNOWN - 1));
}

static int64_t store_raw(const struct samples *samples, size_t channel)
{
	const struct sample_channel *info = &samples->channel[channel];
	struct naohw_value value = value_of(of(samples), channel);

	if (info->quantity == NAOHW_QUANTITY_AGE)
		return age_of(of(samples), &value);
	if (value.state == NAOHW_STATE_ABSENT || !(fabs(value.number / info->scale) < INT32_MAX))
		return 0;
	return llround(value.number / info->scale);
}

static void free_store_samples(struct samples *samples)
{
	struct store_samples *own = own_of(samples);

	naohw_snapshot_free(own->snapshot);
	free(own->slot);
	free(samples->channel);
	free(samples);
}

static const struct samples_kind store_kind = {
	.wait = wait_for_cycle,
	.look = look_at_store,
	.number = store_number,
	.lost = store_lost,
	.time = store_time,
	.raw = store_raw,
	.free = free_store_samples,
};

/* ---- what there is ---- */

static bool find_slot(const struct store_samples *own, size_t joint, const char *key, size_t *slot)
{
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), KEY_PREFIX "%s/%s" KEY_SUFFIX,
		 naohw_joint_label(own->samples.robot, joint), key);
	return naohw_store_find(naohw_dcm_store(own->dcm), name, slot) == 0;
}

static void add_age(struct store_samples *own, size_t joint, size_t slot)
{
	struct sample_channel *age;

	own->slot[own->samples.count] = slot;
	age = samples_add(&own->samples, joint, NAOHW_QUANTITY_AGE, 1);
	age->bits = 8;
	age->is_signed = false;
}

static void add_joint(struct store_samples *own, size_t joint)
{
	size_t position, slot;

	if (!find_slot(own, joint, "Position/Sensor", &position))
		return;
	for (size_t i = 0; i < VALUES; i++) {
		if (!find_slot(own, joint, values[i].key, &slot))
			continue;
		own->slot[own->samples.count] = slot;
		samples_add(&own->samples, joint, values[i].quantity, values[i].scale);
	}
	add_age(own, joint, position);
}

static int make_room(struct store_samples *own, struct naohw_error *err)
{
	size_t most = naohw_robot_joint_count(own->samples.robot) * (VALUES + 1) + 1;

	own->samples.channel = calloc(most, sizeof(*own->samples.channel));
	own->slot = calloc(most, sizeof(*own->slot));
	if (own->samples.channel && own->slot)
		return naohw_snapshot_new(naohw_dcm_store(own->dcm), &own->snapshot, err);
	snprintf(err->message, sizeof(err->message), "out of memory");
	return -ENOMEM;
}

int samples_of_dcm(const struct naohw_robot *robot, struct naohw_dcm *dcm, struct samples **samples,
		   struct naohw_error *err)
{
	struct store_samples *own = calloc(1, sizeof(*own));
	int ret;

	if (!own) {
		snprintf(err->message, sizeof(err->message), "out of memory");
		return -ENOMEM;
	}
	own->samples.kind = &store_kind;
	own->samples.robot = robot;
	own->samples.period = llround(naohw_dcm_get_period(dcm) * NS_PER_MS);
	own->dcm = dcm;
	own->seen = monotonic_ns();
	ret = make_room(own, err);
	if (ret < 0) {
		samples_free(&own->samples);
		return ret;
	}
	for (size_t i = 0; i < naohw_robot_joint_count(robot); i++)
		add_joint(own, i);
	*samples = &own->samples;
	return 0;
}
