// SPDX-License-Identifier: LGPL-2.1-or-later
#include "body.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../robot/robot.h"

#define CHAINS_MAX 64
#define BODY	   "Body"

static const struct {
	const char *chain;
	enum group group;
} known[] = {
	{ "Legs", GROUP_LEGS }, { "LLeg", GROUP_LEGS },	  { "RLeg", GROUP_LEGS },
	{ "Leg", GROUP_LEGS },	{ "Wheels", GROUP_WHEELS }, { "Head", GROUP_HEAD },
};

enum group body_group_of(const char *chain)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(chain, known[i].chain) == 0)
			return known[i].group;
	return GROUP_ARMS;
}

/* That of all joints is no limb, and one more than there are bits is left out. */
static uint64_t bit_of(const struct naohw_robot *robot, size_t chain)
{
	if (strcmp(naohw_chain_name(robot, chain), BODY) == 0 || chain >= CHAINS_MAX)
		return 0;
	return (uint64_t)1 << chain;
}

uint64_t body_chain(const struct naohw_robot *robot, const char *name)
{
	for (size_t i = 0; i < naohw_robot_chain_count(robot); i++)
		if (strcmp(naohw_chain_name(robot, i), name) == 0)
			return bit_of(robot, i);
	return 0;
}

static void take_chain(struct body_joint *joints, const struct naohw_robot *robot, size_t chain)
{
	enum group group = body_group_of(naohw_chain_name(robot, chain));
	uint64_t bit = bit_of(robot, chain);

	for (size_t i = 0; bit && i < naohw_chain_joint_count(robot, chain); i++) {
		const struct joint *joint = joint_find(robot, naohw_chain_joint(robot, chain, i));
		struct body_joint *found = joint ? &joints[joint - robot->joint] : NULL;

		if (!found)
			continue;
		/* What is of a leg, too, is of a leg, whatever else a description calls a chain. */
		if (found->group == GROUP_ARMS || group == GROUP_LEGS)
			found->group = group;
		found->chains |= bit;
	}
}

int body_find(struct body *body, const struct naohw_robot *robot)
{
	struct body_joint *joints = calloc(robot->joint_count + 1, sizeof(*joints));

	if (!joints)
		return -ENOMEM;
	for (size_t i = 0; i < robot->joint_count; i++)
		joints[i].group = GROUP_ARMS;
	for (size_t i = 0; i < naohw_robot_chain_count(robot); i++)
		take_chain(joints, robot, i);
	for (size_t i = 0; i < robot->joint_count; i++)
		if (subdevice_wheel_of(robot, robot->joint[i].unit->label))
			joints[i].group = GROUP_WHEELS;
	*body = (struct body){ .joint = joints, .count = robot->joint_count };
	return 0;
}

void body_free(struct body *body)
{
	free((void *)body->joint);
}
