/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The types of Preferences, and values as text. */
#ifndef NAOHW_VALUE_H
#define NAOHW_VALUE_H

#include <stdbool.h>

#include <naohw.h>

/* "float" and its like. */
bool type_parse(const char *name, enum naohw_key_type *type);
const char *type_name(enum naohw_key_type type);

/* What was expected of @text, or NULL: it is that. A string leaves @number alone. */
const char *value_parse(enum naohw_key_type type, const char *text, double *number);

#endif
