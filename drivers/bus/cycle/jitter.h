/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How late exchanges begin.
 */
#ifndef _DXL_JITTER_H
#define _DXL_JITTER_H

#include <linux/ktime.h>
#include <linux/types.h>

struct dxl_bus;
struct dxl_transfer;

/* Steps in which jitter is counted: eight for each doubling of 64 ns. */
#define DXL_JITTER_STEPS	200

/**
 * struct dxl_jitter - how late exchanges have begun, see jitter.c
 * @count: their number
 * @sum_ns: sum of their delays
 * @min_ns: the shortest
 * @max_ns: the longest
 * @steps: how many were how long
 */
struct dxl_jitter {
	u64 count;
	u64 sum_ns;
	u64 min_ns;
	u64 max_ns;
	u32 steps[DXL_JITTER_STEPS];
};

void dxl_jitter_add(struct dxl_jitter *jitter, u64 ns);
void dxl_jitter_sent(struct dxl_bus *bus, const struct dxl_transfer *xfer,
		     ktime_t now);
u64 dxl_jitter_quantile(const struct dxl_jitter *jitter, unsigned int permille);

#endif /* _DXL_JITTER_H */
