// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Commands, as they are given: checked, brought to numbers of the device and ordered by time
 * before the cycle sees them. From a callback they go into the queues at once, otherwise as a
 * letter; the former allocates nothing and takes no lock.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "host.h"
#include "monotonic.h"

/*
 * A call in any of its forms: the same list for all, or a list each, or the same times for all, or
 * a step of a motion, with two times, and for each one value, which it has at the second one.
 */
struct call {
	const char *name;
	enum naohw_update update;
	struct actuator *const *actuator;
	size_t actuators;
	const struct naohw_command *same;
	const struct naohw_command *const *lists;
	const int64_t *times;
	const double *values;
	const size_t *counts; /* of lists */
	size_t count;	      /* of each, otherwise */
	bool is_step;
};

/* What is left for the cycle; the points stand behind the lists. */
struct left_list {
	struct actuator *actuator;
	size_t count;
};

struct left_call {
	struct letter letter; /* first, so that it is the call too */
	enum naohw_update update;
	unsigned int party;
	size_t count;
	struct point *points;
	struct left_list list[];
};

/* For whom this thread sets something */
static _Thread_local unsigned int own_party;

/* ---- what is given ---- */

static size_t count_of(const struct call *call, size_t actuator)
{
	return call->counts ? call->counts[actuator] : call->count;
}

static struct naohw_command command_of(const struct call *call, size_t actuator, size_t i)
{
	if (call->same)
		return call->same[i];
	if (call->lists)
		return call->lists[actuator][i];
	return (struct naohw_command){
		.value = call->values[actuator * call->count + i],
		.time = call->times[i],
	};
}

static int check_list(const struct call *call, size_t actuator, struct naohw_error *err)
{
	const char *name = call->actuator[actuator]->name;
	size_t count = count_of(call, actuator);

	if (count > NAOHW_COMMANDS_MAX)
		return fail(err, -ENOSPC, "%s: %zu commands, expected %d at the most", name, count,
			    NAOHW_COMMANDS_MAX);
	if (!count && call->update != NAOHW_UPDATE_CLEAR_ALL)
		return fail(err, -EINVAL, "%s: no commands, which ClearAll alone may have", name);
	for (size_t i = 0; i < count; i++) {
		struct naohw_command command = command_of(call, actuator, i);

		if (!isfinite(command.value))
			return fail(err, -EINVAL, "%s: command %zu of %zu is %g, expected a finite "
				    "number", name, i + 1, count, command.value);
		if (call->actuator[actuator]->kind == ACTUATOR_PERIOD && command.value <= 0)
			return fail(err, -EINVAL, "%s: command %zu of %zu is %g, expected a "
				    "period above 0 ms", name, i + 1, count, command.value);
		if (command.time == NAOHW_TIME_NONE && count > 1)
			return fail(err, -EINVAL, "%s: command %zu of %zu has no time, as only one "
				    "that is alone may", name, i + 1, count);
	}
	return 0;
}

static int check_goal(const struct call *call, size_t actuator, struct naohw_error *err)
{
	const struct actuator *joint = call->actuator[actuator];

	if (joint->kind != ACTUATOR_POSITION && joint->kind != ACTUATOR_ABSENT)
		return fail(err, -EINVAL, "%s: found in a step of a motion, expected the position of "
			    "a joint", joint->name);
	if (!isfinite(call->values[actuator]))
		return fail(err, -EINVAL, "%s: the goal is %g, expected a finite number",
			    joint->name, call->values[actuator]);
	return 0;
}

static int check_step(const struct call *call, struct naohw_error *err)
{
	int ret = 0;

	if (call->times[0] >= call->times[1])
		return fail(err, -EINVAL, "the step ends at %lld ms, expected a time behind its "
			    "begin, %lld ms", (long long)call->times[1],
			    (long long)call->times[0]);
	for (size_t i = 0; i < call->actuators && ret == 0; i++)
		ret = check_goal(call, i, err);
	return ret;
}

static int check_update(enum naohw_update update, struct naohw_error *err)
{
	switch (update) {
	case NAOHW_UPDATE_MERGE:
	case NAOHW_UPDATE_CLEAR_ALL:
	case NAOHW_UPDATE_CLEAR_AFTER:
	case NAOHW_UPDATE_CLEAR_BEFORE:
		return 0;
	}
	return fail(err, -EINVAL, "update %d: no such kind, expected 0 to %d", (int)update,
		    NAOHW_UPDATE_CLEAR_BEFORE);
}

static bool is_for_torque(const struct call *call, size_t actuator)
{
	if (call->actuator[actuator]->kind != ACTUATOR_HARDNESS)
		return false;
	for (size_t i = 0; i < count_of(call, actuator); i++)
		if (command_of(call, actuator, i).value > 0)
			return true;
	return false;
}

/* A robot that a person has let go gets no torque, now or later. */
static int check_limp(const struct call *call, size_t actuator, struct naohw_error *err)
{
	if (!is_for_torque(call, actuator))
		return 0;
	return fail(err, -EPERM, "%s: " DCM_LIMP, call->actuator[actuator]->name);
}

/* To let a joint go is no command that a joint at rest would not follow. */
static bool does_nothing(const struct call *call, size_t actuator)
{
	return atomic_load(&call->actuator[actuator]->is_taken) &&
	       (call->actuator[actuator]->kind != ACTUATOR_HARDNESS || is_for_torque(call, actuator));
}

/*
 * A call that is for joints at rest alone is refused. Of others, and of a callback's, which are often for
 * all joints alike, those at rest are left out, and their keys say why.
 */
static int check_rest(const struct dcm_host *dcm, const struct call *call, struct naohw_error *err)
{
	struct naohw_value why;
	bool is_told;

	if (!call->actuators || dcm_callback_of(&dcm->base))
		return 0;
	for (size_t i = 0; i < call->actuators; i++)
		if (!does_nothing(call, i))
			return 0;
	is_told = naohw_store_read(dcm->base.store, dcm->rest.forbidden_slot, &why) == 0 && *why.text;
	return fail(err, -EPERM, "%s: the joint is at rest, or on its way there%s%s; naohw list says why, "
		    "and what to do", call->actuator[0]->name, is_told ? ", and may not wake up: " : "",
		    is_told ? why.text : "");
}

static int check(const struct dcm_host *dcm, const struct call *call, struct naohw_error *err)
{
	bool is_limp = torque_is_limp(dcm->torque);
	int ret;

	if (call->is_step) {
		ret = check_step(call, err);
		return ret < 0 ? ret : check_rest(dcm, call, err);
	}
	ret = check_update(call->update, err);
	for (size_t i = 0; i < call->actuators && ret == 0; i++) {
		ret = check_list(call, i, err);
		if (ret == 0 && is_limp)
			ret = check_limp(call, i, err);
	}
	return ret < 0 ? ret : check_rest(dcm, call, err);
}

/* ---- by time ---- */

/* Where it belongs; what comes in order is put at the end, as it mostly does. */
static size_t place_for(const struct point *points, size_t count, int64_t time)
{
	size_t low = 0, high = count;

	if (!count || points[count - 1].time < time)
		return count;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (points[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of two for one time the later one counts. */
static size_t sort_points(const struct call *call, size_t actuator, struct point *points)
{
	size_t count = 0;

	for (size_t i = 0; i < count_of(call, actuator); i++) {
		struct naohw_command command = command_of(call, actuator, i);
		size_t at = place_for(points, count, command.time);

		if (at == count || points[at].time != command.time) {
			memmove(&points[at + 1], &points[at], (count - at) * sizeof(*points));
			count++;
		}
		points[at] = (struct point){
			.time = command.time,
			.level = actuator_level(call->actuator[actuator], command.value),
		};
	}
	return count;
}

/* It begins where the joint will be by then, which the cycle knows: see dcm_place(). */
static size_t points_of_step(const struct call *call, size_t actuator, struct point *points)
{
	points[0] = (struct point){ .time = call->times[0], .level = (double)NAN };
	points[1] = (struct point){
		.time = call->times[1],
		.level = actuator_level(call->actuator[actuator], call->values[actuator]),
		.is_step = true,
	};
	return 2;
}

static size_t take_points(const struct call *call, size_t actuator, struct point *points)
{
	return call->is_step ? points_of_step(call, actuator, points) :
			       sort_points(call, actuator, points);
}

/* ---- now ---- */

static int no_room(const struct actuator *actuator, struct naohw_error *err)
{
	return fail(err, -ENOSPC, "%s: with those that it has, more than %d commands",
		    actuator->name, NAOHW_COMMANDS_MAX);
}

static size_t place_points(const struct dcm_host *dcm, const struct call *call, size_t actuator,
			   struct point *points)
{
	size_t count = take_points(call, actuator, points);

	dcm_place(dcm, call->actuator[actuator], points, count);
	return count;
}

static int update_now(struct dcm_host *dcm, const struct call *call, struct naohw_error *err)
{
	struct point points[NAOHW_COMMANDS_MAX];

	for (size_t i = 0; i < call->actuators; i++) {
		const struct actuator *actuator = call->actuator[i];
		size_t count = place_points(dcm, call, i, points);

		if (!queue_has_room(&actuator->queue, call->update, points, count))
			return no_room(actuator, err);
	}
	for (size_t i = 0; i < call->actuators; i++) {
		size_t count = place_points(dcm, call, i, points);

		dcm_update(dcm, call->actuator[i], call->update, points, count);
	}
	dcm->was_set = true;
	return 0;
}

/* ---- later ---- */

static struct left_call *new_letter(const struct call *call)
{
	size_t points = 0;
	size_t lists = call->actuators * sizeof(struct left_list);
	struct left_call *left;

	for (size_t i = 0; i < call->actuators; i++)
		points += count_of(call, i);
	left = malloc(sizeof(*left) + lists + points * sizeof(*left->points));
	if (!left)
		return NULL;
	left->letter.work = (unsigned int)(call->actuators * MAILBOX_WORK_OF_LIST + points);
	left->update = call->update;
	left->party = own_party;
	left->count = call->actuators;
	left->points = (struct point *)&left->list[left->count];
	return left;
}

static void free_letters(struct letter *letters)
{
	while (letters) {
		struct letter *next = letters->next;

		free(letters);
		letters = next;
	}
}

static int leave(struct dcm_host *dcm, const struct call *call, struct naohw_error *err)
{
	struct left_call *left = new_letter(call);
	struct point *points;
	int ret;

	free_letters(mailbox_clear(&dcm->mailbox));
	if (!left)
		return fail(err, -ENOMEM, "out of memory");
	points = left->points;
	for (size_t i = 0; i < call->actuators; i++) {
		left->list[i].actuator = call->actuator[i];
		left->list[i].count = take_points(call, i, points);
		points += left->list[i].count;
	}
	ret = mailbox_leave(&dcm->mailbox, &left->letter);
	if (ret < 0) {
		free(left);
		return fail(err, ret, "%s: too many calls are waiting for the cycle already",
			    call->is_step ? "a step" : call->name);
	}
	return 0;
}

/* All of a call or nothing; who has no room, or NULL. */
static const struct actuator *first_without_room(const struct dcm_host *dcm,
						 struct left_call *left)
{
	struct point *points = left->points;

	for (size_t i = 0; i < left->count; i++) {
		const struct left_list *list = &left->list[i];

		dcm_place(dcm, list->actuator, points, list->count);
		if (!queue_has_room(&list->actuator->queue, left->update, points, list->count))
			return list->actuator;
		points += list->count;
	}
	return NULL;
}

static void read_letter(struct dcm_host *dcm, struct left_call *left)
{
	const struct actuator *full = first_without_room(dcm, left);
	const struct point *points = left->points;

	if (full) {
		refusals_note(&dcm->refusals, left->party, full);
		return;
	}
	for (size_t i = 0; i < left->count; i++) {
		const struct left_list *list = &left->list[i];

		dcm_update(dcm, list->actuator, left->update, points, list->count);
		points += list->count;
	}
}

void dcm_read_letters(struct dcm_host *dcm)
{
	unsigned int work = MAILBOX_WORK_CYCLE;
	struct letter *letter;

	while ((letter = mailbox_next(&dcm->mailbox, &work))) {
		read_letter(dcm, (struct left_call *)letter);
		mailbox_give_back(&dcm->mailbox, letter);
	}
}

void dcm_drop_letters(struct dcm_host *dcm)
{
	unsigned int work = UINT_MAX;
	struct letter *letter;

	while ((letter = mailbox_next(&dcm->mailbox, &work)))
		free(letter);
	free_letters(mailbox_clear(&dcm->mailbox));
}

/* ---- whose they are ---- */

/* A key of the robot that is none of an actuator: why it is not to be set, or -ENOENT. */
static int check_key(const struct dcm_host *dcm, const char *full, struct naohw_error *err)
{
	struct naohw_key *key;
	int ret = naohw_robot_find_key(dcm->robot, full, &key);

	if (ret < 0)
		return ret;
	ret = rule_check(key, err);
	return ret < 0 ? ret : fail(err, -EACCES, "%s: is no actuator", full);
}

static int unknown(const struct dcm_host *dcm, const char *name, struct naohw_error *err)
{
	const char *prefix = text_begins_with(name, "Device/") ? "" : KEY_PREFIX;
	const char *nearest;
	char full[ACTUATOR_NAME_MAX * 2];
	int ret;

	snprintf(full, sizeof(full), "%s%s", prefix, name);
	ret = check_key(dcm, full, err);
	if (ret == -ENOENT) {
		snprintf(full, sizeof(full), "%s%s/Value", prefix, name);
		ret = check_key(dcm, full, err);
	}
	if (ret != -ENOENT)
		return ret;
	/* Which takes longer than a callback has. */
	nearest = dcm_callback_of(&dcm->base) ? NULL : actuator_nearest(&dcm->actuators, name);
	if (!nearest)
		return fail(err, -ENOENT, "%.200s: no such actuator or alias", name);
	return fail(err, -ENOENT, "%.200s: no such actuator or alias, the nearest is %s", name,
		    nearest);
}

static int no_match(const struct call *call, const struct alias *alias, struct naohw_error *err)
{
	return fail(err, -EINVAL, "%s: for %zu actuators, but the alias has %zu", call->name,
		    call->actuators, alias->count);
}

static int give(struct dcm_host *dcm, const struct call *call, struct naohw_error *err)
{
	int ret = check(dcm, call, err);

	if (ret < 0)
		return ret;
	return dcm_callback_of(&dcm->base) ? update_now(dcm, call, err) : leave(dcm, call, err);
}

static int give_to_alias(struct dcm_host *dcm, struct call *call, const struct alias *alias,
			 struct naohw_error *err)
{
	if (!alias)
		return unknown(dcm, call->name, err);
	if (!call->same && call->actuators != alias->count)
		return no_match(call, alias, err);
	call->actuator = alias->actuator;
	call->actuators = alias->count;
	return give(dcm, call, err);
}

/* Whoever is not the cycle holds the aliases still meanwhile; the cycle need not. */
static int find_alias_and_give(struct dcm_host *dcm, struct call *call, struct naohw_error *err)
{
	struct aliases *aliases = &dcm->aliases;
	int ret;

	if (dcm_callback_of(&dcm->base))
		return give_to_alias(dcm, call, alias_find(aliases, call->name), err);
	pthread_mutex_lock(&aliases->lock);
	ret = give_to_alias(dcm, call, alias_find(aliases, call->name), err);
	pthread_mutex_unlock(&aliases->lock);
	return ret;
}

/* Why a DCM has no such joint. Other reasons, as a lost torque, have remedies that do not help. */
static bool has_it_absent(enum guard_reason reason)
{
	return reason == GUARD_MODE || reason >= GUARD_NO_ANSWER;
}

/* Whatever has been mended since: a DCM has the joints that there were when it was opened. */
static int absent(const struct actuator *actuator, struct naohw_error *err)
{
	const struct subdevice *subdevice = actuator->subdevice;
	const struct joint *joint = joint_find(subdevice->robot, subdevice->label);
	enum guard_reason reason =
		joint ? joint_reason(subdevice->robot, joint, false) : GUARD_NONE;
	const struct naohw_reason *told = reason_told(reason);
	const char *mode = subdevice_is_wheel(subdevice) ?
				   "was in no mode in which it is a wheel" :
				   "in a mode without goal positions";

	if (has_it_absent(reason))
		return fail(err, -ENODEV, "%s: the joint does not move: %s; %s%s", actuator->name,
			    told->what, told->remedy,
			    reason == GUARD_MODE ? "" : "; then begin the program anew");
	return fail(err, -ENODEV,
		    "%s: its servo was not there when the DCM was opened, or %s; if it is well "
		    "now, begin the program anew", actuator->name, mode);
}

/* ---- the calls ---- */

int host_set(struct naohw_dcm *of, const char *name, enum naohw_update update,
	     const struct naohw_command *commands, size_t count, struct naohw_error *err)
{
	struct dcm_host *dcm = host_of(of);
	struct actuator *single = actuator_find(&dcm->actuators, name);
	static const struct naohw_command none;
	struct call call = {
		.name = name,
		.update = update,
		.actuator = &single,
		.actuators = 1,
		.same = count ? commands : &none,
		.count = count,
	};

	if (!single)
		return find_alias_and_give(dcm, &call, err);
	return single->kind == ACTUATOR_ABSENT ? absent(single, err) : give(dcm, &call, err);
}

int host_set_mixed(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
		   const struct naohw_command *const *commands, const size_t *counts,
		   size_t actuators, struct naohw_error *err)
{
	struct call call = {
		.name = alias,
		.update = update,
		.actuators = actuators,
		.lists = commands,
		.counts = counts,
	};

	return find_alias_and_give(host_of(dcm), &call, err);
}

int host_set_separate(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
		      const int64_t *times, size_t count, const double *values, size_t actuators,
		      struct naohw_error *err)
{
	struct call call = {
		.name = alias,
		.update = update,
		.actuators = actuators,
		.times = times,
		.values = values,
		.count = count,
	};

	return find_alias_and_give(host_of(dcm), &call, err);
}

int host_set_step(struct naohw_dcm *of, const char *const *names, const double *goals,
		  size_t count, int64_t begin, int64_t end, struct naohw_error *err)
{
	struct actuator *joints[NAOHW_STEP_JOINTS_MAX];
	struct dcm_host *dcm = host_of(of);
	const int64_t times[] = { begin, end };
	const struct call call = {
		.update = NAOHW_UPDATE_CLEAR_AFTER,
		.actuator = joints,
		.actuators = count,
		.times = times,
		.values = goals,
		.count = 2,
		.is_step = true,
	};

	if (!count || count > NAOHW_STEP_JOINTS_MAX)
		return fail(err, -EINVAL, "a step of %zu joints, expected 1 to %d", count,
			    NAOHW_STEP_JOINTS_MAX);
	for (size_t i = 0; i < count; i++) {
		joints[i] = actuator_find(&dcm->actuators, names[i]);
		if (!joints[i])
			return unknown(dcm, names[i], err);
	}
	return give(dcm, &call, err);
}

int host_create_alias(struct naohw_dcm *of, const char *alias, const char *const *names,
		      size_t count, const char **answer, struct naohw_error *err)
{
	struct dcm_host *dcm = host_of(of);

	return alias_create(&dcm->aliases, &dcm->actuators, alias, names, count, answer, err);
}

int host_remove_alias(struct naohw_dcm *of, const char *alias, struct naohw_error *err)
{
	return alias_remove(&host_of(of)->aliases, alias, err);
}

/* Of what was left, the cycle that is under way may have read nothing; the one after it has. */
static int wait_for_letters(struct dcm_host *dcm, struct naohw_error *err)
{
	uint64_t left = mailbox_left(&dcm->mailbox);
	int64_t end = monotonic_ns() + (int64_t)BEAT_FLUSH_MS * DCM_NS_PER_MS;
	int ret = beat_wait_for(&dcm->beat, 2, err);

	while (ret == 0 && !mailbox_has_read(&dcm->mailbox, left)) {
		if (monotonic_ns() >= end)
			return fail(err, -ETIMEDOUT, "the cycle has not read all within %d ms",
				    BEAT_FLUSH_MS);
		ret = beat_wait_for(&dcm->beat, 1, err);
	}
	return ret;
}

static int tell_refused(struct dcm_host *dcm, struct naohw_error *err)
{
	const struct actuator *full = refusals_take(&dcm->refusals, own_party);

	return full ? no_room(full, err) : 0;
}

int host_flush(struct naohw_dcm *of, struct naohw_error *err)
{
	struct dcm_host *dcm = host_of(of);
	int ret = 0;

	if (!dcm_callback_of(of))
		ret = wait_for_letters(dcm, err);
	return ret < 0 ? ret : tell_refused(dcm, err);
}

/* ---- for who serves others ---- */

int host_get_actuators(struct naohw_dcm *of, const char *name, const char **actuators,
		       size_t room)
{
	struct dcm_host *dcm = host_of(of);
	const struct actuator *single;
	const struct alias *alias;
	int count = -ENOENT;

	single = actuator_find(&dcm->actuators, name);
	if (single) {
		if (room)
			actuators[0] = single->name;
		return 1;
	}
	pthread_mutex_lock(&dcm->aliases.lock);
	alias = alias_find(&dcm->aliases, name);
	if (alias) {
		count = (int)alias->count;
		for (size_t i = 0; i < alias->count && i < room; i++)
			actuators[i] = alias->actuator[i]->name;
	}
	pthread_mutex_unlock(&dcm->aliases.lock);
	return count;
}

int naohw_dcm_act_for(unsigned int party)
{
	if (party >= NAOHW_DCM_PARTIES_MAX)
		return -EINVAL;
	own_party = party;
	return 0;
}

uint64_t host_ticket(const struct naohw_dcm *dcm)
{
	return mailbox_left(&host_of(dcm)->mailbox);
}

int host_has_taken(struct naohw_dcm *dcm, uint64_t ticket, struct naohw_error *err)
{
	if (!mailbox_has_read(&host_of(dcm)->mailbox, ticket))
		return fail(err, -EAGAIN, "the cycle has not read all yet");
	return tell_refused(host_of(dcm), err);
}
