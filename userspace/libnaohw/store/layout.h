/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A store in memory, as all processes see it. In this order, each from a multiple of LINE on:
 * the header; an entry for each slot; their names, each with its NUL; the words of the
 * constants; STORE_FRAMES frames, of which each has the words of all other slots.
 *
 * Words are written by one thread, and read by others at the same time: all of them
 * atomic. What is not atomic is written before anybody else knows of the store.
 */
#ifndef NAOHW_STORE_LAYOUT_H
#define NAOHW_STORE_LAYOUT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

/* "naohwSTO" where the least byte is first; the other way round it is none of ours. */
#define STORE_MAGIC    0x4f5453776876616eu
#define STORE_VERSION  2
/* A reader has the time of all but one of them before its frame is written over. */
#define STORE_FRAMES   8
#define STORE_LINE     64
#define STORE_SLOTS    32768 /* at most */
#define STORE_NAMES    (1u << 22)
#define STORE_SIZE     (1u << 25) /* more than all that takes */

/* Of a slot: when, in which state, and a number or a text */
#define WORD_TIME      0
#define WORD_STATE     1
#define WORD_VALUE     2
#define NUMBER_WORDS   (WORD_VALUE + 1)
#define TEXT_WORDS     (WORD_VALUE + NAOHW_TEXT_SIZE / 8)
#define WORDS_MAX      TEXT_WORDS

typedef _Atomic uint64_t store_word;
typedef _Atomic uint32_t store_bell; /* as long as what a futex is */

/* With a lock in each word a reader would wait after all, and one that may not write fault. */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "words of 64 bits are atomic without a lock");
_Static_assert(sizeof(store_word) == sizeof(uint64_t), "a word is no longer than its value");
_Static_assert(sizeof(store_bell) == sizeof(uint32_t), "nor is what others sleep at");

struct store_counts {
	uint32_t slots;
	uint32_t names;		 /* bytes */
	uint32_t constant_words;
	uint32_t frame_words;
};

struct store_header {
	uint64_t magic;
	uint32_t version;
	uint32_t frames;
	uint64_t size; /* of all */
	store_word generation;
	struct store_counts counts;
	/* From here on it changes. */
	_Alignas(STORE_LINE) store_word published; /* the newest frame, numbered from generation on */
	store_word heartbeat;			   /* ns of CLOCK_MONOTONIC; 0: closed */
	store_bell bell; /* another one after each publishing, and at the end */
};

struct store_entry {
	uint32_t name; /* its first byte in the names */
	uint32_t type; /* enum naohw_key_type */
	uint32_t constant;
	uint32_t at; /* its first word in the constants, or in a frame */
};

/* Where all that is, in bytes */
struct store_layout {
	size_t entries;
	size_t names;
	size_t constants;
	size_t frames;
	size_t frame_size;
	size_t size;
};

struct store_layout layout_of(const struct store_counts *counts);

/* Words of a slot of this type; 0: there is no such type. */
uint32_t layout_words(uint32_t type);

/* What keeps it from being a store of @size bytes, in a few words; NULL: nothing. */
const char *layout_fault(const struct store_header *header, uint64_t size);

/* The same of an entry. */
const char *layout_entry_fault(const struct store_counts *counts, const struct store_entry *entry);

#endif
