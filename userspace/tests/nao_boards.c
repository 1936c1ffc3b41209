// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nao_boards.h"

#include <stdio.h>

#include "fake_iio.h"

#define COUNT(of) (sizeof(of) / sizeof((of)[0]))

static void set_for(const char *device, const char *channel, const char *end, const char *value)
{
	char file[64];

	snprintf(file, sizeof(file), "%s_%s", channel, end);
	fake_set(device, file, value);
}

/* A channel of the inertial sensor, in its device and in frames, where it has no name of its own */
static void add_axis(const char *type, const char *axis, const char *scale)
{
	char own[32], shared[32];

	snprintf(own, sizeof(own), "in_%s_%s", type, axis);
	snprintf(shared, sizeof(shared), "in_%s201_%s", type, axis);
	set_for("InertialSensor", own, "raw", "0");
	set_for("InertialSensor", own, "scale", scale);
	set_for("InertialSensor", own, "label", "of this kind");
	fake_channel("dxl5-state", shared, "InertialSensor\n", 16);
	set_for("dxl5-state", shared, "scale", scale);
}

static void add_foot(const char *label, unsigned int id)
{
	static const char *const parts[] = { "buttons", "fsr1", "fsr2", "fsr3", "fsr4" };

	fake_board(NAO_BOARDS, id, label, parts, COUNT(parts));
	for (unsigned int i = 2; i <= COUNT(parts); i++) {
		char channel[32];

		snprintf(channel, sizeof(channel), "in_count%u", i);
		set_for(label, channel, "scale", "0.001");
		snprintf(channel, sizeof(channel), "in_count%u", id + 1024 * i);
		set_for("dxl5-state", channel, "scale", "0.001");
	}
}

/* As the drivers show them: rad/s, m/s2, degrees, N and m */
static void add_boards(void)
{
	static const char *const touch[] = { "buttons" };
	static const char *const sonar[] = { "left-value", "right-value" };
	static const char *const reference[] = { "reference" };

	fake_state(NAO_BOARDS, NULL, 0, 100);
	add_foot("LFoot", 112);
	add_foot("RFoot", 111);
	fake_board(NAO_BOARDS, 203, "Head", touch, COUNT(touch));
	fake_board(NAO_BOARDS, 202, "US", sonar, COUNT(sonar));
	fake_set("dxl5-state", "in_count1226_scale", "0.01");
	fake_set("dxl5-state", "in_count2250_scale", "0.01");
	fake_board(NAO_BOARDS, 201, "InertialSensor", reference, COUNT(reference));
	add_axis("anglvel", "x", "0.006464182");
	add_axis("anglvel", "y", "0.006464182");
	add_axis("accel", "x", "0.175118750");
	add_axis("accel", "y", "0.175118750");
	add_axis("accel", "z", "0.175118750");
	add_axis("incli", "x", "0.005729578");
	add_axis("incli", "y", "0.005729578");
	fake_board(NAO_BOARDS, 205, "LHandTouch", touch, COUNT(touch));
	fake_board(NAO_BOARDS, 204, "RHandTouch", touch, COUNT(touch));
}

/* NAO's motors say what they draw. Its joints are numbered as they will be. */
static void add_currents(const struct naohw_robot *robot)
{
	for (size_t i = 0; i < NAO_BUSES * NAO_JOINTS; i++) {
		const char *label = naohw_joint_label(robot, i);
		char device[32], channel[32], text[64];

		snprintf(device, sizeof(device), "dxl%zu-state", i / NAO_JOINTS);
		snprintf(channel, sizeof(channel), "in_current%zu", i % NAO_JOINTS + 1);
		snprintf(text, sizeof(text), "%s\n", label);
		fake_channel(device, channel, text, 16);
		fake_set(label, "in_current0_raw", "0");
	}
}

int nao_make_whole(struct naohw_error *err)
{
	struct naohw_robot *robot;
	int ret = nao_make(err);

	if (ret == 0)
		ret = naohw_robot_open(NAO_ROBOT, NULL, &robot, err);
	if (ret < 0)
		return ret;
	add_currents(robot);
	naohw_robot_close(robot);
	add_boards();
	return 0;
}
