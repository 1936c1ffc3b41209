/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of leases: the robot's actuators, and who has each of them. */
#ifndef NAOHWD_LEASE_TABLE_H
#define NAOHWD_LEASE_TABLE_H

#include "lease.h"

#define MS_PER_S 1000

#define POSITION "/Position/Actuator"
#define SPEED	 "/Speed/Actuator" /* of a wheel */
#define HARDNESS "/Hardness/Actuator"
#define TONE	 "/Buzzer/Frequency/Actuator"

/* What a joint, or a wheel, may have */
#define TABLE_PARTS 3
extern const char *const table_parts[TABLE_PARTS];

#define LEASE_ALIAS_HOLD     LEASE_ALIASES "Hold"
#define LEASE_ALIAS_REST     LEASE_ALIASES "Rest"
#define LEASE_ALIAS_HARDNESS LEASE_ALIASES "Hardness"

/* What an actuator's last end brings it to */
struct under_way {
	unsigned int number; /* all of an end have the same one; 0: there was none */
	enum lease_end end;
	double seconds;
	double rest;
	bool was_alone; /* its program held it alone */
	int64_t over;  /* ms of the DCM's time by which it is there */
	uint64_t uses; /* of all programs, by when it began */
};

struct held {
	const char *name;	       /* as the DCM has it */
	size_t slot;		       /* of its value in the store */
	unsigned int count;	       /* of leases that it is in */
	const struct leasehold *lease; /* the newest of these, or NULL */
	const struct party *alone;     /* who holds it alone, or NULL */
	uint64_t used;		       /* which use of all programs' was the last of it; 0: none */
	bool is_wanted;		       /* by who is asking */
	const struct party *set_by;    /* of what needs its program: who has set it last, or NULL */
	bool is_to_stop;	       /* of that: that program, or its lease, has gone */
	struct under_way under_way;
};

struct period {
	struct party *asking; /* the first of those that ask for one */
	double before;	      /* ms, until the first one asked; 0: none asks, or it is not known */
	double told;	      /* ms: what the DCM was told last, or has had all along */
	int64_t told_at;      /* ms of the DCM's time; 0: what has come of it is known */
};

struct leases {
	const struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct held *table; /* by name */
	size_t count;
	const char **names; /* room for all */
	struct leasehold *first;
	struct leasehold *ended; /* whose ends had no room yet */
	struct leasehold *owed;	 /* whose ends are to come, see leases_owe() */
	int64_t owed_at;	 /* when, in ms of the DCM's time; 0: not known yet */
	unsigned int ends;	 /* that have begun */
	int64_t ends_over;	 /* when the last of them is there */
	unsigned int last_id;
	unsigned int changes;
	struct often often;
	uint64_t uses;
	struct period period;
	bool rests; /* the robot does */
	bool only_hold;
};

/* ---- table.c ---- */

/* Return: 0 or -ENOMEM. */
int table_fill(struct leases *leases);
/* By the DCM's name; NULL: there is none. */
struct held *table_find(const struct leases *leases, const char *name);
/* Does it last only as long as the program that has set it: a wheel's speed, or a tone? */
bool table_needs_its_program(const struct held *held);
/* Of a joint or wheel; NULL: it has none. @part: POSITION, SPEED or HARDNESS */
struct held *table_joint(const struct leases *leases, const char *label, const char *part);
/* Of the same joint; NULL: it is none of a joint's, or has none. */
struct held *table_other_part(const struct leases *leases, const struct held *held);
/* What a name stands for becomes wanted, beside what is. Return: how many that are, or -ENOENT. */
int table_want(struct leases *leases, const char *name);
void table_want_nothing(struct leases *leases);

/* ---- leases.c ---- */

/* With room for all actuators, and none in it. NULL: out of memory. */
struct leasehold *lease_new(const struct leases *leases, enum lease_end end, double seconds);
/* Take all of them from their programs. */
void leases_revoke_all(struct leases *leases);

/* ---- end.c ---- */

/*
 * What is in no other lease is brought to its end, at once or when the cycle has room; frees it, or
 * keeps it as owed.
 */
void lease_bring_to_end(struct leases *leases, struct leasehold *lease);
/* Stop what needs its program and was set last by @party. */
void leases_stop_what_needs(struct leases *leases, const struct party *party);
/* Where the next one of a list goes. */
struct leasehold **lease_list_end(struct leasehold **list);

/* ---- owed.c ---- */

/* It holds now, and what it has not come to is owed; frees it if that is nothing. */
void lease_owe(struct leases *leases, struct leasehold *lease);
/* It has begun to come to its end. */
void lease_note_end(struct leases *leases, const struct leasehold *lease);
/* The host ends: those that are under way are owed, and what has been used since is not. */
void leases_owe_ends(struct leases *leases);
/* Those whose time has come, and that nobody uses, go to the ends. */
void leases_look_at_owed(struct leases *leases);

/* ---- period.c ---- */

/* Have the DCM told which one is to be in force, if that is another one now. */
void leases_look_at_period(struct leases *leases);

/* ---- shown.c ---- */

void leases_show(struct leases *leases);

#endif
