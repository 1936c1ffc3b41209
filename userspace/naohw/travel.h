/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joints that take a given time to their goals, by the cycle of a naohwd or by their servos' speed. */
#ifndef NAOHW_TRAVEL_H
#define NAOHW_TRAVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

struct traveller;

/* Begins with the first three alone. */
struct travel {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm; /* NULL: no naohwd has the robot */
	double seconds;
	struct naohw_pose *pose; /* for what the DCM knows of a joint */
	struct traveller *list;
	size_t count;
	int64_t end_ns; /* when the last one is to be there */
};

/* "2s", "500ms" or "2", which is in s; false: it is none, complained. */
bool travel_parse(const char *text, double *seconds);

/* Before the first joint. Return: a status, as all of these; complained unless it is STATUS_OK. */
int travel_begin(struct travel *travel);

/* Send a joint on its way. @key: of a position; @value: rad. */
int travel_add(struct travel *travel, struct naohw_key *key, double value);

/*
 * Wait until all joints are there. Those that are not, a second late or when the user interrupts, stop
 * where they are. Then the servos get back the speed that they had.
 */
int travel_wait(struct travel *travel);

void travel_free(struct travel *travel);

#endif
