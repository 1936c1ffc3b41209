// SPDX-License-Identifier: GPL-2.0-or-later
#include "values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <digits.h>
#include <key_forms.h>
#include <plain.h>

#include "array.h"
#include "methods.h"
#include "server.h"

/* ---- one value ---- */

struct json_object *value_text(const char *text)
{
	struct json_object *json;
	char *plain;

	if (text_is_plain(text))
		return json_object_new_string(text);
	plain = strdup(text);
	if (!plain)
		return NULL;
	text_make_plain(plain);
	json = json_object_new_string(plain);
	free(plain);
	return json;
}

/* As json-c: with all digits that it takes to read it back, and as a number that may have some. */
static void add_number(struct printbuf *to, double number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.17g", number_unsigned_zero(number));
	array_append(to, text);
	if (!strpbrk(text, ".e"))
		array_append(to, ".0");
}

static void add_value(struct printbuf *to, const struct naohw_value *value)
{
	if (value->state == NAOHW_STATE_ABSENT ||
	    (value->type == NAOHW_KEY_FLOAT && !isfinite(value->number))) {
		array_append(to, "null");
		return;
	}
	switch (value->type) {
	case NAOHW_KEY_BOOL:
		array_append(to, value->integer ? "true" : "false");
		break;
	case NAOHW_KEY_INT:
		sprintbuf(to, "%lld", (long long)value->integer);
		break;
	case NAOHW_KEY_FLOAT:
		add_number(to, value->number);
		break;
	case NAOHW_KEY_STRING:
		array_quote(to, value->text);
	}
}

static const char *state_name(enum naohw_state state)
{
	static const char *const names[] = {
		[NAOHW_STATE_ABSENT] = "absent",
		[NAOHW_STATE_FRESH] = "fresh",
		[NAOHW_STATE_STALE] = "stale",
		[NAOHW_STATE_FAULTY] = "faulty",
	};

	return names[state];
}

void value_add(struct json_object *array, const char *key, const struct naohw_value *value)
{
	struct printbuf *to = array_next(array);

	array_append(to, "{\"key\":");
	array_quote(to, key);
	array_append(to, ",\"value\":");
	add_value(to, value);
	sprintbuf(to, ",\"state\":\"%s\",\"time\":%lld}", state_name(value->state),
		  (long long)value->time);
}

const char *value_type(enum naohw_key_type type)
{
	static const char *const names[] = {
		[NAOHW_KEY_BOOL] = "bool",
		[NAOHW_KEY_INT] = "int",
		[NAOHW_KEY_FLOAT] = "float",
		[NAOHW_KEY_STRING] = "string",
	};

	return names[type];
}

const char *stream_name(enum naohw_stream stream)
{
	static const char *const names[] = {
		[NAOHW_STREAM_RUNNING] = "running",
		[NAOHW_STREAM_RECOVERING] = "recovering",
		[NAOHW_STREAM_TRIPPED] = "tripped",
	};

	return names[stream];
}

/* ---- get ---- */

static bool find(const struct naohw_store *store, const char *name, size_t *slot)
{
	char key[KEY_FORM_SIZE];

	for (unsigned int form = 0; form < KEY_FORMS; form++)
		if (key_form(form, name, key) && naohw_store_find(store, key, slot) == 0)
			return true;
	return false;
}

int values_find(struct call *call, size_t **slots, size_t *count)
{
	const struct naohw_store *store = naohw_dcm_store(call->rpc->host.dcm);
	const char *names[VALUES_KEYS_MAX];
	int ret = call_texts(call, "keys", VALUES_KEYS_MAX, names, count);

	if (ret == 0)
		ret = client_take(call, THING_KEYS, *count);
	if (ret != 0)
		return ret;
	*slots = calloc(*count, sizeof(**slots));
	if (!*slots)
		return trouble(&call->err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < *count; i++) {
		if (find(store, names[i], &(*slots)[i]))
			continue;
		free(*slots);
		return trouble(&call->err, -ENOENT, "%.200s: no such key; \"list\" tells all",
			       names[i]);
	}
	return 0;
}

static int read_values(struct call *call, const size_t *slots, size_t count,
		       struct json_object *values)
{
	const struct naohw_store *store = naohw_dcm_store(call->rpc->host.dcm);

	for (size_t i = 0; i < count; i++) {
		struct naohw_value value;
		int ret = naohw_store_read(store, slots[i], &value);

		if (ret < 0)
			return trouble(&call->err, ret, "the store is too fast to be read");
		value_add(values, naohw_store_name(store, slots[i]), &value);
	}
	return 0;
}

int method_get(struct call *call)
{
	struct json_object *values;
	size_t *slots, count;
	int ret = values_find(call, &slots, &count);

	if (ret != 0)
		return ret;
	values = array_new();
	ret = values ? read_values(call, slots, count, values) :
		       trouble(&call->err, -ENOMEM, "out of memory");
	call->result = json_object_new_object();
	json_object_object_add(call->result, "values", values);
	free(slots);
	return ret;
}
