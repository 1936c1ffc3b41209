// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ends that could not come, since the host was to begin anew: it has none of its programs then, and
 * those that come back take what they held. Of the others joints would stay stiff for good.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

struct owed {
	struct owed *next;
	enum lease_end end;
	double seconds;
	size_t count;
	struct {
		char *name; /* of an actuator, as the next host may have others */
		double rest;
	} list[];
};

/* ---- the host that ends ---- */

void lease_owe(struct leases *leases, struct leasehold *lease)
{
	lease->next = NULL;
	if (lease->end == LEASE_HOLD)
		free(lease);
	else
		*lease_list_end(&leases->owed) = lease;
}

void owed_free(struct owed *owed)
{
	while (owed) {
		struct owed *next = owed->next;

		for (size_t i = 0; i < owed->count; i++)
			free(owed->list[i].name);
		free(owed);
		owed = next;
	}
}

static struct owed *owe(const struct leases *leases, const struct leasehold *lease)
{
	struct owed *owed = calloc(1, sizeof(*owed) + lease->count * sizeof(owed->list[0]));

	if (!owed)
		return NULL;
	owed->end = lease->end;
	owed->seconds = lease->seconds;
	for (size_t i = 0; i < lease->count; i++) {
		owed->list[i].name = strdup(leases->table[lease->list[i].actuator].name);
		owed->list[i].rest = lease->list[i].rest;
		if (!owed->list[i].name)
			break;
		owed->count++;
	}
	return owed;
}

/* Return: where the next one goes. */
static struct owed **add_all(const struct leases *leases, const struct leasehold *lease,
			     struct owed **place)
{
	for (; lease; lease = lease->next) {
		if (lease->end == LEASE_HOLD)
			continue;
		*place = owe(leases, lease);
		if (!*place)
			break;
		place = &(*place)->next;
	}
	return place;
}

/* Also those that had no room */
struct owed *leases_owed(const struct leases *leases)
{
	struct owed *owed = NULL, **place = &owed;

	if (!leases)
		return NULL;
	place = add_all(leases, leases->owed, place);
	(void)add_all(leases, leases->ended, place);
	return owed;
}

/* ---- the one that begins ---- */

static struct leasehold *make(const struct leases *leases, const struct owed *owed)
{
	struct leasehold *lease = calloc(1, sizeof(*lease) + owed->count * sizeof(lease->list[0]));

	if (!lease)
		return NULL;
	lease->end = owed->end;
	lease->seconds = owed->seconds;
	for (size_t i = 0; i < owed->count; i++) {
		const struct held *held = table_find(leases, owed->list[i].name);

		if (held)
			lease->list[lease->count++] = (struct leased){
				.actuator = (size_t)(held - leases->table),
				.rest = owed->list[i].rest,
			};
	}
	return lease;
}

void leases_owe(struct leases *leases, struct owed *owed)
{
	struct leasehold **place = lease_list_end(&leases->owed);

	for (const struct owed *each = owed; each; each = each->next) {
		*place = make(leases, each);
		if (!*place)
			break;
		place = &(*place)->next;
	}
	owed_free(owed);
}

static void leave_out_used(const struct leases *leases, struct leasehold *lease)
{
	size_t count = 0;

	for (size_t i = 0; i < lease->count; i++)
		if (!leases->table[lease->list[i].actuator].used)
			lease->list[count++] = lease->list[i];
	lease->count = count;
}

void leases_look_at_owed(struct leases *leases)
{
	if (!leases->owed || leases->only_hold)
		return;
	if (!leases->owed_at)
		leases->owed_at = naohw_dcm_get_time(leases->dcm, LEASE_OWED_TIME);
	if (naohw_dcm_get_time(leases->dcm, 0) < leases->owed_at)
		return;
	log_line("what programs held and have not taken again is brought to its end");
	for (struct leasehold *lease = leases->owed; lease; lease = lease->next)
		leave_out_used(leases, lease);
	*lease_list_end(&leases->ended) = leases->owed;
	leases->owed = NULL;
	leases->owed_at = 0;
}
