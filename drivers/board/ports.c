// SPDX-License-Identifier: GPL-2.0
/*
 * The ports of a board, and what is plugged into them
 *
 * A port is an analogue input that anything may be plugged into. What is says the
 * device tree, in robotis,port-sensors: the input is of its kind then, and scaled. A
 * port of which nothing is said, as none of a board without a node is, is a voltage.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/dev_printk.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/property.h>
#include <linux/string.h>

#include "board.h"

/**
 * struct port_sensor - what may be plugged into a port
 * @name: what the device tree calls it
 * @input: what the port is then; its place and number stay
 * @output: it needs the output of its port
 */
struct port_sensor {
	const char *name;
	struct dxl_board_input input;
	bool output;
};

/*
 * The maker's GS-12: 205 counts are 300 degrees a second. At rest older ones show 250
 * and newer ones 300.
 */
static const struct dxl_board_unit gs12 = {
	.offset = -250,
	.nano = 25541404,
};

/* An ADXL335 of 3.3 V: half of that is none, and a tenth 1 g. In counts of 5 V. */
static const struct dxl_board_unit adxl335 = {
	.offset = -338,
	.nano = 145103131,
};

/* What a DMS shows was measured; see Documentation/boards/cm-510.rst. */
static const struct dxl_board_unit millimetre = { .nano = 1000000 };

static const struct dxl_board_point dms[] = {
	{ 70, 800 }, { 80, 700 }, { 95, 600 }, { 115, 500 }, { 150, 400 },
	{ 175, 300 }, { 205, 250 }, { 245, 200 }, { 310, 150 }, { 455, 100 },
	{ 625, 50 }, {}
};

#define ON_AXIS(_name, _axis, _type, _label, _unit)			\
	{								\
		.name = _name,						\
		.input = {						\
			.type = _type, .axis = IIO_MOD_##_axis,		\
			.name = _label, .unit = &(_unit),		\
		},							\
	}

#define GYRO(_name, _axis)	ON_AXIS(_name, _axis, IIO_ANGL_VEL, "gyro", gs12)
#define ACCEL(_name, _axis)	ON_AXIS(_name, _axis, IIO_ACCEL, "accel", adxl335)

static const struct port_sensor sensors[] = {
	GYRO("gyro-x", X),
	GYRO("gyro-y", Y),
	GYRO("gyro-z", Z),
	ACCEL("accel-x", X),
	ACCEL("accel-y", Y),
	ACCEL("accel-z", Z),
	{
		.name = "dms",
		.input = {
			.type = IIO_DISTANCE, .unit = &millimetre,
			.curve = dms,
		},
	},
	{
		.name = "ir",
		.input = { .type = IIO_PROXIMITY },
		.output = true,
	},
};

#define NONE	"none"

static const struct port_sensor *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sensors); i++)
		if (!strcmp(sensors[i].name, name))
			return &sensors[i];

	return NULL;
}

/* Those with an axis have no number: a board knows one of each. */
static bool is_taken(const struct dxl_board_input *inputs, unsigned int count,
		     const struct dxl_board_input *wanted)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (wanted->axis && inputs[i].axis == wanted->axis &&
		    inputs[i].type == wanted->type)
			return true;

	return false;
}

static void plug(struct dxl_board_input *input,
		 const struct dxl_board_input *sensor)
{
	input->type = sensor->type;
	input->axis = sensor->axis;
	input->unit = sensor->unit;
	input->curve = sensor->curve;
	if (!sensor->axis)
		return;

	input->name = sensor->name;
	input->number = 0;
}

static int set_port(struct dxl_board *board, struct dxl_board_input *inputs,
		    struct dxl_board_input *input, const char *name)
{
	const struct dxl_board_layout *layout = dxl_board_layout(board);
	const struct port_sensor *sensor = find(name);
	struct device *dev = &board->ddev->dev;

	if (!sensor && !strcmp(name, NONE))
		return 0;
	if (!sensor) {
		dev_err(dev, "port %u has an unknown sensor: %s\n", input->number,
			name);
		return -EINVAL;
	}
	if (is_taken(inputs, layout->num_inputs, &sensor->input)) {
		dev_err(dev, "port %u has a second %s\n", input->number, name);
		return -EINVAL;
	}

	if (sensor->output)
		board->outputs |= BIT(input->number - 1);
	plug(input, &sensor->input);

	return 0;
}

static int set_ports(struct dxl_board *board, const char *const *names,
		     struct dxl_board_input *inputs)
{
	unsigned int i;
	int ret;

	for (i = 0; i < dxl_board_layout(board)->num_inputs; i++) {
		if (!inputs[i].port)
			continue;
		ret = set_port(board, inputs, &inputs[i],
			       names[inputs[i].number - 1]);
		if (ret)
			return ret;
	}

	return 0;
}

/**
 * dxl_board_init_ports() - see what is plugged into the ports of a board
 * @board: the board, whose inputs are those of its layout
 *
 * Return: 0 or a negative errno
 */
int dxl_board_init_ports(struct dxl_board *board)
{
	const struct dxl_board_layout *layout = dxl_board_layout(board);
	const char *names[BOARD_PORTS];
	struct device *dev = &board->ddev->dev;
	struct dxl_board_input *inputs;
	int count, ret;

	board->inputs = layout->inputs;
	if (!layout->num_ports ||
	    !device_property_present(dev, "robotis,port-sensors"))
		return 0;

	count = device_property_string_array_count(dev, "robotis,port-sensors");
	if (count != layout->num_ports) {
		dev_err(dev, "robotis,port-sensors needs one string for each of %u ports\n",
			layout->num_ports);
		return -EINVAL;
	}
	ret = device_property_read_string_array(dev, "robotis,port-sensors",
						names, count);
	if (ret < 0)
		return ret;

	inputs = devm_kmemdup(dev, layout->inputs,
			      layout->num_inputs * sizeof(*inputs), GFP_KERNEL);
	if (!inputs)
		return -ENOMEM;
	board->inputs = inputs;

	return set_ports(board, names, inputs);
}

/**
 * dxl_board_write_outputs() - switch the outputs of those ports on that need it
 * @board: the board, its lock held; it may have been without power
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno
 */
int dxl_board_write_outputs(struct dxl_board *board)
{
	lockdep_assert_held(&board->lock);

	if (!board->outputs)
		return 0;

	return dxl_write(board->ddev, dxl_board_layout(board)->outputs_addr,
			 &board->outputs, sizeof(board->outputs));
}

/**
 * dxl_board_renew_outputs() - the same where the board may have forgotten them
 * @board: the board
 *
 * What does not reach it is written by whoever asks it next, its lights at the latest.
 *
 * Context: Process context. Sleeps.
 */
void dxl_board_renew_outputs(struct dxl_board *board)
{
	guard(mutex)(&board->lock);

	/* One that is in doubt is told when it answers as it should. */
	if (READ_ONCE(board->ddev->state) == DXL_ACTIVE &&
	    dxl_board_write_outputs(board))
		WRITE_ONCE(board->configured, 0);
}

/**
 * dxl_board_on_curve() - what a sensor shows whose counts have a curve
 * @curve: the curve: by rising counts, the last without any
 * @count: what it counts
 *
 * Between two points it is a line. 0 is less than the first, which is that there is
 * nothing in range; more than the last is the last.
 *
 * Context: Any context.
 * Return: the value there, rounded
 */
int dxl_board_on_curve(const struct dxl_board_point *curve, int count)
{
	const struct dxl_board_point *point = curve;
	int rise, run;

	if (count < point->count)
		return 0;
	while (point[1].count && count >= point[1].count)
		point++;
	if (!point[1].count)
		return point->value;

	rise = point[1].value - point[0].value;
	run = point[1].count - point[0].count;

	return point->value +
	       DIV_ROUND_CLOSEST((count - point->count) * rise, run);
}
