// SPDX-License-Identifier: GPL-2.0-or-later
/* Where there is no libsystemd */
#include <errno.h>

#include "service.h"

struct service service_begin(void)
{
	return (struct service){ 0 };
}

void service_ready(const struct service *service, const char *status)
{
	(void)service;
	(void)status;
}

void service_status(const char *status)
{
	(void)status;
}

void service_reloading(const struct service *service)
{
	(void)service;
}

void service_stopping(void)
{
}

void service_cycle(struct service *service)
{
	(void)service;
}

int service_socket(const char *name, size_t index, struct listen_settings *settings,
		   struct naohw_error *err)
{
	(void)index;
	(void)settings;
	return trouble(err, -ENOENT, "no socket %s", name);
}

int service_sockets_check(struct naohw_error *err)
{
	(void)err;
	return 0;
}
