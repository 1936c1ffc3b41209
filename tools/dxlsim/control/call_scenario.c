// SPDX-License-Identifier: GPL-2.0-or-later
/* The command that plays a file of commands. */
#include <stdlib.h>
#include <string.h>

#include "call_scenario.h"
#include "command.h"
#include "scenario.h"

static bool start(struct call *call, const char *file)
{
	char *reason = NULL;
	size_t len;
	FILE *err = open_memstream(&reason, &len);
	struct scenario *scenario;

	if (!err)
		return call_fail(call, "out of memory");
	scenario = scenario_load(file, err);
	fclose(err);
	if (scenario)
		scenario_start(call->control, scenario, call->now);
	else
		fprintf(call->out, CONTROL_ERROR "%s", reason);
	free(reason);

	return scenario;
}

bool call_scenario(struct call *call)
{
	if (call->argc == 1)
		scenario_report(call->control, call->out);
	else if (strcmp(call->argv[1], "stop"))
		return start(call, call->argv[1]);
	else
		scenario_stop(call->control);

	return true;
}
