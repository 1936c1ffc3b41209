/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Motion pages, played by libnaohw's player on a robot with a body in virtual time. */
#ifndef DXLSIM_TESTS_RECITAL_H
#define DXLSIM_TESTS_RECITAL_H

#include <naohw.h>

#include "mannequin.h"

/**
 * struct recital - how it went
 * @refusal: why the player does not play it; without a message: it does
 * @began: it stood in the pose of the first step when it was let go
 * @stood: and all the time until a second after the last one
 * @seconds: how long it played, or when it fell
 * @lean: how far its torso leant at most, degrees
 */
struct recital {
	struct naohw_error refusal;
	bool began;
	bool stood;
	double seconds;
	double lean;
};

/* A page and those that follow it by themselves; after @most seconds it is told to stop. */
struct recital recite(const char *robot, const struct naohw_motion *motion,
		      unsigned int first, double most);

#endif
