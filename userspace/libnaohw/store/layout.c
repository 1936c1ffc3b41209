// SPDX-License-Identifier: LGPL-2.1-or-later
#include "layout.h"

static size_t whole_lines(size_t bytes)
{
	return (bytes + STORE_LINE - 1) / STORE_LINE * STORE_LINE;
}

/* Counts within their bounds cannot overflow here, and others are not brought here. */
struct store_layout layout_of(const struct store_counts *counts)
{
	struct store_layout layout;

	layout.entries = whole_lines(sizeof(struct store_header));
	layout.names = layout.entries + whole_lines(counts->slots * sizeof(struct store_entry));
	layout.constants = layout.names + whole_lines(counts->names);
	layout.frames =
		layout.constants + whole_lines(counts->constant_words * sizeof(store_word));
	layout.frame_size = whole_lines(counts->frame_words * sizeof(store_word));
	layout.size = layout.frames + STORE_FRAMES * layout.frame_size;
	return layout;
}

uint32_t layout_words(uint32_t type)
{
	switch (type) {
	case NAOHW_KEY_FLOAT:
	case NAOHW_KEY_INT:
	case NAOHW_KEY_BOOL:
		return NUMBER_WORDS;
	case NAOHW_KEY_STRING:
		return TEXT_WORDS;
	default:
		return 0;
	}
}

const char *layout_fault(const struct store_header *header, uint64_t size)
{
	const struct store_counts *counts = &header->counts;
	uint32_t words = counts->slots * WORDS_MAX;

	if (header->magic != STORE_MAGIC)
		return "it is no store";
	if (header->version != STORE_VERSION || header->frames != STORE_FRAMES)
		return "it is of another version of the library";
	if (counts->slots > STORE_SLOTS || counts->names > STORE_NAMES)
		return "it has too many keys";
	if (counts->constant_words > words || counts->frame_words > words)
		return "its keys do not need so many words";
	if (header->size != size || layout_of(counts).size != size)
		return "its size is not that of what is in it";
	return NULL;
}

const char *layout_entry_fault(const struct store_counts *counts, const struct store_entry *entry)
{
	uint32_t end = entry->constant ? counts->constant_words : counts->frame_words;
	uint32_t words = layout_words(entry->type);

	if (entry->name >= counts->names)
		return "a key's name is outside of the names";
	if (!words)
		return "a key has a type that there is not";
	if (entry->at > end || words > end - entry->at)
		return "a key's value is outside of the values";
	return NULL;
}
