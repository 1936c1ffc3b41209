// SPDX-License-Identifier: GPL-2.0-or-later
/* What the control commands have in common: errors and arguments. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "command.h"

/* Give the reason; always false. */
bool call_fail(struct call *call, const char *format, ...)
{
	va_list args;

	fprintf(call->out, CONTROL_ERROR);
	va_start(args, format);
	vfprintf(call->out, format, args);
	va_end(args);
	fputc('\n', call->out);

	return false;
}

bool call_number(struct call *call, const char *text, const char *what,
		 unsigned long long max, unsigned long long *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)text[0]) || *end || errno || *value > max)
		return call_fail(call, "%s is \"%s\", expected a number of 0 to %llu",
				 what, text, max);

	return true;
}

static struct device *by_id(struct bus *bus, const char *text)
{
	char *end;
	unsigned long id = strtoul(text, &end, 10);
	size_t i;

	if (!isdigit((unsigned char)text[0]) || *end)
		return NULL;
	for (i = 0; i < bus->device_count; i++)
		if (device_id(&bus->devices[i]) == id)
			return &bus->devices[i];

	return NULL;
}

static struct device *by_label(struct bus *bus, const char *text)
{
	size_t i;

	for (i = 0; i < bus->device_count; i++)
		if (!strcmp(bus->devices[i].label, text))
			return &bus->devices[i];

	return NULL;
}

/* The device with an ID or label, or NULL after giving the reason. */
struct device *call_device(struct call *call, const char *text)
{
	struct device *dev = by_id(call->bus, text);

	if (!dev)
		dev = by_label(call->bus, text);
	if (!dev)
		call_fail(call, "no device has the ID or label \"%s\"", text);

	return dev;
}

/* Short names for what is asked for most. */
static const char *item_name(const char *name)
{
	static const char *const shortcuts[][2] = {
		{ "position", "present_position" },
		{ "speed", "present_speed" },
		{ "load", "present_load" },
		{ "voltage", "present_voltage" },
		{ "temperature", "present_temperature" },
		{ "goal", "goal_position" },
		{ "torque", "torque_enable" },
	};
	size_t i;

	for (i = 0; i < sizeof(shortcuts) / sizeof(shortcuts[0]); i++)
		if (!strcmp(name, shortcuts[i][0]))
			return shortcuts[i][1];

	return name;
}

/* The item with a name or its short form, or NULL after giving the reason. */
const struct item *call_item(struct call *call, const struct device *dev,
			     const char *name)
{
	const struct item *item = model_item_named(dev->model, item_name(name));

	if (!item)
		call_fail(call, "the %s has no field \"%s\"", dev->model->name,
			  name);

	return item;
}

/* Do it with all devices, or with one; false after giving the reason. */
bool call_devices(struct call *call, const char *which,
		  void (*act)(struct call *call, struct device *dev))
{
	struct device *dev;
	size_t i;

	if (strcmp(which, "all")) {
		dev = call_device(call, which);
		if (dev)
			act(call, dev);
		return dev;
	}

	for (i = 0; i < call->bus->device_count; i++)
		act(call, &call->bus->devices[i]);

	return true;
}
