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

bool table_needs_its_program(const struct held *held)
{
	return text_ends_with(held->name, SPEED) || text_ends_with(held->name, TONE);
}

const char *const table_parts[TABLE_PARTS] = { POSITION, SPEED, HARDNESS };

/* What a joint or wheel is moved by is one part, and its hardness the other. */
struct held *table_other_part(const struct leases *leases, const struct held *held)
{
	bool is_hardness = text_ends_with(held->name, HARDNESS);
	struct held *other = NULL;
	char label[NAME_SIZE];
	size_t i = 0;

	while (i < TABLE_PARTS && !text_ends_with(held->name, table_parts[i]))
		i++;
	if (i == TABLE_PARTS)
		return NULL;
	snprintf(label, sizeof(label), "%.*s", (int)(strlen(held->name) - strlen(table_parts[i])),
		 held->name);
	if (!is_hardness)
		return table_joint(leases, label, HARDNESS);
	other = table_joint(leases, label, POSITION);
	return other ? other : table_joint(leases, label, SPEED);
}

static int want_joint(struct leases *leases, const char *label)
{
	int count = 0;

	for (size_t i = 0; i < TABLE_PARTS; i++) {
		struct held *held = table_joint(leases, label, table_parts[i]);

		if (!held)
			continue;
		held->is_wanted = true;
		count++;
	}
	return count;
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
