// SPDX-License-Identifier: LGPL-2.1-or-later
#include "content.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/base.h"

/* A hundred times what a robot needs; its twofold is still an int, as libxml wants sizes. */
#define FILE_MAX  (16u << 20)
#define FILE_STEP 65536u

static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

/* Grown before it is full, so that the end is seen in a read of its own. */
static int read_all(int fd, struct content *content)
{
	size_t capacity = 0;
	ssize_t got;

	do {
		if (capacity - content->size < FILE_STEP) {
			char *data;

			capacity = capacity ? capacity * 2 : FILE_STEP;
			data = realloc(content->data, capacity);
			if (!data)
				return -ENOMEM;
			content->data = data;
		}
		got = read(fd, content->data + content->size, capacity - content->size);
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got > 0)
			content->size += (size_t)got;
		if (content->size > FILE_MAX)
			return -EFBIG;
	} while (got != 0);
	return 0;
}

static int read_regular(int fd, struct content *content, struct stat *found)
{
	if (fstat(fd, found) < 0)
		return -errno;
	if (S_ISDIR(found->st_mode))
		return -EISDIR;
	return S_ISREG(found->st_mode) ? read_all(fd, content) : -EINVAL;
}

int content_read_at(int directory, const char *name, int flags, struct content *content,
		    struct stat *found)
{
	/* Nobody may be at the other end of a FIFO, ever. */
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	int ret;

	memset(content, 0, sizeof(*content));
	if (fd < 0)
		return -errno;
	ret = read_regular(fd, content, found);
	close(fd);
	if (ret < 0)
		content_free(content);
	return ret;
}

int content_read(const char *path, struct content *content)
{
	struct stat found;
	int ret = content_read_at(AT_FDCWD, path, 0, content, &found);

	return is_absent(-ret) && lstat(path, &found) < 0 && is_absent(errno) ? 0 : ret;
}

int content_fail(int code, const char *path, struct naohw_error *err)
{
	return fail(err, code, "%s: %s", path,
		    code == -EINVAL ? "not a regular file" : file_error_text(code));
}

void content_free(struct content *content)
{
	free(content->data);
	memset(content, 0, sizeof(*content));
}
