/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Why a joint does not move, or does less than it is told: the words of the keys DCM/Guard/LABEL, some
 * of which are those of the kernel's torque_state, and for people what has happened, and what to do
 * about it. dcm.rst lists the words.
 */
#ifndef NAOHW_GUARD_WORDS_H
#define NAOHW_GUARD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <naohw.h>

#define GUARD_PREFIX "DCM/Guard/"

/*
 * Of several reasons the later one here counts: what a person has to see to first. A joint whose
 * mode has no goal positions may get no torque by a recovery, so "tripped" would have its user
 * recover in vain. A servo that has shut itself down is to cool before either, and what a person or
 * the diagnosis has done to the whole robot comes before what is wrong with one joint.
 */
enum guard_reason {
	GUARD_NONE,
	GUARD_STUCK,
	GUARD_NO_TORQUE,
	GUARD_BATTERY,
	GUARD_HOT,
	GUARD_SOFT,
	GUARD_RETURNS,
	GUARD_STALLED,
	GUARD_NOT_CALIBRATED,
	GUARD_UNKNOWN,
	GUARD_HELD,
	GUARD_FREE,
	GUARD_TORQUE_LIMIT,
	GUARD_RECOVERING,
	GUARD_WATCHDOG,
	GUARD_TRIPPED,
	GUARD_MODE,
	GUARD_RESTS,
	GUARD_SHUT_DOWN,
	GUARD_DIAGNOSIS,
	GUARD_LIMP,
	GUARD_NO_ANSWER,
	GUARD_NO_POWER,
	GUARD_PROTOCOL,
	GUARD_RETURN_LEVEL,
	GUARD_OTHER_MODEL,
	GUARD_NOT_THERE,
	GUARD_REASONS,
};

static const struct naohw_reason guard_words[GUARD_REASONS] = {
	[GUARD_NONE] = { "", "it does what it is told", NULL, 0 },
	[GUARD_STUCK] = { "stuck", "it has torque, and is not where it is to be",
			  "see what holds it; it may need more time, or torque", 1 },
	[GUARD_NO_TORQUE] = { "no-torque", "it has no torque, as its hardness is 0",
			 "hold the robot, and set its Hardness/Actuator above 0; a play does so with "
			 "--stiff", 0 },
	[GUARD_BATTERY] = { "battery",
			    "the battery gives more current than it may, so all hardness is lowered",
			    "let the robot rest, or charge it", 1 },
	[GUARD_HOT] = { "hot", "its motor is hot, so its hardness is lowered",
			"let it cool; naohw diagnose tells which", 1 },
	[GUARD_SOFT] = { "soft", "its hardness comes back, in two seconds", NULL, 0 },
	[GUARD_RETURNS] = { "returns", "it was moved while it did not answer, and goes back slowly",
			    NULL, 0 },
	[GUARD_STALLED] = { "stalled",
			    "something blocks it, so it no longer pushes against that",
			    "see what blocks it; then move it away from there, or type naohw recover", 1 },
	[GUARD_NOT_CALIBRATED] = { "not-calibrated",
				   "its jointZeroPosition is 0, so it gets no torque",
				   "naohw calibrate, see its manual page", 1 },
	[GUARD_UNKNOWN] = { "unknown",
			    "the servo has not said how stiff it is, so it is left as it is",
			    "see why it does not answer", 1 },
	[GUARD_HELD] = { "held", "another program moves the robot, or holds a lease of its bus",
			 "wait until that program ends, or end it", 0 },
	[GUARD_FREE] = { "free", "somebody has let it go by hand",
			 "hold the robot, and write 1 to its out_angl0_en", 0 },
	[GUARD_TORQUE_LIMIT] = { "torque-limit", "it has no torque, as its torque limit is 0",
				 "hold the robot, and set its Hardness/Actuator above 0", 1 },
	[GUARD_RECOVERING] = { "recovering", "its torque comes back", NULL, 0 },
	[GUARD_WATCHDOG] = { "watchdog",
			     "the watchdog took the torque of another bus, so this joint does not "
			     "move either",
			     "hold the robot, and type naohw recover", 1 },
	[GUARD_TRIPPED] = { "tripped",
			    "the torque is gone: the servo lost its supply, or the watchdog took it",
			    "hold the robot, and type naohw recover; or write 1 to its "
			    "out_angl0_en, if it was let go by hand before", 1 },
	[GUARD_MODE] = { "mode", "its operating mode has no goal positions",
			 "let it go, write position to its operating_mode, and begin the program "
			 "anew", 1 },
	[GUARD_RESTS] = { "rests", "the robot is at rest, or on its way there",
			  "hold the robot, and type naohw wake", 0 },
	[GUARD_SHUT_DOWN] = { "shut-down",
			      "the servo has switched itself off, for an overload or for its heat",
			      "let it cool, see that nothing blocks it, hold the robot, and type "
			      "naohw recover", 1 },
	[GUARD_DIAGNOSIS] = { "diagnosis",
			      "something of the robot is broken or too hot, so this joint gets no torque",
			      "naohw diagnose says what, and what to do", 1 },
	[GUARD_LIMP] = { "limp", "a person has let the robot go, by naohw limp",
			   "hold the robot, and type naohw recover", 1 },
	[GUARD_NO_ANSWER] = { "no-answer", "the servo does not answer",
			      "see to its plug and its supply; naohw doctor looks for the cause", 1 },
	[GUARD_NO_POWER] = { "no-power", "the servo does not answer, as a board gives no supply",
			     "see that the robot can move, and write 1 to servo_power of the board",
			     1 },
	[GUARD_PROTOCOL] = { "protocol", "the servo answers in the other protocol alone",
			     "set its protocol by the maker's tool, or correct the overlay", 1 },
	[GUARD_RETURN_LEVEL] = { "return-level",
				 "the servo answers a PING alone: its status return level is 0",
				 "ask again, as it may have been late; if it is so again, set its status return "
				 "level to 2 by the maker's tool", 1 },
	[GUARD_OTHER_MODEL] = { "other-model",
				"a servo of another model answers in its place",
				"put in the model that the overlay says, or correct the overlay", 1 },
	[GUARD_NOT_THERE] = { "not-there", "there is no servo with its label",
			      "naohw doctor compares the bus with the description", 1 },
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
