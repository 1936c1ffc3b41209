/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys as people name them: by the full name, or without "Device/SubDeviceList/" in front, or
 * "/Value" at the end; or many at once by a pattern, in which "*" stands for "/" too.
 */
#ifndef NAOHW_KEYS_H
#define NAOHW_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

struct named_key {
	struct naohw_key *key;
	size_t argument; /* which has named it */
};

/* Begins as { 0 }. */
struct keys {
	struct named_key *at;
	size_t count;
	size_t details_left_out;
};

/* What patterns are to match. A name without a pattern, or one at a pattern's end, is meant. */
struct match {
	bool all;	/* wiring too, which is ours: naohw_key_is_wiring(); and what follows */
	bool details;	/* Min, Ack and their like also where a "*" stands for whole sub-devices */
	bool uncounted; /* no Ack, Nack and Error, which each question may change */
	bool to_be_set; /* only what can be set */
	bool may_lack;	/* a pattern need not match any */
};

bool is_pattern(const char *name);

/*
 * Add the keys that the argument at @index names, of a pattern all that it is to match, sorted by
 * name. false: there is none; complained.
 */
bool keys_add(struct keys *keys, const struct naohw_robot *robot, char *const *arguments,
	      size_t index, const struct match *match);

/* The same for all of @count arguments. */
bool keys_add_all(struct keys *keys, const struct naohw_robot *robot, char *const *arguments,
		  size_t count, const struct match *match);

void keys_free(struct keys *keys);

/* A key's name as people write it: without prefix and "/Value". */
void short_name(const char *name, char *text, size_t size);

#endif
