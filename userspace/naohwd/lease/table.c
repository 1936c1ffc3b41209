// SPDX-License-Identifier: GPL-2.0-or-later
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ends.h>

#define NAME_SIZE 256

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct held *)a)->name, ((const struct held *)b)->name);
}

/* Each has a value in the store, by which it can be found. */
int table_fill(struct leases *leases)
{
	const struct naohw_store *store = naohw_dcm_store(leases->dcm);
	size_t slots = naohw_store_slot_count(store);

	leases->table = calloc(slots, sizeof(*leases->table));
	leases->names = calloc(slots, sizeof(*leases->names));
	if (!leases->table || !leases->names)
		return -ENOMEM;
	for (size_t slot = 0; slot < slots; slot++) {
		struct held *held = &leases->table[leases->count];

		held->slot = slot;
		if (naohw_dcm_get_actuators(leases->dcm, naohw_store_name(store, slot), &held->name,
					    1) == 1)
			leases->count++;
	}
	qsort(leases->table, leases->count, sizeof(*leases->table), compare);
	return 0;
}

struct held *table_find(const struct leases *leases, const char *name)
{
	const struct held wanted = { .name = name };

	return bsearch(&wanted, leases->table, leases->count, sizeof(*leases->table), compare);
}

struct held *table_joint(const struct leases *leases, const char *label, const char *part)
{
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%s%s", label, part);
	return table_find(leases, name);
}

struct held *table_other_part(const struct leases *leases, const struct held *held)
{
	bool is_position = text_ends_with(held->name, POSITION);
	const char *part = is_position ? POSITION : HARDNESS;
	char label[NAME_SIZE];

	if (!text_ends_with(held->name, part))
		return NULL;
	snprintf(label, sizeof(label), "%.*s", (int)(strlen(held->name) - strlen(part)),
		 held->name);
	return table_joint(leases, label, is_position ? HARDNESS : POSITION);
}

static int want_joint(struct leases *leases, const char *label)
{
	struct held *position = table_joint(leases, label, POSITION);
	struct held *hardness = table_joint(leases, label, HARDNESS);

	if (position)
		position->is_wanted = true;
	if (hardness)
		hardness->is_wanted = true;
	return !!position + !!hardness;
}

int table_want(struct leases *leases, const char *name)
{
	int count = want_joint(leases, name);

	if (count)
		return count;
	count = naohw_dcm_get_actuators(leases->dcm, name, leases->names, leases->count);
	for (int i = 0; i < count; i++)
		table_find(leases, leases->names[i])->is_wanted = true;
	return count;
}

void table_want_nothing(struct leases *leases)
{
	for (size_t i = 0; i < leases->count; i++)
		leases->table[i].is_wanted = false;
}
