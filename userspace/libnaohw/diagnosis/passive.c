// SPDX-License-Identifier: LGPL-2.1-or-later
#include "passive.h"

#include <stddef.h>

#include "code.h"

static void note_sign(struct passive_sign *sign, bool has_it, int64_t now, int64_t gap)
{
	if (sign->frames && now - sign->last > gap)
		sign->frames = 0;
	if (!has_it)
		return;
	if (!sign->frames)
		sign->since = now;
	sign->last = now;
	sign->frames++;
}

static bool is_believed(const struct passive_sign *sign, unsigned int frames, int64_t ms)
{
	return sign->frames >= frames && sign->last - sign->since >= ms;
}

/* A single one now and then is none: only what is believed may be away for longer. */
static int64_t code_gap(const struct passive_sign *sign)
{
	return is_believed(sign, PASSIVE_CODE_FRAMES, PASSIVE_CODE_MS) ? PASSIVE_TURN_MS :
									PASSIVE_CODE_GAP_MS;
}

static void note_signs(struct passive *passive, const struct passive_seen *seen, int64_t now)
{
	enum code_kind kind = code_kind_of(seen->code);

	note_sign(&passive->error, kind == CODE_ERROR || seen->has_error, now,
		  code_gap(&passive->error));
	note_sign(&passive->noise, kind == CODE_NOISE, now, PASSIVE_NOISE_GAP_MS);
	if (kind == CODE_ERROR || kind == CODE_NOISE || seen->has_error)
		passive->last_code = seen->code;
	if (seen->code == passive->code)
		passive->code_at = now;
}

/* Of several in turn the first one is told until it does not come any more. */
static void note_code(struct passive *passive, int64_t now)
{
	if (passive->cause == PASSIVE_CODE && now - passive->code_at <= PASSIVE_TURN_MS)
		return;
	passive->code = passive->last_code;
	passive->code_at = now;
}

static bool has_code(const struct passive *passive)
{
	return is_believed(&passive->error, PASSIVE_CODE_FRAMES, PASSIVE_CODE_MS) ||
	       is_believed(&passive->noise, PASSIVE_NOISE_FRAMES, PASSIVE_NOISE_MS);
}

static enum passive_cause cause_of(const struct passive *passive, const struct passive_seen *seen)
{
	if (seen->has_lost_torque)
		return PASSIVE_NO_TORQUE;
	if (passive->silent_ms >= PASSIVE_SILENT_MS)
		return PASSIVE_NO_ANSWER;
	return has_code(passive) ? PASSIVE_CODE : PASSIVE_FINE;
}

static void count_good(struct passive *passive, bool is_good, int64_t now)
{
	if (!is_good)
		passive->good = 0;
	else if (!passive->good++)
		passive->good_since = now;
}

static bool is_over(const struct passive *passive, int64_t now)
{
	return passive->good >= PASSIVE_GOOD_FRAMES && now - passive->good_since >= PASSIVE_GOOD_MS;
}

void passive_look(struct passive *passive, const struct passive_seen *seen, int64_t now,
		  double since)
{
	enum passive_cause cause;

	passive->silent_ms = seen->answers ? 0 : passive->silent_ms + since;
	note_signs(passive, seen, now);
	cause = cause_of(passive, seen);
	count_good(passive, cause == PASSIVE_FINE && seen->answers, now);
	if (cause == PASSIVE_CODE)
		note_code(passive, now);
	if (cause != PASSIVE_FINE || is_over(passive, now))
		passive->cause = cause;
}
