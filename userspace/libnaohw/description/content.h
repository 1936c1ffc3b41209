/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file's bytes in memory. */
#ifndef NAOHW_CONTENT_H
#define NAOHW_CONTENT_H

#include <stddef.h>

struct content {
	char *data; /* NULL: there is no such file */
	size_t size;
};

/*
 * The whole of the file. Where nothing has this name: 0, and no data. A link to nowhere is
 * something, and an error.
 */
int content_read(const char *path, struct content *content);
void content_free(struct content *content);

#endif
