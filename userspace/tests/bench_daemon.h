/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs share that measure naohwd: a whole NAO, its DCM, and a loop with a socket. */
#ifndef NAOHW_BENCH_DAEMON_H
#define NAOHW_BENCH_DAEMON_H

#include <naohw.h>

#include "dcm/host.h"

struct loop;

struct bench_daemon {
	struct naohw_robot *robot;
	struct dcm_host *dcm;
	struct loop *loop;
	char directory[sizeof("/tmp/naohw-bench-XXXXXX")];
	char path[64]; /* of the socket that is to be */
};

/* Ends the program if @ret is an error. */
void bench_check(int ret, const struct naohw_error *err);

/* Past the first cycle; none of them fails. */
void bench_daemon_open(struct bench_daemon *daemon);
void bench_daemon_close(struct bench_daemon *daemon);

/* A client's socket */
int bench_daemon_connect(const struct bench_daemon *daemon);

#endif
