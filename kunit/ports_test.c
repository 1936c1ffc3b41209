// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what the device tree says is plugged into a board's ports
 *
 * What is expected here is computed from the makers' figures by hand and not from
 * the driver's table.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "fake_servo.h"

#define ID		200
#define NUMBER		0x0510

#define REG_OUTPUT	26
#define REG_PORTS	32

/* Of fake_buses.dtso: port 6 has the sensor that needs its output. */
#define OUTPUTS		0x20

/* Age, alarm and timestamp, which a frame has beside a board's inputs. */
#define FRAME_CHANNELS	3
#define INPUTS		9

static struct fake_device *fake(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	return f->servo[0];
}

/* The boards of a bus of the tree, from the first ID on. */
static void bind(struct kunit *test, const char *bus, u8 id, unsigned int count)
{
	struct fake_servos *f = fake_servos_create(test, bus);
	struct fake_device *dev;

	while (count--) {
		dev = fake_servos_add(f, id++, NUMBER);
		memset(dev->table + 24, 0, 22);
	}
	fake_servos_bind(test);
}

static void put_port(struct kunit *test, unsigned int port, u16 count)
{
	put_le16(fake(test)->table + REG_PORTS + 2 * (port - 1), count);
}

static struct iio_channel channel(struct kunit *test, struct iio_dev *iio,
				  enum iio_chan_type type, int axis, int number)
{
	struct iio_channel chan = { .indio_dev = iio };
	int i;

	for (i = 0; i < iio->num_channels; i++) {
		const struct iio_chan_spec *spec = &iio->channels[i];

		if (spec->type == type && spec->channel == number &&
		    spec->channel2 == axis && spec->modified == !!axis)
			chan.channel = spec;
	}
	KUNIT_ASSERT_NOT_NULL_MSG(test, chan.channel, "no type %d, axis %d, number %d",
				  type, axis, number);

	return chan;
}

static struct iio_channel plugged(struct kunit *test, enum iio_chan_type type,
				  int axis, int number)
{
	return channel(test, servo_find(test, ID), type, axis, number);
}

/* --- what they are --- */

static void ports_are_scaled(struct kunit *test)
{
	struct iio_channel gyro, accel;

	bind(test, "bus-ports", ID, 1);
	gyro = plugged(test, IIO_ANGL_VEL, IIO_MOD_Y, 0);
	accel = plugged(test, IIO_ACCEL, IIO_MOD_Z, 0);
	put_port(test, 1, 455);
	KUNIT_EXPECT_EQ(test, chan_read(gyro), 455);
	/* 300 degrees a second, in rad/s */
	expect_nano(test, gyro, 455, 5235987756LL);
	expect_nano(test, gyro, 45, -5235987756LL);
	expect_nano(test, gyro, 250, 0);
	put_port(test, 2, 400);
	KUNIT_EXPECT_EQ(test, chan_read(accel), 400);
	/* 62 counts are 302734.375 uV, of which 33 mV are a tenth of g */
	expect_nano(test, accel, 400, 8996394117LL);
	expect_nano(test, accel, 338, 0);
}

static void ports_without_a_sensor(struct kunit *test)
{
	struct iio_channel chan;

	bind(test, "bus-ports", ID, 1);
	chan = plugged(test, IIO_VOLTAGE, 0, 3);
	put_port(test, 3, 512);
	KUNIT_EXPECT_EQ(test, chan_read(chan), 512);
	expect_nano(test, chan, 512, 2500000000000LL);
}

/* Two of a kind are told apart by their ports. */
static void ports_have_curves(struct kunit *test)
{
	static const struct {
		u16 count;
		int mm;
	} points[] = {
		{ 0, 0 }, { 69, 0 }, { 70, 800 }, { 71, 790 }, { 80, 700 },
		{ 225, 225 }, { 455, 100 }, { 540, 75 }, { 542, 74 },
		{ 624, 50 }, { 625, 50 }, { 1023, 50 },
	};
	struct iio_channel chan;
	unsigned int i;

	bind(test, "bus-ports", ID, 1);
	chan = plugged(test, IIO_DISTANCE, 0, 5);
	for (i = 0; i < ARRAY_SIZE(points); i++) {
		put_port(test, 5, points[i].count);
		KUNIT_EXPECT_EQ_MSG(test, chan_read(chan), points[i].mm,
				    "at %u", points[i].count);
	}
	expect_nano(test, chan, 800, 800000000LL);
	put_port(test, 4, 455);
	KUNIT_EXPECT_EQ(test, chan_read(plugged(test, IIO_DISTANCE, 0, 4)), 100);
}

static void ports_see_infrared(struct kunit *test)
{
	struct iio_channel chan;

	bind(test, "bus-ports", ID, 1);
	chan = plugged(test, IIO_PROXIMITY, 0, 6);
	put_port(test, 6, 777);
	KUNIT_EXPECT_EQ(test, chan_read(chan), 777);
	KUNIT_EXPECT_LT(test, chan_read_attr(chan, IIO_CHAN_INFO_SCALE), 0);
}

/* In a frame the number has the ID in it. */
static void ports_are_in_frames(struct kunit *test)
{
	struct iio_dev *iio;

	bind(test, "bus-ports", ID, 1);
	iio = servo_wait_for_state(test, INPUTS + FRAME_CHANNELS);
	KUNIT_ASSERT_NOT_NULL(test, iio);
	channel(test, iio, IIO_ANGL_VEL, IIO_MOD_Y, ID);
	channel(test, iio, IIO_DISTANCE, 0, ID + 1024 * 5);
	channel(test, iio, IIO_PROXIMITY, 0, ID + 1024 * 6);
}

/* --- their outputs --- */

static bool outputs_are(struct kunit *test, u8 outputs)
{
	unsigned int ms;

	for (ms = 0; ms < FAKE_PATIENCE_MS; ms += 20) {
		if (READ_ONCE(fake(test)->table[REG_OUTPUT]) == outputs)
			return true;
		msleep(20);
	}

	return false;
}

static void ports_outputs(struct kunit *test)
{
	struct dxl_device *ddev;

	bind(test, "bus-ports", ID, 1);
	KUNIT_EXPECT_EQ(test, fake(test)->table[REG_OUTPUT], OUTPUTS);

	ddev = servo_device(test, ID);
	servo_lose(fake(test), ddev);
	fake(test)->table[REG_OUTPUT] = 0;
	servo_find_again(fake(test), ddev);
	KUNIT_EXPECT_EQ(test, chan_read(plugged(test, IIO_PROXIMITY, 0, 6)), 0);
	KUNIT_EXPECT_EQ(test, fake(test)->table[REG_OUTPUT], OUTPUTS);
}

/* It has been without power for so short a time that it has not been lost. */
static void ports_outputs_doubted(struct kunit *test)
{
	struct dxl_device *ddev;
	struct iio_channel chan;
	unsigned int tries = 8;

	bind(test, "bus-ports", ID, 1);
	ddev = servo_device(test, ID);
	chan = plugged(test, IIO_VOLTAGE, 0, 3);
	fake(test)->silent = true;
	fake(test)->table[REG_OUTPUT] = 0;
	while (READ_ONCE(ddev->state) == DXL_ACTIVE && tries--)
		KUNIT_EXPECT_LT(test, chan_read(chan), 0);
	fake(test)->silent = false;
	KUNIT_EXPECT_TRUE(test, outputs_are(test, OUTPUTS));
	KUNIT_EXPECT_EQ(test, ddev->times_lost, 0);
}

/* --- trees that are wrong --- */

static void ports_refused(struct kunit *test)
{
	u8 id;

	/* Five of six, a word that is none, and a second sensor of an axis */
	bind(test, "bus-ports-wrong", 1, 3);
	for (id = 1; id <= 3; id++)
		KUNIT_EXPECT_NULL_MSG(test, servo_device(test, id)->dev.driver,
				      "board %u", id);
}

static struct kunit_case ports_test_cases[] = {
	KUNIT_CASE(ports_are_scaled),
	KUNIT_CASE(ports_without_a_sensor),
	KUNIT_CASE(ports_have_curves),
	KUNIT_CASE(ports_see_infrared),
	KUNIT_CASE(ports_are_in_frames),
	KUNIT_CASE(ports_outputs),
	KUNIT_CASE(ports_outputs_doubted),
	KUNIT_CASE(ports_refused),
	{}
};

static struct kunit_suite ports_suite = {
	.name = "dxl_ports",
	.test_cases = ports_test_cases,
};

kunit_test_suite(ports_suite);
