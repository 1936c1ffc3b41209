// SPDX-License-Identifier: LGPL-2.1-or-later
/* What each device of NAO's has without the description saying so: Ack, Nack, Bus and Address. */
#include <errno.h>
#include <stdio.h>

#include "../base/base.h"
#include "../io/io.h"
#include "source.h"
#include "station.h"

static int find(const struct subdevice *s)
{
	return station_need(s->station, s->robot);
}

/* A motor of a board may be missing, or gone: the others count. */
static int add_up(const struct station *station, const char *file, double *sum)
{
	int ret = -ENODEV;

	*sum = 0;
	for (size_t i = 0; i < station->party_count; i++) {
		const struct party *party = &station->party[i];
		double count;
		int one = party->dir < 0 ? party->dir :
					   attribute_read_number(party->dir, file, &count);

		if (one == 0) {
			*sum += count;
			ret = 0;
		} else if (ret < 0) {
			ret = one;
		}
	}
	return ret;
}

static const struct party *first(const struct station *station)
{
	for (size_t i = 0; i < station->party_count; i++)
		if (station->party[i].dir >= 0)
			return &station->party[i];
	return NULL;
}

static int read_sum(const struct subdevice *s, double *device, struct naohw_error *err)
{
	int ret = add_up(s->station, s->source, device);

	return ret < 0 ? source_failed(s, ret, err) : 0;
}

/* A board's motors have numbers in a row. */
static int read_address(const struct subdevice *s, double *device, struct naohw_error *err)
{
	const struct party *party = first(s->station);
	int ret = party ? attribute_read_number(party->dir, s->source, device) : -ENODEV;

	return ret < 0 ? source_failed(s, ret, err) : 0;
}

static int read_bus(const struct subdevice *s, char *text, size_t size, struct naohw_error *err)
{
	const struct party *party = first(s->station);
	unsigned int bus;
	int ret = party ? sysfs_bus(party->dir, &bus) : -ENODEV;

	if (ret < 0)
		return source_failed(s, ret, err);
	if ((size_t)snprintf(text, size, "dxl%u", bus) >= size)
		return source_failed(s, -EMSGSIZE, err);
	return 0;
}

const struct source_kind source_ack = {
	.name = "Ack",
	.own_size = sizeof(struct late),
	.find = find,
	.read = read_sum,
};

const struct source_kind source_nack = {
	.name = "Nack",
	.own_size = sizeof(struct late),
	.find = find,
	.read = read_sum,
};

const struct source_kind source_address = {
	.name = "Address",
	.own_size = sizeof(struct late),
	.find = find,
	.read = read_address,
};

const struct source_kind source_bus = {
	.name = "Bus",
	.own_size = sizeof(struct late),
	.find = find,
	.read_text = read_bus,
};
