/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a key said when it was read, to be printed as text or JSON. */
#ifndef NAOHW_READING_H
#define NAOHW_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <naohw.h>

#include "failures.h"
#include "options.h"

/* For a text, or a reason. */
#define READING_SIZE 4096

struct reading {
	const char *key; /* its name */
	enum naohw_key_type type;
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
/* What a store has: now, as stores have times of another clock. */
void reading_take_value(struct reading *reading, const char *key, const struct naohw_value *value);
/* The key is this number, which was so @ns after 1970; or it fails. */
void reading_put(struct reading *reading, const struct naohw_key *key, double number, int64_t ns);
void reading_fail(struct reading *reading, const struct naohw_key *key, int error, const char *why);
bool reading_is_same(const struct reading *one, const struct reading *other);

/* Print it. What failed is one of the failures, which the caller tells, and false. */
bool reading_print(const struct reading *reading, const struct reading_format *format,
		   struct failures *failures);

#endif
