// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Two servos for a naohw that is linked with fake_iio.c; golden/walker.xml describes them. With
 * FAKE_BODY set there is something to be calibrated, too: body/walker.xml; with FAKE_SHAKEN that
 * is not still. With FAKE_UNCALIBRATED a joint is a NAO's that has not been, and with FAKE_BROKEN
 * the board that keeps such things has lost them. With FAKE_TOUCH set a bus gives frames of four
 * seconds, in which a head is touched; golden/touch.xml describes that. With FAKE_STOP it is a
 * fifth of a second. With FAKE_CURRENT a servo tells its current and no load, as an XM430 does.
 * With FAKE_LOST=N a servo is lost, and N times its position cannot be read; without a number it
 * never can.
 * With FAKE_MODE it is in a mode without goal positions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <naohw.h>

#include "fake_iio.h"

int __wrap_naohw_robot_body(const struct naohw_robot *robot, struct naohw_error *err);
int __wrap_naohw_preferences_body(const struct naohw_preferences *preferences,
				  uint32_t *generation, struct naohw_error *err);

int __wrap_naohw_robot_body(const struct naohw_robot *robot, struct naohw_error *err)
{
	(void)robot;
	if (!getenv("FAKE_BROKEN"))
		return 0;
	snprintf(err->message, sizeof(err->message), "ChestBoard:body: is broken, so restore it");
	return -EUCLEAN;
}

int __wrap_naohw_preferences_body(const struct naohw_preferences *preferences,
				  uint32_t *generation, struct naohw_error *err)
{
	(void)preferences;
	*generation = 0;
	return __wrap_naohw_robot_body(NULL, err);
}

static void make_body(void)
{
	static const char *const corners[] = { "FrontLeft", "FrontRight",
					       "RearLeft", "RearRight" };

	for (unsigned int i = 0; i < 4; i++) {
		fake_servo(corners[i]);
		fake_set(corners[i], "in_temp0_raw", i % 2 ? "1" : "2");
	}
	fake_servo("Gyro");
	if (getenv("FAKE_SHAKEN")) {
		fake_climb("RearLeft", "in_temp0_raw", 1);
		fake_climb("Gyro", "in_anglvel0_raw", 1);
	}
	fake_set("HeadYaw", "in_angl0_calibbias", "2048");
	if (getenv("FAKE_TORQUE"))
		fake_fail("HeadYaw", "in_angl0_calibbias", -EBUSY);
	if (getenv("FAKE_OTHER"))
		fake_fail("HeadYaw", "in_angl0_calibbias", -EACCES);
}

#define FRAMES	  400
#define STOP	  20
#define PERIOD_MS 10
/* Where they are in a frame, behind two servos */
#define TIME	  24
#define BUTTONS	  32
#define SIZE	  40

/* Frame @i of a head whose front is touched from the tenth to the 25th, and from the 35th on. */
static void make_frame(unsigned int i)
{
	const int64_t time = (int64_t)(i + 1) * PERIOD_MS * 1000000;
	unsigned char bytes[SIZE] = { 0 };

	bytes[BUTTONS] = (i >= 10 && i < 25) || i >= 35;
	memcpy(bytes + TIME, &time, sizeof(time));
	fake_frame(0, bytes, sizeof(bytes));
}

static void make_touch(void)
{
	static const char *const joints[] = { "HeadYaw", "HeadPitch" };
	static const char *const parts[] = { "buttons" };

	fake_state(0, joints, 2, 1000 / PERIOD_MS);
	fake_board(0, 200, "Head", parts, 1);
	for (unsigned int i = 0; i < (getenv("FAKE_STOP") ? STOP : FRAMES); i++)
		make_frame(i);
	fake_frames_wait(0, PERIOD_MS);
}

static void make_lost(const char *times)
{
	if (*times)
		fake_fail_times("HeadPitch", "in_angl0_raw", -EHOSTDOWN,
				(unsigned int)strtoul(times, NULL, 10));
	else
		fake_fail("HeadPitch", "in_angl0_raw", -EHOSTDOWN);
}

__attribute__((constructor)) static void make_robot(void)
{
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_set("HeadYaw", "in_angl0_raw", "600");
	fake_device_set("HeadYaw", "torque_state", "stiff");
	/* One that does not answer at first, and one that never does */
	fake_fail_times("HeadPitch", "in_temp0_raw", -ETIMEDOUT, 1);
	fake_fail("HeadPitch", "in_voltage0_raw", -ETIMEDOUT);
	if (getenv("FAKE_LOST"))
		make_lost(getenv("FAKE_LOST"));
	if (getenv("FAKE_CURRENT")) {
		fake_remove("HeadYaw", "in_angl0_load");
		fake_set("HeadYaw", "in_current0_raw", "-50");
		fake_set("HeadYaw", "in_current0_scale", "2.69");
	}
	if (getenv("FAKE_BODY"))
		make_body();
	if (getenv("FAKE_TOUCH"))
		make_touch();
	if (getenv("FAKE_MODE")) {
		fake_set("HeadYaw", "out_angl0_raw_available", "[0 0 0]");
		fake_fail("HeadYaw", "out_angl0_raw", -ERANGE);
	}
	if (getenv("FAKE_UNCALIBRATED")) {
		fake_set("HeadYaw", "in_angl0_calibbias", "0");
		fake_fail("HeadYaw", "out_angl0_en", -EREMOTEIO);
	}
}
