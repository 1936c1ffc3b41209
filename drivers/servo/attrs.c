// SPDX-License-Identifier: GPL-2.0
/*
 * What of a servo is no IIO channel: its operating mode and its errors
 */
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/iio/iio.h>
#include <linux/iio/sysfs.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "servo.h"

static struct dxl_servo *servo_of(struct device *dev)
{
	return iio_priv(dev_to_iio_dev(dev));
}

/* --- operating mode --- */

static ssize_t operating_mode_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	const struct dxl_servo_mode *mode;
	int ret;

	ret = dxl_servo_get_mode(servo_of(dev), &mode);
	if (ret)
		return ret;

	return sysfs_emit(buf, "%s\n", mode->name);
}

static ssize_t operating_mode_store(struct device *dev,
				    struct device_attribute *attr,
				    const char *buf, size_t len)
{
	struct dxl_servo *servo = servo_of(dev);
	const struct dxl_servo_mode *mode;
	int ret;

	for (mode = servo->model->series->modes; mode->name; mode++)
		if (sysfs_streq(buf, mode->name))
			break;
	if (!mode->name)
		return -EINVAL;

	ret = dxl_servo_set_mode(servo, mode);

	return ret ?: len;
}

static ssize_t operating_mode_available_show(struct device *dev,
					     struct device_attribute *attr,
					     char *buf)
{
	const struct dxl_servo_mode *mode;
	int at = 0;

	for (mode = servo_of(dev)->model->series->modes; mode->name; mode++)
		at += sysfs_emit_at(buf, at, "%s%s", at ? " " : "", mode->name);

	return at + sysfs_emit_at(buf, at, "\n");
}

static IIO_DEVICE_ATTR_RW(operating_mode, 0);
static IIO_DEVICE_ATTR_RO(operating_mode_available, 0);

/* --- errors --- */

/*
 * Protocol 1.0 has no register for them: every answer tells. That to a PING could
 * be taken for its echo; that to a read of three bytes is never like its request.
 */
static int ask_errors(struct dxl_device *ddev, int *errors)
{
	u8 params[DXL_RANGE_MAX], buf[3];
	struct dxl_reply reply = {
		.ddev = ddev,
		.id = ddev->id,
		.buf = buf,
		.len = sizeof(buf),
		.return_delay_us = READ_ONCE(ddev->return_delay_us),
	};
	struct dxl_transfer xfer = {
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = DXL_READ,
			.len = dxl_put_range(ddev->protocol, params, 0,
					     sizeof(buf)),
			.params = params,
		},
		.replies = &reply,
		.num_replies = 1,
		.repeatable = true,
	};
	int ret;

	ret = dxl_transfer_sync(ddev->bus, &xfer);
	*errors = reply.error;

	return ret;
}

static int read_errors(struct dxl_servo *servo, int *errors)
{
	int ret;

	if (dxl_servo_field(servo, SERVO_ERRORS)->size)
		return dxl_servo_read(servo, SERVO_ERRORS, errors);

	ret = dxl_servo_ready(servo);
	if (ret)
		return ret;

	return ask_errors(servo->ddev, errors);
}

static ssize_t hardware_error_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	struct dxl_servo *servo = servo_of(dev);
	const char *const *names = dxl_servo_layout(servo)->errors;
	int errors, bit, ret, at = 0;

	ret = read_errors(servo, &errors);
	if (ret)
		return ret;

	for (bit = 0; bit < SERVO_ERROR_BITS; bit++)
		if (errors & BIT(bit) && names[bit])
			at += sysfs_emit_at(buf, at, "%s%s", at ? " " : "",
					    names[bit]);

	return at + sysfs_emit_at(buf, at, "\n");
}
static IIO_DEVICE_ATTR_RO(hardware_error, 0);

static struct attribute *attrs[] = {
	&iio_dev_attr_operating_mode.dev_attr.attr,
	&iio_dev_attr_operating_mode_available.dev_attr.attr,
	&iio_dev_attr_hardware_error.dev_attr.attr,
	NULL
};

const struct attribute_group dxl_servo_attrs = {
	.attrs = attrs,
};
