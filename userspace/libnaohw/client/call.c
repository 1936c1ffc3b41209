// SPDX-License-Identifier: LGPL-2.1-or-later
/* Requests and their answers. */
#include <errno.h>
#include <monotonic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "inside.h"

#define DEPTH_MAX	 16
#define ERRNO_MAX	 4095
#define NO_SUCH_METHOD	 (-32601)
#define WRONG_PARAMETERS (-32602)
#define NS_PER_MS	 1000000

struct json_object *daemon_member(const struct json_object *object, const char *name,
				  enum json_type type)
{
	struct json_object *member;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, name, &member) || !json_object_is_type(member, type))
		return NULL;
	return member;
}

/* ---- out ---- */

static struct json_object *new_request(struct daemon *daemon, const char *method,
				       struct json_object *params)
{
	struct json_object *request = json_object_new_object();

	daemon->id++;
	json_object_object_add(request, "jsonrpc", json_object_new_string("2.0"));
	json_object_object_add(request, "id", json_object_new_int64(daemon->id));
	json_object_object_add(request, "method", json_object_new_string(method));
	json_object_object_add(request, "params", params ? params : json_object_new_object());
	return request;
}

static int send_request(struct daemon *daemon, struct json_object *request, int64_t deadline)
{
	size_t length;
	const char *text = json_object_to_json_string_length(
		request, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
	int ret;

	if (!text)
		return -ENOMEM;
	if (length + 1 > LINE_MAX_SIZE)
		return -EMSGSIZE;
	ret = lines_send(&daemon->lines, text, length, deadline);
	return ret < 0 ? ret : lines_send(&daemon->lines, "\n", 1, deadline);
}

/* ---- in ---- */

static struct json_object *parse(const char *line, int length)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *json;

	if (!tokener)
		return NULL;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	json = json_tokener_parse_ex(tokener, line, length);
	if (json_tokener_get_error(tokener) != json_tokener_success ||
	    json_tokener_get_parse_end(tokener) != (size_t)length) {
		json_object_put(json);
		json = NULL;
	}
	json_tokener_free(tokener);
	return json;
}

/* One whose request could not be read is to none, and so to the only one that there is. */
static bool is_answer(const struct daemon *daemon, const struct json_object *json)
{
	const struct json_object *id = daemon_member(json, "id", json_type_int);

	if (!id)
		return !daemon_member(json, "method", json_type_string);
	return json_object_get_int64(id) == daemon->id;
}

/* Notifications, and what comes too late, are passed over, but not for ever. */
static int receive_answer(struct daemon *daemon, int64_t deadline, struct json_object **answer)
{
	do {
		const char *line;
		int length = lines_receive(&daemon->lines, &line, deadline);

		if (length < 0)
			return length;
		*answer = parse(line, length);
		if (!*answer)
			return -EPROTO;
		if (is_answer(daemon, *answer))
			return 0;
		json_object_put(*answer);
	} while (monotonic_ns() < deadline);
	return -ETIMEDOUT;
}

/* ---- what it says ---- */

static int code_of(const struct json_object *error)
{
	const struct json_object *code = daemon_member(error, "code", json_type_int);
	const struct json_object *data = daemon_member(error, "data", json_type_object);
	const struct json_object *number = daemon_member(data, "errno", json_type_int);
	int64_t found = number ? json_object_get_int64(number) : 0;

	if (found > 0 && found <= ERRNO_MAX)
		return (int)-found;
	switch (code ? json_object_get_int64(code) : 0) {
	case NO_SUCH_METHOD:
		return -ENOSYS;
	case WRONG_PARAMETERS:
		return -EINVAL;
	default:
		return -EPROTO;
	}
}

static int refused(const struct json_object *error, struct naohw_error *err)
{
	struct json_object *message = daemon_member(error, "message", json_type_string);
	int code = code_of(error);

	fail(err, code, "%s", message ? json_object_get_string(message) : error_text(code));
	if (err)
		text_make_plain(err->message);
	return code;
}

static int take_answer(struct json_object *answer, struct json_object **result,
		       struct naohw_error *err)
{
	struct json_object *error = daemon_member(answer, "error", json_type_object);
	struct json_object *found = daemon_member(answer, "result", json_type_object);

	if (error)
		return refused(error, err);
	if (!found)
		return fail(err, -EPROTO, "naohwd: its answer makes no sense");
	if (result)
		*result = json_object_get(found);
	return 0;
}

/* ---- all ---- */

static int no_answer(int ret, struct naohw_error *err)
{
	switch (ret) {
	case -EPIPE:
	case -ECONNRESET:
		return fail(err, -EOWNERDEAD, "naohwd, which has the robot, has gone");
	case -ETIMEDOUT:
		return fail(err, ret, "naohwd, which has the robot, does not answer");
	case -EMSGSIZE:
	case -EPROTO:
		return fail(err, -EPROTO, "naohwd: its answer makes no sense");
	default:
		return fail(err, ret, "naohwd: %s", file_error_text(ret));
	}
}

/* Nothing that is said from now on could be understood, there or here. */
static int broken(struct daemon *daemon, int ret, struct naohw_error *err)
{
	lines_close(&daemon->lines);
	return no_answer(ret, err);
}

static void take_fd(struct daemon *daemon, int *fd, bool is_good)
{
	int passed = lines_take_passed(&daemon->lines);

	if (fd && is_good) {
		*fd = passed;
		return;
	}
	if (passed >= 0)
		close(passed);
}

int daemon_call(struct daemon *daemon, const char *method, struct json_object *params,
		unsigned int timeout_ms, struct json_object **result, int *fd,
		struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS;
	struct json_object *request = new_request(daemon, method, params), *answer = NULL;
	int ret;

	if (daemon->lines.fd < 0) {
		json_object_put(request);
		return fail(err, -EOWNERDEAD, "naohwd, which has the robot, is not there");
	}
	ret = send_request(daemon, request, deadline);
	json_object_put(request);
	if (ret == -EMSGSIZE)
		return fail(err, ret, "%s: is more than naohwd takes at once", method);
	if (ret < 0)
		return broken(daemon, ret, err);
	ret = receive_answer(daemon, deadline, &answer);
	/* Whoever closes is dead for naohwd, and the joints of its leases go soft. */
	if (ret == -ETIMEDOUT)
		return no_answer(ret, err);
	if (ret < 0)
		return broken(daemon, ret, err);
	ret = take_answer(answer, result, err);
	take_fd(daemon, fd, ret == 0);
	json_object_put(answer);
	return ret;
}
