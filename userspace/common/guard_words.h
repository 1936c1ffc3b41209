/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Why a joint does less than it is told: the words of the keys DCM/Guard/LABEL, some of which are
 * those of the kernel's torque_state, and for people what has happened, and what to do about it.
 * dcm.rst lists the words.
 */
#ifndef NAOHW_GUARD_WORDS_H
#define NAOHW_GUARD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define GUARD_PREFIX "DCM/Guard/"

/* Of several reasons the key has the word of the last one here. */
enum guard_reason {
	GUARD_NONE,
	GUARD_BATTERY,
	GUARD_SOFT,
	GUARD_RETURNS,
	GUARD_NOT_CALIBRATED,
	GUARD_UNKNOWN,
	GUARD_FREE,
	GUARD_RECOVERING,
	GUARD_WATCHDOG,
	GUARD_TRIPPED,
	GUARD_SHUT_DOWN,
	GUARD_LIMP,
	GUARD_REASONS,
};

struct guard_word {
	const char *word;
	bool is_torque_state;
	const char *what;
	const char *remedy; /* NULL: it passes by itself, or is what somebody did on purpose */
};

static const struct guard_word guard_words[GUARD_REASONS] = {
	[GUARD_NONE] = { "", false, "it does what it is told", NULL },
	[GUARD_BATTERY] = { "battery", false,
			    "the battery gives more current than it may, so all hardness is lowered",
			    "let the robot rest, or charge it" },
	[GUARD_SOFT] = { "soft", false, "its hardness comes back, in two seconds", NULL },
	[GUARD_RETURNS] = { "returns", false,
			    "it was moved while it did not answer, and goes back slowly", NULL },
	[GUARD_NOT_CALIBRATED] = { "not-calibrated", false,
				   "its jointZeroPosition is 0, so it gets no torque",
				   "naohw calibrate, see its manual page" },
	[GUARD_UNKNOWN] = { "unknown", false,
			    "the servo has not said how stiff it is, so it is left as it is",
			    "see why it does not answer" },
	[GUARD_FREE] = { "free", true, "somebody has let it go by hand", NULL },
	[GUARD_RECOVERING] = { "recovering", true, "its torque comes back", NULL },
	[GUARD_WATCHDOG] = { "watchdog", false,
			     "the watchdog took the torque of another bus, so this joint does not "
			     "move either",
			     "hold the robot, and type naohw recover" },
	[GUARD_TRIPPED] = { "tripped", true,
			    "the torque is gone: the servo lost its supply, or the watchdog took it",
			    "hold the robot, and type naohw recover; or write 1 to its "
			    "out_angl0_en, if it was let go by hand before" },
	[GUARD_SHUT_DOWN] = { "shut-down", true,
			      "the servo has switched itself off, for an overload or for its heat",
			      "let it cool, see that nothing blocks it, hold the robot, and type "
			      "naohw recover" },
	[GUARD_LIMP] = { "limp", false, "naohw limp has let the robot go",
			 "hold the robot, and type naohw recover" },
};

/* GUARD_NONE also of a word that is none of these. */
static inline enum guard_reason guard_reason(const char *word)
{
	for (int i = GUARD_NONE + 1; i < GUARD_REASONS; i++)
		if (strcmp(guard_words[i].word, word) == 0)
			return (enum guard_reason)i;
	return GUARD_NONE;
}

/* The joint of a key, or NULL: the key is no such one. */
static inline const char *guard_label(const char *key)
{
	size_t length = strlen(GUARD_PREFIX);

	return strncmp(key, GUARD_PREFIX, length) == 0 ? key + length : NULL;
}

#endif
