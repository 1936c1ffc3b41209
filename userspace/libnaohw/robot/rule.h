/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why a key cannot be set. */
#ifndef NAOHW_RULE_H
#define NAOHW_RULE_H

#include "inside.h"

/* -EACCES and the reason, if it cannot. */
int rule_check(const struct naohw_key *key, struct naohw_error *err);

#endif
