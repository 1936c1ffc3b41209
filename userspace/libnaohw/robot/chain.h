/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What moves together: the chains of a description, each a list of joints. */
#ifndef NAOHW_ROBOT_CHAIN_H
#define NAOHW_ROBOT_CHAIN_H

#include "inside.h"

struct chain {
	const char *name;
	size_t joint_count;
	const struct subdevice **joint; /* the Position of each */
};

/* Of a robot with its subdevices. */
int chains_build(struct naohw_robot *robot, struct naohw_error *err);
void chains_free(struct naohw_robot *robot);

#endif
