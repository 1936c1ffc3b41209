// SPDX-License-Identifier: GPL-2.0-or-later
#include "aliases.h"

#include <errno.h>
#include <string.h>

#include "methods.h"
#include "server.h"
#include "values.h"

/* ---- who has made which ---- */

static struct alias_made *find(struct aliases_made *aliases, const char *name)
{
	for (size_t i = 0; i < aliases->count; i++)
		if (strcmp(aliases->list[i].name, name) == 0)
			return &aliases->list[i];
	return NULL;
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* And none of these, of which the next one is made. NULL: there is none. */
static struct alias_made *oldest_of_nobody(struct aliases_made *aliases, const char *const *names,
					   size_t count)
{
	for (size_t i = 0; i < aliases->count; i++)
		if (!aliases->list[i].maker && !is_among(names, count, aliases->list[i].name))
			return &aliases->list[i];
	return NULL;
}

static void forget(struct aliases_made *aliases, struct alias_made *made)
{
	size_t behind = (size_t)(&aliases->list[aliases->count] - (made + 1));

	memmove(made, made + 1, behind * sizeof(*made));
	aliases->count--;
}

/* The DCM has taken it, and has no room for more than there is here. */
static void note(struct aliases_made *aliases, const char *name, const struct client *maker)
{
	struct alias_made *made = find(aliases, name);

	if (made)
		forget(aliases, made);
	made = &aliases->list[aliases->count++];
	strcpy(made->name, name);
	made->maker = maker;
}

static const struct client *another_of_program(const struct rpc *rpc, pid_t pid)
{
	for (const struct client *client = rpc->clients; client; client = client->next)
		if (client->party.pid == pid)
			return client;
	return NULL;
}

void aliases_leave(struct rpc *rpc, const struct client *client)
{
	const struct client *heir = another_of_program(rpc, client->party.pid);

	for (size_t i = 0; i < rpc->aliases.count; i++)
		if (rpc->aliases.list[i].maker == client)
			rpc->aliases.list[i].maker = heir;
}

/* ---- what may be done ---- */

static bool is_of_program(const struct alias_made *made, const struct client *client)
{
	return made->maker && made->maker->party.pid == client->party.pid;
}

/* Aliases by which the daemon does what it must */
static int check_name(struct call *call, const char *alias)
{
	static const char *const reserved[] = { LEASE_ALIASES, "LoLA/" };

	for (size_t i = 0; i < 2; i++)
		if (strncmp(alias, reserved[i], strlen(reserved[i])) == 0)
			return trouble(&call->err, -EACCES, "%.80s: aliases of %s are naohwd's own",
				       alias, reserved[i]);
	return 0;
}

/* Described, or an actuator, and not made by a client */
static bool is_robots(struct call *call, const char *alias)
{
	return !find(&call->rpc->aliases, alias) &&
	       naohw_dcm_get_actuators(call->rpc->host.dcm, alias, NULL, 0) >= 0;
}

/* All programs have the same aliases: no program changes under another what that has made. */
static int check_maker(struct call *call, const char *alias)
{
	const struct alias_made *made = find(&call->rpc->aliases, alias);

	if (is_robots(call, alias))
		return trouble(&call->err, -EACCES, "%.80s: is the robot's own", alias);
	if (!made || !made->maker || is_of_program(made, call->client))
		return 0;
	return trouble(&call->err, -EBUSY, "%s: was made by %s (process %ld)", alias,
		       made->maker->party.program, (long)made->maker->party.pid);
}

static int check(struct call *call, const char *alias)
{
	int ret = check_name(call, alias);

	return ret < 0 ? ret : check_maker(call, alias);
}

static int check_count(struct call *call, const char *alias)
{
	struct aliases_made *aliases = &call->rpc->aliases;
	const struct alias_made *before = find(aliases, alias);
	unsigned int count = 0;

	if (before && is_of_program(before, call->client))
		return 0;
	for (size_t i = 0; i < aliases->count; i++)
		count += is_of_program(&aliases->list[i], call->client);
	if (count < ALIASES_PROGRAM_MAX)
		return 0;
	return trouble(&call->err, -ENOSPC,
		       "%.80s: you have made %u aliases, and no more can be made", alias, count);
}

/* ---- createAlias ---- */

/* One that nobody's program has made gives way to it. As naohw_dcm_create_alias(). */
static int create(struct call *call, const char *alias, const char *const *names, size_t count,
		  const char **answers)
{
	struct naohw_dcm *dcm = call->rpc->host.dcm;
	struct alias_made *victim;
	int ret = naohw_dcm_create_alias(dcm, alias, names, count, answers, &call->err);

	if (ret != -ENOSPC)
		return ret;
	victim = oldest_of_nobody(&call->rpc->aliases, names, count);
	if (!victim)
		return ret;
	(void)naohw_dcm_remove_alias(dcm, victim->name, NULL);
	forget(&call->rpc->aliases, victim);
	return naohw_dcm_create_alias(dcm, alias, names, count, answers, &call->err);
}

static int make(struct call *call, const char *alias, const char *const *names, size_t count,
		const char **answers)
{
	int ret = check_count(call, alias);

	if (ret == 0)
		ret = create(call, alias, names, count, answers);
	if (ret == 0)
		note(&call->rpc->aliases, alias, call->client);
	return ret;
}

static struct json_object *new_answers(const char *const *answers, size_t count)
{
	struct json_object *result = json_object_new_object(), *names = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(names, value_text(answers[i]));
	json_object_object_add(result, "names", names);
	return result;
}

int method_create_alias(struct call *call)
{
	const char *names[CALL_NAMES_MAX], *answers[CALL_NAMES_MAX], *alias = NULL;
	size_t count = 0;
	int ret = call_text(call, "alias", true, &alias);

	if (ret == 0)
		ret = call_texts(call, "names", CALL_NAMES_MAX, names, &count);
	if (ret == 0)
		ret = check(call, alias);
	call->client->cost += (unsigned int)(count / CLIENT_NAMES_OF_COST);
	if (ret == 0)
		ret = make(call, alias, names, count, answers);
	if (ret == 0)
		call->result = new_answers(answers, count);
	return ret;
}

/* ---- removeAlias ---- */

int method_remove_alias(struct call *call)
{
	const char *alias = NULL;
	int ret = call_text(call, "alias", true, &alias);

	if (ret == 0)
		ret = check(call, alias);
	if (ret == 0)
		ret = naohw_dcm_remove_alias(call->rpc->host.dcm, alias, &call->err);
	if (ret == 0)
		forget(&call->rpc->aliases, find(&call->rpc->aliases, alias));
	return ret;
}
