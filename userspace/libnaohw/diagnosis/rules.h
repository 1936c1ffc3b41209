/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * NAO's and Pepper's tables of the diagnosis effect: what is done about which trouble of which
 * device. What a device's severity makes of that is in verdict.c.
 */
#ifndef NAOHW_DIAGNOSIS_RULES_H
#define NAOHW_DIAGNOSIS_RULES_H

#include <stddef.h>

/* What of the body has the trouble. NAO's and Pepper's legs are the same here. */
enum part {
	PART_WHEELS,
	PART_LEGS,
	PART_LIMBS, /* arms or head */
	PART_BRAKE,
	PART_LEG_FUSE,
	PART_LIMB_FUSE,
	PART_BATTERY,
	PART_HAL, /* the program that had the cycle */
	PART_CHEST_BOARD,
	PART_LASER,
	PART_SONAR,
	PART_CAMERA, /* the 3D one */
	PART_INERTIAL,
	PART_BUMPER,
};

enum trouble {
	TROUBLE_NONE,
	TROUBLE_HOT,	  /* status 2 */
	TROUBLE_VERY_HOT, /* status 3 */
	TROUBLE_ERROR,	  /* NACKs or error code */
	TROUBLE_OPEN,	  /* of a brake */
	TROUBLE_CLOSED,
	TROUBLE_POSITION, /* a joint is not where it is sent */
	TROUBLE_CRASHED,
	TROUBLE_DISCONNECTED,
	TROUBLE_NOT_RESPONDING,
	TROUBLE_FROZEN,
	TROUBLE_BLOCKED,
};

/* The text's rest reflexes. In each that has a posture wheels are stopped gently before. */
enum reflex {
	REFLEX_NONE,
	REFLEX_WHEELS_SAFE,
	REFLEX_WHEELS_IMMEDIATE,
	REFLEX_CHAIN_SAFE,
	REFLEX_CHAIN_IMMEDIATE,
	REFLEX_BODY_SAFE,
	REFLEX_BODY_SAFE_IMMEDIATE_ON_WHEELS, /* in the table, and not described: ours */
	REFLEX_BODY_SAFE_IMMEDIATE_ON_ARMS,   /* described, and in no table */
	REFLEX_BODY_SAFE_IMMEDIATE_ON_LEGS,
	REFLEX_BODY_SLUMPING,
	REFLEX_BODY_PARAMETRIC,
	REFLEX_BODY_IMMEDIATE,
	REFLEXES,
};

/* What stays until the trouble is over */
enum effect {
	EFFECT_NONE,
	EFFECT_CHAIN_KEPT, /* its stiffness, at 0 */
	EFFECT_NO_WAKE_UP,
	EFFECT_DEGRADED, /* the robot behaves as if the sensor saw an obstacle */
	EFFECT_NO_FALL_MANAGER, /* and no smart stiffness: by severity, in no table */
};

struct rule {
	enum part part;
	enum trouble trouble;
	enum reflex reflex;
	enum effect effect;
};

struct rules {
	const char *name; /* as a description has it */
	const struct rule *rule;
	size_t count;
};

/* NULL: no table has this name. */
const struct rules *rules_find(const char *name);

/* NULL: the table says nothing of that. */
const struct rule *rule_find(const struct rules *rules, enum part part, enum trouble trouble);

#endif
