// SPDX-License-Identifier: LGPL-2.1-or-later
/* Whose a robot is. Of one on another machine nobody here knows; a description is of this one. */
#include <stddef.h>

#include "../client/client.h"
#include "../io/io.h"
#include "inside.h"

bool robot_is_here(const struct naohw_robot *robot)
{
	return !robot->context || context_is_local(robot->context);
}

int robot_leave_to_unit(const struct naohw_robot *robot, struct naohw_error *err)
{
	return robot_is_here(robot) ? daemon_leave_robot(naohw_robot_path(robot), err) : 0;
}

void robot_tell_reader(const struct naohw_robot *robot, struct naohw_error *err)
{
	for (size_t i = 0; err && i < robot->states.count; i++)
		if (holder_tell_buffer(robot->states.list[i].held.dir, err))
			return;
}

void robot_tell_mover(const struct naohw_robot *robot, struct naohw_error *err)
{
	for (size_t i = 0; err && i < robot->goals.count; i++)
		if (holder_tell_buffer(robot->goals.list[i].held.dir, err) ||
		    holder_tell_lease(robot->goals.list[i].number, err))
			return;
}
