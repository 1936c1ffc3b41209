// SPDX-License-Identifier: LGPL-2.1-or-later
/* NAO's rules between the value of a key and that of its device. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "../base/base.h"
#include "inside.h"
#include "source.h"

bool subdevice_has_own_key(const struct subdevice *s)
{
	return !text_ends_with(s->name, "/Sensor") && !text_ends_with(s->name, "/Actuator");
}

bool subdevice_is_numbered(const struct subdevice *s)
{
	static const char begin[] = "/Value";
	const char *slash = strrchr(s->name, '/');
	const char *number;

	if (strncmp(slash, begin, strlen(begin)) != 0)
		return false;
	number = slash + strlen(begin);
	return *number && number[strspn(number, "0123456789")] == '\0';
}

static const struct subdevice *find_of(const struct naohw_robot *robot, const char *label,
				       const char *name)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const struct subdevice *s = &robot->subdevice[i];

		if (strcmp(s->label, label) == 0 && text_ends_with(s->name, name))
			return s;
	}
	return NULL;
}

const struct subdevice *subdevice_position_of(const struct naohw_robot *robot, const char *label,
					      bool actuator)
{
	static const char *const names[] = { "/Position/Sensor", "/Position/Actuator" };
	const struct subdevice *found = find_of(robot, label, names[actuator]);

	return found ? found : find_of(robot, label, names[!actuator]);
}

/* As NAO tells how to mend the weight on a foot: the Offset comes before the Gain. */
static double from_inverse(const struct subdevice *s, double value)
{
	return value == 0 ? 0 : (1 / value - s->offset) * s->gain;
}

/* A whole number, or one of two, is what it is called. */
static double of_type(enum naohw_key_type type, double value)
{
	switch (type) {
	case NAOHW_KEY_INT:
		return rint(value);
	case NAOHW_KEY_BOOL:
		return value != 0;
	default:
		return value;
	}
}

double subdevice_from_device(const struct subdevice *s, double value)
{
	return of_type(s->type, s->inverse ? from_inverse(s, value) : value * s->gain + s->offset);
}

double subdevice_bounded(const struct subdevice *s, double value)
{
	if (value < s->min)
		return s->min;
	return value > s->max ? s->max : value;
}

double subdevice_to_device(const struct subdevice *s, double value)
{
	return (value - s->offset) / s->gain;
}

void subdevice_fold(const struct subdevice *position, enum naohw_quantity quantity, double *scale,
		    double *offset)
{
	switch (quantity) {
	case NAOHW_QUANTITY_POSITION:
	case NAOHW_QUANTITY_GOAL:
		*scale *= position->gain;
		/* Of a channel that the kernel gives no scale nobody knows the place. */
		if (*scale != 0)
			*offset += position->offset / *scale;
		break;
	case NAOHW_QUANTITY_SPEED:
		*scale *= position->gain;
		break;
	case NAOHW_QUANTITY_LOAD:
	case NAOHW_QUANTITY_CURRENT:
		*scale = copysign(1, position->gain) * *scale;
		break;
	default:
		break;
	}
}

int subdevice_read(const struct subdevice *s, double *value, struct naohw_error *err)
{
	double device = 0;
	int ret = source_need(s, err);

	if (ret == 0)
		ret = s->kind->read(s, &device, err);
	if (ret < 0)
		return ret;
	*value = subdevice_from_device(s, device);
	return 0;
}

bool subdevice_is_text(const struct subdevice *s)
{
	return s->type == NAOHW_KEY_STRING;
}

int subdevice_read_text(const struct subdevice *s, char *text, size_t size,
			struct naohw_error *err)
{
	int ret = source_need(s, err);

	if (ret == 0)
		ret = s->kind->read_text(s, text, size, err);
	/* A board's memory may have anything in it. */
	if (ret == 0)
		text_make_plain(text);
	return ret;
}

int subdevice_write(const struct subdevice *s, double value, struct naohw_error *err)
{
	int ret = source_need(s, err);

	return ret < 0 ? ret : s->kind->write(s, subdevice_bounded(s, value), err);
}

bool subdevice_is_writable(const struct subdevice *s)
{
	return subdevice_is_text(s) ? s->kind->write_text != NULL : s->actuator;
}

int subdevice_write_text(const struct subdevice *s, const char *text, struct naohw_error *err)
{
	int ret;

	if (!text_is_plain(text))
		return fail(err, -EINVAL,
			    "%s: expected a text in UTF-8 without control characters", s->name);
	ret = source_need(s, err);
	return ret < 0 ? ret : s->kind->write_text(s, text, err);
}
