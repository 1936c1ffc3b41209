/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The exchange of a period.
 */
#ifndef _DXL_EXCHANGE_H
#define _DXL_EXCHANGE_H

#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <linux/dxl/bus.h>
#include <linux/dxl/timer.h>

#include "../base/base.h"
#include "jitter.h"

struct exchange_change;

/**
 * struct dxl_exchange - what is written and read in one period, see exchange.c
 * @bus: the bus
 * @lock: guards what follows
 * @resize: held while @group and @items are replaced
 * @timer: begins an exchange
 * @outputs: what writes in it
 * @group: its transfers
 * @items: what is transferred
 * @max_items: room for them
 * @count: number of those under way
 * @busy: an exchange is under way, and so @group and @items are the core's
 * @again: there was a kick meanwhile
 * @change: what is to be changed when @busy ends, or NULL; of who holds @resize
 * @ticked: the bus's own beat has asked for one that has not begun yet
 * @idle: woken when @busy ends
 * @ends: how often it has ended
 * @exchanges: the same, for statistics
 * @overruns: beats at which the exchange before was still under way
 * @wire_ns: time on the line of the longest exchange of what is enabled
 * @beat: the beat whose exchange has not sent a packet yet, or 0; this and
 *	@jitter are guarded by the lock of the bus's transfer queue
 * @jitter: how late their first packets were sent
 */
struct dxl_exchange {
	struct dxl_bus *bus;
	spinlock_t lock; /* see exchange.c */
	struct mutex resize; /* guards group, items and max_items */
	struct dxl_timer timer;
	struct list_head outputs;
	struct dxl_group *group;
	struct dxl_item *items;
	unsigned int max_items;
	unsigned int count;
	bool busy;
	bool again;
	struct exchange_change *change;
	atomic64_t ticked;
	wait_queue_head_t idle;
	unsigned int ends;
	u64 exchanges;
	u64 overruns;
	u64 wire_ns;
	ktime_t beat;
	struct dxl_jitter jitter;
};

int dxl_exchange_alloc(struct dxl_bus *bus);
void dxl_exchange_free(struct dxl_bus *bus);
void dxl_exchange_stop(struct dxl_bus *bus);
int dxl_exchange_resize(struct dxl_bus *bus);
int dxl_exchange_wire_ns(struct dxl_bus *bus, u64 *ns);

/* The bus's own beat, before its trigger is polled: whoever kicks is on time. */
static inline void dxl_exchange_beat(struct dxl_bus *bus, ktime_t beat)
{
	atomic64_set(&bus->exchange->ticked, beat);
}

#endif /* _DXL_EXCHANGE_H */
