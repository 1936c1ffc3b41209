/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What has another name: an array whose one Preference, Alias, names the sensor or actuator. */
#ifndef NAOHW_ALIAS_H
#define NAOHW_ALIAS_H

#include "description.h"

/* Of a sorted description: all that is said of what is named stands under the other name, too. */
int aliases_make(struct description *description, struct naohw_error *err);

#endif
