/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * JSON-RPC's server at a DCM whose cycles the test has (dcm_stage.h), and clients that say what a
 * test wants them to and read what they are told.
 */
#ifndef NAOHW_TEST_RPC_BED_H
#define NAOHW_TEST_RPC_BED_H

#include "dcm_stage.h"

#include <json-c/json.h>

#include "../naohwd/rpc/rpc.h"

#define BED_KEY(name) "Device/SubDeviceList/" name "/Value"

extern struct bed {
	struct loop *loop;
	struct leases *leases;
	struct plays *plays;
	struct rpc *rpc;
	struct rpc_settings settings;
	char path[64];
	char said[4096];  /* the log */
	bool is_stranger; /* who connects is of another user, */
	gid_t gid;	  /* of this group, */
	gid_t other_gid;  /* and of this one, too */
	pid_t pid;	  /* or is this process; 0: the test's own */
	size_t parsed;	  /* bytes that the server has given to json-c, */
	size_t members;	  /* and members that it has added to objects of json-c's */
	int fd;		  /* a client, see bed_setup_client() */
} bed;

/* As cmocka has them. */
int bed_setup(void **state);
int bed_teardown(void **state);
/* The same of a robot that has these preferences beside its own */
int bed_setup_robot(const char *preferences);
/* The same of a robot whose HeadPitch is a wheel */
int bed_setup_wheel(void **state);
/* The same with a client. */
int bed_setup_client(void **state);
int bed_teardown_client(void **state);

/* Close the server and have another one, as bed.settings are now. */
void bed_serve_anew(void);
/* The same with all that knows who holds what, as a host that reads its preferences anew. */
void bed_begin_anew(void);

/* All that waits is done; a cycle alone; or both, so often. */
void bed_settle(void);
void bed_cycle(void);
void bed_turns(unsigned int count);

void bed_assert_said(const char *what);

/* ---- a client ---- */

int bed_client(void);
/* The same, but it has not been let in yet. */
int bed_connect(void);
/* Bytes as they are; all of them must be taken. */
void bed_send(int fd, const char *bytes, size_t count);
void bed_say(int fd, const char *line);

/* The next line without its end, or NULL. It lives until the next one. */
const char *bed_hear(int fd);
/* The next line, which must be there; it lives until the next one. */
struct json_object *bed_read(int fd);
bool bed_has_ended(int fd);

/*
 * Say a line and read its answer; or call a method, with parameters as JSON has them, of which one
 * may write ' for ". All of a result lives until the next one.
 */
struct json_object *bed_ask(int fd, const char *line);
struct json_object *bed_call(int fd, const char *method, const char *params);
/* Its result, or what the error is; fails if there is the other one. */
struct json_object *bed_result(int fd, const char *method, const char *params);
void bed_assert_fails(int fd, const char *method, const char *params, int code, int error,
		      const char *message);

/*
 * For rpc-schema-test, which all that is heard is for: the method, what was asked, and the answer;
 * bed_call() does so itself.
 */
void bed_record(const char *method, const char *asked, const char *answer);

/* What is there by names and indices, "values/0/key". */
struct json_object *bed_at(struct json_object *json, const char *path);
const char *bed_text(struct json_object *json, const char *path);
double bed_number(struct json_object *json, const char *path);

#endif
