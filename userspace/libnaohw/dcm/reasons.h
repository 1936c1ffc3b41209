/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Why a joint does not do what is commanded: a word for each reason, and for each joint a key,
 * DCM/Guard/LABEL, whose text is the word of the present reason. dcm.rst says what the words mean.
 */
#ifndef NAOHW_DCM_REASONS_H
#define NAOHW_DCM_REASONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../store/store.h"

#define REASON_KEY_SIZE 128 /* with its NUL */

/* Of several reasons the key has the one that is the last here. */
enum reason {
	REASON_NONE,
	REASON_BATTERY,
	REASON_SOFT,
	REASON_RETURNS,
	REASON_NOT_CALIBRATED,
	REASON_UNKNOWN,
	REASON_FREE,
	REASON_RECOVERING,
	REASON_WATCHDOG,
	REASON_TRIPPED,
	REASON_SHUT_DOWN,
};

/* The key of a joint; false: its label cannot be a part of one. */
bool reason_key(const char *label, char name[REASON_KEY_SIZE]);

/* The cycle's: put the word of a reason into its slot, as of a time in ns. */
void reason_tell(enum reason reason, struct naohw_store *store, size_t slot, int64_t time);

#endif
