// SPDX-License-Identifier: GPL-2.0-or-later
#include "call.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int call_wrong(struct call *call, const char *format, ...)
{
	va_list args;

	call->code = RPC_INVALID_PARAMS;
	va_start(args, format);
	vsnprintf(call->err.message, sizeof(call->err.message), format, args);
	va_end(args);
	return -EINVAL;
}

/* ---- JSON ---- */

static const char *text_of(const struct json_object *json)
{
	/* json-c makes its text when it is asked for, and so wants to write. */
	struct json_object *text = (struct json_object *)json;

	if (!json_object_is_type(json, json_type_string) ||
	    strlen(json_object_get_string(text)) != (size_t)json_object_get_string_len(json))
		return NULL;
	return json_object_get_string(text);
}

bool number_of(const struct json_object *json, double *value)
{
	if (!json_object_is_type(json, json_type_int) &&
	    !json_object_is_type(json, json_type_double))
		return false;
	*value = json_object_get_double(json);
	return isfinite(*value);
}

/* ---- parameters ---- */

int call_any(struct call *call, const char *name, bool is_needed, struct json_object **json)
{
	*json = NULL;
	if (call->params && json_object_object_get_ex(call->params, name, json) && *json)
		return 0;
	return is_needed ? call_wrong(call, "%s: is missing", name) : 0;
}

static int check_length(struct call *call, const char *name, const char *text)
{
	size_t length = strlen(text);

	if (length <= CALL_NAME_MAX)
		return 0;
	return call_wrong(call, "%s: found a text of %zu bytes, expected %d at the most", name,
			  length, CALL_NAME_MAX);
}

int call_long_text(struct call *call, const char *name, bool is_needed, const char **value)
{
	struct json_object *json;
	int ret = call_any(call, name, is_needed, &json);

	if (ret < 0 || !json)
		return ret;
	if (!text_of(json))
		return call_wrong(call, "%s: expected a text", name);
	*value = text_of(json);
	return 0;
}

int call_text(struct call *call, const char *name, bool is_needed, const char **value)
{
	const char *text = NULL;
	int ret = call_long_text(call, name, is_needed, &text);

	if (ret < 0 || !text)
		return ret;
	*value = text;
	return check_length(call, name, text);
}

int call_flag(struct call *call, const char *name, bool *value)
{
	struct json_object *json;
	int ret = call_any(call, name, false, &json);

	if (ret < 0 || !json)
		return ret;
	if (!json_object_is_type(json, json_type_boolean))
		return call_wrong(call, "%s: expected true or false", name);
	*value = json_object_get_boolean(json);
	return 0;
}

int call_number(struct call *call, const char *name, double min, double max, double *value)
{
	struct json_object *json;
	double number;
	int ret = call_any(call, name, false, &json);

	if (ret < 0 || !json)
		return ret;
	if (!number_of(json, &number) || number < min || number > max)
		return call_wrong(call, "%s: expected a number from %g to %g", name, min, max);
	*value = number;
	return 0;
}

/* JSON has one kind of numbers: 1.0 and 1e2 are whole ones, too. */
static bool whole_of(const struct json_object *json, int64_t *value)
{
	double number;

	if (!number_of(json, &number) || number != trunc(number) || fabs(number) > CALL_WHOLE_MAX)
		return false;
	*value = (int64_t)number;
	return true;
}

int call_whole(struct call *call, const char *name, bool is_needed, int64_t min, int64_t max,
	       int64_t *value)
{
	struct json_object *json;
	int64_t number;
	int ret = call_any(call, name, is_needed, &json);

	if (ret < 0 || !json)
		return ret;
	if (!whole_of(json, &number) || number < min || number > max)
		return call_wrong(call, "%s: expected a whole number from %lld to %lld", name,
				  (long long)min, (long long)max);
	*value = number;
	return 0;
}

int call_array(struct call *call, const char *name, bool is_needed, size_t min, size_t max,
	       struct json_object **value)
{
	struct json_object *json;
	int ret = call_any(call, name, is_needed, &json);

	if (ret < 0 || !json)
		return ret;
	if (!json_object_is_type(json, json_type_array) || json_object_array_length(json) < min ||
	    json_object_array_length(json) > max)
		return call_wrong(call, "%s: expected an array of %zu to %zu", name, min, max);
	*value = json;
	return 0;
}

int call_texts(struct call *call, const char *name, size_t max, const char **texts, size_t *count)
{
	struct json_object *list = NULL;
	int ret = call_array(call, name, true, 1, max, &list);

	if (ret < 0)
		return ret;
	*count = json_object_array_length(list);
	for (size_t i = 0; i < *count && ret == 0; i++) {
		texts[i] = text_of(json_object_array_get_idx(list, i));
		if (!texts[i])
			return call_wrong(call, "%s: expected texts alone", name);
		ret = check_length(call, name, texts[i]);
	}
	return ret;
}

int call_choice(struct call *call, const char *name, const char *const *choices,
		unsigned int *value)
{
	const char *text = NULL;
	int ret = call_text(call, name, false, &text);

	if (ret < 0 || !text)
		return ret;
	for (unsigned int i = 0; choices[i]; i++)
		if (strcmp(text, choices[i]) == 0) {
			*value = i;
			return 0;
		}
	return call_wrong(call, "%s: no such one, the first there is is \"%s\"", name, choices[0]);
}
