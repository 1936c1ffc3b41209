// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>

#include "table.h"

#define PREFIX	  "DCM/Lease/"
#define NAME_SIZE 128

static void write_name(char name[NAME_SIZE], const char *label)
{
	snprintf(name, NAME_SIZE, PREFIX "%s", label);
}

/* A joint whose name cannot be a key's, or that is one too many, has none. */
int leases_add_texts(const struct naohw_robot *robot, struct naohw_dcm_settings *settings)
{
	for (size_t i = 0; i < naohw_robot_joint_count(robot); i++) {
		char name[NAME_SIZE];

		write_name(name, naohw_joint_label(robot, i));
		if (naohw_dcm_settings_add_text(settings, name) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

static const struct party *party_of(const struct held *held)
{
	if (!held || !held->lease)
		return NULL;
	return held->alone ? held->alone : held->lease->party;
}

/* Of who holds it alone, or who took it last. */
static const struct party *party_at(const struct leases *leases, const char *label)
{
	const struct party *party = NULL;

	for (size_t i = 0; i < TABLE_PARTS && !party; i++)
		party = party_of(table_joint(leases, label, table_parts[i]));
	return party;
}

void leases_show(struct leases *leases)
{
	for (size_t i = 0; i < naohw_robot_joint_count(leases->robot); i++) {
		const char *label = naohw_joint_label(leases->robot, i);
		const struct party *party = party_at(leases, label);
		char name[NAME_SIZE], text[NAOHW_TEXT_SIZE] = "";

		if (party)
			snprintf(text, sizeof(text), "%s (%ld)", party->program, (long)party->pid);
		write_name(name, label);
		(void)naohw_dcm_set_text(leases->dcm, name, text);
	}
}
