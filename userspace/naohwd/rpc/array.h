/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array in an answer, whose elements are written as text at once: of a thousand values this
 * takes a fifth of what json-c's objects take.
 */
#ifndef NAOHWD_RPC_ARRAY_H
#define NAOHWD_RPC_ARRAY_H

#include <stdbool.h>

#include <json-c/json_object.h>
#include <json-c/printbuf.h>

/* Return: NULL: out of memory. It is put into a message as any other, and has no elements there. */
struct json_object *array_new(void);
bool array_is_empty(struct json_object *array);

/* What the text of one more element is written to, as JSON has it. */
struct printbuf *array_next(struct json_object *array);
/* A text as it is, or with its quotes, whoever wrote it. */
void array_append(struct printbuf *to, const char *text);
void array_quote(struct printbuf *to, const char *text);

#endif
