// SPDX-License-Identifier: LGPL-2.1-or-later
#include "station.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "../io/io.h"
#include "party.h"
#include "source.h"

#define STATE_SIZE 32

/* ---- which there are ---- */

static struct station *find(const struct naohw_robot *robot, const char *name, size_t length)
{
	for (size_t i = 0; i < robot->station_count; i++) {
		struct station *station = &robot->station[i];

		if (strncmp(station->name, name, length) == 0 && station->name[length] == '\0')
			return station;
	}
	return NULL;
}

static int add_party(struct station *station, const char *label, size_t length)
{
	struct party *party = &station->party[station->party_count];

	party->label = strndup(label, length);
	if (!party->label)
		return -ENOMEM;
	party->dir = -ENODEV;
	station->party_count++;
	return 0;
}

/* Labels with blanks between them */
static int add_parties(struct station *station, const char *labels)
{
	size_t length;
	int ret = 0;

	/* Each has one character, and a blank before the next. */
	station->party = calloc(strlen(labels) / 2 + 1, sizeof(*station->party));
	if (!station->party)
		return -ENOMEM;
	for (; ret == 0 && *(labels += strspn(labels, " ")); labels += length) {
		length = strcspn(labels, " ");
		ret = add_party(station, labels, length);
	}
	return ret;
}

static struct station *grow(struct naohw_robot *robot)
{
	size_t count = robot->station_count;
	struct station *grown;

	/* A power of two is full. */
	if ((count & (count - 1)) == 0) {
		grown = realloc(robot->station, (count ? 2 * count : 1) * sizeof(*grown));
		if (!grown)
			return NULL;
		robot->station = grown;
	}
	robot->station[count] = (struct station){ 0 };
	return &robot->station[count];
}

/* @labels: where the description lists none of that name, or gives it no Label */
static int add(struct naohw_robot *robot, const char *name, size_t length, const char *labels)
{
	struct station *station;
	const struct preference *label;
	char key[NAME_MAX];

	if (find(robot, name, length))
		return 0;
	station = grow(robot);
	if (!station)
		return -ENOMEM;
	station->name = strndup(name, length);
	if (!station->name)
		return -ENOMEM;
	robot->station_count++;
	snprintf(key, sizeof(key), DEVICE_PREFIX "%s", station->name);
	label = description_find(robot->description, key, "Label");
	if (label)
		labels = label->text;
	return add_parties(station, labels ? labels : station->name);
}

static int add_listed(struct naohw_robot *robot)
{
	const struct description *d = robot->description;
	int ret = 0;

	for (size_t i = 0; i < d->count && ret == 0; i++) {
		const char *key = d->list[i].key, *name = key + strlen(DEVICE_PREFIX);

		if (text_begins_with(key, DEVICE_PREFIX) && strchr(name, '/'))
			ret = add(robot, name, strcspn(name, "/"), NULL);
	}
	return ret;
}

static bool has_party(const struct station *station, const char *label)
{
	for (size_t i = 0; i < station->party_count; i++)
		if (strcmp(station->party[i].label, label) == 0)
			return true;
	return false;
}

/* What the description says controls it, or has its label, or else would be called by that */
static const char *device_of(const struct subdevice *s)
{
	const struct naohw_robot *robot = s->robot;
	const struct preference *device =
		description_inherit(robot->description, s->name, "Device");

	if (device && device->type == NAOHW_KEY_STRING)
		return device->text;
	for (size_t i = 0; i < robot->station_count; i++)
		if (has_party(&robot->station[i], s->label))
			return robot->station[i].name;
	return s->label;
}

static bool has_station(const struct subdevice *s)
{
	return !subdevice_has_own_key(s);
}

static int add_controlling(struct naohw_robot *robot)
{
	int ret = 0;

	for (size_t i = 0; i < robot->subdevice_count && ret == 0; i++) {
		const struct subdevice *s = &robot->subdevice[i];
		const char *name = device_of(s);

		if (has_station(s))
			ret = add(robot, name, strlen(name), s->label);
	}
	return ret;
}

/* ---- what they have ---- */

/* In this order those that their subdevices have, too */
static const struct has {
	const struct source_kind *kind;
	enum naohw_key_type type;
	const char *file;
} has[] = {
	[SHARED_ACK] = { &source_ack, NAOHW_KEY_INT, "statistics/ack" },
	[SHARED_NACK] = { &source_nack, NAOHW_KEY_INT, "statistics/nack" },
	[SHARED_ERROR] = { &source_error, NAOHW_KEY_STRING, "" },
	{ &source_bus, NAOHW_KEY_STRING, "" },
	{ &source_address, NAOHW_KEY_INT, "id" },
};

#define HAS (sizeof(has) / sizeof(has[0]))

static int add_subdevice(struct naohw_robot *robot, struct station *station, const struct has *what)
{
	struct subdevice *s = &robot->subdevice[robot->subdevice_count];

	*s = (struct subdevice){
		.robot = robot,
		.kind = what->kind,
		.source = what->file,
		.bit = -1,
		.type = what->type,
		.gain = 1,
		.station = station,
	};
	if (asprintf(&s->name, DEVICE_PREFIX "%s/%s", station->name, what->kind->name) < 0) {
		s->name = NULL;
		return -ENOMEM;
	}
	robot->subdevice_count++;
	s->label = strdup(station->name);
	s->own = calloc(1, what->kind->own_size);
	return s->label && s->own ? 0 : -ENOMEM;
}

/* Where it is, the description may say. */
static bool is_described(const struct naohw_robot *robot, const struct station *station,
			 const char *name)
{
	char prefix[NAME_MAX];

	snprintf(prefix, sizeof(prefix), DEVICE_PREFIX "%s", station->name);
	return description_find(robot->description, prefix, name);
}

static int add_subdevices(struct naohw_robot *robot, struct station *station)
{
	for (size_t i = 0; i < HAS; i++) {
		int ret;

		if (i >= SHARED && is_described(robot, station, has[i].kind->name))
			continue;
		ret = add_subdevice(robot, station, &has[i]);
		if (ret < 0)
			return ret;
		if (i < SHARED)
			station->shared[i] = &robot->subdevice[robot->subdevice_count - 1];
	}
	return 0;
}

/* Few Preferences are a subdevice: what was taken for others is given back. */
static int make_room(struct naohw_robot *robot)
{
	size_t most = robot->subdevice_count + HAS * robot->station_count;
	struct subdevice *grown = realloc(robot->subdevice, most * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	robot->subdevice = grown;
	return 0;
}

static void connect(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		struct subdevice *s = &robot->subdevice[i];
		const char *name = device_of(s);

		if (has_station(s))
			s->station = find(robot, name, strlen(name));
	}
}

int stations_build(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = add_listed(robot);

	if (ret == 0)
		ret = add_controlling(robot);
	if (ret == 0)
		ret = make_room(robot);
	if (ret == 0)
		connect(robot);
	for (size_t i = 0; i < robot->station_count && ret == 0; i++)
		ret = add_subdevices(robot, &robot->station[i]);
	return ret < 0 ? fail(err, ret, "out of memory") : 0;
}

/* ---- the kernel's ---- */

void stations_open(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->station_count; i++) {
		struct station *station = &robot->station[i];

		for (size_t p = 0; p < station->party_count; p++)
			station->party[p].unit = unit_find(robot, station->party[p].label);
	}
}

static void look_for(struct party *party, const struct naohw_robot *robot)
{
	if (party->looked)
		return;
	party->dir = party_open(robot, party->unit, party->label);
	party->looked = !source_is_passing(party->dir);
}

int station_need(struct station *station, const struct naohw_robot *robot)
{
	int ret = -ENODEV;

	for (size_t i = 0; i < station->party_count; i++) {
		struct party *party = &station->party[i];

		look_for(party, robot);
		if (party->dir >= 0)
			ret = 0;
		else if (ret < 0)
			ret = party->dir;
	}
	return ret;
}

/* One that is gone from its bus has no state any more. */
static bool is_lost(const struct party *party)
{
	char state[STATE_SIZE];

	return attribute_read(party->dir, "state", state, sizeof(state)) < 0 ||
	       strcmp(state, "lost") == 0;
}

static bool are_lost(const struct station *station)
{
	size_t lost = 0;

	for (size_t i = 0; i < station->party_count; i++) {
		if (station->party[i].dir < 0)
			continue;
		if (!is_lost(&station->party[i]))
			return false;
		lost++;
	}
	return lost;
}

bool subdevice_is_lost(const struct subdevice *s)
{
	int ret;

	if (!s->station)
		return false;
	pthread_mutex_lock(&s->robot->opening);
	ret = station_need(s->station, s->robot);
	pthread_mutex_unlock(&s->robot->opening);
	return ret == 0 && are_lost(s->station);
}

static void free_one(struct station *station)
{
	for (size_t i = 0; i < station->party_count; i++) {
		if (station->party[i].dir >= 0)
			close(station->party[i].dir);
		free(station->party[i].label);
	}
	faults_free(&station->faults);
	free(station->party);
	free(station->name);
}

void stations_free(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->station_count; i++)
		free_one(&robot->station[i]);
	free(robot->station);
}

bool subdevice_is_of(const struct subdevice *s, const char *device)
{
	return s->station && strcmp(s->station->name, device) == 0;
}
