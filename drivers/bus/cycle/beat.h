/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The beat of a bus, and what requests have to do with it.
 */
#ifndef _DXL_BEAT_H
#define _DXL_BEAT_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/types.h>

struct dxl_bus;
struct dxl_transfer;
struct iio_trigger;

/**
 * struct dxl_cycle - the beat of a bus, see cycle.c
 * @bus: the bus
 * @trig: the trigger
 * @timer: runs while the trigger has consumers
 * @period_us: how often
 * @next: when the next beat is due, as a ktime_t; 0 while @timer does not run
 * @missed: beats for which the machine was too late
 */
struct dxl_cycle {
	struct dxl_bus *bus;
	struct iio_trigger *trig;
	struct hrtimer timer;
	u32 period_us;
	atomic64_t next;
	atomic_t missed;
};

/* cycle.c */
int dxl_cycle_set_period(struct dxl_bus *bus, u32 period_us);

/* budget.c */
bool dxl_budget_allows(const struct dxl_bus *bus,
		       const struct dxl_transfer *xfer, ktime_t now,
		       ktime_t *wake);

#endif /* _DXL_BEAT_H */
