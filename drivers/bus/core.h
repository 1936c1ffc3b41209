/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the bus core know of each other.
 */
#ifndef _DXL_CORE_H
#define _DXL_CORE_H

#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <linux/dxl/bus.h>
#include <linux/dxl/packet.h>
#include <linux/dxl/transport.h>

struct iio_trigger;

/*
 * Longest packet that the core sends or takes. A sync write of four bytes to
 * each of the 254 possible devices fits with its byte stuffing.
 */
#define DXL_PACKET_MAX	2048

/**
 * struct dxl_queue - the transfers of a bus, see queue.c
 * @lock: guards all of it, and the statistics of the bus and its devices
 * @pending: transfers accepted and not yet sent
 * @current_xfer: the transfer on the wire
 * @fault: what @current_xfer ends with if no valid answer comes
 * @running: transfers are accepted
 * @pumping: somebody is in queue_pump() and will look at @pending again
 * @timer: ends @current_xfer at @deadline
 * @deadline: when @current_xfer has failed, or, unanswered, is done
 * @margin_us: what is added to the computed time of an exchange
 * @decoder: assembles the answer to @current_xfer
 * @rx_buf: its memory
 * @tx_buf: the packet being sent
 * @tx_len: its length
 * @echoed: how much of it has come back so far; @tx_len when all has, or when
 *	what came is no echo
 */
struct dxl_queue {
	spinlock_t lock; /* see queue.c */
	struct list_head pending;
	struct dxl_transfer *current_xfer;
	int fault;
	bool running;
	bool pumping;
	struct hrtimer timer;
	ktime_t deadline;
	u32 margin_us;
	struct dxl_decoder decoder;
	u8 rx_buf[DXL_PACKET_MAX];
	u8 tx_buf[DXL_PACKET_MAX];
	size_t tx_len;
	size_t echoed;
};

/**
 * struct dxl_cycle - the beat of a bus, see cycle.c
 * @trig: the trigger
 * @timer: runs while the trigger has consumers
 * @frequency_hz: how often
 */
struct dxl_cycle {
	struct iio_trigger *trig;
	struct hrtimer timer;
	u32 frequency_hz;
};

/**
 * struct dxl_bus - a bus
 * @dev: its node in the driver model
 * @nr: its number
 * @baud: bits a second on the line
 * @ops: the line
 * @priv: for the use of @ops
 * @queue: its transfers
 * @cycle: its beat
 * @stats: what has happened on it
 */
struct dxl_bus {
	struct device dev;
	int nr;
	u32 baud;
	const struct dxl_transport_ops *ops;
	void *priv;
	struct dxl_queue queue;
	struct dxl_cycle cycle;
	struct dxl_stats stats;
};

#define to_dxl_bus(d) container_of(d, struct dxl_bus, dev)

extern const struct bus_type dxl_bus_type;
extern const struct device_type dxl_bus_device_type;
extern const struct device_type dxl_device_type;

/* cycle.c */
int dxl_cycle_register(struct dxl_bus *bus);
void dxl_cycle_unregister(struct dxl_bus *bus);

/* device.c */
int dxl_device_add(struct dxl_bus *bus, struct fwnode_handle *fwnode, u8 id);

/* queue.c */
void dxl_queue_init(struct dxl_bus *bus, u32 margin_us);
void dxl_queue_start(struct dxl_bus *bus);
void dxl_queue_stop(struct dxl_bus *bus);

/* stats.c */
extern const struct attribute_group dxl_stats_group;

#endif /* _DXL_CORE_H */
