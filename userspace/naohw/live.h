/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What keys say without being asked, as they change: sensors of which the frames of the buses have
 * the value, and buttons, which tell when they are pressed and let go. Where a naohwd has the
 * frames, its store tells both.
 */
#ifndef NAOHW_LIVE_H
#define NAOHW_LIVE_H

#include "keys.h"
#include "reading.h"

struct live;

/* How the value of a key comes, as far as its description tells. */
enum coming {
	COMING_ASKED,	  /* only by being asked for */
	COMING_PRESSED,	  /* by an event, and to ask for it costs nothing */
	COMING_IN_FRAMES, /* if they have it */
};

enum coming coming_of(const struct naohw_robot *robot, const struct naohw_key *key);

/* Have these keys told, which outlive it. NULL: there are none, and @err says why. */
struct live *live_open(struct naohw_robot *robot, const struct keys *keys, struct naohw_error *err);
void live_close(struct live *live);

/* Wait for the next frame. As naohw_frame_read(). */
int live_wait(struct live *live, struct naohw_error *err);

/* Is it told of the key with this index, which so need not be asked for? */
bool live_has(const struct live *live, size_t index);

/* What that is now; false: nothing is known of it yet. */
bool live_get(struct live *live, size_t index, struct reading *reading);

#endif
