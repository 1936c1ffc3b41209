/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which keys are not to be set, and why. */
#ifndef NAOHW_RULE_H
#define NAOHW_RULE_H

#include "inside.h"

/* -EACCES and the reason, if it is one of these. */
int rule_check(const struct naohw_key *key, struct naohw_error *err);

#endif
