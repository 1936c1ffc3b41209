// SPDX-License-Identifier: LGPL-2.1-or-later
#include "actuator.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../pose/pose.h"

#define VALUE_SUFFIX "/Value"

/* ---- between keys and levels ---- */

double actuator_whole(const struct actuator *actuator, double level)
{
	return actuator->is_whole ? round(level) : level;
}

static double between(double number, double min, double max)
{
	return fmin(fmax(number, min), max);
}

double actuator_bounded(const struct actuator *actuator, double level)
{
	if (isnan(level))
		return level;
	return between(actuator_whole(actuator, level), actuator->min, actuator->max);
}

static double level_of(const struct actuator *actuator, double value)
{
	return value / actuator->scale - actuator->offset;
}

double actuator_level(const struct actuator *actuator, double value)
{
	return actuator_bounded(actuator, level_of(actuator, value));
}

double actuator_value(const struct actuator *actuator, double level)
{
	return (level + actuator->offset) * actuator->scale;
}

/* @unit: what a level is to the device, as a percent or a part of the highest one */
static void take_scale(struct actuator *actuator, double unit)
{
	const struct subdevice *s = actuator->subdevice;
	double zero = subdevice_from_device(s, 0);

	actuator->scale = subdevice_from_device(s, unit) - zero;
	actuator->offset = zero / actuator->scale;
}

/* What the device has, from @min to @max, and of that what Min and Max of the description leave. */
static void take_limits(struct actuator *actuator, double min, double max)
{
	double a = actuator_whole(actuator, level_of(actuator, actuator->subdevice->min));
	double b = actuator_whole(actuator, level_of(actuator, actuator->subdevice->max));

	actuator->min = between(fmin(a, b), min, max);
	actuator->max = between(fmax(a, b), min, max);
}

/* ---- which there are ---- */

bool actuator_is_of_pose(const struct actuator *actuator)
{
	return actuator->kind == ACTUATOR_POSITION || actuator->kind == ACTUATOR_WHEEL ||
	       actuator->kind == ACTUATOR_HARDNESS;
}

/* Of a joint or of a wheel, whose axis has its scale. */
static void take_goal(struct actuator *actuator, const struct servo_axis *axis)
{
	actuator->kind = axis->is_wheel ? ACTUATOR_WHEEL : ACTUATOR_POSITION;
	actuator->is_straight = actuator->is_whole = true;
	actuator->scale = axis->scale;
	actuator->offset = axis->offset;
	take_limits(actuator, axis->min, axis->max);
}

static void take_hardness(struct actuator *actuator, const struct servo_axis *axis)
{
	actuator->kind = ACTUATOR_HARDNESS;
	actuator->is_straight = actuator->is_whole = true;
	take_scale(actuator, axis->stiffness_scale);
	take_limits(actuator, -axis->stiffness_max, axis->stiffness_max);
}

static void take_nothing(struct actuator *actuator)
{
	actuator->kind = ACTUATOR_ABSENT;
	actuator->scale = 1;
}

/* A light near a touch sensor, whose Min is below 0, stays dark there, whoever touches. */
static void take_slow(struct actuator *actuator)
{
	unsigned int levels = source_light_levels(actuator->subdevice);
	double most = levels ? levels : HUGE_VAL;

	actuator->kind = ACTUATOR_SLOW;
	actuator->is_straight = actuator->is_whole = levels;
	actuator->is_tone = source_is_tone(actuator->subdevice);
	take_scale(actuator, levels ? 1.0 / levels : 1);
	take_limits(actuator, -most, most);
}

/*
 * What it is of a joint or a wheel, if it is that; what else a servo has is written as any other.
 * To write these past the pose would be past all that protects. Its mode makes a servo one of both.
 */
static bool take_joint(struct actuator *actuator, const struct naohw_pose *pose)
{
	const struct subdevice *s = actuator->subdevice;
	struct servo_axis axis;
	bool is_position = text_ends_with(s->name, "/Position/Actuator");
	bool is_wheel = subdevice_is_wheel(s);

	if (!is_position && !is_wheel && !subdevice_is_hardness(s))
		return false;
	if (pose_find_axis(pose, s->label, &actuator->axis) < 0 ||
	    pose_get_axis(pose, actuator->axis, &axis) < 0)
		take_nothing(actuator);
	else if (!is_position && !is_wheel)
		take_hardness(actuator, &axis);
	else if (is_wheel == axis.is_wheel)
		take_goal(actuator, &axis);
	else
		take_nothing(actuator);
	return true;
}

static void add_one(struct actuators *actuators, const struct subdevice *s)
{
	struct actuator *actuator = &actuators->list[actuators->count++];

	actuator->name = s->name + strlen(KEY_PREFIX);
	actuator->subdevice = s;
}

static void add_period(struct actuators *actuators)
{
	actuators->list[actuators->count++] = (struct actuator){
		.name = PERIOD_NAME,
		.kind = ACTUATOR_PERIOD,
		.scale = 1,
		.min = NAOHW_PERIOD_MIN,
		.max = NAOHW_PERIOD_MAX,
	};
}

static bool has_same_motor(const struct actuator *a, const struct actuator *b)
{
	return a->kind == b->kind && a->axis == b->axis && actuator_is_of_pose(a);
}

/* Of two joints with one motor, as NAO's hips, the left one drives: the first by name. */
static void find_leader(struct actuators *actuators, struct actuator *actuator)
{
	for (const struct actuator *other = actuators->list; other < actuator; other++) {
		if (!has_same_motor(other, actuator))
			continue;
		actuator->leader = other;
		return;
	}
}

void actuators_follow(struct actuators *actuators)
{
	for (size_t i = 0; i < actuators->count; i++)
		if (actuators->list[i].leader)
			actuators->list[i].next = actuators->list[i].leader->next;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct actuator *)a)->name, ((const struct actuator *)b)->name);
}

int actuators_name(struct actuators *actuators, const struct naohw_robot *robot,
		   struct naohw_error *err)
{
	actuators->list = calloc(robot->subdevice_count + 1, sizeof(*actuators->list));
	if (!actuators->list)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < robot->subdevice_count; i++)
		if (robot->subdevice[i].actuator && !subdevice_has_own_key(&robot->subdevice[i]))
			add_one(actuators, &robot->subdevice[i]);
	add_period(actuators);
	qsort(actuators->list, actuators->count, sizeof(*actuators->list), compare);
	return 0;
}

int actuators_find(struct actuators *actuators, struct naohw_robot *robot,
		   struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = actuators_name(actuators, robot, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < actuators->count; i++) {
		struct actuator *actuator = &actuators->list[i];

		if (actuator->subdevice && !take_joint(actuator, pose))
			take_slow(actuator);
		pose_stay_alive(pose);
	}
	actuators->points = calloc(actuators->count * NAOHW_COMMANDS_MAX,
				   sizeof(*actuators->points));
	if (!actuators->points)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < actuators->count; i++)
		find_leader(actuators, &actuators->list[i]);
	for (size_t i = 0; i < actuators->count; i++)
		actuators->list[i].queue.point = &actuators->points[i * NAOHW_COMMANDS_MAX];
	return 0;
}

void actuators_free(struct actuators *actuators)
{
	free(actuators->points);
	free(actuators->list);
}

/* The name without what may stand before and behind it; false: it is too long to be one. */
static bool bare_name(const char *name, char bare[ACTUATOR_NAME_MAX])
{
	size_t length;

	if (text_begins_with(name, KEY_PREFIX))
		name += strlen(KEY_PREFIX);
	length = strlen(name);
	if (text_ends_with(name, VALUE_SUFFIX))
		length -= strlen(VALUE_SUFFIX);
	if (length >= ACTUATOR_NAME_MAX)
		return false;
	memcpy(bare, name, length);
	bare[length] = '\0';
	return true;
}

static int compare_name(const void *name, const void *actuator)
{
	return strcmp(name, ((const struct actuator *)actuator)->name);
}

struct actuator *actuator_find(const struct actuators *actuators, const char *name)
{
	char bare[ACTUATOR_NAME_MAX];

	if (!bare_name(name, bare))
		return NULL;
	return bsearch(bare, actuators->list, actuators->count, sizeof(*actuators->list),
		       compare_name);
}

bool actuator_key(const char *name, char *key, size_t size)
{
	char bare[ACTUATOR_NAME_MAX];
	int length;

	if (!bare_name(name, bare))
		return false;
	if (strcmp(bare, PERIOD_NAME) == 0)
		length = snprintf(key, size, PERIOD_NAME);
	else if (text_ends_with(bare, "/Actuator"))
		length = snprintf(key, size, KEY_PREFIX "%s" VALUE_SUFFIX, bare);
	else
		return false;
	return length < (int)size;
}

const char *actuator_nearest(const struct actuators *actuators, const char *name)
{
	char bare[ACTUATOR_NAME_MAX];
	struct nearest nearest;

	if (!bare_name(name, bare))
		return NULL;
	nearest = nearest_to(bare);
	for (size_t i = 0; i < actuators->count; i++)
		(void)nearest_try(&nearest, actuators->list[i].name);
	return nearest.found;
}
