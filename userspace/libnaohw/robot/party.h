/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The device on a bus that is behind a label, of the kernel's own bus: "0-200". What it senses
 * and shows has the label, and is below it.
 */
#ifndef NAOHW_PARTY_H
#define NAOHW_PARTY_H

#include "inside.h"

/*
 * Its directory, for close(). -ENODEV: none has that label, or it is gone. -ENOTUNIQ: several
 * have it. -EOPNOTSUPP: the robot is not on this machine. @unit is that of the label, or NULL.
 */
int party_open(const struct naohw_robot *robot, const struct unit *unit, const char *label);

#endif
