// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A robot's keys as a store: constants of its description, and what its frames have. Which key
 * is which value of a frame is found out once, by label and channel.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../store/store.h"
#include "frame.h"
#include "robot.h"
#include "source.h"

/* Where doubles have no more numbers that an int64_t has not */
#define INTEGER_END 0x1p63

/* A key that a value of the frames is for */
struct fed {
	size_t slot;
	const struct subdevice *subdevice;
	size_t channel; /* of the frame, as what follows */
	size_t age;
	size_t alarm;
	bool is_slow; /* not read in each frame, and 0 before it was */
	struct naohw_value value;
};

struct feed {
	struct store_source source; /* first, so that it is the feed too */
	const struct naohw_frame *frame;
	uint64_t count; /* of frames that were taken */
	struct fed *fed;
	size_t fed_count;
};

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
	fed->value.number = subdevice_from_device(fed->subdevice, device_value(frame, fed));
	fed->value.time = time_of(frame, fed);
}

/* No frame came, so nobody answered. */
static void grow_old(struct fed *fed)
{
	if (fed->value.state != NAOHW_STATE_ABSENT)
		fed->value.state = NAOHW_STATE_STALE;
}

static void update(struct store_source *source, struct naohw_store *store)
{
	struct feed *feed = (struct feed *)source;
	uint64_t count = naohw_frame_count(feed->frame);

	for (size_t i = 0; i < feed->fed_count; i++) {
		struct fed *fed = &feed->fed[i];

		if (count != feed->count)
			take(feed->frame, fed);
		else
			grow_old(fed);
		store_put(store, fed->slot, &fed->value);
	}
	feed->count = count;
}

/* ---- constants ---- */

static void put_text(struct naohw_store *store, size_t slot, const char *text)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH };
	size_t length = strlen(text);

	/* A part of it would be something else. */
	if (length >= sizeof(value.text))
		return;
	memcpy(value.text, text, length);
	store_put(store, slot, &value);
}

static void put_number(struct naohw_store *store, size_t slot, double number)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .number = number };

	if (fabs(number) < INTEGER_END)
		value.integer = llround(number);
	store_put(store, slot, &value);
}

static void put_constant(struct naohw_store *store, size_t slot, const struct naohw_key *key)
{
	if (key->type != NAOHW_KEY_STRING)
		put_number(store, slot, key->number);
	else
		put_text(store, slot, key->text ? key->text : key->preference->text);
}

/* ---- open ---- */

/* The kernel does not read these in each frame, and until the first time they are 0. */
static bool is_slow(const struct bus_channel *channel)
{
	return strcmp(channel->id.type, "voltage") == 0 || strcmp(channel->id.type, "temp") == 0;
}

/* What is on the unit's own device is in the frames by the same type, axis and label. */
static int find_channel(const struct naohw_frame *frame, const struct subdevice *subdevice)
{
	const struct channel *own = &subdevice->channel;
	struct channel_id id;
	char part[64];

	if (subdevice->kind != &source_channel || subdevice->actuator || subdevice->attribute ||
	    !own->iio || !channel_id_parse(iio_channel_get_id(own->iio), &id))
		return -ENOENT;
	if (device_read_channel(&own->device, own->iio, "label", part, sizeof(part)) < 0) {
		*part = '\0';
		/* What else of a kind a servo has, as angl1, is none of what frames have. */
		if (id.number)
			return -ENOENT;
	}
	return frame_find_channel(frame, subdevice->label, &id, part);
}

/* A sensor that is not in the frames stays absent, as an actuator does. */
static void connect(struct feed *feed, struct naohw_store *store, size_t slot,
		    const struct subdevice *subdevice)
{
	struct fed *fed = &feed->fed[feed->fed_count];
	const struct frame_unit *unit;
	int channel;

	fed->value = (struct naohw_value){ .number = NAN };
	store_put(store, slot, &fed->value);
	channel = find_channel(feed->frame, subdevice);
	if (channel < 0)
		return;
	unit = &feed->frame->unit[feed->frame->channel[channel].unit];
	/* Nobody knows of what time the value is. */
	if (unit->channel[NAOHW_QUANTITY_AGE] < 0 || unit->channel[NAOHW_QUANTITY_ALARM] < 0)
		return;
	fed->slot = slot;
	fed->subdevice = subdevice;
	fed->channel = (size_t)channel;
	fed->age = (size_t)unit->channel[NAOHW_QUANTITY_AGE];
	fed->alarm = (size_t)unit->channel[NAOHW_QUANTITY_ALARM];
	fed->is_slow = is_slow(feed->frame->channel[channel].of);
	feed->fed_count++;
}

static void fill(struct feed *feed, struct naohw_store *store, const struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->key_count; i++) {
		if (robot->key[i].value_of)
			connect(feed, store, i, robot->key[i].value_of);
		else
			put_constant(store, i, &robot->key[i]);
	}
}

static int make_store(const struct naohw_robot *robot, struct naohw_store **store,
		      struct naohw_error *err)
{
	struct store_key *keys = calloc(robot->key_count + 1, sizeof(*keys));
	int ret;

	if (!keys)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < robot->key_count; i++)
		keys[i] = (struct store_key){ robot->key[i].name, robot->key[i].type,
					      !robot->key[i].value_of };
	ret = store_create(keys, robot->key_count, store, err);
	free(keys);
	return ret;
}

static void end(struct store_source *source)
{
	struct feed *feed = (struct feed *)source;

	free(feed->fed);
	free(feed);
}

static struct feed *new_feed(const struct naohw_frame *frame, size_t keys)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	if (!feed)
		return NULL;
	feed->source.update = update;
	feed->source.free = end;
	feed->frame = frame;
	feed->fed = calloc(keys + 1, sizeof(*feed->fed));
	if (feed->fed)
		return feed;
	end(&feed->source);
	return NULL;
}

int naohw_store_open(struct naohw_robot *robot, struct naohw_frame *frame, struct naohw_store **out,
		     struct naohw_error *err)
{
	struct feed *feed = new_feed(frame, robot->key_count);
	int ret;

	if (!feed)
		return fail(err, -ENOMEM, "out of memory");
	ret = make_store(robot, out, err);
	if (ret < 0) {
		end(&feed->source);
		return ret;
	}
	store_set_source(*out, &feed->source);
	fill(feed, *out, robot);
	return 0;
}
