// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the servo driver, bound to servos that exist only in memory
 *
 * What is expected here is computed from the maker's figures by hand and not
 * from the driver's table.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/consumer.h>
#include <linux/iio/iio.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../drivers/bus/core.h"
/* The table itself, which is the driver's alone and exported by nobody. */
#include "../drivers/servo/models.c"
#include "fake_line.h"
#include "fake_tree.h"

/* Registers of the AX-12 and the MX-28. */
#define REG_MODEL		0
#define REG_FIRMWARE		2
#define REG_RETURN_DELAY	5
#define REG_STATUS_LEVEL	16
#define REG_TORQUE_ENABLE	24
#define REG_GOAL		30
#define REG_GOAL_SPEED		32
#define REG_TORQUE_LIMIT	34
#define REG_POSITION		36
#define REG_SPEED		38
#define REG_LOAD		40
#define REG_VOLTAGE		42
#define REG_TEMPERATURE		43

#define MODEL_AX12	12
#define MODEL_MX28	29

/* A servo has one channel of a type in each direction at most. */
#define IN		false
#define OUT		true

/**
 * struct fixture - the bus `bus-servos` of the tree, with its servos
 * @line: its line
 * @knee: AX-12 with the ID 1
 * @head: MX-28 with the ID 2
 * @ankle: AX-12 with the ID 7
 * @held: references to give back
 * @num_held: their number
 */
struct fixture {
	struct fake_line *line;
	struct fake_device *knee;
	struct fake_device *head;
	struct fake_device *ankle;
	struct device *held[16];
	unsigned int num_held;
};

static void put_le16(u8 *p, u16 value)
{
	p[0] = value & 0xff;
	p[1] = value >> 8;
}

static struct fake_device *add_servo(struct fake_line *line, u8 id, u16 model)
{
	struct fake_device *dev = fake_line_device(line, id, DXL_PROTOCOL_1);

	put_le16(dev->table + REG_MODEL, model);
	dev->table[REG_FIRMWARE] = 24;
	dev->table[REG_RETURN_DELAY] = 250;
	dev->table[REG_STATUS_LEVEL] = DXL_ANSWERS_ALL;
	dev->table[REG_TORQUE_ENABLE] = 1;

	return dev;
}

static void drop_held(void *data)
{
	struct fixture *f = data;

	while (f->num_held)
		put_device(f->held[--f->num_held]);
}

static int servo_test_init(struct kunit *test)
{
	struct fwnode_handle *node = fake_tree_bus(test, "bus-servos");
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;

	test->priv = f;
	f->line = fake_line_create(test, 1000000, node);
	f->knee = add_servo(f->line, 1, MODEL_AX12);
	f->head = add_servo(f->line, 2, MODEL_MX28);
	f->ankle = add_servo(f->line, 7, MODEL_AX12);

	return kunit_add_action_or_reset(test, drop_held, f);
}

/* Add the bus and let the driver bind, as it does in its own time. */
static void bind(struct kunit *test)
{
	struct fixture *f = test->priv;

	fake_line_add(test, f->line);
	wait_for_device_probe();
}

static struct device *hold(struct fixture *f, struct device *dev)
{
	if (dev)
		f->held[f->num_held++] = dev;

	return dev;
}

static struct dxl_device *servo_device(struct kunit *test, u8 id)
{
	struct fixture *f = test->priv;
	struct device *dev;
	char name[16];

	snprintf(name, sizeof(name), "%d-%03u", f->line->bus->nr, id);
	dev = hold(f, device_find_child_by_name(dxl_bus_dev(f->line->bus),
						name));
	KUNIT_ASSERT_NOT_NULL_MSG(test, dev, "%s", name);

	return to_dxl_device(dev);
}

static int is_iio(struct device *dev, void *data)
{
	return dev->bus == &iio_bus_type;
}

/* The IIO device of a servo, or NULL if the driver has not bound to it. */
static struct iio_dev *find_servo(struct kunit *test, u8 id)
{
	struct dxl_device *ddev = servo_device(test, id);
	struct device *dev;

	dev = hold(test->priv, device_find_child(&ddev->dev, NULL, is_iio));

	return dev ? dev_to_iio_dev(dev) : NULL;
}

static struct iio_channel servo_channel(struct kunit *test, u8 id,
					enum iio_chan_type type, bool output)
{
	struct iio_dev *indio_dev = find_servo(test, id);
	int i;

	KUNIT_ASSERT_NOT_NULL_MSG(test, indio_dev, "is dxl_servo loaded?");
	for (i = 0; i < indio_dev->num_channels; i++) {
		const struct iio_chan_spec *spec = &indio_dev->channels[i];

		if (spec->type == type && spec->output == output)
			return (struct iio_channel){
				.indio_dev = indio_dev,
				.channel = spec,
			};
	}

	KUNIT_FAIL_AND_ABORT(test, "servo %u lacks a channel of type %d", id,
			     type);

	return (struct iio_channel){};
}

static int read_raw(struct iio_channel chan)
{
	int value, ret;

	ret = iio_read_channel_raw(&chan, &value);

	return ret < 0 ? ret : value;
}

static int write_raw(struct iio_channel chan, int value)
{
	return iio_write_channel_raw(&chan, value);
}

static int read_attr(struct iio_channel chan, enum iio_chan_info_enum info)
{
	int value, unused, ret;

	ret = iio_read_channel_attribute(&chan, &value, &unused, info);

	return ret < 0 ? ret : value;
}

/* What userspace makes of a raw value: (raw + offset) * scale, in billionths */
static s64 in_nano(struct kunit *test, struct iio_channel chan, int raw)
{
	int offset = 0, integer, nano, unused, ret;

	if (chan.channel->type == IIO_ANGL) {
		ret = iio_read_channel_attribute(&chan, &offset, &unused,
						 IIO_CHAN_INFO_OFFSET);
		KUNIT_ASSERT_EQ(test, ret, IIO_VAL_INT);
	}

	ret = iio_read_channel_attribute(&chan, &integer, &nano,
					 IIO_CHAN_INFO_SCALE);
	if (ret == IIO_VAL_INT)
		nano = 0;
	else
		KUNIT_ASSERT_EQ(test, ret, IIO_VAL_INT_PLUS_NANO);

	return (s64)(raw + offset) * (integer * 1000000000LL + nano);
}

/* A table holds a step to a billionth, and there are 2048 of them at most. */
static void expect_nano(struct kunit *test, struct iio_channel chan, int raw,
			s64 want)
{
	s64 got = in_nano(test, chan, raw);

	KUNIT_EXPECT_LE_MSG(test, abs(got - want), 2048,
			    "%s: raw %d is %lld, not %lld",
			    chan.indio_dev->name, raw, got, want);
}

/* --- units --- */

/* 300 degrees in 1024 steps, 0 in the middle. */
static void servo_ax12_position(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel in, out;

	bind(test);
	in = servo_channel(test, 1, IIO_ANGL, IN);
	out = servo_channel(test, 1, IIO_ANGL, OUT);

	expect_nano(test, in, 0, -2617993878LL);
	expect_nano(test, in, 512, 0);
	expect_nano(test, in, 1023, 2612880609LL);
	expect_nano(test, out, 0, -2617993878LL);
	expect_nano(test, out, 512, 0);
	expect_nano(test, out, 1023, 2612880609LL);

	put_le16(f->knee->table + REG_POSITION, 777);
	KUNIT_EXPECT_EQ(test, read_raw(in), 777);
	put_le16(f->knee->table + REG_GOAL, 1001);
	KUNIT_EXPECT_EQ(test, read_raw(out), 1001);
}

/* 360 degrees in 4096 steps. */
static void servo_mx28_position(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel in;

	bind(test);
	in = servo_channel(test, 2, IIO_ANGL, IN);
	expect_nano(test, in, 0, -3141592654LL);
	expect_nano(test, in, 2048, 0);
	expect_nano(test, in, 4095, 3140058673LL);

	put_le16(f->head->table + REG_POSITION, 4095);
	KUNIT_EXPECT_EQ(test, read_raw(in), 4095);
}

/* 0.111 and 0.114 rpm a step. */
static void servo_speed(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel in, out;

	bind(test);
	in = servo_channel(test, 1, IIO_ANGL_VEL, IN);
	out = servo_channel(test, 1, IIO_ANGL_VEL, OUT);
	/* 113.553 and 59.052 rpm. */
	expect_nano(test, out, 1023, 11891242352LL);
	expect_nano(test, in, 532, 6183910979LL);
	expect_nano(test, in, 0, 0);

	put_le16(f->knee->table + REG_SPEED, 0x3ff);
	KUNIT_EXPECT_EQ(test, read_raw(in), 1023);
	put_le16(f->knee->table + REG_SPEED, 0x400);
	KUNIT_EXPECT_EQ(test, read_raw(in), 0);
	put_le16(f->knee->table + REG_GOAL_SPEED, 0x3ff);
	KUNIT_EXPECT_EQ(test, read_raw(out), 1023);

	/* 116.622 rpm. */
	out = servo_channel(test, 2, IIO_ANGL_VEL, OUT);
	expect_nano(test, out, 1023, 12212627282LL);
}

/* Bit 10 set means clockwise, which is negative. */
static void servo_speed_sign(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel in;
	int value;

	bind(test);
	in = servo_channel(test, 1, IIO_ANGL_VEL, IN);
	put_le16(f->knee->table + REG_SPEED, 0x400 | 100);
	KUNIT_EXPECT_EQ(test, iio_read_channel_raw(&in, &value), IIO_VAL_INT);
	KUNIT_EXPECT_EQ(test, value, -100);

	put_le16(f->knee->table + REG_SPEED, 0x7ff);
	KUNIT_EXPECT_EQ(test, iio_read_channel_raw(&in, &value), IIO_VAL_INT);
	KUNIT_EXPECT_EQ(test, value, -1023);
}

static void servo_supply(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel volt, temp;

	bind(test);
	volt = servo_channel(test, 1, IIO_VOLTAGE, IN);
	temp = servo_channel(test, 1, IIO_TEMP, IN);

	/* IIO has millivolts and thousandths of a degree. */
	f->knee->table[REG_VOLTAGE] = 121;
	KUNIT_EXPECT_EQ(test, read_raw(volt), 121);
	expect_nano(test, volt, 121, 12100 * 1000000000LL);
	f->knee->table[REG_TEMPERATURE] = 200;
	KUNIT_EXPECT_EQ(test, read_raw(temp), 200);
	expect_nano(test, temp, 43, 43000 * 1000000000LL);
}

/* --- shares of the maximum torque --- */

struct load_case {
	u16 raw;
	const char *percent;
};

static const struct load_case load_cases[] = {
	{ 0x000, "0.0\n" },
	{ 0x001, "0.1\n" },
	{ 0x200, "50.0\n" },
	{ 0x3ff, "100.0\n" },
	{ 0x400, "0.0\n" },
	{ 0x401, "-0.1\n" },
	{ 0x400 | 126, "-12.3\n" },
	{ 0x7ff, "-100.0\n" },
};

static void servo_load(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel in;
	char *buf;
	size_t i;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	bind(test);
	in = servo_channel(test, 1, IIO_ANGL, IN);
	for (i = 0; i < ARRAY_SIZE(load_cases); i++) {
		put_le16(f->knee->table + REG_LOAD, load_cases[i].raw);
		KUNIT_EXPECT_GT(test, iio_read_channel_ext_info(&in, "load",
								buf), 0);
		KUNIT_EXPECT_STREQ(test, buf, load_cases[i].percent);
	}
}

struct torque_case {
	const char *percent;
	int raw;
};

static const struct torque_case torque_cases[] = {
	{ "0", 0 }, { "0.0", 0 }, { "0.1", 1 }, { "50", 512 }, { "50.0\n", 512 },
	{ "99.9", 1022 }, { "100", 1023 }, { "100.0", 1023 },
	{ "100.1", -ERANGE }, { "101", -ERANGE }, { "-1", -ERANGE },
	{ "-0.1", -ERANGE }, { "all", -EINVAL },
};

static void servo_torque_limit(struct kunit *test)
{
	struct fixture *f = test->priv;
	u8 *reg = f->knee->table + REG_TORQUE_LIMIT;
	struct iio_channel out;
	size_t i;

	bind(test);
	out = servo_channel(test, 1, IIO_ANGL, OUT);
	for (i = 0; i < ARRAY_SIZE(torque_cases); i++) {
		const struct torque_case *c = &torque_cases[i];
		ssize_t len = strlen(c->percent);

		put_le16(reg, 0x7777);
		KUNIT_EXPECT_EQ_MSG(test,
				    iio_write_channel_ext_info(&out,
							       "torque_limit",
							       c->percent, len),
				    c->raw < 0 ? c->raw : len, "\"%s\"",
				    c->percent);
		KUNIT_EXPECT_EQ_MSG(test, reg[0] | reg[1] << 8,
				    c->raw < 0 ? 0x7777 : c->raw, "\"%s\"",
				    c->percent);
	}
}

static void servo_torque_limit_read(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel out;
	char *buf;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	bind(test);
	out = servo_channel(test, 1, IIO_ANGL, OUT);
	put_le16(f->knee->table + REG_TORQUE_LIMIT, 256);
	KUNIT_EXPECT_GT(test, iio_read_channel_ext_info(&out, "torque_limit",
							buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, "25.0\n");
}

/* --- goals --- */

static void servo_goal(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel goal, speed;

	bind(test);
	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	speed = servo_channel(test, 1, IIO_ANGL_VEL, OUT);

	KUNIT_EXPECT_EQ(test, write_raw(goal, 512), 0);
	KUNIT_EXPECT_TRUE(test,
			  FAKE_LINE_WROTE(f->line, 0xff, 0xff, 0x01, 0x05, 0x03,
					  0x1e, 0x00, 0x02, 0xd6));
	KUNIT_EXPECT_EQ(test, write_raw(speed, 0x123), 0);
	KUNIT_EXPECT_TRUE(test,
			  FAKE_LINE_WROTE(f->line, 0xff, 0xff, 0x01, 0x05, 0x03,
					  0x20, 0x23, 0x01, 0xb2));
}

static void expect_range(struct kunit *test, struct iio_channel chan, int max)
{
	struct fixture *f = test->priv;
	unsigned int writes = f->line->writes;
	const int *values;
	int type, len;

	KUNIT_EXPECT_EQ(test, write_raw(chan, -1), -ERANGE);
	KUNIT_EXPECT_EQ(test, write_raw(chan, max + 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, write_raw(chan, 0x10000), -ERANGE);
	KUNIT_EXPECT_EQ(test, f->line->writes, writes);
	KUNIT_EXPECT_EQ(test, write_raw(chan, 0), 0);
	KUNIT_EXPECT_EQ(test, write_raw(chan, max), 0);
	KUNIT_EXPECT_EQ(test, read_raw(chan), max);

	KUNIT_ASSERT_EQ(test,
			iio_read_avail_channel_attribute(&chan, &values, &type,
							 &len,
							 IIO_CHAN_INFO_RAW),
			IIO_AVAIL_RANGE);
	KUNIT_EXPECT_EQ(test, type, IIO_VAL_INT);
	KUNIT_EXPECT_EQ(test, values[0], 0);
	KUNIT_EXPECT_EQ(test, values[1], 1);
	KUNIT_EXPECT_EQ(test, values[2], max);
}

static void servo_goal_range(struct kunit *test)
{
	bind(test);
	expect_range(test, servo_channel(test, 1, IIO_ANGL, OUT), 1023);
	expect_range(test, servo_channel(test, 1, IIO_ANGL_VEL, OUT), 1023);
	expect_range(test, servo_channel(test, 2, IIO_ANGL, OUT), 4095);
	expect_range(test, servo_channel(test, 2, IIO_ANGL_VEL, OUT), 1023);
}

static void servo_torque_enable(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel out;

	bind(test);
	out = servo_channel(test, 1, IIO_ANGL, OUT);
	KUNIT_EXPECT_EQ(test, read_attr(out, IIO_CHAN_INFO_ENABLE), 1);
	KUNIT_EXPECT_EQ(test,
			iio_write_channel_attribute(&out, 0, 0,
						    IIO_CHAN_INFO_ENABLE), 0);
	KUNIT_EXPECT_EQ(test, f->knee->table[REG_TORQUE_ENABLE], 0);
	KUNIT_EXPECT_EQ(test, read_attr(out, IIO_CHAN_INFO_ENABLE), 0);
	KUNIT_EXPECT_EQ(test,
			iio_write_channel_attribute(&out, 1, 0,
						    IIO_CHAN_INFO_ENABLE), 0);
	KUNIT_EXPECT_EQ(test, f->knee->table[REG_TORQUE_ENABLE], 1);
}

static void servo_write_impossible(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel in, out;
	unsigned int writes;

	bind(test);
	in = servo_channel(test, 1, IIO_ANGL, IN);
	out = servo_channel(test, 1, IIO_ANGL, OUT);
	writes = f->line->writes;

	KUNIT_EXPECT_EQ(test, write_raw(in, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test,
			iio_write_channel_attribute(&out, 1, 5,
						    IIO_CHAN_INFO_RAW),
			-EINVAL);
	KUNIT_EXPECT_EQ(test,
			iio_write_channel_attribute(&out, 1, 0,
						    IIO_CHAN_INFO_SCALE),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, f->line->writes, writes);
}

/* --- binding --- */

static void servo_binds(struct kunit *test)
{
	struct dxl_device *ddev;
	struct iio_dev *knee, *head;

	bind(test);
	knee = find_servo(test, 1);
	head = find_servo(test, 2);
	KUNIT_ASSERT_NOT_NULL_MSG(test, knee, "is dxl_servo loaded?");
	KUNIT_ASSERT_NOT_NULL(test, head);
	KUNIT_EXPECT_STREQ(test, knee->name, "ax-12");
	KUNIT_EXPECT_STREQ(test, knee->label, "RightKnee");
	KUNIT_EXPECT_STREQ(test, head->name, "mx-28");
	KUNIT_EXPECT_STREQ(test, head->label, "HeadYaw");

	ddev = servo_device(test, 1);
	KUNIT_EXPECT_TRUE(test, ddev->identified);
	KUNIT_EXPECT_EQ(test, ddev->model_number, MODEL_AX12);
	KUNIT_EXPECT_EQ(test, ddev->firmware_version, 24);
}

static void servo_of_wrong_model(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->knee->table[REG_MODEL] = MODEL_MX28;
	bind(test);
	KUNIT_EXPECT_NULL(test, find_servo(test, 1));
	KUNIT_EXPECT_NOT_NULL(test, find_servo(test, 2));
}

static void servo_says_how_it_answers(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel goal;
	struct dxl_device *ddev;

	f->knee->table[REG_RETURN_DELAY] = 7;
	f->knee->table[REG_STATUS_LEVEL] = DXL_ANSWERS_READ;
	f->knee->status_level = DXL_ANSWERS_READ;
	bind(test);
	ddev = servo_device(test, 1);
	KUNIT_EXPECT_EQ(test, ddev->return_delay_us, 14);
	KUNIT_EXPECT_EQ(test, ddev->status_level, DXL_ANSWERS_READ);

	/* Done without an answer: to wait for one would fail. */
	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	fake_line_set_margin(f->line, 0);
	KUNIT_EXPECT_EQ(test, write_raw(goal, 5), 0);
	fake_line_set_margin(f->line, FAKE_NEVER_US);
	KUNIT_EXPECT_EQ(test, read_raw(goal), 5);
}

static void servo_silent(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel knee, head;

	f->knee->silent = true;
	bind(test);
	knee = servo_channel(test, 1, IIO_ANGL, OUT);
	head = servo_channel(test, 2, IIO_ANGL, OUT);
	KUNIT_EXPECT_EQ(test, read_raw(knee), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, write_raw(knee, 5), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, write_raw(head, 5), 0);
	KUNIT_EXPECT_FALSE(test, servo_device(test, 1)->identified);
	/* What needs no servo is known of one that never answered. */
	KUNIT_EXPECT_EQ(test, read_attr(knee, IIO_CHAN_INFO_OFFSET), -512);

	f->knee->silent = false;
	KUNIT_EXPECT_EQ(test, write_raw(knee, 6), 0);
	KUNIT_EXPECT_EQ(test, read_raw(knee), 6);
	KUNIT_EXPECT_TRUE(test, servo_device(test, 1)->identified);
	KUNIT_EXPECT_EQ(test, servo_device(test, 1)->return_delay_us, 500);

	f->knee->silent = true;
	KUNIT_EXPECT_EQ(test, read_raw(knee), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, read_raw(head), 5);
}

/* One that comes back as another model is not driven. */
static void servo_silent_then_wrong(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel knee;

	f->knee->silent = true;
	bind(test);
	knee = servo_channel(test, 1, IIO_ANGL, OUT);
	f->knee->silent = false;
	f->knee->table[REG_MODEL] = MODEL_MX28;
	KUNIT_EXPECT_EQ(test, write_raw(knee, 5), -ENODEV);
	KUNIT_EXPECT_EQ(test, f->knee->table[REG_GOAL], 0);
}

static void servo_errors(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel knee;

	bind(test);
	knee = servo_channel(test, 1, IIO_ANGL, IN);
	put_le16(f->knee->table + REG_POSITION, 300);
	f->knee->error = DXL1_ERR_OVERHEAT | DXL1_ERR_OVERLOAD;
	KUNIT_EXPECT_EQ(test, read_raw(knee), 300);
	f->knee->error = DXL1_ERR_INSTRUCTION;
	KUNIT_EXPECT_EQ(test, read_raw(knee), -EREMOTEIO);
}

static void servo_relaxes_on_removal(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	f->head->silent = true;
	bind(test);
	KUNIT_EXPECT_EQ(test, f->knee->table[REG_TORQUE_ENABLE], 1);
	for (i = 0; i < f->num_held; i++)
		put_device(f->held[i]);
	f->num_held = 0;

	f->head->silent = false;
	fake_line_remove(f->line);
	KUNIT_EXPECT_EQ(test, f->knee->table[REG_TORQUE_ENABLE], 0);
	KUNIT_EXPECT_EQ(test, f->ankle->table[REG_TORQUE_ENABLE], 0);
	/* It has never answered, but may have heard a pose. */
	flush_work(&f->line->answer);
	KUNIT_EXPECT_EQ(test, f->head->table[REG_TORQUE_ENABLE], 0);
}

static void servo_relaxes_on_shutdown(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct dxl_device *ddev;

	bind(test);
	ddev = servo_device(test, 1);
	ddev->dev.bus->shutdown(&ddev->dev);
	KUNIT_EXPECT_EQ(test, f->knee->table[REG_TORQUE_ENABLE], 0);
	KUNIT_EXPECT_EQ(test, f->ankle->table[REG_TORQUE_ENABLE], 1);
}

/* --- pose --- */

static int is_iio_named(struct device *dev, void *name)
{
	/* Triggers are on this bus too. */
	if (!is_iio(dev, NULL) || !strstarts(dev_name(dev), "iio:device"))
		return 0;

	return !strcmp(dev_to_iio_dev(dev)->name, name);
}

/* The pose device comes, and comes anew, a moment after the servos. */
static struct iio_dev *wait_for_pose(struct kunit *test, int channels)
{
	struct fixture *f = test->priv;
	struct device *bus = dxl_bus_dev(f->line->bus);
	struct device *dev;
	unsigned int ms;
	char name[24];

	snprintf(name, sizeof(name), "%s-goal", dev_name(bus));
	for (ms = 0; ms < FAKE_PATIENCE_MS; ms += 20) {
		dev = device_find_child(bus, name, is_iio_named);
		if (dev && dev_to_iio_dev(dev)->num_channels == channels)
			return dev_to_iio_dev(hold(f, dev));
		put_device(dev);
		msleep(20);
	}

	return NULL;
}

static void expect_pose_channel(struct kunit *test, struct iio_dev *pose,
				int index, u8 id, enum iio_chan_type type)
{
	const struct iio_chan_spec *chan = &pose->channels[index];

	KUNIT_EXPECT_EQ(test, chan->type, type);
	KUNIT_EXPECT_EQ(test, chan->channel, id);
	KUNIT_EXPECT_TRUE(test, chan->output);
	KUNIT_EXPECT_EQ(test, chan->scan_index, index);
	KUNIT_EXPECT_EQ(test, chan->scan_type.sign, 'u');
	KUNIT_EXPECT_EQ(test, chan->scan_type.realbits, 16);
	KUNIT_EXPECT_EQ(test, chan->scan_type.storagebits, 16);
	KUNIT_EXPECT_EQ(test, chan->scan_type.endianness, IIO_LE);
}

static struct iio_channel pose_channel(struct iio_dev *pose, int index)
{
	return (struct iio_channel){
		.indio_dev = pose,
		.channel = &pose->channels[index],
	};
}

/* By rising ID, however the nodes are ordered. */
static void servo_pose(struct kunit *test)
{
	static const u8 ids[] = { 1, 2, 7 };
	static const char * const labels[] = { "RightKnee\n", "HeadYaw\n",
					       "LeftAnkle\n" };
	struct fixture *f = test->priv;
	struct iio_dev *pose;
	char *buf;
	size_t i;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	bind(test);
	pose = wait_for_pose(test, 2 * ARRAY_SIZE(ids));
	KUNIT_ASSERT_NOT_NULL(test, pose);

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		expect_pose_channel(test, pose, 2 * i, ids[i], IIO_ANGL);
		expect_pose_channel(test, pose, 2 * i + 1, ids[i],
				    IIO_ANGL_VEL);
		KUNIT_EXPECT_GT(test,
				pose->info->read_label(pose,
						       &pose->channels[2 * i],
						       buf), 0);
		KUNIT_EXPECT_STREQ(test, buf, labels[i]);
	}

	expect_nano(test, pose_channel(pose, 0), 1023, 2612880609LL);
	expect_nano(test, pose_channel(pose, 2), 4095, 3140058673LL);
	put_le16(f->ankle->table + REG_GOAL, 321);
	KUNIT_EXPECT_EQ(test, read_raw(pose_channel(pose, 4)), 321);
}

/* A pose in the steps of one model must not move a servo of another. */
static void servo_pose_without_wrong(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct iio_channel knee;
	struct iio_dev *pose;

	f->knee->silent = true;
	bind(test);
	KUNIT_ASSERT_NOT_NULL(test, wait_for_pose(test, 6));

	knee = servo_channel(test, 1, IIO_ANGL, OUT);
	f->knee->silent = false;
	f->knee->table[REG_MODEL] = MODEL_MX28;
	KUNIT_EXPECT_EQ(test, write_raw(knee, 5), -ENODEV);
	pose = wait_for_pose(test, 4);
	KUNIT_ASSERT_NOT_NULL(test, pose);
	expect_pose_channel(test, pose, 0, 2, IIO_ANGL);
	expect_pose_channel(test, pose, 2, 7, IIO_ANGL);

	f->knee->table[REG_MODEL] = MODEL_AX12;
	KUNIT_EXPECT_EQ(test, write_raw(knee, 5), 0);
	KUNIT_EXPECT_NOT_NULL(test, wait_for_pose(test, 6));
}

/* --- table of models --- */

static void expect_field(struct kunit *test,
			 const struct dxl_servo_field *field)
{
	KUNIT_EXPECT_GE(test, field->size, 1);
	KUNIT_EXPECT_LE(test, field->size, 2);
	KUNIT_EXPECT_LE(test, field->addr + field->size, 0x100);
	/* All bits up to one below the sign, which must be in the register. */
	KUNIT_EXPECT_EQ(test, field->magnitude & (field->magnitude + 1), 0);
	KUNIT_EXPECT_LT(test, field->magnitude + 1, 1 << (8 * field->size));
}

static void expect_model(struct kunit *test,
			 const struct dxl_servo_model *model)
{
	const struct dxl_servo_field *goal, *speed;
	int reg;

	for (reg = 0; reg < SERVO_REGS; reg++)
		expect_field(test, &model->fields[reg]);

	/* The two are written as one. */
	goal = &model->fields[SERVO_GOAL_POSITION];
	speed = &model->fields[SERVO_GOAL_SPEED];
	KUNIT_EXPECT_EQ(test, speed->addr, goal->addr + goal->size);

	KUNIT_EXPECT_NOT_NULL(test, model->name);
	KUNIT_EXPECT_GE(test, model->position_zero, model->position_range[0]);
	KUNIT_EXPECT_LE(test, model->position_zero, model->position_range[2]);
	/* Fractions of a unit, and no torque to divide by would be fatal. */
	KUNIT_EXPECT_LT(test, model->position_nrad, 1000000000);
	KUNIT_EXPECT_LT(test, model->speed_nrad_s, 1000000000);
	KUNIT_EXPECT_GT(test, model->torque_max, 0);
	KUNIT_EXPECT_GT(test, model->speed_range[2], model->speed_range[0]);
}

static void servo_models(struct kunit *test)
{
	expect_model(test, &dxl_ax12);
	expect_model(test, &dxl_mx28);
}

static struct kunit_case servo_cases[] = {
	KUNIT_CASE(servo_ax12_position),
	KUNIT_CASE(servo_mx28_position),
	KUNIT_CASE(servo_speed),
	KUNIT_CASE(servo_speed_sign),
	KUNIT_CASE(servo_supply),
	KUNIT_CASE(servo_load),
	KUNIT_CASE(servo_torque_limit),
	KUNIT_CASE(servo_torque_limit_read),
	KUNIT_CASE(servo_goal),
	KUNIT_CASE(servo_goal_range),
	KUNIT_CASE(servo_torque_enable),
	KUNIT_CASE(servo_write_impossible),
	KUNIT_CASE(servo_binds),
	KUNIT_CASE(servo_of_wrong_model),
	KUNIT_CASE(servo_says_how_it_answers),
	KUNIT_CASE(servo_silent),
	KUNIT_CASE(servo_silent_then_wrong),
	KUNIT_CASE(servo_errors),
	KUNIT_CASE(servo_relaxes_on_removal),
	KUNIT_CASE(servo_relaxes_on_shutdown),
	KUNIT_CASE(servo_pose),
	KUNIT_CASE(servo_pose_without_wrong),
	KUNIT_CASE(servo_models),
	{}
};

static struct kunit_suite servo_suite = {
	.name = "dxl_servo",
	.init = servo_test_init,
	.test_cases = servo_cases,
};

kunit_test_suite(servo_suite);
