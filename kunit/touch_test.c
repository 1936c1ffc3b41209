// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the lights near touch sensors; lights and buttons for themselves are
 * in board_test.c
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/consumer.h>
#include <linux/leds.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "fake_servo.h"

#define ID		203
#define OTHER_ID	204

#define REG_TOUCH	24
#define REG_LIGHTS	64

#define LIGHTS		12

#define FRONT	BIT(0)
#define MIDDLE	BIT(1)
#define REAR	BIT(2)

/* By Documentation/boards/nao-boards.rst, which has the lights in this order. */
static const u8 near_front[LIGHTS] = { [0 ... 3] = 15 };
static const u8 near_middle[LIGHTS] = { [4 ... 5] = 15 };
static const u8 near_rear[LIGHTS] = { [6 ... 11] = 15 };
static const u8 near_ends[LIGHTS] = { [0 ... 3] = 15, [6 ... 11] = 15 };
static const u8 near_any[LIGHTS] = { [0 ... 11] = 15 };
static const u8 dark[LIGHTS];

static struct fake_device *add_head(struct fake_servos *f, u8 id)
{
	struct fake_device *dev = fake_line_device(f->line, id, DXL_PROTOCOL_2);

	put_le16(dev->table, 0x4e03);
	dev->table[16] = DXL_ANSWERS_ALL;

	return dev;
}

static void bind(struct kunit *test, u8 id)
{
	struct fake_servos *f = test->priv;
	char text[48];
	ssize_t len;

	len = snprintf(text, sizeof(text), "naohw,nao-touch-board %u Head", id);
	KUNIT_ASSERT_EQ(test,
			dev_attr_store(dxl_bus_dev(f->line->bus), "new_device",
				       text), len);
	wait_for_device_probe();
}

static struct fake_device *bind_head(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, NULL);
	struct fake_device *dev = add_head(f, ID);

	fake_line_add(test, f->line);
	bind(test, ID);

	return dev;
}

static struct led_classdev *light(struct kunit *test, u8 id, const char *name)
{
	struct dxl_device *ddev = servo_device(test, id);
	struct device *dev;

	dev = servos_hold(test->priv,
			  device_find_child_by_name(&ddev->dev, name));
	KUNIT_ASSERT_NOT_NULL_MSG(test, dev, "%s is missing", name);

	return dev_get_drvdata(dev);
}

/* The sensors are touched as in @bits, and somebody reads that. */
static void touch(struct kunit *test, struct fake_device *dev, u8 bits)
{
	dev->table[REG_TOUCH] = bits;
	KUNIT_EXPECT_EQ(test,
			chan_read(servo_channel(test, dev->id, IIO_COUNT, IN)),
			bits);
}

static void expect_lights(struct kunit *test, struct fake_device *dev,
			  const u8 *levels)
{
	const u8 *registers = dev->table + REG_LIGHTS;
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS; ms += 20) {
		if (!memcmp(registers, levels, LIGHTS))
			return;
		msleep(20);
	}
	KUNIT_EXPECT_MEMEQ(test, registers, levels, LIGHTS);
}

static void touch_lights(struct kunit *test)
{
	static const struct {
		u8 bits;
		const u8 *levels;
	} cases[] = {
		{ FRONT, near_front },
		{ MIDDLE, near_middle },
		{ REAR, near_rear },
		{ FRONT | REAR, near_ends },
		{ FRONT | MIDDLE | REAR, near_any },
		{ 0, dark },
		/* There are no more sensors than three. */
		{ 0xff, near_any },
		{ 0xf8, dark },
	};
	struct fake_device *dev = bind_head(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		touch(test, dev, cases[i].bits);
		expect_lights(test, dev, cases[i].levels);
	}
}

/* A light that has been told something since the touch keeps that until the next. */
static void touch_changes_lights_once(struct kunit *test)
{
	static const u8 dimmed[LIGHTS] = { 15, 3, 15, 15 };
	static const u8 and_middle[LIGHTS] = { 15, 3, 15, 15, 15, 15 };
	struct fake_device *dev = bind_head(test);

	touch(test, dev, FRONT);
	expect_lights(test, dev, near_front);
	led_set_brightness(light(test, ID, "Head:blue:front-left-1"), 3);
	expect_lights(test, dev, dimmed);
	touch(test, dev, FRONT);
	touch(test, dev, FRONT | MIDDLE);
	expect_lights(test, dev, and_middle);
}

static void touch_told_not_to(struct kunit *test)
{
	static const u8 others[LIGHTS] = { 15, 0, 0, 15 };
	struct fake_device *dev = bind_head(test);

	led_trigger_remove(light(test, ID, "Head:blue:front-left-1"));
	led_trigger_remove(light(test, ID, "Head:blue:front-right-0"));
	touch(test, dev, FRONT);
	expect_lights(test, dev, others);
	touch(test, dev, 0);
	expect_lights(test, dev, dark);
}

static const char *trigger_of(struct kunit *test, u8 id, const char *name)
{
	return light(test, id, name)->trigger->name;
}

/* The second of two robots, and the sensors of the first are not its own. */
static void touch_same_label(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, NULL);
	struct fake_device *first = add_head(f, ID);
	struct fake_device *second = add_head(f, OTHER_ID);
	const char *name = "Head:blue:front-left-0_1";

	fake_line_add(test, f->line);
	bind(test, ID);
	bind(test, OTHER_ID);
	KUNIT_EXPECT_STREQ(test, trigger_of(test, ID, "Head:blue:rear-left-0"),
			   "Head-touch-rear");
	KUNIT_EXPECT_NOT_NULL(test, strstr(trigger_of(test, OTHER_ID, name),
					   "-204-touch-front"));
	touch(test, second, FRONT);
	expect_lights(test, second, near_front);
	expect_lights(test, first, dark);
	touch(test, first, REAR);
	expect_lights(test, first, near_rear);
	expect_lights(test, second, near_front);
}

static struct kunit_case touch_test_cases[] = {
	KUNIT_CASE(touch_lights),
	KUNIT_CASE(touch_changes_lights_once),
	KUNIT_CASE(touch_told_not_to),
	KUNIT_CASE(touch_same_label),
	{}
};

static struct kunit_suite touch_suite = {
	.name = "dxl_touch",
	.test_cases = touch_test_cases,
};

kunit_test_suite(touch_suite);
