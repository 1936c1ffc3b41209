// SPDX-License-Identifier: LGPL-2.1-or-later
/* From the description to what can be read and written, and NAO's rules on the way. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "robot.h"

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

static const char *text_of(const struct preference *preference)
{
	return preference ? preference->text : NULL;
}

static double number_of(const struct preference *preference, double otherwise)
{
	return preference ? preference->number : otherwise;
}

static int wrong(const struct preference *preference, const char *expected,
		 struct naohw_error *err)
{
	return fail(err, -EINVAL, "%s:%ld: %s: value \"%s\", expected %s", preference->path,
		    preference->line, preference->key, preference->text, expected);
}

static bool is_number(enum naohw_key_type type)
{
	return type == NAOHW_KEY_FLOAT || type == NAOHW_KEY_INT;
}

static int check_types(const struct naohw_robot *robot, const char *name, struct naohw_error *err)
{
	for (size_t i = 0; i < subdevice_name_count; i++) {
		const struct subdevice_name *known = &subdevice_names[i];
		const struct preference *found =
			description_find(robot->description, name, known->name);

		if (!found || found->type == known->type)
			continue;
		if (!is_number(known->type))
			return wrong(found, "a string", err);
		if (!is_number(found->type))
			return wrong(found, "a number (type float or int)", err);
	}
	return 0;
}

static int check_range(const struct naohw_robot *robot, const struct subdevice *s,
		       struct naohw_error *err)
{
	const struct preference *min = description_find(robot->description, s->name, "Min");
	const struct preference *max = description_find(robot->description, s->name, "Max");

	if (s->actuator && (!min || !max))
		return fail(err, -EINVAL, "%s: %s: no %s, expected one for an actuator",
			    robot->description->path[LAYER_DEVICE], s->name, min ? "Max" : "Min");
	/* To let a joint go would switch it on. */
	if (s->enable && min->number > 0)
		return wrong(min, "0 or less: 0 is what lets the joint go", err);
	if (s->min <= s->max)
		return 0;
	/* The later one is what somebody has got wrong: it was good before. */
	if (min->order > max->order)
		return wrong(min, "no more than Max", err);
	return wrong(max, "no less than Min", err);
}

static int check(const struct naohw_robot *robot, const struct subdevice *s,
		 const struct preference *channel, struct naohw_error *err)
{
	const struct preference *gain = description_find(robot->description, s->name, "Gain");
	const char *prefix = s->actuator ? "out_" : "in_";
	const char *expected =
		s->actuator ? "\"out_...\" for an actuator" : "\"in_...\" for a sensor";

	if (gain && gain->number == 0)
		return wrong(gain, "anything but 0", err);
	if (strncmp(s->channel_name, prefix, strlen(prefix)) != 0)
		return wrong(channel, expected, err);
	return check_range(robot, s, err);
}

/* The angle that a joint has would be the mirrored one of that which it gets. */
static int check_pair(const struct naohw_robot *robot, const struct subdevice *s,
		      struct naohw_error *err)
{
	const struct description *d = robot->description;
	const struct preference *gain = description_find(d, s->name, "Gain"), *other;
	char sensor[NAME_MAX];

	if (!ends_with(s->name, "/Position/Actuator"))
		return 0;
	snprintf(sensor, sizeof(sensor), "%.*sSensor",
		 (int)(strlen(s->name) - strlen("Actuator")), s->name);
	if (!description_find(d, sensor, "Channel"))
		return 0;
	other = description_find(d, sensor, "Gain");
	if (number_of(gain, 1) * number_of(other, 1) > 0)
		return 0;
	return wrong(gain ? gain : other, "the sign of Sensor's and Actuator's Gain to be one", err);
}

/* A Label, or else the first part of the name: "HeadYaw". */
static int take_label(const struct description *d, struct subdevice *s, struct naohw_error *err)
{
	const struct preference *label = description_inherit(d, s->name, "Label");
	const char *part = s->name + strlen(SUBDEVICE_PREFIX);

	s->label = label ? strdup(label->text) : strndup(part, strcspn(part, "/"));
	return s->label ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int fill(const struct naohw_robot *robot, struct subdevice *s,
		const struct preference *channel, struct naohw_error *err)
{
	const struct description *d = robot->description;
	int ret = check_types(robot, s->name, err);

	if (ret < 0)
		return ret;
	if (channel->type != NAOHW_KEY_STRING)
		return wrong(channel, "a string (type string)", err);
	s->channel_name = channel->text;
	s->attribute = text_of(description_find(d, s->name, "Attribute"));
	s->enable = text_of(description_find(d, s->name, "Enable"));
	s->brake = text_of(description_find(d, s->name, "Brake"));
	s->actuator = ends_with(s->name, "/Actuator");
	s->gain = number_of(description_find(d, s->name, "Gain"), 1);
	s->offset = number_of(description_find(d, s->name, "Offset"), 0);
	s->min = number_of(description_find(d, s->name, "Min"), -HUGE_VAL);
	s->max = number_of(description_find(d, s->name, "Max"), HUGE_VAL);
	ret = take_label(d, s, err);
	if (ret < 0)
		return ret;
	return check(robot, s, channel, err);
}

/* A Channel makes its array a subdevice. */
static bool is_channel(const struct preference *preference)
{
	return ends_with(preference->key, "/Channel") &&
	       strncmp(preference->key, SUBDEVICE_PREFIX, strlen(SUBDEVICE_PREFIX)) == 0;
}

static int add(struct naohw_robot *robot, const struct preference *channel,
	       struct naohw_error *err)
{
	struct subdevice *s = &robot->subdevice[robot->subdevice_count];
	size_t length = strlen(channel->key) - strlen("/Channel");

	s->name = strndup(channel->key, length);
	if (!s->name)
		return fail(err, -ENOMEM, "out of memory");
	robot->subdevice_count++;
	if (!ends_with(s->name, "/Sensor") && !ends_with(s->name, "/Actuator"))
		return fail(err, -EINVAL,
			    "%s:%ld: %s: a Channel stands below .../Sensor or .../Actuator only",
			    channel->path, channel->line, channel->key);
	return fill(robot, s, channel, err);
}

int subdevices_build(struct naohw_robot *robot, struct naohw_error *err)
{
	const struct description *d = robot->description;

	robot->subdevice = calloc(d->count + 1, sizeof(*robot->subdevice));
	if (!robot->subdevice)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < d->count; i++) {
		int ret = is_channel(&d->list[i]) ? add(robot, &d->list[i], err) : 0;

		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		int ret = check_pair(robot, &robot->subdevice[i], err);

		if (ret < 0)
			return ret;
	}
	if (robot->subdevice_count == 0)
		return fail(err, -EINVAL, "%s: no Channel in it, expected at least one",
			    d->path[LAYER_DEVICE]);
	return 0;
}

static const struct subdevice *find_of(const struct naohw_robot *robot, const char *label,
				       const char *name)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const struct subdevice *s = &robot->subdevice[i];

		if (strcmp(s->joint->label, label) == 0 && ends_with(s->name, name))
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

double subdevice_from_device(const struct subdevice *s, double value)
{
	return value * s->gain + s->offset;
}

static double bounded(const struct subdevice *s, double value)
{
	if (value < s->min)
		return s->min;
	return value > s->max ? s->max : value;
}

double subdevice_to_device(const struct subdevice *s, double value)
{
	return (bounded(s, value) - s->offset) / s->gain;
}

static int check_there(const struct subdevice *s, struct naohw_error *err)
{
	if (!s->joint->device.iio)
		return fail(err, -ENODEV, "%s: no IIO device has the label \"%s\"", s->name,
			    s->joint->label);
	if (!s->channel.iio)
		return fail(err, -ENODEV, "%s: the IIO device \"%s\" has no channel %s", s->name,
			    s->joint->label, s->channel_name);
	return 0;
}

static int told(const struct subdevice *s, int ret, struct naohw_error *err)
{
	if (ret >= 0)
		return 0;
	return fail(err, ret, "%s (%s%s%s): %s", s->joint->label, s->channel_name,
		    s->attribute ? "_" : "", s->attribute ? s->attribute : "", error_text(ret));
}

/* A joint that is let go has the value 0, one that turns freely as well the value -1. */
static int read_off(const struct subdevice *s, double *value)
{
	double brake = 1;
	int ret = 0;

	if (s->brake)
		ret = channel_read_attribute(&s->channel, s->brake, &brake);
	*value = ((brake != 0 ? 0 : -1) - s->offset) / s->gain;
	return ret < 0 ? ret : 0;
}

static int read_device(const struct subdevice *s, double *value)
{
	double on;
	int ret;

	if (s->enable) {
		ret = channel_read_attribute(&s->channel, s->enable, &on);
		if (ret < 0)
			return ret;
		if (on == 0)
			return read_off(s, value);
	}
	if (s->attribute)
		return channel_read_attribute(&s->channel, s->attribute, value);
	return channel_read(&s->channel, value);
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
		*scale = copysign(*scale, position->gain);
		break;
	default:
		break;
	}
}

int subdevice_read(const struct subdevice *s, double *value, struct naohw_error *err)
{
	double device = 0;
	int ret = check_there(s, err);

	if (ret < 0)
		return ret;
	ret = read_device(s, &device);
	if (ret < 0)
		return told(s, ret, err);
	*value = subdevice_from_device(s, device);
	return 0;
}

static int write_device(const struct subdevice *s, double device)
{
	if (s->attribute)
		return channel_write_attribute(&s->channel, s->attribute, device);
	return channel_write(&s->channel, device);
}

/* The limit goes first. NAO's rule, that the joint then holds where it is, is the kernel's. */
static int switch_on(const struct subdevice *s, double device)
{
	int ret = write_device(s, device);

	return ret < 0 ? ret : channel_write_attribute(&s->channel, s->enable, 1);
}

/* Below 0 the joint is not even braked, where it can be either. */
static int switch_off(const struct subdevice *s, bool brake)
{
	int ret = channel_write_attribute(&s->channel, s->enable, 0);

	if (ret >= 0 && s->brake)
		ret = channel_write_attribute(&s->channel, s->brake, brake);
	return ret;
}

/* The kernel refuses a joint that a stream of poses has, or has let go. */
static int busy(const struct subdevice *s, struct naohw_error *err)
{
	double on = 1;

	if (s->joint->goal.iio)
		(void)channel_read_attribute(&s->joint->goal, "en", &on);
	if (on == 0)
		return fail(err, -EBUSY,
			    "%s: the joint has been let go, as when a program that moves it dies; "
			    "\"naohw recover\" gives the torque back",
			    s->name);
	return fail(err, -EBUSY, "%s: another program is moving the robot", s->name);
}

int subdevice_write(const struct subdevice *s, double value, struct naohw_error *err)
{
	double device = subdevice_to_device(s, value);
	double wanted = bounded(s, value);
	bool lets_go = s->enable && value <= 0;
	int ret = check_there(s, err);

	/* To let go is nobody's business to watch, nor to refuse. */
	if (ret == 0 && !lets_go)
		ret = lease_joint(s->joint, err);
	if (ret < 0)
		return ret;
	if (lets_go)
		ret = switch_off(s, wanted >= 0);
	else if (s->enable)
		ret = switch_on(s, device);
	else
		ret = write_device(s, device);
	if (ret == -EBUSY)
		return busy(s, err);
	if (ret == -ERANGE)
		return fail(err, ret, "%s: %g is outside of what the servo accepts", s->name,
			    value);
	return told(s, ret, err);
}
