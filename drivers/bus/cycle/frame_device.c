// SPDX-License-Identifier: GPL-2.0
/*
 * The frame of a bus: an IIO device with every value of all its devices
 *
 * Its trigger, whichever it is, only notes that a frame is due and kicks the
 * exchange, see exchange.c, which asks here what to read and brings what has been
 * read. Nothing of that sleeps; the sample goes into the buffer from there. A
 * device that has not answered keeps the values that it had, and the age beside
 * them tells.
 *
 * libiio knows a channel by its type and number alone, so the kind of what is a
 * mere count is in its number.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/sysfs.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "../base/base.h"
#include "frame.h"

/* What is added to the ID of a device in the number of a channel. */
#define NUMBER_AGE	256
#define NUMBER_ALARM	512

/* --- buffer --- */

/* In hard interrupt context or, of a trigger that polls from a thread, in that. */
static irqreturn_t frame_due(int irq, void *p)
{
	struct iio_poll_func *pf = p;
	struct iio_dev *indio_dev = pf->indio_dev;
	struct frame_device *fd = iio_priv(indio_dev);

	atomic_set(&fd->due, 1);
	dxl_cycle_kick(fd->bus);
	iio_trigger_notify_done(indio_dev->trig);

	return IRQ_HANDLED;
}

static irqreturn_t frame_trigger_handler(int irq, void *p)
{
	struct iio_poll_func *pf = p;

	if (dxl_trigger_needs_thread(pf->indio_dev->trig))
		return IRQ_WAKE_THREAD;

	return frame_due(irq, p);
}

static int frame_postdisable(struct iio_dev *indio_dev)
{
	struct frame_device *fd = iio_priv(indio_dev);
	struct dxl_frame *frame = fd->bus->frame;

	spin_lock_bh(&frame->lock);
	frame->streaming = NULL;
	spin_unlock_bh(&frame->lock);
	dxl_cycle_flush(fd->bus);
	atomic_set(&fd->due, 0);
	/* There is more time for the others now. */
	dxl_cycle_update(fd->bus);
	dxl_frame_unread(fd->bus);

	return 0;
}

/* Of those that do not go meanwhile. */
static int read_slow(struct frame_device *fd)
{
	guard(rwsem_read)(&fd->bus->frame->users);

	return frame_read_slow(fd);
}

/* Nothing is due yet, so no exchange uses what is made here. */
static int frame_preenable(struct iio_dev *indio_dev)
{
	struct frame_device *fd = iio_priv(indio_dev);
	struct dxl_frame *frame = fd->bus->frame;
	int ret;

	spin_lock_bh(&frame->lock);
	frame_plan_make(&fd->plan, indio_dev->active_scan_mask,
			frame->slow_divider);
	frame->streaming = indio_dev;
	spin_unlock_bh(&frame->lock);

	memset(fd->sample, 0, indio_dev->scan_bytes);
	/* It is about to go, and would take the frames with it. */
	ret = READ_ONCE(frame->stale) ? -EBUSY : dxl_cycle_check(fd->bus, indio_dev->trig);
	if (!ret)
		ret = read_slow(fd);
	frame_forget(fd);
	if (ret)
		frame_postdisable(indio_dev);

	return ret;
}

static const struct iio_buffer_setup_ops frame_buffer_ops = {
	.preenable = frame_preenable,
	.postdisable = frame_postdisable,
};

/* --- channels --- */

static const struct frame_part *part_of(struct iio_dev *indio_dev,
					const struct iio_chan_spec *chan)
{
	struct frame_device *fd = iio_priv(indio_dev);
	const struct frame_part *part = fd->plan.parts;

	while (chan->scan_index >= part->channel + part->member->num_values +
				   FRAME_STATUS_CHANNELS)
		part++;

	return part;
}

static int read_unit(const struct frame_unit *unit, int *val, int *val2)
{
	*val = unit->val;
	*val2 = unit->val2;

	return unit->type;
}

static int frame_read_raw(struct iio_dev *indio_dev,
			  const struct iio_chan_spec *chan, int *val, int *val2,
			  long mask)
{
	const struct frame_part *part = part_of(indio_dev, chan);
	const struct frame_member *member = part->member;
	struct frame_device *fd = iio_priv(indio_dev);
	unsigned int i = chan->scan_index - part->channel;

	guard(rwsem_read)(&fd->bus->frame->users);

	if (member->ddev)
		return member->ops->read_raw(member->ddev, &member->values[i], val,
					     val2, mask);

	switch (mask) {
	case IIO_CHAN_INFO_SCALE:
		return read_unit(&member->scales[i], val, val2);
	case IIO_CHAN_INFO_OFFSET:
		return read_unit(&member->offsets[i], val, val2);
	default:
		return -ENODEV;
	}
}

/* What a channel of the type that is a mere count counts. */
static const char *kind_of(const struct frame_part *part,
			   const struct iio_chan_spec *chan)
{
	const struct frame_member *member = part->member;
	unsigned int i = chan->scan_index - part->channel;

	if (i < member->num_values)
		return member->values[i].spec.extend_name;

	return chan->channel < NUMBER_ALARM ? "age" : "alarm";
}

/* IIO does not allow for extended names beside labels. */
static int frame_read_label(struct iio_dev *indio_dev,
			    const struct iio_chan_spec *chan, char *buf)
{
	const struct frame_part *part = part_of(indio_dev, chan);
	const char *kind = kind_of(part, chan);

	return sysfs_emit(buf, kind ? "%s %s\n" : "%s\n", part->member->label, kind);
}

static struct frame_device *fd_of(struct device *dev)
{
	return iio_priv(dev_to_iio_dev(dev));
}

static ssize_t frames_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%u\n", atomic_read(&fd_of(dev)->frames));
}
static IIO_DEVICE_ATTR_RO(frames, 0);

static ssize_t dropped_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%u\n", atomic_read(&fd_of(dev)->dropped));
}
static IIO_DEVICE_ATTR_RO(dropped, 0);

static ssize_t stale_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(fd_of(dev)->bus->frame->stale));
}
static IIO_DEVICE_ATTR_RO(stale, 0);

static struct attribute *frame_attrs[] = {
	&iio_dev_attr_dropped.dev_attr.attr,
	&iio_dev_attr_frames.dev_attr.attr,
	&iio_dev_attr_stale.dev_attr.attr,
	NULL
};

static const struct attribute_group frame_group = {
	.attrs = frame_attrs,
};

static const struct iio_info frame_info = {
	.attrs = &frame_group,
	.read_raw = frame_read_raw,
	.read_label = frame_read_label,
};

static struct iio_chan_spec status_channel(const struct frame_member *member,
					   unsigned int number, int scan_index)
{
	return (struct iio_chan_spec){
		.type = IIO_COUNT,
		.indexed = 1,
		.channel = number + member->id,
		.scan_index = scan_index,
		.scan_type = {
			.sign = 'u',
			.realbits = 8,
			.storagebits = 8,
		},
	};
}

static void add_channels(struct iio_chan_spec *channels,
			 const struct frame_part *part)
{
	const struct frame_member *member = part->member;
	struct iio_chan_spec *chan = &channels[part->channel];
	unsigned int i;

	for (i = 0; i < member->num_values; i++, chan++) {
		*chan = member->values[i].spec;
		chan->indexed = 1;
		chan->channel = chan->channel * DXL_VALUE_NUMBER +
				member->id;
		chan->scan_index = chan - channels;
		chan->extend_name = NULL;
	}

	*chan = status_channel(member, NUMBER_AGE, chan - channels);
	chan++;
	*chan = status_channel(member, NUMBER_ALARM, chan - channels);
}

static int set_channels(struct iio_dev *indio_dev)
{
	struct frame_device *fd = iio_priv(indio_dev);
	const struct frame_plan *plan = &fd->plan;
	struct iio_chan_spec *channels;
	unsigned int i, count;

	count = plan->max_values + FRAME_STATUS_CHANNELS * plan->num_parts;
	channels = kcalloc(count + 1, sizeof(*channels), GFP_KERNEL);
	/* No channel with what aligns it is longer than the timestamp. */
	fd->sample = kcalloc(count + 1, sizeof(s64), GFP_KERNEL);
	indio_dev->channels = channels;
	if (!channels || !fd->sample)
		return -ENOMEM;

	for (i = 0; i < plan->num_parts; i++)
		add_channels(channels, &plan->parts[i]);
	channels[count] = (struct iio_chan_spec)IIO_CHAN_SOFT_TIMESTAMP(count);
	indio_dev->num_channels = count + 1;

	return 0;
}

/* --- life --- */

static void frame_device_free(struct iio_dev *indio_dev)
{
	struct frame_device *fd = iio_priv(indio_dev);

	kfree(indio_dev->name);
	kfree(indio_dev->channels);
	kfree(fd->sample);
	kfree(fd->asked);
	frame_plan_free(&fd->plan);
	iio_device_free(indio_dev);
}

static int frame_device_init(struct iio_dev *indio_dev, struct dxl_bus *bus,
			     const struct list_head *members)
{
	struct frame_device *fd = iio_priv(indio_dev);
	int ret;

	fd->bus = bus;
	ret = frame_plan_init(&fd->plan, members);
	if (ret)
		return ret;

	indio_dev->name = kasprintf(GFP_KERNEL, "%s-state",
				    dev_name(&bus->dev));
	fd->asked = kcalloc(fd->plan.max_values, sizeof(*fd->asked),
			    GFP_KERNEL);
	if (!indio_dev->name || !fd->asked)
		return -ENOMEM;

	indio_dev->info = &frame_info;
	indio_dev->modes = INDIO_DIRECT_MODE;

	return set_channels(indio_dev);
}

/**
 * frame_device_create() - create and register the frame device of a bus
 * @bus: the bus
 * @members: who takes part, &struct frame_member by rising ID; they must outlive
 *	it
 *
 * Return: the IIO device or an ERR_PTR
 */
struct iio_dev *frame_device_create(struct dxl_bus *bus,
				    const struct list_head *members)
{
	struct iio_dev *indio_dev;
	int ret;

	indio_dev = iio_device_alloc(&bus->dev, sizeof(struct frame_device));
	if (!indio_dev)
		return ERR_PTR(-ENOMEM);

	ret = frame_device_init(indio_dev, bus, members);
	if (ret)
		goto err_free;

	ret = iio_triggered_buffer_setup(indio_dev, frame_trigger_handler,
					 frame_due, &frame_buffer_ops);
	if (ret)
		goto err_free;

	/* A beat is served in hard interrupt context, whatever has threads. */
	indio_dev->pollfunc->type = IRQF_NO_THREAD;
	indio_dev->trig = iio_trigger_get(dxl_bus_cycle(bus));
	ret = iio_device_register(indio_dev);
	if (ret)
		goto err_buffer;

	return indio_dev;

err_buffer:
	iio_triggered_buffer_cleanup(indio_dev);
err_free:
	frame_device_free(indio_dev);

	return ERR_PTR(ret);
}

/**
 * frame_device_destroy() - take back frame_device_create()
 * @indio_dev: the frame device
 */
void frame_device_destroy(struct iio_dev *indio_dev)
{
	iio_device_unregister(indio_dev);
	iio_triggered_buffer_cleanup(indio_dev);
	frame_device_free(indio_dev);
}
