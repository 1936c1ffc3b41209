/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The store, for the rooms above: who makes one, and what fills it. What reads it is in
 * naohw.h. One thread puts values in and publishes them; readers never wait for it.
 */
#ifndef NAOHW_STORE_H
#define NAOHW_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

struct store_key {
	const char *name;
	enum naohw_key_type type;
	bool constant; /* put once, before others know of the store */
};

/* What puts values in at each publishing; it is part of something larger. */
struct store_source {
	void (*update)(struct store_source *source, struct naohw_store *store);
	void (*free)(struct store_source *source);
};

/*
 * A store with a slot for each key, in their order, all absent. Names are copied; no two are
 * the same. -EINVAL: too many keys; or why there is no memory that can be shared.
 */
int store_create(const struct store_key *keys, size_t count, struct naohw_store **store,
		 struct naohw_error *err);

/* The store's own from now on: it goes with it. */
void store_set_source(struct naohw_store *store, struct store_source *source);

/*
 * Who made the store publishes by store_publish() alone, as naohw_store_publish() does; of others,
 * who have it to read, that is refused from now on.
 */
void store_reserve(struct naohw_store *store);
void store_publish(struct naohw_store *store);

/* Before it is closed: whoever waits in this process is told -ESHUTDOWN, now and from now on. */
void store_end_waits(struct naohw_store *store);

/*
 * A value for a slot of a store of our own, whose type it has whatever @value says. Seen from
 * the next publishing on; of a constant at once. A text is cut after NAOHW_TEXT_SIZE - 1.
 */
void store_put(struct naohw_store *store, size_t slot, const struct naohw_value *value);

/*
 * Have an attached store show what another one has, whose descriptor @fd is, as its writer has been
 * begun anew: slots keep their numbers, and whoever reads it goes on. One thread at a time.
 * Return: 0; -ESTALE its slots are others; or as naohw_store_attach(). What fails changes nothing.
 */
int store_follow(struct naohw_store *store, int fd, struct naohw_error *err);

/*
 * What is made of several values is as good as the worst of them: what is missing is worse than
 * what is old, and that than what is faulty.
 */
bool state_is_worse(enum naohw_state state, enum naohw_state than);

bool snapshot_is_of(const struct naohw_snapshot *snapshot, const struct naohw_store *store);

/* Make @number the value's, of whatever kind of numbers its slot is. */
void store_number(struct naohw_value *value, double number);
/* Make @text the value's. What does not fit is cut: it is for people. */
void store_text(struct naohw_value *value, const char *text);

#endif
