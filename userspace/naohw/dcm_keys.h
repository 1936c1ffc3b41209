/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys that no description has: of a naohwd that has the robot, DCM/ and HAL/ in its store. dcm.rst
 * lists them.
 */
#ifndef NAOHW_DCM_KEYS_H
#define NAOHW_DCM_KEYS_H

#include <stdbool.h>

#include <naohw.h>

#include "failures.h"
#include "reading.h"

/* Does the name, which may be a pattern, begin as they do? */
bool is_dcm_key(const char *name);

/* Does the store have such a key? */
bool dcm_keys_have(const struct naohw_dcm *dcm, const char *name);

/* Print what the store says of each. false: of one nothing is known, or it cannot be read. */
bool dcm_keys_print(const struct naohw_dcm *dcm, const char *name,
		    const struct reading_format *format, struct failures *failures);

#endif
