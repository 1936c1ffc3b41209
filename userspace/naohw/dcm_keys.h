/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys that no description has: of a naohwd that has the robot, DCM/ and HAL/ in its store. dcm.rst
 * lists them.
 */
#ifndef NAOHW_DCM_KEYS_H
#define NAOHW_DCM_KEYS_H

#include <stdbool.h>

#include <naohw.h>

#include "reading.h"

/* Does the name, which may be a pattern, begin as they do? */
bool is_dcm_key(const char *name);

/* The next key that the name means, from @slot on, which becomes its own. NULL: no more. */
const char *dcm_keys_next(const struct naohw_dcm *dcm, const char *name, size_t *slot);

/* What the store says of the key of a slot */
void dcm_keys_take(const struct naohw_dcm *dcm, size_t slot, struct reading *reading);

#endif
