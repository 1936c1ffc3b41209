/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buttons of an input device, through libevdev. It is not grabbed, so others have its events,
 * too. Nothing waits: the owner polls the descriptor with its others. One thread at a time.
 */
#ifndef NAOHW_EVENT_H
#define NAOHW_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/input.h>

struct libevdev;

struct event_source {
	struct libevdev *device; /* NULL: closed */
	bool gone;
	bool behind;		  /* the kernel has dropped some, and the state is being read anew */
	int64_t changed[KEY_CNT]; /* when a code did last, in ns; 0: not since it was opened */
};

/* The input device named "LABEL buttons". As input_open(). */
int event_open(struct event_source *source, const char *label);
void event_close(struct event_source *source);

/* The code of "BTN_START"; -ENOENT: there is no such button or key. */
int event_code(const char *name);

/* For poll(); it is readable when there is something to update. */
int event_descriptor(const struct event_source *source);

/*
 * Take what has happened. Where the kernel has dropped events, the state is right afterwards,
 * and what came and went in between is lost. 0: that was all; 1: there may be more, to be called
 * again, which is so only where events come faster than they are taken. -ENODEV: it is gone.
 */
int event_update(struct event_source *source);

/* Is it pressed, by the last update? 1, 0, or -ENODEV; -ENOENT: it has no such button. */
int event_value(const struct event_source *source, int code);

/* When that changed last, by CLOCK_MONOTONIC in ns; 0: not since it was opened. Errors as above. */
int64_t event_time(const struct event_source *source, int code);

#endif
