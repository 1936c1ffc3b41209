// SPDX-License-Identifier: GPL-2.0-or-later
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_add_text(struct json_object *object, const char *name, const char *text)
{
	json_object_object_add(object, name, json_object_new_string(text));
}

/* JSON has no number that is none. */
void json_add_number(struct json_object *object, const char *name, const char *text)
{
	double number = strtod(text, NULL);

	json_object_object_add(object, name,
			       isfinite(number) ? json_object_new_double_s(number, text) : NULL);
}

void json_add_bool(struct json_object *object, const char *name, int value)
{
	json_object_object_add(object, name, json_object_new_boolean(value));
}

void json_add_value(struct json_object *object, const char *name, enum naohw_key_type type,
		    const char *text)
{
	if (type == NAOHW_KEY_STRING)
		json_add_text(object, name, text);
	else if (type == NAOHW_KEY_BOOL)
		json_add_bool(object, name, strcmp(text, "true") == 0);
	else
		json_add_number(object, name, text);
}

void json_print(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
