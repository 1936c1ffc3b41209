/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who holds what, where several programs move one robot. Who wrote last is obeyed, but for what
 * another one holds alone by a lease; and what a program holds is brought to a safe end when it
 * lets go, or dies.
 *
 *	table.c   the robot's actuators, and what names stand for
 *	leases.c  who has which of them
 *	end.c     what becomes of them then
 *	owed.c    and where the host begins anew before that
 *	period.c  which period the DCM has, of those that programs ask for
 *	shown.c   the keys DCM/Lease/JOINT, which tell all programs
 */
#ifndef NAOHWD_LEASE_H
#define NAOHWD_LEASE_H

#include <stdbool.h>
#include <sys/types.h>

#include <naohw.h>

#include "../base/base.h"

/* All that there are, and of one program; so that they can be told in one line, and soon */
#define LEASES_MAX	  64
#define LEASES_PARTY_MAX  16
#define LEASED_MAX	  4096 /* actuators in them */
#define LEASED_PARTY_MAX  1024
#define LEASE_SECONDS	  3.0 /* where nobody has said otherwise */
#define LEASE_SECONDS_MAX 60.0
/* s, in which a program has to say something, if its lease is to end without */
#define LEASE_TIMEOUT_MIN 0.1
#define LEASE_TIMEOUT_MAX 3600.0
/* Of an actuator at its end */
#define LEASE_END_COMMANDS 2

/* What its aliases begin with, which are nobody else's to make */
#define LEASE_ALIASES "Lease/"

struct leases;

enum lease_end {
	LEASE_HOLD,   /* stay where they are, as stiff as they are */
	LEASE_SOFTEN, /* hardness goes straight down to 0 */
	LEASE_REST,   /* go to a pose, and soften there */
	LEASE_FREE,   /* hardness is 0 at once */
};

/* The DCM's period that a party asks for; all 0: it asks for none. */
struct period_wish {
	double ms;	    /* 0: none is asked for yet */
	bool is_too_short;  /* for the bus, as has been tried */
	double then;	    /* ms, asked for in its place from then_at on; 0: no other one is */
	int64_t then_at;    /* ms of the DCM's time */
	struct party *next; /* which asks, too */
};

/* A program that holds something, or may; who it is belongs to its host. */
struct party {
	struct leases *leases;
	char program[32];
	pid_t pid;
	uid_t uid;
	unsigned int count; /* of its leases */
	int64_t heard;	    /* ms of the DCM's time: when it has said something last */
	struct period_wish wish;
};

struct lease_wish {
	const char *const *names; /* joints, which are Position and Hardness; actuators; aliases */
	size_t count;
	enum lease_end end;
	double seconds;
	double timeout;		   /* s; 0: none */
	const char *const *joints; /* of a pose for LEASE_REST: others of the lease hold there */
	const double *angles;	   /* rad, of each */
	size_t joint_count;
	bool is_exclusive;
	const struct party *ally; /* what this one holds is no hindrance; NULL: there is none */
};

/* What somebody holds; the next one is newer. */
struct leasehold {
	struct leasehold *next;
	struct party *party;
	unsigned int id;
	enum lease_end end;
	double seconds;
	double timeout; /* s in which its party has to be heard of; 0: it may be silent */
	bool is_exclusive;
	bool is_lolas; /* who sees to it that it goes on behind a new beginning */
	size_t count;
	struct leased {
		size_t actuator; /* in the table */
		double rest;	 /* rad; NAN: none */
	} list[];
};

/* The keys, for a DCM that is going to be opened. Return: 0 or -ENOMEM. */
int leases_add_texts(const struct naohw_robot *robot, struct naohw_dcm_settings *settings);

/*
 * Nobody holds anything. @robot and @dcm outlive it.
 * Return: 0; -ENOMEM; or as naohw_dcm_create_alias().
 */
int leases_new(const struct naohw_robot *robot, struct naohw_dcm *dcm, struct leases **leases,
	       struct naohw_error *err);
/* All parties have left. NULL is fine. */
void leases_free(struct leases *leases);

/*
 * Bring joints to an end, as if a lease of them had been let go: what is in one is left to that, and
 * joints that a program has used behind the first @uses, of each, are left to that. Those that the
 * robot lacks are passed over. @end: but for LEASE_REST. Return: 0 or -ENOMEM.
 */
int leases_end_joints(struct leases *leases, const char *const *labels, const uint64_t *uses,
		      size_t count, enum lease_end end, double seconds);

/* A cycle has ended: what had no room in the one before is said now. */
void leases_cycle(struct leases *leases);

/*
 * From now on all hold, as the host ends; what else their ends were, or are on their way to, is
 * owed. NULL is fine.
 */
void leases_only_hold(struct leases *leases);

/* Ends that have not come, of a host that begins anew */
struct owed;

/* ms that programs have to come back in, and to take again what they held */
#define LEASE_OWED_TIME 3000

/* What is owed, at the end of a host; it outlives that. NULL: nothing is. */
struct owed *leases_owed(const struct leases *leases);
/*
 * These ends come in LEASE_OWED_TIME, but for what programs use by then: one that has died
 * meanwhile leaves no joint stiff. Frees @owed, which may be NULL.
 */
void leases_owe(struct leases *leases, struct owed *owed);
void owed_free(struct owed *owed);

/* It lets go of all, and asks for no period; its wheels stop, and its tones end. */
void party_leave(struct party *party);
/*
 * What it holds comes to its end where its time-out has passed since the party was heard of. A party
 * that loses its last lease so asks for no period any more.
 */
void party_look_at_timeouts(struct party *party);
/* All that it holds becomes another's, who lets go of it in its place. */
void party_give(struct party *party, struct party *other);

/*
 * Hold something. Return: 0, with its @id; -ENOENT no such joint, actuator or alias; -EBUSY another
 * one holds some of it, who is named; -EINVAL a joint of the pose is none, or is not in it; -ENOSPC
 * there are too many; -ENOMEM.
 */
int lease_take(struct party *party, const struct lease_wish *wish, unsigned int *id,
	       struct naohw_error *err);

/* How many actuators some names stand for, each of them once; 0: lease_take() tells why. */
size_t lease_count(struct leases *leases, const char *const *names, size_t count);

/* Let go, which ends it. Return: 0; -ENOENT it has no such lease. */
int lease_release(struct party *party, unsigned int id, struct naohw_error *err);

/*
 * End whatever lease has this number, for @by. A party that loses its last one so asks for no period
 * any more. Return: 0; -ENOENT there is none.
 */
int lease_revoke(struct leases *leases, unsigned int id, const struct party *by,
		 struct naohw_error *err);

/*
 * May it set this actuator or alias? @party: NULL: it is one that never holds anything.
 * Return: 0, also where there is no such one; -EBUSY another one holds it alone, who is named.
 */
int lease_check(struct leases *leases, const struct party *party, const char *name,
		struct naohw_error *err);

/*
 * It has been set by who may, as leases_end_joints() has to know. A wheel that is so turned stops
 * when the party leaves, and a tone ends; NULL: the party is one that never does. A name that is none
 * is nothing.
 */
void lease_use(struct leases *leases, const struct party *party, const char *name);
/* The same by one that says all of it in each cycle: as long as an end is to come, or under way. */
void lease_use_while_ending(struct leases *leases, const char *name);
/* How often that has been, and leases have been taken. */
uint64_t leases_uses(const struct leases *leases);
/* Has an actuator been used behind the first @uses? One that is none has not. */
bool lease_is_used_since(const struct leases *leases, const char *actuator, uint64_t uses);

/* The same of either actuator of a joint */
bool leases_joint_is_used_since(const struct leases *leases, const char *label, uint64_t uses);

/*
 * By when a joint has come to the end that it is on its way to since a program has let go that held
 * it alone, in ms of the DCM's time; 0: it is on no such way.
 */
int64_t leases_joint_end(const struct leases *leases, const char *label);

/*
 * Ask for a period of the DCM, in ms, in place of the one that the party has asked for before; from
 * @time on, as that of a command. The shortest that any party asks for is in force. One that the bus
 * has not taken on within 1 s is too short for it, and counts as the period from before the first
 * party asked, until its party asks anew. When no party asks any more, the period goes back to that.
 * Return: 0; -ERANGE it is not within NAOHW_PERIOD_MIN to _MAX; -EBUSY another party holds
 * DCM_PERIOD alone, and is named.
 */
int party_ask_period(struct party *party, double ms, int64_t time, struct naohw_error *err);
/* It asks for none any more; it may have asked for none. */
void party_ask_no_period(struct party *party);
/* The period, in ms, that is in force where no party asks for any; 0: the bus does not tell it. */
double leases_period_before(const struct leases *leases);
/* How many actuators a name stands for, if the period is one of them; else 0. */
int leases_find_period(struct leases *leases, const char *name);

/* The oldest one, or NULL; and what it holds. */
const struct leasehold *leases_first(const struct leases *leases);
const char *lease_actuator(const struct leasehold *lease, size_t index);

/* How often anything has changed. */
unsigned int leases_changes(const struct leases *leases);

#endif
