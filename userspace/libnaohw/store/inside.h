/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A store as this process has it. */
#ifndef NAOHW_STORE_INSIDE_H
#define NAOHW_STORE_INSIDE_H

#include <stdbool.h>

#include "../../common/usage.h"
#include "layout.h"
#include "names.h"
#include "store.h"

struct slot {
	enum naohw_key_type type;
	bool constant;
	uint32_t at;
};

/*
 * What says where something is was checked and copied: another process, which may have
 * gone mad since, can give wrong values, but send nobody to where nothing is.
 */
struct naohw_store {
	int fd;
	void *memory;
	size_t size;
	struct store_header *header;
	struct store_counts counts;
	struct store_layout layout;
	struct slot *slot;
	struct names names;
	struct usage waits; /* of this process */
	/* Of the one who writes; else NULL */
	uint64_t *staged; /* a frame's words, as the next publishing has them */
	struct store_source *source;
	bool is_reserved; /* its owner alone publishes */
};

int store_map(struct naohw_store *store, int protection, struct naohw_error *err);

/* Check what is in a store's memory, and copy what says where something is. */
int store_look(struct naohw_store *store, struct naohw_error *err);
void store_free(struct naohw_store *store);

static inline store_word *constants_of(const struct naohw_store *store)
{
	return (store_word *)((char *)store->memory + store->layout.constants);
}

static inline store_word *frame_of(const struct naohw_store *store, uint64_t sequence)
{
	return (store_word *)((char *)store->memory + store->layout.frames +
			      sequence % STORE_FRAMES * store->layout.frame_size);
}

/*
 * The writer writes a frame over only after it has published the STORE_FRAMES - 1 that came
 * after it, in this order; and readers look how many were published after they have read
 * a frame. So who has read a word of a later frame also sees that it was lapped. That takes
 * a release in each word that is written, and an acquire in each that is read: fences would
 * do as well, but ThreadSanitizer knows none. On x86 both are plain moves.
 */
static inline void word_write(store_word *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_release);
}

static inline uint64_t word_read(const store_word *word)
{
	return atomic_load_explicit(word, memory_order_acquire);
}

/* The number of the newest frame; all of its words are there. */
static inline uint64_t store_newest(const struct naohw_store *store)
{
	return word_read(&store->header->published);
}

/*
 * How many frames that number says were published. Frames are numbered from the generation on, so
 * that no frame of a store has the number of one of another, whose memory may have been put in the
 * place of this (store_follow()): who reads meanwhile is lapped. Then there is no frame yet.
 */
static inline uint64_t store_count(const struct naohw_store *store, uint64_t frame)
{
	uint64_t generation = word_read(&store->header->generation);

	return frame > generation ? frame - generation : 0;
}

/* What was read of the frame @sequence until now may be of a later one. */
static inline bool store_lapped(const struct naohw_store *store, uint64_t sequence)
{
	return store_newest(store) - sequence >= STORE_FRAMES - 1;
}

/*
 * How often a reader that was lapped takes the newest frame instead. That happens to one that
 * was preempted for the time of STORE_FRAMES - 1 frames, or for ever to one that is slower than
 * those: it has to end.
 */
#define STORE_TRIES 16

/* The writer's: whoever waits for this looks again. */
void store_ring(struct naohw_store *store);

/* Between the words of a slot and a value */
void value_to_words(enum naohw_key_type type, const struct naohw_value *value, uint64_t *words);
void value_from_words(enum naohw_key_type type, const uint64_t *words, struct naohw_value *value);

#endif
