/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A device as NAO's keys have it, "Device/DeviceList/ChestBoard", and which of the kernel's it is
 * made of: a board with two motors is two.
 */
#ifndef NAOHW_STATION_H
#define NAOHW_STATION_H

#include "fault.h"
#include "inside.h"

/* One of the kernel's */
struct party {
	char *label;
	const struct unit *unit; /* NULL: none has this label */
	bool looked;
	int dir; /* negative: why it is not there */
	/* Of the last look for errors: */
	bool seen;
	double nack;
	double alerts;
};

/* What each has that its subdevices have, too */
enum shared {
	SHARED_ACK,
	SHARED_NACK,
	SHARED_ERROR,
};

#define SHARED (SHARED_ERROR + 1)

struct station {
	char *name; /* "ChestBoard" */
	struct party *party;
	size_t party_count;
	struct subdevice *shared[SHARED];
	struct faults faults;
};

/*
 * All that the description lists or that controls a subdevice, with what each of them has without
 * its saying so. As the tables of inside.h.
 */
int stations_build(struct naohw_robot *robot, struct naohw_error *err);
void stations_open(struct naohw_robot *robot);
void stations_free(struct naohw_robot *robot);

/* Find its parties, under the robot's lock. 0: at least one is there; or why none is. */
int station_need(struct station *station, const struct naohw_robot *robot);

#endif
