/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON-RPC 2.0, without a socket: a line's text into requests, and results into a line's text. */
#ifndef NAOHWD_RPC_MESSAGE_H
#define NAOHWD_RPC_MESSAGE_H

#include "call.h"

/* In one line */
#define MESSAGE_BATCH_MAX 64
/* Arrays and objects within each other */
#define MESSAGE_DEPTH 8
/* Of all arrays and objects, and of what is in them: a line of 1 MiB is not to be 100 of these. */
#define MESSAGE_NESTS_MAX  (40 * 1024)
#define MESSAGE_COMMAS_MAX (160 * 1024)
/* What it is to read a line, an array or object, and what is behind a comma, as bytes of a text */
#define MESSAGE_WORK_OF_LINE  512
#define MESSAGE_WORK_OF_NEST  64
#define MESSAGE_WORK_OF_COMMA 16

/* What a request says; all of it belongs to the JSON that it is in. */
struct request {
	const char *method;
	struct json_object *params; /* an object, or NULL */
	struct json_object *id;	    /* NULL is a null, too */
	bool has_id;
};

/* How much it is to read this, whatever it is. */
size_t message_work(const char *line, size_t length);

/* Return: a message, which is the caller's; NULL, with *@json: it is null; else it is no JSON. */
bool message_parse(const char *line, size_t length, struct json_object **json);

/* Return: true; else what is wrong with it, and of @request the id, which null stands for. */
bool message_request(struct json_object *json, struct request *request, struct naohw_error *err);

/* An answer, which is the caller's. @result and @id: the one is taken over, the other one not. */
struct json_object *message_result(struct json_object *id, struct json_object *result);
/* @ret: a negative errno, which RPC_FAILED tells, too. */
struct json_object *message_error(struct json_object *id, int code, int ret, const char *message);

/* One that nobody has asked for. @params is taken over. */
struct json_object *message_notification(const char *method, struct json_object *params);

/* As a line has it; lives as long as @json. */
const char *message_text(struct json_object *json, size_t *length);

#endif
