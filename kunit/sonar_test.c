// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the mode of a board's sonar; what it measures is in board_test.c
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_servo.h"

#define ID		202

#define REG_MODE	64

/* What no mode is, so that a write of 0 shows. */
#define UNTOUCHED	0xff

static u8 *mode_reg(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	return &f->line->devices[0].table[REG_MODE];
}

static struct device *bind_as(struct kunit *test, const char *name, u16 number)
{
	struct fake_servos *f = fake_servos_create(test, NULL);
	struct fake_device *dev;
	char text[48];
	ssize_t len;

	dev = fake_line_device(f->line, ID, DXL_PROTOCOL_2);
	put_le16(dev->table, number);
	dev->table[16] = DXL_ANSWERS_ALL;
	dev->table[REG_MODE] = UNTOUCHED;
	fake_line_add(test, f->line);
	len = snprintf(text, sizeof(text), "naohw,%s %u Sonar", name, ID);
	KUNIT_ASSERT_EQ(test,
			dev_attr_store(dxl_bus_dev(f->line->bus), "new_device",
				       text), len);
	wait_for_device_probe();

	return servo_iio(test, ID);
}

static struct device *bind(struct kunit *test)
{
	return bind_as(test, "nao-us", 0x4e08);
}

static char *page(struct kunit *test)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);

	return buf;
}

static void sonar_modes(struct kunit *test)
{
	static const u8 modes[] = {
		0, 1, 2, 3, 4, 8, 12, 64, 65, 66, 67, 68, 72, 76,
	};
	struct device *dev = bind(test);
	char *buf = page(test);
	unsigned int mode;
	char text[8];
	ssize_t len;

	KUNIT_EXPECT_EQ(test, *mode_reg(test), UNTOUCHED);
	for (mode = 0; mode < 256; mode++) {
		*mode_reg(test) = UNTOUCHED;
		len = snprintf(text, sizeof(text), "%u", mode);
		if (!memchr(modes, mode, sizeof(modes))) {
			KUNIT_EXPECT_EQ_MSG(test,
					    dev_attr_store(dev, "sonar_mode",
							   text),
					    -EINVAL, "mode %u", mode);
			KUNIT_EXPECT_EQ(test, *mode_reg(test), UNTOUCHED);
			continue;
		}
		KUNIT_EXPECT_EQ_MSG(test,
				    dev_attr_store(dev, "sonar_mode", text),
				    len, "mode %u", mode);
		KUNIT_EXPECT_EQ(test, *mode_reg(test), mode);
		KUNIT_EXPECT_GT(test, dev_attr_show(dev, "sonar_mode", buf), 0);
		KUNIT_EXPECT_STREQ(test, strim(buf), text);
	}

	KUNIT_EXPECT_GT(test, dev_attr_show(dev, "sonar_mode_available", buf),
			0);
	KUNIT_EXPECT_STREQ(test, buf,
			   "0 1 2 3 4 8 12 64 65 66 67 68 72 76\n");
}

static void sonar_nonsense(struct kunit *test)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "", -EINVAL }, { "x", -EINVAL }, { "4.0", -EINVAL },
		{ "-1", -EINVAL }, { "0x4", -EINVAL }, { "4 8", -EINVAL },
		{ "256", -ERANGE }, { "4294967300", -ERANGE },
	};
	struct device *dev = bind(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    dev_attr_store(dev, "sonar_mode",
						   cases[i].text),
				    cases[i].error, "\"%s\"", cases[i].text);
	KUNIT_EXPECT_EQ(test, *mode_reg(test), UNTOUCHED);
}

/* The same once more is another wave. */
static void sonar_again(struct kunit *test)
{
	struct device *dev = bind(test);

	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "sonar_mode", "4"), 1);
	*mode_reg(test) = UNTOUCHED;
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "sonar_mode", "4"), 1);
	KUNIT_EXPECT_EQ(test, *mode_reg(test), 4);
}

static void sonar_silent(struct kunit *test)
{
	struct device *dev = bind(test);
	struct fake_servos *f = test->priv;
	char *buf = page(test);

	f->line->devices[0].silent = true;
	KUNIT_EXPECT_LT(test, dev_attr_store(dev, "sonar_mode", "4"), 0);
	KUNIT_EXPECT_LT(test, dev_attr_show(dev, "sonar_mode", buf), 0);
	f->line->devices[0].silent = false;
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "sonar_mode", "4"), 1);
}

/* It is lost, and has no mode when it is back. */
static void lose_and_return(struct kunit *test)
{
	struct dxl_device *ddev = servo_device(test, ID);
	struct fake_servos *f = test->priv;

	servo_lose(&f->line->devices[0], ddev);
	*mode_reg(test) = UNTOUCHED;
	servo_find_again(&f->line->devices[0], ddev);
	device_lock(&ddev->dev);
	to_dxl_driver(ddev->dev.driver)->returned(ddev);
	device_unlock(&ddev->dev);
}

static void sonar_returns(struct kunit *test)
{
	struct device *dev = bind(test);

	lose_and_return(test);
	KUNIT_EXPECT_EQ(test, *mode_reg(test), UNTOUCHED);
	dev_attr_store(dev, "sonar_mode", "68");
	lose_and_return(test);
	KUNIT_EXPECT_EQ(test, *mode_reg(test), 68);
	/* One wave that was asked for is not sent again. */
	dev_attr_store(dev, "sonar_mode", "4");
	lose_and_return(test);
	KUNIT_EXPECT_EQ(test, *mode_reg(test), UNTOUCHED);
}

static bool goes_on(struct kunit *test, u8 mode)
{
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS; ms += 20) {
		if (READ_ONCE(*mode_reg(test)) == mode)
			return true;
		msleep(20);
	}

	return false;
}

/* Without power for so short a time that it was not lost. */
static void sonar_doubted(struct kunit *test)
{
	struct device *dev = bind(test);
	struct dxl_device *ddev = servo_device(test, ID);
	struct fake_servos *f = test->priv;
	char *buf = page(test);
	unsigned int tries = 8;

	dev_attr_store(dev, "sonar_mode", "76");
	f->line->devices[0].silent = true;
	*mode_reg(test) = UNTOUCHED;
	while (READ_ONCE(ddev->state) == DXL_ACTIVE && tries--)
		dev_attr_show(dev, "sonar_mode", buf);
	f->line->devices[0].silent = false;
	for (tries = 8; READ_ONCE(ddev->state) != DXL_ACTIVE && tries; tries--)
		dev_attr_show(dev, "sonar_mode", buf);
	KUNIT_EXPECT_TRUE(test, goes_on(test, 76));
	KUNIT_EXPECT_EQ(test, ddev->times_lost, 0);
}

/* It takes a mode, and nobody hears that it has. */
static void sonar_stops_unheard(struct kunit *test)
{
	struct device *dev = bind(test);
	struct fake_servos *f = test->priv;

	dev_attr_store(dev, "sonar_mode", "68");
	f->line->devices[0].silent = true;
	KUNIT_EXPECT_LT(test, dev_attr_store(dev, "sonar_mode", "0"), 0);
	f->line->devices[0].silent = false;
	lose_and_return(test);
	KUNIT_EXPECT_EQ(test, *mode_reg(test), UNTOUCHED);
}

/* The write that was to have it go on was in vain. */
static void sonar_renewed_later(struct kunit *test)
{
	struct device *dev = bind(test);
	struct dxl_device *ddev = servo_device(test, ID);
	struct fake_servos *f = test->priv;

	dev_attr_store(dev, "sonar_mode", "68");
	*mode_reg(test) = UNTOUCHED;
	WRITE_ONCE(f->line->bus->queue->retries, 0);
	f->line->devices[0].silent = true;
	device_lock(&ddev->dev);
	to_dxl_driver(ddev->dev.driver)->doubted(ddev);
	device_unlock(&ddev->dev);
	f->line->devices[0].silent = false;
	KUNIT_EXPECT_EQ(test, ddev->state, DXL_ACTIVE);
	KUNIT_EXPECT_TRUE(test, goes_on(test, 68));
}

static void sonar_on_others(struct kunit *test)
{
	struct device *dev = bind_as(test, "nao-inertial-sensor", 0x4e07);

	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "sonar_mode", "4"), -ENOENT);
	KUNIT_EXPECT_EQ(test,
			dev_attr_store(dev, "sonar_mode_available", "4"),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, *mode_reg(test), UNTOUCHED);
}

static struct kunit_case sonar_test_cases[] = {
	KUNIT_CASE(sonar_modes),
	KUNIT_CASE(sonar_nonsense),
	KUNIT_CASE(sonar_again),
	KUNIT_CASE(sonar_silent),
	KUNIT_CASE(sonar_returns),
	KUNIT_CASE(sonar_doubted),
	KUNIT_CASE(sonar_stops_unheard),
	KUNIT_CASE(sonar_renewed_later),
	KUNIT_CASE(sonar_on_others),
	{}
};

static struct kunit_suite sonar_suite = {
	.name = "dxl_sonar",
	.test_cases = sonar_test_cases,
};

kunit_test_suite(sonar_suite);
