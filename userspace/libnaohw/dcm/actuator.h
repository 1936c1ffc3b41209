/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a DCM can bring to a value: the robot's actuators, and the bus's period. */
#ifndef NAOHW_DCM_ACTUATOR_H
#define NAOHW_DCM_ACTUATOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "../robot/robot.h"
#include "queue.h"

/* The longest name, with what may stand before and behind it */
#define ACTUATOR_NAME_MAX 256

#define PERIOD_NAME "DCM/TargetCycleTime"

enum actuator_kind {
	ACTUATOR_POSITION, /* goes with each pose */
	ACTUATOR_WHEEL,	   /* how fast one turns, the same */
	ACTUATOR_HARDNESS, /* the same */
	ACTUATOR_SLOW,	   /* another thread writes it, when its level is another one */
	ACTUATOR_PERIOD,   /* the same thread tells the buses */
	ACTUATOR_ABSENT,   /* of a joint or wheel that no pose has: commands for it are refused */
};

/*
 * (level + offset) * scale is the value of the key: the level is what the device is told, of
 * most a whole number.
 */
struct actuator {
	const char *name; /* "DCM/TargetCycleTime", or the subdevice's, without its prefix */
	enum actuator_kind kind;
	const struct subdevice *subdevice; /* NULL: it is the period */
	size_t axis;			   /* of the pose: of the first three kinds */
	const struct actuator *leader;	   /* another one of the same motor, which drives it; NULL */
	bool is_straight; /* goes on a line from one command to the next; others jump */
	bool is_whole;
	bool is_tone; /* ends by itself: its key tells what the device has, and not what was sent */
	double scale;
	double offset;
	double min; /* of levels: what both the device has and the description allows */
	double max;
	struct queue queue;
	struct queue_line on; /* the line on which it is, or that has ended in this cycle */
	bool is_in_step; /* of a motion, which may be as fast as the servo */
	double planned; /* where its commands have it now; what protects may make less of that */
	double line;	/* where they had it when it was sent last: new lines begin there */
	double next;   /* what it is going to be sent; NAN: nothing, its servo is left alone */
	double sent;   /* and was sent last; or what it had at the beginning, */
	bool is_known; /* if that could be read */
	bool is_driven; /* somebody has given it commands */
	atomic_bool is_taken; /* its joint rests: commands do nothing to it */
	bool is_due;	/* of one that jumps: its time has come */
};

struct actuators {
	struct actuator *list; /* by name */
	size_t count;
	struct point *points; /* room for all of their queues */
};

/*
 * All that there are. Lights that are not there are there in name: who writes them says what is
 * wrong. So are joints, as an alias is not to be without its others for the one that is missing.
 */
int actuators_find(struct actuators *actuators, struct naohw_robot *robot,
		   struct naohw_pose *pose, struct naohw_error *err);
/* The same of a robot that is only described: their names alone. */
int actuators_name(struct actuators *actuators, const struct naohw_robot *robot,
		   struct naohw_error *err);
void actuators_free(struct actuators *actuators);

/* By its name, with or without prefix and Value; NULL: there is none. */
struct actuator *actuator_find(const struct actuators *actuators, const char *name);

/* The key that an actuator of this name would have; false: none can be called so. */
bool actuator_key(const char *name, char *key, size_t size);

/* Does it go with each pose? */
bool actuator_is_of_pose(const struct actuator *actuator);

/* What is driven by another one goes with it. */
void actuators_follow(struct actuators *actuators);

/* Whose name is like this one, or NULL. */
const char *actuator_nearest(const struct actuators *actuators, const char *name);

/* The level nearest to a value of its key, within its range. */
double actuator_level(const struct actuator *actuator, double value);

/* The nearest number that its device has, of whatever range. NAN stays. */
double actuator_whole(const struct actuator *actuator, double level);

/* The same, and within its range. */
double actuator_bounded(const struct actuator *actuator, double level);

double actuator_value(const struct actuator *actuator, double level);

#endif
