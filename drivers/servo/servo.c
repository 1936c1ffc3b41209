// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamixel servos as IIO devices
 *
 * One driver for all models, see models.c. Each servo is an IIO device with
 * its present state as input channels and its goal as output channels, raw as
 * the servo counts, with scale and offset to SI units.
 *
 * A servo that does not answer when its driver binds keeps its device and is
 * set up on the first access that it answers.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/iio/iio.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/property.h>
#include <linux/sysfs.h>
#include <linux/unaligned.h>

#include "servo.h"

#define RETURN_DELAY_STEP_US	2
#define PER_MILLE		1000

/* --- registers --- */

/* Value of a register, with a sign where it has a direction bit. */
static int servo_decode(const struct dxl_servo_field *field, const u8 *raw)
{
	int value = field->size == 1 ? *raw : get_unaligned_le16(raw);

	if (!field->magnitude)
		return value;
	if (value & (field->magnitude + 1))
		return -(value & field->magnitude);

	return value & field->magnitude;
}

static int servo_read_field(struct dxl_servo *servo, enum dxl_servo_reg reg,
			    int *value)
{
	const struct dxl_servo_field *field = &servo->model->fields[reg];
	u8 raw[sizeof(u16)];
	int ret;

	ret = dxl_read(servo->ddev, field->addr, raw, field->size);
	if (ret)
		return ret;

	*value = servo_decode(field, raw);

	return 0;
}

static int servo_write_field(struct dxl_servo *servo, enum dxl_servo_reg reg,
			     u16 value)
{
	const struct dxl_servo_field *field = &servo->model->fields[reg];
	u8 raw[sizeof(value)];

	put_unaligned_le16(value, raw);

	return dxl_write(servo->ddev, field->addr, raw, field->size);
}

/* A pose in the steps of one model must not move a servo of another. */
static void servo_set_wrong(struct dxl_servo *servo, bool wrong)
{
	lockdep_assert_held(&servo->lock);

	if (servo->wrong == wrong)
		return;

	WRITE_ONCE(servo->wrong, wrong);
	if (servo->group)
		dxl_group_changed(servo->group);
}

static int servo_check_model(struct dxl_servo *servo)
{
	struct dxl_device *ddev = servo->ddev;
	int ret;

	ret = dxl_identify(ddev);
	if (ret)
		return ret;

	servo_set_wrong(servo, ddev->model_number != servo->model->number);
	if (!servo->wrong)
		return 0;

	dev_err_ratelimited(&ddev->dev,
			    "found model number %u, not the %u of %s\n",
			    ddev->model_number, servo->model->number,
			    servo->model->name);

	return -ENODEV;
}

/* Find out whether this is the servo described, and how it answers. */
static int servo_configure(struct dxl_servo *servo)
{
	struct dxl_device *ddev = servo->ddev;
	int level, delay, ret;

	lockdep_assert_held(&servo->lock);

	ret = servo_check_model(servo);
	if (ret)
		return ret;

	ret = servo_read_field(servo, SERVO_STATUS_LEVEL, &level);
	if (ret)
		return ret;
	ret = servo_read_field(servo, SERVO_RETURN_DELAY, &delay);
	if (ret)
		return ret;

	WRITE_ONCE(ddev->status_level, level);
	WRITE_ONCE(ddev->return_delay_us, delay * RETURN_DELAY_STEP_US);
	servo->configured = true;

	return 0;
}

static int servo_ready(struct dxl_servo *servo)
{
	guard(mutex)(&servo->lock);

	return servo->configured ? 0 : servo_configure(servo);
}

static int servo_read(struct dxl_servo *servo, enum dxl_servo_reg reg,
		      int *value)
{
	int ret;

	ret = servo_ready(servo);
	if (ret)
		return ret;

	return servo_read_field(servo, reg, value);
}

static int servo_write(struct dxl_servo *servo, enum dxl_servo_reg reg,
		       u16 value)
{
	int ret;

	ret = servo_ready(servo);
	if (ret)
		return ret;

	return servo_write_field(servo, reg, value);
}

/* --- shares of the maximum torque, in percent with one decimal --- */

static ssize_t share_show(struct iio_dev *indio_dev, uintptr_t reg,
			  const struct iio_chan_spec *chan, char *buf)
{
	struct dxl_servo *servo = iio_priv(indio_dev);
	int value, share, ret;

	ret = servo_read(servo, reg, &value);
	if (ret)
		return ret;

	share = DIV_ROUND_CLOSEST(value * PER_MILLE, servo->model->torque_max);

	return sysfs_emit(buf, "%s%d.%d\n", share < 0 ? "-" : "",
			  abs(share) / 10, abs(share) % 10);
}

static ssize_t torque_limit_store(struct iio_dev *indio_dev, uintptr_t reg,
				  const struct iio_chan_spec *chan,
				  const char *buf, size_t len)
{
	struct dxl_servo *servo = iio_priv(indio_dev);
	int percent, tenths, share, ret;

	ret = iio_str_to_fixpoint(buf, 1, &percent, &tenths);
	if (ret)
		return ret;
	if (percent < 0 || percent > 100 || tenths < 0)
		return -ERANGE;

	share = percent * 10 + tenths;
	if (share > PER_MILLE)
		return -ERANGE;

	ret = servo_write(servo, reg,
			  DIV_ROUND_CLOSEST(share * servo->model->torque_max,
					    PER_MILLE));

	return ret ?: len;
}

static const struct iio_chan_spec_ext_info position_ext_info[] = {
	{
		.name = "load",
		.private = SERVO_LOAD,
		.read = share_show,
		.shared = IIO_SEPARATE,
	},
	{ }
};

static const struct iio_chan_spec_ext_info goal_ext_info[] = {
	{
		.name = "torque_limit",
		.private = SERVO_TORQUE_LIMIT,
		.read = share_show,
		.write = torque_limit_store,
		.shared = IIO_SEPARATE,
	},
	{ }
};

/* --- channels --- */

static const struct iio_chan_spec servo_channels[] = {
	{
		.type = IIO_ANGL,
		.indexed = 1,
		.address = SERVO_POSITION,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE) |
				      BIT(IIO_CHAN_INFO_OFFSET),
		.ext_info = position_ext_info,
	},
	{
		.type = IIO_ANGL_VEL,
		.indexed = 1,
		.address = SERVO_SPEED,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
	},
	{
		.type = IIO_VOLTAGE,
		.indexed = 1,
		.address = SERVO_VOLTAGE,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
	},
	{
		.type = IIO_TEMP,
		.indexed = 1,
		.address = SERVO_TEMPERATURE,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
	},
	{
		.type = IIO_ANGL,
		.indexed = 1,
		.output = 1,
		.address = SERVO_GOAL_POSITION,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE) |
				      BIT(IIO_CHAN_INFO_OFFSET) |
				      BIT(IIO_CHAN_INFO_ENABLE),
		.info_mask_separate_available = BIT(IIO_CHAN_INFO_RAW),
		.ext_info = goal_ext_info,
	},
	{
		.type = IIO_ANGL_VEL,
		.indexed = 1,
		.output = 1,
		.address = SERVO_GOAL_SPEED,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
		.info_mask_separate_available = BIT(IIO_CHAN_INFO_RAW),
	},
};

/* What one step of a channel is in IIO's unit. */
static int servo_scale(const struct dxl_servo_model *model,
		       enum iio_chan_type type, int *val, int *val2)
{
	switch (type) {
	case IIO_ANGL:
		*val = 0;
		*val2 = model->position_nrad;
		return IIO_VAL_INT_PLUS_NANO;
	case IIO_ANGL_VEL:
		*val = 0;
		*val2 = model->speed_nrad_s;
		return IIO_VAL_INT_PLUS_NANO;
	case IIO_VOLTAGE:
		*val = model->voltage_mv;
		return IIO_VAL_INT;
	case IIO_TEMP:
		/* Every model counts degrees, IIO counts thousandths. */
		*val = 1000;
		return IIO_VAL_INT;
	default:
		return -EINVAL;
	}
}

/* Lowest value, step and highest value of a goal register. */
static const int *goal_range(const struct dxl_servo_model *model,
			     enum dxl_servo_reg reg)
{
	return reg == SERVO_GOAL_SPEED ? model->speed_range :
					 model->position_range;
}

/**
 * dxl_servo_read_raw() - what IIO wants to know of a servo's channel
 * @servo: the servo
 * @chan: the channel; its address is the register
 * @val: integer part
 * @val2: the rest
 * @mask: what of the channel, one of enum iio_chan_info_enum
 *
 * Return: an IIO_VAL type or a negative errno
 */
int dxl_servo_read_raw(struct dxl_servo *servo,
		       const struct iio_chan_spec *chan, int *val, int *val2,
		       long mask)
{
	switch (mask) {
	case IIO_CHAN_INFO_RAW:
		return servo_read(servo, chan->address, val) ?: IIO_VAL_INT;
	case IIO_CHAN_INFO_ENABLE:
		return servo_read(servo, SERVO_TORQUE_ENABLE, val) ?:
		       IIO_VAL_INT;
	case IIO_CHAN_INFO_SCALE:
		return servo_scale(servo->model, chan->type, val, val2);
	case IIO_CHAN_INFO_OFFSET:
		*val = -servo->model->position_zero;
		return IIO_VAL_INT;
	default:
		return -EINVAL;
	}
}

/**
 * dxl_servo_read_avail() - values that a servo's goal may have
 * @servo: the servo
 * @chan: the goal channel
 * @vals: lowest value, step and highest value
 * @type: their IIO_VAL type
 * @mask: what of the channel, one of enum iio_chan_info_enum
 *
 * Return: an IIO_AVAIL type or a negative errno
 */
int dxl_servo_read_avail(const struct dxl_servo *servo,
			 const struct iio_chan_spec *chan, const int **vals,
			 int *type, long mask)
{
	if (mask != IIO_CHAN_INFO_RAW)
		return -EINVAL;

	*vals = goal_range(servo->model, chan->address);
	*type = IIO_VAL_INT;

	return IIO_AVAIL_RANGE;
}

static int servo_read_raw(struct iio_dev *indio_dev,
			  const struct iio_chan_spec *chan, int *val, int *val2,
			  long mask)
{
	return dxl_servo_read_raw(iio_priv(indio_dev), chan, val, val2, mask);
}

static int servo_write_raw(struct iio_dev *indio_dev,
			   const struct iio_chan_spec *chan, int val, int val2,
			   long mask)
{
	struct dxl_servo *servo = iio_priv(indio_dev);
	const int *range;

	if (!chan->output || val2)
		return -EINVAL;

	switch (mask) {
	case IIO_CHAN_INFO_RAW:
		range = goal_range(servo->model, chan->address);
		if (val < range[0] || val > range[2])
			return -ERANGE;
		return servo_write(servo, chan->address, val);
	case IIO_CHAN_INFO_ENABLE:
		return servo_write(servo, SERVO_TORQUE_ENABLE, !!val);
	default:
		return -EINVAL;
	}
}

static int servo_read_avail(struct iio_dev *indio_dev,
			    const struct iio_chan_spec *chan, const int **vals,
			    int *type, int *length, long mask)
{
	return dxl_servo_read_avail(iio_priv(indio_dev), chan, vals, type,
				    mask);
}

static const struct iio_info servo_info = {
	.read_raw = servo_read_raw,
	.write_raw = servo_write_raw,
	.read_avail = servo_read_avail,
};

/* --- binding --- */

static void servo_torque_off(void *data)
{
	struct dxl_servo *servo = data;

	/* One that has never answered may have heard poses; do not wait. */
	if (!servo->configured)
		WRITE_ONCE(servo->ddev->status_level, DXL_ANSWERS_PING);

	servo_write_field(servo, SERVO_TORQUE_ENABLE, 0);
}

static void servo_leave_group(void *servo)
{
	dxl_group_remove(servo);
}

static int servo_probe(struct dxl_device *ddev)
{
	struct device *dev = &ddev->dev;
	struct iio_dev *indio_dev;
	struct dxl_servo *servo;
	int ret;

	indio_dev = devm_iio_device_alloc(dev, sizeof(*servo));
	if (!indio_dev)
		return -ENOMEM;

	servo = iio_priv(indio_dev);
	servo->ddev = ddev;
	servo->model = device_get_match_data(dev);
	device_property_read_string(dev, "label", &servo->label);
	WRITE_ONCE(ddev->protocol, servo->model->protocol);
	WRITE_ONCE(ddev->status_level, DXL_ANSWERS_ALL);
	dxl_set_drvdata(ddev, servo);

	ret = devm_mutex_init(dev, &servo->lock);
	if (ret)
		return ret;

	ret = servo_ready(servo);
	if (ret == -ENODEV)
		return ret;
	if (ret)
		dev_warn(dev, "no answer as %s is expected to give: %pe\n",
			 servo->model->name, ERR_PTR(ret));

	/* A servo that nobody drives any more must not hold on to its goal. */
	ret = devm_add_action_or_reset(dev, servo_torque_off, servo);
	if (ret)
		return ret;

	indio_dev->name = servo->model->name;
	indio_dev->info = &servo_info;
	indio_dev->modes = INDIO_DIRECT_MODE;
	indio_dev->channels = servo_channels;
	indio_dev->num_channels = ARRAY_SIZE(servo_channels);

	/* Accesses through the IIO device may tell the group of a change. */
	ret = dxl_group_add(servo);
	if (ret)
		return ret;
	ret = devm_add_action_or_reset(dev, servo_leave_group, servo);
	if (ret)
		return ret;

	return devm_iio_device_register(dev, indio_dev);
}

static void servo_shutdown(struct dxl_device *ddev)
{
	servo_torque_off(dxl_get_drvdata(ddev));
}

static const struct of_device_id servo_of_match[] = {
	{ .compatible = "robotis,ax-12", .data = &dxl_ax12 },
	{ .compatible = "robotis,mx-28", .data = &dxl_mx28 },
	{ }
};
MODULE_DEVICE_TABLE(of, servo_of_match);

static struct dxl_driver servo_driver = {
	.driver = {
		.name = "dxl-servo",
		.of_match_table = servo_of_match,
		.probe_type = PROBE_PREFER_ASYNCHRONOUS,
	},
	.probe = servo_probe,
	.shutdown = servo_shutdown,
};
module_dxl_driver(servo_driver);

MODULE_DESCRIPTION("Dynamixel servos");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(DXL);
