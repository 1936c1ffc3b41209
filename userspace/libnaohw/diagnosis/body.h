/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The joints of a robot as the tables of the diagnosis effect have them: of legs, of an arm, and in which chains. */
#ifndef NAOHW_DIAGNOSIS_BODY_H
#define NAOHW_DIAGNOSIS_BODY_H

#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

enum group { GROUP_WHEELS, GROUP_LEGS, GROUP_ARMS, GROUP_HEAD, GROUPS };

struct body_joint {
	enum group group;
	uint64_t chains; /* a bit for each that has it, but that of the whole body */
};

struct body {
	const struct body_joint *joint; /* by the robot's joints */
	size_t count;
};

/* -ENOMEM. body_free() frees what was found; a body of zeros is fine, too. */
int body_find(struct body *body, const struct naohw_robot *robot);
void body_free(struct body *body);

/* The bit of a chain; 0: the robot has none of this name. */
uint64_t body_chain(const struct naohw_robot *robot, const char *name);

/* What the joints of a chain are. */
enum group body_group_of(const char *chain);

#endif
