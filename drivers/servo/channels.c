// SPDX-License-Identifier: GPL-2.0
/*
 * The IIO channels of a servo
 *
 * Its present state is input channels and its goals are output channels, raw as
 * the servo counts, with scale and offset to IIO's units. A model has those
 * for which it has a register.
 */
#include <linux/device.h>
#include <linux/iio/iio.h>
#include <linux/kstrtox.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/sysfs.h>

#include "servo.h"

#define PER_MILLE	1000

/* Every model counts tenths of a volt and degrees, IIO counts thousandths. */
#define VOLTAGE_MV	100
#define TEMPERATURE_M	1000

static bool has_reg(const struct dxl_servo *servo, enum dxl_servo_reg reg)
{
	return dxl_servo_field(servo, reg)->size;
}

/* --- shares of the maximum torque, in percent with one decimal --- */

static int full_share(const struct dxl_servo_model *model, enum dxl_servo_reg reg)
{
	const struct dxl_servo_layout *layout = model->series->layout;

	return reg == SERVO_LOAD ? layout->load_max : layout->torque_max;
}

static ssize_t share_show(struct iio_dev *indio_dev, uintptr_t reg,
			  const struct iio_chan_spec *chan, char *buf)
{
	struct dxl_servo *servo = iio_priv(indio_dev);
	int value, share, ret;

	ret = dxl_servo_read(servo, reg, &value);
	if (ret)
		return ret;

	share = DIV_ROUND_CLOSEST(value * PER_MILLE, full_share(servo->model, reg));

	return sysfs_emit(buf, "%s%d.%d\n", share < 0 ? "-" : "",
			  abs(share) / 10, abs(share) % 10);
}

static ssize_t torque_limit_store(struct iio_dev *indio_dev, uintptr_t reg,
				  const struct iio_chan_spec *chan,
				  const char *buf, size_t len)
{
	struct dxl_servo *servo = iio_priv(indio_dev);
	int percent, tenths, share, value, ret;

	ret = iio_str_to_fixpoint(buf, 1, &percent, &tenths);
	if (ret)
		return ret;
	if (percent < 0 || percent > 100 || tenths < 0)
		return -ERANGE;

	share = percent * 10 + tenths;
	if (share > PER_MILLE)
		return -ERANGE;

	value = DIV_ROUND_CLOSEST(share * full_share(servo->model, reg), PER_MILLE);
	ret = dxl_hand_limit(servo, value);

	return ret ?: len;
}

static ssize_t brake_show(struct iio_dev *indio_dev, uintptr_t reg,
			  const struct iio_chan_spec *chan, char *buf)
{
	int value, ret;

	ret = dxl_servo_read(iio_priv(indio_dev), reg, &value);
	if (ret)
		return ret;

	return sysfs_emit(buf, "%d\n", value);
}

static ssize_t brake_store(struct iio_dev *indio_dev, uintptr_t reg,
			   const struct iio_chan_spec *chan, const char *buf,
			   size_t len)
{
	bool brake;
	int ret;

	ret = kstrtobool(buf, &brake);
	if (ret)
		return ret;
	ret = dxl_servo_write(iio_priv(indio_dev), reg, brake);

	return ret ?: len;
}

static const struct iio_chan_spec_ext_info load_ext_info[] = {
	{
		.name = "load",
		.private = SERVO_LOAD,
		.read = share_show,
		.shared = IIO_SEPARATE,
	},
	{ }
};

#define TORQUE_LIMIT_INFO						\
	{								\
		.name = "torque_limit",					\
		.private = SERVO_TORQUE_LIMIT,				\
		.read = share_show,					\
		.write = torque_limit_store,				\
		.shared = IIO_SEPARATE,					\
	}

static const struct iio_chan_spec_ext_info goal_ext_info[] = {
	TORQUE_LIMIT_INFO,
	{ }
};

static const struct iio_chan_spec_ext_info braked_goal_ext_info[] = {
	TORQUE_LIMIT_INFO,
	{
		.name = "brake",
		.private = SERVO_BRAKE,
		.read = brake_show,
		.write = brake_store,
		.shared = IIO_SEPARATE,
	},
	{ }
};

/* --- channels --- */

static const struct iio_chan_spec all_channels[] = {
	{
		.type = IIO_ANGL,
		.indexed = 1,
		.address = SERVO_POSITION,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE) |
				      BIT(IIO_CHAN_INFO_OFFSET),
		.ext_info = load_ext_info,
	},
	{
		.type = IIO_ANGL,
		.indexed = 1,
		.channel = 1,
		.address = SERVO_MOTOR_POSITION,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
	},
	{
		.type = IIO_ANGL_VEL,
		.indexed = 1,
		.address = SERVO_SPEED,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
	},
	{
		.type = IIO_CURRENT,
		.indexed = 1,
		.address = SERVO_CURRENT,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE) |
				      BIT(IIO_CHAN_INFO_OFFSET),
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
	{
		.type = IIO_CURRENT,
		.indexed = 1,
		.output = 1,
		.address = SERVO_GOAL_CURRENT,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
		.info_mask_separate_available = BIT(IIO_CHAN_INFO_RAW),
	},
	{
		.type = IIO_COUNT,
		.indexed = 1,
		.output = 1,
		.address = SERVO_GOAL_PWM,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
		.info_mask_separate_available = BIT(IIO_CHAN_INFO_RAW),
	},
};

/**
 * dxl_model_scale() - what one step of a channel is in IIO's unit
 * @model: model of the servo
 * @chan: the channel; its address is the register
 * @val: integer part
 * @val2: the rest
 *
 * Return: an IIO_VAL type or -EINVAL
 */
int dxl_model_scale(const struct dxl_servo_model *model, const struct iio_chan_spec *chan,
		    int *val, int *val2)
{
	switch (chan->type) {
	case IIO_ANGL:
		*val = 0;
		*val2 = model->series->position_nrad;
		return IIO_VAL_INT_PLUS_NANO;
	case IIO_ANGL_VEL:
		*val = 0;
		*val2 = model->series->speed_nrad_s;
		return IIO_VAL_INT_PLUS_NANO;
	case IIO_CURRENT:
		*val = model->current_ua / 1000;
		*val2 = model->current_ua % 1000 * 1000;
		return IIO_VAL_INT_PLUS_MICRO;
	case IIO_COUNT:
		*val = 100;
		*val2 = full_share(model, chan->address);
		return IIO_VAL_FRACTIONAL;
	case IIO_VOLTAGE:
		*val = VOLTAGE_MV;
		return IIO_VAL_INT;
	case IIO_TEMP:
		*val = TEMPERATURE_M;
		return IIO_VAL_INT;
	default:
		return -EINVAL;
	}
}

/**
 * dxl_model_offset() - what is added to a channel's value before that
 * @model: model of the servo
 * @chan: the channel
 *
 * Return: the offset, in steps
 */
int dxl_model_offset(const struct dxl_servo_model *model, const struct iio_chan_spec *chan)
{
	return chan->type == IIO_CURRENT ? -model->current_zero : -model->series->position_zero;
}

/**
 * dxl_model_range() - values that a goal may have in an operating mode
 * @model: model of the servo
 * @mode: the mode
 * @reg: the goal
 *
 * Return: lowest value, step and highest value, all 0 if there is none in that mode
 */
const int *dxl_model_range(const struct dxl_servo_model *model,
			   const struct dxl_servo_mode *mode, enum dxl_servo_reg reg)
{
	const struct dxl_servo_layout *layout = model->series->layout;
	static const int none[3];

	switch (reg) {
	case SERVO_GOAL_POSITION:
		return mode->position_range ?: none;
	case SERVO_GOAL_SPEED:
		return layout->speed_range;
	case SERVO_GOAL_VELOCITY:
		return layout->velocity_range;
	case SERVO_GOAL_CURRENT:
		return model->current_range;
	case SERVO_GOAL_PWM:
		return layout->pwm_range;
	default:
		return none;
	}
}

/**
 * dxl_servo_range() - values that a goal may have now
 * @servo: the servo
 * @reg: the goal
 *
 * Return: as dxl_model_range()
 */
const int *dxl_servo_range(const struct dxl_servo *servo,
			   enum dxl_servo_reg reg)
{
	return dxl_model_range(servo->model, READ_ONCE(servo->mode), reg);
}

/**
 * dxl_servo_goal_reg() - the register behind a goal channel
 * @servo: the servo
 * @chan: the channel
 *
 * In a mode in which a servo turns like a wheel, its speed has a direction.
 *
 * Return: the register
 */
enum dxl_servo_reg dxl_servo_goal_reg(const struct dxl_servo *servo,
				      const struct iio_chan_spec *chan)
{
	if (chan->address == SERVO_GOAL_SPEED &&
	    READ_ONCE(servo->mode)->goals & BIT(SERVO_GOAL_VELOCITY))
		return SERVO_GOAL_VELOCITY;

	return chan->address;
}

static int read_value(struct dxl_servo *servo, const struct iio_chan_spec *chan,
		      int *val)
{
	int ret;

	/* The register is that of the mode, which must be known. */
	ret = dxl_servo_ready(servo);
	if (ret)
		return ret;

	return dxl_servo_read(servo, dxl_servo_goal_reg(servo, chan), val);
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
		return read_value(servo, chan, val) ?: IIO_VAL_INT;
	case IIO_CHAN_INFO_ENABLE:
		return dxl_servo_read(servo, SERVO_TORQUE_ENABLE, val) ?:
		       IIO_VAL_INT;
	case IIO_CHAN_INFO_SCALE:
		return dxl_model_scale(servo->model, chan, val, val2);
	case IIO_CHAN_INFO_CALIBBIAS:
		return dxl_servo_read(servo, SERVO_ZERO, val) ?: IIO_VAL_INT;
	case IIO_CHAN_INFO_OFFSET:
		*val = dxl_model_offset(servo->model, chan);
		return IIO_VAL_INT;
	default:
		return -EINVAL;
	}
}

static int read_raw(struct iio_dev *indio_dev, const struct iio_chan_spec *chan,
		    int *val, int *val2, long mask)
{
	return dxl_servo_read_raw(iio_priv(indio_dev), chan, val, val2, mask);
}

static int write_raw(struct iio_dev *indio_dev,
		     const struct iio_chan_spec *chan, int val, int val2,
		     long mask)
{
	struct dxl_servo *servo = iio_priv(indio_dev);

	if (val2)
		return -EINVAL;
	if (mask == IIO_CHAN_INFO_CALIBBIAS)
		return dxl_servo_set_zero(servo, val);
	if (!chan->output)
		return -EINVAL;

	switch (mask) {
	case IIO_CHAN_INFO_RAW:
		return dxl_hand_goal(servo, chan, val);
	case IIO_CHAN_INFO_ENABLE:
		return dxl_hand_torque(servo, val);
	default:
		return -EINVAL;
	}
}

static int read_avail(struct iio_dev *indio_dev,
		      const struct iio_chan_spec *chan, const int **vals,
		      int *type, int *length, long mask)
{
	const struct dxl_servo *servo = iio_priv(indio_dev);

	if (mask != IIO_CHAN_INFO_RAW)
		return -EINVAL;

	*vals = dxl_servo_range(servo, dxl_servo_goal_reg(servo, chan));
	*type = IIO_VAL_INT;

	return IIO_AVAIL_RANGE;
}

static const struct iio_info servo_info = {
	.attrs = &dxl_servo_attrs,
	.read_raw = read_raw,
	.write_raw = write_raw,
	.read_avail = read_avail,
};

/**
 * dxl_servo_set_scan_type() - say what samples hold of a register
 * @chan: its channel, with samples of what dxl_servo_decode() makes of it, in as
 *	many bytes
 * @field: the register
 */
void dxl_servo_set_scan_type(struct iio_chan_spec *chan,
			     const struct dxl_servo_field *field)
{
	chan->scan_type.sign = field->is_signed || field->magnitude ? 's' : 'u';
	chan->scan_type.realbits = 8 * field->size;
	chan->scan_type.storagebits = 8 * field->size;
	chan->scan_type.endianness = IIO_CPU;
}

/* The input channels, which come first, are those of samples. */
static void take_channel(const struct dxl_servo *servo,
			 struct iio_chan_spec *to,
			 const struct iio_chan_spec *from, int index)
{
	*to = *from;
	to->scan_index = to->output ? -1 : index;
	dxl_servo_set_scan_type(to, dxl_servo_field(servo, to->address));
	if (to->ext_info && !has_reg(servo, to->ext_info->private))
		to->ext_info = NULL;
	if (to->address == SERVO_GOAL_POSITION && has_reg(servo, SERVO_BRAKE))
		to->ext_info = braked_goal_ext_info;
	if (to->address == SERVO_POSITION && has_reg(servo, SERVO_ZERO))
		to->info_mask_separate |= BIT(IIO_CHAN_INFO_CALIBBIAS);
}

/**
 * dxl_servo_channels() - give an IIO device the channels of its servo
 * @indio_dev: the IIO device
 *
 * Return: 0 or -ENOMEM
 */
int dxl_servo_channels(struct iio_dev *indio_dev)
{
	const struct dxl_servo *servo = iio_priv(indio_dev);
	struct iio_chan_spec *channels;
	unsigned int count = 0;
	size_t i;

	channels = devm_kcalloc(&servo->ddev->dev, ARRAY_SIZE(all_channels) + 1,
				sizeof(*channels), GFP_KERNEL);
	if (!channels)
		return -ENOMEM;

	for (i = 0; i < ARRAY_SIZE(all_channels); i++) {
		if (!has_reg(servo, all_channels[i].address))
			continue;
		take_channel(servo, &channels[count], &all_channels[i], count);
		count++;
	}
	channels[count] = (struct iio_chan_spec)IIO_CHAN_SOFT_TIMESTAMP(count);
	count++;

	indio_dev->info = &servo_info;
	indio_dev->channels = channels;
	indio_dev->num_channels = count;

	return 0;
}
