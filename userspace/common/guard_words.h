/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The words of DCM/Guard/LABEL and of torque_state that say that a joint does less than it is told,
 * for people: what has happened, and what to do about it.
 */
#ifndef NAOHW_GUARD_WORDS_H
#define NAOHW_GUARD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define GUARD_PREFIX "DCM/Guard/"

struct guard_word {
	const char *word;
	bool is_torque_state;
	const char *what;
	const char *remedy; /* NULL: it passes by itself, or is what somebody did on purpose */
};

/* Of several the first is to be mended first. */
static const struct guard_word guard_words[] = {
	{ "shut-down", true, "the servo has switched itself off, for an overload or for its heat",
	  "let it cool, see that nothing blocks it, hold the robot, and type naohw recover" },
	{ "tripped", true, "the torque is gone: the servo lost its supply, or the watchdog took it",
	  "hold the robot, and type naohw recover; or write 1 to its out_angl0_en, if it was let "
	  "go by hand before" },
	{ "watchdog", false, "the watchdog took the torque of another bus, so this joint is let go as well",
	  "hold the robot, and type naohw recover" },
	{ "not-calibrated", false, "its jointZeroPosition is 0, so it gets no torque",
	  "naohw calibrate, see its manual page" },
	{ "unknown", false, "the servo has not said how stiff it is, so it is left as it is",
	  "see why it does not answer" },
	{ "battery", false, "the battery gives more current than it may, so all hardness is lowered",
	  "let the robot rest, or charge it" },
	{ "free", true, "somebody has let it go by hand", NULL },
	{ "recovering", true, "its torque comes back", NULL },
	{ "soft", false, "its hardness comes back, in two seconds", NULL },
	{ "returns", false, "it was moved while it did not answer, and goes back slowly", NULL },
};

#define GUARD_WORDS (sizeof(guard_words) / sizeof(guard_words[0]))

/* NULL: it is none of them, and no reason to tell anything. */
static inline const struct guard_word *guard_word(const char *word)
{
	for (size_t i = 0; i < GUARD_WORDS; i++)
		if (strcmp(guard_words[i].word, word) == 0)
			return &guard_words[i];
	return NULL;
}

#endif
