// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer of a servo's own IIO device: its input channels, read in one request
 *
 * For a whole robot there are the frames of its bus. This is for one servo, by any
 * trigger. The trigger is told at once that it may go on: where it is the beat of
 * the bus it must not wait for a request.
 */
#include <linux/align.h>
#include <linux/device.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <linux/dxl/cycle.h>

#include "servo.h"

/* From the first input register of a model to its last one. */
#define SPAN_MAX	40

/* More than all inputs, what aligns them, and the timestamp. */
#define SAMPLE_MAX	64

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

static const struct dxl_servo_field *field_of(struct iio_dev *indio_dev,
					      unsigned int channel)
{
	const struct dxl_servo *servo = iio_priv(indio_dev);

	return dxl_servo_field(servo, indio_dev->channels[channel].address);
}

static int read_span(struct iio_dev *indio_dev, struct span *span)
{
	struct dxl_servo *servo = iio_priv(indio_dev);
	const struct dxl_servo_field *field;
	unsigned int i;
	int ret;

	ret = dxl_servo_ready(servo);
	if (ret)
		return ret;

	span->addr = UINT_MAX;
	span->end = 0;
	iio_for_each_active_channel(indio_dev, i) {
		field = field_of(indio_dev, i);
		span->addr = min_t(unsigned int, span->addr, field->addr);
		span->end = max_t(unsigned int, span->end,
				  field->addr + field->size);
	}
	if (WARN_ON_ONCE(span->end - span->addr > SPAN_MAX))
		return -EINVAL;

	return dxl_read(servo->ddev, span->addr, span->raw,
			span->end - span->addr);
}

static void fill_sample(struct iio_dev *indio_dev, const struct span *span,
			u8 *sample)
{
	const struct dxl_servo_field *field;
	u8 raw[SERVO_FIELD_MAX];
	unsigned int i, at = 0;

	iio_for_each_active_channel(indio_dev, i) {
		field = field_of(indio_dev, i);
		memset(raw, 0, sizeof(raw));
		memcpy(raw, span->raw + field->addr - span->addr, field->size);
		at = ALIGN(at, field->size);
		dxl_put_value(sample + at, field->size,
			      dxl_servo_decode(field, raw));
		at += field->size;
	}
}

static irqreturn_t sample_trigger(int irq, void *p)
{
	struct iio_poll_func *pf = p;

	pf->timestamp = iio_get_time_ns(pf->indio_dev);
	iio_trigger_notify_done(pf->indio_dev->trig);

	return IRQ_WAKE_THREAD;
}

/* A servo that does not answer gives no sample. */
static irqreturn_t sample_thread(int irq, void *p)
{
	struct iio_poll_func *pf = p;
	struct iio_dev *indio_dev = pf->indio_dev;
	u8 sample[SAMPLE_MAX] __aligned(8) = {};
	s64 timestamp = pf->timestamp;
	struct span span;

	if (!read_span(indio_dev, &span)) {
		fill_sample(indio_dev, &span, sample);
		iio_push_to_buffers_with_timestamp(indio_dev, sample,
						   timestamp);
	}

	return IRQ_HANDLED;
}

/**
 * dxl_servo_buffer() - give an IIO device the buffer of its servo
 * @indio_dev: the IIO device, with its channels; not yet registered
 *
 * Return: 0 or a negative errno
 */
int dxl_servo_buffer(struct iio_dev *indio_dev)
{
	struct dxl_servo *servo = iio_priv(indio_dev);

	indio_dev->trig = iio_trigger_get(dxl_bus_cycle(servo->ddev->bus));

	return devm_iio_triggered_buffer_setup(indio_dev->dev.parent, indio_dev,
					       sample_trigger, sample_thread,
					       NULL);
}
