// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The end of a lease, as commands. All of a kind go as one alias, so that they are of one cycle; it
 * is made anew for each end, and has its place for good.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ends.h>

#include "table.h"

/* Some actuators of a lease, and for LEASE_REST what each of them has, now or then */
struct part {
	const char *alias;
	size_t count;
	const char **names;
	double *values; /* two of each */
};

struct parts {
	struct part hold; /* where they are */
	struct part rest; /* where they go */
	struct part hardness; /* what becomes 0 */
};

/* ---- what is in it ---- */

static int part_begin(struct part *part, const char *alias, size_t room)
{
	part->alias = alias;
	part->names = calloc(room, sizeof(*part->names));
	part->values = calloc(2 * room, sizeof(*part->values));
	return part->names && part->values ? 0 : -ENOMEM;
}

static void part_free(struct part *part)
{
	free(part->names);
	free(part->values);
}

static void part_add(struct part *part, const char *name, double now, double then)
{
	part->values[2 * part->count] = now;
	part->values[2 * part->count + 1] = then;
	part->names[part->count++] = name;
}

static double value_now(const struct leases *leases, const struct held *held)
{
	struct naohw_value value;

	if (naohw_store_read(naohw_dcm_store(leases->dcm), held->slot, &value) < 0 ||
	    !isfinite(value.number))
		return 0;
	return value.number;
}

/* The period is in force as long as a party asks for it, whoever holds its key. */
static bool is_period(const struct held *held)
{
	return strcmp(held->name, DCM_PERIOD) == 0;
}

/* Where the host ends nothing is to move. */
static enum lease_end end_of(const struct leases *leases, const struct leasehold *lease)
{
	return leases->only_hold ? LEASE_HOLD : lease->end;
}

static void sort(struct leases *leases, const struct leasehold *lease, struct parts *parts)
{
	enum lease_end end = end_of(leases, lease);

	for (size_t i = 0; i < lease->count; i++) {
		struct held *held = &leases->table[lease->list[i].actuator];
		double rest = lease->list[i].rest;

		if (held->count || is_period(held) || table_needs_its_program(held))
			continue;
		if (text_ends_with(held->name, HARDNESS))
			part_add(&parts->hardness, held->name, value_now(leases, held), 0);
		else if (end == LEASE_REST && isfinite(rest))
			part_add(&parts->rest, held->name, rest, rest);
		else
			part_add(&parts->hold, held->name, 0, 0);
	}
}

/* ---- commands ---- */

static int stay(struct naohw_dcm *dcm, const struct part *part)
{
	return naohw_dcm_set(dcm, part->alias, NAOHW_UPDATE_CLEAR_ALL, NULL, 0, NULL);
}

/* All of it to one value, @seconds from now. */
static int go(struct naohw_dcm *dcm, const struct part *part, double value, double seconds)
{
	const struct naohw_command command = {
		.value = value,
		.time = naohw_dcm_get_time(dcm, (int64_t)(seconds * MS_PER_S)),
	};

	return naohw_dcm_set(dcm, part->alias, NAOHW_UPDATE_CLEAR_ALL, &command, 1, NULL);
}

/* Each to the first of its values by @seconds, and to the second one LEASE_SECONDS later. */
static int go_both(struct naohw_dcm *dcm, const struct part *part, double seconds)
{
	const int64_t times[] = {
		naohw_dcm_get_time(dcm, (int64_t)(seconds * MS_PER_S)),
		naohw_dcm_get_time(dcm, (int64_t)((seconds + LEASE_SECONDS) * MS_PER_S)),
	};

	return naohw_dcm_set_separate(dcm, part->alias, NAOHW_UPDATE_CLEAR_ALL, 0, times, 2,
				      part->values, part->count, NULL);
}

static int end_hardness(struct leases *leases, const struct part *part,
			const struct leasehold *lease)
{
	struct naohw_dcm *dcm = leases->dcm;

	switch (end_of(leases, lease)) {
	case LEASE_HOLD:
		return stay(dcm, part);
	case LEASE_SOFTEN:
		return go(dcm, part, 0, lease->seconds);
	case LEASE_REST:
		return go_both(dcm, part, lease->seconds);
	case LEASE_FREE:
		return go(dcm, part, 0, 0);
	}
	return 0;
}

static int name_part(struct naohw_dcm *dcm, const struct part *part)
{
	return naohw_dcm_create_alias(dcm, part->alias, part->names, part->count, NULL, NULL);
}

/* Hardness first: it is what is safe, should there be no room for more. */
static int give(struct leases *leases, const struct parts *parts, const struct leasehold *lease)
{
	struct naohw_dcm *dcm = leases->dcm;
	int ret = 0;

	if (parts->hardness.count) {
		ret = name_part(dcm, &parts->hardness);
		if (ret == 0)
			ret = end_hardness(leases, &parts->hardness, lease);
	}
	if (ret == 0 && parts->rest.count) {
		ret = name_part(dcm, &parts->rest);
		if (ret == 0)
			ret = go_both(dcm, &parts->rest, lease->seconds);
	}
	if (ret == 0 && parts->hold.count) {
		ret = name_part(dcm, &parts->hold);
		if (ret == 0)
			ret = stay(dcm, &parts->hold);
	}
	return ret;
}

/* Return: 0; -EAGAIN the cycle has no room yet. */
static int end_now(struct leases *leases, const struct leasehold *lease)
{
	struct parts parts = { 0 };
	int ret = part_begin(&parts.hold, LEASE_ALIAS_HOLD, lease->count);

	if (ret == 0)
		ret = part_begin(&parts.rest, LEASE_ALIAS_REST, lease->count);
	if (ret == 0)
		ret = part_begin(&parts.hardness, LEASE_ALIAS_HARDNESS, lease->count);
	if (ret == 0) {
		sort(leases, lease, &parts);
		ret = give(leases, &parts, lease);
	}
	part_free(&parts.hold);
	part_free(&parts.rest);
	part_free(&parts.hardness);
	return ret == -ENOMEM ? -EAGAIN : ret;
}

/* ---- what needs its program ---- */

/* A wheel slows down as fast as its description lets it. Return: as naohw_dcm_set(). */
static int stop(const struct leases *leases, const struct held *held)
{
	const struct naohw_command none = { .time = naohw_dcm_get_time(leases->dcm, 0) };

	return naohw_dcm_set(leases->dcm, held->name, NAOHW_UPDATE_CLEAR_ALL, &none, 1, NULL);
}

/* Those for which the cycle has no room yet are told to the next time. */
static void stop_all(struct leases *leases)
{
	for (size_t i = 0; i < leases->count; i++) {
		struct held *held = &leases->table[i];

		int ret = held->is_to_stop ? stop(leases, held) : 0;

		held->is_to_stop = ret == -EAGAIN || ret == -ENOMEM;
		if (ret < 0 && !held->is_to_stop)
			log_often(&leases->often, "%s: cannot be stopped: %s", held->name,
				  strerror(-ret));
	}
}

/* Once, as another program may have set it by the time that its lease's other joints have room. */
static void note_what_stops(const struct leases *leases, const struct leasehold *lease)
{
	for (size_t i = 0; i < lease->count; i++) {
		struct held *held = &leases->table[lease->list[i].actuator];

		if (!held->count && table_needs_its_program(held))
			held->is_to_stop = true;
	}
}

void leases_stop_what_needs(struct leases *leases, const struct party *party)
{
	for (size_t i = 0; i < leases->count; i++) {
		struct held *held = &leases->table[i];

		if (held->set_by != party)
			continue;
		held->set_by = NULL;
		held->is_to_stop = true;
	}
	stop_all(leases);
}

/* ---- when ---- */

struct leasehold **lease_list_end(struct leasehold **list)
{
	while (*list)
		list = &(*list)->next;
	return list;
}

/* Behind those that wait, as two of them may be of the same joints. */
void lease_bring_to_end(struct leases *leases, struct leasehold *lease)
{
	note_what_stops(leases, lease);
	*lease_list_end(&leases->ended) = lease;
	leases_cycle(leases);
}

static void bring_to_ends(struct leases *leases)
{
	while (leases->ended) {
		struct leasehold *lease = leases->ended;

		if (end_now(leases, lease) == -EAGAIN)
			return;
		leases->ended = lease->next;
		if (leases->only_hold) {
			lease_owe(leases, lease);
			continue;
		}
		lease_note_end(leases, lease);
		free(lease);
	}
}

static void free_all(struct leasehold **list)
{
	while (*list) {
		struct leasehold *lease = *list;

		*list = lease->next;
		free(lease);
	}
}

/* No end moves a joint, now or when it has its torque back. */
static void drop_ends(struct leases *leases)
{
	free_all(&leases->ended);
	free_all(&leases->owed);
	for (size_t i = 0; i < leases->count; i++)
		leases->table[i].under_way.number = 0;
}

/* A robot that rests is nobody's. */
static void look_at_rest(struct leases *leases)
{
	bool rested = leases->rests;

	leases->rests = naohw_dcm_is_resting(leases->dcm);
	if (!leases->rests || rested || !leases->first)
		return;
	log_often(&leases->often, "the robot rests: all leases are revoked");
	leases_revoke_all(leases);
}

void leases_cycle(struct leases *leases)
{
	look_at_rest(leases);
	if (naohw_dcm_is_limp(leases->dcm) || leases->rests)
		drop_ends(leases);
	leases_look_at_period(leases);
	leases_look_at_owed(leases);
	bring_to_ends(leases);
	stop_all(leases);
}

static void want_unused(struct leases *leases, const char *label, uint64_t uses)
{
	if (!leases_joint_is_used_since(leases, label, uses))
		(void)table_want(leases, label);
}

int leases_end_joints(struct leases *leases, const char *const *labels, const uint64_t *uses,
		      size_t count, enum lease_end end, double seconds)
{
	struct leasehold *lease = lease_new(leases, end, seconds);

	if (!lease)
		return -ENOMEM;
	lease->is_lolas = true;
	table_want_nothing(leases);
	for (size_t i = 0; i < count; i++)
		want_unused(leases, labels[i], uses[i]);
	for (size_t i = 0; i < leases->count; i++)
		if (leases->table[i].is_wanted)
			lease->list[lease->count++] = (struct leased){ .actuator = i, .rest = NAN };
	lease_bring_to_end(leases, lease);
	return 0;
}
