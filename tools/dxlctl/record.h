/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenes of the simulator, one after the other. */
#ifndef DXLCTL_RECORD_H
#define DXLCTL_RECORD_H

#include "scene.h"

struct recording {
	struct scene *scenes;
	size_t count;
};

/*
 * One scene, and for @length s of the bus's time one more every @every s, until SIGINT or
 * SIGTERM. An exit status; what has been recorded is there whatever that is.
 */
int record(int fd, double length, double every, struct recording *recording);

/* Leave out what is before anything moves and after it has moved. */
void record_trim(struct recording *recording);

#endif
