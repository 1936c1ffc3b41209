// SPDX-License-Identifier: LGPL-2.1-or-later
/* A frame of a store, of which all values are of the same moment. */
#include <errno.h>
#include <stdlib.h>

#include "../base/base.h"
#include "inside.h"

struct naohw_snapshot {
	const struct naohw_store *store;
	uint64_t sequence;
	/* What is read goes into the other one: the last stays until there is a whole one. */
	uint64_t *words;
	uint64_t *other;
};

int naohw_snapshot_new(const struct naohw_store *store, struct naohw_snapshot **out,
		       struct naohw_error *err)
{
	struct naohw_snapshot *snapshot = calloc(1, sizeof(*snapshot));
	size_t words = store->counts.frame_words + 1u;

	if (!snapshot)
		return fail(err, -ENOMEM, "out of memory");
	snapshot->store = store;
	snapshot->words = calloc(words, sizeof(*snapshot->words));
	snapshot->other = calloc(words, sizeof(*snapshot->other));
	if (!snapshot->words || !snapshot->other) {
		naohw_snapshot_free(snapshot);
		return fail(err, -ENOMEM, "out of memory");
	}
	*out = snapshot;
	return 0;
}

void naohw_snapshot_free(struct naohw_snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->other);
	free(snapshot->words);
	free(snapshot);
}

/* Is it whole? */
static bool copy(struct naohw_snapshot *snapshot, uint64_t sequence)
{
	const struct naohw_store *store = snapshot->store;
	const store_word *frame = frame_of(store, sequence);

	for (uint32_t i = 0; i < store->counts.frame_words; i++)
		snapshot->other[i] = word_read(&frame[i]);
	return !store_lapped(store, sequence);
}

static void turn(struct naohw_snapshot *snapshot, uint64_t sequence)
{
	uint64_t *old = snapshot->words;

	snapshot->words = snapshot->other;
	snapshot->other = old;
	snapshot->sequence = store_count(snapshot->store, sequence);
}

int naohw_snapshot_take(struct naohw_snapshot *snapshot)
{
	for (unsigned int i = 0; i < STORE_TRIES; i++) {
		uint64_t sequence = store_newest(snapshot->store);

		if (!copy(snapshot, sequence))
			continue;
		turn(snapshot, sequence);
		return 0;
	}
	return -EAGAIN;
}

bool snapshot_is_of(const struct naohw_snapshot *snapshot, const struct naohw_store *store)
{
	return snapshot->store == store;
}

uint64_t naohw_snapshot_sequence(const struct naohw_snapshot *snapshot)
{
	return snapshot->sequence;
}

int naohw_snapshot_get(const struct naohw_snapshot *snapshot, size_t index,
		       struct naohw_value *value)
{
	const struct naohw_store *store = snapshot->store;

	if (index >= store->counts.slots)
		return -EINVAL;
	if (store->slot[index].constant)
		return naohw_store_read(store, index, value);
	value_from_words(store->slot[index].type, snapshot->words + store->slot[index].at, value);
	return 0;
}
