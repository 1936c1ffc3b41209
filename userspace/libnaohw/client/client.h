/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What speaks with the naohwd of a robot, for the rooms above: JSON-RPC through its socket, as
 * naohwd.rst has it, one request after the other. Nothing that comes from there is believed
 * before it was looked at, and nothing is waited for without an end.
 *
 * A struct daemon belongs to one thread at a time.
 */
#ifndef NAOHW_CLIENT_H
#define NAOHW_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include <naohw.h>

/* The naohwd of a robot, as it is seen from here */
struct daemon;

/* Of the robot with the description at this path. Nobody is there yet. Return: 0 or -ENOMEM. */
int daemon_new(const char *description, struct daemon **daemon, struct naohw_error *err);
/* NULL is fine. */
void daemon_free(struct daemon *daemon);

/* Of the socket, "/run/naohw/bioloid.sock"; the directory is NAOHW_RUN's, if that is set. */
const char *daemon_path(const struct daemon *daemon);

/* Is the connection there, as far as anybody knows? Looks, and sends nothing. */
bool daemon_is_connected(struct daemon *daemon);

/*
 * Connect, and ask whether it is the naohwd of this robot; anew, if it was connected.
 * Return: 0; -ENOENT or -ECONNREFUSED there is none; -ENXIO it has another robot of the same name;
 * -EACCES; or as daemon_call().
 */
int daemon_connect(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err);

/*
 * As daemon_connect(), where a unit of systemd's may have the robot, as it is enabled. Return: also
 * -EAGAIN it is not there, and will be, as it has not come yet, or is begun anew; -EBUSY it has
 * another robot of the same name.
 */
int daemon_join(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err);
/* The same, and one that is not there is waited for. */
int daemon_await(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err);

/* Is the robot nobody else's, as such a unit is to have it? Return: 0; -EBUSY it is. */
int daemon_leave_robot(const char *description, struct naohw_error *err);

/* May be so already. */
void daemon_disconnect(struct daemon *daemon);

/*
 * A request and its answer.
 * @params: an object, or NULL; it is let go in any case.
 * @result: receives what is to be json_object_put(); may be NULL.
 * @fd: receives a descriptor that came with it, or -1; may be NULL.
 * Return: 0; what naohwd says, with its message; or the connection has ended with it: -EOWNERDEAD
 * nobody is there any more, -EPROTO what it says makes no sense. -ETIMEDOUT: the answer is passed
 * over when it comes, and the connection has ended only if not all of the request was sent.
 * -EMSGSIZE: it is more than a line has room for. -ENOMEM.
 */
int daemon_call(struct daemon *daemon, const char *method, struct json_object *params,
		unsigned int timeout_ms, struct json_object **result, int *fd,
		struct naohw_error *err);

/* The member of that name and type, or NULL. */
struct json_object *daemon_member(const struct json_object *object, const char *name,
				  enum json_type type);

#endif
