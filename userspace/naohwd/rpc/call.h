/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call of a method: what it is given, and what it answers. A method reads its parameters by
 * call_...(), which say what is wrong with them.
 */
#ifndef NAOHWD_RPC_CALL_H
#define NAOHWD_RPC_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json_object.h>

#include <naohw.h>

struct client;
struct rpc;

/* JSON-RPC's, and one for all that a robot says */
#define RPC_PARSE_ERROR	    (-32700)
#define RPC_INVALID_REQUEST (-32600)
#define RPC_NO_METHOD	    (-32601)
#define RPC_INVALID_PARAMS  (-32602)
#define RPC_FAILED	    (-32000)

/* What a method returns besides 0 and a negative errno: its answer comes later; */
#define CALL_LATER 1
/* or it has done nothing yet, and is called again in the next cycle. */
#define CALL_AGAIN 2

/* As far as a double, which many have alone, has whole numbers */
#define CALL_WHOLE_MAX 9007199254740992

/* Names in one call, or lists for those of an alias; a robot has fewer actuators. */
#define CALL_NAMES_MAX 1024
/* Bytes of one, or of any other text but a motion: more than any has */
#define CALL_NAME_MAX 1024

struct call {
	struct rpc *rpc;
	struct client *client;
	struct json_object *params; /* NULL: none were given */
	struct json_object *id;
	bool is_answered; /* it has an id, which may be null */
	bool is_in_batch;
	struct json_object *result; /* NULL: {} */
	int code;		    /* of the error, with a negative errno */
	struct naohw_error err;
};

/* Parameters are wrong. Return: -EINVAL. */
int call_wrong(struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A parameter; one that is not there leaves what @value is, unless @is_needed. What is found lives
 * as long as the call. Of any kind it is NULL where it is not there, and null is not, either.
 * Return: 0; -EINVAL it is missing, or not as it must be.
 */
int call_any(struct call *call, const char *name, bool is_needed, struct json_object **json);
int call_text(struct call *call, const char *name, bool is_needed, const char **value);
/* A text that may have more than CALL_NAME_MAX bytes, which call_text() and call_texts() refuse. */
int call_long_text(struct call *call, const char *name, bool is_needed, const char **value);
int call_flag(struct call *call, const char *name, bool *value);
int call_number(struct call *call, const char *name, double min, double max, double *value);
int call_whole(struct call *call, const char *name, bool is_needed, int64_t min, int64_t max,
	       int64_t *value);
/* Any array of @min to @max. */
int call_array(struct call *call, const char *name, bool is_needed, size_t min, size_t max,
	       struct json_object **value);
/* An array of 1 to @max texts, which must be there; into room for so many. */
int call_texts(struct call *call, const char *name, size_t max, const char **texts, size_t *count);
/* One of texts that are there or not; NULL is behind the last. */
int call_choice(struct call *call, const char *name, const char *const *choices,
		unsigned int *value);

/* Is it a finite number? */
bool number_of(const struct json_object *json, double *value);

#endif
