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
#define ACTIVE	  "Diagnosis/Active/"
#define HEAT	  "Diagnosis/Temperature/"
#define DEGRADED  "Diagnosis/Degraded/"
#define ERROR	  "/Error"
#define LABEL_MAX 128
#define KEY_MAX	  256
#define NS_PER_S  1000000000
#define NS_PER_MS 1000000
/* A host that this command is itself has to look for as long as a silent joint takes. */
#define LOOK_MS 2500
#define STEP_MS 20
/* In which a host has begun the test, and in which what follows from it is told */
#define BEGIN_MS  5000
#define FOLLOW_MS 500

/* Of what is wrong: what it is, and what to do */
struct advice {
	const char *begins; /* what the cause begins with */
	const char *what_to_do;
};

static const struct advice advices[] = {
	{ "no device", "The description has it, and no bus has: see to its plug, supply and ID; \"naohw doctor\" "
		       "looks for it. Device/Without of a description says what a robot has not." },
	{ "no answer", "See to its plug and its supply; naohw doctor looks for the cause." },
	{ "it has lost its torque", "The servo has switched itself off, or was without supply: let it "
				    "cool, see that nothing blocks it; then naohw recover." },
	{ "overload", "Something blocks the joint, or it bears too much: take its load away." },
	{ "error code", "Its motor board has an error: naohw get 'Device/DeviceList/*/Error' names it." },
	{ "too hot", "Let it cool." },
	{ "its adapter", "Plug the adapter in again, and begin the host anew." },
	{ "the program before", "The kernel has let the joints go: naohw wake makes the robot stiff again." },
	{ "it stays open", "The brake of its joint does not hold: see to it before the robot stands." },
	{ "it stays closed", "The brake of its joint does not open: see to it." },
	{ "it does not go", "See what holds the joint, and to its gear; then naohw diagnose --active." },
	{ "its value does not", "See to the sensor; then naohw diagnose --active." },
	{ "it stays pressed", "See what presses it; then naohw diagnose --active." },
	{ "it does not respond", "See to its plug; then naohw diagnose --active." },
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

/* What a kind of diagnosis has found, if the key is its Error; false: nothing, or it is none */
static bool look_at(const struct naohw_dcm *dcm, size_t slot, const char *key, const char *kind)
{
	struct naohw_value error, cause = { .text = "too hot" };
	char label[LABEL_MAX], of[KEY_MAX];

	if (!label_of(key, kind, label) ||
	    naohw_store_read(naohw_dcm_store(dcm), slot, &error) < 0 || !(error.number > 0))
		return false;
	if (strcmp(kind, HEAT) != 0) {
		snprintf(of, sizeof(of), "%s%s/Cause", kind, label);
		read_key(dcm, of, &cause);
	}
	tell(label, cause.text, error.time);
	return true;
}

static unsigned int look_at_all(const struct naohw_dcm *dcm)
{
	static const char *const kinds[] = { PASSIVE, HEAT, ACTIVE };
	const struct naohw_store *store = naohw_dcm_store(dcm);
	unsigned int count = 0;
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			count += look_at(dcm, i, name, kinds[k]);
	return count;
}

static void tell_degraded(const struct naohw_dcm *dcm)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	struct naohw_value value;
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++)
		if (strncmp(name, DEGRADED, strlen(DEGRADED)) == 0 &&
		    naohw_store_read(store, i, &value) == 0 && value.number > 0)
			printf("The robot is to behave as if %s saw an obstacle.\n",
			       name + strlen(DEGRADED));
}

/* What follows of it: joints that are kept limp, a sensor that is not relied on, and a robot that is to rest */
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
	tell_degraded(dcm);
	read_key(dcm, "DCM/WakeUpForbidden", &value);
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

static int tell_all(struct naohw_dcm *dcm)
{
	int status;

	if (!look_at_all(dcm)) {
		printf("Nothing is found to be broken or too hot.\n");
		return STATUS_OK;
	}
	tell_effects(dcm);
	/* A host that is this command does not end in the middle of that. */
	status = await_rest(dcm);
	return status == STATUS_OK ? STATUS_FAILED : status;
}

/* What the last test has left out is neither well nor ill. */
static void tell_untested(const struct naohw_dcm *dcm)
{
	struct naohw_value value;

	read_key(dcm, "Diagnosis/Untested", &value);
	if (*value.text)
		printf("Not tested, for a reason that diagnosis.rst has: %s.\n", value.text);
}

static int need_rules(const struct naohw_dcm *dcm)
{
	if (has_diagnosis(naohw_dcm_store(dcm)))
		return STATUS_OK;
	return complain("nothing is diagnosed, as the description names no table of rules; "
			"\"naohw pref DCM/DiagnosisRules NAO\" does, and naohw doctor looks for "
			"what else may be wrong");
}

static int diagnose(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	int status = need_rules(dcm);

	(void)robot;
	if (status == STATUS_OK)
		status = wait_ms(dcm, LOOK_MS);
	return status == STATUS_OK ? tell_all(dcm) : status;
}

/* How many tests have come to their end */
static double count_tests(const struct naohw_dcm *dcm)
{
	struct naohw_value tests;

	read_key(dcm, "Diagnosis/Tests", &tests);
	return tests.number;
}

/* Each joint has its time, and so there is an end. */
static int await_end_of_test(struct naohw_dcm *dcm, double before)
{
	int64_t begin_by = monotonic_ns() + (int64_t)BEGIN_MS * NS_PER_MS;
	int status = STATUS_OK;

	while (status == STATUS_OK && count_tests(dcm) != before + 1) {
		if (monotonic_ns() > begin_by && !rest_is(dcm, "testing"))
			return complain("the test did not come to its end: another program had the robot "
					"wake up, or rest");
		status = wait_ms(dcm, STEP_MS);
	}
	return status;
}

static int test(struct naohw_dcm *dcm)
{
	double before = count_tests(dcm);
	struct naohw_error err;
	int status;

	if (naohw_dcm_diagnose(dcm, &err) < 0)
		return complain("%s", err.message);
	status = await_end_of_test(dcm, before);
	/* A naohwd would go on with it. */
	if (status == STATUS_INTERRUPTED)
		(void)naohw_dcm_rest(dcm, NULL);
	return status == STATUS_OK ? wait_ms(dcm, FOLLOW_MS) : status;
}

static int diagnose_actively(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	struct naohw_error err;
	int status = need_rules(dcm);

	(void)robot;
	if (status != STATUS_OK)
		return status;
	if (naohw_dcm_rest(dcm, &err) < 0)
		return complain("%s", err.message);
	/* Silent joints are found meanwhile, and not tested. */
	status = wait_ms(dcm, LOOK_MS);
	if (status == STATUS_OK)
		status = await_rest(dcm);
	if (status == STATUS_OK)
		status = test(dcm);
	if (status != STATUS_OK)
		return status;
	tell_untested(dcm);
	return tell_all(dcm);
}

int cmd_diagnose(const struct cli *cli)
{
	return with_dcm(cli, cli->line.option[OPTION_ACTIVE] ? diagnose_actively : diagnose);
}
