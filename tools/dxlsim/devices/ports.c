// SPDX-License-Identifier: GPL-2.0-or-later
/* Their figures are those of Documentation/boards/cm-510.rst. */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "ports.h"

/**
 * struct plug - what may be plugged into a port
 * @name: what the device tree calls it
 * @sense: how it shows what it senses; the item is the port's
 * @rest: what it senses at first
 * @lamp: it needs the port's output for a light
 */
struct plug {
	const char *name;
	struct sense sense;
	double rest;
	bool lamp;
};

/* The DMS-80, mm */
static const struct point dms_curve[] = {
	{ 70, 800 }, { 80, 700 }, { 95, 600 }, { 115, 500 }, { 150, 400 },
	{ 175, 300 }, { 205, 250 }, { 245, 200 }, { 310, 150 }, { 455, 100 },
	{ 625, 50 }, { 0, 0 },
};

/*
 * The IRSS-10, mm. Its maker has no figures but that it sees hardly anything beyond 150 mm:
 * these are 180000 by the square of the distance, as light goes that is scattered. Ours.
 */
static const struct point ir_curve[] = {
	{ 8, 150 }, { 13, 120 }, { 18, 100 }, { 28, 80 }, { 50, 60 }, { 72, 50 },
	{ 113, 40 }, { 200, 30 }, { 450, 20 }, { 800, 15 }, { 1023, 13 }, { 0, 0 },
};

/* An older one: 205 counts are 300 degrees/s, which is all it measures. */
#define GS12(ax) { \
	.quantity = QUANTITY_RATE, .zero = 250, .per_unit = 205 / 300.0, .most = 300, \
	.axis = ax, \
}

/* Of 3.3 V: half of that is none, and a tenth 1 g. */
#define ADXL335(ax) { \
	.quantity = QUANTITY_ACCELERATION, .zero = 338, .per_unit = 67.584, .axis = ax, \
}

#define PLUG(word, ...)	{ .name = word, .sense = __VA_ARGS__ }

static const struct plug plugs[] = {
	PLUG("none", { .quantity = QUANTITY_VOLTAGE, .per_unit = 1024 / 5.0 }),
	PLUG("accel-x", ADXL335(1)),
	PLUG("accel-y", ADXL335(2)),
	PLUG("accel-z", ADXL335(3), .rest = 1),
	PLUG("dms", { .quantity = QUANTITY_DISTANCE, .curve = dms_curve }),
	PLUG("gyro-x", GS12(1)),
	PLUG("gyro-y", GS12(2)),
	PLUG("gyro-z", GS12(3)),
	PLUG("ir", { .quantity = QUANTITY_DISTANCE, .curve = ir_curve }, .lamp = true),
};

#define PLUGS	(sizeof(plugs) / sizeof(plugs[0]))

static const struct plug *find(const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < PLUGS; i++)
		if (strlen(plugs[i].name) == len && !memcmp(plugs[i].name, word, len))
			return &plugs[i];

	return NULL;
}

static void tell_unknown(char *problem, const char *word, size_t len)
{
	int at = snprintf(problem, PORTS_PROBLEM, "has \"%.*s\", expected", (int)len, word);
	size_t i;

	for (i = 0; i < PLUGS && at < PORTS_PROBLEM; i++)
		at += snprintf(problem + at, PORTS_PROBLEM - at, "%s %s",
			       i == PLUGS - 1 ? " or" : i ? "," : "", plugs[i].name);
}

/* Those with an axis are one of each. */
static bool is_second(const struct ports *ports, size_t count, const struct plug *plug)
{
	size_t i;

	for (i = 0; i < count && plug->sense.axis; i++)
		if (ports->plugs[i] == plug)
			return true;

	return false;
}

bool ports_read(struct ports *ports, const struct board_spec *spec, const char *words,
		char *problem)
{
	size_t count = 0;

	while (*words) {
		size_t len = strcspn(words, ",");
		const struct plug *plug = find(words, len);

		if (!plug) {
			tell_unknown(problem, words, len);
			return false;
		}
		if (count < spec->port_count && is_second(ports, count, plug)) {
			snprintf(problem, PORTS_PROBLEM, "has a second %s", plug->name);
			return false;
		}
		if (count < spec->port_count)
			ports->plugs[count] = plug;
		count++;
		words += len + (words[len] == ',');
	}
	if (count == spec->port_count)
		return true;
	snprintf(problem, PORTS_PROBLEM, "is of %zu ports, expected %zu", count,
		 spec->port_count);

	return false;
}

static struct sense *sense_at(struct device *dev, u16 addr)
{
	struct sense *sense = dev->board.senses;

	while (sense->addr != addr)
		sense++;

	return sense;
}

void ports_plug(struct device *dev, const struct ports *ports)
{
	const struct board_spec *spec = dev->model->board;
	size_t i;

	for (i = 0; i < spec->port_count; i++) {
		struct sense *sense = sense_at(dev, spec->ports[i]);
		const struct plug *plug = ports->plugs[i];

		*sense = plug->sense;
		sense->addr = spec->ports[i];
		sense->lamp = plug->lamp ? 1 << i : 0;
		board_set_world(dev, sense, plug->rest);
	}
}
