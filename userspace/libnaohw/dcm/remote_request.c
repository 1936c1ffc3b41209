// SPDX-License-Identifier: LGPL-2.1-or-later
/* What is set, as requests. The daemon says what is wrong with it, but for what JSON has not. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "../base/base.h"
#include "actuator.h"
#include "beat.h"
#include "remote.h"

/* As far as all numbers of JSON are whole ones: longer than any machine lasts */
#define TIME_END (1ll << 53)

/* ---- commands as JSON ---- */

static const char *name_of(enum naohw_update update)
{
	switch (update) {
	case NAOHW_UPDATE_MERGE:
		return "merge";
	case NAOHW_UPDATE_CLEAR_ALL:
		return "clearAll";
	case NAOHW_UPDATE_CLEAR_AFTER:
		return "clearAfter";
	case NAOHW_UPDATE_CLEAR_BEFORE:
		return "clearBefore";
	}
	return NULL;
}

static int check_update(enum naohw_update update, struct naohw_error *err)
{
	return name_of(update) ? 0 : fail(err, -EINVAL, "update %d: no such kind", (int)update);
}

static int check_count(const char *name, size_t count, struct naohw_error *err)
{
	if (count <= NAOHW_COMMANDS_MAX)
		return 0;
	return fail(err, -ENOSPC, "%s: %zu commands, expected %d at the most", name, count,
		    NAOHW_COMMANDS_MAX);
}

static int check_value(const char *name, double value, struct naohw_error *err)
{
	if (isfinite(value))
		return 0;
	return fail(err, -EINVAL, "%s: a command is %g, expected a finite number", name, value);
}

static struct json_object *new_time(int64_t time)
{
	if (time == NAOHW_TIME_NONE)
		return NULL;
	if (time > TIME_END)
		time = TIME_END;
	return json_object_new_int64(time < -TIME_END ? -TIME_END : time);
}

static struct json_object *new_command(double value, int64_t time)
{
	struct json_object *pair = json_object_new_array();

	json_object_array_add(pair, json_object_new_double(value));
	json_object_array_add(pair, new_time(time));
	return pair;
}

static int add_commands(struct json_object *list, const char *name,
			const struct naohw_command *commands, size_t count, struct naohw_error *err)
{
	int ret = check_count(name, count, err);

	for (size_t i = 0; i < count && ret == 0; i++) {
		ret = check_value(name, commands[i].value, err);
		if (ret == 0)
			json_object_array_add(list,
					      new_command(commands[i].value, commands[i].time));
	}
	return ret;
}

/* Of an actuator, "name", or of an alias, "alias" */
static struct json_object *new_params(const char *kind, const char *name, enum naohw_update update)
{
	struct json_object *params = json_object_new_object();

	json_object_object_add(params, kind, json_object_new_string(name));
	json_object_object_add(params, "update", json_object_new_string(name_of(update)));
	json_object_object_add(params, "base", json_object_new_string("clock"));
	return params;
}

static struct json_object *add_array(struct json_object *params, const char *name)
{
	struct json_object *array = json_object_new_array();

	json_object_object_add(params, name, array);
	return array;
}

static int request(struct naohw_dcm *dcm, const char *method, struct json_object *params, int ret,
		   struct naohw_error *err)
{
	if (ret == 0)
		return remote_call(remote_of(dcm), method, params, REMOTE_LIMIT, NULL, err);
	json_object_put(params);
	return ret;
}

/* ---- the calls ---- */

static bool is_period(const char *name)
{
	char key[2 * ACTUATOR_NAME_MAX];

	return actuator_key(name, key, sizeof(key)) && strcmp(key, PERIOD_NAME) == 0;
}

/* For a daemon that is begun anew: it is in force as long as the daemon has this client. */
static void keep_period(struct dcm_remote *remote, struct json_object *params)
{
	pthread_mutex_lock(&remote->lock);
	json_object_put(remote->period);
	remote->period = params;
	pthread_mutex_unlock(&remote->lock);
}

static int set_period(struct naohw_dcm *dcm, struct json_object *params, bool is_any, int ret,
		      struct naohw_error *err)
{
	ret = request(dcm, "set", json_object_get(params), ret, err);
	if (ret == 0)
		keep_period(remote_of(dcm), is_any ? json_object_get(params) : NULL);
	json_object_put(params);
	return ret;
}

int remote_set(struct naohw_dcm *dcm, const char *name, enum naohw_update update,
	       const struct naohw_command *commands, size_t count, struct naohw_error *err)
{
	struct json_object *params;
	int ret = check_update(update, err);

	if (ret < 0)
		return ret;
	params = new_params("name", name, update);
	ret = add_commands(add_array(params, "commands"), name, commands, count, err);
	if (is_period(name))
		return set_period(dcm, params, count > 0, ret, err);
	return request(dcm, "set", params, ret, err);
}

int remote_set_mixed(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
		     const struct naohw_command *const *commands, const size_t *counts,
		     size_t actuators, struct naohw_error *err)
{
	struct json_object *params, *lists;
	int ret = check_update(update, err);

	if (ret < 0)
		return ret;
	params = new_params("alias", alias, update);
	lists = add_array(params, "commands");
	for (size_t i = 0; i < actuators && ret == 0; i++) {
		struct json_object *list = json_object_new_array();

		json_object_array_add(lists, list);
		ret = add_commands(list, alias, commands[i], counts[i], err);
	}
	return request(dcm, "setAlias", params, ret, err);
}

static int add_values(struct json_object *rows, const char *alias, const double *values,
		      size_t count, struct naohw_error *err)
{
	struct json_object *row = json_object_new_array();
	int ret = 0;

	json_object_array_add(rows, row);
	for (size_t i = 0; i < count && ret == 0; i++) {
		ret = check_value(alias, values[i], err);
		if (ret == 0)
			json_object_array_add(row, json_object_new_double(values[i]));
	}
	return ret;
}

/* Nothing for each, which the protocol has only so. */
static void add_nothing(struct json_object *params, size_t actuators)
{
	struct json_object *lists = add_array(params, "commands");

	for (size_t i = 0; i < actuators; i++)
		json_object_array_add(lists, json_object_new_array());
}

static int add_table(struct json_object *params, const char *alias, const int64_t *times,
		     size_t count, const double *values, size_t actuators, struct naohw_error *err)
{
	struct json_object *list = add_array(params, "times"), *rows = add_array(params, "values");
	int ret = 0;

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, new_time(times[i]));
	for (size_t i = 0; i < actuators && ret == 0; i++)
		ret = add_values(rows, alias, values + i * count, count, err);
	return ret;
}

int remote_set_separate(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
			const int64_t *times, size_t count, const double *values, size_t actuators,
			struct naohw_error *err)
{
	struct json_object *params;
	int ret = check_update(update, err);

	if (ret == 0)
		ret = check_count(alias, count, err);
	if (ret < 0)
		return ret;
	params = new_params("alias", alias, update);
	if (count)
		ret = add_table(params, alias, times, count, values, actuators, err);
	else
		add_nothing(params, actuators);
	return request(dcm, "setAlias", params, ret, err);
}

static int add_goals(struct json_object *params, const char *const *names, const double *goals,
		     size_t count, struct naohw_error *err)
{
	struct json_object *joints = add_array(params, "names"), *list = add_array(params, "goals");
	int ret = 0;

	for (size_t i = 0; i < count && ret == 0; i++) {
		ret = check_value(names[i], goals[i], err);
		json_object_array_add(joints, json_object_new_string(names[i]));
		json_object_array_add(list, json_object_new_double(goals[i]));
	}
	return ret;
}

int remote_set_step(struct naohw_dcm *dcm, const char *const *names, const double *goals,
		    size_t count, int64_t begin, int64_t end, struct naohw_error *err)
{
	struct json_object *params = json_object_new_object();
	int ret = add_goals(params, names, goals, count, err);

	json_object_object_add(params, "base", json_object_new_string("clock"));
	json_object_object_add(params, "begin", new_time(begin));
	json_object_object_add(params, "end", new_time(end));
	return request(dcm, "setStep", params, ret, err);
}

/* ---- aliases ---- */

static int take_answer(const struct json_object *result, const char *const *names, size_t count,
		       const char **answer, struct naohw_error *err)
{
	const struct json_object *found = daemon_member(result, "names", json_type_array);

	if (!found || json_object_array_length(found) != count)
		return fail(err, -EPROTO, "naohwd: its answer makes no sense");
	for (size_t i = 0; i < count && answer; i++) {
		struct json_object *name = json_object_array_get_idx(found, i);

		answer[i] = name && *json_object_get_string(name) ? names[i] : "";
	}
	return 0;
}

/* For a daemon that is begun anew, which knows none of them */
static void keep_alias(struct dcm_remote *remote, const char *alias, struct json_object *params)
{
	pthread_mutex_lock(&remote->lock);
	json_object_object_add(remote->aliases, alias, params);
	pthread_mutex_unlock(&remote->lock);
}

int remote_create_alias(struct naohw_dcm *dcm, const char *alias, const char *const *names,
			size_t count, const char **answer, struct naohw_error *err)
{
	struct dcm_remote *remote = remote_of(dcm);
	struct json_object *params = json_object_new_object(), *list, *result;
	int ret;

	json_object_object_add(params, "alias", json_object_new_string(alias));
	list = add_array(params, "names");
	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, json_object_new_string(names[i]));
	ret = remote_call(remote, "createAlias", json_object_get(params), REMOTE_LIMIT, &result,
			  err);
	if (ret < 0) {
		json_object_put(params);
		return ret;
	}
	keep_alias(remote, alias, params);
	ret = take_answer(result, names, count, answer, err);
	json_object_put(result);
	return ret;
}

/* Whatever becomes of it there, it is not made again. */
static void forget_alias(struct dcm_remote *remote, const char *alias)
{
	pthread_mutex_lock(&remote->lock);
	json_object_object_del(remote->aliases, alias);
	pthread_mutex_unlock(&remote->lock);
}

int remote_remove_alias(struct naohw_dcm *dcm, const char *alias, struct naohw_error *err)
{
	struct json_object *params = json_object_new_object();

	forget_alias(remote_of(dcm), alias);
	json_object_object_add(params, "alias", json_object_new_string(alias));
	return remote_call(remote_of(dcm), "removeAlias", params, REMOTE_LIMIT, NULL, err);
}

/* ---- what takes a while ---- */

/* What a callback sets acts in the next cycle, and it cannot wait for that. */
int remote_flush(struct naohw_dcm *dcm, struct naohw_error *err)
{
	if (dcm_callback_of(dcm))
		return 0;
	return remote_call(remote_of(dcm), "flush", NULL, 2 * BEAT_FLUSH_MS + REMOTE_LIMIT, NULL,
			   err);
}

int remote_rest(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return remote_call(remote_of(dcm), "rest", NULL, REMOTE_LIMIT, NULL, err);
}

int remote_wake_up(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return remote_call(remote_of(dcm), "wakeUp", NULL, REMOTE_RECOVER_LIMIT, NULL, err);
}

int remote_test(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return remote_call(remote_of(dcm), "diagnose", NULL, REMOTE_LIMIT, NULL, err);
}

int remote_recover(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return remote_call(remote_of(dcm), "recover", NULL, REMOTE_RECOVER_LIMIT, NULL, err);
}

int remote_let_go(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return remote_call(remote_of(dcm), "limp", NULL, REMOTE_LIMIT, NULL, err);
}
