// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nao.h"

#include <stdio.h>

#include "fake_iio.h"

#define ALL (NAO_BUSES * NAO_JOINTS)

static char label[ALL][32];

/* Of a robot without devices, which is there for them. */
static int take_labels(const char *path, unsigned int count, struct naohw_error *err)
{
	struct naohw_robot *robot;
	int ret = naohw_robot_open(path, NULL, &robot, err);

	if (ret < 0)
		return ret;
	for (unsigned int i = 0; i < count; i++)
		snprintf(label[i], sizeof(label[i]), "%s", naohw_joint_label(robot, i));
	naohw_robot_close(robot);
	return 0;
}

int nao_make_other(const char *path, unsigned int buses, struct naohw_error *err)
{
	int ret;

	fake_reset();
	ret = take_labels(path, buses * NAO_JOINTS, err);
	if (ret < 0)
		return ret;
	for (unsigned int i = 0; i < buses * NAO_JOINTS; i++)
		fake_servo(label[i]);
	for (unsigned int bus = 0; bus < buses; bus++) {
		const char *labels[NAO_JOINTS];

		for (unsigned int i = 0; i < NAO_JOINTS; i++)
			labels[i] = label[bus * NAO_JOINTS + i];
		fake_state(bus, labels, NAO_JOINTS, 100);
		fake_goal(bus, labels, NAO_JOINTS);
	}
	return 0;
}

int nao_make(struct naohw_error *err)
{
	return nao_make_other(NAO_ROBOT, NAO_BUSES, err);
}
