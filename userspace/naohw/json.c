// SPDX-License-Identifier: GPL-2.0-or-later
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* U+FFFD, for what is none of UTF-8 */
#define REPLACEMENT "\xef\xbf\xbd"

/* How many bytes the character has, by its first one; 0: none begins with it. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/* The bytes of a whole character, or 0. The shortest form alone is one, and no half of UTF-16's. */
static size_t character(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t length = length_of(at[0]);

	for (size_t i = 1; i < length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
		return 0;
	return length;
}

/* A board may keep any bytes, and JSON has none but UTF-8. */
void json_add_text(struct json_object *object, const char *name, const char *text)
{
	char *valid = malloc(strlen(text) * strlen(REPLACEMENT) + 1), *end = valid;

	while (valid && *text) {
		size_t length = character(text);

		if (length)
			end = mempcpy(end, text, length);
		else
			end = stpcpy(end, REPLACEMENT);
		text += length ? length : 1;
	}
	if (valid)
		*end = '\0';
	json_object_object_add(object, name, valid ? json_object_new_string(valid) : NULL);
	free(valid);
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
