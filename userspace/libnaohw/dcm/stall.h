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

/* What a description says of it, see preferences.h */
struct stall_limits {
	double time;  /* StallTime, ms: so long; 0: no joint is eased */
	double error; /* StallError, rad: so far from its goals, with normal lag */
	double load;  /* StallLoad: with this part of the torque that it may give */
};

struct stall {
	int64_t since; /* ms: it has been blocked since then; 0: it is not */
	double from;   /* levels: where it was then */
	int way;       /* of what it is eased for: 1 or -1; 0: it is not */
	double bound;  /* levels: it goes no farther that way */
	double stiffness; /* that it had: a program that gives it more wants it to go on */
	double current; /* StallCurrent of the joint, A; NAN: it has none */
};

/* The cycle's: @frame has come, with an answer of the joint. */
void stall_look(struct joint_guard *joint, const struct stall_limits *limits,
		const struct naohw_frame *frame, int64_t now);

/* How far a joint may go that is to go to a level. One that is moved away is eased no more. */
double stall_bound(struct stall *stall, double level);

/* Nothing blocks it, as it has no torque, or a program asks for that. */
void stall_forget(struct stall *stall);

#endif
