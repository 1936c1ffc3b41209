// SPDX-License-Identifier: GPL-2.0-or-later
/* Which joints do not move, or do less than they are told, and why: by servo, and by naohwd. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "ends.h"
#include "guard_words.h"

#define WHEEL "/Speed/Actuator/Label"

/* For each reason the joints of which it is said. */
struct limp {
	struct enumeration joints[GUARD_REASONS];
};

/* A servo that does not answer is looked at for itself, too. */
static bool is_silent(enum guard_reason reason)
{
	return reason >= GUARD_NO_ANSWER && reason <= GUARD_RETURN_LEVEL;
}

static bool is_of_watchdog(enum guard_reason reason)
{
	return reason == GUARD_TRIPPED || reason == GUARD_WATCHDOG || reason == GUARD_LIMP;
}

/* A stream that has tripped is the watchdog's, which is looked at for itself. */
static bool has_tripped(const struct patient *patient)
{
	struct finding watchdog = { 0 };

	check_watchdog(patient, &watchdog);
	return watchdog.state == FINDING_PROBLEM;
}

/* What turns on purpose has no goal positions. */
static bool is_wheel(const struct naohw_robot *robot, const char *label)
{
	char text[LABEL_SIZE];

	for (size_t i = 0; robot && i < naohw_robot_key_count(robot); i++) {
		struct naohw_key *key = naohw_robot_key_at(robot, i);

		if (text_ends_with(naohw_key_name(key), WHEEL) &&
		    naohw_key_read_string(key, text, sizeof(text), NULL) == 0 &&
		    strcmp(text, label) == 0)
			return true;
	}
	return false;
}

static enum guard_reason ask_servo(const struct patient *patient,
				   const struct patient_device *device)
{
	int dir = openat(patient->root, device->iio, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const struct naohw_reason *reason;

	if (dir < 0)
		return GUARD_NONE;
	reason = naohw_servo_reason(dir, is_wheel(patient->described, device->label));
	close(dir);
	return guard_reason(reason->word);
}

static enum guard_reason ask_naohwd(const struct naohw_dcm *dcm, const char *label)
{
	const struct naohw_store *store = dcm ? naohw_dcm_store(dcm) : NULL;
	char name[LABEL_SIZE + sizeof(GUARD_PREFIX)];
	struct naohw_value value;
	size_t slot;

	snprintf(name, sizeof(name), GUARD_PREFIX "%s", label);
	if (!store || naohw_store_find(store, name, &slot) < 0 ||
	    naohw_store_read(store, slot, &value) < 0)
		return GUARD_NONE;
	return guard_reason(value.text);
}

/* Return: how many servos answer that tell their torque. */
static unsigned int ask_all(const struct patient *patient, struct limp *limp)
{
	bool tripped = has_tripped(patient);
	unsigned int count = 0;

	for (size_t i = 0; i < patient->device_count; i++) {
		const struct patient_device *device = &patient->device[i];
		enum guard_reason servo, told;

		if (!*device->iio || !is_below(patient->root, "%s/torque_state", device->iio))
			continue;
		servo = ask_servo(patient, device);
		told = ask_naohwd(patient->dcm, device->label);
		if (told > servo)
			servo = told;
		count += !is_silent(servo);
		if (!is_silent(servo) && (!tripped || !is_of_watchdog(servo)))
			enumerate(&limp->joints[servo], device->label);
	}
	return count;
}

/* The last reason for which there is a joint, be it a fault or not; or none. */
static enum guard_reason find(const struct limp *limp, bool is_fault)
{
	int reason = GUARD_REASONS - 1;

	while (reason &&
	       (!limp->joints[reason].count || !guard_words[reason].is_fault == is_fault))
		reason--;
	return (enum guard_reason)reason;
}

/* Of all reasons that are a fault, behind its joints each has its word. */
static void list_faults(struct limp *limp, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (int i = GUARD_REASONS - 1; i > GUARD_NONE && used < size; i--)
		if (guard_words[i].is_fault && limp->joints[i].count)
			used += (size_t)snprintf(text + used, size - used, "%s%s (%s)",
						 used ? ", " : "", enumerated(&limp->joints[i]),
						 guard_words[i].word);
}

/* What somebody did on purpose, or what passes, is no problem. Of several the first one is to be mended. */
static void tell_of(struct limp *limp, struct finding *finding)
{
	enum guard_reason problem = find(limp, true), note = find(limp, false);
	const struct naohw_reason *reason = &guard_words[problem];
	char faults[sizeof(finding->what) / 2];

	if (problem) {
		list_faults(limp, faults, sizeof(faults));
		is_wrong(finding, "Joints that do less than they are told: %s.", faults);
		because(finding, "%s: %s.", reason->word, reason->what);
		so_do(finding, "%s", reason->remedy);
	} else if (note) {
		is_well(finding, "%s: %s.", enumerated(&limp->joints[note]), guard_words[note].what);
	} else {
		is_well(finding, "All joints do what they are told.");
	}
}

void check_torque(const struct patient *patient, struct finding *finding)
{
	struct limp limp = { 0 };

	if (ask_all(patient, &limp))
		tell_of(&limp, finding);
	else
		not_looked_at(finding, "No servo answers that tells its torque.");
}
