/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which keys there may be, whether a description has them or not. */
#ifndef NAOHW_KNOWN_H
#define NAOHW_KNOWN_H

#include "description.h"

/* A key of the description, or one that it leaves to its default. */
bool known_type(const struct description *description, const char *key,
		enum naohw_key_type *type);

#endif
