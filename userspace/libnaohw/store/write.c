// SPDX-License-Identifier: LGPL-2.1-or-later
/* The one who writes: what a store is made of, values, and publishing them. */
#include <errno.h>
#include <fcntl.h>
#include <monotonic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/base.h"
#include "inside.h"

static struct store_counts count_all(const struct store_key *keys, size_t count)
{
	struct store_counts counts = { .slots = (uint32_t)count };

	for (size_t i = 0; i < count; i++) {
		uint32_t words = layout_words(keys[i].type);

		counts.names += (uint32_t)strlen(keys[i].name) + 1;
		if (keys[i].constant)
			counts.constant_words += words;
		else
			counts.frame_words += words;
	}
	return counts;
}

/* Nobody writes to it after the mapping that is there, and nobody makes it shorter. */
static int seal(int fd, struct naohw_error *err)
{
	if (fcntl(fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0)
		return 0;
	return fail(err, -errno, "cannot seal the store's memory: %s", error_text(-errno));
}

static int make_memory(struct naohw_store *store, struct naohw_error *err)
{
	int ret;

	store->fd = memfd_create("naohw-store", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (store->fd < 0 || ftruncate(store->fd, (off_t)store->size) < 0)
		return fail(err, -errno, "no memory for the store: %s", error_text(-errno));
	ret = store_map(store, PROT_READ | PROT_WRITE, err);
	return ret < 0 ? ret : seal(store->fd, err);
}

static void write_entries(struct naohw_store *store, const struct store_key *keys)
{
	struct store_entry *entry =
		(struct store_entry *)((char *)store->memory + store->layout.entries);
	char *names = (char *)store->memory + store->layout.names;
	uint32_t name = 0, constant = 0, other = 0;

	for (uint32_t i = 0; i < store->counts.slots; i++) {
		uint32_t *next = keys[i].constant ? &constant : &other;

		entry[i] = (struct store_entry){ name, keys[i].type, keys[i].constant, *next };
		*next += layout_words(keys[i].type);
		strcpy(names + name, keys[i].name);
		name += (uint32_t)strlen(keys[i].name) + 1;
	}
}

static void write_header(struct naohw_store *store)
{
	struct store_header *header = store->header;
	/* A later store has a later one. */
	uint64_t generation = (uint64_t)monotonic_ns();

	header->magic = STORE_MAGIC;
	header->version = STORE_VERSION;
	header->frames = STORE_FRAMES;
	header->size = store->size;
	word_write(&header->generation, generation);
	header->counts = store->counts;
	word_write(&header->published, generation);
	word_write(&header->heartbeat, generation);
}

static int build(struct naohw_store *store, const struct store_key *keys, size_t count,
		 struct naohw_error *err)
{
	int ret;

	store->counts = count_all(keys, count);
	if (count > STORE_SLOTS || store->counts.names > STORE_NAMES)
		return fail(err, -EINVAL, "%zu keys, more than a store has slots for", count);
	store->layout = layout_of(&store->counts);
	store->size = store->layout.size;
	store->staged = calloc(store->counts.frame_words + 1u, sizeof(*store->staged));
	if (!store->staged)
		return fail(err, -ENOMEM, "out of memory");
	ret = make_memory(store, err);
	if (ret < 0)
		return ret;
	write_entries(store, keys);
	write_header(store);
	return store_look(store, err);
}

int store_create(const struct store_key *keys, size_t count, struct naohw_store **out,
		 struct naohw_error *err)
{
	struct naohw_store *store = calloc(1, sizeof(*store));
	int ret;

	if (!store)
		return fail(err, -ENOMEM, "out of memory");
	store->fd = -1;
	ret = build(store, keys, count, err);
	if (ret < 0) {
		store_free(store);
		return ret;
	}
	*out = store;
	return 0;
}

void store_set_source(struct naohw_store *store, struct store_source *source)
{
	store->source = source;
}

static void put_constant(struct naohw_store *store, const struct slot *slot, const uint64_t *words)
{
	for (uint32_t i = 0; i < layout_words(slot->type); i++)
		word_write(&constants_of(store)[slot->at + i], words[i]);
}

void store_put(struct naohw_store *store, size_t index, const struct naohw_value *value)
{
	const struct slot *slot = &store->slot[index];
	uint64_t words[WORDS_MAX];

	value_to_words(slot->type, value, words);
	if (slot->constant)
		put_constant(store, slot, words);
	else
		memcpy(store->staged + slot->at, words, layout_words(slot->type) * sizeof(*words));
}

static void publish(struct naohw_store *store)
{
	uint64_t next = store_newest(store) + 1;
	store_word *frame = frame_of(store, next);
	/* What is written may be these for all that the compiler knows. */
	const uint64_t *staged = store->staged;
	const uint32_t words = store->counts.frame_words;

	for (uint32_t i = 0; i < words; i++)
		word_write(&frame[i], staged[i]);
	word_write(&store->header->published, next);
	word_write(&store->header->heartbeat, (uint64_t)monotonic_ns());
	store_ring(store);
}

void store_publish(struct naohw_store *store)
{
	if (store->source)
		store->source->update(store->source, store);
	publish(store);
}

void store_reserve(struct naohw_store *store)
{
	store->is_reserved = true;
}

int naohw_store_publish(struct naohw_store *store)
{
	if (!store->staged || store->is_reserved)
		return -EBADF;
	store_publish(store);
	return 0;
}

void naohw_store_close(struct naohw_store *store)
{
	if (!store)
		return;
	/* Whoever still reads it shall not have to wait to know that this is the end. */
	if (store->staged) {
		word_write(&store->header->heartbeat, 0);
		store_ring(store);
	}
	store_end_waits(store);
	if (store->source)
		store->source->free(store->source);
	store_free(store);
}
