// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A robot's keys as a store: constants of its description, and what its frames have and its other
 * sources. Which key is which value of a frame is found out once, by label and channel.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "feed.h"

/* ---- constants ---- */

static void put_text(struct naohw_store *store, size_t slot, const char *text)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH };

	/* A part of it would be something else. */
	if (strlen(text) >= sizeof(value.text))
		return;
	store_text(&value, text);
	store_put(store, slot, &value);
}

static void put_number(struct naohw_store *store, size_t slot, double number)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH };

	store_number(&value, number);
	store_put(store, slot, &value);
}

static void put_constant(struct naohw_store *store, size_t slot, const struct naohw_key *key)
{
	if (key->type != NAOHW_KEY_STRING)
		put_number(store, slot, key->number);
	else
		put_text(store, slot, key->text);
}

/* ---- what comes from where ---- */

/* The kernel does not read these in each frame, and until the first time they are 0. */
static bool is_slow(const struct bus_channel *channel)
{
	if (strcmp(channel->id.type, "voltage") == 0)
		return !*channel->part || strcmp(channel->part, "supply") == 0;
	return strcmp(channel->id.type, "temp") == 0;
}

/* IIO has no type for what a unit's own device has as an attribute: frames have it as a count. */
static int find_attribute(const struct naohw_frame *frame, const struct subdevice *subdevice)
{
	static const struct channel_id count = { .type = "count" };

	return frame_find_channel(frame, subdevice->label, &count, subdevice->source);
}

/* What is on the unit's own device is in the frames by the same type, axis and label. */
static int find_channel(const struct naohw_frame *frame, const struct subdevice *subdevice)
{
	const struct channel *own = &subdevice->channel;
	struct channel_id id;
	char part[64];
	int channel;

	if (subdevice->kind == &source_attribute)
		return find_attribute(frame, subdevice);
	if (subdevice->kind != &source_channel || subdevice->attribute || !own->iio ||
	    !channel_id_parse(iio_channel_get_id(own->iio), &id))
		return -ENOENT;
	if (device_read_channel(&own->device, own->iio, "label", part, sizeof(part)) < 0) {
		*part = '\0';
		/* What else of a kind a servo has, as angl1, is none of what frames have. */
		if (id.number)
			return -ENOENT;
	}
	channel = frame_find_channel(frame, subdevice->label, &id, part);
	/* One of a kind has no name of its own in frames, as an axis or a supply. */
	if (channel < 0 && !id.number)
		channel = frame_find_channel(frame, subdevice->label, &id, "");
	return channel;
}

/* What frames have of it; without its unit's age nobody knows of what time a value is. */
static bool find_in_frame(const struct naohw_frame *frame, const struct subdevice *subdevice,
			  struct fed *found)
{
	int channel = find_channel(frame, subdevice);
	const struct frame_unit *unit;

	if (channel < 0)
		return false;
	unit = &frame->unit[frame->channel[channel].unit];
	if (unit->channel[NAOHW_QUANTITY_AGE] < 0 || unit->channel[NAOHW_QUANTITY_ALARM] < 0)
		return false;
	found->channel = (size_t)channel;
	found->age = (size_t)unit->channel[NAOHW_QUANTITY_AGE];
	found->alarm = (size_t)unit->channel[NAOHW_QUANTITY_ALARM];
	found->is_slow = is_slow(frame->channel[channel].of);
	return true;
}

static bool is_in_frame(const struct naohw_frame *frame, const struct subdevice *subdevice)
{
	const struct subdevice *const *inputs;
	struct fed found;
	size_t count;

	if (subdevice->kind != &source_formula)
		return find_in_frame(frame, subdevice, &found);
	count = source_formula_inputs(subdevice, &inputs);
	for (size_t i = 0; i < count; i++)
		if (!find_in_frame(frame, inputs[i], &found))
			return false;
	return true;
}

int naohw_frame_has_key(const struct naohw_frame *frame, const struct naohw_key *key)
{
	const struct subdevice *s = key->value_of;

	return s && !s->actuator && is_in_frame(frame, s);
}

/* What is no IIO device is looked for by the thread that reads it. */
static bool may_be_there(const struct subdevice *s)
{
	if (s->kind == &source_channel)
		return s->channel.iio;
	return s->kind != &source_attribute || (s->unit && s->unit->device.iio);
}

static void connect(struct feed *feed, struct fed *fed)
{
	if (fed->subdevice->actuator)
		return;
	if (fed->subdevice->kind == &source_formula)
		fed->from = FED_FORMULA;
	else if (find_in_frame(feed->frame, fed->subdevice, fed))
		fed->from = FED_FRAME;
	else if (may_be_there(fed->subdevice))
		fed->from = FED_SLOW;
}

/* ---- open ---- */

/* What somebody wants to have in the store beside the robot's keys */
struct extra {
	const struct store_key *key;
	size_t count;
};

/* What a device has for its subdevices, as its Ack, is in the store by the device's name alone. */
static bool is_shared(const struct naohw_key *key)
{
	const struct subdevice *s = key->value_of;

	return s && subdevice_has_own_key(s) && strcmp(key->name, s->name) != 0;
}

static int begin_slow(struct feed *feed, struct naohw_error *err)
{
	const struct subdevice **slow = calloc(feed->fed_count + 1, sizeof(*slow));
	size_t count = 0;
	int ret = 0;

	if (!slow)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < feed->fed_count; i++) {
		if (feed->fed[i].from != FED_SLOW)
			continue;
		feed->fed[i].index = count;
		slow[count++] = feed->fed[i].subdevice;
	}
	if (count)
		ret = slow_begin(slow, count, &feed->slow, err);
	free(slow);
	return ret;
}

static void fill_slot(struct feed *feed, struct naohw_store *store, size_t slot,
		      const struct naohw_key *key)
{
	struct fed *fed;

	if (!key->value_of) {
		put_constant(store, slot, key);
		return;
	}
	fed = &feed->fed[key->value_of - feed->robot->subdevice];
	fed->slot = slot;
	fed->subdevice = key->value_of;
	fed->value = (struct naohw_value){ .number = NAN };
	store_put(store, slot, &fed->value);
	connect(feed, fed);
}

static bool is_extra(const struct extra *extra, const char *name)
{
	for (size_t i = 0; i < extra->count; i++)
		if (strcmp(extra->key[i].name, name) == 0)
			return true;
	return false;
}

/* What the description tells this library is nothing that a program asks a robot for. */
static bool has_slot(const struct naohw_key *key, const struct extra *extra)
{
	return !is_shared(key) && !naohw_key_is_wiring(key) && !is_extra(extra, key->name);
}

static void fill(struct feed *feed, struct naohw_store *store, const struct extra *extra)
{
	const struct naohw_robot *robot = feed->robot;
	size_t slot;

	for (size_t i = 0; i < robot->key_count; i++)
		if (has_slot(&robot->key[i], extra) &&
		    naohw_store_find(store, robot->key[i].name, &slot) == 0)
			fill_slot(feed, store, slot, &robot->key[i]);
}

/* What each publishing goes through, without the others between */
static int arrange(struct feed *feed, struct naohw_error *err)
{
	size_t count = 0;

	feed->by_source = calloc(feed->fed_count + 1, sizeof(*feed->by_source));
	if (!feed->by_source)
		return fail(err, -ENOMEM, "out of memory");
	for (enum fed_from from = FED_FRAME; from < FED_KINDS; from++) {
		for (size_t i = 0; i < feed->fed_count; i++)
			if (feed->fed[i].from == from)
				feed->by_source[count++] = &feed->fed[i];
		feed->end[from] = count;
	}
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct store_key *)a)->name, ((const struct store_key *)b)->name);
}

static int make_store(const struct naohw_robot *robot, const struct extra *extra,
		      struct naohw_store **store, struct naohw_error *err)
{
	struct store_key *keys = calloc(robot->key_count + extra->count + 1, sizeof(*keys));
	size_t count = 0;
	int ret;

	if (!keys)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < robot->key_count; i++) {
		const struct naohw_key *key = &robot->key[i];

		if (has_slot(key, extra))
			keys[count++] = (struct store_key){ key->name, key->type, !key->value_of };
	}
	for (size_t i = 0; i < extra->count; i++)
		keys[count++] = extra->key[i];
	qsort(keys, count, sizeof(*keys), compare_names);
	ret = store_create(keys, count, store, err);
	free(keys);
	return ret;
}

static void end(struct store_source *source)
{
	struct feed *feed = (struct feed *)source;

	slow_end(feed->slow);
	free(feed->by_source);
	free(feed->fed);
	free(feed);
}

static struct feed *new_feed(const struct naohw_robot *robot, const struct naohw_frame *frame)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	if (!feed)
		return NULL;
	feed->source.update = feed_update;
	feed->source.free = end;
	feed->robot = robot;
	feed->frame = frame;
	feed->fed_count = robot->subdevice_count;
	feed->fed = calloc(feed->fed_count + 1, sizeof(*feed->fed));
	if (feed->fed)
		return feed;
	end(&feed->source);
	return NULL;
}

int feed_open(struct naohw_robot *robot, struct naohw_frame *frame, const struct store_key *key,
	      size_t count, struct naohw_store **out, struct naohw_error *err)
{
	const struct extra extra = { key, count };
	struct feed *feed = new_feed(robot, frame);
	struct naohw_store *store;
	int ret;

	if (!feed)
		return fail(err, -ENOMEM, "out of memory");
	ret = make_store(robot, &extra, &store, err);
	if (ret < 0) {
		end(&feed->source);
		return ret;
	}
	store_set_source(store, &feed->source);
	fill(feed, store, &extra);
	ret = arrange(feed, err);
	if (ret == 0)
		ret = begin_slow(feed, err);
	if (ret < 0) {
		naohw_store_close(store);
		return ret;
	}
	*out = store;
	return 0;
}

int naohw_store_open(struct naohw_robot *robot, struct naohw_frame *frame,
		     struct naohw_store **store, struct naohw_error *err)
{
	return feed_open(robot, frame, NULL, 0, store, err);
}
