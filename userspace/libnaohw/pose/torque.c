// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the kernel knows of the torque of the servo behind an axis. */
#include <string.h>

#include "../robot/robot.h"
#include "inside.h"

#define STATE "torque_state"

static const struct {
	const char *word;
	enum pose_torque torque;
} words[] = {
	{ "free", POSE_TORQUE_FREE },
	{ "tripped", POSE_TORQUE_TRIPPED },
	{ "shut-down", POSE_TORQUE_SHUT_DOWN },
	{ "recovering", POSE_TORQUE_RECOVERING },
	{ "recovering-doubted", POSE_TORQUE_RECOVERING },
};

enum pose_torque pose_read_torque(const struct naohw_pose *pose, size_t index)
{
	const struct joint *joint = pose->axis[index].joint;
	char state[32];

	if (!joint->goal.iio || !device_has(&joint->goal.device, STATE) ||
	    device_read(&joint->goal.device, STATE, state, sizeof(state)) < 0)
		return POSE_TORQUE_HELD;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(state, words[i].word) == 0)
			return words[i].torque;
	return POSE_TORQUE_HELD;
}
