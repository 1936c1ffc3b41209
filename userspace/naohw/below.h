/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and directories below a root, which tests make up; paths are without the first "/". */
#ifndef NAOHW_BELOW_H
#define NAOHW_BELOW_H

#include <stdbool.h>
#include <stddef.h>

#define BELOW_PATH 512

/* A directory's names, sorted, numbers by their value; those_of() gives { 0 } for none. */
struct names_below {
	struct dirent **at;
	int count;
};

struct names_below names_below(int root, const char *directory, const char *pattern);
void names_below_free(struct names_below *names);

bool is_below(int root, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The beginning of a file, up to its last line end; NULs in it are kept. How long that is, or a
 * negative errno: it cannot be read, and the text is empty. */
long read_below(int root, char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* As a file of the kernel's takes it: at once, and from its beginning. 0 or a negative errno. */
int write_below(int root, const char *path, const char *text);

/* Has the file a line with this in it? */
bool line_below(int root, const char *path, const char *part);

#endif
