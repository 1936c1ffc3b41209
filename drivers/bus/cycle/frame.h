/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the frame know of each other.
 */
#ifndef _DXL_FRAME_H
#define _DXL_FRAME_H

#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <linux/dxl/bus.h>
#include <linux/dxl/cycle.h>

struct iio_dev;

/**
 * struct dxl_frame - what frames read from the devices of a bus, see members.c
 * @bus: the bus
 * @members_lock: guards @members and @indio_dev
 * @members: the devices whose values they carry, by rising ID, and those that have gone
 *	as long as @indio_dev has channels for them
 * @indio_dev: the IIO device, or NULL
 * @users: held for reading by who uses a member on behalf of @indio_dev, for writing when
 *	one has gone
 * @rebuild: registers it anew
 * @stale: it has other channels than it is to have, and is registered anew when nobody
 *	reads frames any more
 * @max_items: most items of a frame
 * @lock: guards what follows
 * @streaming: @indio_dev, while its buffer is enabled
 * @slow_divider: slow values are read in one of so many frames
 * @reading: the IIO device of which a frame is under way; the exchange's own
 */
struct dxl_frame {
	struct dxl_bus *bus;
	struct mutex members_lock; /* see members.c */
	struct list_head members;
	struct iio_dev *indio_dev;
	struct rw_semaphore users;
	struct delayed_work rebuild;
	bool stale;
	unsigned int max_items;
	spinlock_t lock; /* see members.c */
	struct iio_dev *streaming;
	unsigned int slow_divider;
	struct iio_dev *reading;
};

/**
 * struct frame_unit - what one step of a value is, or is counted from
 * @type: its IIO_VAL type, or a negative errno if it has none
 * @val: integer part
 * @val2: the rest
 */
struct frame_unit {
	int type;
	int val;
	int val2;
};

/**
 * struct frame_member - a device that has joined
 * @node: its place among the members of its bus, by rising ID
 * @ddev: the device, or NULL while it has no driver. Exchanges look at it, so it is used
 *	until dxl_cycle_flush() after it has changed.
 * @ops: its driver's functions, as long as there is a device
 * @id: its ID
 * @protocol: its protocol
 * @label: name of what it belongs to
 * @in_frames: frames have channels for it
 * @values: its values
 * @scales: their scales
 * @offsets: their offsets
 * @num_values: their number
 */
struct frame_member {
	struct list_head node;
	struct dxl_device *ddev;
	const struct dxl_frame_ops *ops;
	u8 id;
	enum dxl_protocol protocol;
	const char *label;
	bool in_frames;
	struct dxl_value *values;
	struct frame_unit *scales;
	struct frame_unit *offsets;
	unsigned int num_values;
};

/* Channels of a member beside those of its values: age and alarm. */
#define FRAME_STATUS_CHANNELS	2

/* An age that does not grow any more. */
#define FRAME_AGE_MAX		U8_MAX

/**
 * struct frame_part - the part of a frame that is a member's
 * @member: the member
 * @index: how many members are before it
 * @channel: first of its channels: those of its values, then age and alarm
 * @age_at: where its age is in a sample; negative if it is not enabled
 * @alarm_at: the same of its alarm
 * @age: how many frames ago it has answered
 * @alarm: error byte of its last answer
 * @asked: it is asked in this frame
 * @missing: not all that it was asked for has come
 */
struct frame_part {
	const struct frame_member *member;
	unsigned int index;
	unsigned int channel;
	int age_at;
	int alarm_at;
	u8 age;
	u8 alarm;
	bool asked;
	bool missing;
};

/**
 * struct frame_slot - an enabled value
 * @value: the value
 * @at: where it is in a sample
 */
struct frame_slot {
	const struct dxl_value *value;
	unsigned int at;
};

/**
 * struct frame_range - registers that are read at a time
 * @part: whose they are
 * @addr: the first
 * @len: their number
 * @slow: none of them has to be read in every frame
 * @raw: what they hold
 * @slots: the values in them
 * @num_slots: their number
 */
struct frame_range {
	struct frame_part *part;
	u16 addr;
	u16 len;
	bool slow;
	u8 *raw;
	struct frame_slot *slots;
	unsigned int num_slots;
};

/**
 * struct frame_plan - what is read for the enabled channels
 * @parts: the members' parts
 * @num_parts: their number
 * @max_values: number of all values, which is the most ranges and slots
 * @ranges: what is read
 * @num_ranges: number of ranges
 * @slots: the values in them
 * @num_slots: number of slots
 * @raw: memory of the ranges
 * @divider: slow ranges are read in one of so many frames
 */
struct frame_plan {
	struct frame_part *parts;
	unsigned int num_parts;
	unsigned int max_values;
	struct frame_range *ranges;
	unsigned int num_ranges;
	struct frame_slot *slots;
	unsigned int num_slots;
	u8 *raw;
	unsigned int divider;
};

/**
 * struct frame_device - private data of the IIO device
 * @bus: the bus
 * @plan: what is read
 * @frame: number of the present frame, for its slow values
 * @asked: what is read in it
 * @due: the trigger wants a frame
 * @timestamp: when the reading of the present frame began
 * @sample: the sample being made
 * @frames: samples that have gone into the buffer since it was enabled
 * @dropped: those for which there was no room
 */
struct frame_device {
	struct dxl_bus *bus;
	struct frame_plan plan;
	unsigned int frame;
	struct frame_range **asked;
	atomic_t due;
	s64 timestamp;
	u8 *sample;
	atomic_t frames;
	atomic_t dropped;
};

/* members.c */
int dxl_frame_alloc(struct dxl_bus *bus);
void dxl_frame_free(struct dxl_bus *bus);
void dxl_frame_exit(struct dxl_bus *bus);
bool dxl_frame_is_read(struct dxl_frame *frame);
void dxl_frame_unread(struct dxl_bus *bus);
unsigned int dxl_frame_max_items(struct dxl_bus *bus);
unsigned int dxl_frame_plan(struct dxl_bus *bus, struct dxl_item *items);
unsigned int dxl_frame_fill(struct dxl_bus *bus, struct dxl_item *items);
void dxl_frame_done(struct dxl_bus *bus, const struct dxl_item *items,
		    unsigned int count);
extern struct device_attribute dev_attr_slow_divider;

/* member.c */
struct frame_member *frame_member_create(struct dxl_device *ddev,
					 const struct dxl_frame_ops *ops,
					 const struct dxl_value *values,
					 unsigned int num_values);
void frame_member_destroy(struct frame_member *member);
bool frame_member_is_like(const struct frame_member *member,
			  const struct frame_member *other);

/* frame_plan.c */
int frame_plan_init(struct frame_plan *plan, const struct list_head *members);
void frame_plan_free(struct frame_plan *plan);
void frame_plan_make(struct frame_plan *plan, const unsigned long *mask,
		     unsigned int divider);
unsigned int frame_plan_longest(const struct frame_plan *plan,
				struct dxl_item *items);
bool frame_range_is_due(const struct frame_plan *plan,
			const struct frame_range *range, unsigned int frame);
void frame_range_item(const struct frame_range *range, struct dxl_device *ddev,
		      struct dxl_item *item);

/* frame_sample.c */
bool frame_begin(struct iio_dev *indio_dev, struct dxl_item *items,
		 unsigned int *count);
void frame_end(struct iio_dev *indio_dev, const struct dxl_item *items,
	       unsigned int count);
int frame_read_slow(struct frame_device *fd);
void frame_forget(struct frame_device *fd);

/* frame_device.c */
struct iio_dev *frame_device_create(struct dxl_bus *bus,
				    const struct list_head *members);
void frame_device_destroy(struct iio_dev *indio_dev);

#endif /* _DXL_FRAME_H */
