// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include <systemd/sd-daemon.h>

#include "service.h"

/* Of its period: one that comes late is followed by others in time. */
#define TIMES_A_PERIOD 4
/* More than it takes to open a robot, with all that its devices are waited for */
#define RELOAD_US 60000000

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* ---- how we are ---- */

struct service service_begin(void)
{
	struct service service = { 0 };
	uint64_t period_us;

	if (sd_watchdog_enabled(false, &period_us) > 0)
		service.period_us = (int64_t)period_us;
	return service;
}

static void set_watchdog(const struct service *service, int64_t us)
{
	if (service->period_us)
		(void)sd_notifyf(false, "WATCHDOG_USEC=%" PRId64, us);
}

void service_ready(const struct service *service, const char *status)
{
	set_watchdog(service, service->period_us);
	(void)sd_notifyf(false, "READY=1\nSTATUS=%s", status);
}

void service_status(const char *status)
{
	(void)sd_notifyf(false, "STATUS=%s", status);
}

void service_reloading(const struct service *service)
{
	(void)sd_notifyf(false,
			 "RELOADING=1\nMONOTONIC_USEC=%" PRId64 "\nSTATUS=reads its preferences",
			 now_us());
	set_watchdog(service, RELOAD_US);
}

void service_stopping(void)
{
	(void)sd_notify(false, "STOPPING=1\nSTATUS=ends");
}

void service_cycle(struct service *service)
{
	int64_t now;

	if (!service->period_us)
		return;
	now = now_us();
	if (now - service->told_us < service->period_us / TIMES_A_PERIOD)
		return;
	(void)sd_notify(false, "WATCHDOG=1");
	service->told_us = now;
}

/* ---- its sockets ---- */

/* Two robots' worth; they stay, and so their addresses do. */
#define MOST_SOCKETS 8

static struct sockaddr_un addresses[MOST_SOCKETS];
static bool is_taken[MOST_SOCKETS];

/* Return: which of them is the one of that name and index, or -ENOENT. */
static int find_socket(const char *name, size_t index)
{
	char **names = NULL;
	int count = sd_listen_fds_with_names(false, &names), found = -ENOENT;

	for (int i = 0; i < count; i++) {
		if (found < 0 && strcmp(names[i], name) == 0 && index-- == 0)
			found = i;
		free(names[i]);
	}
	free(names);
	return found;
}

/* Is it what clients are let in by? Finds its path. */
static bool is_door(int fd, struct sockaddr_un *address)
{
	socklen_t size = sizeof(*address) - 1; /* a path may be without its NUL */

	return sd_is_socket_unix(fd, SOCK_STREAM, true, NULL, 0) > 0 &&
	       getsockname(fd, (struct sockaddr *)address, &size) == 0 && address->sun_path[0];
}

static int never_block(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0;
}

int service_socket(const char *name, size_t index, struct listen_settings *settings,
		   struct naohw_error *err)
{
	int which = find_socket(name, index), ret;

	if (which < 0)
		return trouble(err, which, "no socket %s", name);
	if (which >= MOST_SOCKETS)
		return trouble(err, -E2BIG, "systemd has more than %d sockets for us", MOST_SOCKETS);
	if (!is_door(SD_LISTEN_FDS_START + which, &addresses[which]))
		return trouble(err, -EINVAL, "systemd's socket %s is no stream socket with a path", name);
	ret = never_block(SD_LISTEN_FDS_START + which);
	if (ret < 0)
		return trouble(err, ret, "systemd's socket %s: %s", name, strerror(-ret));
	settings->path = addresses[which].sun_path;
	settings->is_inherited = true;
	settings->fd = SD_LISTEN_FDS_START + which;
	is_taken[which] = true;
	return 0;
}

static int not_taken(int which, const char *name, struct naohw_error *err)
{
	struct sockaddr_un address = { 0 };
	bool has_path = is_door(SD_LISTEN_FDS_START + which, &address);

	return trouble(err, -EINVAL,
		       "systemd listens at %s (%s) for us, and nobody would serve it",
		       has_path ? address.sun_path : "a socket", name);
}

int service_sockets_check(struct naohw_error *err)
{
	char **names = NULL;
	int count = sd_listen_fds_with_names(false, &names), ret = 0;

	for (int i = 0; i < count; i++) {
		if (ret == 0 && (i >= MOST_SOCKETS || !is_taken[i]))
			ret = not_taken(i, names[i], err);
		free(names[i]);
	}
	free(names);
	return ret;
}
