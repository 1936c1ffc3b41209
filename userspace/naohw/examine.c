// SPDX-License-Identifier: GPL-2.0-or-later
/* The checks of "naohw doctor", one after the other, and what is said of them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "doctor.h"
#include "json.h"

struct check {
	const char *name;
	check_function *look;
};

/* What comes first is to be mended first. */
static const struct check checks[] = {
	{ "kernel", check_kernel },
	{ "modules", check_modules },
	{ "overlay", check_overlay },
	{ "loaded", check_loaded },
	{ "port", check_port },
	{ "bus", check_bus },
	{ "devices", check_devices },
	{ "drivers", check_drivers },
	{ "permissions", check_permissions },
	{ "answers", check_answers },
	{ "errors", check_errors },
	{ "voltage", check_voltage },
	{ "watchdog", check_watchdog },
	{ "torque", check_torque },
	{ "description", check_description },
	{ "naohwd", check_naohwd },
	{ "body", check_body },
	{ "labels", check_labels },
};

#define CHECKS (sizeof(checks) / sizeof(checks[0]))

/* What it is called in JSON. */
static const char *const state_names[] = {
	[FINDING_OK] = "ok",
	[FINDING_PROBLEM] = "problem",
	[FINDING_NOT_LOOKED_AT] = "not looked at",
};

#define SAY(text)                                              \
	do {                                                   \
		va_list args;                                  \
		va_start(args, format);                        \
		vsnprintf((text), sizeof(text), format, args); \
		va_end(args);                                  \
	} while (0)

void is_well(struct finding *finding, const char *format, ...)
{
	finding->state = FINDING_OK;
	SAY(finding->what);
}

void not_looked_at(struct finding *finding, const char *format, ...)
{
	finding->state = FINDING_NOT_LOOKED_AT;
	SAY(finding->what);
}

void is_wrong(struct finding *finding, const char *format, ...)
{
	finding->state = FINDING_PROBLEM;
	SAY(finding->what);
}

void because(struct finding *finding, const char *format, ...)
{
	SAY(finding->why);
}

void so_do(struct finding *finding, const char *format, ...)
{
	SAY(finding->remedy);
}

/* More than that nobody reads. */
#define ENUMERATED 6

void enumerate(struct enumeration *names, const char *name)
{
	size_t length = strlen(names->text);

	if (names->count++ >= ENUMERATED) {
		names->left_out++;
		return;
	}
	snprintf(names->text + length, sizeof(names->text) - length, "%s%.32s", length ? ", " : "",
		 name);
}

const char *enumerated(struct enumeration *names)
{
	size_t length = strlen(names->text);

	if (names->left_out)
		snprintf(names->text + length, sizeof(names->text) - length, " and %zu more",
			 names->left_out);
	names->left_out = 0;
	return names->text;
}

#define COLUMNS "%-9s%-13s"

static void print_text(const struct check *check, const struct finding *finding)
{
	static const char *const marks[] = {
		[FINDING_OK] = "ok",
		[FINDING_PROBLEM] = "problem",
		[FINDING_NOT_LOOKED_AT] = "-",
	};

	printf(COLUMNS "%s\n", marks[finding->state], check->name, finding->what);
	if (finding->state != FINDING_PROBLEM)
		return;
	printf(COLUMNS "why: %s\n", "", "", finding->why);
	printf(COLUMNS "do:  %s\n", "", "", finding->remedy);
}

static void print_json(const struct check *check, const struct finding *finding)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "check", check->name);
	json_add_text(object, "state", state_names[finding->state]);
	json_add_text(object, "what", finding->what);
	if (finding->state == FINDING_PROBLEM) {
		json_add_text(object, "why", finding->why);
		json_add_text(object, "do", finding->remedy);
	}
	json_print(object);
}

static void print_verdict(size_t problems)
{
	if (!problems)
		printf("Nothing is wrong.\n");
	else if (problems == 1)
		printf("One thing is wrong.\n");
	else
		printf("%zu things are wrong: begin with the first.\n", problems);
}

int examine(const struct patient *patient, bool as_json)
{
	size_t problems = 0;

	for (size_t i = 0; i < CHECKS; i++) {
		struct finding finding = { 0 };

		checks[i].look(patient, &finding);
		problems += finding.state == FINDING_PROBLEM;
		(as_json ? print_json : print_text)(&checks[i], &finding);
	}
	if (!as_json)
		print_verdict(problems);
	return problems ? STATUS_FAILED : STATUS_OK;
}
