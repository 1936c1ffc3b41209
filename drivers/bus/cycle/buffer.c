// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer of a device's own IIO device: its input channels, read in one request
 *
 * For a whole robot there are the frames of its bus. This is for one device, by any
 * trigger. The beat of the bus is told at once that it may go on, as it must not wait
 * for a request. Other triggers are told when the sample is there, from the thread,
 * which is all of this that runs where they poll from one themselves.
 */
#include <linux/align.h>
#include <linux/device.h>
#include <linux/export.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <linux/dxl/cycle.h>

/* From the first input register of a model to its last one. */
#define SPAN_MAX	64

/* More than all inputs, what aligns them, and the timestamp. */
#define SAMPLE_MAX	128

/**
 * struct span - the registers of the enabled channels, and what is between them
 * @addr: the first
 * @end: behind the last
 * @raw: what they hold
 */
struct span {
	unsigned int addr;
	unsigned int end;
	u8 raw[SPAN_MAX];
};

static struct dxl_device *ddev_of(struct iio_dev *indio_dev)
{
	return to_dxl_device(indio_dev->dev.parent);
}

static const struct dxl_buffer_ops *ops_of(struct iio_dev *indio_dev)
{
	return iio_device_get_drvdata(indio_dev);
}

static unsigned int size_of(const struct iio_chan_spec *chan)
{
	return chan->scan_type.storagebits / BITS_PER_BYTE;
}

static int read_span(struct iio_dev *indio_dev, struct span *span)
{
	struct dxl_device *ddev = ddev_of(indio_dev);
	const struct dxl_buffer_ops *ops = ops_of(indio_dev);
	const struct iio_chan_spec *chan;
	unsigned int i, addr;
	int ret;

	ret = ops->ready(ddev);
	if (ret)
		return ret;

	span->addr = UINT_MAX;
	span->end = 0;
	iio_for_each_active_channel(indio_dev, i) {
		chan = &indio_dev->channels[i];
		addr = ops->addr(ddev, chan);
		span->addr = min(span->addr, addr);
		span->end = max(span->end, addr + size_of(chan));
	}
	if (WARN_ON_ONCE(span->end - span->addr > SPAN_MAX))
		return -EINVAL;

	return dxl_read(ddev, span->addr, span->raw, span->end - span->addr);
}

static void fill_sample(struct iio_dev *indio_dev, const struct span *span,
			u8 *sample)
{
	struct dxl_device *ddev = ddev_of(indio_dev);
	const struct dxl_buffer_ops *ops = ops_of(indio_dev);
	const struct iio_chan_spec *chan;
	unsigned int i, size, at = 0;
	u8 raw[sizeof(u32)];

	iio_for_each_active_channel(indio_dev, i) {
		chan = &indio_dev->channels[i];
		size = size_of(chan);
		memset(raw, 0, sizeof(raw));
		memcpy(raw, span->raw + ops->addr(ddev, chan) - span->addr,
		       size);
		at = ALIGN(at, size);
		dxl_put_value(sample + at, size, ops->decode(ddev, chan, raw));
		at += size;
	}
}

static bool is_beat(struct iio_dev *indio_dev)
{
	return indio_dev->trig == dxl_bus_cycle(ddev_of(indio_dev)->bus);
}

static irqreturn_t sample_trigger(int irq, void *p)
{
	struct iio_poll_func *pf = p;

	pf->timestamp = iio_get_time_ns(pf->indio_dev);
	if (is_beat(pf->indio_dev))
		iio_trigger_notify_done(pf->indio_dev->trig);

	return IRQ_WAKE_THREAD;
}

/* A device that does not answer gives no sample. */
static irqreturn_t sample_thread(int irq, void *p)
{
	struct iio_poll_func *pf = p;
	struct iio_dev *indio_dev = pf->indio_dev;
	u8 sample[SAMPLE_MAX] __aligned(8) = {};
	s64 timestamp = pf->timestamp ?: iio_get_time_ns(indio_dev);
	struct span span;

	if (!read_span(indio_dev, &span)) {
		fill_sample(indio_dev, &span, sample);
		iio_push_to_buffers_with_timestamp(indio_dev, sample,
						   timestamp);
	}
	if (is_beat(indio_dev))
		return IRQ_HANDLED;

	/* One that polls from a thread leaves that of the poll before. */
	pf->timestamp = 0;
	iio_trigger_notify_done(indio_dev->trig);

	return IRQ_HANDLED;
}

/* A trigger that polls from a thread must not find the time of the last beat. */
static int sample_preenable(struct iio_dev *indio_dev)
{
	indio_dev->pollfunc->timestamp = 0;

	return 0;
}

static const struct iio_buffer_setup_ops sample_buffer_ops = {
	.preenable = sample_preenable,
};

/**
 * devm_dxl_buffer_setup() - give the IIO device of a device on a bus its buffer
 * @indio_dev: the IIO device, a child of the device, with its channels; not yet
 *	registered
 * @ops: what the buffer asks the driver
 *
 * The inputs come first among the channels, each as long in a sample as its
 * register. The trigger is the beat of the bus, unless another is chosen. What was
 * set by iio_device_set_drvdata() is replaced.
 *
 * Return: 0 or a negative errno
 */
int devm_dxl_buffer_setup(struct iio_dev *indio_dev,
			  const struct dxl_buffer_ops *ops)
{
	struct dxl_device *ddev = ddev_of(indio_dev);

	iio_device_set_drvdata(indio_dev, (void *)ops);
	indio_dev->trig = iio_trigger_get(dxl_bus_cycle(ddev->bus));

	return devm_iio_triggered_buffer_setup(&ddev->dev, indio_dev,
					       sample_trigger, sample_thread,
					       &sample_buffer_ops);
}
EXPORT_SYMBOL_NS_GPL(devm_dxl_buffer_setup, "DXL");
