/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * systemd, as far as it has started us; else all of this does nothing. Built without libsystemd it
 * never does anything (none.c).
 */
#ifndef NAOHWD_SERVICE_H
#define NAOHWD_SERVICE_H

#include <stdint.h>

#include "../base/base.h"

struct service {
	int64_t period_us; /* so often it wants to hear that we are alive; 0: it does not care */
	int64_t told_us; /* CLOCK_MONOTONIC: when it has heard so last */
};

/* Return: how it wants to be told. */
struct service service_begin(void);

/* What we do, in a sentence; service_ready() also says that we have begun, or have again. */
void service_ready(const struct service *service, const char *status);
void service_status(const char *status);
/* We take our preferences anew, until service_ready(), and it does not hear of cycles meanwhile. */
void service_reloading(const struct service *service);
void service_stopping(void);

/* A cycle has come. It is told so a few times in its period, and not by each cycle. */
void service_cycle(struct service *service);

/*
 * The sockets that it listens at for us and calls @name.
 *
 * @index: from 0
 * @settings: receives where it is, and that it is there already; its path stays as long as we run.
 * Return: 0; -ENOENT there is no other; -EINVAL it is no stream socket with a path that
 * listens; or what the kernel says.
 */
int service_socket(const char *name, size_t index, struct listen_settings *settings,
		   struct naohw_error *err);

/*
 * Are all of them service_socket()'s? At one that nobody serves clients would wait for good.
 * Return: 0; -EINVAL one is not, which is named.
 */
int service_sockets_check(struct naohw_error *err);

#endif
