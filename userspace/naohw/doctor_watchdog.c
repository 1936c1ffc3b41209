// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether the kernel has taken the torque of a bus. What it has taken stays taken when the stream
 * has ended in which that was, so the servos tell it, too.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "doctor.h"

struct watched {
	char bus[16];
	char stream[32]; /* its stream_state; "": it has none */
	bool is_limp; /* a person has let its joints go */
	bool has_torque; /* of a servo: it has some, or may have */
	struct enumeration tripped;
};

static void look_at_stream(const struct patient *patient, struct watched *watched)
{
	struct names_below names = names_below(patient->root, IIO_DEVICES, "iio:device*");
	char name[64], goal[64], limp[8];

	snprintf(goal, sizeof(goal), "%s-goal", watched->bus);
	for (int i = 0; i < names.count; i++) {
		const char *device = names.at[i]->d_name;

		read_below(patient->root, name, sizeof(name), IIO_DEVICES "/%s/name", device);
		if (strcmp(name, goal) != 0)
			continue;
		read_below(patient->root, watched->stream, sizeof(watched->stream),
			   IIO_DEVICES "/%s/stream_state", device);
		watched->is_limp = read_below(patient->root, limp, sizeof(limp),
					      IIO_DEVICES "/%s/limp", device) > 0 &&
				   strcmp(limp, "1") == 0;
	}
	names_below_free(&names);
}

static bool may_have_torque(const char *state)
{
	static const char *const states[] = { "stiff", "doubted", "recovering",
					      "recovering-doubted" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strcmp(states[i], state) == 0)
			return true;
	return false;
}

static void look_at_servos(const struct patient *patient, struct watched *watched)
{
	char state[32];

	for (size_t i = 0; i < patient->device_count; i++) {
		const struct patient_device *device = &patient->device[i];

		if (!*device->iio || !device_is_on(device, watched->bus))
			continue;
		read_below(patient->root, state, sizeof(state), "%s/torque_state", device->iio);
		watched->has_torque |= may_have_torque(state);
		if (strcmp(state, "tripped") == 0)
			enumerate(&watched->tripped, device->label);
	}
}

/* A single servo without torque has lost its power: that is told of the torque. */
static bool is_cut(const struct watched *watched)
{
	return strcmp(watched->stream, "tripped") == 0 || strcmp(watched->stream, "lapsed") == 0 ||
	       (watched->tripped.count && !watched->has_torque);
}

static void say_cut(struct watched *watched, struct finding *finding)
{
	is_wrong(finding, "The watchdog has cut the torque of %s.",
		 watched->tripped.count ? enumerated(&watched->tripped) : watched->bus);
	because(finding, "A program that moved the robot has died, or gave no sign of life%s.",
		strcmp(watched->stream, "idle") == 0 ? "; or the servos have lost their power" : "");
	so_do(finding, "hold the robot, and type naohw recover");
}

static void say_limp(struct finding *finding)
{
	is_wrong(finding, "naohw limp has let the robot go.");
	because(finding, "A person has done so, and no joint gets torque until it recovers.");
	so_do(finding, "hold the robot, and type naohw recover");
}

void check_watchdog(const struct patient *patient, struct finding *finding)
{
	bool has_any = false;

	for (int i = 0; i < patient->buses.count; i++) {
		struct watched watched = { 0 };

		snprintf(watched.bus, sizeof(watched.bus), "%.15s", patient->buses.at[i]->d_name);
		look_at_stream(patient, &watched);
		look_at_servos(patient, &watched);
		has_any |= *watched.stream != '\0';
		if (watched.is_limp)
			say_limp(finding);
		else if (is_cut(&watched))
			say_cut(&watched, finding);
		if (finding->state == FINDING_PROBLEM)
			return;
	}
	if (has_any)
		is_well(finding, "The watchdog has not acted.");
	else
		not_looked_at(finding, "There are no joints to be watched.");
}
