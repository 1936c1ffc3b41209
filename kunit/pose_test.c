// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the pose device: its channels, and what leaves the line
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/buffer.h>
#include <linux/iio/buffer_impl.h>
#include <linux/iio/iio.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../drivers/servo/servo.h"
#include "fake_servo.h"

#define REG_MODEL	0
#define REG_GOAL	30
#define MODEL_AX12	12
#define MODEL_MX28	29
#define MODEL_XM430	1020

#define KNEE	0
#define HEAD	1
#define ANKLE	2

/* AX-12, MX-28 and AX-12 with the IDs 1, 2 and 7. */
static void add_bus_of_v1(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);
}

/* AX-12 with the ID 1 and two XM430-W350 with the IDs 2 and 3. */
static void add_mixed_bus(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430);
	fake_servos_add_v2(f, 3, MODEL_XM430);
}

/* --- channels --- */

static void expect_pose_channel(struct kunit *test, struct iio_dev *pose,
				int index, u8 id, enum iio_chan_type type,
				char sign, unsigned int bits)
{
	const struct iio_chan_spec *chan = &pose->channels[index];

	KUNIT_EXPECT_EQ(test, chan->type, type);
	KUNIT_EXPECT_EQ(test, chan->channel, id);
	KUNIT_EXPECT_TRUE(test, chan->output);
	KUNIT_EXPECT_EQ(test, chan->scan_index, index);
	KUNIT_EXPECT_EQ(test, chan->scan_type.sign, sign);
	KUNIT_EXPECT_EQ(test, chan->scan_type.realbits, bits);
	KUNIT_EXPECT_EQ(test, chan->scan_type.storagebits, bits);
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
static void pose_channels(struct kunit *test)
{
	static const u8 ids[] = { 1, 2, 7 };
	static const char * const labels[] = { "RightKnee\n", "HeadYaw\n",
					       "LeftAnkle\n" };
	struct fake_servos *f;
	struct iio_dev *pose;
	char *buf;
	size_t i;

	buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	add_bus_of_v1(test);
	f = test->priv;
	fake_servos_bind(test);
	pose = servo_wait_for_pose(test, 2 * ARRAY_SIZE(ids));
	KUNIT_ASSERT_NOT_NULL(test, pose);

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		/* MX know several turns. */
		expect_pose_channel(test, pose, 2 * i, ids[i], IIO_ANGL,
				    ids[i] == 2 ? 's' : 'u', 16);
		expect_pose_channel(test, pose, 2 * i + 1, ids[i],
				    IIO_ANGL_VEL, 'u', 16);
		KUNIT_EXPECT_GT(test,
				pose->info->read_label(pose,
						       &pose->channels[2 * i],
						       buf), 0);
		KUNIT_EXPECT_STREQ(test, buf, labels[i]);
	}

	expect_nano(test, pose_channel(pose, 0), 1023, 2612880609LL);
	expect_nano(test, pose_channel(pose, 2), 4095, 3140058673LL);
	put_le16(f->servo[ANKLE]->table + REG_GOAL, 321);
	KUNIT_EXPECT_EQ(test, chan_read(pose_channel(pose, 4)), 321);
}

/* One that turns out to be another model keeps its channels: it may be replaced. */
static void pose_of_wrong(struct kunit *test)
{
	struct iio_channel knee;
	struct fake_servos *f;

	add_bus_of_v1(test);
	f = test->priv;
	f->servo[KNEE]->silent = true;
	fake_servos_bind(test);
	KUNIT_ASSERT_NOT_NULL(test, servo_wait_for_pose(test, 6));

	knee = servo_channel(test, 1, IIO_ANGL, OUT);
	f->servo[KNEE]->silent = false;
	f->servo[KNEE]->table[REG_MODEL] = MODEL_MX28;
	KUNIT_EXPECT_EQ(test, chan_write(knee, 5), -ENODEV);
	/* Longer than a device takes to be registered anew. */
	msleep(300);
	KUNIT_EXPECT_NOT_NULL(test, servo_wait_for_pose(test, 6));

	f->servo[KNEE]->table[REG_MODEL] = MODEL_AX12;
	KUNIT_EXPECT_EQ(test, chan_write(knee, 5), 0);
}

/* Goals as long as the registers. */
static void pose_of_both_protocols(struct kunit *test)
{
	struct iio_dev *pose;

	add_mixed_bus(test);
	fake_servos_bind(test);
	pose = servo_wait_for_pose(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, pose);
	expect_pose_channel(test, pose, 0, 1, IIO_ANGL, 'u', 16);
	expect_pose_channel(test, pose, 1, 1, IIO_ANGL_VEL, 'u', 16);
	expect_pose_channel(test, pose, 2, 2, IIO_ANGL, 's', 32);
	expect_pose_channel(test, pose, 3, 2, IIO_ANGL_VEL, 'u', 32);
	expect_pose_channel(test, pose, 4, 3, IIO_ANGL, 's', 32);
	expect_pose_channel(test, pose, 5, 3, IIO_ANGL_VEL, 'u', 32);
}

static void expect_range(struct kunit *test, struct iio_dev *pose, const char *name,
			 const char *range)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_GT(test, dev_attr_show(&pose->dev, name, buf), 0);
	KUNIT_EXPECT_STREQ_MSG(test, strim(buf), range, "%s", name);
}

/* The mode makes no other channels, but other values. */
static void pose_of_modes(struct kunit *test)
{
	struct fake_servos *f;
	struct iio_dev *pose;

	add_mixed_bus(test);
	f = test->priv;
	put_le16(f->servo[0]->table + 8, 0);
	f->servo[1]->table[11] = 4;
	fake_servos_bind(test);
	pose = servo_wait_for_pose(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, pose);
	expect_range(test, pose, "out_angl1_raw_available", "[0 0 0]");
	expect_range(test, pose, "out_angl2_raw_available", "[-1048575 1 1048575]");
	expect_range(test, pose, "out_angl3_raw_available", "[0 1 4095]");
}

/* --- what leaves the line --- */

#define SENT_MAX	2

/**
 * struct sent - the group writes of one pose
 * @funcs: those of the pose device's buffer, and then ours
 * @sample: what its buffer holds, once
 * @sample_len: its length
 * @taken: it has been taken
 * @num: number of group writes
 * @protocol: their protocols
 * @len: how many parameters they had
 * @params: the parameters
 */
static struct sent {
	struct iio_buffer_access_funcs funcs;
	u8 sample[64];
	size_t sample_len;
	bool taken;
	unsigned int num;
	enum dxl_protocol protocol[SENT_MAX];
	u16 len[SENT_MAX];
	u8 params[SENT_MAX][64];
} sent;

static int sample_remove_from(struct iio_buffer *buffer, void *data)
{
	if (sent.taken)
		return -ENOENT;

	memcpy(data, sent.sample, sent.sample_len);
	sent.taken = true;

	return 0;
}

static void note_sent(struct fake_line *line, const struct dxl_packet *request)
{
	unsigned int n = sent.num;

	if (request->instruction != DXL_SYNC_WRITE || n == SENT_MAX) {
		fake_line_respond(line, request);
		return;
	}

	sent.protocol[n] = request->protocol;
	sent.len[n] = request->len;
	memcpy(sent.params[n], request->params, min_t(u16, request->len, 64));
	WRITE_ONCE(sent.num, n + 1);
}

/* Let @pose take @sample from its buffer and send @packets. */
static void send_pose(struct kunit *test, struct iio_dev *pose,
		      const u8 *sample, size_t len, unsigned int packets)
{
	const struct iio_buffer_access_funcs *access = pose->buffer->access;
	struct fake_servos *f = test->priv;
	unsigned int ms;

	memset(&sent, 0, sizeof(sent));
	memcpy(sent.sample, sample, len);
	sent.sample_len = len;
	sent.funcs = *access;
	sent.funcs.remove_from = sample_remove_from;

	f->line->respond = note_sent;
	pose->buffer->access = &sent.funcs;
	bitmap_fill(pose->buffer->scan_mask, pose->num_channels);
	/* Nobody else gives a sign of life. */
	KUNIT_ASSERT_EQ(test, dev_attr_store(&pose->dev, "watchdog_ms",
					     "10000"), 5);
	KUNIT_ASSERT_EQ(test, dev_attr_store(&pose->dev, "enable", "1"), 1);
	for (ms = 0; ms < FAKE_PATIENCE_MS && READ_ONCE(sent.num) < packets;
	     ms += 20)
		msleep(20);
	KUNIT_EXPECT_EQ(test, dev_attr_store(&pose->dev, "enable", "0"), 1);
	KUNIT_EXPECT_EQ(test, pose->scan_bytes, len);
	KUNIT_EXPECT_EQ(test, sent.num, packets);
	pose->buffer->access = access;
	f->line->respond = fake_line_respond;
}

static void expect_sent(struct kunit *test, unsigned int n,
			enum dxl_protocol protocol, const u8 *params,
			size_t len)
{
	KUNIT_EXPECT_EQ(test, sent.protocol[n], protocol);
	KUNIT_ASSERT_EQ(test, sent.len[n], len);
	KUNIT_EXPECT_MEMEQ(test, sent.params[n], params, len);
}

static void pose_bytes_of_v1(struct kunit *test)
{
	static const u8 sample[] = {
		0x10, 0x00, 0x50, 0x01, 0x20, 0x02, 0x60, 0x03,
		/* Both too high. */
		0x00, 0x80, 0xff, 0xff,
	};
	static const u8 params[] = {
		0x1e, 0x04, 0x01, 0x10, 0x00, 0x50, 0x01, 0x02, 0x20, 0x02,
		0x60, 0x03, 0x07, 0xff, 0x03, 0xff, 0x03,
	};
	struct iio_dev *pose;

	add_bus_of_v1(test);
	fake_servos_bind(test);
	pose = servo_wait_for_pose(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, pose);
	send_pose(test, pose, sample, sizeof(sample), 1);
	expect_sent(test, 0, DXL_PROTOCOL_1, params, sizeof(params));
}

/* Speed goes before position in the registers of Protocol 2.0. */
static void pose_bytes_of_both(struct kunit *test)
{
	static const u8 sample[] = {
		0x2c, 0x01, 0x37, 0x00,
		0xe8, 0x03, 0x00, 0x00, 0x64, 0x00, 0x00, 0x00,
		/* Both too high. */
		0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80,
	};
	static const u8 v1[] = { 0x1e, 0x04, 0x01, 0x2c, 0x01, 0x37, 0x00 };
	static const u8 v2[] = {
		0x70, 0x00, 0x08, 0x00,
		0x02, 0x64, 0x00, 0x00, 0x00, 0xe8, 0x03, 0x00, 0x00,
		0x03, 0xff, 0x7f, 0x00, 0x00, 0xff, 0x0f, 0x00, 0x00,
	};
	struct iio_dev *pose;

	add_mixed_bus(test);
	fake_servos_bind(test);
	pose = servo_wait_for_pose(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, pose);
	send_pose(test, pose, sample, sizeof(sample), 2);
	expect_sent(test, 0, DXL_PROTOCOL_1, v1, sizeof(v1));
	expect_sent(test, 1, DXL_PROTOCOL_2, v2, sizeof(v2));
}

/* One that has turned out to be another model is left out at once. */
static void pose_bytes_without_wrong(struct kunit *test)
{
	static const u8 sample[12] = { 0x10, 0x00, 0x50, 0x01 };
	static const u8 params[] = {
		0x1e, 0x04, 0x02, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00,
		0x00, 0x00,
	};
	struct iio_dev *pose;
	struct dxl_servo *servo;

	add_bus_of_v1(test);
	fake_servos_bind(test);
	pose = servo_wait_for_pose(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, pose);
	servo = iio_priv(dev_to_iio_dev(servo_iio(test, 1)));
	WRITE_ONCE(servo->wrong_model, true);
	send_pose(test, pose, sample, sizeof(sample), 1);
	expect_sent(test, 0, DXL_PROTOCOL_1, params, sizeof(params));
}

/* A pose must not make a wheel turn, unless that has been asked for. */
static void pose_bytes_without_wheels(struct kunit *test)
{
	static const u8 sample[20] = { 0x10, 0x00, 0x50, 0x01, 0x20 };
	static const u8 params[] = {
		0x70, 0x00, 0x08, 0x00,
		0x02, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00,
	};
	struct fake_servos *f;
	struct iio_dev *pose;

	add_mixed_bus(test);
	f = test->priv;
	put_le16(f->servo[0]->table + 8, 0);
	f->servo[2]->table[11] = 1;
	fake_servos_bind(test);
	pose = servo_wait_for_pose(test, 6);
	KUNIT_ASSERT_NOT_NULL(test, pose);
	send_pose(test, pose, sample, sizeof(sample), 1);
	expect_sent(test, 0, DXL_PROTOCOL_2, params, sizeof(params));
}

static struct kunit_case pose_cases[] = {
	KUNIT_CASE(pose_channels),
	KUNIT_CASE(pose_of_wrong),
	KUNIT_CASE(pose_of_both_protocols),
	KUNIT_CASE(pose_of_modes),
	KUNIT_CASE(pose_bytes_without_wheels),
	KUNIT_CASE(pose_bytes_of_v1),
	KUNIT_CASE(pose_bytes_of_both),
	KUNIT_CASE(pose_bytes_without_wrong),
	{}
};

static struct kunit_suite pose_suite = {
	.name = "dxl_pose",
	.test_cases = pose_cases,
};

kunit_test_suite(pose_suite);
