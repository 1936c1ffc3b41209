// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the table of servo models: each model as a servo in memory
 *
 * What is expected here is computed from the maker's figures by hand and not
 * from the driver's table. A servo is added as user space adds one, so that no
 * device tree is needed.
 */
#include <linux/device.h>
#include <linux/iio/consumer.h>
#include <linux/iio/iio.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../drivers/servo/servo.h"
#include "fake_servo.h"

#define ID	1

/**
 * struct kind - what models have in common
 * @protocol: protocol
 * @firmware: address of the firmware version
 * @table: the few registers that a servo in joint mode must have
 * @torque: torque enable
 * @goal: goal position
 * @speed: speed limit
 * @size: bytes of each
 * @max: highest position
 * @max_nrad: its angle, in nrad
 * @speed_unrad: thousand steps of speed, in nrad/s
 * @load: register of the load, or 0
 * @current_reg: register of the current, or 0
 * @gains: registers of KD, KI and KP, which lie in a row; or 0
 * @features: group instructions, with the newest firmware
 * @modes: operating modes
 */
struct kind {
	enum dxl_protocol protocol;
	u8 firmware;
	struct {
		u8 addr;
		u8 value;
	} table[3];
	u8 torque;
	u8 goal;
	u8 speed;
	u8 size;
	int max;
	s64 max_nrad;
	s64 speed_unrad;
	u8 load;
	u8 current_reg;
	u8 gains;
	u32 features;
	const char *modes;
};

#define V1_REGISTERS							\
	.protocol = DXL_PROTOCOL_1,					\
	.firmware = 2,							\
	.table = { { 5, 250 }, { 16, 2 } },				\
	.torque = 24,							\
	.goal = 30,							\
	.speed = 32,							\
	.size = 2,							\
	.load = 40

#define POSITION_PWM			"position pwm\n"
#define POSITION_VELOCITY_EXTENDED	"position velocity extended-position"

#define CAN_2	(DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ | DXL_CAN_BULK_WRITE)
#define CAN_FAST (DXL_CAN_FAST_SYNC_READ | DXL_CAN_FAST_BULK_READ)

/* 300 degrees are 1024 steps; 0.111 rpm */
static const struct kind kind_ax = {
	V1_REGISTERS,
	.max = 1023,
	.max_nrad = 2612880609LL,
	.speed_unrad = 11623892818LL,
	.modes = POSITION_PWM,
};

/* 251 degrees are 4096 steps; 0.111 rpm */
static const struct kind kind_ex = {
	V1_REGISTERS,
	.max = 4095,
	.max_nrad = 2189318686LL,
	.speed_unrad = 11623892818LL,
	.current_reg = 56,
	.modes = POSITION_PWM,
};

/* 360 degrees are 4096 steps; 0.916 rpm */
static const struct kind kind_mx12 = {
	V1_REGISTERS,
	.max = 4095,
	.max_nrad = 3140058673LL,
	.speed_unrad = 95923295690LL,
	.gains = 26,
	.features = DXL_CAN_BULK_READ,
	.modes = POSITION_VELOCITY_EXTENDED "\n",
};

/* 0.114 rpm */
static const struct kind kind_mx = {
	V1_REGISTERS,
	.max = 4095,
	.max_nrad = 3140058673LL,
	.speed_unrad = 11938052084LL,
	.gains = 26,
	.features = DXL_CAN_BULK_READ,
	.modes = POSITION_VELOCITY_EXTENDED "\n",
};

static const struct kind kind_mx64 = {
	V1_REGISTERS,
	.max = 4095,
	.max_nrad = 3140058673LL,
	.speed_unrad = 11938052084LL,
	.current_reg = 68,
	.gains = 26,
	.features = DXL_CAN_BULK_READ,
	.modes = POSITION_VELOCITY_EXTENDED "\n",
};

static const struct kind kind_xl320 = {
	.protocol = DXL_PROTOCOL_2,
	.firmware = 2,
	.table = { { 5, 250 }, { 11, 2 }, { 17, 2 } },
	.torque = 24,
	.goal = 30,
	.speed = 32,
	.size = 2,
	.max = 1023,
	.max_nrad = 2612880609LL,
	.speed_unrad = 11623892818LL,
	.load = 41,
	.gains = 27,
	.features = CAN_2,
	.modes = POSITION_PWM,
};

/* 360 degrees are 4096 steps; 0.229 rpm */
#define X_REGISTERS							\
	.protocol = DXL_PROTOCOL_2,					\
	.firmware = 6,							\
	.table = { { 9, 250 }, { 11, 3 }, { 68, 2 } },			\
	.torque = 64,							\
	.goal = 116,							\
	.speed = 112,							\
	.size = 4,							\
	.gains = 80,							\
	.max = 4095,							\
	.max_nrad = 3140058673LL,					\
	.speed_unrad = 23980823922LL

#define LOAD								\
	X_REGISTERS,							\
	.load = 126,							\
	.modes = POSITION_VELOCITY_EXTENDED " pwm\n"

#define CURRENT								\
	X_REGISTERS,							\
	.current_reg = 126,						\
	.modes = POSITION_VELOCITY_EXTENDED " pwm current current-position\n"

static const struct kind kind_load = { LOAD, .features = CAN_2 | CAN_FAST };

static const struct kind kind_current = {
	CURRENT,
	.features = CAN_2 | CAN_FAST,
};

/* By the maker's word MX have no fast reads, whatever their firmware. */
static const struct kind kind_mx_load = { LOAD, .features = CAN_2 };

static const struct kind kind_mx_current = { CURRENT, .features = CAN_2 };

/**
 * struct model_case - a model
 * @name: compatible without vendor, and name of the IIO device
 * @number: model number
 * @kind: what it has in common with others
 * @current_ua: current of the value 100 above 0, in uA
 * @current_max: highest goal current
 */
struct model_case {
	const char *name;
	u16 number;
	const struct kind *kind;
	int current_ua;
	int current_max;
};

static const struct model_case model_cases[] = {
	{ "ax-12", 12, &kind_ax },
	{ "ax-18", 18, &kind_ax },
	{ "rx-24f", 24, &kind_ax },
	{ "rx-28", 28, &kind_ax },
	{ "rx-64", 64, &kind_ax },
	{ "ex-106", 107, &kind_ex, -1000000 },
	{ "mx-12w", 360, &kind_mx12 },
	{ "mx-28", 29, &kind_mx },
	{ "mx-64", 310, &kind_mx64, 450000 },
	{ "mx-106", 320, &kind_mx64, 450000 },
	{ "mx-28-2", 30, &kind_mx_load },
	{ "mx-64-2", 311, &kind_mx_current, 336000, 1941 },
	{ "mx-106-2", 321, &kind_mx_current, 336000, 2047 },
	{ "xl-320", 350, &kind_xl320 },
	{ "xl430-w250", 1060, &kind_load },
	{ "xc430-w150", 1070, &kind_load },
	{ "xc430-w240", 1080, &kind_load },
	{ "xm430-w210", 1030, &kind_current, 269000, 1193 },
	{ "xm430-w350", 1020, &kind_current, 269000, 1193 },
	{ "xm540-w150", 1130, &kind_current, 269000, 2047 },
	{ "xm540-w270", 1120, &kind_current, 269000, 2047 },
	{ "xh430-w210", 1010, &kind_current, 269000, 648 },
	{ "xh430-w350", 1000, &kind_current, 269000, 648 },
	{ "xh430-v210", 1050, &kind_current, 134000, 689 },
	{ "xh430-v350", 1040, &kind_current, 134000, 689 },
	{ "xh540-w150", 1110, &kind_current, 269000, 2047 },
	{ "xh540-w270", 1100, &kind_current, 269000, 2047 },
	{ "xh540-v150", 1150, &kind_current, 269000, 1188 },
	{ "xh540-v270", 1140, &kind_current, 269000, 2047 },
};

static void model_desc(const struct model_case *model, char *desc)
{
	strscpy(desc, model->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(model, model_cases, model_desc);

static const struct model_case few_cases[] = {
	{ "ax-12", 12, &kind_ax },
	{ "mx-28-2", 30, &kind_mx_load },
	{ "xl-320", 350, &kind_xl320 },
	{ "xm430-w350", 1020, &kind_current },
};

KUNIT_ARRAY_PARAM(few, few_cases, model_desc);

static void put_le(u8 *p, u32 value, unsigned int size)
{
	for (; size; size--, value >>= 8)
		*p++ = value & 0xff;
}

static u32 get_le(const u8 *p, unsigned int size)
{
	u32 value = 0;

	while (size--)
		value = value << 8 | p[size];

	return value;
}

static struct fake_device *add_model(struct kunit *test,
				     const struct model_case *model,
				     u8 firmware)
{
	const struct kind *kind = model->kind;
	struct fake_servos *f = test->priv;
	struct fake_device *dev;
	unsigned int i;

	dev = fake_line_device(f->line, ID, kind->protocol);
	put_le16(dev->table, model->number);
	dev->table[kind->firmware] = firmware;
	dev->table[kind->torque] = 1;
	/* The higher angle limit. */
	if (kind->protocol == DXL_PROTOCOL_1)
		put_le16(dev->table + 8, kind->max);
	for (i = 0; i < ARRAY_SIZE(kind->table) && kind->table[i].addr; i++)
		dev->table[kind->table[i].addr] = kind->table[i].value;

	return dev;
}

static void bind_model(struct kunit *test, const struct model_case *model)
{
	struct fake_servos *f = test->priv;
	struct device *bus = dxl_bus_dev(f->line->bus);
	char text[48];
	ssize_t len;

	len = snprintf(text, sizeof(text), "robotis,%s %u Joint", model->name,
		       ID);
	fake_line_add(test, f->line);
	KUNIT_ASSERT_EQ(test, dev_attr_store(bus, "new_device", text), len);
	wait_for_device_probe();
}

static int model_test_init(struct kunit *test)
{
	fake_servos_create(test, NULL);

	return 0;
}

static void expect_device(struct kunit *test, const struct model_case *model)
{
	struct iio_dev *iio = dev_to_iio_dev(servo_iio(test, ID));
	struct dxl_device *ddev;

	KUNIT_EXPECT_STREQ(test, iio->name, model->name);
	KUNIT_EXPECT_STREQ(test, iio->label, "Joint");

	ddev = servo_device(test, ID);
	KUNIT_EXPECT_EQ(test, ddev->model_number, model->number);
	KUNIT_EXPECT_EQ(test, ddev->firmware_version, 45);
	KUNIT_EXPECT_EQ(test, ddev->return_delay_us, 500);
	KUNIT_EXPECT_EQ(test, ddev->features, model->kind->features);
	KUNIT_ASSERT_NOT_NULL(test, ddev->table);
	KUNIT_EXPECT_EQ(test, ddev->table->torque_enable, model->kind->torque);
	KUNIT_EXPECT_EQ(test, ddev->table->id, model->kind->firmware + 1);
	KUNIT_EXPECT_EQ(test, ddev->table->baud, model->kind->firmware + 2);
}

static void expect_goals(struct kunit *test, const struct model_case *model,
			 struct fake_device *dev)
{
	const struct kind *kind = model->kind;
	struct iio_channel goal, speed;

	goal = servo_channel(test, ID, IIO_ANGL, OUT);
	speed = servo_channel(test, ID, IIO_ANGL_VEL, OUT);
	expect_nano(test, goal, kind->max, kind->max_nrad);
	expect_nano(test, goal, (kind->max + 1) / 2, 0);
	expect_nano(test, speed, 1000, kind->speed_unrad);

	KUNIT_EXPECT_EQ(test, chan_write(goal, kind->max), 0);
	KUNIT_EXPECT_EQ(test, chan_write(goal, kind->max + 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, chan_write(speed, 513), 0);
	KUNIT_EXPECT_EQ(test, chan_write(speed, -1), -ERANGE);
	KUNIT_EXPECT_EQ(test, get_le(dev->table + kind->goal, kind->size),
			kind->max);
	KUNIT_EXPECT_EQ(test, get_le(dev->table + kind->speed, kind->size),
			513);
	KUNIT_EXPECT_EQ(test, chan_write_enable(goal, 0), 0);
	KUNIT_EXPECT_EQ(test, dev->table[kind->torque], 0);
}

static void expect_current(struct kunit *test, const struct model_case *model,
			   struct fake_device *dev)
{
	struct iio_channel in = servo_channel(test, ID, IIO_CURRENT, IN);
	struct iio_channel out;
	int zero = 0;

	if (model->kind->protocol == DXL_PROTOCOL_1)
		zero = -chan_read_attr(in, IIO_CHAN_INFO_OFFSET);
	put_le(dev->table + model->kind->current_reg, zero + 100, 2);
	KUNIT_EXPECT_EQ(test, chan_read(in), zero + 100);
	/* IIO has mA. */
	expect_nano(test, in, zero + 100, model->current_ua * 1000000LL);

	if (!model->current_max) {
		KUNIT_EXPECT_FALSE(test, servo_has_channel(test, ID,
							   IIO_CURRENT, OUT));
		return;
	}

	out = servo_channel(test, ID, IIO_CURRENT, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(out, model->current_max + 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, chan_write(out, -model->current_max), 0);
	KUNIT_EXPECT_EQ(test, get_le(dev->table + 102, 2),
			(u16)-model->current_max);
}

static void expect_load(struct kunit *test, const struct model_case *model,
			struct fake_device *dev)
{
	struct iio_channel in = servo_channel(test, ID, IIO_ANGL, IN);
	const char *want = model->kind->size == 4 ? "51.2\n" : "50.0\n";
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	put_le(dev->table + model->kind->load, 512, 2);
	KUNIT_EXPECT_GT(test, iio_read_channel_ext_info(&in, "load", buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, want);
}

static void expect_senses(struct kunit *test, const struct model_case *model,
			  struct fake_device *dev)
{
	const struct kind *kind = model->kind;

	KUNIT_EXPECT_TRUE(test, servo_has_channel(test, ID, IIO_TEMP, IN));
	KUNIT_EXPECT_TRUE(test, servo_has_channel(test, ID, IIO_VOLTAGE, IN));
	KUNIT_EXPECT_EQ(test, !!kind->current_reg,
			servo_has_channel(test, ID, IIO_CURRENT, IN));
	KUNIT_EXPECT_EQ(test, !!kind->load,
			!!servo_channel(test, ID, IIO_ANGL,
					IN).channel->ext_info);
	if (kind->current_reg)
		expect_current(test, model, dev);
	if (kind->load)
		expect_load(test, model, dev);
}

/* They are as wide as in Protocol 1.0, but where goals have four bytes. */
static void expect_gains(struct kunit *test, const struct model_case *model,
			 struct fake_device *dev)
{
	static const char *const names[] = { "kd", "ki", "kp" };
	static const char *const texts[] = { "101\n", "102\n", "103\n" };
	const struct kind *kind = model->kind;
	struct device *iio = servo_iio(test, ID);
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	unsigned int size = kind->size / 2, i;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		KUNIT_EXPECT_EQ(test, !!kind->gains,
				dev_has_attr(iio, names[i]));
		if (!kind->gains)
			continue;
		put_le(dev->table + kind->gains + i * size, 101 + i, size);
		KUNIT_EXPECT_GT(test, dev_attr_show(iio, names[i], buf), 0);
		KUNIT_EXPECT_STREQ(test, buf, texts[i]);
	}
	KUNIT_EXPECT_FALSE(test, dev_has_attr(iio, "gear_ratio"));
	KUNIT_EXPECT_FALSE(test, dev_has_attr(iio, "sensor_type"));
}

static void expect_modes(struct kunit *test, const struct model_case *model)
{
	struct device *dev = servo_iio(test, ID);
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_GT(test, dev_attr_show(dev, "operating_mode_available",
					    buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, model->kind->modes);
	KUNIT_EXPECT_GT(test, dev_attr_show(dev, "operating_mode", buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, "position\n");
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "operating_mode", "joint"),
			-EINVAL);
	/* The torque is on. */
	KUNIT_EXPECT_EQ(test,
			dev_attr_store(dev, "operating_mode",
				       strstr(model->kind->modes, "velocity") ?
				       "velocity" : "pwm"), -EBUSY);
}

static void model_is_as_the_manual_says(struct kunit *test)
{
	const struct model_case *model = test->param_value;
	struct fake_device *dev = add_model(test, model, 45);

	bind_model(test, model);
	expect_device(test, model);
	expect_senses(test, model, dev);
	expect_modes(test, model);
	expect_gains(test, model, dev);
	expect_goals(test, model, dev);
}

static void model_with_old_firmware(struct kunit *test)
{
	const struct model_case *model = test->param_value;

	add_model(test, model, 44);
	bind_model(test, model);
	KUNIT_EXPECT_EQ(test, servo_device(test, ID)->features,
			model->kind->features & ~CAN_FAST);
}

/* Until it has answered, it may be of the newest firmware. */
static void model_without_supply(struct kunit *test)
{
	const struct model_case *model = test->param_value;
	struct fake_device *dev = add_model(test, model, 44);
	const struct dxl_device *ddev;

	dev->silent = true;
	bind_model(test, model);
	ddev = servo_device(test, ID);
	KUNIT_EXPECT_EQ(test, ddev->features, model->kind->features);

	dev->silent = false;
	KUNIT_EXPECT_GE(test, chan_read(servo_channel(test, ID, IIO_ANGL, IN)), 0);
	KUNIT_EXPECT_EQ(test, ddev->features, model->kind->features & ~CAN_FAST);
}

/* The other number is that of no model. */
static void model_of_other_number(struct kunit *test)
{
	const struct model_case *model = test->param_value;
	struct model_case other = *model;

	other.number += 2000;
	add_model(test, &other, 45);
	bind_model(test, model);
	KUNIT_EXPECT_NULL(test, servo_find(test, ID));
}

/* All of them are here but for NAO's, which has tests of its own. */
static void models_are_all_tested(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, (int)ARRAY_SIZE(model_cases) + 1,
			DXL_SERVO_MODELS);
}

static struct kunit_case model_test_cases[] = {
	KUNIT_CASE_PARAM(model_is_as_the_manual_says, model_gen_params),
	KUNIT_CASE_PARAM(model_with_old_firmware, few_gen_params),
	KUNIT_CASE_PARAM(model_without_supply, few_gen_params),
	KUNIT_CASE_PARAM(model_of_other_number, few_gen_params),
	KUNIT_CASE(models_are_all_tested),
	{}
};

static struct kunit_suite model_suite = {
	.name = "dxl_model",
	.init = model_test_init,
	.test_cases = model_test_cases,
};

kunit_test_suite(model_suite);
