/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a device has been found wrong with in the last 30 seconds, for its key Error. A list of its
 * own has each device; nothing is kept of one that never had anything.
 */
#ifndef NAOHW_FAULT_H
#define NAOHW_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Those of NAO's documentation; 0: everything is ok */
enum fault_level {
	FAULT_COMMENT = 1,
	FAULT_LIGHT_WARNING,
	FAULT_WARNING,
	FAULT_ERROR,
	FAULT_BAD,	  /* on the main feature */
	FAULT_FATAL,	  /* but it can still be used in a bad way */
	FAULT_NOT_USABLE, /* as with no answer */
};

/* By the clock that never jumps, and by the one that people go by, since 1970; both in ns. */
struct fault_time {
	int64_t monotonic;
	int64_t real;
};

struct fault;

/* Sorted, the newest first; a zero one is empty. Its user has the lock. */
struct faults {
	struct fault *list; /* NULL: there has never been one */
	size_t count;
};

/*
 * One more, or the same again, which within a second is still the same and keeps its time; of too
 * many the oldest goes. Where there is no memory it is lost.
 */
void faults_add(struct faults *faults, const struct fault_time *now, enum fault_level level,
		const char *text);

/*
 * "TIME LEVEL TEXT; ...", the time in seconds since 1970: those that are not too old, by the
 * monotonic @now, and fit in whole, the newest in any case.
 */
void faults_print(const struct faults *faults, int64_t now, char *text, size_t size);

void faults_free(struct faults *faults);

/*
 * What a servo of the name @label says, in the kernel's words with blanks between them: each as it
 * is to be told.
 */
void faults_add_words(struct faults *faults, const struct fault_time *now, const char *label,
		      const char *words);

#endif
