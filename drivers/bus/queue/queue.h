/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The transfer queue of a bus: what is sent when, when it ends and what is learnt from
 * that
 *
 * Transfers themselves, and what else drivers use of this, are in
 * include/linux/dxl/bus.h.
 */
#ifndef _DXL_QUEUE_H
#define _DXL_QUEUE_H

#include <linux/ktime.h>
#include <linux/types.h>

#include <linux/dxl/bus.h>
#include <linux/dxl/timer.h>

struct attribute_group;
struct dxl_bus;

/* --- life: deferred.c, queue.c --- */

int dxl_thread_init(struct dxl_bus *bus);
void dxl_thread_exit(struct dxl_bus *bus);

int dxl_queue_alloc(struct dxl_bus *bus);
void dxl_queue_free(struct dxl_bus *bus);
void dxl_queue_start(struct dxl_bus *bus);
void dxl_queue_disconnect(struct dxl_bus *bus);
void dxl_queue_stop(struct dxl_bus *bus);

/* --- its lock, which also guards what a beat is told: queue.c --- */

void dxl_queue_lock(struct dxl_bus *bus);
void dxl_queue_unlock(struct dxl_bus *bus);

/* --- what the beat has to say: queue.c --- */

/**
 * struct dxl_beat_ops - what the queue has to know of the beat of a bus
 * @allows: whether a request may be sent now. If it may not, when to ask again goes
 *	to @wake
 * @sent: a packet is being sent
 *
 * Both are called with the queue's lock held.
 */
struct dxl_beat_ops {
	bool (*allows)(const struct dxl_bus *bus, const struct dxl_transfer *xfer,
		       ktime_t now, ktime_t *wake);
	void (*sent)(struct dxl_bus *bus, const struct dxl_transfer *xfer,
		     ktime_t now);
};

void dxl_queue_set_beat(struct dxl_bus *bus, const struct dxl_beat_ops *beat);

/* --- who may not, for a while: pause.c --- */

int dxl_queue_reserve(struct dxl_bus *bus);
void dxl_queue_unreserve(struct dxl_bus *bus);
void dxl_queue_leave(struct dxl_bus *bus);
void dxl_queue_return(struct dxl_bus *bus);
void dxl_queue_sleep(struct dxl_bus *bus);
void dxl_queue_wake(struct dxl_bus *bus);
bool dxl_queue_is_urged(struct dxl_bus *bus);

int dxl_queue_get_stream(struct dxl_bus *bus);
void dxl_queue_put_stream(struct dxl_bus *bus);
bool dxl_queue_has_stream(struct dxl_bus *bus);

/* --- devices to be left alone: next.c --- */

void dxl_queue_rest(struct dxl_device *ddev, u32 us);
ktime_t dxl_queue_quiet_until(const struct dxl_bus *bus, u8 id);

/* --- attempts: queue.c --- */

u32 dxl_queue_retries(const struct dxl_bus *bus);
void dxl_queue_set_retries(struct dxl_bus *bus, u32 retries);

/* --- the rate of the line: line_rate.c --- */

int dxl_set_line_baud(struct dxl_bus *bus, u32 baud);

/* --- how well devices answer: ladder.c --- */

int dxl_ladder_module_init(void);
void dxl_ladder_module_exit(void);
int dxl_ladder_alloc(struct dxl_bus *bus);
void dxl_ladder_free(struct dxl_bus *bus);
void dxl_ladder_stop(struct dxl_bus *bus);
void dxl_ladder_device_init(struct dxl_device *ddev);
extern const struct attribute_group dxl_ladder_group;

/* --- statistics/ of a bus and of a device: stats.c --- */

u64 dxl_count_of(struct dxl_bus *bus, enum dxl_stat stat);
extern const struct attribute_group dxl_stats_group;

/* --- faults on purpose: inject.c --- */

void dxl_inject_module_init(void);
void dxl_inject_module_exit(void);
int dxl_inject_alloc(struct dxl_bus *bus);
void dxl_inject_free(struct dxl_bus *bus);
void dxl_inject_init(struct dxl_bus *bus);
void dxl_inject_exit(struct dxl_bus *bus);

#endif /* _DXL_QUEUE_H */
