/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Devices on a Dynamixel bus, their drivers, and transfers to them.
 */
#ifndef _LINUX_DXL_BUS_H
#define _LINUX_DXL_BUS_H

#include <linux/bits.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/packet.h>
#include <linux/dxl/reply.h>

struct dxl_bus;
struct iio_trigger;

/**
 * enum dxl_stat - what is counted for a bus and for each device on it
 * @DXL_STAT_PACKETS: instruction packets sent
 * @DXL_STAT_TX_BYTES: bytes sent
 * @DXL_STAT_RX_BYTES: bytes received
 * @DXL_STAT_ACK: answers that were asked for and came
 * @DXL_STAT_NACK: answers that were asked for and did not come, or were refusals
 * @DXL_STAT_TIMEOUTS: those of them of which nothing was seen
 * @DXL_STAT_DEVICE_ERRORS: those of them that were refusals
 * @DXL_STAT_RETRIES: requests sent again for want of a valid answer
 * @DXL_STAT_ALERTS: answers by which a device reported its own bad condition
 * @DXL_STAT_CHECKSUM_ERRORS: packets received with a wrong checksum or CRC
 * @DXL_STAT_STRAY_PACKETS: valid packets received that answered no request
 * @DXL_STAT_STALE_BYTES: bytes dropped because no request was waiting for them
 * @DXL_STAT_ECHOES: packets sent that the line has given back
 * @DXL_STAT_LINE_ERRORS: overruns, framing errors and breaks that the line told of
 * @DXL_STATS: number of counters
 */
enum dxl_stat {
	DXL_STAT_PACKETS,
	DXL_STAT_TX_BYTES,
	DXL_STAT_RX_BYTES,
	DXL_STAT_ACK,
	DXL_STAT_NACK,
	DXL_STAT_TIMEOUTS,
	DXL_STAT_DEVICE_ERRORS,
	DXL_STAT_RETRIES,
	DXL_STAT_ALERTS,
	DXL_STAT_CHECKSUM_ERRORS,
	DXL_STAT_STRAY_PACKETS,
	DXL_STAT_STALE_BYTES,
	DXL_STAT_ECHOES,
	DXL_STAT_LINE_ERRORS,
	DXL_STATS
};

/**
 * struct dxl_stats - the counters of a bus, or of one device on it
 * @count: one for each &enum dxl_stat
 * @turnaround_ns: sum of all turnarounds; as many as there are ACKs
 * @turnaround_max_ns: the longest. A turnaround is the time of an exchange
 *	beyond that of its bytes on the wire.
 * @error_bits: all errors that were ever reported: the bits of Protocol 1.0; in
 *	2.0 bit N for error number N, and bit 0 for the alert
 *
 * Guarded by the lock of the bus's transfer queue.
 */
struct dxl_stats {
	u64 count[DXL_STATS];
	u64 turnaround_ns;
	u64 turnaround_max_ns;
	u8 error_bits;
};

/**
 * enum dxl_state - how well a device answers, see ladder.c
 * @DXL_ACTIVE: as it should
 * @DXL_WARNING: answers have been missing
 * @DXL_PASSIVE: so many are missing that requests to it are not repeated
 * @DXL_LOST: it is asked only now and then whether it is back
 */
enum dxl_state {
	DXL_ACTIVE,
	DXL_WARNING,
	DXL_PASSIVE,
	DXL_LOST,
};

/**
 * enum dxl_feature - group instructions that a device understands
 * @DXL_CAN_BULK_READ: BULK_READ
 * @DXL_CAN_SYNC_READ: SYNC_READ
 * @DXL_CAN_FAST_SYNC_READ: FAST_SYNC_READ
 * @DXL_CAN_FAST_BULK_READ: FAST_BULK_READ
 * @DXL_CAN_BULK_WRITE: BULK_WRITE
 *
 * Every device understands SYNC_WRITE.
 */
enum dxl_feature {
	DXL_CAN_BULK_READ	= BIT(0),
	DXL_CAN_SYNC_READ	= BIT(1),
	DXL_CAN_FAST_SYNC_READ	= BIT(2),
	DXL_CAN_FAST_BULK_READ	= BIT(3),
	DXL_CAN_BULK_WRITE	= BIT(4),
};

/**
 * struct dxl_baud - a value of a baud rate register
 * @rate: bits a second
 * @value: what the register holds for it
 */
struct dxl_baud {
	u32 rate;
	u8 value;
};

/* Bytes of a page of a storage that is written in pages. */
#define DXL_PAGE_SIZE	32

/**
 * struct dxl_table - what the core has to know of a model's control table
 * @size: bytes of it, but for @pages
 * @eeprom_size: bytes of it, from address 0, that are kept without power and
 *	can be written only while the torque is off
 * @storage: first address of what it keeps for its users without power, apart from
 *	that and written as that is; 0 if it keeps nothing
 * @storage_size: bytes of it, which a factory reset leaves alone
 * @pages: first address of the rest of the storage, of which one write reaches one
 *	page of %DXL_PAGE_SIZE bytes at most and takes as long as that of one byte; 0 if
 *	it has none
 * @eeprom_write_us: how long the device is deaf after it has answered a write
 *	of one byte there
 * @reboot_ms: how long it takes to start
 * @id: address of the ID register
 * @factory_id: ID that it is delivered with; 0 stands for 1, which is every servo's
 * @baud: address of the baud rate register
 * @return_delay: address of the register of the rest before an answer, in steps
 *	of 2 us
 * @status_level: address of the register that says which instructions are
 *	answered, a &enum dxl_status_level
 * @torque_enable: address of the torque enable register; 0 if it has none
 * @bauds: baud rates, ended by a rate of 0
 */
struct dxl_table {
	u16 size;
	u16 eeprom_size;
	u16 storage;
	u16 storage_size;
	u16 pages;
	u32 eeprom_write_us;
	u16 reboot_ms;
	u16 id;
	u8 factory_id;
	u16 baud;
	u16 return_delay;
	u16 status_level;
	u16 torque_enable;
	const struct dxl_baud *bauds;
};

/**
 * struct dxl_device - a device on a bus
 * @dev: its node in the driver model
 * @bus: bus it is on
 * @id: its address there
 * @protocol: protocol it speaks, set by its driver before the first transfer;
 *	0 until then
 * @return_delay_us: how long it lets the line rest before it answers
 * @status_level: which instructions it answers, a &enum dxl_status_level
 * @features: group instructions it understands, of &enum dxl_feature; set by
 *	its driver
 * @table: its control table, set by its driver; NULL until then
 * @identified: @model_number and @firmware_version have been read
 * @model_number: model number that the device reports
 * @firmware_version: firmware version that the device reports
 * @state: how well it answers
 * @faults: the counter behind @state, see ladder.c
 * @heard: when it has answered last, in jiffies
 * @alerts: what of its last answer may mean that it has shut itself down, see
 *	dxl_shutdown_bits()
 * @doubts: answers that have been missing while it was not active, each of which it
 *	may have missed for want of power, and answers with a new alert
 * @times_lost: how often it has been lost
 * @returns: how often its driver has been told that it is back
 * @state_changed: tells user space of @state, and the driver of doubts
 * @told: the state that user space has been told of
 * @dynamic: user space or a scan has added it, not a description of the machine
 * @stats: what has happened with this device
 */
struct dxl_device {
	struct device dev;
	struct dxl_bus *bus;
	u8 id;
	enum dxl_protocol protocol;
	u32 return_delay_us;
	u8 status_level;
	u32 features;
	const struct dxl_table *table;
	bool identified;
	u16 model_number;
	u8 firmware_version;
	enum dxl_state state;
	unsigned int faults;
	unsigned long heard;
	u8 alerts;
	unsigned int doubts;
	unsigned int times_lost;
	unsigned int returns;
	struct work_struct state_changed;
	enum dxl_state told;
	bool dynamic;
	struct dxl_stats stats;
};

/**
 * enum dxl_status_level - which instructions a device answers
 * @DXL_ANSWERS_PING: none but PING
 * @DXL_ANSWERS_READ: PING and reads
 * @DXL_ANSWERS_ALL: all that are not broadcast
 *
 * The values are those of the status return level register.
 */
enum dxl_status_level {
	DXL_ANSWERS_PING,
	DXL_ANSWERS_READ,
	DXL_ANSWERS_ALL,
};

/**
 * struct dxl_device_id - a model that a driver knows
 * @protocol: protocol it speaks
 * @model_number: number it reports; 0 ends a table
 * @data: for the use of the driver
 */
struct dxl_device_id {
	enum dxl_protocol protocol;
	u16 model_number;
	const void *data;
};

/**
 * struct dxl_driver - a driver for devices on the bus
 * @driver: generic part, with its of_match_table
 * @id_table: models it knows, for devices that a scan has found
 * @probe: bind to a device; transfers are possible
 * @remove: unbind; transfers are still possible
 * @lost: the device does not answer any more, and is asked only now and then whether it is
 *	back. In process context, with the device locked; optional
 * @returned: the device has been lost and answers again. It may have been reset,
 *	or be another one; optional
 * @doubted: the state of the device has changed, for the worse or the better, but it is
 *	not lost: answers have been missing, as its @doubts tell. Or it has said that it
 *	is not well, as it had not before. Also called where it
 *	has been lost and there is no @returned. In process context, with the device
 *	locked; optional
 * @shutdown: leave the device as a machine that stops should; optional
 */
struct dxl_driver {
	struct device_driver driver;
	const struct dxl_device_id *id_table;
	int (*probe)(struct dxl_device *ddev);
	void (*remove)(struct dxl_device *ddev);
	void (*lost)(struct dxl_device *ddev);
	void (*returned)(struct dxl_device *ddev);
	void (*doubted)(struct dxl_device *ddev);
	void (*shutdown)(struct dxl_device *ddev);
};

#define to_dxl_device(d)	container_of(d, struct dxl_device, dev)
#define to_dxl_driver(d)	container_of_const(d, struct dxl_driver, driver)

int __dxl_driver_register(struct dxl_driver *drv, struct module *owner);
void dxl_driver_unregister(struct dxl_driver *drv);

#define dxl_driver_register(drv) __dxl_driver_register(drv, THIS_MODULE)

#define module_dxl_driver(drv) \
	module_driver(drv, dxl_driver_register, dxl_driver_unregister)

static inline void dxl_set_drvdata(struct dxl_device *ddev, void *data)
{
	dev_set_drvdata(&ddev->dev, data);
}

static inline void *dxl_get_drvdata(const struct dxl_device *ddev)
{
	return dev_get_drvdata(&ddev->dev);
}

struct device *dxl_bus_dev(struct dxl_bus *bus);
struct iio_trigger *dxl_bus_cycle(struct dxl_bus *bus);

const void *dxl_device_get_match_data(const struct dxl_device *ddev);

/**
 * enum dxl_priority - which transfers go first
 * @DXL_PRIO_UNSET: of a transfer for which nobody has said; it is refused
 * @DXL_PRIO_ATTRIBUTE: those for attributes that anybody may read, in their order.
 *	They take turns with requests: however many there are, a request waits for
 *	one of them.
 * @DXL_PRIO_REQUEST: those of users, in their order
 * @DXL_PRIO_CYCLIC: those of a cycle, before all requests
 * @DXL_PRIO_MAINTENANCE: those of whoever has the bus for itself, see
 *	dxl_bus_reserve(); the others wait meanwhile, but for the next
 * @DXL_PRIO_RELEASE: those that let a joint go. Nothing goes first, and only while the
 *	line is at another rate than the devices do they wait. They are also sent to a
 *	device that is lost, whose answer is not waited for.
 * @DXL_PRIORITIES: number of priorities, that which is unset among them
 */
enum dxl_priority {
	DXL_PRIO_UNSET,
	DXL_PRIO_ATTRIBUTE,
	DXL_PRIO_REQUEST,
	DXL_PRIO_CYCLIC,
	DXL_PRIO_MAINTENANCE,
	DXL_PRIO_RELEASE,
	DXL_PRIORITIES
};

/**
 * struct dxl_transfer - an instruction and the answers to it
 * @request: the instruction packet; its parameters must stay in place until
 *	completion
 * @replies: the answers, in the order in which they come
 * @num_replies: their number, 0 for a request that nobody answers
 * @priority: when it is its turn; always to be set
 * @repeatable: a second execution does no harm: it may be sent again if it is
 *	not answered
 * @rest_us: how long the device that it is for is deaf afterwards, if it is
 *	answered by just that device: no request is sent to it meanwhile
 * @wanted: asked each time it is about to be sent whether it still is to be; called
 *	under the core's lock, with soft interrupts off, and so before anything that
 *	is submitted later is sent. Optional
 * @wanted_context: what it is asked with
 * @complete: called exactly once for each transfer that was accepted, never
 *	with a lock held, in soft interrupt context or, with PREEMPT_RT, by the
 *	bus's thread, and possibly before dxl_transfer_submit() returns. The core
 *	does not touch the transfer any more; it may be freed or submitted again,
 *	but not for ever after an error that comes without a packet being sent, as
 *	-EIO.
 * @context: for the use of @complete
 * @status: result: that of the first answer that is missing, or 0
 *
 * The submitter owns the transfer and fills it; between submission and
 * completion it is the core's.
 */
struct dxl_transfer {
	struct dxl_packet request;
	struct dxl_reply *replies;
	unsigned int num_replies;
	enum dxl_priority priority;
	bool repeatable;
	u32 rest_us;
	bool (*wanted)(void *context);
	void *wanted_context;
	void (*complete)(struct dxl_transfer *xfer);
	void *context;

	int status;

	/* private: */
	struct list_head node;
	unsigned int retries;
	bool probe;
	bool unawaited;
};

int dxl_transfer_submit(struct dxl_bus *bus, struct dxl_transfer *xfer);
int dxl_transfer_sync(struct dxl_bus *bus, struct dxl_transfer *xfer);

/**
 * struct dxl_item - registers of one device in a group transfer
 * @ddev: the device
 * @addr: first address
 * @len: number of bytes
 * @buf: where they go or, in a write, where they are; must stay in place
 * @status: result, as that of a &struct dxl_reply; a group write is not
 *	answered and leaves 0 here if it was sent
 * @error: result: error byte of the answer
 */
struct dxl_item {
	struct dxl_device *ddev;
	u16 addr;
	u16 len;
	u8 *buf;
	int status;
	u8 error;
};

struct dxl_group;

struct dxl_group *dxl_group_alloc(struct dxl_bus *bus, unsigned int max_items,
				  enum dxl_priority priority);
void dxl_group_free(struct dxl_group *group);
int dxl_group_read(struct dxl_group *group, struct dxl_item *items,
		   unsigned int num_items,
		   void (*complete)(struct dxl_group *group, void *context),
		   void *context);
int dxl_group_write(struct dxl_group *group, struct dxl_item *items,
		    unsigned int num_items,
		    void (*complete)(struct dxl_group *group, void *context),
		    void *context);
int dxl_group_read_sync(struct dxl_group *group, struct dxl_item *items,
			unsigned int num_items);
int dxl_group_write_sync(struct dxl_group *group, struct dxl_item *items,
			 unsigned int num_items);

void dxl_device_doubt(struct dxl_device *ddev);
int dxl_identify(struct dxl_device *ddev);
void dxl_forget_answers(struct dxl_device *ddev);
int dxl_learn_answers(struct dxl_device *ddev);
int dxl_read(struct dxl_device *ddev, u16 addr, u8 *buf, u16 len);
int dxl_read_attribute(struct dxl_device *ddev, u16 addr, u8 *buf, u16 len);
int dxl_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len);
int dxl_write_as(struct dxl_device *ddev, const struct dxl_transfer *how,
		 u16 addr, const u8 *buf, u16 len);
int dxl_reg_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len);
int dxl_action(struct dxl_bus *bus, enum dxl_protocol protocol);

/**
 * enum dxl_reset - what a factory reset sets back
 * @DXL_RESET_ALL: everything, the only way in Protocol 1.0
 * @DXL_RESET_KEEP_ID: everything but the ID
 * @DXL_RESET_KEEP_ID_BAUD: everything but the ID and the baud rate
 *
 * The values are those of the instruction's parameter.
 */
enum dxl_reset {
	DXL_RESET_ALL		= 0xff,
	DXL_RESET_KEEP_ID	= 0x01,
	DXL_RESET_KEEP_ID_BAUD	= 0x02,
};

/**
 * enum dxl_backup_op - what to do with a device's backup of its settings
 * @DXL_BACKUP_STORE: make one of the present settings
 * @DXL_BACKUP_RESTORE: go back to it
 *
 * The values are those of the instruction's parameter.
 */
enum dxl_backup_op {
	DXL_BACKUP_STORE	= 1,
	DXL_BACKUP_RESTORE	= 2,
};

/* What changes devices themselves, and the bus for oneself meanwhile */
int dxl_bus_reserve(struct dxl_bus *bus);
void dxl_bus_release(struct dxl_bus *bus);
int dxl_eeprom_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len);
int dxl_set_id(struct dxl_device *ddev, u8 id);
int dxl_reboot(struct dxl_device *ddev);
int dxl_factory_reset(struct dxl_device *ddev, enum dxl_reset what);
int dxl_clear_turns(struct dxl_device *ddev);
int dxl_backup(struct dxl_device *ddev, enum dxl_backup_op op);

/* Older kernels write to it, see drivers/compat/compat.h. */
#ifndef const_bus_type
#define const_bus_type const struct bus_type
#endif

extern const_bus_type dxl_bus_type;

#endif /* _LINUX_DXL_BUS_H */
