// SPDX-License-Identifier: GPL-2.0
/*
 * What a board measures, as IIO channels
 *
 * Raw as the board counts, with offset and scale to IIO's units. IIO has no type for
 * a force or for the state of buttons: they are counts. The frames of the bus carry
 * all of them, too.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/iio/iio.h>
#include <linux/iio/sysfs.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/unaligned.h>

#include <linux/dxl/attr.h>
#include <linux/dxl/cycle.h>

#include "board.h"

static const struct dxl_board_input *
input_of(const struct dxl_board *board, const struct iio_chan_spec *chan)
{
	return &board->inputs[chan->address];
}

static bool are_keys(const struct dxl_board *board,
		     const struct dxl_board_input *input)
{
	return board->keys && input->addr == dxl_board_layout(board)->keys_addr;
}

static int number_of(const struct dxl_board_input *input, const u8 *raw)
{
	u32 value = get_unaligned_le32(raw);

	if (input->is_signed)
		return sign_extend32(value, BITS_PER_BYTE * input->size - 1);
	if (input->curve)
		return dxl_board_on_curve(input->curve, value);

	return value;
}

/* Whoever reads the buttons tells the input layer of them. */
static int decode(struct dxl_board *board, const struct dxl_board_input *input,
		  const u8 *raw)
{
	if (are_keys(board, input))
		dxl_board_report_keys(board, raw[0]);

	return number_of(input, raw);
}

/* Frames may overtake the answer on its way to here. */
static int read_value(struct dxl_board *board,
		      const struct dxl_board_input *input, int *val)
{
	unsigned int reports = dxl_board_key_reports(board);
	u8 raw[sizeof(u32)] = {};
	int ret;

	ret = dxl_board_read_attribute(board, input->addr, raw, input->size);
	if (ret)
		return ret;

	if (are_keys(board, input))
		dxl_board_report_keys_since(board, reports, raw[0]);
	*val = number_of(input, raw);

	return IIO_VAL_INT;
}

/* What an input counts; that of a firmware which nobody has been told of is a new one. */
static const struct dxl_board_unit *
unit_of(const struct dxl_board *board, const struct dxl_board_input *input)
{
	if (input->unit->before &&
	    dxl_board_is_older(board, input->unit->firmware))
		return input->unit->before;

	return input->unit;
}

static int read_input(struct dxl_board *board, const struct iio_chan_spec *chan,
		      int *val, int *val2, long mask)
{
	const struct dxl_board_input *input = input_of(board, chan);

	switch (mask) {
	case IIO_CHAN_INFO_RAW:
		return read_value(board, input, val);
	case IIO_CHAN_INFO_OFFSET:
		*val = input->unit->offset;
		return IIO_VAL_INT;
	case IIO_CHAN_INFO_SCALE:
		*val = unit_of(board, input)->whole;
		*val2 = unit_of(board, input)->nano;
		return IIO_VAL_INT_PLUS_NANO;
	default:
		return -EINVAL;
	}
}

/* --- its own IIO device --- */

static int channel_read_raw(struct iio_dev *indio_dev,
			    const struct iio_chan_spec *chan, int *val,
			    int *val2, long mask)
{
	return read_input(iio_priv(indio_dev), chan, val, val2, mask);
}

static int channel_read_label(struct iio_dev *indio_dev,
			      const struct iio_chan_spec *chan, char *buf)
{
	return sysfs_emit(buf, "%s\n",
			  input_of(iio_priv(indio_dev), chan)->name);
}

static ssize_t servo_power_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	struct dxl_board *board = iio_priv(dev_to_iio_dev(dev));
	u8 on;
	int ret;

	ret = dxl_board_read_attribute(board,
				       dxl_board_layout(board)->power_addr, &on,
				       sizeof(on));
	if (ret)
		return ret;

	return sysfs_emit(buf, "%u\n", on);
}

static ssize_t servo_power_store(struct device *dev,
				 struct device_attribute *attr, const char *buf,
				 size_t len)
{
	struct dxl_board *board = iio_priv(dev_to_iio_dev(dev));
	bool on;
	u8 byte;
	int ret;

	ret = dxl_parse_flag(buf, &on);
	if (ret)
		return ret;

	byte = on;
	ret = dxl_board_write(board, dxl_board_layout(board)->power_addr, &byte,
			      sizeof(byte));

	return ret ?: len;
}
static IIO_DEVICE_ATTR_RW(servo_power, 0);

static struct attribute *power_attrs[] = {
	&iio_dev_attr_servo_power.dev_attr.attr,
	NULL
};

static const struct attribute_group power_group = {
	.attrs = power_attrs,
};

static const struct iio_info board_info = {
	.read_raw = channel_read_raw,
	.read_label = channel_read_label,
};

static const struct iio_info power_board_info = {
	.attrs = &power_group,
	.read_raw = channel_read_raw,
	.read_label = channel_read_label,
};

static const struct iio_info sonar_board_info = {
	.attrs = &dxl_board_sonar_group,
	.read_raw = channel_read_raw,
	.read_label = channel_read_label,
};

static const struct iio_info *
iio_info_of(const struct dxl_board_layout *layout)
{
	if (layout->power_addr)
		return &power_board_info;

	return layout->sonar_addr ? &sonar_board_info : &board_info;
}

static int channel_ready(struct dxl_device *ddev)
{
	return dxl_board_ready(dxl_get_drvdata(ddev));
}

static u16 channel_addr(struct dxl_device *ddev,
			const struct iio_chan_spec *chan)
{
	return input_of(dxl_get_drvdata(ddev), chan)->addr;
}

static s32 channel_decode(struct dxl_device *ddev,
			  const struct iio_chan_spec *chan, const u8 *raw)
{
	struct dxl_board *board = dxl_get_drvdata(ddev);

	return decode(board, input_of(board, chan), raw);
}

static const struct dxl_buffer_ops buffer_ops = {
	.ready = channel_ready,
	.addr = channel_addr,
	.decode = channel_decode,
};

static unsigned long info_of(const struct dxl_board_input *input)
{
	unsigned long info = BIT(IIO_CHAN_INFO_RAW);

	if (input->unit)
		info |= BIT(IIO_CHAN_INFO_SCALE);
	if (input->unit && input->unit->offset)
		info |= BIT(IIO_CHAN_INFO_OFFSET);

	return info;
}

static struct iio_chan_spec channel_of(const struct dxl_board_input *input,
				       unsigned int index)
{
	return (struct iio_chan_spec){
		.type = input->type,
		.indexed = !input->axis,
		.channel = input->number,
		.modified = !!input->axis,
		.channel2 = input->axis,
		.address = index,
		.info_mask_separate = info_of(input),
		.scan_index = index,
		.scan_type = {
			.sign = input->is_signed ? 's' : 'u',
			.realbits = BITS_PER_BYTE * input->size,
			.storagebits = BITS_PER_BYTE * input->size,
			.endianness = IIO_CPU,
		},
	};
}

static int add_channels(struct iio_dev *indio_dev)
{
	const struct dxl_board *board = iio_priv(indio_dev);
	const struct dxl_board_layout *layout = dxl_board_layout(board);
	struct iio_chan_spec *channels;
	unsigned int i;

	channels = devm_kcalloc(&board->ddev->dev, layout->num_inputs + 1,
				sizeof(*channels), GFP_KERNEL);
	if (!channels)
		return -ENOMEM;

	for (i = 0; i < layout->num_inputs; i++)
		channels[i] = channel_of(&board->inputs[i], i);
	channels[i] = (struct iio_chan_spec)IIO_CHAN_SOFT_TIMESTAMP(i);

	indio_dev->name = dxl_board_name(board);
	indio_dev->modes = INDIO_DIRECT_MODE;
	indio_dev->info = iio_info_of(layout);
	indio_dev->channels = channels;
	indio_dev->num_channels = i + 1;

	return 0;
}

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
	return read_input(dxl_get_drvdata(ddev), &value->spec, val, val2, mask);
}

static const char *value_label(struct dxl_device *ddev)
{
	const struct dxl_board *board = dxl_get_drvdata(ddev);

	return board->label;
}

static bool board_usable(struct dxl_device *ddev)
{
	const struct dxl_board *board = dxl_get_drvdata(ddev);

	return !READ_ONCE(board->wrong_model);
}

static const struct dxl_frame_ops frame_ops = {
	.decode = value_decode,
	.read_raw = value_read_raw,
	.label = value_label,
	.usable = board_usable,
};

/* One of several of its kind is told from the others by name, too. */
static struct dxl_value value_of(const struct dxl_board_input *input,
				 unsigned int index)
{
	struct dxl_value value = {
		.spec = channel_of(input, index),
		.addr = input->addr,
		.size = input->size,
		.slow = input->slow,
	};

	if (input->number)
		value.spec.extend_name = input->name;

	return value;
}

static int join_frames(struct dxl_board *board)
{
	const struct dxl_board_layout *layout = dxl_board_layout(board);
	struct dxl_device *ddev = board->ddev;
	struct dxl_value *values;
	unsigned int i;

	values = devm_kcalloc(&ddev->dev, layout->num_inputs, sizeof(*values),
			      GFP_KERNEL);
	if (!values)
		return -ENOMEM;

	for (i = 0; i < layout->num_inputs; i++)
		values[i] = value_of(&board->inputs[i], i);

	return devm_dxl_frame_join(ddev, &frame_ops, values,
				   layout->num_inputs);
}

/**
 * dxl_board_iio() - show what a board measures, if it does
 * @indio_dev: the IIO device with the board; all else that it has is set up
 *
 * Return: 0 or a negative errno
 */
int dxl_board_iio(struct iio_dev *indio_dev)
{
	struct dxl_board *board = iio_priv(indio_dev);

	if (!dxl_board_layout(board)->num_inputs)
		return 0;

	return add_channels(indio_dev) ?:
	       devm_dxl_buffer_setup(indio_dev, &buffer_ops) ?:
	       join_frames(board) ?:
	       devm_iio_device_register(&board->ddev->dev, indio_dev);
}
