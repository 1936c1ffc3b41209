/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keys whose texts the host of a DCM gives. Whoever gives one and the cycle that shows it never
 * wait for each other: of three places one is the giver's and one the cycle's, and the third is
 * what they exchange.
 */
#ifndef NAOHW_DCM_TEXTS_H
#define NAOHW_DCM_TEXTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <naohw.h>

#include "../store/store.h"

#define TEXTS_MAX      128
#define TEXT_NAME_SIZE 128 /* with its NUL */

/* Which there are to be */
struct text_names {
	char (*name)[TEXT_NAME_SIZE];
	size_t count;
};

struct text {
	const char *name;
	size_t slot; /* in the store */
	char place[3][NAOHW_TEXT_SIZE];
	unsigned int given;  /* the place of who gives one */
	unsigned int shown;  /* the cycle's */
	atomic_uint between; /* the third, and whether its text is a new one */
};

struct texts {
	pthread_mutex_t lock; /* of those who give them */
	struct text *list;
	size_t count;
};

/* Return: 0; -EINVAL; -EEXIST; -ENOSPC; -ENOMEM. */
int text_names_add(struct text_names *names, const char *name);
void text_names_free(struct text_names *names);

/* Return: 0 or -ENOMEM. */
int texts_begin(struct texts *texts, const struct text_names *names);
void texts_end(struct texts *texts);

/* For the store: into room for TEXTS_MAX. And where they are in it then. */
size_t texts_keys(const struct texts *texts, struct store_key *keys);
void texts_find(struct texts *texts, const struct naohw_store *store);

/* Any thread but the cycle's. Return: 0 or -ENOENT. */
int texts_give(struct texts *texts, const char *name, const char *text);

/* The cycle's: put them into the store, as of a time in ns. */
void texts_show(struct texts *texts, struct naohw_store *store, int64_t time);

#endif
