/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Motion pages, played by a robot with a body in virtual time. */
#ifndef DXLSIM_TESTS_RECITAL_H
#define DXLSIM_TESTS_RECITAL_H

#include <naohw.h>

#include "mannequin.h"

/**
 * struct recital - how it went
 * @began: it stood in the pose of the first step when it was let go
 * @stood: and all the time until a second after the last one
 * @seconds: how long it played, or when it fell
 * @lean: how far its torso leant at most, degrees
 */
struct recital {
	bool began;
	bool stood;
	double seconds;
	double lean;
};

/* A page and those that follow it by themselves, but for as much as @most seconds. */
struct recital recite(const char *robot, const struct naohw_motion *motion,
		      unsigned int first, double most);

#endif
