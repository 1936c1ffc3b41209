/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The description that another one is made over: Device/Base names it. */
#ifndef NAOHW_BASE_DESCRIPTION_H
#define NAOHW_BASE_DESCRIPTION_H

#include "description.h"

/*
 * Of the Device.xml whose Preferences are all that are in @description so far: put before them
 * those of its base, and of the base's base, without what Device/Without of each leaves out.
 */
int base_load(struct description *description, const struct places *places,
	      struct naohw_error *err);

#endif
