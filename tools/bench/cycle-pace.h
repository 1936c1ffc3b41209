/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beat of a control loop, and how late its exchanges begin. */
#ifndef DXLLOOP_PACE_H
#define DXLLOOP_PACE_H

#include <linux/types.h>

/* What is more than these is not looked at. */
#define PACE_SAMPLES	(1 << 17)

struct pace {
	u64 beat;		/* the last, in ns */
	unsigned long overruns;	/* beats that were over when they could be met */
	unsigned int count;
	u32 late[PACE_SAMPLES];
};

u64 pace_next(struct pace *pace, u64 now, u64 period);
void pace_begins(struct pace *pace, u64 now);
void pace_report(struct pace *pace);

#endif
