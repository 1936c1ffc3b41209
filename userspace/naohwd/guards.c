// SPDX-License-Identifier: GPL-2.0-or-later
#include "guards.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "guard_words.h"
#include "monotonic.h"

/* A loose contact is told once a minute, and not each time; what lasts longer is told then. */
#define AGAIN_NS ((int64_t)60 * 1000000000)
/* At most so many names in a line */
#define NAMES	 6

struct guard {
	size_t slot;
	const char *label;
	enum guard_reason now;
	bool is_told; /* that */
	bool is_news;
	int64_t told_at[GUARD_REASONS]; /* 0: never */
};

struct guards {
	const struct naohw_store *store;
	struct guard *list;
	size_t count;
};

int guards_new(const struct naohw_dcm *dcm, struct guards **out, struct naohw_error *err)
{
	struct guards *guards = calloc(1, sizeof(*guards));
	size_t slots = 0;

	if (!guards)
		return trouble(err, -ENOMEM, "out of memory");
	guards->store = naohw_dcm_store(dcm);
	while (naohw_store_name(guards->store, slots))
		slots++;
	guards->list = calloc(slots + 1, sizeof(*guards->list));
	if (!guards->list) {
		guards_free(guards);
		return trouble(err, -ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < slots; i++) {
		const char *label = guard_label(naohw_store_name(guards->store, i));

		if (label)
			guards->list[guards->count++] = (struct guard){ .slot = i, .label = label };
	}
	*out = guards;
	return 0;
}

void guards_free(struct guards *guards)
{
	if (!guards)
		return;
	free(guards->list);
	free(guards);
}

/* ---- telling ---- */

static void look(const struct guards *guards, struct guard *guard, int64_t now)
{
	enum guard_reason before = guard->now;
	struct naohw_value value;
	int64_t told_at;

	if (naohw_store_read(guards->store, guard->slot, &value) == 0)
		guard->now = guard_reason(value.text);
	/* As programs have told it to be */
	if (guard->now == GUARD_NO_TORQUE)
		guard->now = GUARD_NONE;
	if (guard->now != before)
		guard->is_told = false;
	told_at = guard->told_at[guard->now];
	guard->is_news = guard->now && !guard->is_told && (!told_at || now - told_at >= AGAIN_NS);
}

/* All joints of one reason in one line */
static void tell(struct guards *guards, enum guard_reason reason, int64_t now)
{
	const struct naohw_reason *told = &guard_words[reason];
	char names[256] = "";
	size_t count = 0;

	for (size_t i = 0; i < guards->count; i++) {
		struct guard *guard = &guards->list[i];
		size_t length = strlen(names);

		if (!guard->is_news || guard->now != reason)
			continue;
		guard->is_told = true;
		guard->told_at[reason] = now;
		if (count++ < NAMES)
			snprintf(names + length, sizeof(names) - length, "%s%.32s",
				 length ? ", " : "", guard->label);
	}
	if (count > NAMES)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), " and %zu more",
			 count - NAMES);
	if (count)
		(told->is_fault ? log_warning : log_line)("%s: %s", names, told->what);
}

void guards_cycle(struct guards *guards)
{
	int64_t now = monotonic_ns();
	bool any = false;

	for (size_t i = 0; i < guards->count; i++) {
		look(guards, &guards->list[i], now);
		any |= guards->list[i].is_news;
	}
	for (int i = GUARD_REASONS - 1; any && i > GUARD_NONE; i--)
		tell(guards, (enum guard_reason)i, now);
}
