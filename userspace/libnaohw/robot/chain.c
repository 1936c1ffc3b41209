// SPDX-License-Identifier: LGPL-2.1-or-later
#include "chain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "source.h"

/* ---- one ---- */

static const char *nearest_joint(const struct naohw_robot *robot, const char *label)
{
	struct nearest nearest = nearest_to(label);

	for (size_t i = 0; i < robot->subdevice_count; i++)
		if (text_ends_with(robot->subdevice[i].name, "/Position/Actuator") ||
		    subdevice_is_wheel(&robot->subdevice[i]))
			(void)nearest_try(&nearest, robot->subdevice[i].label);
	return nearest.found;
}

static int unknown(const struct naohw_robot *robot, const struct preference *preference,
		   const char *label, struct naohw_error *err)
{
	const char *nearest = nearest_joint(robot, label);

	return fail(err, -EINVAL, "%s:%ld: %s: no joint \"%s\"%s%s", preference->path,
		    preference->line, preference->key, label, nearest ? ", the nearest is " : "",
		    nearest ? nearest : "");
}

static bool has(const struct chain *chain, const struct subdevice *joint)
{
	for (size_t i = 0; i < chain->joint_count; i++)
		if (chain->joint[i] == joint)
			return true;
	return false;
}

/* What moves: a joint, by its position, or a wheel, by its speed */
static const struct subdevice *find_joint(const struct naohw_robot *robot, const char *label)
{
	const struct subdevice *joint = subdevice_position_of(robot, label, true);

	return joint ? joint : subdevice_wheel_of(robot, label);
}

static int add_joint(const struct naohw_robot *robot, struct chain *chain,
		     const struct preference *preference, const char *label,
		     struct naohw_error *err)
{
	const struct subdevice *joint = find_joint(robot, label);

	if (!joint)
		return unknown(robot, preference, label, err);
	if (has(chain, joint))
		return fail(err, -EINVAL, "%s:%ld: %s: %s is in it twice", preference->path,
			    preference->line, preference->key, label);
	chain->joint[chain->joint_count++] = joint;
	return 0;
}

static int add_joints(const struct naohw_robot *robot, struct chain *chain,
		      const struct preference *preference, struct naohw_error *err)
{
	char *text = strdup(preference->text);
	char *rest = text, *label;
	int ret = 0;

	/* Each has one character, and a blank before the next. */
	chain->joint = calloc(strlen(preference->text) / 2 + 1, sizeof(*chain->joint));
	if (!text || !chain->joint)
		ret = fail(err, -ENOMEM, "out of memory");
	while (ret == 0 && (label = strtok_r(rest, BLANKS, &rest)))
		ret = add_joint(robot, chain, preference, label, err);
	free(text);
	if (ret < 0)
		return ret;
	if (!chain->joint_count)
		return source_wrong(preference, "joints with blanks between them", err);
	chain->joint = give_back(chain->joint, chain->joint_count * sizeof(*chain->joint));
	return 0;
}

static int check(const struct naohw_robot *robot, const struct preference *preference,
		 const char *name, struct naohw_error *err)
{
	if (preference->type != NAOHW_KEY_STRING)
		return source_wrong(preference, "a string with joints", err);
	if (!*name || strchr(name, '/'))
		return fail(err, -EINVAL,
			    "%s:%ld: %s: the name \"%s\", expected one without \"/\"",
			    preference->path, preference->line, preference->key, name);
	if (find_joint(robot, name))
		return fail(err, -EINVAL,
			    "%s:%ld: %s: a joint has this name, expected one that none has",
			    preference->path, preference->line, preference->key);
	return 0;
}

/* ---- all ---- */

static int add(struct naohw_robot *robot, const struct preference *preference,
	       struct naohw_error *err)
{
	const char *name = preference->key + strlen(CHAIN_PREFIX);
	struct chain *more;
	int ret = check(robot, preference, name, err);

	if (ret < 0)
		return ret;
	more = reallocarray(robot->chain, robot->chain_count + 1, sizeof(*more));
	if (!more)
		return fail(err, -ENOMEM, "out of memory");
	robot->chain = more;
	more += robot->chain_count++;
	*more = (struct chain){ .name = name };
	return add_joints(robot, more, preference, err);
}

int chains_build(struct naohw_robot *robot, struct naohw_error *err)
{
	const struct description *d = robot->description;
	int ret = 0;

	for (size_t i = 0; i < d->count && ret == 0; i++)
		if (text_begins_with(d->list[i].key, CHAIN_PREFIX))
			ret = add(robot, &d->list[i], err);
	return ret;
}

void chains_free(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->chain_count; i++)
		free(robot->chain[i].joint);
	free(robot->chain);
}

/* ---- what is known of them ---- */

size_t naohw_robot_chain_count(const struct naohw_robot *robot)
{
	return robot->chain_count;
}

int naohw_robot_find_chain(const struct naohw_robot *robot, const char *name, size_t *chain)
{
	for (size_t i = 0; i < robot->chain_count; i++) {
		if (strcmp(robot->chain[i].name, name) != 0)
			continue;
		*chain = i;
		return 0;
	}
	return -ENOENT;
}

const char *naohw_chain_name(const struct naohw_robot *robot, size_t chain)
{
	return chain < robot->chain_count ? robot->chain[chain].name : NULL;
}

size_t naohw_chain_joint_count(const struct naohw_robot *robot, size_t chain)
{
	return chain < robot->chain_count ? robot->chain[chain].joint_count : 0;
}

const char *naohw_chain_joint(const struct naohw_robot *robot, size_t chain, size_t index)
{
	if (index >= naohw_chain_joint_count(robot, chain))
		return NULL;
	return robot->chain[chain].joint[index]->label;
}

int naohw_chain_get_rest(const struct naohw_robot *robot, size_t chain, size_t index,
			 double *angle)
{
	const struct preference *rest;
	const struct subdevice *joint;

	if (index >= naohw_chain_joint_count(robot, chain))
		return -EINVAL;
	joint = robot->chain[chain].joint[index];
	rest = description_find(robot->description, joint->name, "Rest");
	if (!rest)
		return -ENODATA;
	*angle = subdevice_bounded(joint, rest->number);
	return 0;
}
