/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that do one thing with the robot's cycle, and then end. */
#ifndef NAOHW_CLI_WITH_DCM_H
#define NAOHW_CLI_WITH_DCM_H

#include "cli.h"

/*
 * Of a command without operands: have the cycle, this program's own or that of a naohwd, do @what with it
 * when the first cycle is over, and end. Return: the status; what was wrong has been told.
 */
int with_dcm(const struct cli *cli,
	     int (*what)(const struct naohw_robot *robot, struct naohw_dcm *dcm));

#endif
