// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands by which a test sets what the boards sense. What is more than a sensor
 * can show is no error: the world does not stop there, and the sensor shows its
 * most, or nothing if it is a distance.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call_board.h"
#include "command.h"

#define WORLD_MAX	1e6

static struct device *board(struct call *call)
{
	struct device *dev = call_device(call, call->argv[1]);

	if (!dev)
		return NULL;
	if (!dev->model->board) {
		call_fail(call, "the %s is no board", dev->model->name);
		return NULL;
	}
	dev->model->ops->advance(dev, call->now);

	return dev;
}

bool call_senses(struct call *call)
{
	struct device *dev = board(call);
	size_t i;

	for (i = 0; dev && i < dev->model->board->sense_count; i++) {
		const struct sense *sense = &dev->board.senses[i];

		/* Nothing has no sign. */
		fprintf(call->out, "%s %g %s\n", dev->layout->at[sense->addr]->name,
			board_world(dev, sense) + 0.0,
			quantity_unit(sense->quantity));
	}

	return dev;
}

/* --- power --- */

bool call_power_cut(struct call *call)
{
	struct device *dev = board(call);
	unsigned long long pages;

	if (!dev)
		return false;
	if (device_size(dev) == dev->model->table_size)
		return call_fail(call, "the %s writes nothing in pages",
				 dev->model->name);
	if (!call_number(call, call->argv[2], "number of pages", UINT16_MAX, &pages))
		return false;
	pages_cut(dev, pages);

	return true;
}

/* --- values --- */

static bool parse_value(struct call *call, const struct sense *sense,
			const char *text, double *value)
{
	bool has_sign = quantity_has_sign(sense->quantity);
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	if (end == text || *end || errno || !(fabs(*value) <= WORLD_MAX) ||
	    (*value < 0 && !has_sign))
		return call_fail(call, "%s is \"%s\", expected %s from %.0f to %.0f",
				 call->argv[2], text,
				 quantity_unit(sense->quantity),
				 has_sign ? -WORLD_MAX : 0, WORLD_MAX);

	return true;
}

static bool parse_within(struct call *call, const char *text, int min, int max, long *count)
{
	char *end;

	errno = 0;
	*count = strtol(text, &end, 0);
	if (end == text || *end || errno || *count < min || *count > max)
		return call_fail(call, "%s is \"%s\", expected a count of %d to %d",
				 call->argv[2], text, min, max);

	return true;
}

static bool parse_count(struct call *call, const struct device *dev,
			const struct sense *sense, const char *text, long *count)
{
	int min, max;

	board_range(dev, sense, &min, &max);

	return parse_within(call, text, min, max, count);
}

/* What it shows without noise. */
static int count_of(struct call *call, struct device *dev, const struct item *item)
{
	bool noisy = dev->board.noisy;
	int count;

	dev->board.noisy = false;
	count = device_value(dev, item, call->now);
	dev->board.noisy = noisy;

	return count;
}

static bool set_raw(struct call *call, struct device *dev,
		    const struct sense *sense)
{
	const struct item *item = dev->layout->at[sense->addr];
	double before = board_world(dev, sense);
	long count;

	if (!parse_count(call, dev, sense, call->argv[4], &count))
		return false;
	board_set_count(dev, sense, count);
	if (count_of(call, dev, item) == count || board_is_frozen(dev, item))
		return true;
	board_set_world(dev, sense, before);

	return call_fail(call, "the %s never shows %ld as %s", dev->model->name,
			 count, item->name);
}

static bool set_value(struct call *call, struct device *dev,
		      const struct sense *sense)
{
	double value;

	if (!parse_value(call, sense, call->argv[3], &value))
		return false;
	board_set_world(dev, sense, value);

	return true;
}

static bool refuse_item(struct call *call, const struct device *dev,
			const struct item *item)
{
	const struct board_spec *spec = dev->model->board;

	if (spec->button && item->addr == spec->button)
		return call_fail(call, "the buttons of the %s are held, try: press %s BUTTON",
				 dev->model->name, call->argv[1]);
	if (item->access == ACCESS_RW)
		return call_fail(call, "%s is nothing that the %s senses, try: write %s %u BYTE...",
				 item->name, dev->model->name, call->argv[1],
				 item->addr);
	if (spec->sonar)
		return call_fail(call, "%s cannot be set; the %s hears what is around, try: obstacle front 0.5m",
				 item->name, dev->model->name);
	if (!spec->sense_count)
		return call_fail(call, "%s cannot be set, nor anything else that the %s has",
				 item->name, dev->model->name);

	return call_fail(call, "%s is nothing that the %s senses, try: senses %s",
			 item->name, dev->model->name, call->argv[1]);
}

bool call_set(struct call *call)
{
	struct device *dev = board(call);
	const struct item *item = dev ? call_item(call, dev, call->argv[2]) :
					NULL;
	bool raw = !strcmp(call->argv[3], "raw");
	const struct sense *sense;

	if (!item)
		return false;
	sense = board_sense(dev, item->addr);
	if (!sense)
		return refuse_item(call, dev, item);
	if (board_moves(dev, sense))
		return call_fail(call, "the body is moving, which gives %s until it ends",
				 item->name);
	if (raw != (call->argc == 5))
		return call_fail(call, raw ? "a count is missing behind \"raw\"" :
					     "expected one value, or raw and a count");

	return raw ? set_raw(call, dev, sense) : set_value(call, dev, sense);
}

/* --- obstacles --- */

static bool parse_distance(struct call *call, const char *text, double *mm)
{
	char *unit;
	double value = strtod(text, &unit);
	double scale = !strcmp(unit, "mm") ? 1 : !strcmp(unit, "m") ? 1000 : 0;

	*mm = value * scale;
	if (*mm > 0 && *mm <= WORLD_MAX)
		return true;

	return call_fail(call, "distance is \"%s\", expected one like 300mm or 0.3m, or none",
			 text);
}

/* PLACES: there is none of that name. */
static enum place place_named(const char *name)
{
	static const char *const names[PLACES] = {
		[PLACE_LEFT] = "left",
		[PLACE_RIGHT] = "right",
		[PLACE_FRONT] = "front",
	};
	enum place place;

	for (place = 0; place < PLACES; place++)
		if (!strcmp(name, names[place]))
			break;

	return place;
}

static bool parse_distances(struct call *call, double *mm)
{
	int i;

	if (call->argc == 3 && !strcmp(call->argv[2], "none"))
		return true;
	for (i = 2; i < call->argc; i++)
		if (!parse_distance(call, call->argv[i], &mm[i - 2]))
			return false;

	return true;
}

static double nearest(const double *mm)
{
	double least = mm[0];
	size_t i;

	for (i = 1; i < OBSTACLES_MAX && mm[i]; i++)
		least = fmin(least, mm[i]);

	return least;
}

/* Have every sensor that looks ahead see something there; how many there are. */
static unsigned int place_ahead(struct device *dev, double mm)
{
	const struct board_spec *board = dev->model->board;
	unsigned int seen = 0;
	size_t i;

	for (i = 0; i < board->sense_count; i++) {
		if (dev->board.senses[i].quantity != QUANTITY_DISTANCE)
			continue;
		board_set_world(dev, &dev->board.senses[i], mm);
		seen++;
	}

	return seen;
}

/* A sonar still has to hear what was there until now. */
static unsigned int notice(struct device *dev, enum place place,
			   const double *mm, nsec_t now)
{
	dev->model->ops->advance(dev, now);
	if (dev->model->board->sonar)
		return 1;

	return place == PLACE_FRONT ? place_ahead(dev, nearest(mm)) : 0;
}

bool call_obstacle(struct call *call)
{
	double mm[OBSTACLES_MAX] = { 0 };
	enum place place = place_named(call->argv[1]);
	struct bus *bus = call->bus;
	unsigned int noticed = 0;
	size_t i;

	if (bus->body.world)
		return call_fail(call, "the robot has a body and sees what is in its room; put a box there");
	if (place == PLACES)
		return call_fail(call, "\"%s\" is unknown, expected front, left or right",
				 call->argv[1]);
	if (!parse_distances(call, mm))
		return false;
	for (i = 0; i < bus->device_count; i++)
		if (bus->devices[i].model->board)
			noticed += notice(&bus->devices[i], place, mm, call->now);
	if (!noticed)
		return call_fail(call, place == PLACE_FRONT ?
				       "no device has a sensor for distances" :
				       "no device has a sensor for distances at its sides");
	memcpy(bus->body.obstacles[place], mm, sizeof(mm));

	return true;
}

/* --- buttons --- */

static const struct button *find_button(const struct board_spec *spec,
					const char *name)
{
	size_t i;

	for (i = 0; i < spec->button_count; i++)
		if (!strcmp(spec->buttons[i].name, name))
			return &spec->buttons[i];

	return NULL;
}

static bool refuse_button(struct call *call, const struct device *dev)
{
	const struct board_spec *spec = dev->model->board;
	size_t i;

	if (!spec->button_count)
		return call_fail(call, "the %s has no buttons", dev->model->name);
	fprintf(call->out, CONTROL_ERROR "the %s has no button \"%s\", it has",
		dev->model->name, call->argv[2]);
	for (i = 0; i < spec->button_count; i++)
		fprintf(call->out, "%s %s", i ? "," : ":", spec->buttons[i].name);
	fputc('\n', call->out);

	return false;
}

static bool hold(struct call *call, bool held)
{
	struct device *dev = board(call);
	const struct button *button;

	if (!dev)
		return false;
	button = find_button(dev->model->board, call->argv[2]);
	if (!button)
		return refuse_button(call, dev);
	board_hold(dev, button, held);

	return true;
}

bool call_press(struct call *call)
{
	return hold(call, true);
}

bool call_release(struct call *call)
{
	return hold(call, false);
}

/* --- faults --- */

/* The one that is named; NULL: the answer says why it is none. */
static const struct item *named_item(struct call *call, const struct device *dev)
{
	const struct item *item = call_item(call, dev, call->argv[2]);

	if (!item || board_can_freeze(item))
		return item;
	call_fail(call, "%s is nothing that the %s senses, and does not freeze",
		  item->name, dev->model->name);

	return NULL;
}

/* Without a name, all that it senses. */
static void each_item(struct device *dev, nsec_t now,
		      void (*act)(struct device *dev, const struct item *item, nsec_t now))
{
	size_t i;

	for (i = 0; i < dev->layout->count; i++)
		if (board_can_freeze(&dev->layout->items[i]))
			act(dev, &dev->layout->items[i], now);
}

static void freeze_item(struct device *dev, const struct item *item, nsec_t now)
{
	board_freeze(dev, item, device_value(dev, item, now));
}

static void thaw_item(struct device *dev, const struct item *item, nsec_t now)
{
	(void)now;
	board_thaw(dev, item);
}

bool call_freeze(struct call *call)
{
	struct device *dev = board(call);
	const struct item *item;
	long value;

	if (!dev)
		return false;
	if (call->argc == 2) {
		each_item(dev, call->now, freeze_item);
		return true;
	}
	item = named_item(call, dev);
	if (!item)
		return false;
	value = device_value(dev, item, call->now);
	if (call->argc == 4 && !parse_within(call, call->argv[3], item->min, item->max, &value))
		return false;
	board_freeze(dev, item, value);

	return true;
}

bool call_thaw(struct call *call)
{
	struct device *dev = board(call);
	const struct item *item;

	if (!dev)
		return false;
	if (call->argc == 2) {
		each_item(dev, call->now, thaw_item);
		return true;
	}
	item = named_item(call, dev);
	if (item)
		board_thaw(dev, item);

	return item;
}

bool call_noise(struct call *call)
{
	struct device *dev = board(call);
	bool on = !strcmp(call->argv[2], "on");

	if (!dev)
		return false;
	if (!on && strcmp(call->argv[2], "off"))
		return call_fail(call, "noise is \"%s\", expected on or off", call->argv[2]);
	if (!board_has_distances(dev))
		return call_fail(call, "the %s has no sensor for distances", dev->model->name);
	dev->board.noisy = on;

	return true;
}
