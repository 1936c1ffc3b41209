// SPDX-License-Identifier: LGPL-2.1-or-later
/* In which period of the bus pages go best: their times are in ticks. */
#include <math.h>

#include "player.h"

#define TICK_MS 8.0
/* At least 1 ms is left of a period, in which a servo that rests 508 us answers another request. */
#define LEFT_MS 1

static double needed_ms(const struct naohw_player *player)
{
	return player->sink->needed_ms ? player->sink->needed_ms(player->data) : 0;
}

static double shortest_ms(double needed)
{
	return fmax(TICK_MS, floor(needed) + LEFT_MS + 1);
}

double naohw_player_get_period(const struct naohw_player *player)
{
	double needed = needed_ms(player);

	return needed > 0 ? shortest_ms(needed) : 0;
}

void player_note_period(const struct naohw_player *player)
{
	double needed = needed_ms(player);

	if (shortest_ms(needed) > TICK_MS)
		player_note(player,
			    "pages have ticks of %g ms, and the bus needs %.1f ms for a frame and a pose: "
			    "joints get fewer goals; it needs less if the servos' return delay is shorter",
			    TICK_MS, needed);
}
