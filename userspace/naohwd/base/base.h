/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all of the daemon stands on: its log, its loop, its sockets, and the beat of the DCM as
 * something that can be waited for beside these.
 *
 * The loop is one thread, and all that it calls is called there. It waits for nothing but its
 * descriptors, and the DCM's cycle, which has a thread of its own, never waits for the loop.
 */
#ifndef NAOHWD_BASE_H
#define NAOHWD_BASE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <naohw.h>

/* ---- what is said ---- */

/*
 * One line to stderr, behind "naohwd: ", or where that is systemd's journal with its priority: what
 * happens; what somebody should look at; why something was not done that was asked for. A stream
 * that takes none is not waited for: how many lines are missing is said when it takes them again.
 */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What was said of a thing that comes again and again; zeros at first. For one thread */
struct often {
	int64_t taken_until; /* ms */
	unsigned int left_out;
};

/*
 * As log_line(), of what a client can do again and again: 100 lines at once, and then one a second.
 * The next one says how many were left out.
 */
void log_often(struct often *often, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of clients that are refused: one line a minute. @now: ms of the DCM's time */
void log_seldom(struct often *often, int64_t now, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Fill @err, which may be NULL, and return @code, so that "return trouble(...)" reads well. */
int trouble(struct naohw_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- the loop ---- */

struct loop;

/* A descriptor that is waited for; it belongs to who made it, and stays where it is. */
struct watch {
	int fd;
	void (*call)(void *data); /* when it can be read, or its other end has gone */
	void *data;
	bool is_on;	 /* the loop's own */
	uint32_t events; /* as epoll has them */
};

/* Return: 0 or a negative errno. */
int loop_new(struct loop **loop, struct naohw_error *err);
/* NULL is fine. */
void loop_free(struct loop *loop);

/* Wait for it from now on, or no more; both may be so already. Return: 0 or a negative errno. */
int loop_watch(struct loop *loop, struct watch *watch);
/* The same, but not until it can be read: until there is room to write to it. */
int loop_watch_room(struct loop *loop, struct watch *watch);
/* And this until nobody is at the other end. */
int loop_watch_end(struct loop *loop, struct watch *watch);
void loop_unwatch(struct loop *loop, struct watch *watch);

/* Can be read when something has happened in it, so that one loop may be in another. */
int loop_descriptor(const struct loop *loop);

/* Call who is concerned by one thing that happens, within @timeout_ms. Return: 1 one; 0 none. */
int loop_once(struct loop *loop, int timeout_ms);

/*
 * Until loop_end(), which is for those who are called; it may be run again.
 * Return: 0 or a negative errno.
 */
int loop_run(struct loop *loop, struct naohw_error *err);
void loop_end(struct loop *loop);

/* ---- the robot's devices ---- */

/*
 * Wait until all devices on buses have their drivers, and udev has done with them.
 *
 * @end_fd: ends it when it can be read
 * Return: 0; -ETIMEDOUT something has not come within @most_ms, and @err says what; -ENOMEM.
 */
int devices_wait(int end_fd, unsigned int most_ms, struct naohw_error *err);

/* ---- the beat of the DCM ---- */

/* A thread waits for the ends of its cycles and makes a descriptor readable with each. */
struct pulse {
	struct naohw_dcm *dcm;
	pthread_t thread;
	atomic_bool is_to_end;
	int fd;
};

/* Return: 0 or a negative errno. */
int pulse_begin(struct pulse *pulse, struct naohw_dcm *dcm, struct naohw_error *err);
/* Waits for a cycle. */
void pulse_end(struct pulse *pulse);
/* What made the descriptor readable has been seen. */
void pulse_take(struct pulse *pulse);

/* The key of its period */
#define DCM_PERIOD "DCM/TargetCycleTime"

/* ---- a socket that others connect to ---- */

struct listen_settings {
	const char *path;
	mode_t mode;	   /* of the socket's file: who may write to it may connect */
	gid_t group;	   /* of it; (gid_t)-1: as it comes */
	bool is_inherited; /* somebody listens there for us already, with this descriptor: */
	int fd;
	bool is_held; /* the same by listen_hold() */
};

/*
 * A stream socket at a path. One that is there and that nobody listens at is taken away: it is
 * what a program has left that died. Nobody can connect before it has its mode.
 *
 * @fd: receives it; listen_close() it.
 * Return: 0; -EADDRINUSE somebody listens there; -EEXIST what is there is no socket;
 * -ENAMETOOLONG; or what the kernel says.
 */
int listen_open(const struct listen_settings *settings, int *fd, struct naohw_error *err);
/* Takes the file away, too. One that is inherited or held stays as it is, and can be opened again. */
void listen_close(const struct listen_settings *settings, int fd);

/*
 * Listen there from now on, so that whoever comes while nobody has it open waits and is not
 * refused. Return: as listen_open().
 */
int listen_hold(struct listen_settings *settings, struct naohw_error *err);
/* Close it for good, if it was held. */
void listen_let_go(struct listen_settings *settings);

/* The next one who has connected: a descriptor that never blocks; or a negative errno. */
int listen_accept(int fd);

#endif
