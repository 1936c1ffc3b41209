// SPDX-License-Identifier: GPL-2.0-or-later
#include "whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static bool is_same_file(const char *a, const char *b)
{
	struct stat left, right;

	return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
	       left.st_ino == right.st_ino;
}

/* The file itself behind a link; a device or a pipe is written as it is. */
static int take_paths(struct whole_file *whole, const char *path)
{
	struct stat found;
	bool there = stat(path, &found) == 0;

	bool regular = !there || S_ISREG(found.st_mode);

	whole->path = there && regular ? realpath(path, NULL) : strdup(path);
	if (!whole->path)
		return -errno;
	if (!regular)
		return 0;
	if (asprintf(&whole->temporary, "%s.new", whole->path) < 0) {
		whole->temporary = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int open_file(struct whole_file *whole)
{
	const char *path = whole->temporary ? whole->temporary : whole->path;

	/* Not what somebody has put there: it may be a link to elsewhere. */
	if (whole->temporary)
		unlink(path);
	whole->file = fopen(path, whole->temporary ? "wxe" : "we");
	return whole->file ? 0 : -errno;
}

static void forget_paths(struct whole_file *whole)
{
	free(whole->temporary);
	free(whole->path);
	memset(whole, 0, sizeof(*whole));
}

int whole_file_open(struct whole_file *whole, const char *path, const char *avoid)
{
	int ret;

	memset(whole, 0, sizeof(*whole));
	ret = take_paths(whole, path);
	if (ret == 0 && avoid &&
	    (is_same_file(whole->path, avoid) ||
	     (whole->temporary && is_same_file(whole->temporary, avoid)))) {
		complain("%s: is the recording itself; write to another file", path);
		forget_paths(whole);
		return -1;
	}
	if (ret == 0)
		ret = open_file(whole);
	if (ret < 0) {
		complain("%s: %s", path, strerror(-ret));
		forget_paths(whole);
		return -1;
	}
	return 0;
}

static bool finish(struct whole_file *whole)
{
	bool good;

	errno = 0;
	good = fflush(whole->file) == 0 && !ferror(whole->file);

	/* On the disk before the name is, or a power cut leaves an empty file. */
	if (good && whole->temporary)
		good = fsync(fileno(whole->file)) == 0;
	if (fclose(whole->file))
		good = false;
	if (good && whole->temporary)
		good = rename(whole->temporary, whole->path) == 0;
	if (!good && whole->temporary) {
		int error = errno;

		unlink(whole->temporary);
		errno = error;
	}
	return good;
}

int whole_file_close(struct whole_file *whole)
{
	bool good = finish(whole);

	if (!good)
		complain("%s: could not be written in full%s%s", whole->path, errno ? ": " : "",
			 errno ? strerror(errno) : "");
	forget_paths(whole);
	return good ? 0 : -1;
}

void whole_file_discard(struct whole_file *whole)
{
	if (!whole->file)
		return;
	fclose(whole->file);
	if (whole->temporary)
		unlink(whole->temporary);
	forget_paths(whole);
}
