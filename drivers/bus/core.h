/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the bus core know of each other.
 */
#ifndef _DXL_CORE_H
#define _DXL_CORE_H

#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/fault-inject.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pm.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>
#include <linux/dxl/packet.h>
#include <linux/dxl/timer.h>
#include <linux/dxl/transport.h>

#include "receive/receive.h"

struct iio_dev;
struct iio_trigger;

/* Longest return delay that can be set: register value 254, in steps of 2 us. */
#define DXL_RETURN_DELAY_MAX_US	508

/* Longest `compatible` that user space may give. */
#define DXL_COMPATIBLE_MAX	63

/**
 * struct dxl_deferred - what is done at once, but by the bus, see deferred.c
 * @run: does it
 * @tasklet: calls that
 * @work: the same with PREEMPT_RT
 * @worker: by which, or NULL
 */
struct dxl_deferred {
	void (*run)(struct dxl_deferred *deferred);
	struct tasklet_struct tasklet;
	struct kthread_work work;
	struct kthread_worker *worker;
};

/**
 * struct dxl_queue - the transfers of a bus, see queue.c
 * @lock: guards all of it, the statistics of the bus and its devices, and how
 *	well these answer
 * @pending: transfers accepted and not yet sent, by priority
 * @current_xfer: the transfer on the wire
 * @done: transfers that have ended and are not completed yet
 * @completion: does that
 * @engine: finds out what arrives for @current_xfer
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
	spinlock_t lock; /* see queue.c */
	struct list_head pending[DXL_PRIORITIES];
	struct dxl_transfer *current_xfer;
	struct list_head done;
	struct dxl_deferred completion;
	struct dxl_engine engine;
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

/**
 * struct dxl_ladder - asks the lost devices of a bus whether they are back
 * @work: sends a question, and takes the result of the last one
 * @busy: a question is under way
 * @xfer: the question
 * @reply: the answer
 * @params: registers asked for
 * @buf: what they hold
 * @asked: the device asked, with a reference, until @work runs again
 * @last_id: ID of the one asked last
 */
struct dxl_ladder {
	struct delayed_work work;
	bool busy;
	struct dxl_transfer xfer;
	struct dxl_reply reply;
	u8 params[DXL_RANGE_MAX];
	u8 buf[3];
	struct dxl_device *asked;
	u8 last_id;
};

/**
 * struct dxl_inject - faults to be made on a bus, see inject.c
 * @dir: their debugfs directory
 * @write: the line refuses a packet
 * @tx: a packet gets lost
 * @rx: a piece of what is received gets lost
 * @corrupt: a bit of it is changed
 */
struct dxl_inject {
#ifdef CONFIG_FAULT_INJECTION
	struct dentry *dir;
	struct fault_attr write;
	struct fault_attr tx;
	struct fault_attr rx;
	struct fault_attr corrupt;
#endif
};

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

/**
 * struct dxl_cycle - the beat of a bus, see cycle.c
 * @trig: the trigger
 * @timer: runs while the trigger has consumers
 * @period_us: how often
 * @next: when the next beat is due, as a ktime_t; 0 while @timer does not run
 * @missed: beats for which the machine was too late
 */
struct dxl_cycle {
	struct iio_trigger *trig;
	struct hrtimer timer;
	u32 period_us;
	atomic64_t next;
	atomic_t missed;
};

/**
 * struct dxl_exchange - what is written and read in one period, see exchange.c
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
 * @changes: what is to be changed when @busy ends
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
	struct list_head changes;
	atomic64_t ticked;
	wait_queue_head_t idle;
	unsigned int ends;
	u64 exchanges;
	u64 overruns;
	u64 wire_ns;
	ktime_t beat;
	struct dxl_jitter jitter;
};

/**
 * struct dxl_frame - what frames read from the devices of a bus, see frame.c
 * @members_lock: guards @members and @indio_dev
 * @members: the devices whose values they carry, by rising ID
 * @indio_dev: the IIO device, or NULL
 * @rebuild: registers it anew
 * @max_items: most items of a frame
 * @lock: guards what follows
 * @streaming: @indio_dev, while its buffer is enabled
 * @slow_divider: slow values are read in one of so many frames
 * @reading: the IIO device of which a frame is under way; the exchange's own
 */
struct dxl_frame {
	struct mutex members_lock; /* see frame.c */
	struct list_head members;
	struct iio_dev *indio_dev;
	struct delayed_work rebuild;
	unsigned int max_items;
	spinlock_t lock; /* see frame.c */
	struct iio_dev *streaming;
	unsigned int slow_divider;
	struct iio_dev *reading;
};

/**
 * struct dxl_bus - a bus
 * @dev: its node in the driver model
 * @nr: its number
 * @timing: rate of the line, and what answers may be late
 * @ops: the line
 * @priv: for the use of @ops
 * @timers: the thread of its timers, with PREEMPT_RT
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
	struct kthread_worker *timers;
	struct dxl_queue queue;
	struct dxl_ladder ladder;
	struct dxl_inject inject;
	struct dxl_cycle cycle;
	struct dxl_exchange exchange;
	struct dxl_frame frame;
	struct mutex maintenance; /* see maintenance.c */
	struct mutex line_lock; /* see bus.c */
	struct mutex devices_lock; /* see device.c */
	bool live;
	struct dxl_scan *scan;
	struct dxl_stats stats;
};

#define to_dxl_bus(d) container_of(d, struct dxl_bus, dev)

extern const struct device_type dxl_bus_device_type;
extern const struct device_type dxl_device_type;

/* cycle.c */
void dxl_cycle_suspend(struct dxl_bus *bus);
void dxl_cycle_resume(struct dxl_bus *bus);
void dxl_cycle_init(struct dxl_bus *bus);
int dxl_cycle_register(struct dxl_bus *bus);
void dxl_cycle_unregister(struct dxl_bus *bus);
int dxl_cycle_set_period(struct dxl_bus *bus, u32 period_us);

/* cycle_attrs.c */
extern const struct attribute_group dxl_cycle_group;

/* exchange.c */
void dxl_exchange_init(struct dxl_bus *bus);
void dxl_exchange_stop(struct dxl_bus *bus);
int dxl_exchange_resize(struct dxl_bus *bus);
int dxl_exchange_wire_ns(struct dxl_bus *bus, u64 *ns);

/* frame.c */
void dxl_frame_init(struct dxl_bus *bus);
void dxl_frame_exit(struct dxl_bus *bus);
unsigned int dxl_frame_max_items(struct dxl_bus *bus);
unsigned int dxl_frame_plan(struct dxl_bus *bus, struct dxl_item *items);
unsigned int dxl_frame_fill(struct dxl_bus *bus, struct dxl_item *items);
void dxl_frame_done(struct dxl_bus *bus, const struct dxl_item *items,
		    unsigned int count);
extern struct device_attribute dev_attr_slow_divider;

/* The bus's own beat, before its trigger is polled: whoever kicks is on time. */
static inline void dxl_exchange_beat(struct dxl_bus *bus, ktime_t beat)
{
	atomic64_set(&bus->exchange.ticked, beat);
}

/* group.c */
u64 dxl_group_wire_ns(struct dxl_group *group, struct dxl_item *items,
		      unsigned int num_items, bool write);

/* jitter.c */
void dxl_jitter_add(struct dxl_jitter *jitter, u64 ns);
void dxl_jitter_sent(struct dxl_bus *bus, const struct dxl_transfer *xfer,
		     ktime_t now);
u64 dxl_jitter_quantile(const struct dxl_jitter *jitter, unsigned int permille);

/* budget.c */
bool dxl_budget_allows(const struct dxl_bus *bus,
		       const struct dxl_transfer *xfer, ktime_t now,
		       ktime_t *wake);

/* baud.c */
int dxl_set_line_baud(struct dxl_bus *bus, u32 baud);
extern const struct attribute_group dxl_baud_group;

/* bus.c */
int dxl_device_add_described(struct dxl_bus *bus, struct fwnode_handle *fwnode);

/**
 * struct dxl_device_desc - a device to be added
 * @fwnode: node that describes it, or NULL
 * @id: its address
 * @dynamic: user space or a scan adds it
 * @bind_now: whoever adds it wants it bound to its driver, if that is there
 * @protocol: protocol it speaks; this and what follows only without @fwnode
 * @model_number: model number it reported
 * @firmware_version: firmware version it reported
 */
struct dxl_device_desc {
	struct fwnode_handle *fwnode;
	u8 id;
	bool dynamic;
	bool bind_now;
	enum dxl_protocol protocol;
	u16 model_number;
	u8 firmware_version;
};

/* device.c */
struct dxl_device *dxl_device_find(struct dxl_bus *bus, u8 id);
int dxl_device_add(struct dxl_bus *bus, const struct dxl_device_desc *desc);
void dxl_device_remove(struct dxl_device *ddev);
void dxl_device_shutdown(struct dxl_device *ddev);
void dxl_device_bind(struct dxl_device *ddev);

/* access.c */
int dxl_check_range(const struct dxl_device *ddev, u16 addr, size_t len);
int dxl_read_prio(struct dxl_device *ddev, enum dxl_priority priority, u16 addr,
		  u8 *buf, u16 len);
int dxl_write_prio(struct dxl_device *ddev, enum dxl_priority priority,
		   u16 addr, const u8 *buf, u16 len);

/* inject.c */
void dxl_inject_module_init(void);
void dxl_inject_module_exit(void);
void dxl_inject_init(struct dxl_bus *bus);
void dxl_inject_exit(struct dxl_bus *bus);
bool dxl_inject_write(struct dxl_bus *bus);
bool dxl_inject_tx(struct dxl_bus *bus);
bool dxl_inject_rx(struct dxl_bus *bus);
bool dxl_inject_corrupt(struct dxl_bus *bus);

/* ladder.c */
int dxl_ladder_module_init(void);
void dxl_ladder_module_exit(void);
void dxl_ladder_init(struct dxl_bus *bus);
void dxl_ladder_stop(struct dxl_bus *bus);
void dxl_ladder_device_init(struct dxl_device *ddev);
void dxl_ladder_result(struct dxl_bus *bus, struct dxl_device *ddev,
		       bool answered);
extern const struct attribute_group dxl_ladder_group;

/**
 * struct dxl_command - an instruction that is answered without parameters
 * @instruction: the instruction
 * @params: its parameters
 * @len: their number
 * @priority: when it is its turn
 * @rest_us: how long the device is deaf after it has answered
 * @restarts: the device starts anew: an answer that is missing is no fault
 */
struct dxl_command {
	u8 instruction;
	const u8 *params;
	u16 len;
	enum dxl_priority priority;
	u32 rest_us;
	bool restarts;
};

/* maintenance.c */
bool dxl_answer_missing(int status);
int dxl_check_torque_off(struct dxl_device *ddev, const struct dxl_table *table,
			 enum dxl_priority priority);
int dxl_command(struct dxl_device *ddev, const struct dxl_command *cmd);
int dxl_ping(struct dxl_device *ddev, enum dxl_priority priority);
int dxl_check_nobody_has(struct dxl_bus *bus, u8 id);
int dxl_copy_table(struct dxl_device *ddev, struct dxl_table *table);
int dxl_check_present(struct dxl_device *ddev);
int dxl_take_from_driver(struct dxl_device *ddev);

/* eeprom.c */
bool dxl_is_kept(const struct dxl_table *table, u16 addr, u16 len);

/* reset.c */
int dxl_wait_for_start(struct dxl_device *ddev, unsigned int ms,
		       enum dxl_priority priority);
unsigned int dxl_reset_ms(const struct dxl_table *table);

/* maintenance_attrs.c */
extern const struct attribute_group dxl_maintenance_group;

/* new_device.c */
struct fwnode_handle *dxl_device_new_node(struct dxl_device *ddev, u8 id);
extern const struct attribute_group dxl_new_device_group;

/* overlay.c */
#ifdef CONFIG_OF_DYNAMIC
int dxl_overlay_init(void);
void dxl_overlay_exit(void);
#else
static inline int dxl_overlay_init(void)
{
	return 0;
}

static inline void dxl_overlay_exit(void)
{
}
#endif

/* registers.c */
#ifdef CONFIG_REGMAP
int dxl_registers_add(struct dxl_device *ddev);
#else
static inline int dxl_registers_add(struct dxl_device *ddev)
{
	return 0;
}
#endif

/**
 * struct dxl_found - a device that a scan has found
 * @id: its address
 * @protocol: protocol it speaks
 * @identified: it has told what follows
 * @model_number: its model number
 * @firmware_version: its firmware version
 * @baud: bits a second at which it was found
 */
struct dxl_found {
	u8 id;
	enum dxl_protocol protocol;
	bool identified;
	u16 model_number;
	u8 firmware_version;
	u32 baud;
};

/* Highest ID that a device can have in @protocol. */
static inline u8 dxl_id_max(enum dxl_protocol protocol)
{
	return protocol == DXL_PROTOCOL_2 ? DXL_ID_MAX - 1 : DXL_ID_MAX;
}

/* scan.c */
int dxl_scan_id(struct dxl_bus *bus, enum dxl_protocol protocol, u8 id,
		struct dxl_found *found);
int dxl_read_id(struct dxl_bus *bus, enum dxl_protocol protocol, u8 id,
		u16 addr, u8 *buf, u16 len);
extern const struct attribute_group dxl_scan_group;

/* outcome.c */
int dxl_outcome_settle(struct dxl_bus *bus, struct dxl_transfer *xfer);
bool dxl_outcome_may_retry(const struct dxl_queue *q,
			   const struct dxl_transfer *xfer);

/* deferred.c */
void dxl_deferred_setup(struct dxl_deferred *deferred, struct dxl_bus *bus,
			void (*run)(struct dxl_deferred *deferred));
void dxl_deferred_start(struct dxl_deferred *deferred);
void dxl_deferred_flush(struct dxl_deferred *deferred);

/* queue.c */
void dxl_queue_init(struct dxl_bus *bus);
void dxl_queue_start(struct dxl_bus *bus);
void dxl_queue_disconnect(struct dxl_bus *bus);
void dxl_queue_stop(struct dxl_bus *bus);
int dxl_queue_reserve(struct dxl_bus *bus);
int dxl_queue_get_stream(struct dxl_bus *bus);
void dxl_queue_put_stream(struct dxl_bus *bus);
bool dxl_queue_has_stream(struct dxl_bus *bus);
void dxl_queue_unreserve(struct dxl_bus *bus);
void dxl_queue_leave(struct dxl_bus *bus);
void dxl_queue_return(struct dxl_bus *bus);
bool dxl_queue_is_urged(struct dxl_bus *bus);
void dxl_queue_sleep(struct dxl_bus *bus);
void dxl_queue_wake(struct dxl_bus *bus);
void dxl_queue_quiet(struct dxl_queue *q, u8 id, ktime_t until);
void dxl_queue_rest(struct dxl_device *ddev, u32 us);
void dxl_queue_unlock(struct dxl_bus *bus);
void dxl_queue_end_current(struct dxl_bus *bus);
void dxl_queue_watch(struct dxl_bus *bus);
bool dxl_queue_is_late(const struct dxl_queue *q, u8 id);
void dxl_queue_hold(struct dxl_bus *bus);
void dxl_queue_hold_on(struct dxl_bus *bus);

/* send.c */
struct dxl_device *dxl_transfer_device(const struct dxl_transfer *xfer);
int dxl_queue_send(struct dxl_bus *bus, struct dxl_transfer *xfer);

/* timer.c */
int dxl_timers_init(struct dxl_bus *bus);
void dxl_timers_exit(struct dxl_bus *bus);

/* stats.c */
extern const struct attribute_group dxl_stats_group;
void dxl_count_device(struct dxl_device *ddev, enum dxl_stat stat, u64 n);
void dxl_count(struct dxl_bus *bus, struct dxl_device *ddev,
	       enum dxl_stat stat, u64 n);
void dxl_count_turnaround(struct dxl_bus *bus, struct dxl_device *ddev, s64 ns);
void dxl_count_error(struct dxl_bus *bus, struct dxl_device *ddev,
		     enum dxl_protocol protocol, u8 error);

#endif /* _DXL_CORE_H */
