// SPDX-License-Identifier: LGPL-2.1-or-later
/* From the description to what can be read and written: a subdevice for each source in it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "inside.h"
#include "source.h"
#include "station.h"

static const char *text_of(const struct preference *preference)
{
	return preference ? preference->text : NULL;
}

static double number_of(const struct preference *preference, double otherwise)
{
	return preference ? preference->number : otherwise;
}

static bool is_number(enum naohw_key_type type)
{
	return type == NAOHW_KEY_FLOAT || type == NAOHW_KEY_INT;
}

/* One of a sensor's other values ("US/Left/Sensor/Value3") is reckoned as the sensor's own is. */
static const struct preference *find(const struct description *d, const struct subdevice *s,
				     const char *name)
{
	return subdevice_is_numbered(s) ? description_inherit(d, s->name, name)
					: description_find(d, s->name, name);
}

static int check_types(const struct subdevice *s, struct naohw_error *err)
{
	for (size_t i = 0; i < subdevice_name_count; i++) {
		const struct subdevice_name *known = &subdevice_names[i];
		const struct preference *found = find(s->robot->description, s, known->name);

		if (!found || found->type == known->type)
			continue;
		if (known->type == NAOHW_KEY_BOOL)
			return source_wrong(found, "true or false (type bool)", err);
		if (!is_number(known->type))
			return source_wrong(found, "a string", err);
		if (!is_number(found->type))
			return source_wrong(found, "a number (type float or int)", err);
		if (known->type == NAOHW_KEY_INT && found->number != trunc(found->number))
			return source_wrong(found, "a whole number", err);
	}
	return 0;
}

static int check_range(const struct subdevice *s, struct naohw_error *err)
{
	const struct description *d = s->robot->description;
	const struct preference *min = find(d, s, "Min");
	const struct preference *max = find(d, s, "Max");

	if (s->actuator && (!min || !max))
		return fail(err, -EINVAL, "%s: %s: no %s, expected one for an actuator",
			    d->path[LAYER_DEVICE], s->name, min ? "Max" : "Min");
	if (s->min <= s->max)
		return 0;
	/* The later one is what somebody has got wrong: it was good before. */
	if (min->order > max->order)
		return source_wrong(min, "no more than Max", err);
	return source_wrong(max, "no less than Min", err);
}

/* A layer that leaves a joint less room than its body has narrows where it rests, too. */
static bool is_narrowed(const struct preference *limit, const struct preference *rest)
{
	return limit->path != rest->path && limit->order > rest->order;
}

static int check_rest(const struct subdevice *s, struct naohw_error *err)
{
	const struct description *d = s->robot->description;
	const struct preference *rest = description_find(d, s->name, "Rest");
	const struct preference *limit;

	if (!rest || (rest->number >= s->min && rest->number <= s->max))
		return 0;
	limit = find(d, s, rest->number < s->min ? "Min" : "Max");
	if (is_narrowed(limit, rest))
		return 0;
	return fail(err, -EINVAL, "%s:%ld: %s: value \"%s\", expected %g (Min) to %g (Max)",
		    rest->path, rest->line, rest->key, rest->text, s->min, s->max);
}

static int check_above_0(const struct subdevice *s, const char *name, const char *expected,
			 struct naohw_error *err)
{
	const struct preference *found = description_find(s->robot->description, s->name, name);

	return found && found->number <= 0 ? source_wrong(found, expected, err) : 0;
}

static int check_limits(const struct subdevice *s, struct naohw_error *err)
{
	int ret = check_above_0(s, "SpeedMax", "a speed above 0", err);

	if (ret == 0)
		ret = check_above_0(s, "AccelerationMax", "an acceleration above 0", err);
	return ret < 0 ? ret : check_above_0(s, "StallCurrent", "a current above 0", err);
}

/* A wheel must be able to stand still, and 0 is what tells its servo so. */
static int check_wheel(const struct subdevice *s, struct naohw_error *err)
{
	const struct description *d = s->robot->description;

	if (!subdevice_is_wheel(s))
		return 0;
	if (s->offset != 0)
		return source_wrong(find(d, s, "Offset"), "0 for the speed of a wheel", err);
	if (s->min > 0)
		return source_wrong(find(d, s, "Min"), "0 or less for the speed of a wheel", err);
	if (s->max < 0)
		return source_wrong(find(d, s, "Max"), "0 or more for the speed of a wheel", err);
	return 0;
}

/* More than that is no horn that sits askew, but an angle in degrees. */
static int check_motion_offset(const struct subdevice *s, struct naohw_error *err)
{
	const struct preference *offset =
		description_find(s->robot->description, s->name, "MotionOffset");

	return offset && fabs(offset->number) > M_PI ?
		       source_wrong(offset, "an angle in rad of half a turn at the most", err) :
		       0;
}

/* The angle that a joint has would be the mirrored one of that which it gets. */
static int check_pair(const struct subdevice *s, struct naohw_error *err)
{
	const struct description *d = s->robot->description;
	const struct preference *gain = description_find(d, s->name, "Gain"), *other;
	char sensor[NAME_MAX];

	if (!text_ends_with(s->name, "/Position/Actuator"))
		return 0;
	snprintf(sensor, sizeof(sensor), "%.*sSensor",
		 (int)(strlen(s->name) - strlen("Actuator")), s->name);
	if (!description_find(d, sensor, "Channel"))
		return 0;
	other = description_find(d, sensor, "Gain");
	if (number_of(gain, 1) * number_of(other, 1) > 0)
		return 0;
	return source_wrong(gain ? gain : other,
			    "the sign of Sensor's and Actuator's Gain to be one", err);
}

/* Nobody has to go back from it, and poses and frames have angles by Gain and Offset alone. */
static int check_inverse(const struct subdevice *s, struct naohw_error *err)
{
	if (!s->inverse || (!s->actuator && !text_ends_with(s->name, "/Position/Sensor")))
		return 0;
	return source_wrong(find(s->robot->description, s, "Inverse"),
			    "false for an actuator or an angle", err);
}

/* A light is no text, and a memory no number. */
static int check_kind(const struct subdevice *s, const struct preference *source,
		      struct naohw_error *err)
{
	const struct preference *type = description_find(s->robot->description, s->name, "KeyType");

	if (s->actuator && !s->kind->write)
		return source_wrong(source, "none for an actuator", err);
	if (subdevice_is_text(s) ? s->kind->read_text != NULL : s->kind->read != NULL)
		return 0;
	return source_wrong(type ? type : source,
			    s->kind->read ? "a number (KeyType float, int or bool)" : "a text", err);
}

static int check(struct subdevice *s, struct naohw_error *err)
{
	const struct description *d = s->robot->description;
	const struct preference *source = description_find(d, s->name, s->kind->name);
	const struct preference *gain = find(d, s, "Gain");
	int ret = check_kind(s, source, err);

	if (ret < 0)
		return ret;
	ret = s->kind->check ? s->kind->check(s, source, err) : 0;
	if (ret < 0)
		return ret;
	if (gain && gain->number == 0)
		return source_wrong(gain, "anything but 0", err);
	ret = check_inverse(s, err);
	if (ret == 0)
		ret = check_range(s, err);
	if (ret == 0)
		ret = check_rest(s, err);
	if (ret == 0)
		ret = check_limits(s, err);
	if (ret == 0)
		ret = check_wheel(s, err);
	return ret == 0 ? check_motion_offset(s, err) : ret;
}

/* A Label, of a device that has several the first; or else the first part of the name: "HeadYaw". */
static int take_label(const struct description *d, struct subdevice *s, struct naohw_error *err)
{
	const struct preference *label = description_inherit(d, s->name, "Label");
	const bool device = text_begins_with(s->name, DEVICE_PREFIX);
	const char *part = s->name + strlen(device ? DEVICE_PREFIX : KEY_PREFIX);

	if (label)
		s->label = strndup(label->text, strcspn(label->text, device ? " " : ""));
	else
		s->label = strndup(part, strcspn(part, "/"));
	return s->label ? 0 : fail(err, -ENOMEM, "out of memory");
}

/* What a property is, it says; all others are floats. */
static int take_type(struct subdevice *s, struct naohw_error *err)
{
	const struct preference *type = description_find(s->robot->description, s->name, "KeyType");

	s->type = s->kind->read ? NAOHW_KEY_FLOAT : NAOHW_KEY_STRING;
	if (!type)
		return 0;
	if (!subdevice_has_own_key(s))
		return source_wrong(type, "none: a Value is a float", err);
	if (type_parse(type->text, &s->type))
		return 0;
	return source_wrong(type, "\"float\", \"int\", \"string\" or \"bool\"", err);
}

static int fill(struct subdevice *s, const struct preference *source, struct naohw_error *err)
{
	const struct description *d = s->robot->description;
	int ret = check_types(s, err);

	if (ret == 0)
		ret = take_type(s, err);
	if (ret < 0)
		return ret;
	s->source = source->text;
	s->attribute = text_of(description_find(d, s->name, "Attribute"));
	s->enable = text_of(description_find(d, s->name, "Enable"));
	s->brake = text_of(description_find(d, s->name, "Brake"));
	s->bit = -1;
	s->actuator = text_ends_with(s->name, "/Actuator");
	s->inverse = number_of(find(d, s, "Inverse"), 0) != 0;
	s->gain = number_of(find(d, s, "Gain"), 1);
	s->offset = number_of(find(d, s, "Offset"), 0);
	s->min = number_of(find(d, s, "Min"), -HUGE_VAL);
	s->max = number_of(find(d, s, "Max"), HUGE_VAL);
	return take_label(d, s, err);
}

/*
 * A Preference that names a source makes its array a subdevice. An Attribute beside a Channel is
 * the channel's.
 */
static const struct source_kind *kind_of(const struct description *d,
					 const struct preference *preference, char *name,
					 size_t size)
{
	const char *slash = strrchr(preference->key, '/');
	const struct source_kind *kind = slash ? source_find(slash + 1) : NULL;

	if (!kind || (!text_begins_with(preference->key, DEVICE_PREFIX) &&
		      !text_begins_with(preference->key, KEY_PREFIX)))
		return NULL;
	snprintf(name, size, "%.*s", (int)(slash - preference->key), preference->key);
	if (kind == &source_attribute && description_find(d, name, source_channel.name))
		return NULL;
	return kind;
}

static size_t parts(const char *name)
{
	size_t count = 1;

	while ((name = strchr(name, '/'))) {
		name++;
		count++;
	}
	return count;
}

/* What each subdevice has anyway, or what says where it comes from */
static bool is_taken(const char *name)
{
	static const char *const others[] = { "Value", "Ack", "Nack", "Error" };

	for (size_t i = 0; i < subdevice_name_count; i++)
		if (strcmp(name, subdevice_names[i].name) == 0)
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(name, others[i]) == 0)
			return true;
	return false;
}

/* A sensor's limits bound nothing here, so that its device may tell them. */
static bool is_limit(const char *name)
{
	return text_ends_with(name, "/Sensor/Min") || text_ends_with(name, "/Sensor/Max");
}

/* A property hangs on a sensor or an actuator, "US/Left/Sensor/Value3", or is a device's. */
static bool may_be_property(const char *name)
{
	char above[NAME_MAX];

	if (is_taken(strrchr(name, '/') + 1) && !is_limit(name))
		return false;
	if (text_begins_with(name, DEVICE_PREFIX))
		return parts(name + strlen(DEVICE_PREFIX)) == 2;
	snprintf(above, sizeof(above), "%.*s", (int)(strrchr(name, '/') - name), name);
	return text_ends_with(above, "/Sensor") || text_ends_with(above, "/Actuator");
}

static bool may_be_subdevice(const char *name)
{
	if (!text_begins_with(name, DEVICE_PREFIX) &&
	    (text_ends_with(name, "/Sensor") || text_ends_with(name, "/Actuator")))
		return true;
	return may_be_property(name);
}

static int add(struct naohw_robot *robot, const struct source_kind *kind, const char *name,
	       const struct preference *source, struct naohw_error *err)
{
	struct subdevice *s = &robot->subdevice[robot->subdevice_count];

	if (!may_be_subdevice(name))
		return fail(err, -EINVAL,
			    "%s:%ld: %s: a %s stands below .../Sensor or .../Actuator, or a property of "
			    "these or of a device, only",
			    source->path, source->line, source->key, kind->name);
	/* They are sorted, so what is of one array is together. */
	if (robot->subdevice_count && strcmp(s[-1].name, name) == 0)
		return fail(err, -EINVAL, "%s:%ld: %s: beside a %s, expected one of them",
			    source->path, source->line, source->key, s[-1].kind->name);
	s->name = strdup(name);
	if (!s->name)
		return fail(err, -ENOMEM, "out of memory");
	s->robot = robot;
	s->kind = kind;
	robot->subdevice_count++;
	s->own = calloc(1, kind->own_size + 1);
	if (!s->own)
		return fail(err, -ENOMEM, "out of memory");
	return fill(s, source, err);
}

static int add_all(struct naohw_robot *robot, struct naohw_error *err)
{
	const struct description *d = robot->description;
	char name[NAME_MAX];

	for (size_t i = 0; i < d->count; i++) {
		const struct source_kind *kind = kind_of(d, &d->list[i], name, sizeof(name));
		int ret = kind ? add(robot, kind, name, &d->list[i], err) : 0;

		if (ret < 0)
			return ret;
	}
	if (robot->subdevice_count == 0)
		return fail(err, -EINVAL, "%s: no Channel in it, expected at least one",
			    d->path[LAYER_DEVICE]);
	return 0;
}

int subdevices_build(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret;

	robot->subdevice = calloc(robot->description->count + 1, sizeof(*robot->subdevice));
	if (!robot->subdevice)
		return fail(err, -ENOMEM, "out of memory");
	ret = add_all(robot, err);
	if (ret == 0)
		ret = stations_build(robot, err);
	/* A formula is of others, which are to be there. */
	for (size_t i = 0; i < robot->subdevice_count && ret == 0; i++)
		ret = check(&robot->subdevice[i], err);
	for (size_t i = 0; i < robot->subdevice_count && ret == 0; i++)
		ret = check_pair(&robot->subdevice[i], err);
	return ret;
}

/* What there is not is told when it is asked for. */
void subdevices_open(struct naohw_robot *robot)
{
	stations_open(robot);
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		struct subdevice *s = &robot->subdevice[i];

		s->unit = unit_find(robot, s->label);
		if (s->kind == &source_channel && s->unit)
			(void)unit_open_channel(robot, s->unit, s->source, &s->channel);
	}
}

void subdevices_close(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		struct subdevice *s = &robot->subdevice[i];

		source_let_go(s);
		free(s->own);
		free(s->name);
		free(s->label);
	}
	free(robot->subdevice);
}
