// SPDX-License-Identifier: LGPL-2.1-or-later
#include "reasons.h"

#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "dcm.h"

bool reason_key(const char *label, char name[REASON_KEY_SIZE])
{
	int length = snprintf(name, REASON_KEY_SIZE, GUARD_PREFIX "%s", label);

	return length < REASON_KEY_SIZE && text_is_plain(name);
}

void reason_tell(enum guard_reason reason, struct naohw_store *store, size_t slot, int64_t time)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = time };

	store_text(&value, guard_words[reason].word);
	store_put(store, slot, &value);
}

/* ---- for programs ---- */

static bool read_key(const struct naohw_dcm *dcm, const char *label, enum guard_reason *reason)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	char name[REASON_KEY_SIZE];
	struct naohw_value value;
	size_t slot;

	if (!reason_key(label, name) || naohw_store_find(store, name, &slot) < 0 ||
	    naohw_store_read(store, slot, &value) < 0 || value.state == NAOHW_STATE_ABSENT)
		return false;
	*reason = guard_reason(value.text);
	return true;
}

enum guard_reason dcm_joint_reason(const struct naohw_dcm *dcm, const struct naohw_robot *robot,
				   const struct joint *joint)
{
	enum guard_reason reason;

	return read_key(dcm, joint->unit->label, &reason) ? reason :
							    joint_reason(robot, joint, false);
}

static enum guard_reason ask(const struct naohw_robot *robot, const struct joint *joint)
{
	enum guard_reason reason = joint_reason(robot, joint, true);

	return joint_is_held(robot, joint) ? reason_of_both(reason, GUARD_HELD) : reason;
}

/* The key says of a silent servo no more than that. */
const struct naohw_reason *naohw_joint_reason(const struct naohw_robot *robot,
					      const struct naohw_dcm *dcm, size_t index)
{
	const struct joint *joint;
	enum guard_reason reason;

	if (index >= robot->joint_count)
		return reason_told(GUARD_NOT_THERE);
	joint = &robot->joint[index];
	reason = dcm ? dcm_joint_reason(dcm, robot, joint) : ask(robot, joint);
	if (dcm && reason == GUARD_NO_ANSWER)
		reason = reason_of_both(reason, joint_reason(robot, joint, true));
	return reason_told(reason);
}
