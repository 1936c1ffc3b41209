/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What becomes of the body by all that is wrong with it: of each joint, and of its program. Knows no
 * time: it is what holds while those troubles last.
 */
#ifndef NAOHW_DIAGNOSIS_VERDICT_H
#define NAOHW_DIAGNOSIS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "body.h"
#include "rules.h"

#define SEVERITY_UNKNOWN (-1)
#define NO_JOINT SIZE_MAX

/* What a joint does. Of several the later one counts. */
enum way {
	WAY_FREE,    /* what it is told */
	WAY_POSTURE, /* it goes to its safe posture, or stops gently if it is a wheel; then its torque goes */
	WAY_FAILED,  /* its torque goes at once, as a test was failed, which the next one may pass; ... */
	WAY_LIMP,    /* ... or for anything else. A wheel is stopped before */
};

/* Something that is wrong */
struct ailment {
	enum part part;
	enum trouble trouble;
	int severity; /* enum naohw_severity, or SEVERITY_UNKNOWN */
	size_t joint; /* of the body; NO_JOINT: of none */
	uint64_t chains; /* that rest with it, if it is no joint, as a fuse */
};

struct verdict {
	enum way *way; /* for each joint of the body */
	bool rests;    /* the whole body does */
	bool forbids_wake_up;
	bool disables_fall_manager; /* and smart stiffness */
};

/* As if nothing were wrong. */
void verdict_clear(struct verdict *verdict, const struct body *body);

/* This is wrong, too. Return: does it degrade a sensor? */
bool verdict_add(struct verdict *verdict, const struct body *body, const struct rules *rules,
		 const struct ailment *ailment);

/* The same of a reflex alone. @limp: WAY_LIMP or WAY_FAILED, of those that are limp at once. */
void verdict_rest(struct verdict *verdict, const struct body *body, enum reflex reflex,
		  enum way limp, uint64_t chains, size_t joint);

#endif
