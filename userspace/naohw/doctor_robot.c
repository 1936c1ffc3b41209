// SPDX-License-Identifier: GPL-2.0-or-later
/* The robot's description, and whether what it names is on the bus. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "key_forms.h"

#define LABEL	   "/Label"
/* What a robot of this kind may lack, with blanks between */
#define OPTIONAL   "Device/Optional"
#define BLANKS	   " \t\r\n"

/* What of a subdevice says that a device is behind it. */
static const char *const sources[] = {
	"Channel", "Attribute", "Light", "Event", "Supply", "Memory", "File", "Tone",
};

#define SOURCES (sizeof(sources) / sizeof(sources[0]))

void check_description(const struct patient *patient, struct finding *finding)
{
	if (patient->preferences) {
		is_well(finding, "That of %s can be read.", patient->name);
		return;
	}
	is_wrong(finding, "The robot's description cannot be read.");
	because(finding, "%s.", patient->err.message);
	switch (patient->load_error) {
	case -ENOENT:
		so_do(finding, "say --robot=NAME, with one of ls /usr/share/naohw/robots");
		break;
	case -EACCES:
		so_do(finding, "sudo chmod a+r that file");
		break;
	default:
		so_do(finding, "mend that line, or take the file away");
		break;
	}
}

static bool is_source(const char *name)
{
	for (size_t i = 0; i < SOURCES; i++)
		if (strcmp(name, sources[i]) == 0)
			return true;
	return false;
}

/* The label that holds for @key, its own or that of an array around it. */
static void label_of(const struct naohw_preferences *preferences, const char *key, char *label)
{
	char path[BELOW_PATH];
	size_t index;
	char *slash;

	snprintf(path, sizeof(path) - sizeof(LABEL), "%s", key);
	while ((slash = strrchr(path, '/')) > path + strlen(KEY_PREFIX)) {
		memcpy(slash, LABEL, sizeof(LABEL));
		if (naohw_preferences_find(preferences, path, &index, NULL) == 0) {
			snprintf(label, LABEL_SIZE, "%s",
				 naohw_preferences_text(preferences, index));
			return;
		}
		*slash = '\0';
	}
	snprintf(label, LABEL_SIZE, "%.*s", (int)strcspn(key + strlen(KEY_PREFIX), "/"),
		 key + strlen(KEY_PREFIX));
}

struct labels {
	char (*at)[LABEL_SIZE];
	size_t count;
};

static bool has_label(const struct labels *labels, const char *label)
{
	for (size_t i = 0; i < labels->count; i++)
		if (strcmp(labels->at[i], label) == 0)
			return true;
	return false;
}

/* All that the description has, each once; none without memory. */
static struct labels labels_of(const struct naohw_preferences *preferences)
{
	size_t count = naohw_preferences_count(preferences);
	struct labels labels = { calloc(count + 1, LABEL_SIZE), 0 };

	for (size_t i = 0; i < count && labels.at; i++) {
		const char *key = naohw_preferences_key(preferences, i);
		const char *slash = strrchr(key, '/');

		if (strncmp(key, KEY_PREFIX, strlen(KEY_PREFIX)) != 0 || !is_source(slash + 1))
			continue;
		label_of(preferences, key, labels.at[labels.count]);
		if (!has_label(&labels, labels.at[labels.count]))
			labels.count++;
	}
	return labels;
}

static bool is_optional(const struct naohw_preferences *preferences, const char *label)
{
	const char *names;
	size_t index, length;

	if (naohw_preferences_find(preferences, OPTIONAL, &index, NULL) < 0)
		return false;
	names = naohw_preferences_text(preferences, index);
	for (names += strspn(names, BLANKS); *names; names += strspn(names, BLANKS)) {
		length = strcspn(names, BLANKS);
		if (strncmp(names, label, length) == 0 && label[length] == '\0')
			return true;
		names += length;
	}
	return false;
}

static bool is_on_bus(const struct patient *patient, const char *label)
{
	for (size_t i = 0; i < patient->device_count; i++)
		if (strcmp(patient->device[i].label, label) == 0)
			return true;
	return false;
}

static void say_all_there(const struct patient *patient, struct finding *finding, size_t count,
			  struct enumeration *without)
{
	if (without->count)
		is_well(finding, "All %zu devices that %s names are there, but for what is optional: %s.",
			count, patient->name, enumerated(without));
	else
		is_well(finding, "All %zu devices that %s names are there.", count, patient->name);
}

void check_labels(const struct patient *patient, struct finding *finding)
{
	struct enumeration missing = { 0 }, without = { 0 };
	struct labels labels;

	if (!patient->preferences || !patient->device_count) {
		not_looked_at(finding, patient->preferences ? "There are no devices." :
							      "There is no description.");
		return;
	}
	labels = labels_of(patient->preferences);
	for (size_t i = 0; i < labels.count; i++)
		if (!is_on_bus(patient, labels.at[i]))
			enumerate(is_optional(patient->preferences, labels.at[i]) ? &without :
										    &missing,
				  labels.at[i]);
	if (!missing.count) {
		say_all_there(patient, finding, labels.count - without.count, &without);
	} else if (missing.count + without.count == labels.count) {
		is_wrong(finding, "Nothing that %s names is on the bus.", patient->name);
		because(finding, "It is another robot, or its overlay is another one's.");
		so_do(finding, "naohw doctor --robot=NAME, with one of ls /usr/share/naohw/robots");
	} else {
		is_wrong(finding, "Not on the bus: %s.", enumerated(&missing));
		because(finding, "The overlay does not have them, or by other labels.");
		so_do(finding, "compare grep . /" DXL_DEVICES "/*/of_node/label, and the overlay");
	}
	free(labels.at);
}
