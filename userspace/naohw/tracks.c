// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9
/* What a place may be off by noise, or since a frame was read late. */
#define NOISE_RAD 0.1
/* What a place may be late, it makes up for at least with this. */
#define CATCH_UP_RAD_S 0.5
/* In which servos that count turns count them, to either side. */
#define TURNS_MAX 256
/*
 * Two turns a second. Some servos can be told to go at many times the speed that they make, so
 * that alone would let any jump pass.
 */
#define SPEED_MAX_RAD_S (4 * M_PI)

/* ---- a file ---- */

int tracks_open(struct tracks *tracks, const char *path, double tempo, struct naohw_error *err)
{
	int ret;

	memset(tracks, 0, sizeof(*tracks));
	ret = recording_open(path, &tracks->recording, err);
	if (ret < 0)
		return ret;
	tracks->tempo = tempo;
	tracks->head = recording_head(tracks->recording);
	tracks->track = calloc(tracks->head->count, sizeof(*tracks->track));
	tracks->values = calloc(tracks->head->count, sizeof(*tracks->values));
	if (tracks->track && tracks->values)
		return 0;
	snprintf(err->message, sizeof(err->message), "out of memory");
	tracks_close(tracks);
	return -ENOMEM;
}

void tracks_close(struct tracks *tracks)
{
	recording_close(tracks->recording);
	free(tracks->values);
	free(tracks->track);
	memset(tracks, 0, sizeof(*tracks));
}

/*
 * Where a joint was. A goal that a motion page gave it tells where it was to be in the end, and
 * not on what way; only a file that has nothing else means it as that.
 */
static int column_of(const struct recording_head *head, const char *label)
{
	int column = recording_find(head, label, NAOHW_QUANTITY_POSITION);

	return column >= 0 ? column : recording_find(head, label, NAOHW_QUANTITY_GOAL);
}

bool tracks_add(struct tracks *tracks, const char *label, size_t joint,
		const struct track_limits *limits)
{
	int column = column_of(tracks->head, label);
	struct track *track;

	if (column < 0 || tracks->count == tracks->head->count)
		return false;
	track = &tracks->track[tracks->count++];
	track->joint = joint;
	track->column = (size_t)column;
	/* A goal is as old as the row that it is in. */
	track->age = tracks->head->column[column].quantity == NAOHW_QUANTITY_POSITION
			     ? recording_find(tracks->head, label, NAOHW_QUANTITY_AGE)
			     : -1;
	track->limits = *limits;
	track->limits.speed = fmin(limits->speed, SPEED_MAX_RAD_S);
	track->first = NAN;
	return true;
}

void tracks_add_all(struct tracks *tracks)
{
	const struct track_limits any = {
		.low = -TURNS_MAX * 2 * M_PI,
		.high = TURNS_MAX * 2 * M_PI,
		.speed = SPEED_MAX_RAD_S,
	};

	for (size_t i = 0; i < tracks->head->count; i++) {
		const char *label = tracks->head->column[i].label;

		if (column_of(tracks->head, label) == (int)i)
			tracks_add(tracks, label, 0, &any);
	}
}

static bool is_followed(const struct tracks *tracks, size_t column)
{
	for (size_t i = 0; i < tracks->count; i++)
		if (tracks->track[i].column == column)
			return true;
	return false;
}

const char *tracks_passed_over(const struct tracks *tracks, size_t *column)
{
	while (*column < tracks->head->count) {
		size_t i = (*column)++;
		const char *label = tracks->head->column[i].label;

		if (column_of(tracks->head, label) == (int)i && !is_followed(tracks, i))
			return label;
	}
	return NULL;
}

/* In the row that was read last; NAN: it tells nothing new. */
static double position(const struct tracks *tracks, const struct track *track)
{
	double value = tracks->values[track->column];

	if (track->age >= 0 && tracks->values[track->age] > 0)
		return NAN;
	if (isnan(value))
		return NAN;
	return fmin(fmax(value, track->limits.low), track->limits.high);
}

/* ---- the check ---- */

static int check_reach(const struct tracks *tracks, const struct track *track,
		       struct naohw_error *err)
{
	double value = tracks->values[track->column];

	if (value >= track->limits.low - NAOHW_BEYOND_RAD &&
	    value <= track->limits.high + NAOHW_BEYOND_RAD)
		return 0;
	return recording_fail_value(tracks->recording, track->column, err,
				    "found %.4g rad, expected %.4g to %.4g, the joint's limits",
				    value, track->limits.low, track->limits.high);
}

static int check_way(struct tracks *tracks, struct track *track, double place, int64_t time,
		     struct naohw_error *err)
{
	double seconds = (double)(time - track->known_at) / NS_PER_S;
	double way = fabs(place - track->known);
	double most = track->limits.speed * seconds / tracks->tempo + NOISE_RAD;

	if (way > most)
		return recording_fail_value(tracks->recording, track->column, err,
					    "found %.4g rad, %.4g s after %.4g rad; expected at "
					    "most %.4g rad on the way, at %.4g rad/s and "
					    "tempo %.4g",
					    place, seconds, track->known, most,
					    track->limits.speed, tracks->tempo);
	track->fastest = fmax(track->fastest, way / seconds);
	return 0;
}

static int check_track(struct tracks *tracks, struct track *track, int64_t time,
		       struct naohw_error *err)
{
	double place = position(tracks, track);
	int ret;

	if (isnan(place))
		return 0;
	ret = check_reach(tracks, track, err);
	if (ret == 0 && isnan(track->first))
		track->first = place;
	else if (ret == 0)
		ret = check_way(tracks, track, place, time, err);
	track->known = place;
	track->known_at = time;
	return ret;
}

static int check_row(struct tracks *tracks, int64_t time, struct naohw_error *err)
{
	if (tracks->rows == 0)
		tracks->start = time;
	tracks->rows++;
	tracks->length = time - tracks->start;
	for (size_t i = 0; i < tracks->count; i++) {
		int ret = check_track(tracks, &tracks->track[i], time, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Joints that the file knows nothing of have nothing to follow. */
static void drop_empty(struct tracks *tracks)
{
	size_t kept = 0;

	for (size_t i = 0; i < tracks->count; i++)
		if (!isnan(tracks->track[i].first))
			tracks->track[kept++] = tracks->track[i];
	tracks->count = kept;
}

static void go_to_begin(struct tracks *tracks)
{
	recording_rewind(tracks->recording);
	for (size_t i = 0; i < tracks->count; i++) {
		struct track *track = &tracks->track[i];

		track->place = track->before = track->after = track->first;
		track->fastest = fmax(fmin(track->fastest, track->limits.speed / tracks->tempo),
				      CATCH_UP_RAD_S / tracks->tempo);
	}
}

int tracks_check(struct tracks *tracks, struct naohw_error *err)
{
	int64_t time;
	int ret;

	while ((ret = recording_next(tracks->recording, &time, tracks->values, err)) > 0) {
		ret = check_row(tracks, time, err);
		if (ret < 0)
			break;
	}
	if (ret < 0)
		return ret;
	drop_empty(tracks);
	go_to_begin(tracks);
	return 0;
}

/* ---- the way through it ---- */

/* One row further. What a row does not have stays as it was. */
static int next_row(struct tracks *tracks, struct naohw_error *err)
{
	int64_t time;
	int ret = recording_next(tracks->recording, &time, tracks->values, err);

	if (ret < 0)
		return ret;
	tracks->before = tracks->after;
	tracks->at_end = ret == 0;
	if (ret > 0)
		tracks->after = time - tracks->start;
	for (size_t i = 0; i < tracks->count; i++) {
		struct track *track = &tracks->track[i];
		double place = position(tracks, track);

		track->before = track->after;
		if (ret > 0 && !isnan(place))
			track->after = place;
	}
	return 0;
}

static double at(const struct tracks *tracks, const struct track *track)
{
	double part;

	if (tracks->time >= tracks->after || tracks->after <= tracks->before)
		return track->after;
	part = (double)(tracks->time - tracks->before) / (double)(tracks->after - tracks->before);
	return track->before + part * (track->after - track->before);
}

static void step(struct track *track, double to, double seconds)
{
	double most = track->fastest * seconds;

	track->place = fmin(fmax(to, track->place - most), track->place + most);
}

int tracks_go_to(struct tracks *tracks, int64_t time, struct naohw_error *err)
{
	double seconds = (double)(time - tracks->time) / NS_PER_S;

	while (!tracks->at_end && tracks->after < time) {
		int ret = next_row(tracks, err);

		if (ret < 0)
			return ret;
	}
	tracks->time = time;
	for (size_t i = 0; i < tracks->count; i++)
		step(&tracks->track[i], at(tracks, &tracks->track[i]), seconds);
	return 0;
}

int tracks_go_on(struct tracks *tracks, int64_t least, int64_t most, struct naohw_error *err)
{
	int64_t from = tracks->time;
	int ret = tracks_go_to(tracks, from + least, err);

	if (ret == 0 && tracks->after > tracks->time && tracks->after <= from + most)
		ret = tracks_go_to(tracks, tracks->after, err);
	return ret;
}

bool tracks_have_ended(const struct tracks *tracks)
{
	if (!tracks->at_end || tracks->time < tracks->length)
		return false;
	for (size_t i = 0; i < tracks->count; i++)
		if (tracks->track[i].place != tracks->track[i].after)
			return false;
	return true;
}
