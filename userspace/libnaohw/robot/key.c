// SPDX-License-Identifier: LGPL-2.1-or-later
/* The keys: one sorted table over all that a robot has. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "inside.h"
#include "rule.h"
#include "station.h"

/* More than a board keeps in one piece */
#define TEXT_MAX 512

/* What a subdevice has even where the description leaves it to the default */
#define DEFAULTS (5 + SHARED)

/* @value: what the key is but for its name */
static int add_default(struct naohw_robot *robot, const struct subdevice *s, const char *name,
		       struct naohw_key value)
{
	if (description_find(robot->description, s->name, name))
		return 0;
	if (asprintf(&value.name, "%s/%s", s->name, name) < 0)
		return -ENOMEM;
	value.has_own_name = true;
	robot->key[robot->key_count++] = value;
	return 0;
}

static int add_number(struct naohw_robot *robot, const struct subdevice *s, const char *name,
		      double number)
{
	const struct naohw_key value = { .type = NAOHW_KEY_FLOAT, .number = number };

	return add_default(robot, s, name, value);
}

static int add_text(struct naohw_robot *robot, const struct subdevice *s, const char *name,
		    const char *text)
{
	const struct naohw_key value = { .type = NAOHW_KEY_STRING, .text = text };

	return add_default(robot, s, name, value);
}

/* That of its device, by a name of its own */
static int add_shared(struct naohw_robot *robot, const struct subdevice *s,
		      struct subdevice *shared)
{
	const struct naohw_key value = { .type = shared->type, .value_of = shared };

	return add_default(robot, s, strrchr(shared->name, '/') + 1, value);
}

static void add_preference(struct naohw_robot *robot, const struct preference *preference)
{
	struct naohw_key *key = &robot->key[robot->key_count++];

	*key = (struct naohw_key){ .name = preference->key, .type = preference->type };
	if (key->type == NAOHW_KEY_STRING)
		key->text = preference->text;
	else
		key->number = preference->number;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct naohw_key *)a)->name, ((const struct naohw_key *)b)->name);
}

/* One with a name of its own has nothing that is not there already. */
static void add_own_value(struct naohw_robot *robot, struct subdevice *s)
{
	robot->key[robot->key_count++] = (struct naohw_key){
		.name = s->name,
		.type = s->type,
		.value_of = s,
	};
}

static int add_defaults(struct naohw_robot *robot, struct subdevice *s)
{
	const struct naohw_key value = { .type = NAOHW_KEY_FLOAT, .value_of = s };
	int ret;

	if (subdevice_has_own_key(s)) {
		add_own_value(robot, s);
		return 0;
	}
	ret = add_default(robot, s, "Value", value);
	if (ret == 0)
		ret = add_number(robot, s, "Gain", s->gain);
	if (ret == 0)
		ret = add_number(robot, s, "Offset", s->offset);
	if (ret == 0)
		ret = add_text(robot, s, "Label", s->label);
	if (ret == 0)
		ret = add_text(robot, s, "Device", s->station->name);
	for (size_t i = 0; i < SHARED && ret == 0; i++)
		ret = add_shared(robot, s, s->station->shared[i]);
	return ret;
}

static const struct preference *constant_of(const struct naohw_robot *robot,
					    const struct subdevice *s)
{
	if (subdevice_has_own_key(s))
		return description_find_key(robot->description, s->name);
	return description_find(robot->description, s->name, "Value");
}

/* A constant under the name of a measured value would hide the servo behind it. */
static int check_no_value(const struct naohw_robot *robot, struct naohw_error *err)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const struct preference *value = constant_of(robot, &robot->subdevice[i]);

		if (value)
			return fail(err, -EINVAL,
				    "%s:%ld: %s: a Value comes from the servo, expected none here",
				    value->path, value->line, value->key);
	}
	return 0;
}

int keys_build(struct naohw_robot *robot, struct naohw_error *err)
{
	const struct description *d = robot->description;
	int ret = check_no_value(robot, err);

	if (ret < 0)
		return ret;
	robot->key = calloc(d->count + DEFAULTS * robot->subdevice_count, sizeof(*robot->key));
	if (!robot->key)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < d->count; i++)
		add_preference(robot, &d->list[i]);
	for (size_t i = 0; i < robot->subdevice_count && ret == 0; i++)
		ret = add_defaults(robot, &robot->subdevice[i]);
	if (ret < 0)
		return fail(err, ret, "out of memory");
	qsort(robot->key, robot->key_count, sizeof(*robot->key), compare);
	/* Much of what each subdevice has the description says itself. */
	robot->key = give_back(robot->key, robot->key_count * sizeof(*robot->key));
	return 0;
}

void keys_close(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->key_count; i++)
		if (robot->key[i].has_own_name)
			free(robot->key[i].name);
	free(robot->key);
}

static int compare_name(const void *name, const void *key)
{
	return strcmp(name, ((const struct naohw_key *)key)->name);
}

int naohw_robot_find_key(const struct naohw_robot *robot, const char *name, struct naohw_key **key)
{
	struct naohw_key *found =
		bsearch(name, robot->key, robot->key_count, sizeof(*robot->key), compare_name);

	if (!found)
		return -ENOENT;
	*key = found;
	return 0;
}

int naohw_robot_nearest_key(const struct naohw_robot *robot, const char *name,
			    struct naohw_key **key)
{
	struct nearest nearest = nearest_to(name);

	for (size_t i = 0; i < robot->key_count; i++)
		if (nearest_try(&nearest, robot->key[i].name))
			*key = &robot->key[i];
	return nearest.found ? (int)nearest.apart : -ENOENT;
}

size_t naohw_robot_key_count(const struct naohw_robot *robot)
{
	return robot->key_count;
}

struct naohw_key *naohw_robot_key_at(const struct naohw_robot *robot, size_t index)
{
	return index < robot->key_count ? &robot->key[index] : NULL;
}

const char *naohw_key_name(const struct naohw_key *key)
{
	return key->name;
}

enum naohw_key_type naohw_key_get_type(const struct naohw_key *key)
{
	return key->type;
}

int naohw_key_is_writable(const struct naohw_key *key)
{
	return key->value_of && subdevice_is_writable(key->value_of);
}

int naohw_key_is_wiring(const struct naohw_key *key)
{
	return !key->value_of && known_is_wiring(key->name);
}

/* What a subdevice has of its device is of another name than that which was asked for. */
static int failed(const struct naohw_key *key, int code, struct naohw_error *err)
{
	const struct subdevice *s = key->value_of;
	struct naohw_error of_device;

	if (!err || !subdevice_has_own_key(s) || strcmp(s->name, key->name) == 0)
		return code;
	of_device = *err;
	return fail(err, code, "%s, which is %s", key->name, of_device.message);
}

int naohw_key_read(struct naohw_key *key, double *value, struct naohw_error *err)
{
	int ret;

	if (key->type == NAOHW_KEY_STRING)
		return fail(err, -EINVAL, "%s: is a string, not a number", key->name);
	if (key->value_of) {
		ret = subdevice_read(key->value_of, value, err);
		return ret < 0 ? failed(key, ret, err) : 0;
	}
	*value = key->number;
	return 0;
}

static int print_number(struct naohw_key *key, char *text, size_t size, struct naohw_error *err)
{
	double value = 0;
	int ret = naohw_key_read(key, &value, err);

	if (ret < 0)
		return ret;
	ret = number_print(text, size, value);
	return ret < 0 ? fail(err, ret, "out of memory") : ret;
}

static int print_string(struct naohw_key *key, char *text, size_t size, struct naohw_error *err)
{
	char whole[TEXT_MAX];
	int ret;

	if (!key->value_of)
		return snprintf(text, size, "%s", key->text);
	ret = subdevice_read_text(key->value_of, whole, sizeof(whole), err);
	return ret < 0 ? failed(key, ret, err) : snprintf(text, size, "%s", whole);
}

static int print_bool(struct naohw_key *key, char *text, size_t size, struct naohw_error *err)
{
	double value = 0;
	int ret = naohw_key_read(key, &value, err);

	return ret < 0 ? ret : snprintf(text, size, "%s", value != 0 ? "true" : "false");
}

int naohw_key_read_string(struct naohw_key *key, char *text, size_t size, struct naohw_error *err)
{
	int ret;

	if (key->type == NAOHW_KEY_STRING)
		ret = print_string(key, text, size, err);
	else if (key->type == NAOHW_KEY_BOOL)
		ret = print_bool(key, text, size, err);
	else
		ret = print_number(key, text, size, err);
	if (ret < 0)
		return ret;
	if ((size_t)ret >= size)
		return fail(err, -ENOSPC, "%s: %d characters do not fit into %zu bytes", key->name,
			    ret, size);
	return 0;
}

int naohw_key_write(struct naohw_key *key, double value, struct naohw_error *err)
{
	int ret = rule_check(key, err);

	if (ret < 0)
		return ret;
	if (key->type == NAOHW_KEY_STRING)
		return fail(err, -EINVAL, "%s: is a string, not a number", key->name);
	if (!isfinite(value))
		return fail(err, -EINVAL, "%s: %g is not a finite number", key->name, value);
	return subdevice_write(key->value_of, value, err);
}

double naohw_key_bounded(const struct naohw_key *key, double value)
{
	if (!naohw_key_is_writable(key) || key->type == NAOHW_KEY_STRING)
		return value;
	return subdevice_bounded(key->value_of, value);
}

int naohw_key_write_string(struct naohw_key *key, const char *text, struct naohw_error *err)
{
	const char *expected;
	double value;
	int ret = rule_check(key, err);

	if (ret < 0)
		return ret;
	if (key->type == NAOHW_KEY_STRING)
		return subdevice_write_text(key->value_of, text, err);
	expected = value_parse(key->type, text, &value);
	if (expected)
		return fail(err, -EINVAL, "%s: \"%s\", expected %s", key->name, text, expected);
	return naohw_key_write(key, value, err);
}
