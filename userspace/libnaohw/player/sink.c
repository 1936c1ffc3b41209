// SPDX-License-Identifier: LGPL-2.1-or-later
/* What sinks that move something do alike. */
#include <errno.h>
#include <time.h>

#include "../base/base.h"
#include "player.h"

#define NS_PER_S 1000000000

/* Better to end than to go on. */
int player_check_stream(enum naohw_stream stream, struct naohw_error *err)
{
	if (stream != NAOHW_STREAM_TRIPPED)
		return 0;
	return fail(err, -EPIPE,
		    "the kernel's watchdog has switched the torque off, since no pose came in time; "
		    "\"naohw recover\" brings it back");
}

void player_sleep(int64_t deadline)
{
	const struct timespec until = {
		.tv_sec = deadline / NS_PER_S,
		.tv_nsec = deadline % NS_PER_S,
	};

	/* A signal ends it early; the player looks at its requests and comes again. */
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
