/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much a robot loses with a device: the Preferences Severity of a description. */
#ifndef NAOHW_ROBOT_SEVERITY_H
#define NAOHW_ROBOT_SEVERITY_H

#include "inside.h"

/* Is each of the three words? */
int severities_check(const struct naohw_robot *robot, struct naohw_error *err);

#endif
