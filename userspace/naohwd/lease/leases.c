// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ends.h>

#include "table.h"

/* ---- who has what ---- */

static void note(struct leases *leases, const struct leasehold *lease)
{
	for (size_t i = 0; i < lease->count; i++) {
		struct held *held = &leases->table[lease->list[i].actuator];

		held->count++;
		held->lease = lease;
		if (lease->is_exclusive)
			held->alone = lease->party;
	}
}

static void reckon(struct leases *leases)
{
	for (size_t i = 0; i < leases->count; i++) {
		leases->table[i].count = 0;
		leases->table[i].lease = NULL;
		leases->table[i].alone = NULL;
	}
	for (const struct leasehold *lease = leases->first; lease; lease = lease->next)
		note(leases, lease);
	leases->changes++;
	leases_show(leases);
}

static int is_held(const struct held *held, const struct party *by, struct naohw_error *err)
{
	return trouble(err, -EBUSY, "%s: is held by %s (process %ld)", held->name, by->program,
		       (long)by->pid);
}

int lease_check(struct leases *leases, const struct party *party, const char *name,
		struct naohw_error *err)
{
	int count = naohw_dcm_get_actuators(leases->dcm, name, leases->names, leases->count);

	for (int i = 0; i < count; i++) {
		const struct held *held = table_find(leases, leases->names[i]);

		if (held->alone && held->alone != party)
			return is_held(held, held->alone, err);
	}
	return 0;
}

static void use(struct leases *leases, struct held *held, const struct party *party)
{
	held->used = leases->uses;
	if (!table_needs_its_program(held))
		return;
	held->set_by = party;
	held->is_to_stop = false;
}

void lease_use(struct leases *leases, const struct party *party, const char *name)
{
	int count = naohw_dcm_get_actuators(leases->dcm, name, leases->names, leases->count);

	leases->uses++;
	for (int i = 0; i < count; i++)
		use(leases, table_find(leases, leases->names[i]), party);
}

void lease_use_while_ending(struct leases *leases, const char *name)
{
	if (leases->owed || naohw_dcm_get_time(leases->dcm, 0) < leases->ends_over)
		lease_use(leases, NULL, name);
}

uint64_t leases_uses(const struct leases *leases)
{
	return leases->uses;
}

static bool is_used_since(const struct held *held, uint64_t uses)
{
	return held && held->used > uses;
}

bool lease_is_used_since(const struct leases *leases, const char *actuator, uint64_t uses)
{
	return is_used_since(table_find(leases, actuator), uses);
}

bool leases_joint_is_used_since(const struct leases *leases, const char *label, uint64_t uses)
{
	return is_used_since(table_joint(leases, label, POSITION), uses) ||
	       is_used_since(table_joint(leases, label, HARDNESS), uses);
}

/* ---- taking ---- */

static int check_rest(const struct leases *leases, const struct lease_wish *wish,
		      struct naohw_error *err)
{
	for (size_t i = 0; i < wish->joint_count; i++) {
		const struct held *held = table_joint(leases, wish->joints[i], POSITION);

		if (!held)
			return trouble(err, -EINVAL, "%.200s: of the pose, is no joint",
				       wish->joints[i]);
		if (!held->is_wanted)
			return trouble(err, -EINVAL, "%s: of the pose, is not in the lease",
				       wish->joints[i]);
	}
	return 0;
}

/* What others hold alone, and what they hold of that which is to be held alone. */
static int check_others(const struct leases *leases, const struct party *party,
			const struct lease_wish *wish, struct naohw_error *err)
{
	for (const struct leasehold *lease = leases->first; lease; lease = lease->next) {
		if (lease->party == party || lease->party == wish->ally ||
		    (!lease->is_exclusive && !wish->is_exclusive))
			continue;
		for (size_t i = 0; i < lease->count; i++) {
			const struct held *held = &leases->table[lease->list[i].actuator];

			if (held->is_wanted)
				return is_held(held, lease->party, err);
		}
	}
	return 0;
}

static int want_names(struct leases *leases, const char *const *names, size_t count,
		      struct naohw_error *err)
{
	unsigned int actuators = 0;

	table_want_nothing(leases);
	for (size_t i = 0; i < count; i++) {
		int stands_for = table_want(leases, names[i]);

		if (stands_for < 0)
			return trouble(err, -ENOENT, "%.200s: no such joint, actuator or alias",
				       names[i]);
		/* The same ones over and over take their time, too. */
		actuators += (unsigned int)stands_for;
		if (actuators > LEASED_PARTY_MAX)
			return trouble(err, -ENOSPC, "the names stand for more than %d actuators",
				       LEASED_PARTY_MAX);
	}
	return 0;
}

static size_t count_wanted(const struct leases *leases)
{
	size_t count = 0;

	for (size_t i = 0; i < leases->count; i++)
		count += leases->table[i].is_wanted;
	return count;
}

size_t lease_count(struct leases *leases, const char *const *names, size_t count)
{
	return want_names(leases, names, count, NULL) == 0 ? count_wanted(leases) : 0;
}

/* With what is wanted now. */
static int check_room(const struct leases *leases, const struct party *party,
		      struct naohw_error *err)
{
	size_t wanted = count_wanted(leases), all = 0, own = 0;
	unsigned int count = 0;

	for (const struct leasehold *lease = leases->first; lease; lease = lease->next, count++) {
		all += lease->count;
		own += lease->party == party ? lease->count : 0;
	}
	/* And those whose ends have had no room yet */
	for (const struct leasehold *lease = leases->ended; lease; lease = lease->next, count++)
		all += lease->count;
	if (party->count < LEASES_PARTY_MAX && count < LEASES_MAX &&
	    own + wanted <= LEASED_PARTY_MAX && all + wanted <= LEASED_MAX)
		return 0;
	return trouble(err, -ENOSPC,
		       "of %u leases of %zu actuators you have %u of %zu: no more can be taken",
		       count, all, party->count, own);
}

static double rest_of(const struct leases *leases, const struct lease_wish *wish,
		      const struct held *held)
{
	for (size_t i = 0; i < wish->joint_count; i++)
		if (table_joint(leases, wish->joints[i], POSITION) == held)
			return wish->angles[i];
	return NAN;
}

struct leasehold *lease_new(const struct leases *leases, enum lease_end end, double seconds)
{
	struct leasehold *lease =
		calloc(1, sizeof(*lease) + leases->count * sizeof(lease->list[0]));

	if (!lease)
		return NULL;
	lease->end = end;
	lease->seconds = seconds;
	return lease;
}

static struct leasehold *make(struct leases *leases, const struct lease_wish *wish)
{
	struct leasehold *lease = lease_new(leases, wish->end, wish->seconds);

	if (!lease)
		return NULL;
	lease->id = ++leases->last_id;
	lease->timeout = wish->timeout;
	lease->is_exclusive = wish->is_exclusive;
	leases->uses++;
	for (size_t i = 0; i < leases->count; i++) {
		if (!leases->table[i].is_wanted)
			continue;
		leases->table[i].used = leases->uses;
		lease->list[lease->count++] = (struct leased){
			.actuator = i,
			.rest = rest_of(leases, wish, &leases->table[i]),
		};
	}
	return lease;
}

int lease_take(struct party *party, const struct lease_wish *wish, unsigned int *id,
	       struct naohw_error *err)
{
	struct leases *leases = party->leases;
	struct leasehold *lease;
	int ret;

	ret = want_names(leases, wish->names, wish->count, err);
	if (ret == 0)
		ret = check_rest(leases, wish, err);
	if (ret == 0)
		ret = check_room(leases, party, err);
	if (ret == 0)
		ret = check_others(leases, party, wish, err);
	if (ret < 0)
		return ret;
	lease = make(leases, wish);
	if (!lease)
		return trouble(err, -ENOMEM, "out of memory");
	lease->party = party;
	party->count++;
	*lease_list_end(&leases->first) = lease;
	*id = lease->id;
	reckon(leases);
	return 0;
}

/* ---- letting go ---- */

static void finish(struct leases *leases, struct leasehold **place)
{
	struct leasehold *lease = *place;

	*place = lease->next;
	lease->next = NULL;
	lease->party->count--;
	lease->party = NULL;
	reckon(leases);
	lease_bring_to_end(leases, lease);
}

/* A program that loses its last lease so is taken to hang: it asks for no period any more. */
static void take_away(struct leases *leases, struct leasehold **place)
{
	struct party *party = (*place)->party;

	finish(leases, place);
	if (!party->count)
		party_ask_no_period(party);
}

int lease_release(struct party *party, unsigned int id, struct naohw_error *err)
{
	struct leasehold **place = &party->leases->first;

	while (*place && ((*place)->id != id || (*place)->party != party))
		place = &(*place)->next;
	if (!*place)
		return trouble(err, -ENOENT, "lease %u: you have no such one", id);
	finish(party->leases, place);
	return 0;
}

int lease_revoke(struct leases *leases, unsigned int id, const struct party *by,
		 struct naohw_error *err)
{
	struct leasehold **place = &leases->first;

	while (*place && (*place)->id != id)
		place = &(*place)->next;
	if (!*place)
		return trouble(err, -ENOENT, "lease %u: there is no such one", id);
	log_often(&leases->often, "%s (process %ld) revokes lease %u of %s (process %ld)",
		  by->program, (long)by->pid, id, (*place)->party->program,
		  (long)(*place)->party->pid);
	take_away(leases, place);
	return 0;
}

void leases_revoke_all(struct leases *leases)
{
	while (leases->first)
		finish(leases, &leases->first);
}

static bool has_lapsed(const struct leasehold *lease, int64_t silent_ms)
{
	return lease->timeout > 0 && (double)silent_ms >= lease->timeout * MS_PER_S;
}

void party_look_at_timeouts(struct party *party)
{
	struct leasehold **place = &party->leases->first;
	int64_t silent_ms = naohw_dcm_get_time(party->leases->dcm, 0) - party->heard;

	while (*place) {
		const struct leasehold *lease = *place;

		if (lease->party != party || !has_lapsed(lease, silent_ms)) {
			place = &(*place)->next;
			continue;
		}
		log_often(&party->leases->often,
			  "%s (process %ld) has said nothing for %g s: its lease %u ends",
			  party->program, (long)party->pid, lease->timeout, lease->id);
		take_away(party->leases, place);
	}
}

void party_leave(struct party *party)
{
	struct leasehold **place = &party->leases->first;

	if (party->count)
		log_often(&party->leases->often, "%s (process %ld) lets go of what it holds",
			  party->program, (long)party->pid);
	while (*place)
		if ((*place)->party == party)
			finish(party->leases, place);
		else
			place = &(*place)->next;
	leases_stop_what_needs(party->leases, party);
	party_ask_no_period(party);
}

void party_give(struct party *party, struct party *other)
{
	for (struct leasehold *lease = party->leases->first; lease; lease = lease->next)
		if (lease->party == party)
			lease->party = other;
	other->count += party->count;
	party->count = 0;
	reckon(party->leases);
}

void leases_only_hold(struct leases *leases)
{
	if (!leases)
		return;
	leases->only_hold = true;
	leases_owe_ends(leases);
}

/* ---- what is told ---- */

const struct leasehold *leases_first(const struct leases *leases)
{
	return leases->first;
}

const char *lease_actuator(const struct leasehold *lease, size_t index)
{
	return lease->party->leases->table[lease->list[index].actuator].name;
}

unsigned int leases_changes(const struct leases *leases)
{
	return leases->changes;
}

/* ---- all of it ---- */

/* Their places, which others may fill up. */
static int reserve_aliases(const struct leases *leases, struct naohw_error *err)
{
	static const char *const aliases[] = { LEASE_ALIAS_HOLD, LEASE_ALIAS_REST,
					       LEASE_ALIAS_HARDNESS };
	int ret = 0;

	for (size_t i = 0; leases->count && i < 3 && ret == 0; i++)
		ret = naohw_dcm_create_alias(leases->dcm, aliases[i], &leases->table[0].name, 1,
					     NULL, err);
	return ret;
}

int leases_new(const struct naohw_robot *robot, struct naohw_dcm *dcm, struct leases **out,
	       struct naohw_error *err)
{
	struct leases *leases = calloc(1, sizeof(*leases));
	int ret;

	if (!leases)
		return trouble(err, -ENOMEM, "out of memory");
	leases->robot = robot;
	leases->dcm = dcm;
	ret = table_fill(leases);
	ret = ret < 0 ? trouble(err, ret, "out of memory") : reserve_aliases(leases, err);
	if (ret < 0) {
		leases_free(leases);
		return ret;
	}
	*out = leases;
	return 0;
}

static void free_list(struct leasehold *list)
{
	while (list) {
		struct leasehold *lease = list;

		list = lease->next;
		free(lease);
	}
}

void leases_free(struct leases *leases)
{
	if (!leases)
		return;
	free_list(leases->ended);
	free_list(leases->owed);
	free(leases->table);
	free(leases->names);
	free(leases);
}
