/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a name to its number, by a hash. */
#ifndef NAOHW_STORE_NAMES_H
#define NAOHW_STORE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names {
	char *text;
	const char **name; /* by number, in the text */
	size_t count;
	struct place *place;
	size_t mask; /* places - 1, a power of two of them */
};

/* A copy of @size bytes of names, each with its NUL; -ENOMEM. names_free() it always. */
int names_init(struct names *names, const char *text, size_t size, size_t count);

/* The name with the next number; -EEXIST: there is one like it. */
int names_add(struct names *names, size_t at);

/* Its number, or -ENOENT. */
int names_find(const struct names *names, const char *name);

void names_free(struct names *names);

#endif
