// SPDX-License-Identifier: GPL-2.0-or-later
#include "end.h"

#include <string.h>

#define MS_PER_S 1000

/* Those that clients have said something of, and no other program since. */
static void end_joints(const struct lola_ending *ending, enum lease_end how)
{
	const char *label[LOLA_JOINTS];
	uint64_t uses[LOLA_JOINTS];
	size_t count = 0;

	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		if (!ending->is_moved[i])
			continue;
		label[count] = naohw_nao_joint_name(i);
		uses[count++] = ending->uses[i];
	}
	if (leases_end_joints(ending->leases, label, uses, count, how, ending->end.seconds) < 0)
		log_error("LoLA: out of memory: joints stay as they are");
}

void lola_ending_forget(struct lola_ending *ending)
{
	memset(ending->is_moved, 0, sizeof(ending->is_moved));
	ending->is_ended = false;
}

/*
 * Who comes back in the meantime finds joints as they are by then, and not on their way to be soft.
 * They stay LoLA's even if he says nothing of them.
 */
static void begin_anew(struct lola_ending *ending, int64_t now)
{
	if (now < ending->soft)
		end_joints(ending, LEASE_HOLD);
	else
		lola_ending_forget(ending);
	ending->is_ended = false;
}

void lola_ending_heard(struct lola_ending *ending, int64_t now)
{
	if (ending->is_ended)
		begin_anew(ending, now);
	ending->is_heard = true;
	ending->heard = now;
}

/* A program that is started again and again, and says nothing, keeps no joint stiff. */
void lola_ending_gone(struct lola_ending *ending, int64_t now)
{
	if (ending->is_heard)
		ending->heard = now;
	ending->is_heard = false;
}

void lola_ending_moved(struct lola_ending *ending, const bool joint[LOLA_JOINTS])
{
	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		if (!joint[i])
			continue;
		ending->is_moved[i] = true;
		if (ending->leases)
			ending->uses[i] = leases_uses(ending->leases);
	}
}

bool lola_ending_has(const struct lola_ending *ending, unsigned int joint, const char *actuator)
{
	return ending->is_moved[joint] &&
	       (!ending->leases ||
		!lease_is_used_since(ending->leases, actuator, ending->uses[joint]));
}

static bool is_any_moved(const struct lola_ending *ending)
{
	static const bool none[LOLA_JOINTS];

	return memcmp(ending->is_moved, none, sizeof(none)) != 0;
}

bool lola_ending_is_silent(const struct lola_ending *ending, int64_t now)
{
	return now - ending->heard >= LOLA_GRACE;
}

bool lola_ending_is_due(const struct lola_ending *ending, int64_t now)
{
	return ending->leases && ending->end.how != LEASE_HOLD && !ending->is_ended &&
	       is_any_moved(ending) && lola_ending_is_silent(ending, now);
}

void lola_ending_come(struct lola_ending *ending, int64_t now)
{
	double seconds = ending->end.how == LEASE_SOFTEN ? ending->end.seconds : 0;

	log_line("LoLA: no packet has come for %d s: the joints go soft in %g s",
		 LOLA_GRACE / MS_PER_S, seconds);
	end_joints(ending, ending->end.how);
	ending->is_ended = true;
	ending->soft = now + (int64_t)(seconds * MS_PER_S);
}

static bool is_used_by_another(const struct lola_ending *ending, unsigned int joint)
{
	return leases_joint_is_used_since(ending->leases, naohw_nao_joint_name(joint),
					  ending->uses[joint]);
}

/* Those on their way to be soft, too. */
uint32_t lola_ending_owed(const struct lola_ending *ending, int64_t now)
{
	uint32_t joints = 0;

	_Static_assert(LOLA_JOINTS <= 32, "each joint has a bit");
	if (!ending->leases || (ending->is_ended && now >= ending->soft))
		return 0;
	for (unsigned int i = 0; i < LOLA_JOINTS; i++)
		if (ending->is_moved[i] && !is_used_by_another(ending, i))
			joints |= UINT32_C(1) << i;
	return joints;
}

void lola_ending_owe(struct lola_ending *ending, uint32_t joints, int64_t now)
{
	for (unsigned int i = 0; i < LOLA_JOINTS; i++)
		ending->is_moved[i] = joints >> i & 1;
	ending->heard = now;
}
