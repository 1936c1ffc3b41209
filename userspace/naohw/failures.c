// SPDX-License-Identifier: GPL-2.0-or-later
#include "failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define BETWEEN ": "

static struct failure *find(const struct failures *failures, const char *why)
{
	for (size_t i = 0; i < failures->count; i++)
		if (strcmp(failures->at[i].why, why) == 0)
			return &failures->at[i];
	return NULL;
}

static bool join(struct failure *failure, const char *who)
{
	char *all;

	if (asprintf(&all, "%s, %s", failure->who, who) < 0)
		return false;
	free(failure->who);
	failure->who = all;
	return true;
}

static bool begin(struct failures *failures, const char *who, const char *why)
{
	struct failure *more =
		reallocarray(failures->at, failures->count + 1, sizeof(*failures->at));
	struct failure failure = { .who = strdup(who), .why = strdup(why) };

	if (more)
		failures->at = more;
	if (more && failure.who && failure.why) {
		more[failures->count++] = failure;
		return true;
	}
	free(failure.who);
	free(failure.why);
	return false;
}

void failures_add(struct failures *failures, const char *who, const char *why)
{
	struct failure *same = find(failures, why);

	if (same ? join(same, who) : begin(failures, who, why))
		return;
	complain("%s" BETWEEN "%s", who, why);
}

void failures_take(struct failures *failures, const char *message)
{
	const char *why = strstr(message, BETWEEN);
	char *who = why ? strndup(message, (size_t)(why - message)) : NULL;

	if (who)
		failures_add(failures, who, why + strlen(BETWEEN));
	else
		complain("%s", message);
	free(who);
}

void failures_tell(struct failures *failures)
{
	for (size_t i = 0; i < failures->count; i++)
		complain("%s" BETWEEN "%s", failures->at[i].who, failures->at[i].why);
	failures_forget(failures);
}

void failures_forget(struct failures *failures)
{
	for (size_t i = 0; i < failures->count; i++) {
		free(failures->at[i].who);
		free(failures->at[i].why);
	}
	free(failures->at);
	*failures = (struct failures){ 0 };
}
