// SPDX-License-Identifier: GPL-2.0-or-later
/* What there is: the robot, its keys, and where their values are. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <robot_name.h>

#include "array.h"
#include "methods.h"
#include "server.h"
#include "values.h"

#define LIST_MAX 4096
/* It may be looked for at each place of each name. */
#define LIST_PATTERN_MAX 128

/* ---- describe ---- */

static struct json_object *new_name(const char *path)
{
	int length;
	const char *name = robot_name(path, &length);

	return json_object_new_string_len(name, length);
}

static struct json_object *new_joints(const struct naohw_robot *robot)
{
	struct json_object *joints = json_object_new_array();

	for (size_t i = 0; i < naohw_robot_joint_count(robot); i++)
		json_object_array_add(joints, value_text(naohw_joint_label(robot, i)));
	return joints;
}

static struct json_object *new_period(const struct naohw_dcm *dcm)
{
	double ms = naohw_dcm_get_period(dcm);

	return ms > 0 ? json_object_new_double(ms) : NULL;
}

static struct json_object *new_generation(const struct naohw_store *store)
{
	return json_object_new_uint64(naohw_store_generation(store));
}

int method_describe(struct call *call)
{
	const struct rpc_host *host = &call->rpc->host;
	const struct naohw_store *store = naohw_dcm_store(host->dcm);
	const char *path = naohw_robot_path(host->robot);
	struct json_object *result = json_object_new_object();

	json_object_object_add(result, "version", json_object_new_string(naohw_version()));
	json_object_object_add(result, "robot", new_name(path));
	json_object_object_add(result, "path", value_text(path));
	json_object_object_add(result, "pid", json_object_new_int(getpid()));
	json_object_object_add(result, "generation", new_generation(store));
	json_object_object_add(result, "period", new_period(host->dcm));
	json_object_object_add(
		result, "stream",
		json_object_new_string(stream_name(naohw_dcm_get_stream(host->dcm))));
	json_object_object_add(result, "joints", new_joints(host->robot));
	call->result = result;
	return 0;
}

/* ---- list ---- */

/* '*' is anything, '?' a character. What is behind a '*' goes one further when it does not fit. */
static bool is_like(const char *name, const char *pattern)
{
	const char *star = NULL, *from = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			from = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* Of other keys nobody is asked: that takes a look at all aliases, which make none writable. */
static bool is_writable(struct naohw_dcm *dcm, const char *name)
{
	return (strstr(name, "/Actuator/") || strcmp(name, DCM_PERIOD) == 0) &&
	       naohw_dcm_get_actuators(dcm, name, NULL, 0) == 1;
}

static void add_key(const struct call *call, size_t slot, struct printbuf *to)
{
	struct naohw_dcm *dcm = call->rpc->host.dcm;
	const struct naohw_store *store = naohw_dcm_store(dcm);
	const char *name = naohw_store_name(store, slot);
	struct naohw_value value = { .type = NAOHW_KEY_FLOAT };

	(void)naohw_store_read(store, slot, &value);
	array_append(to, "{\"name\":");
	array_quote(to, name);
	array_append(to, ",\"type\":\"");
	array_append(to, value_type(value.type));
	array_append(to,
		     is_writable(dcm, name) ? "\",\"writable\":true}" : "\",\"writable\":false}");
}

/* Of slots, which are in the order of their names. */
static size_t first_after(const struct naohw_store *store, const char *after)
{
	size_t low = 0, high = naohw_store_slot_count(store);

	while (after && low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(naohw_store_name(store, middle), after) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return: there are more than @limit. */
static bool add_keys(struct call *call, const char *pattern, size_t first, int64_t limit,
		     struct json_object *keys)
{
	const struct naohw_store *store = naohw_dcm_store(call->rpc->host.dcm);
	size_t count = naohw_store_slot_count(store), i;

	for (i = first; i < count; i++) {
		if (!is_like(naohw_store_name(store, i), pattern))
			continue;
		if (limit-- == 0)
			break;
		add_key(call, i, array_next(keys));
	}
	budget_give_back(&call->rpc->budgets[THING_KEYS], count - i);
	return i < count;
}

int method_list(struct call *call)
{
	const struct naohw_store *store = naohw_dcm_store(call->rpc->host.dcm);
	const char *pattern = "*", *after = NULL;
	int64_t limit = LIST_MAX;
	struct json_object *keys;
	size_t first;
	int ret = call_text(call, "pattern", false, &pattern);

	if (ret == 0 && strlen(pattern) > LIST_PATTERN_MAX)
		ret = call_wrong(call, "pattern: has %d bytes at the most", LIST_PATTERN_MAX);
	if (ret == 0)
		ret = call_text(call, "after", false, &after);
	if (ret == 0)
		ret = call_whole(call, "limit", false, 1, LIST_MAX, &limit);
	if (ret < 0)
		return ret;
	first = first_after(store, after);
	ret = client_take(call, THING_KEYS, naohw_store_slot_count(store) - first);
	if (ret != 0)
		return ret;
	keys = array_new();
	if (!keys)
		return trouble(&call->err, -ENOMEM, "out of memory");
	call->result = json_object_new_object();
	json_object_object_add(call->result, "keys", keys);
	json_object_object_add(
		call->result, "more",
		json_object_new_boolean(add_keys(call, pattern, first, limit, keys)));
	return 0;
}

/* ---- store ---- */

/* The descriptor goes with its line, which has to be this alone. */
int method_store(struct call *call)
{
	const struct naohw_store *store = naohw_dcm_store(call->rpc->host.dcm);
	int fd = naohw_store_fd(store);
	struct stat info;

	if (call->is_in_batch || !call->is_answered)
		return call_wrong(call, "store: needs an answer of its own, and is not in a batch");
	if (call->client->stores >= CLIENT_STORES_MAX)
		return trouble(&call->err, -EMFILE,
			       "store: you have had it %d times: connect anew for another one",
			       CLIENT_STORES_MAX);
	if (fstat(fd, &info) < 0)
		return trouble(&call->err, -errno, "the store: %s", strerror(errno));
	call->result = json_object_new_object();
	json_object_object_add(call->result, "generation", new_generation(store));
	json_object_object_add(call->result, "size", json_object_new_int64(info.st_size));
	client_pass(call->client, fd);
	call->client->stores++;
	return 0;
}
