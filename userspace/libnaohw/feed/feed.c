// SPDX-License-Identifier: LGPL-2.1-or-later
/* What has come since the last time is put into the store: allocates nothing, takes no lock. */
#include "feed.h"

#include "../robot/robot.h"

/* ---- frames ---- */

static enum naohw_state state_of(const struct naohw_frame *frame, const struct fed *fed)
{
	int64_t age = frame_raw(frame, fed->age);

	if (age >= FRAME_AGE_UNKNOWN)
		return NAOHW_STATE_ABSENT;
	if (fed->is_slow && !fed->value.time && !frame_raw(frame, fed->channel))
		return NAOHW_STATE_ABSENT;
	/* What is old comes first: a fault was reported when it was new. */
	if (age > 0)
		return NAOHW_STATE_STALE;
	return frame_raw(frame, fed->alarm) ? NAOHW_STATE_FAULTY : NAOHW_STATE_FRESH;
}

/* That of the last frame that was seen with an answer; before the first, as its age says. */
static int64_t time_of(const struct naohw_frame *frame, const struct fed *fed)
{
	int64_t time = frame_value_time(frame, fed->channel);

	if (fed->value.state != NAOHW_STATE_STALE)
		return time;
	if (fed->value.time)
		return fed->value.time;
	return time - frame_raw(frame, fed->age) * naohw_frame_period(frame);
}

static double device_value(const struct naohw_frame *frame, const struct fed *fed)
{
	if (fed->subdevice->bit < 0)
		return frame_value(frame, fed->channel);
	return (double)((uint64_t)frame_raw(frame, fed->channel) >> fed->subdevice->bit & 1u);
}

static void take(const struct naohw_frame *frame, struct fed *fed)
{
	fed->value.state = state_of(frame, fed);
	if (fed->value.state == NAOHW_STATE_ABSENT)
		return;
	store_number(&fed->value,
		     subdevice_from_device(fed->subdevice, device_value(frame, fed)));
	fed->value.time = time_of(frame, fed);
}

/* No frame came, so nobody answered. */
static void grow_old(struct fed *fed)
{
	if (fed->value.state != NAOHW_STATE_ABSENT)
		fed->value.state = NAOHW_STATE_STALE;
}

/* ---- formulas ---- */

/* It is as good as the worst of its parts. */
static void reckon(const struct feed *feed, struct fed *fed)
{
	const struct subdevice *const *inputs;
	size_t count = source_formula_inputs(fed->subdevice, &inputs);
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = INT64_MAX };
	double values[FORMULA_INPUTS];

	for (size_t i = 0; i < count; i++) {
		const struct naohw_value *part =
			&feed->fed[inputs[i] - feed->robot->subdevice].value;

		values[i] = part->number;
		if (state_is_worse(part->state, value.state))
			value.state = part->state;
		if (part->time < value.time)
			value.time = part->time;
	}
	/* A value stays readable in every state. */
	if (value.state == NAOHW_STATE_ABSENT) {
		fed->value.state = value.state;
		return;
	}
	store_number(&value, subdevice_from_device(fed->subdevice,
						   source_formula_value(fed->subdevice, values)));
	fed->value = value;
}

/* ---- all ---- */

static void update_one(const struct feed *feed, struct fed *fed, bool has_frame)
{
	switch (fed->from) {
	case FED_FRAME:
		if (has_frame)
			take(feed->frame, fed);
		else
			grow_old(fed);
		break;
	case FED_SLOW:
		slow_get(feed->slow, fed->index, &fed->value);
		break;
	case FED_FORMULA:
		reckon(feed, fed);
		break;
	case FED_NOT:
		break;
	}
}

/* Most of what a robot has is slow, and most of the time there is nothing new of it. */
static void update_all(const struct feed *feed, enum fed_from from, struct naohw_store *store,
		       bool has_frame)
{
	for (size_t i = feed->end[from - 1]; i < feed->end[from]; i++) {
		struct fed *fed = feed->by_source[i];

		update_one(feed, fed, has_frame);
		store_put(store, fed->slot, &fed->value);
	}
}

void feed_update(struct store_source *source, struct naohw_store *store)
{
	struct feed *feed = (struct feed *)source;
	uint64_t count = naohw_frame_count(feed->frame);
	bool has_frame = count != feed->count;

	update_all(feed, FED_FRAME, store, has_frame);
	if (feed->slow && slow_has_news(feed->slow))
		update_all(feed, FED_SLOW, store, has_frame);
	update_all(feed, FED_FORMULA, store, has_frame);
	feed->count = count;
}
