// SPDX-License-Identifier: LGPL-2.1-or-later
#include "value.h"

#include <string.h>

#include "../base/base.h"

static const char *const names[] = {
	[NAOHW_KEY_FLOAT] = "float",
	[NAOHW_KEY_INT] = "int",
	[NAOHW_KEY_STRING] = "string",
	[NAOHW_KEY_BOOL] = "bool",
};

#define TYPES (sizeof(names) / sizeof(names[0]))

bool type_parse(const char *name, enum naohw_key_type *type)
{
	for (unsigned int i = 0; i < TYPES; i++) {
		if (strcmp(name, names[i]) != 0)
			continue;
		*type = (enum naohw_key_type)i;
		return true;
	}
	return false;
}

const char *type_name(enum naohw_key_type type)
{
	return names[type];
}

/* The four words that XML Schema has for it. */
static const char *parse_bool(const char *text, double *number)
{
	if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
		*number = 1;
	else if (strcmp(text, "false") == 0 || strcmp(text, "0") == 0)
		*number = 0;
	else
		return "true or false";
	return NULL;
}

const char *value_parse(enum naohw_key_type type, const char *text, double *number)
{
	if (type == NAOHW_KEY_STRING)
		return NULL;
	if (type == NAOHW_KEY_BOOL)
		return parse_bool(text, number);
	if (number_parse(text, number) && (type == NAOHW_KEY_FLOAT || number_is_exact(*number)))
		return NULL;
	return type == NAOHW_KEY_FLOAT ? "a number" : "a whole number from -2^53 to 2^53";
}
