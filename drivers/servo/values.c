// SPDX-License-Identifier: GPL-2.0
/*
 * The values of a servo that buffers carry: its own, and the frames of its bus
 *
 * They are its input channels, raw as the servo counts. Frames have its load, too,
 * for which IIO has no type: it is a count there, with a scale to percent.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/iio/iio.h>

#include <linux/dxl/cycle.h>

#include "servo.h"

static const struct dxl_value all_values[] = {
	{
		.spec = {
			.type = IIO_ANGL,
			.address = SERVO_POSITION,
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
					      BIT(IIO_CHAN_INFO_SCALE) |
					      BIT(IIO_CHAN_INFO_OFFSET),
		},
	},
	{
		.spec = {
			.type = IIO_ANGL,
			.channel = 1,
			.address = SERVO_MOTOR_POSITION,
			.extend_name = "motor",
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
					      BIT(IIO_CHAN_INFO_SCALE),
		},
	},
	{
		.spec = {
			.type = IIO_ANGL_VEL,
			.address = SERVO_SPEED,
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
					      BIT(IIO_CHAN_INFO_SCALE),
		},
	},
	{
		.spec = {
			.type = IIO_COUNT,
			.address = SERVO_LOAD,
			.extend_name = "load",
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
					      BIT(IIO_CHAN_INFO_SCALE),
		},
	},
	{
		.spec = {
			.type = IIO_CURRENT,
			.address = SERVO_CURRENT,
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
					      BIT(IIO_CHAN_INFO_SCALE) |
					      BIT(IIO_CHAN_INFO_OFFSET),
		},
	},
	{
		.spec = {
			.type = IIO_VOLTAGE,
			.address = SERVO_VOLTAGE,
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
					      BIT(IIO_CHAN_INFO_SCALE),
		},
		.slow = true,
	},
	{
		.spec = {
			.type = IIO_TEMP,
			.address = SERVO_TEMPERATURE,
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
					      BIT(IIO_CHAN_INFO_SCALE),
		},
		.slow = true,
	},
	{
		.spec = {
			.type = IIO_COUNT,
			.channel = 1,
			.address = SERVO_ERROR_CODE,
			.extend_name = "error",
			.info_mask_separate = BIT(IIO_CHAN_INFO_RAW),
		},
	},
};

static s32 channel_decode(struct dxl_device *ddev,
			  const struct iio_chan_spec *chan, const u8 *raw)
{
	const struct dxl_servo *servo = dxl_get_drvdata(ddev);

	return dxl_servo_decode(dxl_servo_field(servo, chan->address), raw);
}

/* --- its own buffer --- */

static int channel_ready(struct dxl_device *ddev)
{
	return dxl_servo_ready(dxl_get_drvdata(ddev));
}

static u16 channel_addr(struct dxl_device *ddev,
			const struct iio_chan_spec *chan)
{
	const struct dxl_servo *servo = dxl_get_drvdata(ddev);

	return dxl_servo_field(servo, chan->address)->addr;
}

const struct dxl_buffer_ops dxl_servo_buffer_ops = {
	.ready = channel_ready,
	.addr = channel_addr,
	.decode = channel_decode,
};

/* --- the frames of its bus --- */

static s32 value_decode(struct dxl_device *ddev, const struct dxl_value *value,
			const u8 *raw)
{
	return channel_decode(ddev, &value->spec, raw);
}

static int value_read_raw(struct dxl_device *ddev,
			  const struct dxl_value *value, int *val, int *val2,
			  long mask)
{
	return dxl_servo_read_raw(dxl_get_drvdata(ddev), &value->spec, val,
				  val2, mask);
}

static const char *servo_label(struct dxl_device *ddev)
{
	const struct dxl_servo *servo = dxl_get_drvdata(ddev);

	return servo->label;
}

static bool servo_usable(struct dxl_device *ddev)
{
	const struct dxl_servo *servo = dxl_get_drvdata(ddev);

	return !READ_ONCE(servo->wrong_model);
}

static const struct dxl_frame_ops frame_ops = {
	.decode = value_decode,
	.read_raw = value_read_raw,
	.label = servo_label,
	.usable = servo_usable,
};

static void take_value(struct dxl_value *to, const struct dxl_value *from,
		       const struct dxl_servo_field *field)
{
	*to = *from;
	to->addr = field->addr;
	to->size = field->size;
	dxl_servo_set_scan_type(&to->spec, field);
}

/**
 * dxl_servo_join_frames() - have the frames of its bus carry the values of a servo
 * @servo: the servo, until it is taken from its driver
 *
 * Return: 0 or a negative errno
 */
int dxl_servo_join_frames(struct dxl_servo *servo)
{
	struct dxl_device *ddev = servo->ddev;
	const struct dxl_servo_field *field;
	struct dxl_value *values;
	unsigned int count = 0;
	size_t i;

	values = devm_kcalloc(&ddev->dev, ARRAY_SIZE(all_values),
			      sizeof(*values), GFP_KERNEL);
	if (!values)
		return -ENOMEM;

	for (i = 0; i < ARRAY_SIZE(all_values); i++) {
		field = dxl_servo_field(servo, all_values[i].spec.address);
		if (field->size)
			take_value(&values[count++], &all_values[i], field);
	}

	return devm_dxl_frame_join(ddev, &frame_ops, values, count);
}
