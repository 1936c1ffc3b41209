/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all rooms do alike: say errors, read texts and numbers in them, begin threads, and take no
 * more room than they need.
 */
#ifndef NAOHW_BASE_H
#define NAOHW_BASE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "../../common/digits.h"
#include "../../common/ends.h"
#include "../../common/nearest.h"
#include "../../common/plain.h"

/* Fill @err, which may be NULL, and return @code, so that "return fail(...)" reads well. */
int fail(struct naohw_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * errno as people know it, for messages: of a device, as the kernel's words for a bus are too
 * general, and of a file that is none.
 */
const char *error_text(int code);
const char *file_error_text(int code);

/*
 * Numbers as files have them: the user's locale, in which 0.5 may be none, plays no part.
 * Is the whole of @text a finite decimal number, without blanks and line ends?
 */
bool number_parse(const char *text, double *number);

/*
 * As snprintf(), or -ENOMEM: as number_write() does; or with six digits behind the point and no
 * exponent, as the kernel reads it.
 */
int number_print(char *text, size_t size, double number);
int number_print_fixed(char *text, size_t size, double number);

/* The nearest int; of what is beyond all of them the last one, and 0 of what is no number. */
int number_to_int(double number);

/* As much of @text as @size bytes have room for, with a NUL; it allocates nothing. */
void text_cut(char *to, size_t size, const char *text);

/* The same place from wherever it is looked for later on; to be freed. NULL: see errno. */
char *path_absolute(const char *path);

/*
 * Begin a thread of the library's own, that runs @run with @data: of a small stack, as all of it is
 * locked where a program is in real time, and without signals, which are for the program's own
 * threads. Return: 0 or a negative errno.
 */
int thread_begin(pthread_t *thread, void *(*run)(void *data), void *data);

/*
 * Of the room that malloc() gave, keep the first @size bytes, which are not 0, where they will be
 * from now on; what points into it does so no more.
 */
void *give_back(void *room, size_t size);

#endif
