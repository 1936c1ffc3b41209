/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --json prints: objects, one a line. */
#ifndef NAOHW_JSON_H
#define NAOHW_JSON_H

#include <json-c/json_object.h>

#include <naohw.h>

/* Add a text, or a number, which is written as @text. */
void json_add_text(struct json_object *object, const char *name, const char *text);
void json_add_number(struct json_object *object, const char *name, const char *text);
void json_add_bool(struct json_object *object, const char *name, int value);

/* Add a key's value, by its type; @text is what naohw_key_read_string() has given. */
void json_add_value(struct json_object *object, const char *name, enum naohw_key_type type,
		    const char *text);

/* Print the object, and free it. */
void json_print(struct json_object *object);

#endif
