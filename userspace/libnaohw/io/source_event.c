// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A button, by its name as the kernel's input layer has it: "BTN_START". All buttons of a board are
 * one device, which is opened once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "event.h"
#include "source.h"

/* Of events that come faster than they are taken */
#define UPDATES 16

struct buttons {
	struct buttons *next;
	const char *label;
	int error;
	pthread_mutex_t lock; /* a key may be read by any thread */
	struct event_source source;
};

struct own_event {
	struct late late;
	struct buttons *buttons;
	int code;
};

static int check(struct subdevice *s, const struct preference *event, struct naohw_error *err)
{
	struct own_event *own = s->own;

	own->code = event_code(s->source);
	if (own->code < 0)
		return source_wrong(event, "a button or key of the input layer, as \"BTN_START\"",
				    err);
	return 0;
}

static struct buttons *find_buttons(const struct naohw_robot *robot, const char *label)
{
	struct buttons *buttons = robot->buttons;

	while (buttons && strcmp(buttons->label, label) != 0)
		buttons = buttons->next;
	return buttons;
}

static struct buttons *open_buttons(struct naohw_robot *robot, const char *label)
{
	struct buttons *buttons = calloc(1, sizeof(*buttons));

	if (!buttons)
		return NULL;
	buttons->label = label;
	buttons->error = event_open(&buttons->source, label);
	pthread_mutex_init(&buttons->lock, NULL);
	buttons->next = robot->buttons;
	robot->buttons = buttons;
	return buttons;
}

static int find(const struct subdevice *s)
{
	struct own_event *own = s->own;

	own->buttons = find_buttons(s->robot, s->label);
	if (!own->buttons)
		own->buttons = open_buttons(s->robot, s->label);
	return own->buttons ? own->buttons->error : -ENOMEM;
}

static int update(struct buttons *buttons)
{
	int ret = 1;

	for (unsigned int i = 0; i < UPDATES && ret > 0; i++)
		ret = event_update(&buttons->source);
	return ret < 0 ? ret : 0;
}

static int look(const struct own_event *own, double *device)
{
	struct buttons *buttons = own->buttons;
	int ret;

	pthread_mutex_lock(&buttons->lock);
	ret = update(buttons);
	if (ret == 0)
		ret = event_value(&buttons->source, own->code);
	pthread_mutex_unlock(&buttons->lock);
	if (ret >= 0)
		*device = ret;
	return ret;
}

static int read_event(const struct subdevice *s, double *device, struct naohw_error *err)
{
	int ret = source_need(s);

	if (ret == 0)
		ret = look(s->own, device);
	return ret < 0 ? source_failed(s, ret, err) : 0;
}

int source_event_descriptor(const struct subdevice *s)
{
	const struct own_event *own = s->own;
	int ret = source_need(s);

	return ret < 0 ? ret : event_descriptor(&own->buttons->source);
}

int64_t source_event_time(const struct subdevice *s)
{
	const struct own_event *own = s->own;
	int64_t time;

	if (source_need(s) < 0)
		return 0;
	pthread_mutex_lock(&own->buttons->lock);
	time = event_time(&own->buttons->source, own->code);
	pthread_mutex_unlock(&own->buttons->lock);
	return time < 0 ? 0 : time;
}

void source_events_end(struct naohw_robot *robot)
{
	while (robot->buttons) {
		struct buttons *buttons = robot->buttons;

		robot->buttons = buttons->next;
		if (buttons->error == 0)
			event_close(&buttons->source);
		pthread_mutex_destroy(&buttons->lock);
		free(buttons);
	}
}

const struct source_kind source_event = {
	.name = "Event",
	.own_size = sizeof(struct own_event),
	.check = check,
	.find = find,
	.read = read_event,
};
