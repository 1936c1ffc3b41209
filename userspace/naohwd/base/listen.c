// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base.h"

/* So many may wait until they are accepted. */
#define WAITING 64

static int make_address(const char *path, struct sockaddr_un *address, struct naohw_error *err)
{
	size_t size = strlen(path) + 1;

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (size == 1)
		return trouble(err, -EINVAL, "a socket needs a path");
	if (size > sizeof(address->sun_path))
		return trouble(err, -ENAMETOOLONG, "%s: a socket's path has %zu bytes at the most",
			       path, sizeof(address->sun_path) - 1);
	memcpy(address->sun_path, path, size);
	return 0;
}

static int new_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Whoever is there finds that somebody has come and gone. */
static bool is_listened_at(const struct sockaddr_un *address)
{
	int fd = new_socket();
	int ret = connect(fd, (const struct sockaddr *)address, sizeof(*address));
	bool is_refused = ret < 0 && (errno == ECONNREFUSED || errno == ENOENT);

	close(fd);
	return !is_refused;
}

/* A socket that nobody listens at; else it is not ours to take away. */
static int remove_stale(const struct sockaddr_un *address, struct naohw_error *err)
{
	const char *path = address->sun_path;
	struct stat info;

	if (lstat(path, &info) < 0)
		return errno == ENOENT ? 0 : trouble(err, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISSOCK(info.st_mode))
		return trouble(err, -EEXIST, "%s: is there and no socket", path);
	if (is_listened_at(address))
		return trouble(err, -EADDRINUSE, "%s: another program listens there", path);
	if (unlink(path) < 0 && errno != ENOENT)
		return trouble(err, -errno, "%s: %s", path, strerror(errno));
	return 0;
}

/* Until it listens nobody can connect, and so all that a path has to have comes before. */
static int set_up(int fd, const struct sockaddr_un *address, const struct listen_settings *settings,
		  struct naohw_error *err)
{
	const char *path = address->sun_path;
	int error;

	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)) < 0)
		return trouble(err, -errno, "%s: %s", path, strerror(errno));
	if ((settings->group == (gid_t)-1 || chown(path, (uid_t)-1, settings->group) == 0) &&
	    chmod(path, settings->mode) == 0 && listen(fd, WAITING) == 0)
		return 0;
	error = errno;
	(void)unlink(path);
	return trouble(err, -error, "%s: %s", path, strerror(error));
}

int listen_open(const struct listen_settings *settings, int *out, struct naohw_error *err)
{
	struct sockaddr_un address;
	int ret, fd;

	if (settings->is_inherited || settings->is_held) {
		*out = settings->fd;
		return 0;
	}
	ret = make_address(settings->path, &address, err);
	if (ret == 0)
		ret = remove_stale(&address, err);
	if (ret < 0)
		return ret;
	fd = new_socket();
	if (fd < 0)
		return trouble(err, -errno, "a socket: %s", strerror(errno));
	ret = set_up(fd, &address, settings, err);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	*out = fd;
	return 0;
}

void listen_close(const struct listen_settings *settings, int fd)
{
	if (settings->is_inherited || settings->is_held)
		return;
	(void)unlink(settings->path);
	close(fd);
}

int listen_hold(struct listen_settings *settings, struct naohw_error *err)
{
	int ret = listen_open(settings, &settings->fd, err);

	settings->is_held = ret == 0 && !settings->is_inherited;
	return ret;
}

void listen_let_go(struct listen_settings *settings)
{
	if (!settings->is_held)
		return;
	settings->is_held = false;
	listen_close(settings, settings->fd);
}

int listen_accept(int fd)
{
	int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	return peer < 0 ? -errno : peer;
}
