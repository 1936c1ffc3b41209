// SPDX-License-Identifier: GPL-2.0-or-later
#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json_visit.h>
#include <json-c/linkhash.h>

#include "../base/base.h"

#define VERSION "2.0"
/* As it comes back with an answer */
#define ID_LONGEST 64

/* ---- what comes ---- */

/* Texts may count, too. */
struct content {
	size_t nests;
	size_t commas;
	size_t colons;
};

static void count(struct content *content, char c)
{
	content->nests += c == '[' || c == '{';
	content->commas += c == ',';
	content->colons += c == ':';
}

static struct content count_all(const char *line, size_t length)
{
	struct content content = { 0 };

	for (size_t i = 0; i < length; i++)
		count(&content, line[i]);
	return content;
}

static size_t work_of(const struct content *content)
{
	return content->nests * MESSAGE_WORK_OF_NEST + content->commas * MESSAGE_WORK_OF_COMMA;
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

/*
 * A half of a surrogate pair without the other one, of which json-c makes another character. Looks
 * at the escapes that begin before @end, and notes in *@at where the next one may.
 */
static bool has_lone_surrogate(const char *line, size_t *at, size_t end)
{
	const char *escape;

	while (*at < end && (escape = memchr(line + *at, '\\', end - *at))) {
		unsigned int unit = unit_at(escape), next = unit ? unit_at(escape + 6) : 0;
		bool is_pair = unit >> 10 == 0xd800 >> 10 && next >> 10 == 0xdc00 >> 10;

		*at = (size_t)(escape - line) + (is_pair ? 12 : 2);
		if (unit >> 11 == 0xd800 >> 11 && !is_pair)
			return true;
	}
	return false;
}

static bool is_too_much(const struct content *content)
{
	return content->nests > MESSAGE_NESTS_MAX || content->commas > MESSAGE_COMMAS_MAX ||
	       content->colons > MESSAGE_COLONS_MAX;
}

size_t message_work(const char *line, size_t length)
{
	const struct content content = count_all(line, length);
	size_t work = length + MESSAGE_WORK_OF_LINE;

	return is_too_much(&content) ? work : work + work_of(&content);
}

/* Before it becomes objects that need a hundred times its room. */
static int check(const char *line, size_t length, struct naohw_error *err)
{
	const struct content content = count_all(line, length);

	if (is_too_much(&content))
		return trouble(
			err, -EBADMSG,
			"too much in a line: found %zu arrays and objects, %zu commas and %zu "
			"colons, expected %d, %d and %d at the most",
			content.nests, content.commas, content.colons, MESSAGE_NESTS_MAX,
			MESSAGE_COMMAS_MAX, MESSAGE_COLONS_MAX);
	if (strlen(line) != length)
		return trouble(err, -EBADMSG, "no JSON: found a NUL at byte %zu", strlen(line));
	return 0;
}

static int begin(struct reading *reading, const char *line, size_t length, struct naohw_error *err)
{
	int ret = check(line, length, err);

	if (ret < 0)
		return ret;
	/* What is in the deepest array is one deeper. */
	reading->tokener = json_tokener_new_ex(MESSAGE_DEPTH + 1);
	if (!reading->tokener)
		return trouble(err, -ENOMEM, "out of memory");
	json_tokener_set_flags(reading->tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	return 0;
}

/* json-c looks for the rest of a character of UTF-8 in the same piece. */
static bool is_inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The last piece has the line's NUL, behind which nothing can come that json-c would wait for. */
static size_t end_of_piece(const char *line, size_t begin, size_t length)
{
	struct content content = { 0 };
	size_t end = begin;

	while (end <= length && end - begin + work_of(&content) < MESSAGE_WORK_PIECE)
		count(&content, line[end++]);
	while (end <= length && is_inside_character(line[end]))
		end++;
	return end;
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

static int no_json(const struct reading *reading, struct naohw_error *err)
{
	enum json_tokener_error error = json_tokener_get_error(reading->tokener);

	return trouble(err, -EBADMSG, "no JSON: %s at byte %zu", json_tokener_error_desc(error),
		       reading->end + json_tokener_get_parse_end(reading->tokener));
}

/* json-c tells of a value that ends with a piece before it has seen what is behind that. */
static bool is_end(const char *line, size_t end, size_t length)
{
	return end > length || end + strspn(line + end, " \t\r\n") == length;
}

static int read_piece(struct reading *reading, const char *line, size_t length,
		      struct json_object **json, struct naohw_error *err)
{
	size_t end = end_of_piece(line, reading->end, length);

	if (has_lone_surrogate(line, &reading->escape, end))
		return trouble(err, -EBADMSG, "no JSON: half of a surrogate pair before byte %zu",
			       reading->escape);
	*json = json_tokener_parse_ex(reading->tokener, line + reading->end,
				      (int)(end - reading->end));
	if (json_tokener_get_error(reading->tokener) == json_tokener_continue && end <= length) {
		reading->end = end;
		return -EAGAIN;
	}
	if (json_tokener_get_error(reading->tokener) != json_tokener_success)
		return no_json(reading, err);
	if (!is_end(line, end, length))
		return trouble(err, -EBADMSG, "no JSON: more behind its end, at byte %zu", end);
	return is_finite(*json) ? 0 :
				  trouble(err, -EBADMSG, "no JSON: a number that is not finite");
}

int message_read(struct reading *reading, const char *line, size_t length,
		 struct json_object **json, struct naohw_error *err)
{
	int ret = reading->tokener ? 0 : begin(reading, line, length, err);

	*json = NULL;
	if (ret == 0)
		ret = read_piece(reading, line, length, json, err);
	if (ret == -EAGAIN)
		return ret;
	message_stop(reading);
	if (ret < 0) {
		json_object_put(*json);
		*json = NULL;
	}
	return ret;
}

void message_stop(struct reading *reading)
{
	if (reading->tokener)
		json_tokener_free(reading->tokener);
	*reading = (struct reading){ .tokener = NULL };
}

/* NULL: there is none, or this is a null. */
static struct json_object *last_of(const struct json_object *json)
{
	if (json_object_is_type(json, json_type_array) && json_object_array_length(json))
		return json_object_array_get_idx(json, json_object_array_length(json) - 1);
	if (json_object_is_type(json, json_type_object) && json_object_object_length(json))
		return lh_entry_v(json_object_get_object(json)->tail);
	return NULL;
}

static bool is_empty(const struct json_object *json)
{
	if (json_object_is_type(json, json_type_array))
		return json_object_array_length(json) == 0;
	return !json_object_is_type(json, json_type_object) || json_object_object_length(json) == 0;
}

static void drop_last(struct json_object *json)
{
	if (json_object_is_type(json, json_type_array))
		json_object_array_del_idx(json, json_object_array_length(json) - 1, 1);
	else
		json_object_object_del(json, lh_entry_k(json_object_get_object(json)->tail));
}

void message_free_some(struct json_object **json)
{
	for (unsigned int i = 0; i < MESSAGE_FREED_PIECE && !is_empty(*json); i++) {
		struct json_object *at = *json;

		while (!is_empty(last_of(at)))
			at = last_of(at);
		drop_last(at);
	}
	if (!is_empty(*json))
		return;
	json_object_put(*json);
	*json = NULL;
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
		return invalid(
			err,
			"id: expected a number or a text, of 64 bytes at the most, and a whole "
			"number from -2^63+1 to 2^64-2");
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
