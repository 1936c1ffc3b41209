/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON-RPC 2.0, without a socket: a line's text into requests, and results into a line's text. */
#ifndef NAOHWD_RPC_MESSAGE_H
#define NAOHWD_RPC_MESSAGE_H

#include <json-c/json_tokener.h>

#include "call.h"

/* In one line */
#define MESSAGE_BATCH_MAX 64
/* Arrays and objects within each other */
#define MESSAGE_DEPTH 8
/*
 * Arrays and objects in a line, and what is in them: more than any call that can succeed has. A set
 * has 4096 commands, a batch 16 lists of 1024 keys, or 64 objects of 10 members.
 */
#define MESSAGE_NESTS_MAX  (8 * 1024)
#define MESSAGE_COMMAS_MAX (24 * 1024)
#define MESSAGE_COLONS_MAX (4 * 1024)
/* What it is to read a line, an array or object, and what is behind a comma, as bytes of a text */
#define MESSAGE_WORK_OF_LINE  512
#define MESSAGE_WORK_OF_NEST  64
#define MESSAGE_WORK_OF_COMMA 16
/* Of a line so much is read at once, about a tenth of a millisecond. */
#define MESSAGE_WORK_PIECE (16 * 1024)
/* Of a message that is done so many values are freed at once, as fast. */
#define MESSAGE_FREED_PIECE 1024

/* What a request says; all of it belongs to the JSON that it is in. */
struct request {
	const char *method;
	struct json_object *params; /* an object, or NULL */
	struct json_object *id;	    /* NULL is a null, too */
	bool has_id;
};

/* How much it is to read this, whatever it is. */
size_t message_work(const char *line, size_t length);

/* How far a line has been read; all of it is 0 before it begins. */
struct reading {
	struct json_tokener *tokener;
	size_t end;    /* of the pieces that it has had */
	size_t escape; /* up to where there is no half of a surrogate pair */
};

/*
 * Read the next piece of a line, which may be elsewhere than before.
 *
 * @json: receives the message, which is the caller's, and is NULL for null.
 * Return: 0: it is whole; -EAGAIN there is more of it; -EBADMSG it is no JSON, or has too much in
 * it, or -ENOMEM: @err says what.
 */
int message_read(struct reading *reading, const char *line, size_t length,
		 struct json_object **json, struct naohw_error *err);
/* Whatever there is to be read. */
void message_stop(struct reading *reading);

/* Free some of a message, which is the caller's. Its end is when *@json is NULL. */
void message_free_some(struct json_object **json);

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
