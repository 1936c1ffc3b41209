// SPDX-License-Identifier: GPL-2.0
/*
 * What of a servo is no IIO channel: its operating mode, what is known of its torque, its
 * errors, its board and what its control goes by
 */
#include <linux/bitops.h>
#include <linux/container_of.h>
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

/* --- torque --- */

static ssize_t torque_state_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", dxl_torque_word(servo_of(dev)));
}
static IIO_DEVICE_ATTR_RO(torque_state, 0);

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
		.priority = DXL_PRIO_ATTRIBUTE,
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

	if (dxl_servo_layout(servo)->kinds)
		return dxl_servo_read(servo, SERVO_ERROR_CODE, errors);
	if (dxl_servo_field(servo, SERVO_ERRORS)->size)
		return dxl_servo_read(servo, SERVO_ERRORS, errors);

	ret = dxl_servo_ready(servo);
	if (ret)
		return ret;

	return ask_errors(servo->ddev, errors);
}

/* The words for the bits that are set, and a space between any two. */
static int emit_bits(char *buf, int at, unsigned long bits,
		     const char *const *names, unsigned int count)
{
	unsigned int bit;

	for_each_set_bit(bit, &bits, count)
		if (names[bit])
			at += sysfs_emit_at(buf, at, "%s%s", at ? " " : "",
					    names[bit]);

	return at;
}

/* One that is in no documentation is told as it is. */
static int emit_code(char *buf, u8 code, const struct dxl_servo_error *kinds)
{
	const struct dxl_servo_error *kind = &kinds[code >> SERVO_ERROR_CAUSES];
	int at = 0;

	if (kind->name)
		at = sysfs_emit(buf, "%s", kind->name);
	else if (code)
		at = sysfs_emit(buf, "0x%02x", code);

	return emit_bits(buf, at, code, kind->causes, SERVO_ERROR_CAUSES);
}

static ssize_t hardware_error_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	struct dxl_servo *servo = servo_of(dev);
	const struct dxl_servo_layout *layout = dxl_servo_layout(servo);
	int errors, ret, at;

	ret = read_errors(servo, &errors);
	if (ret)
		return ret;

	if (layout->kinds)
		at = emit_code(buf, errors, layout->kinds);
	else
		at = emit_bits(buf, 0, errors, layout->errors,
			       SERVO_ERROR_BITS);

	return at + sysfs_emit_at(buf, at, "\n");
}
static IIO_DEVICE_ATTR_RO(hardware_error, 0);

/* --- numbers of what is wrong, of the board that it is on, and of its control --- */

static int read_number(struct device *dev, struct device_attribute *attr,
		       int *value)
{
	return dxl_servo_read(servo_of(dev), to_iio_dev_attr(attr)->address,
			      value);
}

static ssize_t number_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	int value, ret;

	ret = read_number(dev, attr, &value);
	if (ret)
		return ret;

	return sysfs_emit(buf, "%d\n", value);
}

static ssize_t hundredths_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	int value, ret;

	ret = read_number(dev, attr, &value);
	if (ret)
		return ret;

	return sysfs_emit(buf, "%d.%02d\n", value / 100, value % 100);
}

static IIO_DEVICE_ATTR(error, 0444, number_show, NULL, SERVO_ERROR_CODE);
static IIO_DEVICE_ATTR(struct_version, 0444, number_show, NULL, SERVO_STRUCT_VERSION);
static IIO_DEVICE_ATTR(board_id, 0444, number_show, NULL, SERVO_BOARD_ID);
static IIO_DEVICE_ATTR(board_id2, 0444, number_show, NULL, SERVO_BOARD_ID_2);
static IIO_DEVICE_ATTR(boot_loader_version, 0444, number_show, NULL, SERVO_BOOT_LOADER);
static IIO_DEVICE_ATTR(prog_version, 0444, number_show, NULL, SERVO_PROGRAM);
static IIO_DEVICE_ATTR(bid, 0444, number_show, NULL, SERVO_BID);
static IIO_DEVICE_ATTR(motor_number, 0444, number_show, NULL, SERVO_MOTOR_NUMBER);
static IIO_DEVICE_ATTR(sensor_type, 0444, number_show, NULL, SERVO_SENSOR_TYPE);
static IIO_DEVICE_ATTR(position_chain_mre_joint, 0444, number_show, NULL, SERVO_CHAIN_JOINT);
static IIO_DEVICE_ATTR(position_chain_mre_motor, 0444, number_show, NULL, SERVO_CHAIN_MOTOR);
static IIO_DEVICE_ATTR(invert_control_direction, 0444, number_show, NULL, SERVO_INVERTED);
static IIO_DEVICE_ATTR(kp, 0444, number_show, NULL, SERVO_KP);
static IIO_DEVICE_ATTR(ki, 0444, number_show, NULL, SERVO_KI);
static IIO_DEVICE_ATTR(kd, 0444, number_show, NULL, SERVO_KD);
static IIO_DEVICE_ATTR(gear_ratio, 0444, hundredths_show, NULL, SERVO_GEAR_RATIO);

static struct attribute *attrs[] = {
	&iio_dev_attr_operating_mode.dev_attr.attr,
	&iio_dev_attr_operating_mode_available.dev_attr.attr,
	&iio_dev_attr_torque_state.dev_attr.attr,
	&iio_dev_attr_hardware_error.dev_attr.attr,
	&iio_dev_attr_error.dev_attr.attr,
	&iio_dev_attr_struct_version.dev_attr.attr,
	&iio_dev_attr_board_id.dev_attr.attr,
	&iio_dev_attr_board_id2.dev_attr.attr,
	&iio_dev_attr_boot_loader_version.dev_attr.attr,
	&iio_dev_attr_prog_version.dev_attr.attr,
	&iio_dev_attr_bid.dev_attr.attr,
	&iio_dev_attr_motor_number.dev_attr.attr,
	&iio_dev_attr_sensor_type.dev_attr.attr,
	&iio_dev_attr_position_chain_mre_joint.dev_attr.attr,
	&iio_dev_attr_position_chain_mre_motor.dev_attr.attr,
	&iio_dev_attr_invert_control_direction.dev_attr.attr,
	&iio_dev_attr_kp.dev_attr.attr,
	&iio_dev_attr_ki.dev_attr.attr,
	&iio_dev_attr_kd.dev_attr.attr,
	&iio_dev_attr_gear_ratio.dev_attr.attr,
	NULL
};

static bool is_register(const struct device_attribute *attr)
{
	return attr->show == number_show || attr->show == hundredths_show;
}

static umode_t is_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	struct device_attribute *dev_attr =
		container_of(attr, struct device_attribute, attr);
	const struct dxl_servo *servo = servo_of(kobj_to_dev(kobj));

	if (is_register(dev_attr) &&
	    !dxl_servo_field(servo, to_iio_dev_attr(dev_attr)->address)->size)
		return 0;

	return attr->mode;
}

const struct attribute_group dxl_servo_attrs = {
	.attrs = attrs,
	.is_visible = is_visible,
};
