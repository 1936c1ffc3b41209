// SPDX-License-Identifier: LGPL-2.1-or-later
/* Those who read, of any thread and of any process. */
#include <errno.h>
#include <monotonic.h>

#include "inside.h"

#define NS_PER_MS 1000000u

int naohw_store_fd(const struct naohw_store *store)
{
	return store->fd;
}

uint64_t naohw_store_generation(const struct naohw_store *store)
{
	return word_read(&store->header->generation);
}

uint64_t naohw_store_sequence(const struct naohw_store *store)
{
	return store_count(store, store_newest(store));
}

int naohw_store_check(const struct naohw_store *store, unsigned int limit_ms)
{
	uint64_t beat = word_read(&store->header->heartbeat);

	if (beat == 0)
		return -ESHUTDOWN;
	/* One of the future, which nobody in his right mind writes, is too old as well. */
	if ((uint64_t)monotonic_ns() - beat > (uint64_t)limit_ms * NS_PER_MS)
		return -EOWNERDEAD;
	return 0;
}

size_t naohw_store_slot_count(const struct naohw_store *store)
{
	return store->counts.slots;
}

const char *naohw_store_name(const struct naohw_store *store, size_t slot)
{
	return slot < store->counts.slots ? store->names.name[slot] : NULL;
}

int naohw_store_find(const struct naohw_store *store, const char *name, size_t *slot)
{
	int number = names_find(&store->names, name);

	if (number < 0)
		return number;
	*slot = (size_t)number;
	return 0;
}

static void read_words(const store_word *from, uint32_t count, uint64_t *words)
{
	for (uint32_t i = 0; i < count; i++)
		words[i] = word_read(&from[i]);
}

static int read_slot(const struct naohw_store *store, const struct slot *slot, uint64_t *words)
{
	uint32_t count = layout_words(slot->type);

	if (slot->constant) {
		read_words(constants_of(store) + slot->at, count, words);
		return 0;
	}
	for (unsigned int i = 0; i < STORE_TRIES; i++) {
		uint64_t sequence = store_newest(store);

		read_words(frame_of(store, sequence) + slot->at, count, words);
		if (!store_lapped(store, sequence))
			return 0;
	}
	return -EAGAIN;
}

int naohw_store_read(const struct naohw_store *store, size_t slot, struct naohw_value *value)
{
	uint64_t words[WORDS_MAX];
	int ret;

	if (slot >= store->counts.slots)
		return -EINVAL;
	ret = read_slot(store, &store->slot[slot], words);
	if (ret < 0)
		return ret;
	value_from_words(store->slot[slot].type, words, value);
	return 0;
}
