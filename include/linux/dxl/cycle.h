/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cycle of a Dynamixel bus: what is written to its devices, and read from
 * them, in every period.
 */
#ifndef _LINUX_DXL_CYCLE_H
#define _LINUX_DXL_CYCLE_H

#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/list.h>
#include <linux/types.h>

#include <linux/dxl/bus.h>

/**
 * struct dxl_output - what a driver writes in exchanges
 * @max_items: most items that it writes in one
 * @plan: fill in the items of the longest exchange, for the computation of its
 *	time; nothing of them is sent. Called in process context. Returns their
 *	number, 0 while nothing will be written at all.
 * @fill: fill in the items to be written in the exchange that begins now. Called
 *	under a lock of the core, with soft interrupts off; submits nothing.
 *	Returns their number, 0 if there is nothing to be written now.
 * @sent: the items of @fill have been sent, or have failed, as their statuses
 *	tell, and their memory is the driver's again. Called as @fill is;
 *	optional
 */
struct dxl_output {
	unsigned int max_items;
	unsigned int (*plan)(struct dxl_output *output, struct dxl_item *items);
	unsigned int (*fill)(struct dxl_output *output, struct dxl_item *items);
	void (*sent)(struct dxl_output *output, const struct dxl_item *items,
		     unsigned int count);

	/* private: */
	struct list_head node;
	unsigned int count;
};

int dxl_cycle_add_output(struct dxl_bus *bus, struct dxl_output *output);
int dxl_cycle_resize_output(struct dxl_bus *bus, struct dxl_output *output,
			    unsigned int max_items);
void dxl_cycle_remove_output(struct dxl_bus *bus, struct dxl_output *output);

void dxl_cycle_kick(struct dxl_bus *bus);
void dxl_cycle_urge(struct dxl_bus *bus);
int dxl_cycle_check(struct dxl_bus *bus, struct iio_trigger *trig);
void dxl_cycle_update(struct dxl_bus *bus);
void dxl_cycle_flush(struct dxl_bus *bus);
u32 dxl_cycle_period_us(const struct dxl_bus *bus);

int dxl_cycle_get_stream(struct dxl_bus *bus);
void dxl_cycle_put_stream(struct dxl_bus *bus);
bool dxl_cycle_is_streaming(struct dxl_bus *bus);

/*
 * Whether a trigger has to be told from a thread that it may go on: enabling it
 * again may sleep. The beat of a bus needs no such thing.
 */
static inline bool dxl_trigger_needs_thread(const struct iio_trigger *trig)
{
	return trig->ops && trig->ops->reenable;
}

/* What is added to the ID of a device in the number of a value's channel. */
#define DXL_VALUE_NUMBER	1024

/**
 * struct dxl_value - a value of a device that frames carry
 * @spec: its IIO channel: type, modifier, extended name, which becomes part of the
 *	label, masks and the scan type of what &dxl_frame_ops.decode() returns, in
 *	the CPU's byte order. Its number tells it from others of its type; the core
 *	makes %DXL_VALUE_NUMBER times that and the device's ID of it.
 * @addr: its register
 * @size: bytes of the register, at most 4
 * @slow: it changes slowly: it need not be read in every frame
 */
struct dxl_value {
	struct iio_chan_spec spec;
	u16 addr;
	u8 size;
	bool slow;
};

/**
 * struct dxl_frame_ops - what frames ask a driver
 * @decode: value of a register of which @raw holds the bytes, and zeros up to 4.
 *	Must not sleep.
 * @read_raw: as that of &struct iio_info; must not use the bus for
 *	%IIO_CHAN_INFO_SCALE and %IIO_CHAN_INFO_OFFSET
 * @label: name of what the device belongs to, such as a joint, or NULL
 * @usable: whether the device is what the driver takes it for; one that is not is
 *	not asked. Must not sleep; optional
 */
struct dxl_frame_ops {
	s32 (*decode)(struct dxl_device *ddev, const struct dxl_value *value,
		      const u8 *raw);
	int (*read_raw)(struct dxl_device *ddev, const struct dxl_value *value,
			int *val, int *val2, long mask);
	const char *(*label)(struct dxl_device *ddev);
	bool (*usable)(struct dxl_device *ddev);
};

/**
 * dxl_put_value() - put a value into a sample of an IIO buffer
 * @at: where it goes, aligned to @size
 * @size: its bytes there: 1, 2 or 4
 * @value: the value
 */
static inline void dxl_put_value(u8 *at, unsigned int size, s32 value)
{
	switch (size) {
	case 1:
		*at = value;
		break;
	case 2:
		*(u16 *)at = value;
		break;
	default:
		*(u32 *)at = value;
		break;
	}
}

/**
 * struct dxl_buffer_ops - what the buffer of a device's own IIO device asks the
 *	driver
 * @ready: see that the device may be used; 0 or a negative errno. Called in
 *	process context
 * @addr: register of a channel
 * @decode: value of it, of which @raw holds the bytes, and zeros up to 4
 */
struct dxl_buffer_ops {
	int (*ready)(struct dxl_device *ddev);
	u16 (*addr)(struct dxl_device *ddev, const struct iio_chan_spec *chan);
	s32 (*decode)(struct dxl_device *ddev, const struct iio_chan_spec *chan,
		      const u8 *raw);
};

int devm_dxl_buffer_setup(struct iio_dev *indio_dev,
			  const struct dxl_buffer_ops *ops);

int devm_dxl_frame_join(struct dxl_device *ddev,
			const struct dxl_frame_ops *ops,
			const struct dxl_value *values,
			unsigned int num_values);
void dxl_frame_leave(struct dxl_device *ddev);

#endif /* _LINUX_DXL_CYCLE_H */
