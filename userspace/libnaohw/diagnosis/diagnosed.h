/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One thing that the diagnosis looks at: a joint, a device that a description has a Diagnosis for, the program
 * that had the cycle before, or the bus. What the store says of it, what is wrong with it, and its keys.
 *
 * It is the cycle's thread's from diagnosed_find() on. Another thread calls diagnosed_ask(), which reads is_silent and
 * sets is_lost, and reads is_kept: these flags are atomic, and label and subdevices never change. It is freed before
 * the robot, whose subdevices it has.
 */
#ifndef NAOHW_DIAGNOSIS_DIAGNOSED_H
#define NAOHW_DIAGNOSIS_DIAGNOSED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../robot/robot.h"
#include "../store/store.h"
#include "body.h"
#include "passive.h"
#include "verdict.h"

/* What of a device tells whether it answers; more of it are not looked at. */
#define SENSORS_MAX 8

/* Of each, with its label between head and tail of its name */
enum finding_key {
	KEY_PASSIVE,
	KEY_PASSIVE_CAUSE,
	KEY_HEAT,
	KEY_ACTIVE,
	KEY_ACTIVE_CAUSE,
	KEY_DEGRADED,
	FINDING_KEYS,
};

/* A subdevice, and where its value is in the store: NO_SLOT, there is none */
struct sensed {
	const struct subdevice *subdevice;
	size_t slot;
	double before; /* its value in the cycle before */
};

struct diagnosed {
	char *label;
	enum part part;
	enum trouble trouble; /* that a passive finding is to the tables */
	const char *said;     /* and its cause; NULL: it has several */
	int severity;
	size_t joint;	 /* of the body; NO_JOINT: it is none */
	size_t holds;	 /* the joint that a brake holds, or NO_JOINT */
	uint64_t chains; /* that rest with it, if it is no joint */
	bool is_there;	 /* it has a device, and so is looked at */
	bool is_by_voltage; /* a wheel whose servo keeps no speed: it may not turn at all when it is told a low one */
	bool reduces;	 /* its board reduces its stiffness itself when it is hot */
	struct sensed sensor[SENSORS_MAX];
	size_t sensor_count;
	struct sensed temperature;
	struct sensed code;
	struct passive passive;
	enum naohw_joint_status heat;
	enum trouble brake;
	int64_t brake_since; /* ms, since when it is not as it should be; 0: it is */
	bool has_failed;     /* the active diagnosis */
	bool is_degraded;    /* by what is wrong now */
	atomic_bool is_silent; /* and another thread asks it, see diagnosed_ask() */
	bool asks_kernel;      /* frames say nothing of it, as it has nothing but buttons, ... */
	atomic_bool is_lost;   /* ... and so the kernel does */
	atomic_bool is_kept; /* a later host is to know of it; another thread writes that down */
	/* Of a time in which it is tested: cycles with a frame, those with its answer, and what these had */
	unsigned int looked;
	unsigned int tested;
	bool has_changed;
	bool sees; /* a value is within its range, and not at an end of that */
	bool was_free; /* a bumper was not pressed */
	/* Its keys, until the store is made; NULL: it has no such one */
	char *key[FINDING_KEYS];
	size_t slot[FINDING_KEYS];
	int64_t since[FINDING_KEYS]; /* ns, of what was told last; 0: nothing was */
	bool told[FINDING_KEYS];
	char told_cause[NAOHW_TEXT_SIZE]; /* the passive one */
};

/* What is seen of it in a cycle, beside what the store has */
struct diagnosed_seen {
	bool has_frame; /* one has come */
	bool has_lost_torque;
	bool is_overloaded; /* as the alarm of a servo without a board says */
	bool holds_known;   /* the joint that a brake holds answers, and is well */
	bool holds_stiff;   /* and it is stiff */
	int64_t now;	    /* ms */
	double since;	    /* ms, as passive_look() has it */
};

/*
 * A joint of the robot; a device, called @name, which has the preference @what; and what no description has, nor
 * a store, see diagnosed_set(). -ENOMEM; -EINVAL: the preference is wrong. diagnosed_end() follows, after a failure,
 * too. @said stays its owner's.
 */
int diagnosed_take_joint(struct diagnosed *one, const struct naohw_robot *robot, const struct body *body,
			 size_t joint, bool has_keys);
int diagnosed_take_device(struct diagnosed *one, const struct naohw_robot *robot,
			  const struct body *body, const char *name, const struct preference *what,
			  struct naohw_error *err);
int diagnosed_take_other(struct diagnosed *one, const struct naohw_robot *robot, const char *label,
			 enum part part, enum trouble trouble, const char *said);
void diagnosed_end(struct diagnosed *one);

/* Its keys, for the store: into room for FINDING_KEYS. Return: how many there are. */
size_t diagnosed_keys(const struct diagnosed *one, struct store_key *keys);
/* Where they, and what it reads, are in the store. */
void diagnosed_find(struct diagnosed *one, const struct naohw_store *store);

/* The cycle's: look at it; and add what is wrong to the verdict. */
void diagnosed_look(struct diagnosed *one, const struct naohw_store *store,
		    const struct diagnosed_seen *seen);
void diagnosed_judge(struct diagnosed *one, struct verdict *verdict, const struct body *body,
		     const struct rules *rules);

/*
 * Another thread's: ask one that is silent. The kernel asks a device that it has lost only now and then, up to five
 * seconds apart, unless a program wants something of it; so one that is well again would be called broken. Of a board
 * that frames say nothing of the kernel is asked whether it has lost that.
 */
void diagnosed_ask(struct diagnosed *one);

/* What is not looked at in the store has this trouble, or has not any more. */
void diagnosed_set(struct diagnosed *one, bool is_wrong, const struct diagnosed_seen *seen);

/* A host before has kept that something is wrong with it. Is that to be kept now? */
void diagnosed_take_kept(struct diagnosed *one);
bool diagnosed_is_to_keep(const struct diagnosed *one);

/*
 * A test of it begins, and ends. @is_wanted: by a person, who sees to it that there is something to be seen; else it
 * is that of waking up.
 */
void diagnosed_begin_test(struct diagnosed *one);
void diagnosed_end_test(struct diagnosed *one, bool is_wanted);

/* How fast a wheel turned in the last look, rad/s; NAN: it is none, or does not tell. */
double diagnosed_speed(const struct diagnosed *one);

/* What is wrong with it, or "". */
void diagnosed_cause(const struct diagnosed *one, char text[NAOHW_TEXT_SIZE]);

/* Put what is new into the store, as of a time in ns; that of an Error is when it became so. Return: is there any? */
bool diagnosed_tell(struct diagnosed *one, struct naohw_store *store, int64_t time);

#endif
