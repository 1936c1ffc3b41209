// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the servo driver, bound to servos that exist only in memory
 *
 * What is expected here is computed from the maker's figures by hand and not
 * from the driver's table.
 */
#include <linux/device.h>
#include <linux/iio/consumer.h>
#include <linux/iio/iio.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_servo.h"

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

/* The servos of `bus-servos` in the tree. */
#define KNEE	0
#define HEAD	1
#define ANKLE	2

static int servo_test_init(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);

	return 0;
}

/* --- units --- */

/* 300 degrees in 1024 steps, 0 in the middle. */
static void servo_ax12_position(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel in, out;

	fake_servos_bind(test);
	in = servo_channel(test, 1, IIO_ANGL, IN);
	out = servo_channel(test, 1, IIO_ANGL, OUT);

	expect_nano(test, in, 0, -2617993878LL);
	expect_nano(test, in, 512, 0);
	expect_nano(test, in, 1023, 2612880609LL);
	expect_nano(test, out, 0, -2617993878LL);
	expect_nano(test, out, 512, 0);
	expect_nano(test, out, 1023, 2612880609LL);

	put_le16(f->servo[KNEE]->table + REG_POSITION, 777);
	KUNIT_EXPECT_EQ(test, chan_read(in), 777);
	put_le16(f->servo[KNEE]->table + REG_GOAL, 1001);
	KUNIT_EXPECT_EQ(test, chan_read(out), 1001);
}

/* 360 degrees in 4096 steps. */
static void servo_mx28_position(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel in;

	fake_servos_bind(test);
	in = servo_channel(test, 2, IIO_ANGL, IN);
	expect_nano(test, in, 0, -3141592654LL);
	expect_nano(test, in, 2048, 0);
	expect_nano(test, in, 4095, 3140058673LL);

	put_le16(f->servo[HEAD]->table + REG_POSITION, 4095);
	KUNIT_EXPECT_EQ(test, chan_read(in), 4095);
}

/* 0.111 and 0.114 rpm a step. */
static void servo_speed(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel in, out;

	fake_servos_bind(test);
	in = servo_channel(test, 1, IIO_ANGL_VEL, IN);
	out = servo_channel(test, 1, IIO_ANGL_VEL, OUT);
	/* 113.553 and 59.052 rpm. */
	expect_nano(test, out, 1023, 11891242352LL);
	expect_nano(test, in, 532, 6183910979LL);
	expect_nano(test, in, 0, 0);

	put_le16(f->servo[KNEE]->table + REG_SPEED, 0x3ff);
	KUNIT_EXPECT_EQ(test, chan_read(in), 1023);
	put_le16(f->servo[KNEE]->table + REG_SPEED, 0x400);
	KUNIT_EXPECT_EQ(test, chan_read(in), 0);
	put_le16(f->servo[KNEE]->table + REG_GOAL_SPEED, 0x3ff);
	KUNIT_EXPECT_EQ(test, chan_read(out), 1023);

	/* 116.622 rpm. */
	out = servo_channel(test, 2, IIO_ANGL_VEL, OUT);
	expect_nano(test, out, 1023, 12212627282LL);
}

/* Bit 10 set means clockwise, which is negative. */
static void servo_speed_sign(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel in;
	int value;

	fake_servos_bind(test);
	in = servo_channel(test, 1, IIO_ANGL_VEL, IN);
	put_le16(f->servo[KNEE]->table + REG_SPEED, 0x400 | 100);
	KUNIT_EXPECT_EQ(test, iio_read_channel_raw(&in, &value), IIO_VAL_INT);
	KUNIT_EXPECT_EQ(test, value, -100);

	put_le16(f->servo[KNEE]->table + REG_SPEED, 0x7ff);
	KUNIT_EXPECT_EQ(test, iio_read_channel_raw(&in, &value), IIO_VAL_INT);
	KUNIT_EXPECT_EQ(test, value, -1023);
}

static void servo_supply(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel volt, temp;

	fake_servos_bind(test);
	volt = servo_channel(test, 1, IIO_VOLTAGE, IN);
	temp = servo_channel(test, 1, IIO_TEMP, IN);

	/* IIO has millivolts and thousandths of a degree. */
	f->servo[KNEE]->table[REG_VOLTAGE] = 121;
	KUNIT_EXPECT_EQ(test, chan_read(volt), 121);
	expect_nano(test, volt, 121, 12100 * 1000000000LL);
	f->servo[KNEE]->table[REG_TEMPERATURE] = 200;
	KUNIT_EXPECT_EQ(test, chan_read(temp), 200);
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
	struct fake_servos *f = test->priv;
	struct iio_channel in;
	char *buf;
	size_t i;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	fake_servos_bind(test);
	in = servo_channel(test, 1, IIO_ANGL, IN);
	for (i = 0; i < ARRAY_SIZE(load_cases); i++) {
		put_le16(f->servo[KNEE]->table + REG_LOAD, load_cases[i].raw);
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
	struct fake_servos *f = test->priv;
	u8 *reg = f->servo[KNEE]->table + REG_TORQUE_LIMIT;
	struct iio_channel out;
	size_t i;

	fake_servos_bind(test);
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
	struct fake_servos *f = test->priv;
	struct iio_channel out;
	char *buf;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	fake_servos_bind(test);
	out = servo_channel(test, 1, IIO_ANGL, OUT);
	put_le16(f->servo[KNEE]->table + REG_TORQUE_LIMIT, 256);
	KUNIT_EXPECT_GT(test, iio_read_channel_ext_info(&out, "torque_limit",
							buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, "25.0\n");
}

/* --- goals --- */

static void servo_goal(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel goal, speed;

	fake_servos_bind(test);
	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	speed = servo_channel(test, 1, IIO_ANGL_VEL, OUT);

	KUNIT_EXPECT_EQ(test, chan_write(goal, 512), 0);
	KUNIT_EXPECT_TRUE(test,
			  FAKE_LINE_WROTE(f->line, 0xff, 0xff, 0x01, 0x05, 0x03,
					  0x1e, 0x00, 0x02, 0xd6));
	KUNIT_EXPECT_EQ(test, chan_write(speed, 0x123), 0);
	KUNIT_EXPECT_TRUE(test,
			  FAKE_LINE_WROTE(f->line, 0xff, 0xff, 0x01, 0x05, 0x03,
					  0x20, 0x23, 0x01, 0xb2));
}

static void expect_range(struct kunit *test, struct iio_channel chan, int max)
{
	struct fake_servos *f = test->priv;
	unsigned int writes = f->line->writes;
	const int *values;
	int type, len;

	KUNIT_EXPECT_EQ(test, chan_write(chan, -1), -ERANGE);
	KUNIT_EXPECT_EQ(test, chan_write(chan, max + 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, chan_write(chan, 0x10000), -ERANGE);
	KUNIT_EXPECT_EQ(test, f->line->writes, writes);
	KUNIT_EXPECT_EQ(test, chan_write(chan, 0), 0);
	KUNIT_EXPECT_EQ(test, chan_write(chan, max), 0);
	KUNIT_EXPECT_EQ(test, chan_read(chan), max);

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
	fake_servos_bind(test);
	expect_range(test, servo_channel(test, 1, IIO_ANGL, OUT), 1023);
	expect_range(test, servo_channel(test, 1, IIO_ANGL_VEL, OUT), 1023);
	expect_range(test, servo_channel(test, 2, IIO_ANGL, OUT), 4095);
	expect_range(test, servo_channel(test, 2, IIO_ANGL_VEL, OUT), 1023);
}

static void servo_torque_enable(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel out;

	fake_servos_bind(test);
	out = servo_channel(test, 1, IIO_ANGL, OUT);
	KUNIT_EXPECT_EQ(test, chan_read_attr(out, IIO_CHAN_INFO_ENABLE), 1);
	KUNIT_EXPECT_EQ(test,
			iio_write_channel_attribute(&out, 0, 0,
						    IIO_CHAN_INFO_ENABLE), 0);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_TORQUE_ENABLE], 0);
	KUNIT_EXPECT_EQ(test, chan_read_attr(out, IIO_CHAN_INFO_ENABLE), 0);
	KUNIT_EXPECT_EQ(test,
			iio_write_channel_attribute(&out, 1, 0,
						    IIO_CHAN_INFO_ENABLE), 0);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_TORQUE_ENABLE], 1);
}

static void servo_write_impossible(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel in, out;
	unsigned int writes;

	fake_servos_bind(test);
	in = servo_channel(test, 1, IIO_ANGL, IN);
	out = servo_channel(test, 1, IIO_ANGL, OUT);
	writes = f->line->writes;

	KUNIT_EXPECT_EQ(test, chan_write(in, 1), -EINVAL);
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

	fake_servos_bind(test);
	knee = servo_find(test, 1);
	head = servo_find(test, 2);
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
	struct fake_servos *f = test->priv;

	f->servo[KNEE]->table[REG_MODEL] = MODEL_MX28;
	fake_servos_bind(test);
	KUNIT_EXPECT_NULL(test, servo_find(test, 1));
	KUNIT_EXPECT_NOT_NULL(test, servo_find(test, 2));
}

static void servo_says_how_it_answers(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel goal;
	struct dxl_device *ddev;

	f->servo[KNEE]->table[REG_RETURN_DELAY] = 7;
	f->servo[KNEE]->table[REG_STATUS_LEVEL] = DXL_ANSWERS_READ;
	f->servo[KNEE]->status_level = DXL_ANSWERS_READ;
	fake_servos_bind(test);
	ddev = servo_device(test, 1);
	KUNIT_EXPECT_EQ(test, ddev->return_delay_us, 14);
	KUNIT_EXPECT_EQ(test, ddev->status_level, DXL_ANSWERS_READ);

	/* Done without an answer: to wait for one would fail. */
	goal = servo_channel(test, 1, IIO_ANGL, OUT);
	fake_line_set_margin(f->line, 0);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), 0);
	fake_line_set_margin(f->line, FAKE_NEVER_US);
	KUNIT_EXPECT_EQ(test, chan_read(goal), 5);
}

static void servo_silent(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel knee, head;

	f->servo[KNEE]->silent = true;
	fake_servos_bind(test);
	knee = servo_channel(test, 1, IIO_ANGL, OUT);
	head = servo_channel(test, 2, IIO_ANGL, OUT);
	KUNIT_EXPECT_EQ(test, chan_read(knee), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, chan_write(knee, 5), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, chan_write(head, 5), 0);
	KUNIT_EXPECT_FALSE(test, servo_device(test, 1)->identified);
	/* What needs no servo is known of one that never answered. */
	KUNIT_EXPECT_EQ(test, chan_read_attr(knee, IIO_CHAN_INFO_OFFSET), -512);

	f->servo[KNEE]->silent = false;
	KUNIT_EXPECT_EQ(test, chan_write(knee, 6), 0);
	KUNIT_EXPECT_EQ(test, chan_read(knee), 6);
	KUNIT_EXPECT_TRUE(test, servo_device(test, 1)->identified);
	KUNIT_EXPECT_EQ(test, servo_device(test, 1)->return_delay_us, 500);

	f->servo[KNEE]->silent = true;
	KUNIT_EXPECT_EQ(test, chan_read(knee), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, chan_read(head), 5);
}

/* A machine that stops needs the device's lock to let its joint go. */
static void servo_asked_unlocked(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct dxl_bus *bus = f->line->bus;
	struct attr_user *reader;
	struct dxl_device *ddev;

	f->servo[KNEE]->silent = true;
	fake_servos_bind(test);
	ddev = servo_device(test, 1);
	KUNIT_EXPECT_FALSE(test, ddev->identified);
	f->servo[KNEE]->silent = false;

	/* It waits for its turn. */
	KUNIT_ASSERT_EQ(test, dxl_bus_reserve(bus), 0);
	reader = attr_read(test, &ddev->dev, "model_number");
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line, DXL_PRIO_ATTRIBUTE));
	KUNIT_EXPECT_TRUE(test, device_trylock(&ddev->dev));
	device_unlock(&ddev->dev);
	dxl_bus_release(bus);
	KUNIT_EXPECT_GT(test, attr_result(reader), 0);
	KUNIT_EXPECT_STREQ(test, reader->buf, "12\n");
}

/* One that comes back as another model is not driven. */
static void servo_silent_then_wrong(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel knee;

	f->servo[KNEE]->silent = true;
	fake_servos_bind(test);
	knee = servo_channel(test, 1, IIO_ANGL, OUT);
	f->servo[KNEE]->silent = false;
	f->servo[KNEE]->table[REG_MODEL] = MODEL_MX28;
	KUNIT_EXPECT_EQ(test, chan_write(knee, 5), -ENODEV);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_GOAL], 0);
}

static void servo_errors(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel knee;

	fake_servos_bind(test);
	knee = servo_channel(test, 1, IIO_ANGL, IN);
	put_le16(f->servo[KNEE]->table + REG_POSITION, 300);
	f->servo[KNEE]->error = DXL1_ERR_OVERHEAT | DXL1_ERR_OVERLOAD;
	KUNIT_EXPECT_EQ(test, chan_read(knee), 300);
	f->servo[KNEE]->error = DXL1_ERR_INSTRUCTION;
	KUNIT_EXPECT_EQ(test, chan_read(knee), -EREMOTEIO);
}

static void servo_relaxes_on_removal(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	f->servo[HEAD]->silent = true;
	fake_servos_bind(test);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_TORQUE_ENABLE], 1);
	fake_servos_drop(f);
	f->servo[HEAD]->silent = false;
	fake_line_remove(f->line);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_TORQUE_ENABLE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[ANKLE]->table[REG_TORQUE_ENABLE], 0);
	/* It has never answered, but may have heard a pose. */
	flush_work(&f->line->answer);
	KUNIT_EXPECT_EQ(test, f->servo[HEAD]->table[REG_TORQUE_ENABLE], 0);
}

/* An ID that nobody has: what is asked of it keeps the line. */
#define NOBODY		99
#define READERS		60

static unsigned int releases, reads_before;

static void count_and_respond(struct fake_line *line,
			      const struct dxl_packet *request)
{
	if (request->instruction == DXL_WRITE &&
	    request->params[0] == REG_TORQUE_ENABLE)
		releases++;
	else if (request->instruction == DXL_READ && releases < 3)
		reads_before++;
	if (request->id != NOBODY)
		fake_line_respond(line, request);
}

struct remover {
	struct work_struct work;
	struct fake_line *line;
};

static void remover_work(struct work_struct *work)
{
	fake_line_remove(container_of(work, struct remover, work)->line);
}

/* However many read their attributes: each joint waits for one of them. */
static void servo_relaxes_before_readers(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct remover *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	struct fake_request *req;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, r);
	fake_servos_bind(test);
	fake_servos_drop(f);
	releases = 0;
	reads_before = 0;
	f->line->respond = count_and_respond;

	req = fake_line_read(f->line, NOBODY, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	for (i = 0; i < READERS; i++) {
		req = fake_line_read(f->line, 1, 36, 2);
		req->xfer.priority = DXL_PRIO_ATTRIBUTE;
		KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	}

	r->line = f->line;
	INIT_WORK(&r->work, remover_work);
	queue_work(system_dfl_wq, &r->work);
	KUNIT_EXPECT_TRUE(test, fake_line_wait_pending(f->line,
						       DXL_PRIO_RELEASE));
	fake_line_expire(f->line);
	flush_work(&r->work);
	KUNIT_EXPECT_GE(test, releases, 3);
	/* One to NOBODY, and one at a joint's turn or, where the remover sleeps, some. */
	KUNIT_EXPECT_LE(test, reads_before, READERS / 2);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_TORQUE_ENABLE], 0);
}

static void servo_relaxes_on_shutdown(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev;

	fake_servos_bind(test);
	ddev = servo_device(test, 1);
	ddev->dev.bus->shutdown(&ddev->dev);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_TORQUE_ENABLE], 0);
	KUNIT_EXPECT_EQ(test, f->servo[ANKLE]->table[REG_TORQUE_ENABLE], 1);
}

/* --- operating modes and errors --- */

#define MODEL_XM430	1020

/* An XM430-W350 with the ID 2 and its torque off, on the bus `bus-mixed`. */
static struct device *bind_x(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430)->table[64] = 0;
	fake_servos_bind(test);

	return servo_iio(test, 2);
}

static void x_mode_velocity(struct kunit *test)
{
	struct device *dev = bind_x(test);
	struct fake_servos *f = test->priv;
	u8 *table = f->servo[1]->table;
	struct iio_channel goal, speed;

	goal = servo_channel(test, 2, IIO_ANGL, OUT);
	speed = servo_channel(test, 2, IIO_ANGL_VEL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(speed, -5), -ERANGE);
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "operating_mode",
					     "velocity\n"), 9);
	KUNIT_EXPECT_EQ(test, table[11], 1);

	KUNIT_EXPECT_EQ(test, chan_write(speed, -5), 0);
	KUNIT_EXPECT_MEMEQ(test, table + 104, "\xfb\xff\xff\xff", 4);
	KUNIT_EXPECT_EQ(test, table[112], 0);
	KUNIT_EXPECT_EQ(test, chan_write(speed, -1024), -ERANGE);
	KUNIT_EXPECT_EQ(test, chan_write(goal, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, table[116], 0);
}

static void x_mode_extended(struct kunit *test)
{
	struct device *dev = bind_x(test);
	struct fake_servos *f = test->priv;
	u8 *table = f->servo[1]->table;
	struct iio_channel goal;

	goal = servo_channel(test, 2, IIO_ANGL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(goal, -4096), -ERANGE);
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "operating_mode",
					     "extended-position"), 17);
	KUNIT_EXPECT_EQ(test, table[11], 4);
	KUNIT_EXPECT_EQ(test, chan_write(goal, -4096), 0);
	KUNIT_EXPECT_MEMEQ(test, table + 116, "\x00\xf0\xff\xff", 4);
	KUNIT_EXPECT_EQ(test, chan_write(goal, -1048576), -ERANGE);
}

/* Somebody else may change it too. */
static void x_mode_is_read(struct kunit *test)
{
	struct device *dev = bind_x(test);
	struct fake_servos *f = test->priv;
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	f->servo[1]->table[11] = 16;
	KUNIT_EXPECT_EQ(test, dev_attr_show(dev, "operating_mode", buf), 4);
	KUNIT_EXPECT_STREQ(test, buf, "pwm\n");
	f->servo[1]->table[11] = 3;
	KUNIT_EXPECT_EQ(test, dev_attr_show(dev, "operating_mode", buf), 9);
	KUNIT_EXPECT_STREQ(test, buf, "position\n");
}

/* In Protocol 1.0 the angle limits say it. */
static void servo_mode_wheel(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	u8 *table = f->servo[HEAD]->table;
	struct iio_channel speed;
	struct device *dev;

	put_le16(table + 6, 100);
	fake_servos_bind(test);
	dev = servo_iio(test, 2);
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "operating_mode",
					     "velocity"), -EBUSY);
	table[REG_TORQUE_ENABLE] = 0;
	/* Already in it: the limits stay. */
	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "operating_mode",
					     "position"), 8);
	KUNIT_EXPECT_EQ(test, table[6], 100);

	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "operating_mode",
					     "velocity"), 8);
	KUNIT_EXPECT_MEMEQ(test, table + 6, "\0\0\0\0", 4);
	speed = servo_channel(test, 2, IIO_ANGL_VEL, OUT);
	KUNIT_EXPECT_EQ(test, chan_write(speed, -100), 0);
	KUNIT_EXPECT_MEMEQ(test, table + REG_GOAL_SPEED, "\x64\x04", 2);

	KUNIT_EXPECT_EQ(test, dev_attr_store(dev, "operating_mode",
					     "position"), 8);
	KUNIT_EXPECT_MEMEQ(test, table + 6, "\x00\x00\xff\x0f", 4);
}

static void x_hardware_error(struct kunit *test)
{
	struct device *dev = bind_x(test);
	struct fake_servos *f = test->priv;
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_EQ(test, dev_attr_show(dev, "hardware_error", buf), 1);
	KUNIT_EXPECT_STREQ(test, buf, "\n");
	f->servo[1]->error = DXL2_ERR_ALERT;
	f->servo[1]->table[70] = 0xff;
	KUNIT_EXPECT_GT(test, dev_attr_show(dev, "hardware_error", buf), 0);
	KUNIT_EXPECT_STREQ(test, buf,
			   "voltage overheating encoder electrical-shock overload\n");
}

static void servo_hardware_error(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct device *dev;
	char *buf;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	fake_servos_bind(test);
	dev = servo_iio(test, 1);
	KUNIT_EXPECT_EQ(test, dev_attr_show(dev, "hardware_error", buf), 1);
	f->servo[KNEE]->error = DXL1_ERR_OVERLOAD | DXL1_ERR_VOLTAGE;
	KUNIT_EXPECT_GT(test, dev_attr_show(dev, "hardware_error", buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, "voltage overload\n");
}

/* --- coming back --- */

static void set_state(struct dxl_device *ddev, enum dxl_state state)
{
	struct dxl_queue *q = ddev->bus->queue;

	spin_lock_bh(&q->lock);
	ddev->state = state;
	spin_unlock_bh(&q->lock);
}

/* One that was lost may be another one, or have been reset. */
static void servo_lost_then_wrong(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct iio_channel knee;

	fake_servos_bind(test);
	knee = servo_channel(test, 1, IIO_ANGL, IN);
	set_state(servo_device(test, 1), DXL_LOST);
	KUNIT_EXPECT_EQ(test, chan_read(knee), -EHOSTDOWN);
	f->servo[KNEE]->table[REG_MODEL] = MODEL_MX28;
	set_state(servo_device(test, 1), DXL_ACTIVE);
	KUNIT_EXPECT_EQ(test, chan_read(knee), -ENODEV);
	f->servo[KNEE]->table[REG_MODEL] = MODEL_AX12;
	f->servo[KNEE]->table[REG_RETURN_DELAY] = 3;
	KUNIT_EXPECT_EQ(test, chan_read(knee), 0);
	KUNIT_EXPECT_EQ(test, servo_device(test, 1)->return_delay_us, 6);
}

/* It is told, but nobody waits for its answer. */
static void servo_lost_relaxes(struct kunit *test)
{
	struct fake_servos *f = test->priv;
	struct dxl_device *ddev;

	fake_servos_bind(test);
	ddev = servo_device(test, 1);
	set_state(ddev, DXL_LOST);
	f->servo[KNEE]->status_level = DXL_ANSWERS_READ;
	ddev->dev.bus->shutdown(&ddev->dev);
	flush_work(&f->line->answer);
	KUNIT_EXPECT_EQ(test, f->servo[KNEE]->table[REG_TORQUE_ENABLE], 0);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_TIMEOUTS), 0);
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
	KUNIT_CASE(servo_asked_unlocked),
	KUNIT_CASE(servo_silent_then_wrong),
	KUNIT_CASE(servo_errors),
	KUNIT_CASE(servo_relaxes_on_removal),
	KUNIT_CASE(servo_relaxes_before_readers),
	KUNIT_CASE(servo_relaxes_on_shutdown),
	KUNIT_CASE(servo_mode_wheel),
	KUNIT_CASE(servo_hardware_error),
	KUNIT_CASE(servo_lost_then_wrong),
	KUNIT_CASE(servo_lost_relaxes),
	{}
};

static struct kunit_suite servo_suite = {
	.name = "dxl_servo",
	.init = servo_test_init,
	.test_cases = servo_cases,
};

static struct kunit_case x_cases[] = {
	KUNIT_CASE(x_mode_velocity),
	KUNIT_CASE(x_mode_extended),
	KUNIT_CASE(x_mode_is_read),
	KUNIT_CASE(x_hardware_error),
	{}
};

static struct kunit_suite x_suite = {
	.name = "dxl_servo_x",
	.test_cases = x_cases,
};

kunit_test_suites(&servo_suite, &x_suite);
