/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A joint that is blocked: it pushes with all that it has, does not move, and is not where it is sent. It is eased
 * before its servo switches itself off: its goal is brought to where it is, and goes no farther that way until a
 * program has moved the joint away, or made it stiffer.
 */
#ifndef NAOHW_DCM_STALL_H
#define NAOHW_DCM_STALL_H

#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

struct joint_guard;

/* What a description says of it for all joints, see preferences.h */
struct stall_limits {
	double time;  /* StallTime, ms: a joint is eased after so long; 0: none is */
	double error; /* StallError, rad: so far from its goals, with normal lag, at full stiffness */
	double load;  /* StallLoad: with this part of the torque that it may give */
};

struct stall {
	double time;	    /* ms: StallTime of the joint */
	double current;	    /* A: StallCurrent of the joint, at full stiffness; NAN: it has none */
	int steps;	    /* of stiffness, at the most */
	int64_t since;	    /* ms: the joint has been blocked since then; 0: it is not */
	double from;	    /* levels: where it was then */
	int way;	    /* 1 or -1: it is eased, as something blocks it that way; 0: it is not */
	double bound;	    /* levels: it goes no farther that way */
	double stiffness;   /* that commands had it have then: a program that wants more has it go on */
};

/* The cycle's: @frame has come, with an answer of the joint. */
void stall_look(struct joint_guard *joint, const struct stall_limits *limits,
		const struct naohw_frame *frame, int64_t now);

/* How far a joint may go that is to go to a level. One that is moved away is eased no more. */
double stall_bound(struct stall *stall, double level);

/* Nothing blocks it: it has no torque, or a program asks for that. */
void stall_forget(struct stall *stall);

#endif
