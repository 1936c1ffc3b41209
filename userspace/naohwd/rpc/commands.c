// SPDX-License-Identifier: GPL-2.0-or-later
/* What actuators are to do. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods.h"
#include "server.h"
#include "values.h"

/* How commands are given beside what they are */
struct manner {
	unsigned int update;
	int64_t base; /* ms, what their times are from */
};

static int read_base(struct call *call, int64_t *ms)
{
	static const char *const bases[] = { "now", "clock", NULL };
	unsigned int base = 0;
	int ret = call_choice(call, "base", bases, &base);

	*ms = base ? 0 : naohw_dcm_get_time(call->rpc->host.dcm, 0);
	return ret;
}

static int read_manner(struct call *call, struct manner *manner)
{
	static const char *const updates[] = { "merge", "clearAll", "clearAfter", "clearBefore",
					       NULL };
	int ret;

	manner->update = NAOHW_UPDATE_CLEAR_ALL;
	ret = call_choice(call, "update", updates, &manner->update);
	return ret < 0 ? ret : read_base(call, &manner->base);
}

static bool read_time(const struct json_object *json, const struct manner *manner, int64_t *time)
{
	double ms;

	if (!json) {
		*time = NAOHW_TIME_NONE;
		return true;
	}
	if (!number_of(json, &ms) || fabs(ms) > CALL_WHOLE_MAX)
		return false;
	*time = manner->base + (int64_t)ms;
	return true;
}

/* [value, time] */
static bool read_command(const struct json_object *pair, const struct manner *manner,
			 struct naohw_command *command)
{
	*command = (struct naohw_command){ 0 };
	return json_object_is_type(pair, json_type_array) && json_object_array_length(pair) == 2 &&
	       number_of(json_object_array_get_idx(pair, 0), &command->value) &&
	       read_time(json_object_array_get_idx(pair, 1), manner, &command->time);
}

static int read_commands(struct call *call, const struct json_object *list,
			 const struct manner *manner, struct naohw_command *commands)
{
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (!read_command(json_object_array_get_idx(list, i), manner, &commands[i]))
			return call_wrong(call, "commands: number %zu is no [value, time]", i + 1);
	return 0;
}

static int check_lease(struct call *call, const char *name)
{
	return lease_check(call->rpc->host.leases, &call->client->party, name, &call->err);
}

static int has_period(struct call *call, const char *name)
{
	return trouble(&call->err, -EINVAL, "%.200s: has " DCM_PERIOD " in it, which is set alone",
		       name);
}

static int check_alias(struct call *call, const char *alias)
{
	int ret = check_lease(call, alias);

	if (ret == 0 && leases_find_period(call->rpc->host.leases, alias))
		return has_period(call, alias);
	return ret;
}

/* What has been set is its from now on. As a method. */
static int note_use(struct call *call, const char *name, int ret)
{
	if (ret == 0)
		lease_use(call->rpc->host.leases, &call->client->party, name);
	return ret;
}

/* What it leaves for the DCM's cycle. */
static int charge(struct call *call, size_t actuators, size_t commands)
{
	size_t work = actuators * RPC_WORK_OF_ACTUATOR + commands;

	if (work > RPC_WORK_CALL_MAX)
		return trouble(&call->err, -E2BIG,
			       "%zu commands for %zu actuators are too much at once", commands,
			       actuators);
	return client_take(call, THING_WORK, work);
}

/* ---- set ---- */

/* A name that is none costs nothing here, and is found out by who is told to set it. */
static int charge_set(struct call *call, const char *name, size_t commands)
{
	int actuators = naohw_dcm_get_actuators(call->rpc->host.dcm, name, NULL, 0);

	return actuators > 0 ? charge(call, (size_t)actuators, (size_t)actuators * commands) : 0;
}

/* It is in force until another one is asked for, or none, or the client has gone. */
static int ask_period(struct call *call, const struct naohw_command *commands, size_t count)
{
	if (!count) {
		party_ask_no_period(&call->client->party);
		return 0;
	}
	if (count > 1)
		return trouble(&call->err, -EINVAL,
			       DCM_PERIOD ": %zu commands, expected one at the most", count);
	return party_ask_period(&call->client->party, commands[0].value, commands[0].time,
				&call->err);
}

static int set(struct call *call, const char *name, const struct manner *manner,
	       const struct naohw_command *commands, size_t count)
{
	int period = leases_find_period(call->rpc->host.leases, name);

	if (period == 1)
		return ask_period(call, commands, count);
	if (period)
		return has_period(call, name);
	return naohw_dcm_set(call->rpc->host.dcm, name, manner->update, commands, count,
			     &call->err);
}

int method_set(struct call *call)
{
	struct naohw_command commands[NAOHW_COMMANDS_MAX];
	struct json_object *list = NULL;
	struct manner manner;
	const char *name = NULL;
	int ret = call_text(call, "name", true, &name);

	if (ret == 0)
		ret = read_manner(call, &manner);
	if (ret == 0)
		ret = call_array(call, "commands", true, 0, NAOHW_COMMANDS_MAX, &list);
	if (ret == 0)
		ret = read_commands(call, list, &manner, commands);
	if (ret == 0)
		ret = check_lease(call, name);
	if (ret == 0)
		ret = charge_set(call, name, json_object_array_length(list));
	if (ret == 0)
		ret = set(call, name, &manner, commands, json_object_array_length(list));
	return note_use(call, name, ret);
}

/* ---- setAlias: to each its own ---- */

/* Commands for each of an alias, in one piece of memory */
struct mixed {
	size_t count;
	size_t all; /* commands */
	size_t *counts;
	const struct naohw_command **lists;
	struct naohw_command *commands;
};

static void mixed_free(struct mixed *mixed)
{
	free(mixed->counts);
	free(mixed->lists);
	free(mixed->commands);
}

/* Return: how many commands there are, or as a method. */
static int count_mixed(struct call *call, const struct json_object *lists)
{
	size_t all = 0;

	for (size_t i = 0; i < json_object_array_length(lists); i++) {
		struct json_object *list = json_object_array_get_idx(lists, i);

		if (!json_object_is_type(list, json_type_array) ||
		    json_object_array_length(list) > NAOHW_COMMANDS_MAX)
			return call_wrong(call,
					  "commands: number %zu is no array of %d at the most",
					  i + 1, NAOHW_COMMANDS_MAX);
		all += json_object_array_length(list);
	}
	return (int)all;
}

static int mixed_read(struct call *call, const struct json_object *lists,
		      const struct manner *manner, struct mixed *mixed)
{
	struct naohw_command *next;
	int all = count_mixed(call, lists), ret = 0;

	if (all < 0)
		return all;
	mixed->all = (size_t)all;
	mixed->count = json_object_array_length(lists);
	mixed->counts = calloc(mixed->count, sizeof(*mixed->counts));
	mixed->lists = calloc(mixed->count, sizeof(*mixed->lists));
	mixed->commands = next = calloc((size_t)all + 1, sizeof(*next));
	if (!mixed->counts || !mixed->lists || !next)
		return trouble(&call->err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < mixed->count && ret == 0; i++) {
		const struct json_object *list = json_object_array_get_idx(lists, i);

		mixed->counts[i] = json_object_array_length(list);
		mixed->lists[i] = next;
		ret = read_commands(call, list, manner, next);
		next += mixed->counts[i];
	}
	return ret;
}

static int set_mixed(struct call *call, const char *alias, const struct manner *manner,
		     const struct json_object *lists)
{
	struct mixed mixed = { 0 };
	int ret = mixed_read(call, lists, manner, &mixed);

	if (ret == 0)
		ret = check_alias(call, alias);
	if (ret == 0)
		ret = charge(call, mixed.count, mixed.all);
	if (ret == 0)
		ret = naohw_dcm_set_mixed(call->rpc->host.dcm, alias, manner->update, mixed.lists,
					  mixed.counts, mixed.count, &call->err);
	mixed_free(&mixed);
	return ret;
}

/* ---- setAlias: the same times for all ---- */

struct separate {
	size_t count;
	int64_t times[NAOHW_COMMANDS_MAX];
	double *values;
};

static int read_times(struct call *call, const struct json_object *times,
		      const struct manner *manner, struct separate *separate)
{
	separate->count = json_object_array_length(times);
	for (size_t i = 0; i < separate->count; i++)
		if (!read_time(json_object_array_get_idx(times, i), manner, &separate->times[i]))
			return call_wrong(call, "times: number %zu is no time", i + 1);
	return 0;
}

/* Of one actuator. */
static bool read_row(const struct json_object *row, size_t count, double *values)
{
	if (!json_object_is_type(row, json_type_array) || json_object_array_length(row) != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!number_of(json_object_array_get_idx(row, i), &values[i]))
			return false;
	return true;
}

static int read_rows(struct call *call, const struct json_object *rows, struct separate *separate)
{
	size_t count = json_object_array_length(rows);

	separate->values = calloc(count * separate->count + 1, sizeof(*separate->values));
	if (!separate->values)
		return trouble(&call->err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++)
		if (!read_row(json_object_array_get_idx(rows, i), separate->count,
			      separate->values + i * separate->count))
			return call_wrong(call, "values: number %zu has no number for each time",
					  i + 1);
	return 0;
}

static int set_separate(struct call *call, const char *alias, const struct manner *manner,
			const struct json_object *times, const struct json_object *rows)
{
	struct separate separate = { .values = NULL };
	size_t count = json_object_array_length(rows);
	int ret = read_times(call, times, manner, &separate);

	if (ret == 0)
		ret = read_rows(call, rows, &separate);
	if (ret == 0)
		ret = check_alias(call, alias);
	if (ret == 0)
		ret = charge(call, count, count * separate.count);
	if (ret == 0)
		ret = naohw_dcm_set_separate(call->rpc->host.dcm, alias, manner->update, 0,
					     separate.times, separate.count, separate.values, count,
					     &call->err);
	free(separate.values);
	return ret;
}

int method_set_alias(struct call *call)
{
	struct json_object *lists = NULL, *times = NULL, *rows = NULL;
	struct manner manner;
	const char *alias = NULL;
	int ret = call_text(call, "alias", true, &alias);

	if (ret == 0)
		ret = read_manner(call, &manner);
	if (ret == 0)
		ret = call_array(call, "commands", false, 1, CALL_NAMES_MAX, &lists);
	if (ret == 0)
		ret = call_array(call, "times", !lists, 1, NAOHW_COMMANDS_MAX, &times);
	if (ret == 0)
		ret = call_array(call, "values", !lists, 1, CALL_NAMES_MAX, &rows);
	if (ret == 0 && lists && (times || rows))
		ret = call_wrong(call, "expected either commands, or times and values");
	if (ret < 0)
		return ret;
	return note_use(call, alias,
			lists ? set_mixed(call, alias, &manner, lists) :
				set_separate(call, alias, &manner, times, rows));
}

/* ---- setStep ---- */

struct step {
	const char *names[NAOHW_STEP_JOINTS_MAX];
	double goals[NAOHW_STEP_JOINTS_MAX];
	size_t count;
	int64_t begin; /* ms */
	int64_t end;
};

static int read_goals(struct call *call, const struct json_object *list, struct step *step)
{
	if (json_object_array_length(list) != step->count)
		return call_wrong(call, "goals: found %zu, expected one for each of %zu names",
				  json_object_array_length(list), step->count);
	for (size_t i = 0; i < step->count; i++)
		if (!number_of(json_object_array_get_idx(list, i), &step->goals[i]))
			return call_wrong(call, "goals: number %zu is no number", i + 1);
	return 0;
}

static int read_times_of_step(struct call *call, struct step *step)
{
	int64_t base = 0;
	int ret = read_base(call, &base);

	if (ret == 0)
		ret = call_whole(call, "begin", true, -CALL_WHOLE_MAX, CALL_WHOLE_MAX, &step->begin);
	if (ret == 0)
		ret = call_whole(call, "end", true, -CALL_WHOLE_MAX, CALL_WHOLE_MAX, &step->end);
	step->begin += base;
	step->end += base;
	return ret;
}

static int check_leases(struct call *call, const struct step *step)
{
	int ret = 0;

	for (size_t i = 0; i < step->count && ret == 0; i++)
		ret = check_lease(call, step->names[i]);
	return ret;
}

int method_set_step(struct call *call)
{
	struct json_object *goals = NULL;
	struct step step = { .count = 0 };
	int ret = call_texts(call, "names", NAOHW_STEP_JOINTS_MAX, step.names, &step.count);

	if (ret == 0)
		ret = call_array(call, "goals", true, 1, NAOHW_STEP_JOINTS_MAX, &goals);
	if (ret == 0)
		ret = read_goals(call, goals, &step);
	if (ret == 0)
		ret = read_times_of_step(call, &step);
	if (ret == 0)
		ret = check_leases(call, &step);
	/* Where each begins, and where it ends */
	if (ret == 0)
		ret = charge(call, step.count, 2 * step.count);
	if (ret == 0)
		ret = naohw_dcm_set_step(call->rpc->host.dcm, step.names, step.goals, step.count,
					 step.begin, step.end, &call->err);
	for (size_t i = 0; i < step.count; i++)
		ret = note_use(call, step.names[i], ret);
	return ret;
}

/* ---- flush, recover, limp, rest, wakeUp and diagnose ---- */

int method_flush(struct call *call)
{
	uint64_t ticket = naohw_dcm_ticket(call->rpc->host.dcm);

	if (!call->is_answered || call->is_in_batch)
		return call_wrong(call, "flush: needs an answer of its own, and is not in a batch");
	if (client_answer_later(call->client, call->id, ticket) < 0)
		return trouble(&call->err, -EAGAIN, "flush: %d wait for the cycle already",
			       CLIENT_LATER_MAX);
	return CALL_LATER;
}

int method_recover(struct call *call)
{
	return naohw_dcm_recover(call->rpc->host.dcm, &call->err);
}

int method_limp(struct call *call)
{
	return naohw_dcm_limp(call->rpc->host.dcm, &call->err);
}

int method_rest(struct call *call)
{
	return naohw_dcm_rest(call->rpc->host.dcm, &call->err);
}

int method_wake_up(struct call *call)
{
	return naohw_dcm_wake_up(call->rpc->host.dcm, &call->err);
}

int method_diagnose(struct call *call)
{
	return naohw_dcm_diagnose(call->rpc->host.dcm, &call->err);
}
