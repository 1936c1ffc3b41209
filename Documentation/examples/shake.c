/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The robot shakes its head. cc shake.c -o shake $(pkg-config --cflags --libs naohw) -lm */
#include <err.h>
#include <math.h>
#include <naohw.h>

int main(void)
{
	struct naohw_robot *robot;
	struct naohw_frame *frame;
	struct naohw_key *head;
	struct naohw_error error;

	if (naohw_robot_open(NULL, NULL, &error, &robot) || naohw_frame_open(robot, NULL, &error, &frame))
		errx(1, "%s", error.message);
	if (naohw_robot_find_key(robot, "Device/SubDeviceList/HeadYaw/Position/Actuator/Value", &head))
		errx(1, "this robot has no head");
	for (int i = 0; i < 100; i++) /* frames set the pace */
		if (naohw_frame_read(frame, &error) || naohw_key_write(head, 0.5 * sin(i * 0.1), &error))
			errx(1, "%s", error.message);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
}
