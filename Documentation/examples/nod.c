/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The robot nods. Commands have times, and the DCM sees to them; this program only waits.
 * cc nod.c -o nod $(pkg-config --cflags --libs naohw)
 */
#include <err.h>
#include <naohw.h>

#define PITCH	 "HeadPitch/Position/Actuator"
#define HARDNESS "HeadPitch/Hardness/Actuator"

int main(void)
{
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct naohw_error error;
	uint64_t cycle = 0;

	if (naohw_robot_open(NULL, NULL, &robot, &error) ||
	    naohw_dcm_open(robot, NULL, &dcm, &error))
		errx(1, "%s", error.message);

	struct naohw_command stiff = { .value = 0.8, .time = naohw_dcm_get_time(dcm, 500) };
	struct naohw_command nod[] = {
		{ .value = 0.0, .time = naohw_dcm_get_time(dcm, 1000) },
		{ .value = 0.3, .time = naohw_dcm_get_time(dcm, 1500) },
		{ .value = 0.0, .time = naohw_dcm_get_time(dcm, 2000) },
	};

	if (naohw_dcm_set(dcm, HARDNESS, NAOHW_UPDATE_CLEAR_ALL, &stiff, 1, &error) ||
	    naohw_dcm_set(dcm, PITCH, NAOHW_UPDATE_CLEAR_ALL, nod, 3, &error))
		errx(1, "%s", error.message);
	while (naohw_dcm_get_time(dcm, 0) < nod[2].time + 100)
		if (naohw_dcm_wait(dcm, &cycle, 1000, &error) ||
		    naohw_dcm_check_stream(dcm, &error))
			errx(1, "%s", error.message);
	naohw_dcm_close(dcm);
	naohw_robot_close(robot);
}
