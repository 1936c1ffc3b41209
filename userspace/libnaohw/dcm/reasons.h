/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The keys that say why a joint does less than it is told: for each joint DCM/Guard/LABEL, whose text
 * is the word of the present reason.
 */
#ifndef NAOHW_DCM_REASONS_H
#define NAOHW_DCM_REASONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../../common/guard_words.h"
#include "../store/store.h"

#define REASON_KEY_SIZE 128 /* with its NUL */

/* The key of a joint; false: its label cannot be a part of one. */
bool reason_key(const char *label, char name[REASON_KEY_SIZE]);

/* The cycle's: put the word of a reason into its slot, as of a time in ns. */
void reason_tell(enum guard_reason reason, struct naohw_store *store, size_t slot, int64_t time);

#endif
