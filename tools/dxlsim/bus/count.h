/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is counted, for the bus and for each ID. A driver's own statistics can be
 * held against these.
 */
#ifndef DXLSIM_COUNT_H
#define DXLSIM_COUNT_H

#include <stdint.h>

enum count {
	COUNT_HEARD,
	COUNT_SILENCED,
	COUNT_DEAF,
	COUNT_REFUSED,
	COUNT_ANSWERS,
	COUNT_SENT,
	COUNT_GOOD,
	COUNT_DAMAGED,
	COUNT_LOST,
	COUNT_COLLISIONS,
	COUNT_GAPS_IN_CHAINS,
	COUNT_KINDS,
};

struct counts {
	uint64_t of[COUNT_KINDS];
};

const char *count_name(enum count count);

#endif
