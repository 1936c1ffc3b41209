/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a key said when it was read, to be printed as text or JSON. */
#ifndef NAOHW_READING_H
#define NAOHW_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <naohw.h>

#include "options.h"

/* For a text, or a reason. */
#define READING_SIZE 4096

struct reading {
	const struct naohw_key *key;
	struct timespec time;
	int error;		 /* 0, or a negative errno: -ENOENT, it has no such thing */
	char text[READING_SIZE]; /* the value, or why there is none */
};

struct reading_format {
	bool json;
	bool time;
	bool name; /* in text, where JSON always has it */
};

/* As the options have it. */
struct reading_format reading_format(const struct line *line, bool name);

void reading_take(struct reading *reading, struct naohw_key *key);
/* Of a reading that has its key: it is this number, which was so @ns after 1970; or it fails. */
void reading_put(struct reading *reading, double number, int64_t ns);
void reading_fail(struct reading *reading, int error, const char *why);
bool reading_is_same(const struct reading *one, const struct reading *other);

/* Print it; what failed is a complaint, and false. */
bool reading_print(const struct reading *reading, const struct reading_format *format);

#endif
