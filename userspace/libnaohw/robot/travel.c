// SPDX-License-Identifier: LGPL-2.1-or-later
/* A joint that takes its time to a goal of its own, by the goal speed of its servo. */
#include <errno.h>
#include <math.h>

#include "../base/base.h"
#include "inside.h"
#include "rule.h"

/* NULL: the key is no goal of a joint, or its servo has no speed to a goal. */
static const struct joint *joint_of(const struct naohw_key *key)
{
	const struct subdevice *s = key->value_of;
	const struct joint *joint;

	if (!s || !s->actuator || !text_ends_with(s->name, "/Position/Actuator"))
		return NULL;
	joint = joint_find(s->robot, s->label);
	return joint && joint->position.iio && joint->goal_speed.iio ? joint : NULL;
}

static int told(const struct naohw_key *key, int ret, struct naohw_error *err)
{
	if (ret >= 0)
		return 0;
	fail(err, ret, "%s: %s", key->name, error_text(ret));
	if (ret == -EBUSY)
		robot_tell_mover(key->value_of->robot, err);
	return ret;
}

static int no_joint(const struct naohw_key *key, struct naohw_error *err)
{
	return fail(err, -ENOTSUP, "%s: found no joint whose servo has a speed to its goal", key->name);
}

static int read_way(const struct joint *joint, double goal, double *way)
{
	double present;
	int ret = channel_read(&joint->position, &present);

	*way = fabs(goal - present);
	return ret;
}

/* In counts, of which 0 would be as fast as the servo can. */
static int find_speed(const struct naohw_key *key, const struct joint *joint, double way,
		      double seconds, int *speed, struct naohw_error *err)
{
	double scale = joint->goal_speed.scale;
	int min, max;

	if (!channel_read_range(&joint->goal_speed, &min, &max) || min < 0 || !(scale > 0))
		return no_joint(key, err);
	if (way > max * scale * seconds)
		return fail(err, -ERANGE,
			    "%s: %.3g rad in %.3g s is more than the servo can: it takes %.3g s",
			    key->name, way, seconds, way / (max * scale));
	*speed = (int)fmax(round(way / seconds / scale), 1);
	return 0;
}

static int write_speed(const struct joint *joint, int counts)
{
	return channel_write(&joint->goal_speed, counts * joint->goal_speed.scale);
}

int naohw_key_go(struct naohw_key *key, double value, double seconds, int *speed_before,
		 struct naohw_error *err)
{
	const struct joint *joint = joint_of(key);
	const struct subdevice *s = key->value_of;
	int speed = 0, before, ret = joint ? 0 : no_joint(key, err);
	double way;

	if (ret == 0)
		ret = lease_unit(s->robot, s->unit, err);
	if (ret < 0)
		return ret;
	ret = read_way(joint, subdevice_to_device(s, subdevice_bounded(s, value)), &way);
	if (ret >= 0)
		ret = channel_read_raw(&joint->goal_speed, &before);
	if (ret < 0)
		return told(key, ret, err);
	ret = find_speed(key, joint, way, seconds, &speed, err);
	if (ret < 0)
		return ret;
	ret = write_speed(joint, speed);
	if (ret < 0)
		return told(key, ret, err);
	ret = naohw_key_write(key, value, err);
	if (ret < 0)
		(void)write_speed(joint, before);
	else
		*speed_before = before;
	return ret;
}

static double sag_of(const struct joint *joint)
{
	const char *model = iio_device_get_name(joint->unit->device.iio);

	return sag_of_model(model) * fabs(joint->goal.scale);
}

int naohw_key_way(struct naohw_key *key, double *rad, struct naohw_error *err)
{
	const struct joint *joint = joint_of(key);
	double goal, way;
	int ret;

	if (!joint)
		return no_joint(key, err);
	ret = channel_read(&joint->goal, &goal);
	if (ret >= 0)
		ret = read_way(joint, goal, &way);
	if (ret < 0)
		return told(key, ret, err);
	*rad = way > sag_of(joint) ? way : 0;
	return 0;
}

int naohw_key_stay(struct naohw_key *key, struct naohw_error *err)
{
	const struct joint *joint = joint_of(key);
	double present, on;
	int ret;

	if (!joint)
		return no_joint(key, err);
	/* A goal would switch the torque on of one that was let go meanwhile. */
	ret = channel_read_attribute(&joint->goal, "en", &on);
	if (ret >= 0 && on == 0)
		return 0;
	if (ret >= 0)
		ret = channel_read(&joint->position, &present);
	if (ret >= 0)
		ret = channel_write(&joint->goal, present);
	return told(key, ret, err);
}

int naohw_key_put_speed_back(struct naohw_key *key, int speed_before, struct naohw_error *err)
{
	const struct joint *joint = joint_of(key);

	return joint ? told(key, write_speed(joint, speed_before), err) : no_joint(key, err);
}
