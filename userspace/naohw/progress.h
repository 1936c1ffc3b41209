/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows how far a play is: a bar that moves on a terminal, a line a step elsewhere. */
#ifndef NAOHW_PROGRESS_H
#define NAOHW_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

struct progress {
	bool quiet;
	bool is_bar;
	long total_ms; /* 0: no end is known */
	const struct naohw_player *player; /* NULL: no step has been sent */
	int64_t step_began; /* ns */
	int64_t drawn;	    /* ns */
};

/* @lines: also on a terminal; @total_ms: of the whole play, 0 if it has no end. */
void progress_begin(struct progress *progress, bool quiet, bool lines, long total_ms);
void progress_step(struct progress *progress, const struct naohw_player *player);
void progress_idle(struct progress *progress);
/* Clear the bar's line, so that other words can stand there; the next step draws it anew. */
void progress_clear(const struct progress *progress);
/* Leave the bar as it is and go on below it. */
void progress_end(struct progress *progress);

#endif
