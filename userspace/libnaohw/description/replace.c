// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A new file beside the old one, on the disk before it takes the name, and the directory behind it.
 * The lock is flock() on the directory, from before the old one is read until it is replaced.
 */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 500
#define LOCK_WAIT_NS 10000000L

/* Some file systems know no fsync() of a directory; they need none, or have none to offer. */
static int sync_directory(int fd)
{
	return fsync(fd) == 0 || errno == EINVAL ? 0 : -errno;
}

static int sync_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = sync_directory(fd);
	close(fd);
	return ret;
}

/* The directory that something is in; to be freed. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Whatever the umask: other users are to read it, too. A group that is inherited stays so. */
static int open_to_all(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat made;
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &made) < 0 || fchmod(fd, (made.st_mode & S_ISGID) | 0755) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static int make_one(const char *path, const char *parent)
{
	int ret;

	if (mkdir(path, 0755) < 0)
		return errno == EEXIST ? 0 : -errno;
	ret = open_to_all(path);
	return ret == 0 ? sync_path(parent) : ret;
}

/* With those above it, each of which is on the disk before what is in it. */
static int make_directory(const char *path)
{
	char *parent = parent_of(path);
	int ret;

	if (!parent)
		return -ENOMEM;
	ret = make_one(path, parent);
	if (ret == -ENOENT && strcmp(parent, path) != 0) {
		ret = make_directory(parent);
		if (ret == 0)
			ret = make_one(path, parent);
	}
	free(parent);
	return ret;
}

/* Not for ever: anybody who may read a directory can keep it locked. */
static int lock(int fd)
{
	const struct timespec wait = { .tv_nsec = LOCK_WAIT_NS };

	for (unsigned int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		nanosleep(&wait, NULL);
	}
	return -EBUSY;
}

static int open_directory(struct replacement *r, const char *path)
{
	char *directory = parent_of(path);
	int ret = 0;

	if (!directory)
		return -ENOMEM;
	r->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->directory < 0)
		ret = -errno;
	free(directory);
	return ret;
}

/* Where a file is to be that is not there: in this directory, which is made. To be freed. */
static int resolve_absent(const char *path, const char *parent, char **target)
{
	const char *slash = strrchr(path, '/');
	int ret = make_directory(parent);
	char *directory;

	if (ret < 0)
		return ret;
	directory = realpath(parent, NULL);
	if (!directory)
		return -errno;
	if (asprintf(target, "%s/%s", directory, slash ? slash + 1 : path) < 0)
		ret = -ENOMEM;
	free(directory);
	return ret;
}

/* The file that a path means now; to be freed. */
static int resolve(const char *path, char **target)
{
	char *parent;
	int ret;

	*target = realpath(path, NULL);
	if (*target)
		return 0;
	if (errno != ENOENT)
		return -errno;
	parent = parent_of(path);
	ret = parent ? resolve_absent(path, parent, target) : -ENOMEM;
	free(parent);
	return ret;
}

/* While the lock was waited for a link may have turned. */
static int check_target(const char *path, const char *target)
{
	char *now;
	int ret = resolve(path, &now);

	if (ret < 0)
		return ret;
	ret = strcmp(now, target) == 0 ? 0 : -EAGAIN;
	free(now);
	return ret;
}

static int begin(struct replacement *r, const char *path, const char *target)
{
	int ret;

	r->name = strdup(strrchr(target, '/') + 1);
	if (!r->name)
		return -ENOMEM;
	ret = open_directory(r, target);
	if (ret == 0)
		ret = lock(r->directory);
	return ret == 0 ? check_target(path, target) : ret;
}

int replacement_begin(struct replacement *r, const char *path)
{
	char *target;
	int ret = resolve(path, &target);

	if (ret < 0)
		return ret;
	memset(r, 0, sizeof(*r));
	r->directory = -1;
	ret = begin(r, path, target);
	free(target);
	if (ret < 0)
		replacement_end(r);
	return ret;
}

/* A link here is none that was there before. */
int replacement_read(struct replacement *r, struct content *content)
{
	int ret = content_read_at(r->directory, r->name, O_NOFOLLOW, content, &r->old);

	r->there = ret != -ENOENT;
	if (!r->there)
		return 0;
	return ret == -ELOOP ? -EAGAIN : ret;
}

void replacement_end(struct replacement *r)
{
	if (r->directory >= 0)
		close(r->directory);
	free(r->name);
}

static int write_all(int fd, const struct content *content)
{
	size_t done = 0;

	while (done < content->size) {
		ssize_t written = write(fd, content->data + done, content->size - done);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0)
			done += (size_t)written;
	}
	return fsync(fd) == 0 ? 0 : -errno;
}

/*
 * The group at least: a robot's users must not lose what they could read. A service may not even ask for the owner
 * that a file has anyway: systemd's @privileged has fchown().
 */
static int keep_owner(int fd, const struct stat *old)
{
	struct stat made;

	if (fstat(fd, &made) < 0)
		return -errno;
	if ((made.st_uid != old->st_uid || made.st_gid != old->st_gid) &&
	    fchown(fd, old->st_uid, old->st_gid) < 0 && fchown(fd, (uid_t)-1, old->st_gid) < 0)
		return -errno;
	return fchmod(fd, old->st_mode & 07777) == 0 ? 0 : -errno;
}

/* @old is NULL for a file that was not there: all may read it, whatever the umask. */
static int write_new(int directory, const char *name, const struct stat *old,
		     const struct content *content)
{
	int fd, ret = 0;

	/* What somebody left behind who was killed; all others are locked out. */
	unlinkat(directory, name, 0);
	fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (old)
		ret = keep_owner(fd, old);
	else if (fchmod(fd, 0644) < 0)
		ret = -errno;
	if (ret == 0)
		ret = write_all(fd, content);
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

/* Who made a file read-only does not want it replaced either. */
static int may_replace(const struct replacement *r)
{
	if (!r->there || faccessat(r->directory, r->name, W_OK, AT_EACCESS) == 0)
		return 0;
	return -errno;
}

int replacement_write(const struct replacement *r, const struct content *content)
{
	char *temporary;
	int ret = may_replace(r);

	if (ret < 0)
		return ret;
	if (asprintf(&temporary, "%s.new", r->name) < 0)
		return -ENOMEM;
	ret = write_new(r->directory, temporary, r->there ? &r->old : NULL, content);
	if (ret == 0 && renameat(r->directory, temporary, r->directory, r->name) < 0)
		ret = -errno;
	if (ret < 0)
		unlinkat(r->directory, temporary, 0);
	else
		ret = sync_directory(r->directory);
	free(temporary);
	return ret;
}
