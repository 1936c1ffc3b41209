// SPDX-License-Identifier: GPL-2.0-or-later
#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json_tokener.h>
#include <json-c/json_visit.h>

#define VERSION "2.0"
/* As it comes back with an answer */
#define ID_LONGEST 64

/* ---- what comes ---- */

/* Texts may count, too. */
struct content {
	size_t nests;
	size_t commas;
};

static struct content count(const char *line, size_t length)
{
	struct content content = { 0 };

	for (size_t i = 0; i < length; i++) {
		content.nests += line[i] == '[' || line[i] == '{';
		content.commas += line[i] == ',';
	}
	return content;
}

/* What an escape stands for; 0: it is none of "\u" and four digits. */
static unsigned int unit_at(const char *escape)
{
	char digits[5] = "";

	if (strncmp(escape, "\\u", 2) != 0)
		return 0;
	strncat(digits, escape + 2, 4);
	return strspn(digits, "0123456789abcdefABCDEF") == 4 ?
		       (unsigned int)strtoul(digits, NULL, 16) :
		       0;
}

/* A half of a surrogate pair without the other one, of which json-c makes another character */
static bool has_lone_surrogate(const char *line)
{
	while ((line = strchr(line, '\\'))) {
		unsigned int unit = unit_at(line), next = unit ? unit_at(line + 6) : 0;
		bool is_pair = unit >> 10 == 0xd800 >> 10 && next >> 10 == 0xdc00 >> 10;

		if (unit >> 11 == 0xd800 >> 11 && !is_pair)
			return true;
		if (!line[1])
			return false;
		line += is_pair ? 12 : 2;
	}
	return false;
}

/* Before it becomes objects that need a hundred times its room. */
static bool is_too_much(const struct content *content)
{
	return content->nests > MESSAGE_NESTS_MAX || content->commas > MESSAGE_COMMAS_MAX;
}

size_t message_work(const char *line, size_t length)
{
	const struct content content = count(line, length);
	size_t work = length + MESSAGE_WORK_OF_LINE;

	if (is_too_much(&content))
		return work;
	return work + content.nests * MESSAGE_WORK_OF_NEST + content.commas * MESSAGE_WORK_OF_COMMA;
}

static bool parse(struct json_tokener *tokener, const char *line, size_t length,
		  struct json_object **json)
{
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* With its NUL, behind which nothing can come that it would wait for. */
	*json = json_tokener_parse_ex(tokener, line, (int)length + 1);
	return json_tokener_get_error(tokener) == json_tokener_success;
}

/* json-c takes NaN and Infinity also where it is strict, and makes the latter of 1e999. */
static int look_for_infinite(struct json_object *json, int flags, struct json_object *parent,
			     const char *key, size_t *index, void *is_finite)
{
	(void)flags;
	(void)parent;
	(void)key;
	(void)index;
	if (!json_object_is_type(json, json_type_double) || isfinite(json_object_get_double(json)))
		return JSON_C_VISIT_RETURN_CONTINUE;
	*(bool *)is_finite = false;
	return JSON_C_VISIT_RETURN_STOP;
}

static bool is_finite(struct json_object *json)
{
	bool finite = true;

	/* It visits no null. */
	if (json)
		(void)json_c_visit(json, 0, look_for_infinite, &finite);
	return finite;
}

bool message_parse(const char *line, size_t length, struct json_object **json)
{
	const struct content content = count(line, length);
	struct json_tokener *tokener;
	bool is_good;

	*json = NULL;
	if (strlen(line) != length || is_too_much(&content) || has_lone_surrogate(line))
		return false;
	/* What is in the deepest array is one deeper. */
	tokener = json_tokener_new_ex(MESSAGE_DEPTH + 1);
	if (!tokener)
		return false;
	is_good = parse(tokener, line, length, json) && is_finite(*json);
	json_tokener_free(tokener);
	if (is_good)
		return true;
	json_object_put(*json);
	*json = NULL;
	return false;
}

/* json-c has the nearest of its own for a whole number that is beyond these. */
static bool is_beyond(const struct json_object *id)
{
	return json_object_is_type(id, json_type_int) &&
	       (json_object_get_uint64(id) == UINT64_MAX || json_object_get_int64(id) == INT64_MIN);
}

/* It comes back as it is. */
static bool is_id(struct json_object *id)
{
	double number;

	if (!id)
		return true;
	if (is_beyond(id))
		return false;
	if (number_of(id, &number))
		return strlen(json_object_get_string(id)) <= ID_LONGEST;
	return json_object_is_type(id, json_type_string) &&
	       json_object_get_string_len(id) <= ID_LONGEST;
}

static const char *text_in(const struct json_object *json, const char *name)
{
	struct json_object *text;

	if (!json_object_object_get_ex(json, name, &text) ||
	    !json_object_is_type(text, json_type_string))
		return NULL;
	return json_object_get_string(text);
}

static bool invalid(struct naohw_error *err, const char *message)
{
	strcpy(err->message, message);
	return false;
}

bool message_request(struct json_object *json, struct request *request, struct naohw_error *err)
{
	const char *version;

	*request = (struct request){ .has_id = true };
	if (!json_object_is_type(json, json_type_object))
		return invalid(err, "a request is an object");
	request->has_id = json_object_object_get_ex(json, "id", &request->id);
	if (!is_id(request->id)) {
		request->id = NULL;
		return invalid(err, "id: expected a number or a text, of 64 bytes at the most, and a whole "
				    "number within 64 bits");
	}
	version = text_in(json, "jsonrpc");
	if (!version || strcmp(version, VERSION) != 0)
		return invalid(err, "jsonrpc: expected \"" VERSION "\"");
	request->method = text_in(json, "method");
	if (!request->method)
		return invalid(err, "method: expected a text");
	if (json_object_object_get_ex(json, "params", &request->params) &&
	    !json_object_is_type(request->params, json_type_object))
		return invalid(err, "params: expected an object, parameters by their names");
	return true;
}

/* ---- what goes ---- */

static struct json_object *new_message(void)
{
	struct json_object *json = json_object_new_object();

	json_object_object_add(json, "jsonrpc", json_object_new_string(VERSION));
	return json;
}

struct json_object *message_result(struct json_object *id, struct json_object *result)
{
	struct json_object *json = new_message();

	json_object_object_add(json, "id", json_object_get(id));
	json_object_object_add(json, "result", result ? result : json_object_new_object());
	return json;
}

static struct json_object *new_data(int ret)
{
	struct json_object *data = json_object_new_object();
	const char *name = strerrorname_np(-ret);

	json_object_object_add(data, "errno", json_object_new_int(-ret));
	json_object_object_add(data, "name", name ? json_object_new_string(name) : NULL);
	return data;
}

struct json_object *message_error(struct json_object *id, int code, int ret, const char *message)
{
	struct json_object *json = new_message(), *error = json_object_new_object();

	json_object_object_add(json, "id", json_object_get(id));
	json_object_object_add(error, "code", json_object_new_int(code));
	json_object_object_add(error, "message", json_object_new_string(message));
	if (code == RPC_FAILED)
		json_object_object_add(error, "data", new_data(ret));
	json_object_object_add(json, "error", error);
	return json;
}

struct json_object *message_notification(const char *method, struct json_object *params)
{
	struct json_object *json = new_message();

	json_object_object_add(json, "method", json_object_new_string(method));
	json_object_object_add(json, "params", params);
	return json;
}

const char *message_text(struct json_object *json, size_t *length)
{
	return json_object_to_json_string_length(
		json, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, length);
}
