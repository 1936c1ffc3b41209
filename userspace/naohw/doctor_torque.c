// SPDX-License-Identifier: GPL-2.0-or-later
/* Which joints do less than they are told, and why: by the kernel, and by the robot's naohwd. */
#include "doctor.h"
#include "guard_words.h"

/* For each reason the joints of which it is said. */
struct limp {
	struct enumeration joints[GUARD_REASONS];
};

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
		enum guard_reason reason;

		if (!*device->iio || read_below(patient->root, state, sizeof(state),
						"%s/torque_state", device->iio) <= 0)
			continue;
		any = true;
		reason = guard_reason(state);
		if (!tripped || reason != GUARD_TRIPPED)
			enumerate(&limp->joints[reason], device->label);
	}
	return any;
}

/* But for what the kernel has told. */
static void ask_store(const struct naohw_store *store, struct limp *limp)
{
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++) {
		const char *label = guard_label(name);
		enum guard_reason reason;
		struct naohw_value value;

		if (!label || naohw_store_read(store, i, &value) < 0)
			continue;
		reason = guard_reason(value.text);
		if (!guard_words[reason].is_torque_state)
			enumerate(&limp->joints[reason], label);
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

/* The last reason for which there is a joint, with something to do about it or without; or none. */
static enum guard_reason find(const struct limp *limp, bool has_remedy)
{
	int reason = GUARD_REASONS - 1;

	while (reason && (!limp->joints[reason].count || !guard_words[reason].remedy == has_remedy))
		reason--;
	return (enum guard_reason)reason;
}

/* What somebody did on purpose, or what passes, is no problem. */
static void tell_of(struct limp *limp, struct finding *finding)
{
	enum guard_reason problem = find(limp, true), note = find(limp, false);
	const struct guard_word *word = &guard_words[problem];

	if (problem) {
		is_wrong(finding, "Joints that do less than they are told: %s.",
			 enumerated(&limp->joints[problem]));
		because(finding, "%s: %s.", word->word, word->what);
		so_do(finding, "%s", word->remedy);
	} else if (note) {
		is_well(finding, "%s: %s.", enumerated(&limp->joints[note]), guard_words[note].what);
	} else {
		is_well(finding, "All joints do what they are told.");
	}
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
