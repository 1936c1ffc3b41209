/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The transfer queue itself, as the files of its room know it.
 */
#ifndef _DXL_QUEUE_STATE_H
#define _DXL_QUEUE_STATE_H

#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "../base/base.h"
#include "queue.h"

/**
 * struct dxl_queue - the transfers of a bus, see queue.c
 * @bus: the bus
 * @lock: guards all of it, the statistics of the bus and its devices, and how
 *	well these answer
 * @pending: transfers accepted and not yet sent, by priority
 * @current_xfer: the transfer on the wire
 * @done: transfers that have ended and are not completed yet
 * @completing: how many are being completed
 * @completion: does that
 * @engine: finds out what arrives for @current_xfer
 * @beat: that of the bus, or NULL if it has none
 * @refusal: 0 if transfers are accepted, else why not
 * @reserved: only transfers of %DXL_PRIO_MAINTENANCE and above are sent
 * @away: the line is at another rate than the devices: only those of
 *	%DXL_PRIO_MAINTENANCE are sent
 * @asleep: nothing is sent
 * @attributes_next: of requests and what is read for attributes, that is next
 * @streams: who streams, and must not be held up by that
 * @idle: woken when the line has become free while @reserved or @asleep
 * @timer: fires at the deadline of @current_xfer or, with nothing on the wire, when
 *	a transfer that was held back may go
 * @quiet_until: until then a device may answer an earlier request
 * @hold_until: until then nothing is sent, as the line has turned out to be late
 * @hold_end: when that is over, whatever still comes
 * @retries: how often a request is repeated
 */
struct dxl_queue {
	struct dxl_bus *bus;
	spinlock_t lock; /* see queue.c */
	struct list_head pending[DXL_PRIORITIES];
	struct dxl_transfer *current_xfer;
	struct list_head done;
	unsigned int completing;
	struct dxl_deferred completion;
	struct dxl_engine engine;
	const struct dxl_beat_ops *beat;
	int refusal;
	bool reserved;
	bool away;
	bool asleep;
	bool attributes_next;
	unsigned int streams;
	wait_queue_head_t idle;
	struct dxl_timer timer;
	ktime_t quiet_until[DXL_ID_MAX + 1];
	ktime_t hold_until;
	ktime_t hold_end;
	u32 retries;
};

/* deferred.c */
void dxl_deferred_setup(struct dxl_deferred *deferred, struct dxl_bus *bus,
			void (*run)(struct dxl_deferred *deferred));
void dxl_deferred_start(struct dxl_deferred *deferred);
void dxl_deferred_flush(struct dxl_deferred *deferred);

/* next.c */
ktime_t dxl_quiet_until(const struct dxl_queue *q, u8 id);
void dxl_queue_quiet(struct dxl_queue *q, u8 id, ktime_t until);
struct dxl_transfer *dxl_queue_next(struct dxl_bus *bus, ktime_t *wake);

/* queue.c */
void dxl_queue_pump(struct dxl_bus *bus);
void dxl_queue_end_current(struct dxl_bus *bus);
void dxl_queue_watch(struct dxl_bus *bus);
bool dxl_queue_is_late(const struct dxl_queue *q, u8 id);
void dxl_queue_hold(struct dxl_bus *bus);
void dxl_queue_hold_on(struct dxl_bus *bus);

/* send.c */
struct dxl_device *dxl_transfer_device(const struct dxl_transfer *xfer);
int dxl_queue_send(struct dxl_bus *bus, struct dxl_transfer *xfer);

/* outcome.c */
int dxl_outcome_settle(struct dxl_bus *bus, struct dxl_transfer *xfer);
bool dxl_outcome_may_retry(const struct dxl_queue *q,
			   const struct dxl_transfer *xfer);

/* stats.c */
void dxl_count_device(struct dxl_device *ddev, enum dxl_stat stat, u64 n);
void dxl_count(struct dxl_bus *bus, struct dxl_device *ddev,
	       enum dxl_stat stat, u64 n);
void dxl_count_turnaround(struct dxl_bus *bus, struct dxl_device *ddev, s64 ns);
void dxl_count_error(struct dxl_bus *bus, struct dxl_device *ddev,
		     enum dxl_protocol protocol, u8 error);

#endif /* _DXL_QUEUE_STATE_H */
