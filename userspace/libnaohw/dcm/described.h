/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Aliases that a description has: the Preferences DCM/Alias/NAME. */
#ifndef NAOHW_DCM_DESCRIBED_H
#define NAOHW_DCM_DESCRIBED_H

#include <naohw.h>

#include "../description/description.h"
#include "actuator.h"
#include "alias.h"

/*
 * Make them all, whatever their order. Other than with alias_create() nothing is left out: -EINVAL
 * or -ENOENT, and the message has the file and the line.
 */
int described_aliases(struct aliases *aliases, const struct actuators *actuators,
		      const struct description *description, struct naohw_error *err);

#endif
