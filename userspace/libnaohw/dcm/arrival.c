// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where a joint is, where it was sent, and so whether it has arrived, as a DCM's store tells it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "dcm.h"

#define POSITION  "Position/Actuator"
#define HARDNESS  "Hardness/Actuator"

/* ---- finding ---- */

static size_t find_slot(const struct naohw_dcm_joint *joint, const char *key)
{
	size_t slot;

	return naohw_store_find(joint->store, key, &slot) == 0 ? slot : DCM_NO_SLOT;
}

static size_t find_value(const struct naohw_dcm_joint *joint, const char *subdevice)
{
	char key[DCM_JOINT_KEY + sizeof("/Value")];

	snprintf(key, sizeof(key), "%s/Value", subdevice);
	return find_slot(joint, key);
}

/* A joint's position says which sub-device it is, and its hardness is beside that. */
static void name_hardness(struct naohw_dcm_joint *joint)
{
	snprintf(joint->hardness, sizeof(joint->hardness), "%.*s" HARDNESS,
		 (int)(strlen(joint->position) - strlen(POSITION)), joint->position);
}

static size_t find_guard(const struct naohw_dcm_joint *joint)
{
	char key[DCM_JOINT_KEY + sizeof("/Value")];

	snprintf(key, sizeof(key), GUARD_PREFIX "%s", joint->axis.label);
	return find_slot(joint, key);
}

static int take_speed(struct naohw_dcm_joint *joint, const struct naohw_robot *robot,
		      struct naohw_error *err)
{
	const struct servo_axis *axis = &joint->axis;
	double gear = fabs(axis->scale / axis->servo_scale);
	int ret = dcm_speed_max(robot, joint->position, &joint->speed_max, err);

	if (ret == 0)
		joint->speed_max = fmin(joint->speed_max,
					axis->speed_max * axis->speed_scale * gear);
	return ret;
}

int dcm_joint_find(const struct naohw_dcm *dcm, const struct naohw_robot *robot,
		   const struct servo_axis *axis, struct naohw_dcm_joint *joint,
		   struct naohw_error *err)
{
	const struct subdevice *sensor = subdevice_position_of(robot, axis->label, false);
	const struct subdevice *actuator = subdevice_position_of(robot, axis->label, true);

	*joint = (struct naohw_dcm_joint){
		.axis = *axis,
		.store = naohw_dcm_store(dcm),
		.present_slot = DCM_NO_SLOT,
		.sent_slot = DCM_NO_SLOT,
		.hardness_slot = DCM_NO_SLOT,
	};
	joint->guard_slot = find_guard(joint);
	if (sensor && !sensor->actuator) {
		joint->sensor = sensor;
		joint->present_slot = find_value(joint, sensor->name);
	}
	if (!actuator || !actuator->actuator)
		return 0;
	joint->position = actuator->name;
	joint->sent_slot = find_value(joint, actuator->name);
	name_hardness(joint);
	joint->hardness_slot = find_value(joint, joint->hardness);
	return take_speed(joint, robot, err);
}

/* ---- looking ---- */

static bool read_slot(const struct naohw_dcm_joint *joint, size_t slot, struct naohw_value *value)
{
	return slot != DCM_NO_SLOT && naohw_store_read(joint->store, slot, value) == 0 &&
	       value->state != NAOHW_STATE_ABSENT;
}

/* What a description says of the sensor may not be what it says of the actuator. */
int dcm_joint_present(const struct naohw_dcm_joint *joint, int *counts)
{
	struct naohw_value value;
	double rad;

	if (joint->present_slot == DCM_NO_SLOT)
		return -ENODEV;
	if (!read_slot(joint, joint->present_slot, &value))
		return -ENODATA;
	rad = subdevice_to_device(joint->sensor, value.number);
	*counts = number_to_int(rad / joint->axis.servo_scale - joint->axis.servo_offset);
	return value.state == NAOHW_STATE_STALE ? -ETIMEDOUT : 0;
}

enum guard_reason dcm_joint_guard(const struct naohw_dcm_joint *joint)
{
	struct naohw_value value;

	return read_slot(joint, joint->guard_slot, &value) ? guard_reason(value.text) : GUARD_NONE;
}

/* Whoever was let go for a reason of its own is limp as well, however stiff it is told to be. */
static bool is_lost(enum guard_reason reason)
{
	return reason_lets_go(reason) || reason == GUARD_NOT_CALIBRATED ||
	       reason == GUARD_WATCHDOG || reason == GUARD_LIMP || reason == GUARD_OTHER_MODEL;
}

/* Its torque is on its way already, and may be none by now. */
static bool comes_back(enum guard_reason reason)
{
	return reason == GUARD_SOFT || reason == GUARD_RECOVERING;
}

/* Of one that has not said how stiff it is the DCM sees to it that it goes nowhere. */
bool dcm_joint_is_limp(const struct naohw_dcm_joint *joint)
{
	enum guard_reason reason = dcm_joint_guard(joint);
	struct naohw_value hardness;

	if (is_lost(reason) || reason == GUARD_NO_TORQUE)
		return true;
	return !comes_back(reason) && read_slot(joint, joint->hardness_slot, &hardness) &&
	       hardness.state != NAOHW_STATE_STALE && hardness.number <= 0;
}

/* One that has not said how stiff it is would get all of its torque at once when it does. */
bool dcm_joint_wants_torque(const struct naohw_dcm_joint *joint)
{
	enum guard_reason reason = dcm_joint_guard(joint);
	struct naohw_value hardness;

	if (joint->hardness_slot == DCM_NO_SLOT || is_lost(reason) || comes_back(reason))
		return false;
	return read_slot(joint, joint->hardness_slot, &hardness) &&
	       hardness.state != NAOHW_STATE_STALE && hardness.number <= 0;
}

bool dcm_joint_sent(const struct naohw_dcm_joint *joint, double *rad)
{
	struct naohw_value value;

	if (!read_slot(joint, joint->sent_slot, &value) || value.state == NAOHW_STATE_STALE)
		return false;
	*rad = value.number;
	return true;
}

double dcm_joint_rad(const struct servo_axis *axis, int counts)
{
	return (counts + axis->offset) * axis->scale;
}

/* The nearest that its servo can be told */
static int to_counts(const struct servo_axis *axis, double rad)
{
	int counts = number_to_int(rad / axis->scale - axis->offset);

	if (counts < axis->min)
		return axis->min;
	return counts > axis->max ? axis->max : counts;
}

/* ---- for programs ---- */

static int find(const struct naohw_dcm *dcm, const struct naohw_pose *pose, size_t index,
		struct naohw_dcm_joint *joint, struct naohw_error *err)
{
	const struct naohw_robot *robot = pose_robot(pose);
	const char *label = naohw_joint_label(robot, index);
	struct servo_axis axis;
	size_t at;
	int ret;

	if (!label)
		return fail(err, -EINVAL, "joint %zu: there are %zu", index,
			    naohw_robot_joint_count(robot));
	if (pose_find_axis(pose, label, &at) < 0)
		return fail(err, -ENODEV, "%s: no pose can move it", label);
	(void)pose_get_axis(pose, at, &axis);
	ret = dcm_joint_find(dcm, robot, &axis, joint, err);
	if (ret == 0 && !joint->position)
		return fail(err, -ENOENT, "%s: the description has no " POSITION " of it", label);
	return ret;
}

int naohw_dcm_joint_new(const struct naohw_dcm *dcm, const struct naohw_pose *pose, size_t index,
			struct naohw_dcm_joint **out, struct naohw_error *err)
{
	struct naohw_dcm_joint *joint = malloc(sizeof(*joint));
	int ret;

	if (!joint)
		return fail(err, -ENOMEM, "out of memory");
	ret = find(dcm, pose, index, joint, err);
	if (ret < 0)
		free(joint);
	else
		*out = joint;
	return ret;
}

void naohw_dcm_joint_free(struct naohw_dcm_joint *joint)
{
	free(joint);
}

const char *naohw_dcm_joint_position(const struct naohw_dcm_joint *joint)
{
	return joint->position;
}

double naohw_dcm_joint_speed_max(const struct naohw_dcm_joint *joint)
{
	return joint->speed_max;
}

double naohw_dcm_joint_sag(const struct naohw_dcm_joint *joint)
{
	return joint->axis.sag * fabs(joint->axis.scale);
}

int naohw_dcm_joint_look(const struct naohw_dcm_joint *joint, double goal,
			 struct naohw_dcm_look *look)
{
	const struct servo_axis *axis = &joint->axis;
	struct naohw_value value;
	int counts, ret = dcm_joint_present(joint, &counts);
	bool is_known = ret == 0 || ret == -ETIMEDOUT;

	look->present = is_known ? dcm_joint_rad(axis, counts) : (double)NAN;
	look->sent = read_slot(joint, joint->sent_slot, &value) ? value.number : (double)NAN;
	look->off = HUGE_VAL;
	if (ret == 0 && isfinite(goal))
		look->off = dcm_joint_off(axis, counts, to_counts(axis, goal)) * fabs(axis->scale);
	look->is_limp = dcm_joint_is_limp(joint);
	return ret;
}
