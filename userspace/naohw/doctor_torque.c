// SPDX-License-Identifier: GPL-2.0-or-later
/* Which joints do less than they are told, and why: by the kernel, and by the robot's naohwd. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "guard_words.h"

/* For each word the joints of which it is said. */
struct limp {
	struct enumeration joints[GUARD_WORDS];
};

static void add(struct limp *limp, const char *label, const struct guard_word *word)
{
	if (word)
		enumerate(&limp->joints[word - guard_words], label);
}

/* A stream that has tripped is the watchdog's, which is looked at for itself. */
static bool has_tripped(const struct patient *patient)
{
	struct finding watchdog = { 0 };

	check_watchdog(patient, &watchdog);
	return watchdog.state == FINDING_PROBLEM;
}

static bool ask_kernel(const struct patient *patient, struct limp *limp)
{
	bool tripped = has_tripped(patient), any = false;
	char state[32];

	for (size_t i = 0; i < patient->device_count; i++) {
		const struct patient_device *device = &patient->device[i];

		if (!*device->iio || read_below(patient->root, state, sizeof(state),
						"%s/torque_state", device->iio) <= 0)
			continue;
		any = true;
		if (!tripped || strcmp(state, "tripped") != 0)
			add(limp, device->label, guard_word(state));
	}
	return any;
}

/* But for what the kernel has told. */
static void ask_store(const struct naohw_store *store, struct limp *limp)
{
	size_t length = strlen(GUARD_PREFIX);
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++) {
		const struct guard_word *word;
		struct naohw_value value;

		if (strncmp(name, GUARD_PREFIX, length) != 0 ||
		    naohw_store_read(store, i, &value) < 0)
			continue;
		word = guard_word(value.text);
		if (word && !word->is_torque_state)
			add(limp, name + length, word);
	}
}

/* Return: there is one. */
static bool ask_naohwd(const struct patient *patient, struct limp *limp)
{
	struct naohw_dcm_settings *settings;
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	bool is_there = false;

	if (naohw_robot_describe(patient->robot, &robot, NULL) < 0)
		return false;
	if (naohw_dcm_settings_new(&settings) == 0) {
		naohw_dcm_settings_set_host(settings, -1);
		if (naohw_dcm_open(robot, settings, &dcm, NULL) == 0) {
			ask_store(naohw_dcm_store(dcm), limp);
			naohw_dcm_close(dcm);
			is_there = true;
		}
		naohw_dcm_settings_free(settings);
	}
	naohw_robot_close(robot);
	return is_there;
}

/* What is somebody's wish, or passes, is no problem. */
static void tell_of(struct limp *limp, struct finding *finding)
{
	for (size_t i = 0; i < GUARD_WORDS; i++) {
		const struct guard_word *word = &guard_words[i];

		if (!limp->joints[i].count)
			continue;
		if (!word->remedy) {
			is_well(finding, "%s: %s.", enumerated(&limp->joints[i]), word->what);
			return;
		}
		is_wrong(finding, "Not all that they are told: %s.", enumerated(&limp->joints[i]));
		because(finding, "%s: %s.", word->word, word->what);
		so_do(finding, "%s", word->remedy);
		return;
	}
	is_well(finding, "All joints do what they are told.");
}

void check_torque(const struct patient *patient, struct finding *finding)
{
	struct limp limp = { 0 };
	bool any = ask_kernel(patient, &limp);

	any |= ask_naohwd(patient, &limp);
	if (any)
		tell_of(&limp, finding);
	else
		not_looked_at(finding, "No servo tells its torque.");
}
