/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bus, as all rooms of the core know it.
 *
 * What a room has of a bus is an object that only the room looks into: here is no more
 * than a pointer to it.
 */
#ifndef _DXL_BASE_H
#define _DXL_BASE_H

#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <linux/dxl/bus.h>

#include "../receive/receive.h"

struct attribute_group;
struct dxl_cycle;
struct dxl_exchange;
struct dxl_frame;
struct dxl_inject;
struct dxl_ladder;
struct dxl_queue;
struct dxl_scan;
struct dxl_transport_ops;
struct kthread_worker;

/**
 * struct dxl_bus - a bus
 * @dev: its node in the driver model
 * @nr: its number
 * @timing: rate of the line, and what answers may be late
 * @ops: the line
 * @priv: for the use of @ops
 * @thread: does what is deferred, with PREEMPT_RT
 * @queue: its transfers
 * @ladder: finds out when lost devices are back
 * @inject: faults made on purpose
 * @cycle: its beat
 * @exchange: what is transferred at each
 * @frame: what of that is read
 * @maintenance: held by whoever changes how devices are reached, or what they
 *	keep without power; nests in @devices_lock
 * @line_lock: held while the rate of the line is changed
 * @devices_lock: held while devices are added, removed or taken from their
 *	drivers; guards @live and @scan
 * @device_groups: attributes of its devices
 * @live: devices may be added
 * @scan: result of the last scan, or NULL
 * @stats: what has happened on it
 */
struct dxl_bus {
	struct device dev;
	int nr;
	struct dxl_timing timing;
	const struct dxl_transport_ops *ops;
	void *priv;
	struct kthread_worker *thread;
	struct dxl_queue *queue;
	struct dxl_ladder *ladder;
	struct dxl_inject *inject;
	struct dxl_cycle *cycle;
	struct dxl_exchange *exchange;
	struct dxl_frame *frame;
	struct mutex maintenance; /* see access/reserve.c */
	struct mutex line_lock; /* see queue/line_rate.c */
	struct mutex devices_lock; /* see devices/device.c */
	const struct attribute_group **device_groups;
	bool live;
	struct dxl_scan *scan;
	struct dxl_stats stats;
};

#define to_dxl_bus(d) container_of(d, struct dxl_bus, dev)

/* It is that of devices/device.c; here it tells devices from all else on a bus. */
extern const struct device_type dxl_device_type;

static inline bool dxl_is_device(const struct device *dev)
{
	return dev->type == &dxl_device_type;
}

#endif /* _DXL_BASE_H */
