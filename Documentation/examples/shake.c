/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The robot shakes its head, and lets it go at the end, be that this program's death: the
 * kernel watches. cc shake.c -o shake $(pkg-config --cflags --libs naohw) -lm
 */
#include <err.h>
#include <math.h>
#include <naohw.h>

#define HEAD "Device/SubDeviceList/HeadYaw/"

int main(void)
{
	struct naohw_key *angle, *hardness;
	struct naohw_robot *robot;
	struct naohw_frame *frame;
	struct naohw_error error;

	if (naohw_robot_open(NULL, NULL, &robot, &error) ||
	    naohw_frame_open(robot, NULL, &frame, &error))
		errx(1, "%s", error.message);
	if (naohw_robot_find_key(robot, HEAD "Position/Actuator/Value", &angle) ||
	    naohw_robot_find_key(robot, HEAD "Hardness/Actuator/Value", &hardness))
		errx(1, "this robot has no head");
	if (naohw_key_write(hardness, 0.8, &error))
		errx(1, "%s", error.message);
	for (int i = 0; i < 100; i++) /* frames set the pace */
		if (naohw_frame_read(frame, &error) ||
		    naohw_key_write(angle, 0.5 * sin(i * 0.1), &error))
			errx(1, "%s", error.message);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
}
