// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verdict.h"

#include <naohw.h>

/* ---- reflexes ---- */

/*
 * What each has the groups do. A slumping robot goes to its crouch, which is the safe posture of all
 * descriptions; a parametric rest is the same with the joints that can be moved.
 */
static const enum way ways[REFLEXES][GROUPS] = {
	[REFLEX_WHEELS_SAFE] = { [GROUP_WHEELS] = WAY_POSTURE },
	[REFLEX_WHEELS_IMMEDIATE] = { [GROUP_WHEELS] = WAY_LIMP },
	[REFLEX_BODY_SAFE] = { WAY_POSTURE, WAY_POSTURE, WAY_POSTURE, WAY_POSTURE },
	[REFLEX_BODY_SAFE_IMMEDIATE_ON_WHEELS] = { WAY_LIMP, WAY_POSTURE, WAY_POSTURE, WAY_POSTURE },
	[REFLEX_BODY_SAFE_IMMEDIATE_ON_ARMS] = { WAY_POSTURE, WAY_POSTURE, WAY_LIMP, WAY_POSTURE },
	[REFLEX_BODY_SAFE_IMMEDIATE_ON_LEGS] = { WAY_LIMP, WAY_LIMP, WAY_POSTURE, WAY_POSTURE },
	[REFLEX_BODY_SLUMPING] = { WAY_POSTURE, WAY_POSTURE, WAY_POSTURE, WAY_POSTURE },
	[REFLEX_BODY_PARAMETRIC] = { WAY_POSTURE, WAY_POSTURE, WAY_POSTURE, WAY_POSTURE },
	[REFLEX_BODY_IMMEDIATE] = { WAY_LIMP, WAY_LIMP, WAY_LIMP, WAY_LIMP },
};

static bool is_of_body(enum reflex reflex)
{
	return reflex >= REFLEX_BODY_SAFE;
}

static bool is_of_chain(enum reflex reflex)
{
	return reflex == REFLEX_CHAIN_SAFE || reflex == REFLEX_CHAIN_IMMEDIATE;
}

static void worsen(enum way *way, enum way by)
{
	if (by > *way)
		*way = by;
}

static void rest_chains(struct verdict *verdict, const struct body *body, enum way way,
			uint64_t chains, size_t joint)
{
	for (size_t i = 0; i < body->count; i++)
		if (i == joint || (body->joint[i].chains & chains))
			worsen(&verdict->way[i], way);
}

void verdict_rest(struct verdict *verdict, const struct body *body, enum reflex reflex,
		  enum way limp, uint64_t chains, size_t joint)
{
	if (is_of_chain(reflex)) {
		rest_chains(verdict, body, reflex == REFLEX_CHAIN_SAFE ? WAY_POSTURE : limp, chains,
			    joint);
		return;
	}
	for (size_t i = 0; i < body->count; i++) {
		enum way way = ways[reflex][body->joint[i].group];

		worsen(&verdict->way[i], way == WAY_LIMP ? limp : way);
	}
	verdict->rests = verdict->rests || is_of_body(reflex);
}

/* ---- what is to be done ---- */

/* All else are actuators. */
static bool is_sensor(enum part part)
{
	return part >= PART_BATTERY;
}

/*
 * Of what no row tells, the severity does. A CRITICAL one has the whole body rest, and that is all: a leg that were
 * limp at once would have the robot fall.
 */
static struct rule rule_of(const struct rules *rules, const struct ailment *ailment)
{
	const struct rule *row = rule_find(rules, ailment->part, ailment->trouble);
	struct rule none = { .reflex = REFLEX_NONE, .effect = EFFECT_NONE };

	if (ailment->severity == NAOHW_SEVERITY_NEGLIGIBLE)
		return none;
	if (row)
		return *row;
	if (ailment->severity == SEVERITY_UNKNOWN)
		return none;
	if (is_sensor(ailment->part))
		none.effect = EFFECT_NO_FALL_MANAGER;
	else if (ailment->severity == NAOHW_SEVERITY_SERIOUS)
		none = (struct rule){ .reflex = REFLEX_CHAIN_SAFE, .effect = EFFECT_CHAIN_KEPT };
	return none;
}

static uint64_t chains_of(const struct body *body, const struct ailment *ailment)
{
	return ailment->joint < body->count ? body->joint[ailment->joint].chains : ailment->chains;
}

void verdict_clear(struct verdict *verdict, const struct body *body)
{
	enum way *way = verdict->way;

	for (size_t i = 0; i < body->count; i++)
		way[i] = WAY_FREE;
	*verdict = (struct verdict){ .way = way };
}

bool verdict_add(struct verdict *verdict, const struct body *body, const struct rules *rules,
		 const struct ailment *ailment)
{
	struct rule rule = rule_of(rules, ailment);

	if (rule.reflex != REFLEX_NONE)
		verdict_rest(verdict, body, rule.reflex,
			     ailment->trouble == TROUBLE_POSITION ? WAY_FAILED : WAY_LIMP,
			     chains_of(body, ailment), ailment->joint);
	if (ailment->severity == NAOHW_SEVERITY_CRITICAL) {
		verdict_rest(verdict, body, REFLEX_BODY_SAFE, WAY_LIMP, 0, NO_JOINT);
		verdict->forbids_wake_up = true;
	}
	if (rule.effect == EFFECT_NO_WAKE_UP)
		verdict->forbids_wake_up = true;
	if (rule.effect == EFFECT_NO_FALL_MANAGER)
		verdict->disables_fall_manager = true;
	return rule.effect == EFFECT_DEGRADED;
}
