// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A button, by its name as the kernel's input layer has it: "BTN_START". All buttons of a board are
 * one device, which is opened once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "monotonic.h"
#include "source.h"

/* Of events that come faster than they are taken */
#define UPDATES 16
/* To look for a device takes its time, which nobody has at each reading. */
#define AGAIN_NS 500000000

/* As one reader has them: what another has taken is there for him all the same. */
struct buttons {
	struct buttons *next;
	const char *label;
	int error;	  /* why it is not open; 0: it is */
	int64_t tried_at; /* when it was to be opened last, in ns */
	struct event_source source;
};

struct own_event {
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

static void try_open(struct buttons *buttons)
{
	buttons->tried_at = monotonic_ns();
	buttons->error = event_open(&buttons->source, buttons->label);
}

static struct buttons *add_buttons(struct buttons **list, const char *label)
{
	struct buttons *buttons = calloc(1, sizeof(*buttons));

	if (!buttons)
		return NULL;
	buttons->label = label;
	try_open(buttons);
	buttons->next = *list;
	*list = buttons;
	return buttons;
}

/* One that cannot be opened may be there later, or be there for us: it is tried again. */
static struct buttons *need_buttons(struct buttons **list, const char *label)
{
	struct buttons *buttons = *list;

	while (buttons && strcmp(buttons->label, label) != 0)
		buttons = buttons->next;
	if (!buttons)
		return add_buttons(list, label);
	if (buttons->error && monotonic_ns() - buttons->tried_at >= AGAIN_NS)
		try_open(buttons);
	return buttons;
}

/* A device that has gone has its descriptor wake us for ever. */
static void let_go(struct buttons *buttons, int error)
{
	event_close(&buttons->source);
	buttons->error = error;
}

static int update(struct buttons *buttons)
{
	int ret = buttons->error ? buttons->error : 1;

	for (unsigned int i = 0; i < UPDATES && ret > 0; i++)
		ret = event_update(&buttons->source);
	if (ret == -ENODEV && !buttons->error)
		let_go(buttons, ret);
	return ret < 0 ? ret : 0;
}

int source_event_look(struct buttons **list, const struct subdevice *s, double *device,
		      int64_t *time)
{
	const struct own_event *own = s->own;
	struct buttons *buttons = need_buttons(list, s->label);
	int ret = buttons ? update(buttons) : -ENOMEM;

	if (ret == 0)
		ret = event_value(&buttons->source, own->code);
	if (ret < 0)
		return ret;
	*device = ret;
	*time = event_time(&buttons->source, own->code);
	return 0;
}

int source_event_descriptor(struct buttons **list, const struct subdevice *s)
{
	const struct buttons *buttons = need_buttons(list, s->label);

	if (!buttons)
		return -ENOMEM;
	return buttons->error ? buttons->error : event_descriptor(&buttons->source);
}

void source_events_end(struct buttons **list)
{
	while (*list) {
		struct buttons *buttons = *list;

		*list = buttons->next;
		if (buttons->error == 0)
			event_close(&buttons->source);
		free(buttons);
	}
}

/* Those who read keys share one list, and a key may be read by any thread. */
static int read_event(const struct subdevice *s, double *device, struct naohw_error *err)
{
	int64_t time;
	int ret;

	pthread_mutex_lock(&s->robot->opening);
	ret = source_event_look(&s->robot->buttons, s, device, &time);
	pthread_mutex_unlock(&s->robot->opening);
	return ret < 0 ? source_failed(s, ret, err) : 0;
}

const struct source_kind source_event = {
	.name = "Event",
	.own_size = sizeof(struct own_event),
	.check = check,
	.read = read_event,
};
