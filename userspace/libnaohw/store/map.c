// SPDX-License-Identifier: LGPL-2.1-or-later
/* A store's memory as this process sees it, after it was looked at. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/base.h"
#include "inside.h"

static int refuse(const char *fault, struct naohw_error *err)
{
	return fail(err, -EINVAL, "the store cannot be used: %s", fault);
}

/*
 * One after the other, as they were written: if they overlapped, so few bytes could be so many
 * long names that to read them takes minutes.
 */
static bool follows(const struct names *names, uint32_t at)
{
	const char *last;

	if (names->count == 0)
		return at == 0;
	last = names->name[names->count - 1];
	return at == (size_t)(last - names->text) + strlen(last) + 1;
}

static int take_slot(struct naohw_store *store, const struct store_entry *entry,
		     struct naohw_error *err)
{
	struct slot *slot = &store->slot[store->names.count];
	const char *fault = layout_entry_fault(&store->counts, entry);

	if (fault)
		return refuse(fault, err);
	slot->type = (enum naohw_key_type)entry->type;
	slot->constant = entry->constant;
	slot->at = entry->at;
	if (!follows(&store->names, entry->name))
		return refuse("its names do not follow one another", err);
	if (names_add(&store->names, entry->name) < 0)
		return refuse("two keys have the same name", err);
	return 0;
}

static int take_slots(struct naohw_store *store, struct naohw_error *err)
{
	const char *memory = store->memory;
	int ret = names_init(&store->names, memory + store->layout.names, store->counts.names,
			     store->counts.slots);

	store->slot = calloc(store->counts.slots + 1u, sizeof(*store->slot));
	if (ret < 0 || !store->slot)
		return fail(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < store->counts.slots; i++) {
		struct store_entry entry;

		/* A copy, which nobody changes after it was looked at */
		memcpy(&entry, memory + store->layout.entries + i * sizeof(entry), sizeof(entry));
		ret = take_slot(store, &entry, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int take_header(struct naohw_store *store, struct naohw_error *err)
{
	struct store_header header;
	const char *fault;

	memcpy(&header, store->memory, offsetof(struct store_header, published));
	fault = layout_fault(&header, store->size);
	if (fault)
		return refuse(fault, err);
	store->counts = header.counts;
	store->layout = layout_of(&header.counts);
	return 0;
}

int store_map(struct naohw_store *store, int protection, struct naohw_error *err)
{
	/* No cycle is to be the first one that touches a page. */
	store->memory = mmap(NULL, store->size, protection, MAP_SHARED | MAP_POPULATE, store->fd, 0);
	if (store->memory == MAP_FAILED) {
		int ret = -errno;

		store->memory = NULL;
		return fail(err, ret, "cannot map the store: %s", error_text(ret));
	}
	store->header = store->memory;
	return 0;
}

int store_look(struct naohw_store *store, struct naohw_error *err)
{
	int ret = take_header(store, err);

	return ret < 0 ? ret : take_slots(store, err);
}

void store_free(struct naohw_store *store)
{
	if (store->memory)
		munmap(store->memory, store->size);
	if (store->fd >= 0)
		close(store->fd);
	names_free(&store->names);
	free(store->slot);
	free(store->staged);
	free(store);
}
