/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Devices on a Dynamixel bus, their drivers, and transfers to them.
 */
#ifndef _LINUX_DXL_BUS_H
#define _LINUX_DXL_BUS_H

#include <linux/device.h>
#include <linux/list.h>
#include <linux/types.h>

#include <linux/dxl/packet.h>

struct dxl_bus;
struct iio_trigger;

/**
 * enum dxl_stat - what is counted for a bus and for each device on it
 * @DXL_STAT_PACKETS: instruction packets sent
 * @DXL_STAT_TX_BYTES: bytes sent
 * @DXL_STAT_RX_BYTES: bytes received
 * @DXL_STAT_ACK: requests answered
 * @DXL_STAT_NACK: requests that ended without a valid answer
 * @DXL_STAT_TIMEOUTS: those of them that got no answer at all
 * @DXL_STAT_DEVICE_ERRORS: those of them that the device refused
 * @DXL_STAT_CHECKSUM_ERRORS: packets received with a wrong checksum or CRC
 * @DXL_STAT_STRAY_PACKETS: valid packets received that answered no request
 * @DXL_STAT_STALE_BYTES: bytes dropped because no request was waiting for them
 * @DXL_STAT_ECHOES: packets sent that the line has given back
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
	DXL_STAT_CHECKSUM_ERRORS,
	DXL_STAT_STRAY_PACKETS,
	DXL_STAT_STALE_BYTES,
	DXL_STAT_ECHOES,
	DXL_STATS
};

/**
 * struct dxl_stats - the counters of a bus, or of one device on it
 * @count: one for each &enum dxl_stat
 *
 * Guarded by the lock of the bus's transfer queue.
 */
struct dxl_stats {
	u64 count[DXL_STATS];
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
 * @identified: @model_number and @firmware_version have been read
 * @model_number: model number that the device reports
 * @firmware_version: firmware version that the device reports
 * @stats: what has happened with this device
 */
struct dxl_device {
	struct device dev;
	struct dxl_bus *bus;
	u8 id;
	enum dxl_protocol protocol;
	u32 return_delay_us;
	u8 status_level;
	bool identified;
	u16 model_number;
	u8 firmware_version;
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
 * struct dxl_driver - a driver for devices on the bus
 * @driver: generic part, with its of_match_table
 * @probe: bind to a device; transfers are possible
 * @remove: unbind; transfers are still possible
 * @shutdown: leave the device as a machine that stops should; optional
 */
struct dxl_driver {
	struct device_driver driver;
	int (*probe)(struct dxl_device *ddev);
	void (*remove)(struct dxl_device *ddev);
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

/**
 * struct dxl_transfer - an instruction and the answer to it
 * @request: the instruction packet; its parameters must stay in place until
 *	completion
 * @ddev: device it is for, for the statistics; NULL for a broadcast
 * @answered: whether a status packet is to be expected
 * @rx: where the answer's parameters go
 * @rx_len: how many parameters the answer must have
 * @return_delay_us: how long the device may rest before it answers
 * @complete: called exactly once for each transfer that was accepted, never
 *	with a lock held, in process or soft interrupt context, and possibly
 *	before dxl_transfer_submit() returns. The core does not touch the
 *	transfer any more; it may be freed or submitted again, but not for ever
 *	after -EIO, which a broken line gives at once.
 * @context: for the use of @complete
 * @status: result: 0 or a negative errno, see dxl_transfer_submit()
 * @error: result: error byte of the answer, also where @status is 0
 *
 * The submitter owns the transfer and fills it; between submission and
 * completion it is the core's.
 */
struct dxl_transfer {
	struct dxl_packet request;
	struct dxl_device *ddev;
	bool answered;
	u8 *rx;
	u16 rx_len;
	u32 return_delay_us;
	void (*complete)(struct dxl_transfer *xfer);
	void *context;

	int status;
	u8 error;

	/* private: */
	struct list_head node;
};

int dxl_transfer_submit(struct dxl_bus *bus, struct dxl_transfer *xfer);
int dxl_transfer_sync(struct dxl_bus *bus, struct dxl_transfer *xfer);

int dxl_identify(struct dxl_device *ddev);
int dxl_read(struct dxl_device *ddev, u16 addr, u8 *buf, u16 len);
int dxl_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len);

#endif /* _LINUX_DXL_BUS_H */
