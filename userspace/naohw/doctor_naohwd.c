// SPDX-License-Identifier: GPL-2.0-or-later
/* The naohwd that has the robot, or is to have it: without it all that moves is refused. */
#include <errno.h>

#include "doctor.h"

void check_naohwd(const struct patient *patient, struct finding *finding)
{
	if (!patient->preferences) {
		not_looked_at(finding, "There is no description.");
		return;
	}
	switch (patient->join_error) {
	case 0:
		is_well(finding, "naohwd has the robot.");
		return;
	case -ENOENT:
		is_well(finding, "No naohwd has the robot, and none is to.");
		return;
	case -EAGAIN:
		is_wrong(finding, "naohwd@%s is enabled, and is not there.", patient->name);
		because(finding, "It has ended, or begins just now; all that moves is refused.");
		so_do(finding,
		      "systemctl status naohwd@%s says why; then sudo systemctl restart naohwd@%s; or, "
		      "if the robot is to have none, sudo systemctl disable --now naohwd@%s",
		      patient->name, patient->name, patient->name);
		return;
	case -EACCES:
		is_wrong(finding, "You may not use the naohwd of %s.", patient->name);
		because(finding, "Only root and the group of its --group may, and you are not in it.");
		so_do(finding, "sudo adduser $USER robot, and log in anew");
		return;
	default:
		is_wrong(finding, "No program can use the naohwd of %s.", patient->name);
		because(finding, "%s.", patient->join_err.message);
		so_do(finding, "systemctl status naohwd@%s; sudo systemctl restart naohwd@%s",
		      patient->name, patient->name);
	}
}
