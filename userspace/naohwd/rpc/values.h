/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and their values, as JSON. */
#ifndef NAOHWD_RPC_VALUES_H
#define NAOHWD_RPC_VALUES_H

#include "call.h"

/* In one call, and for all clients' calls in one cycle */
#define VALUES_KEYS_MAX	  1024
#define VALUES_KEYS_CYCLE 2048

/*
 * One more of an array (array.h): {"key", "value", "state", "time"}; what is no number, and what
 * nobody knows, is null.
 */
void value_add(struct json_object *array, const char *key, const struct naohw_value *value);

/* "int" */
const char *value_type(enum naohw_key_type type);

/* "running" */
const char *stream_name(enum naohw_stream stream);

/* A text, whoever wrote it. */
struct json_object *value_text(const char *text);

/*
 * The parameter "keys", as slots of the store, which the caller frees; they are charged. As a
 * method.
 */
int values_find(struct call *call, size_t **slots, size_t *count);

#endif
