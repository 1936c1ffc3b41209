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
#include "source.h"

/* Of events that come faster than they are taken */
#define UPDATES 16

/* As one reader has them: what another has taken is there for him all the same. */
struct buttons {
	struct buttons *next;
	const char *label;
	int error;
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

static struct buttons *add_buttons(struct buttons **list, const char *label)
{
	struct buttons *buttons = calloc(1, sizeof(*buttons));

	if (!buttons)
		return NULL;
	buttons->label = label;
	buttons->error = event_open(&buttons->source, label);
	buttons->next = *list;
	*list = buttons;
	return buttons;
}

static struct buttons *need_buttons(struct buttons **list, const char *label)
{
	for (struct buttons *buttons = *list; buttons; buttons = buttons->next)
		if (strcmp(buttons->label, label) == 0)
			return buttons;
	return add_buttons(list, label);
}

static int update(struct buttons *buttons)
{
	int ret = buttons->error ? buttons->error : 1;

	for (unsigned int i = 0; i < UPDATES && ret > 0; i++)
		ret = event_update(&buttons->source);
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
