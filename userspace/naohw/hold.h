/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joints that this program alone moves, also where a naohwd has the robot. */
#ifndef NAOHW_HOLD_H
#define NAOHW_HOLD_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

struct hold {
	struct naohw_dcm *dcm; /* NULL: nothing is held */
	const char *const *labels;
	size_t count;
	unsigned int lease;
	bool is_held; /* beside others */
};

/*
 * Hold these joints. If this program dies they soften, as nobody may be beside the robot who would
 * stop it. Where no naohwd has the robot, it is this program's alone anyway.
 * @labels: @count of them, which outlive the hold.
 * Return: as naohw_dcm_lease().
 */
int hold_begin(struct hold *hold, struct naohw_dcm *dcm, const char *const *labels, size_t count,
	       struct naohw_error *err);

/* They stay where they were sent last. Nothing, if nothing is held. */
void hold_end(struct hold *hold);

#endif
