/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file's bytes in memory. */
#ifndef NAOHW_CONTENT_H
#define NAOHW_CONTENT_H

#include <stddef.h>

struct naohw_error;
struct stat;

struct content {
	char *data; /* NULL: there is no such file */
	size_t size;
};

/*
 * The whole of the file; -EINVAL: it is no regular one. Where nothing has this name: 0, and no
 * data. A link to nowhere is something, and an error.
 */
int content_read(const char *path, struct content *content);

/* The same as of a directory, with more flags for openat(); nothing of this name is -ENOENT. */
int content_read_at(int directory, const char *name, int flags, struct content *content,
		    struct stat *found);

/* Says what reading has failed with; @code. */
int content_fail(int code, const char *path, struct naohw_error *err);
void content_free(struct content *content);

#endif
