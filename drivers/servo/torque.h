/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of a servo's torque, what happens to it, and what follows from that; in
 * words in Documentation/cycle.rst.
 */
#ifndef _DXL_TORQUE_H
#define _DXL_TORQUE_H

#include <linux/types.h>

/**
 * enum dxl_torque - what is known of a servo's torque
 * @TORQUE_STATES_BEGIN: none of them
 * @TORQUE_UNHEARD: it has got no goal yet, and has not answered since when it matters
 * @TORQUE_UNUSED: of Protocol 1.0, and it has got no goal since its driver was bound:
 *	there is no torque that could be lost
 * @TORQUE_STIFF: nobody has taken its torque: it has some, or may have
 * @TORQUE_DOUBTED: the same, but it may have been without power meanwhile
 * @TORQUE_FREE: somebody has let it go by hand
 * @TORQUE_RELAXED: poses with stiffness have let it go
 * @TORQUE_TRIPPED: its torque has been taken, or has been found to be gone
 * @TORQUE_RECOVERING: its torque is coming back, see ramp.c
 * @TORQUE_RECOVERING_DOUBTED: the same, but it may have been without power meanwhile
 * @TORQUE_SHUT_DOWN: it has taken its torque itself, for an overload or for its heat
 * @TORQUE_STATES: number of states, and one
 */
enum dxl_torque {
	TORQUE_STATES_BEGIN,
	TORQUE_UNHEARD,
	TORQUE_UNUSED,
	TORQUE_STIFF,
	TORQUE_DOUBTED,
	TORQUE_FREE,
	TORQUE_RELAXED,
	TORQUE_TRIPPED,
	TORQUE_RECOVERING,
	TORQUE_RECOVERING_DOUBTED,
	TORQUE_SHUT_DOWN,
	TORQUE_STATES
};

/**
 * enum dxl_torque_event - what happens to it
 * @TORQUE_MISSED: answers of it are missing, or it gives an alarm
 * @TORQUE_ANSWERED: it has been asked, and all is as before
 * @TORQUE_GONE: it has been asked, and has no torque
 * @TORQUE_FAILED: it has been asked, and has shut itself down
 * @TORQUE_GIVEN: somebody has switched it on by hand
 * @TORQUE_MOVED: a goal goes to it
 * @TORQUE_EASED: a pose says that it is to have none
 * @TORQUE_CLAIMED: it has been let go by hand, and a stream begins that has the say on it
 * @TORQUE_LET_GO: somebody switches it off by hand
 * @TORQUE_TAKEN: it is taken: by a stream that trips, by the driver, by the machine
 * @TORQUE_RECOVERS: it is to come back
 * @TORQUE_RECOVERED: it is back
 * @TORQUE_EVENTS: number of events
 */
enum dxl_torque_event {
	TORQUE_MISSED,
	TORQUE_ANSWERED,
	TORQUE_GONE,
	TORQUE_FAILED,
	TORQUE_GIVEN,
	TORQUE_MOVED,
	TORQUE_EASED,
	TORQUE_CLAIMED,
	TORQUE_LET_GO,
	TORQUE_TAKEN,
	TORQUE_RECOVERS,
	TORQUE_RECOVERED,
	TORQUE_EVENTS
};

/**
 * dxl_torque_next() - what follows from an event
 * @torque: the state before
 * @event: the event
 *
 * Return: the state behind it
 */
static inline enum dxl_torque dxl_torque_next(enum dxl_torque torque,
					      enum dxl_torque_event event)
{
	/* What is not there changes nothing. */
	static const u8 edges[TORQUE_STATES][TORQUE_EVENTS] = {
		[TORQUE_UNHEARD] = {
			[TORQUE_ANSWERED] = TORQUE_UNUSED,
			[TORQUE_GIVEN] = TORQUE_STIFF,
			[TORQUE_MOVED] = TORQUE_STIFF,
			[TORQUE_EASED] = TORQUE_RELAXED,
			[TORQUE_LET_GO] = TORQUE_FREE,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_UNUSED] = {
			[TORQUE_MISSED] = TORQUE_UNHEARD,
			[TORQUE_GIVEN] = TORQUE_STIFF,
			[TORQUE_MOVED] = TORQUE_STIFF,
			[TORQUE_EASED] = TORQUE_RELAXED,
			[TORQUE_LET_GO] = TORQUE_FREE,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_STIFF] = {
			[TORQUE_MISSED] = TORQUE_DOUBTED,
			[TORQUE_EASED] = TORQUE_RELAXED,
			[TORQUE_LET_GO] = TORQUE_FREE,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_DOUBTED] = {
			[TORQUE_ANSWERED] = TORQUE_STIFF,
			[TORQUE_GONE] = TORQUE_TRIPPED,
			[TORQUE_FAILED] = TORQUE_SHUT_DOWN,
			[TORQUE_EASED] = TORQUE_RELAXED,
			[TORQUE_LET_GO] = TORQUE_FREE,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_FREE] = {
			[TORQUE_GIVEN] = TORQUE_STIFF,
			[TORQUE_MOVED] = TORQUE_STIFF,
			[TORQUE_CLAIMED] = TORQUE_RELAXED,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_RELAXED] = {
			[TORQUE_FAILED] = TORQUE_SHUT_DOWN,
			[TORQUE_GIVEN] = TORQUE_STIFF,
			[TORQUE_MOVED] = TORQUE_STIFF,
			[TORQUE_LET_GO] = TORQUE_FREE,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_TRIPPED] = {
			[TORQUE_GIVEN] = TORQUE_STIFF,
			[TORQUE_CLAIMED] = TORQUE_RELAXED,
			[TORQUE_RECOVERS] = TORQUE_RECOVERING,
		},
		[TORQUE_RECOVERING] = {
			[TORQUE_MISSED] = TORQUE_RECOVERING_DOUBTED,
			[TORQUE_RECOVERED] = TORQUE_STIFF,
			[TORQUE_EASED] = TORQUE_RELAXED,
			[TORQUE_LET_GO] = TORQUE_FREE,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_RECOVERING_DOUBTED] = {
			[TORQUE_ANSWERED] = TORQUE_RECOVERING,
			[TORQUE_GONE] = TORQUE_TRIPPED,
			[TORQUE_FAILED] = TORQUE_SHUT_DOWN,
			[TORQUE_RECOVERED] = TORQUE_DOUBTED,
			[TORQUE_EASED] = TORQUE_RELAXED,
			[TORQUE_LET_GO] = TORQUE_FREE,
			[TORQUE_TAKEN] = TORQUE_TRIPPED,
		},
		[TORQUE_SHUT_DOWN] = {
			[TORQUE_GIVEN] = TORQUE_STIFF,
			[TORQUE_RECOVERS] = TORQUE_RECOVERING,
		},
	};

	return edges[torque][event] ?: torque;
}

#endif /* _DXL_TORQUE_H */
