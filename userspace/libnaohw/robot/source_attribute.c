// SPDX-License-Identifier: LGPL-2.1-or-later
/* A value that is an attribute of the unit's IIO device itself: "sonar_mode". */
#include <errno.h>
#include <stdio.h>

#include "../base/base.h"
#include "source.h"

#define NUMBER_SIZE 64
#define NAME_SIZE   128
#define VALUES_SIZE 256

static int check_there(const struct subdevice *s, struct naohw_error *err)
{
	if (!s->unit || !s->unit->device.iio)
		return fail(err, -ENODEV, "%s: no IIO device has the label \"%s\"", s->name,
			    s->label);
	if (!device_has(&s->unit->device, s->source))
		return fail(err, -ENOENT, "%s: the IIO device \"%s\" has no attribute %s", s->name,
			    s->label, s->source);
	return 0;
}

static int told(const struct subdevice *s, int ret, struct naohw_error *err)
{
	return ret < 0 ? fail(err, ret, "%s (%s): %s", s->label, s->source, error_text(ret)) : 0;
}

static int read_text(const struct subdevice *s, char *text, size_t size, struct naohw_error *err)
{
	int ret = check_there(s, err);

	if (ret < 0)
		return ret;
	return told(s, device_read(&s->unit->device, s->source, text, size), err);
}

static int read_attribute(const struct subdevice *s, double *device, struct naohw_error *err)
{
	char text[NUMBER_SIZE];
	int ret = read_text(s, text, sizeof(text), err);

	if (ret < 0)
		return ret;
	return told(s, number_parse(text, device) ? 0 : -EINVAL, err);
}

/* Beside one that takes few values, the kernel has which: "sonar_mode_available". */
static int refused(const struct subdevice *s, double value, int ret, struct naohw_error *err)
{
	char name[NAME_SIZE], values[VALUES_SIZE];

	snprintf(name, sizeof(name), "%s_available", s->source);
	if (ret != -EINVAL || !device_has(&s->unit->device, name) ||
	    device_read(&s->unit->device, name, values, sizeof(values)) < 0)
		return told(s, ret, err);
	return fail(err, ret, "%s: %g, expected one of %s", s->name, value, values);
}

static int write_attribute(const struct subdevice *s, double value, struct naohw_error *err)
{
	char text[NUMBER_SIZE];
	int ret = check_there(s, err);

	/* Of a servo it may be one that moves it. */
	if (ret == 0 && joint_find(s->robot, s->label))
		ret = lease_unit(s->robot, s->unit, err);
	if (ret < 0)
		return ret;
	ret = number_print(text, sizeof(text), subdevice_to_device(s, value));
	if (ret >= 0)
		ret = device_write(&s->unit->device, s->source, text);
	return ret < 0 ? refused(s, value, ret, err) : 0;
}

const struct source_kind source_attribute = {
	.name = "Attribute",
	.read = read_attribute,
	.read_text = read_text,
	.write = write_attribute,
};
