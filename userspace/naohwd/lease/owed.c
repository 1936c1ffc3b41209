// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ends that could not come, or had not come yet, since the host was to begin anew: it has none of its
 * programs then, and those that come back take what they held. Of the others joints would stay stiff
 * for good.
 *
 * In a host they are leases of nobody, in leases->owed, and go with it. Between two hosts they are a
 * struct owed, which knows actuators by name and belongs to who closes the one and opens the other.
 * All of it is the loop's thread's, as all of leases is, and needs no lock.
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

/* ---- what is used meanwhile ---- */

/* Who only says where a joint is to be needs it as stiff as it is. */
static bool is_used(const struct leases *leases, const struct held *held)
{
	const struct held *part = table_other_part(leases, held);

	return held->used || (part && part->used);
}

static void leave_out_used_of(const struct leases *leases, struct leasehold *lease)
{
	size_t count = 0;

	for (size_t i = 0; i < lease->count; i++)
		if (!is_used(leases, &leases->table[lease->list[i].actuator]))
			lease->list[count++] = lease->list[i];
	lease->count = count;
}

static void leave_out_used(struct leases *leases)
{
	struct leasehold **place = &leases->owed;

	while (*place) {
		struct leasehold *lease = *place;

		leave_out_used_of(leases, lease);
		if (lease->count) {
			place = &lease->next;
			continue;
		}
		*place = lease->next;
		free(lease);
	}
}

/* ---- the host that ends ---- */

/* When joints are there that begin now. */
static int64_t over_at(const struct leases *leases, const struct leasehold *lease)
{
	double seconds = 0;

	if (lease->end == LEASE_SOFTEN)
		seconds = lease->seconds;
	else if (lease->end == LEASE_REST)
		seconds = lease->seconds + LEASE_SECONDS;
	return naohw_dcm_get_time(leases->dcm, (int64_t)(seconds * MS_PER_S));
}

void lease_note_end(struct leases *leases, const struct leasehold *lease)
{
	struct under_way under_way = {
		.number = lease->is_lolas ? 0 : ++leases->ends,
		.end = lease->end,
		.seconds = lease->seconds,
		.over = over_at(leases, lease),
		.was_alone = lease->is_exclusive,
		.uses = leases->uses,
	};

	for (size_t i = 0; i < lease->count; i++) {
		struct held *held = &leases->table[lease->list[i].actuator];

		/* What is in another one is left to that. */
		if (held->count)
			continue;
		under_way.rest = lease->list[i].rest;
		held->under_way = under_way;
	}
	if (under_way.over > leases->ends_over)
		leases->ends_over = under_way.over;
	/* See leases_joint_end(). */
	if (under_way.was_alone)
		leases->changes++;
}

static bool is_under_way(const struct leases *leases, const struct held *held)
{
	return held->under_way.number && held->used <= held->under_way.uses &&
	       naohw_dcm_get_time(leases->dcm, 0) < held->under_way.over;
}

static int64_t end_of(const struct leases *leases, const struct held *held)
{
	return held && held->under_way.was_alone && is_under_way(leases, held) ?
		       held->under_way.over :
		       0;
}

int64_t leases_joint_end(const struct leases *leases, const char *label)
{
	int64_t position = end_of(leases, table_joint(leases, label, POSITION));
	int64_t hardness = end_of(leases, table_joint(leases, label, HARDNESS));

	return position > hardness ? position : hardness;
}

/* With all that are of the same end as this one, which are under way no longer. */
static struct leasehold *make_of_end(struct leases *leases, const struct held *first)
{
	const struct under_way end = first->under_way;
	struct leasehold *lease = lease_new(leases, end.end, end.seconds);

	if (!lease)
		return NULL;
	for (size_t i = 0; i < leases->count; i++) {
		struct held *held = &leases->table[i];

		if (held->under_way.number != end.number || !is_under_way(leases, held))
			continue;
		lease->list[lease->count++] =
			(struct leased){ .actuator = i, .rest = held->under_way.rest };
		held->under_way.number = 0;
	}
	return lease;
}

static void owe_under_way(struct leases *leases)
{
	for (size_t i = 0; i < leases->count; i++) {
		struct leasehold *lease;

		if (!is_under_way(leases, &leases->table[i]))
			continue;
		lease = make_of_end(leases, &leases->table[i]);
		if (lease)
			lease_owe(leases, lease);
	}
}

void leases_owe_ends(struct leases *leases)
{
	leave_out_used(leases);
	owe_under_way(leases);
}

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

	place = add_all(leases, leases->owed, place);
	(void)add_all(leases, leases->ended, place);
	return owed;
}

/* ---- the one that begins ---- */

static struct leasehold *make(const struct leases *leases, const struct owed *owed)
{
	struct leasehold *lease = lease_new(leases, owed->end, owed->seconds);

	if (!lease)
		return NULL;
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

void leases_look_at_owed(struct leases *leases)
{
	if (!leases->owed || leases->only_hold)
		return;
	if (!leases->owed_at)
		leases->owed_at = naohw_dcm_get_time(leases->dcm, LEASE_OWED_TIME);
	if (naohw_dcm_get_time(leases->dcm, 0) < leases->owed_at)
		return;
	leave_out_used(leases);
	if (leases->owed)
		log_line("what programs held and have not taken again is brought to its end");
	*lease_list_end(&leases->ended) = leases->owed;
	leases->owed = NULL;
	leases->owed_at = 0;
}
