// SPDX-License-Identifier: GPL-2.0-or-later
/* naohw diagnose: what the diagnosis of a host has found, by its keys */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "guard_words.h"
#include "interrupt.h"
#include "monotonic.h"
#include "resting.h"
#include "with_dcm.h"

#define PASSIVE	  "Diagnosis/Passive/"
#define HEAT	  "Diagnosis/Temperature/"
#define ERROR	  "/Error"
#define LABEL_MAX 128
#define KEY_MAX	  256
#define NS_PER_S  1000000000
/* A host that this command is itself has to look for as long as a silent joint takes. */
#define LOOK_MS 2500
#define STEP_MS 20

/* Of what is wrong: what it is, and what to do */
struct advice {
	const char *begins; /* what the cause begins with */
	const char *what_to_do;
};

static const struct advice advices[] = {
	{ "no answer", "See to its plug and its supply; naohw doctor looks for the cause." },
	{ "it has lost its torque", "The servo has switched itself off, or was without supply: let it "
				    "cool, see that nothing blocks it; then naohw recover." },
	{ "overload", "Something blocks the joint, or it bears too much: take its load away." },
	{ "error code", "Its motor board has an error: naohw get 'Device/DeviceList/*/Error' names it." },
	{ "too hot", "Let it cool." },
	{ "", "It has just changed: ask again." },
};

static const char *what_to_do(const char *cause)
{
	const struct advice *advice = advices;

	while (strncmp(cause, advice->begins, strlen(advice->begins)) != 0)
		advice++;
	return advice->what_to_do;
}

/* The label within PREFIX LABEL/Error; false: the key is no such one. */
static bool label_of(const char *key, const char *prefix, char label[LABEL_MAX])
{
	size_t head = strlen(prefix), length = strlen(key), tail = strlen(ERROR);

	if (length < head + tail || strncmp(key, prefix, head) != 0 ||
	    strcmp(key + length - tail, ERROR) != 0 || length - head - tail >= LABEL_MAX)
		return false;
	snprintf(label, LABEL_MAX, "%.*s", (int)(length - head - tail), key + head);
	return true;
}

static void tell(const char *label, const char *cause, int64_t since)
{
	printf("%s: %s, for %lld s.\n    %s\n", label, cause,
	       (long long)((monotonic_ns() - since) / NS_PER_S), what_to_do(cause));
}

/* One that the kind of diagnosis has found. */
static bool look_at(const struct naohw_dcm *dcm, size_t slot, const char *key)
{
	struct naohw_value error, cause = { .text = "" };
	char label[LABEL_MAX], of[KEY_MAX];
	bool is_heat = label_of(key, HEAT, label);

	if (!is_heat && !label_of(key, PASSIVE, label))
		return false;
	if (naohw_store_read(naohw_dcm_store(dcm), slot, &error) < 0 || error.number == 0)
		return false;
	snprintf(of, sizeof(of), PASSIVE "%s/Cause", label);
	read_text(dcm, of, &cause);
	tell(label, is_heat ? "too hot" : cause.text, error.time);
	return true;
}

/* What follows of it: joints that are kept limp, and a robot that is to rest */
static void tell_effects(const struct naohw_dcm *dcm)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	struct naohw_value value = { .text = "" };
	unsigned int count = 0;
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++) {
		if (!guard_label(name) || naohw_store_read(store, i, &value) < 0 ||
		    guard_reason(value.text) != GUARD_DIAGNOSIS)
			continue;
		printf("%s%s", count++ ? " " : "Kept limp, or on the way to that: ",
		       guard_label(name));
	}
	if (count)
		printf(".\n");
	read_text(dcm, "DCM/WakeUpForbidden", &value);
	if (*value.text)
		printf("The robot rests, and may not wake up: %s.\n", value.text);
}

static bool has_diagnosis(const struct naohw_store *store)
{
	char label[LABEL_MAX];
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++)
		if (label_of(name, PASSIVE, label))
			return true;
	return false;
}

static int diagnose(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	unsigned int count = 0;
	const char *name;

	(void)robot;
	if (!has_diagnosis(store))
		return complain("nothing is diagnosed, as the description names no table of rules; "
				"\"naohw pref DCM/DiagnosisRules NAO\" does, and naohw doctor looks for "
				"what else may be wrong");
	for (int waited = 0; waited < LOOK_MS && !is_interrupted(); waited += STEP_MS)
		monotonic_sleep_ms(STEP_MS);
	if (is_interrupted())
		return STATUS_INTERRUPTED;
	for (size_t i = 0; (name = naohw_store_name(store, i)); i++)
		count += look_at(dcm, i, name);
	if (!count) {
		printf("Nothing is found to be broken or too hot.\n");
		return STATUS_OK;
	}
	tell_effects(dcm);
	/* A host that is this command does not end in the middle of that. */
	return await_rest(dcm) == STATUS_OK ? STATUS_FAILED : STATUS_INTERRUPTED;
}

int cmd_diagnose(const struct cli *cli)
{
	return with_dcm(cli, diagnose);
}
