// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the devices answer while the doctor asks them. What the kernel has counted before that tells
 * nothing: there may have been no power, or no plug.
 */
#include <dirent.h>
#include <errno.h>
#include <monotonic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "doctor.h"

#define NS_PER_S ((int64_t)1000000000)

/* How often each device is asked; and for how long all of them are, at the most */
#define ROUNDS	   50
#define LONGEST_NS (2 * NS_PER_S)

/* Of a hundred answers, and in all. A line in order loses none. */
#define MOST_LOST   1.0
#define FEWEST_LOST 2

struct counts {
	double good;
	double bad;
};

struct asked {
	const struct patient_device *device;
	char question[BELOW_PATH]; /* an attribute for which the kernel asks it; "": there is none */
	bool is_silent;
	struct counts before;
	struct counts since;
};

/* ---- To ask ---- */

static void find_question(const struct patient *patient, struct asked *asked)
{
	const char *iio = asked->device->iio;
	struct names_below inputs;

	if (!*iio)
		return;
	snprintf(asked->question, BELOW_PATH, "%.400s/hardware_error", iio);
	if (is_below(patient->root, "%s", asked->question))
		return;
	inputs = names_below(patient->root, iio, "in_*_raw");
	snprintf(asked->question, BELOW_PATH, "%.255s/%.255s", iio,
		 inputs.count ? inputs.at[0]->d_name : "");
	if (!inputs.count)
		*asked->question = '\0';
	names_below_free(&inputs);
}

static bool is_in_state(const struct patient *patient, const struct asked *asked, const char *state)
{
	char now[16];

	read_below(patient->root, now, sizeof(now), DXL_DEVICES "/%s/state", asked->device->name);
	return strcmp(now, state) == 0;
}

/* One that refuses has answered, and so has another model in its place. */
static bool answers(const struct patient *patient, const struct asked *asked)
{
	char answer[128];
	long ret;

	if (!*asked->question)
		return !is_in_state(patient, asked, "lost") &&
		       !is_in_state(patient, asked, "passive");
	ret = read_below(patient->root, answer, sizeof(answer), "%s", asked->question);
	return ret >= 0 || ret == -EREMOTEIO || ret == -EACCES || ret == -ENODEV;
}

static double count_of(const struct patient *patient, const struct asked *asked, const char *name)
{
	char text[32];

	read_below(patient->root, text, sizeof(text), DXL_DEVICES "/%s/statistics/%s",
		   asked->device->name, name);
	return strtod(text, NULL);
}

static struct counts counts_of(const struct patient *patient, const struct asked *asked)
{
	return (struct counts){
		.good = count_of(patient, asked, "ack"),
		.bad = count_of(patient, asked, "nack"),
	};
}

/* Return: how many are silent */
static size_t ask_all(const struct patient *patient, struct asked *asked, bool only_silent)
{
	size_t silent = 0;

	for (size_t i = 0; i < patient->device_count; i++) {
		if (!only_silent || asked[i].is_silent)
			asked[i].is_silent = !answers(patient, &asked[i]);
		silent += asked[i].is_silent;
	}
	return silent;
}

/* One that has been lost may have come back. */
static void meet(const struct patient *patient, struct asked *asked)
{
	for (size_t i = 0; i < patient->device_count; i++) {
		asked[i].device = &patient->device[i];
		find_question(patient, &asked[i]);
	}
	if (!ask_all(patient, asked, false))
		return;
	monotonic_sleep_ms(FOUND_MS);
	(void)ask_all(patient, asked, true);
}

/* A program that moves the robot meanwhile adds its answers to those that the doctor gets. */
static void ask_often(const struct patient *patient, struct asked *asked)
{
	int64_t end = monotonic_ns() + LONGEST_NS;

	for (size_t i = 0; i < patient->device_count; i++)
		asked[i].before = counts_of(patient, &asked[i]);
	for (int round = 0; round < ROUNDS && monotonic_ns() < end; round++)
		(void)ask_all(patient, asked, false);
	/* One answer that is missing is no silence. */
	(void)ask_all(patient, asked, true);
	for (size_t i = 0; i < patient->device_count; i++) {
		struct counts now = counts_of(patient, &asked[i]);

		asked[i].since.good = now.good - asked[i].before.good;
		asked[i].since.bad = now.bad - asked[i].before.bad;
	}
}

/* ---- To say ---- */

static void enumerate_silent(const struct patient *patient, const struct asked *asked,
			     struct enumeration *names)
{
	char state[16], text[LABEL_SIZE + 32];

	read_below(patient->root, state, sizeof(state), DXL_DEVICES "/%s/state",
		   asked->device->name);
	snprintf(text, sizeof(text), "%s (%s)", asked->device->label, state);
	enumerate(names, text);
}

static bool is_faulty(const struct asked *asked)
{
	const struct counts *since = &asked->since;

	return since->bad >= FEWEST_LOST &&
	       since->bad * 100 > MOST_LOST * (since->bad + since->good);
}

static void enumerate_faulty(const struct asked *asked, struct enumeration *names)
{
	char text[LABEL_SIZE + 64];

	snprintf(text, sizeof(text), "%s (%.0f of %.0f)", asked->device->label, asked->since.bad,
		 asked->since.bad + asked->since.good);
	enumerate(names, text);
}

/* What a look onto the bus has found of silent devices */
struct look {
	const struct naohw_reason *reason; /* NULL: silence */
	struct enumeration names;	   /* of which that is said */
	char failure[128];		   /* why there was none; or "" */
};

static void look_at_silent(const struct patient *patient, const struct patient_device *device,
			   struct look *look)
{
	const struct naohw_reason *reason;
	char failure[sizeof(look->failure)];

	look_for(patient, device, &reason, failure, sizeof(failure));
	if (*failure)
		strcpy(look->failure, failure);
	if (!reason->is_fault || strcmp(reason->word, "no-answer") == 0 ||
	    (look->reason && look->reason != reason))
		return;
	look->reason = reason;
	enumerate(&look->names, device->label);
}

static void say_otherwise(struct look *look, struct finding *finding)
{
	is_wrong(finding, "No answer from %s.", enumerated(&look->names));
	because(finding, "%s: %s.", look->reason->word, look->reason->what);
	so_do(finding, "%s", look->reason->remedy);
}

static void say_not_looked(const struct look *look, struct finding *finding)
{
	size_t length = strlen(finding->why);

	if (*look->failure)
		snprintf(finding->why + length, sizeof(finding->why) - length,
			 " The bus was not looked at for other causes, as %s.", look->failure);
}

/* A board that gives the servos their supply, and has not been told to; NULL: there is none. */
static const struct patient_device *without_supply(const struct patient *patient)
{
	char power[16];

	for (size_t i = 0; i < patient->device_count; i++) {
		const struct patient_device *device = &patient->device[i];

		if (*device->iio &&
		    read_below(patient->root, power, sizeof(power), "%s/servo_power",
			       device->iio) > 0 &&
		    strcmp(power, "0") == 0)
			return device;
	}
	return NULL;
}

static void say_silent(const struct patient *patient, struct finding *finding,
		       struct enumeration *silent)
{
	const struct patient_device *board = without_supply(patient);

	is_wrong(finding, "No answer from %s.", enumerated(silent));
	if (board) {
		because(finding, "%s gives the servos no supply.", board->label);
		/* The device has another number after each start. */
		so_do(finding,
		      "see that the robot can move, and type echo 1 | sudo tee "
		      "/%.*s/iio:device*/servo_power",
		      (int)(strrchr(board->iio, '/') - board->iio), board->iio);
	} else if (silent->count == patient->device_count) {
		because(finding,
			"They have no power, or another baud rate, or the line is not connected.");
		so_do(finding,
		      "switch the robot on; echo '1-20 baud=57600' | sudo tee "
		      "/" DXL_DEVICES "/%s/scan looks at another rate",
		      patient->buses.at[0]->d_name);
	} else {
		because(finding, "It is not plugged, has no power, or another ID or baud rate.");
		so_do(finding,
		      "see to its plug; echo all | sudo tee /" DXL_DEVICES "/%s/scan finds its ID",
		      patient->buses.at[0]->d_name);
	}
}

static void tell(const struct patient *patient, const struct asked *asked, struct finding *finding)
{
	struct enumeration silent = { 0 }, faulty = { 0 };
	struct look look = { .reason = NULL };

	for (size_t i = 0; i < patient->device_count; i++) {
		if (asked[i].is_silent) {
			enumerate_silent(patient, &asked[i], &silent);
			look_at_silent(patient, asked[i].device, &look);
		} else if (is_faulty(&asked[i])) {
			enumerate_faulty(&asked[i], &faulty);
		}
	}
	if (look.reason) {
		say_otherwise(&look, finding);
	} else if (silent.count) {
		say_silent(patient, finding, &silent);
		say_not_looked(&look, finding);
	} else if (faulty.count) {
		is_wrong(finding, "Often without a good answer: %s.", enumerated(&faulty));
		because(finding,
			"A bad plug, a long wire, a ground that is missing, or one ID twice.");
		so_do(finding, "grep . /" DXL_DEVICES "/*/statistics/*_errors tells which errors");
	} else {
		is_well(finding, "All devices answer.");
	}
}

void check_answers(const struct patient *patient, struct finding *finding)
{
	struct asked *asked;

	if (!patient->device_count || !patient->buses.count) {
		not_looked_at(finding, "There are no devices.");
		return;
	}
	asked = calloc(patient->device_count, sizeof(*asked));
	if (!asked) {
		not_looked_at(finding, "There is no memory for it.");
		return;
	}
	meet(patient, asked);
	ask_often(patient, asked);
	tell(patient, asked, finding);
	free(asked);
}
