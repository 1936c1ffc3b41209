// SPDX-License-Identifier: GPL-2.0-or-later
/* The board that keeps what the body is calibrated to. */
#include <errno.h>

#include "doctor.h"

/* @error: how its two copies could not be read */
static void say_error(struct finding *finding, int error, const char *message)
{
	switch (error) {
	case -ENODEV:
		not_looked_at(finding, "No board here keeps the body's calibration.");
		return;
	case -ENODATA:
		is_well(finding, "The body's board keeps nothing yet.");
		return;
	case -EBUSY:
		not_looked_at(finding, "Another program streams.");
		return;
	case -EACCES:
	case -EPERM:
		not_looked_at(finding, "You may not read the board.");
		return;
	case -EUCLEAN:
		is_wrong(finding, "Both copies of the body's calibration are broken.");
		because(finding, "%s.", message);
		so_do(finding,
		      "sudo naohw pref --restore, if its file is this body's; or calibrate anew");
		return;
	default:
		is_wrong(finding, "The body's board does not tell what it keeps.");
		because(finding, "%s.", message);
		so_do(finding, "mend what is wrong above, or switch the robot off and on");
	}
}

void check_body(const struct patient *patient, struct finding *finding)
{
	struct naohw_error err;
	uint32_t generation;
	int ret;

	if (!patient->preferences) {
		not_looked_at(finding, "There is no description.");
		return;
	}
	ret = naohw_preferences_body(patient->preferences, &generation, &err);
	if (ret < 0) {
		say_error(finding, ret, err.message);
	} else if (ret == 0) {
		is_well(finding, "The body's board keeps its calibration, generation %u.",
			generation);
	} else {
		is_wrong(finding, "One of two copies of the body's calibration is broken.");
		because(finding,
			"The power went, or the bus failed, as it was saved; generation %u holds.",
			generation);
		so_do(finding, "calibrate, or save, once more what was to be saved then");
	}
}
