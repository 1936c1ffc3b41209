// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the frame device: its channels, what it reads, and its samples
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iio/buffer.h>
#include <linux/iio/buffer_impl.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/wait.h>

#include <kunit/test.h>

#include <linux/dxl/cycle.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/cycle/exchange.h"
#include "../drivers/bus/cycle/frame.h"
#include "../drivers/servo/servo.h"
#include "fake_servo.h"

#define MODEL_AX12	12
#define MODEL_MX28	29
#define MODEL_XM430	1020

/* The servos of bus-servos, and those of bus-mixed. */
#define KNEE	0
#define HEAD	1
#define ANKLE	2
#define AX	0
#define XM	1

/* Channels of an AX-12 or MX-28, and of an XM430: values, age and alarm. */
#define CHANNELS_AX	7
#define CHANNELS_XM	7

#define AGE		256
#define ALARM		512

#define READS_MAX	16
#define SAMPLE_MAX	128

/**
 * struct read - a request to read registers
 * @id: the device
 * @addr: first address
 * @len: their number
 */
struct read {
	u8 id;
	u16 addr;
	u16 len;
};

/**
 * struct frames - the frame device under test and its one reader
 * @state: the frame device; NULL when it is gone
 * @trig: a trigger that the test pulls
 * @pull: pulls it, in hard interrupt context
 * @reenabled: how often it has been enabled again
 * @reenabled_atomic: how often that was where it may not sleep
 * @access: what the buffer is accessed by
 * @funcs: that, and our own store
 * @full: there is no room
 * @reads: what has been read
 * @num_reads: their number
 * @pushes: how many samples have been pushed
 * @pushed: woken by one
 * @sample: the last
 */
static struct frames {
	struct iio_dev *state;
	struct iio_trigger *trig;
	struct irq_work pull;
	unsigned int reenabled;
	unsigned int reenabled_atomic;
	const struct iio_buffer_access_funcs *access;
	struct iio_buffer_access_funcs funcs;
	bool full;
	struct read reads[READS_MAX];
	unsigned int num_reads;
	unsigned int pushes;
	wait_queue_head_t pushed;
	u8 sample[SAMPLE_MAX] __aligned(8);
} frames;

/* --- fixture --- */

static void note_read(struct fake_line *line, const struct dxl_packet *request)
{
	struct read *read = &frames.reads[frames.num_reads];
	const u8 *p = request->params;

	if (request->instruction == DXL_READ && frames.num_reads < READS_MAX) {
		read->id = request->id;
		read->addr = p[0];
		read->len = p[1];
		if (request->protocol == DXL_PROTOCOL_2) {
			read->addr = get_unaligned_le16(p);
			read->len = get_unaligned_le16(p + 2);
		}
		frames.num_reads++;
	}
	fake_line_respond(line, request);
}

static int store_sample(struct iio_buffer *buffer, const void *data)
{
	int ret = frames.full ? -EBUSY : 0;

	memcpy(frames.sample, data,
	       min_t(size_t, frames.state->scan_bytes, SAMPLE_MAX));
	WRITE_ONCE(frames.pushes, frames.pushes + 1);
	wake_up(&frames.pushed);

	return ret;
}

static void pull_trigger(struct irq_work *work)
{
	iio_trigger_poll(frames.trig);
}

static void use_trigger(struct iio_trigger *trig)
{
	iio_trigger_put(frames.state->trig);
	frames.state->trig = iio_trigger_get(trig);
}

/* The device may be registered anew as soon as nobody reads any more. */
static void stop_reading(struct dxl_bus *bus)
{
	guard(mutex)(&bus->frame->members_lock);

	if (!frames.state)
		return;

	dev_attr_store(&frames.state->dev, "enable", "0");
	frames.state->buffer->access = frames.access;
	use_trigger(dxl_bus_cycle(bus));
	frames.state = NULL;
}

static void drop_frames(void *data)
{
	struct fake_servos *f = data;

	stop_reading(f->line->bus);
	irq_work_sync(&frames.pull);
	iio_trigger_unregister(frames.trig);
	iio_trigger_free(frames.trig);
	f->line->respond = fake_line_respond;
}

static void make_trigger(struct kunit *test)
{
	frames.trig = iio_trigger_alloc(NULL, "frame-test");
	KUNIT_ASSERT_NOT_NULL(test, frames.trig);
	KUNIT_ASSERT_EQ(test, iio_trigger_register(frames.trig), 0);
	init_irq_work(&frames.pull, pull_trigger);
	init_waitqueue_head(&frames.pushed);
}

/* Bind the servos that have been added, and take their frame device. */
static void bind(struct kunit *test, int channels)
{
	struct fake_servos *f = test->priv;
	struct iio_buffer *buffer;

	fake_servos_bind(test);
	memset(&frames, 0, sizeof(frames));
	frames.state = servo_wait_for_state(test, channels);
	KUNIT_ASSERT_NOT_NULL(test, frames.state);

	make_trigger(test);
	buffer = frames.state->buffer;
	frames.access = buffer->access;
	frames.funcs = *buffer->access;
	frames.funcs.store_to = store_sample;
	buffer->access = &frames.funcs;
	use_trigger(frames.trig);
	f->line->respond = note_read;
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, drop_frames, f),
			0);
}

/* AX-12, MX-28 and AX-12 with the IDs 1, 2 and 7. */
static void bind_v1(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-servos");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add(f, 2, MODEL_MX28);
	fake_servos_add(f, 7, MODEL_AX12);
	bind(test, 3 * CHANNELS_AX + 1);
}

/* AX-12 with the ID 1 and two XM430-W350 with the IDs 2 and 3. */
static void bind_mixed(struct kunit *test)
{
	struct fake_servos *f = fake_servos_create(test, "bus-mixed");

	fake_servos_add(f, 1, MODEL_AX12);
	fake_servos_add_v2(f, 2, MODEL_XM430);
	fake_servos_add_v2(f, 3, MODEL_XM430);
	bind(test, CHANNELS_AX + 2 * CHANNELS_XM + 1);
	/* The fake line does not speak the group instructions. */
	servo_device(test, 2)->features = 0;
	servo_device(test, 3)->features = 0;
}

static const struct iio_chan_spec *channel(struct kunit *test,
					   enum iio_chan_type type, int number)
{
	const struct iio_dev *state = frames.state;
	int i;

	for (i = 0; i < state->num_channels; i++)
		if (state->channels[i].type == type &&
		    state->channels[i].channel == number)
			return &state->channels[i];

	KUNIT_FAIL_AND_ABORT(test, "nothing of type %d and number %d", type,
			     number);

	return NULL;
}

static void choose(struct kunit *test, enum iio_chan_type type, int number)
{
	set_bit(channel(test, type, number)->scan_index,
		frames.state->buffer->scan_mask);
}

static void choose_none(void)
{
	bitmap_zero(frames.state->buffer->scan_mask,
		    iio_get_masklength(frames.state));
}

static int enable(void)
{
	return dev_attr_store(&frames.state->dev, "enable", "1");
}

static void disable(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, dev_attr_store(&frames.state->dev, "enable", "0"),
			1);
}

static void forget_reads(void)
{
	frames.num_reads = 0;
}

static void wait_for_frame(struct kunit *test, unsigned int pushes)
{
	KUNIT_ASSERT_GT(test,
			wait_event_timeout(frames.pushed,
					   READ_ONCE(frames.pushes) != pushes,
					   msecs_to_jiffies(FAKE_PATIENCE_MS)),
			0);
}

/* Make a frame. */
static void pull(struct kunit *test)
{
	unsigned int pushes = READ_ONCE(frames.pushes);

	forget_reads();
	irq_work_queue(&frames.pull);
	wait_for_frame(test, pushes);
}

static void expect_reads(struct kunit *test, const struct read *reads,
			 unsigned int count)
{
	unsigned int i;

	KUNIT_ASSERT_EQ(test, frames.num_reads, count);
	for (i = 0; i < count; i++) {
		KUNIT_EXPECT_EQ(test, frames.reads[i].id, reads[i].id);
		KUNIT_EXPECT_EQ(test, frames.reads[i].addr, reads[i].addr);
		KUNIT_EXPECT_EQ(test, frames.reads[i].len, reads[i].len);
	}
}

#define EXPECT_READS(test, ...)						\
	expect_reads(test, (const struct read[]){ __VA_ARGS__ },	\
		     ARRAY_SIZE(((const struct read[]){ __VA_ARGS__ })))

/* --- channels --- */

static void expect_channel(struct kunit *test, enum iio_chan_type type,
			   int number, char sign, unsigned int bits,
			   const char *label)
{
	const struct iio_chan_spec *chan = channel(test, type, number);
	struct iio_dev *state = frames.state;
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_TRUE(test, chan->indexed);
	KUNIT_EXPECT_FALSE(test, chan->output);
	KUNIT_EXPECT_EQ(test, chan->scan_index, chan - state->channels);
	KUNIT_EXPECT_EQ(test, chan->scan_type.sign, sign);
	KUNIT_EXPECT_EQ(test, chan->scan_type.realbits, bits);
	KUNIT_EXPECT_EQ(test, chan->scan_type.storagebits, bits);
	KUNIT_EXPECT_EQ(test, chan->scan_type.endianness, IIO_CPU);
	KUNIT_EXPECT_GT(test, state->info->read_label(state, chan, buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, label);
}

static void frame_channels_v1(struct kunit *test)
{
	const struct iio_chan_spec *last;

	bind_v1(test);
	expect_channel(test, IIO_ANGL, 1, 's', 16, "RightKnee\n");
	expect_channel(test, IIO_ANGL_VEL, 1, 's', 16, "RightKnee\n");
	expect_channel(test, IIO_COUNT, 1, 's', 16, "RightKnee load\n");
	expect_channel(test, IIO_VOLTAGE, 2, 'u', 8, "HeadYaw\n");
	expect_channel(test, IIO_TEMP, 7, 'u', 8, "LeftAnkle\n");
	expect_channel(test, IIO_COUNT, AGE + 2, 'u', 8, "HeadYaw age\n");
	expect_channel(test, IIO_COUNT, ALARM + 7, 'u', 8, "LeftAnkle alarm\n");

	/* By rising ID, however the nodes are ordered, and the time at last. */
	KUNIT_EXPECT_EQ(test, frames.state->channels[0].channel, 1);
	KUNIT_EXPECT_EQ(test, frames.state->channels[CHANNELS_AX].channel, 2);
	last = &frames.state->channels[3 * CHANNELS_AX];
	KUNIT_EXPECT_EQ(test, last->type, IIO_TIMESTAMP);
}

static void frame_channels_v2(struct kunit *test)
{
	char label[16];

	/* Who has no label has its own name. */
	bind_mixed(test);
	snprintf(label, sizeof(label), "%s\n",
		 dev_name(&servo_device(test, 2)->dev));
	expect_channel(test, IIO_ANGL, 2, 's', 32, label);
	expect_channel(test, IIO_ANGL_VEL, 2, 's', 32, label);
	expect_channel(test, IIO_CURRENT, 2, 's', 16, label);
	expect_channel(test, IIO_VOLTAGE, 2, 'u', 16, label);
	expect_channel(test, IIO_TEMP, 2, 'u', 8, label);
}

static struct iio_channel raw_channel(struct kunit *test,
				      enum iio_chan_type type, int number)
{
	return (struct iio_channel){
		.indio_dev = frames.state,
		.channel = channel(test, type, number),
	};
}

static void frame_raw(struct kunit *test)
{
	struct iio_channel load;
	struct fake_servos *f;
	int val, val2;

	bind_v1(test);
	f = test->priv;
	load = raw_channel(test, IIO_COUNT, 1);
	put_le16(f->servo[HEAD]->table + 36, 1234);
	put_le16(f->servo[KNEE]->table + 40, 0x400 + 99);
	KUNIT_EXPECT_EQ(test, chan_read(raw_channel(test, IIO_ANGL, 2)), 1234);
	KUNIT_EXPECT_EQ(test, chan_read(load), -99);
	expect_nano(test, raw_channel(test, IIO_ANGL, 1), 1023, 2612880609LL);

	KUNIT_EXPECT_EQ(test,
			iio_read_channel_attribute(&load, &val, &val2,
						   IIO_CHAN_INFO_SCALE),
			IIO_VAL_FRACTIONAL);
	KUNIT_EXPECT_EQ(test, val, 100);
	KUNIT_EXPECT_EQ(test, val2, 1023);
}

/* --- what is read --- */

/**
 * struct packing - what is to be read for what
 * @types: a bit for each type of the servo's channels
 * @read: what a frame reads in which slow values are not due
 */
struct packing {
	unsigned long types;
	struct read read;
};

static void expect_packing(struct kunit *test, u8 id,
			   const struct packing *packing)
{
	unsigned int type;

	choose_none();
	for_each_set_bit(type, &packing->types, BITS_PER_LONG)
		choose(test, type, id);
	choose(test, IIO_COUNT, AGE + id);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	/* The first ones have the slow values. */
	pull(test);
	pull(test);
	pull(test);
	expect_reads(test, &packing->read, packing->read.len ? 1 : 0);
	disable(test);
}

static void frame_packing_v1(struct kunit *test)
{
	static const struct packing packings[] = {
		{ BIT(IIO_ANGL), { 1, 36, 2 } },
		{ BIT(IIO_ANGL_VEL) | BIT(IIO_ANGL), { 1, 36, 4 } },
		/* Two bytes more are less than another answer. */
		{ BIT(IIO_ANGL) | BIT(IIO_COUNT), { 1, 36, 6 } },
		{ BIT(IIO_COUNT), { 1, 40, 2 } },
		/* Slow ones that need no packet of their own. */
		{ BIT(IIO_COUNT) | BIT(IIO_VOLTAGE) | BIT(IIO_TEMP),
		  { 1, 40, 4 } },
		/* One that does. */
		{ BIT(IIO_ANGL) | BIT(IIO_TEMP), { 1, 36, 2 } },
		{ BIT(IIO_TEMP), { } },
		/* None but its age: it must be asked for something. */
		{ 0, { 1, 36, 2 } },
	};
	unsigned int i;

	bind_v1(test);
	for (i = 0; i < ARRAY_SIZE(packings); i++)
		expect_packing(test, 1, &packings[i]);
}

static void frame_packing_v2(struct kunit *test)
{
	static const struct packing packings[] = {
		{ BIT(IIO_ANGL), { 2, 132, 4 } },
		{ BIT(IIO_CURRENT) | BIT(IIO_ANGL), { 2, 126, 10 } },
		{ BIT(IIO_CURRENT) | BIT(IIO_ANGL_VEL) | BIT(IIO_ANGL),
		  { 2, 126, 10 } },
		{ BIT(IIO_ANGL) | BIT(IIO_VOLTAGE) | BIT(IIO_TEMP),
		  { 2, 132, 4 } },
	};
	unsigned int i;

	bind_mixed(test);
	for (i = 0; i < ARRAY_SIZE(packings); i++)
		expect_packing(test, 2, &packings[i]);
}

static void choose_angl_and_temp(struct kunit *test)
{
	static const u8 ids[] = { 1, 2, 7 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		choose(test, IIO_ANGL, ids[i]);
		choose(test, IIO_TEMP, ids[i]);
	}
}

static ssize_t set_divider(struct fake_servos *f, const char *divider)
{
	return dev_attr_store(dxl_bus_dev(f->line->bus), "slow_divider",
			      divider);
}

/* All once, so that no frame is without them, and then in turns. */
static void frame_slow(struct kunit *test)
{
	bind_v1(test);
	KUNIT_ASSERT_EQ(test, set_divider(test->priv, "2"), 1);
	choose_angl_and_temp(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	EXPECT_READS(test, { 1, 43, 1 }, { 2, 43, 1 }, { 7, 43, 1 });

	pull(test);
	EXPECT_READS(test, { 1, 36, 2 }, { 1, 43, 1 }, { 2, 36, 2 },
		     { 7, 36, 2 }, { 7, 43, 1 });
	pull(test);
	EXPECT_READS(test, { 1, 36, 2 }, { 2, 36, 2 }, { 2, 43, 1 },
		     { 7, 36, 2 });
	pull(test);
	EXPECT_READS(test, { 1, 36, 2 }, { 1, 43, 1 }, { 2, 36, 2 },
		     { 7, 36, 2 }, { 7, 43, 1 });
}

static void frame_slow_divider(struct kunit *test)
{
	bind_v1(test);
	KUNIT_EXPECT_EQ(test, set_divider(test->priv, "0"), -ERANGE);
	choose(test, IIO_ANGL, 1);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	KUNIT_EXPECT_EQ(test, set_divider(test->priv, "5"), -EBUSY);
	disable(test);
	KUNIT_EXPECT_EQ(test, set_divider(test->priv, "5"), 1);
}

/* What counts is the longest frame. */
static void frame_wire_time(struct kunit *test)
{
	struct fake_servos *f;
	struct dxl_bus *bus;

	bind_v1(test);
	f = test->priv;
	bus = f->line->bus;
	KUNIT_ASSERT_EQ(test, set_divider(f, "2"), 1);
	choose_angl_and_temp(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	/* Five reads of 14 bytes, of 8 data bytes, and five return delays. */
	KUNIT_EXPECT_EQ(test, bus->exchange->wire_ns,
			(5 * 14 + 8) * 10000 + 5 * 500000);
	disable(test);
	KUNIT_EXPECT_EQ(test, bus->exchange->wire_ns, 0);

	/* It need not be the first one. */
	choose_none();
	choose(test, IIO_ANGL, 1);
	choose(test, IIO_TEMP, 2);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	KUNIT_EXPECT_EQ(test, bus->exchange->wire_ns,
			(2 * 14 + 3) * 10000 + 2 * 500000);
	disable(test);

	choose_angl_and_temp(test);
	use_trigger(dxl_bus_cycle(bus));
	KUNIT_ASSERT_EQ(test, dev_attr_store(dxl_bus_dev(bus), "period_us",
					     "3000"), 4);
	KUNIT_EXPECT_EQ(test, enable(), -ENOSPC);
	KUNIT_EXPECT_EQ(test, bus->exchange->wire_ns, 0);
	KUNIT_EXPECT_EQ(test, set_divider(f, "3"), 1);
	KUNIT_EXPECT_EQ(test, enable(), 1);
}

/* --- samples --- */

static void frame_sample_v1(struct kunit *test)
{
	struct fake_servos *f;
	s64 before;

	bind_v1(test);
	f = test->priv;
	choose(test, IIO_TEMP, 1);
	choose(test, IIO_COUNT, AGE + 1);
	choose(test, IIO_ANGL, 2);
	choose(test, IIO_COUNT, 2);
	choose(test, IIO_COUNT, ALARM + 2);
	choose(test, IIO_ANGL_VEL, 7);
	frames.state->buffer->scan_timestamp = true;
	f->servo[KNEE]->table[43] = 41;
	put_le16(f->servo[HEAD]->table + 36, -300);
	put_le16(f->servo[HEAD]->table + 40, 0x400 + 99);
	f->servo[HEAD]->error = DXL1_ERR_OVERHEAT;
	put_le16(f->servo[ANKLE]->table + 38, 0x3ff);

	KUNIT_ASSERT_EQ(test, enable(), 1);
	KUNIT_ASSERT_EQ(test, frames.state->scan_bytes, 24);
	before = iio_get_time_ns(frames.state);
	pull(test);
	KUNIT_EXPECT_EQ(test, frames.sample[0], 41);
	KUNIT_EXPECT_EQ(test, frames.sample[1], 0);
	KUNIT_EXPECT_EQ(test, *(s16 *)(frames.sample + 2), -300);
	KUNIT_EXPECT_EQ(test, *(s16 *)(frames.sample + 4), -99);
	KUNIT_EXPECT_EQ(test, frames.sample[6], DXL1_ERR_OVERHEAT);
	KUNIT_EXPECT_EQ(test, *(s16 *)(frames.sample + 8), 0x3ff);
	KUNIT_EXPECT_GE(test, *(s64 *)(frames.sample + 16), before);
	KUNIT_EXPECT_LE(test, *(s64 *)(frames.sample + 16),
			iio_get_time_ns(frames.state));
}

static void frame_sample_v2(struct kunit *test)
{
	struct fake_servos *f;

	bind_mixed(test);
	f = test->priv;
	choose(test, IIO_COUNT, AGE + 1);
	choose(test, IIO_ANGL, 2);
	choose(test, IIO_CURRENT, 2);
	choose(test, IIO_ANGL, 3);
	put_unaligned_le32(-70000, f->servo[1]->table + 132);
	put_le16(f->servo[1]->table + 126, -5);
	put_unaligned_le32(70000, f->servo[2]->table + 132);

	KUNIT_ASSERT_EQ(test, enable(), 1);
	KUNIT_ASSERT_EQ(test, frames.state->scan_bytes, 16);
	pull(test);
	KUNIT_EXPECT_EQ(test, frames.sample[0], 0);
	KUNIT_EXPECT_EQ(test, *(s32 *)(frames.sample + 4), -70000);
	KUNIT_EXPECT_EQ(test, *(s16 *)(frames.sample + 8), -5);
	KUNIT_EXPECT_EQ(test, *(s32 *)(frames.sample + 12), 70000);
}

static void choose_angl_and_age(struct kunit *test)
{
	choose(test, IIO_ANGL, 1);
	choose(test, IIO_COUNT, AGE + 1);
	choose(test, IIO_ANGL, 2);
	choose(test, IIO_COUNT, AGE + 2);
}

static void expect_frame(struct kunit *test, s16 knee, u8 knee_age, s16 head,
			 u8 head_age)
{
	pull(test);
	KUNIT_EXPECT_EQ(test, *(s16 *)frames.sample, knee);
	KUNIT_EXPECT_EQ(test, frames.sample[2], knee_age);
	KUNIT_EXPECT_EQ(test, *(s16 *)(frames.sample + 4), head);
	KUNIT_EXPECT_EQ(test, frames.sample[6], head_age);
}

/* One that does not answer keeps its old values, and nobody else's. */
static void frame_missing(struct kunit *test)
{
	struct fake_servos *f;
	u8 *knee, *head;

	bind_v1(test);
	f = test->priv;
	knee = f->servo[KNEE]->table + 36;
	head = f->servo[HEAD]->table + 36;
	choose_angl_and_age(test);
	put_le16(knee, 100);
	put_le16(head, 200);
	f->servo[KNEE]->silent = true;
	KUNIT_ASSERT_EQ(test, enable(), 1);
	expect_frame(test, 0, 255, 200, 0);

	fake_line_rested(f->line);
	f->servo[KNEE]->silent = false;
	expect_frame(test, 100, 0, 200, 0);
	f->servo[KNEE]->silent = true;
	put_le16(knee, 101);
	put_le16(head, 201);
	expect_frame(test, 100, 1, 201, 0);
	fake_line_rested(f->line);
	expect_frame(test, 100, 2, 201, 0);
	f->servo[KNEE]->silent = false;
	fake_line_rested(f->line);
	expect_frame(test, 101, 0, 201, 0);
}

/**
 * struct counts - what a device has counted
 * @ack: good answers
 * @nack: those that were missing
 */
struct counts {
	u64 ack;
	u64 nack;
};

static struct counts counts_of(struct dxl_device *ddev)
{
	return (struct counts){
		.ack = fake_device_stat(ddev, DXL_STAT_ACK),
		.nack = fake_device_stat(ddev, DXL_STAT_NACK),
	};
}

/* Make a frame in which @ddev answers so often, and leaves out so many answers. */
static void expect_counts(struct kunit *test, struct dxl_device *ddev,
			  u64 acks, u64 nacks)
{
	struct counts before = counts_of(ddev), now;

	pull(test);
	now = counts_of(ddev);
	KUNIT_EXPECT_EQ(test, now.ack - before.ack, acks);
	KUNIT_EXPECT_EQ(test, now.nack - before.nack, nacks);
}

/* A frame asks each once and nobody again. */
static void frame_counts_answers(struct kunit *test)
{
	struct dxl_device *knee, *head;
	struct fake_servos *f;

	bind_v1(test);
	f = test->priv;
	knee = servo_device(test, 1);
	head = servo_device(test, 2);
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	expect_counts(test, knee, 1, 0);
	f->servo[KNEE]->silent = true;
	expect_counts(test, knee, 0, 1);
	fake_line_rested(f->line);
	expect_counts(test, head, 1, 0);
	f->servo[KNEE]->silent = false;
	fake_line_rested(f->line);
	expect_counts(test, knee, 1, 0);
}

/* One that is lost costs nothing, and is found by its age. */
static void frame_lost(struct kunit *test)
{
	struct dxl_device *knee;

	bind_v1(test);
	knee = servo_device(test, 1);
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	expect_frame(test, 0, 0, 0, 0);
	WRITE_ONCE(knee->state, DXL_LOST);
	expect_frame(test, 0, 1, 0, 0);
	EXPECT_READS(test, { 2, 36, 2 });
	WRITE_ONCE(knee->state, DXL_ACTIVE);
	expect_frame(test, 0, 0, 0, 0);
}

/* Registers of another model are not its values. */
static void frame_wrong_model(struct kunit *test)
{
	struct dxl_servo *knee;

	bind_v1(test);
	knee = iio_priv(dev_to_iio_dev(servo_iio(test, 1)));
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	expect_frame(test, 0, 0, 0, 0);
	WRITE_ONCE(knee->wrong_model, true);
	expect_frame(test, 0, 1, 0, 0);
	EXPECT_READS(test, { 2, 36, 2 });
	WRITE_ONCE(knee->wrong_model, false);
	expect_frame(test, 0, 0, 0, 0);
}

/* It is reported by the very next frame, and by no frame after it. */
static void frame_alarm(struct kunit *test)
{
	struct fake_servos *f;

	bind_v1(test);
	f = test->priv;
	choose(test, IIO_COUNT, ALARM + 1);
	choose(test, IIO_COUNT, ALARM + 2);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	pull(test);
	KUNIT_EXPECT_EQ(test, frames.sample[0], 0);
	f->servo[KNEE]->error = DXL1_ERR_OVERLOAD | DXL1_ERR_VOLTAGE;
	pull(test);
	KUNIT_EXPECT_EQ(test, frames.sample[0],
			DXL1_ERR_OVERLOAD | DXL1_ERR_VOLTAGE);
	KUNIT_EXPECT_EQ(test, frames.sample[1], 0);
	f->servo[KNEE]->error = 0;
	pull(test);
	KUNIT_EXPECT_EQ(test, frames.sample[0], 0);
}

static void expect_count(struct kunit *test, const char *name, const char *want)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_ASSERT_GT(test, dev_attr_show(&frames.state->dev, name, buf), 0);
	KUNIT_EXPECT_STREQ(test, buf, want);
}

/* None is lost without being counted. */
static void frame_dropped(struct kunit *test)
{
	bind_v1(test);
	choose(test, IIO_ANGL, 1);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	pull(test);
	pull(test);
	frames.full = true;
	pull(test);
	disable(test);
	expect_count(test, "frames", "2\n");
	expect_count(test, "dropped", "1\n");
}

/* --- triggers --- */

/* One that polls from a thread calls nothing that is for interrupts. */
static void frame_by_thread(struct kunit *test)
{
	unsigned int i, pushes;

	bind_v1(test);
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	for (i = 0; i < 2; i++) {
		pushes = READ_ONCE(frames.pushes);
		iio_trigger_poll_nested(frames.trig);
		wait_for_frame(test, pushes);
	}
	disable(test);
	expect_count(test, "frames", "2\n");
}

static void reenable(struct iio_trigger *trig)
{
	frames.reenabled_atomic += in_interrupt() || irqs_disabled();
	WRITE_ONCE(frames.reenabled, frames.reenabled + 1);
	wake_up(&frames.pushed);
}

/* One that has to be enabled again, for which it may sleep. */
static void frame_by_sleeper(struct kunit *test)
{
	static const struct iio_trigger_ops ops = { .reenable = reenable };
	unsigned int i;

	bind_v1(test);
	frames.trig->ops = &ops;
	/* The last to be polled is the one who has it enabled again. */
	bitmap_set(frames.trig->pool, 0,
		   CONFIG_IIO_CONSUMERS_PER_TRIGGER - 1);
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	for (i = 1; i <= 2; i++) {
		pull(test);
		KUNIT_EXPECT_GT(test,
				wait_event_timeout(frames.pushed,
						   READ_ONCE(frames.reenabled) == i,
						   msecs_to_jiffies(FAKE_PATIENCE_MS)),
				0);
	}
	KUNIT_EXPECT_EQ(test, frames.reenabled_atomic, 0);
	disable(test);
	expect_count(test, "frames", "2\n");
}

/* --- members --- */

static u64 wire_ns(const struct fake_servos *f)
{
	return READ_ONCE(f->line->bus->exchange->wire_ns);
}

static ssize_t attribute_of(struct kunit *test, const char *name)
{
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);

	return dev_attr_show(&frames.state->dev, name, buf);
}

/* One that goes has its channels as long as somebody reads, and again when it is back. */
static void frame_goes_on(struct kunit *test)
{
	struct device *head;
	struct fake_servos *f;
	u64 before;

	bind_v1(test);
	f = test->priv;
	head = &servo_device(test, 2)->dev;
	put_le16(f->servo[HEAD]->table + 36, 222);
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	expect_frame(test, 0, 0, 222, 0);
	before = wire_ns(f);
	device_release_driver(head);
	put_le16(f->servo[HEAD]->table + 36, 333);
	expect_frame(test, 0, 0, 222, 1);
	/* Longer than it takes to be registered anew. */
	msleep(300);
	expect_frame(test, 0, 0, 222, 2);
	expect_count(test, "stale", "1\n");
	KUNIT_EXPECT_LT(test, wire_ns(f), before);
	KUNIT_EXPECT_EQ(test, attribute_of(test, "in_angl2_raw"), -ENODEV);
	KUNIT_EXPECT_GT(test, attribute_of(test, "in_angl2_scale"), 0);
	KUNIT_EXPECT_EQ(test, device_attach(head), 1);
	expect_frame(test, 0, 0, 333, 0);
	KUNIT_EXPECT_EQ(test, wire_ns(f), before);
	msleep(300);
	expect_count(test, "stale", "0\n");
}

/* What is new has none before nobody reads any more. */
static void frame_of_newcomer(struct kunit *test)
{
	struct fake_servos *f;
	const char *text = "robotis,ax-12 9";

	bind_v1(test);
	f = test->priv;
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	expect_frame(test, 0, 0, 0, 0);
	fake_servos_add(f, 9, MODEL_AX12);
	f->line->respond = note_read;
	KUNIT_ASSERT_EQ(test, dev_attr_store(dxl_bus_dev(f->line->bus), "new_device", text),
			(ssize_t)strlen(text));
	wait_for_device_probe();
	msleep(300);
	expect_frame(test, 0, 0, 0, 0);
	expect_count(test, "stale", "1\n");
	stop_reading(f->line->bus);
	KUNIT_EXPECT_NOT_NULL(test,
			      servo_wait_for_state(test, 4 * CHANNELS_AX + 1));
}

/* Where there is nobody to be asked there is nothing to be read. */
static void frame_leave(struct kunit *test)
{
	bind_v1(test);
	choose_angl_and_age(test);
	KUNIT_ASSERT_EQ(test, enable(), 1);
	pull(test);
	/* As their drivers do when they are unbound. */
	dxl_frame_leave(servo_device(test, 1));
	dxl_frame_leave(servo_device(test, 2));
	KUNIT_EXPECT_NOT_NULL(test, frames.state->info);
	dxl_frame_leave(servo_device(test, 7));
	KUNIT_EXPECT_NULL(test, frames.state->info);
	frames.state = NULL;
}

static struct kunit_case frame_cases[] = {
	KUNIT_CASE(frame_channels_v1),
	KUNIT_CASE(frame_channels_v2),
	KUNIT_CASE(frame_raw),
	KUNIT_CASE(frame_packing_v1),
	KUNIT_CASE(frame_packing_v2),
	KUNIT_CASE(frame_slow),
	KUNIT_CASE(frame_slow_divider),
	KUNIT_CASE(frame_wire_time),
	KUNIT_CASE(frame_sample_v1),
	KUNIT_CASE(frame_sample_v2),
	KUNIT_CASE(frame_missing),
	KUNIT_CASE(frame_counts_answers),
	KUNIT_CASE(frame_lost),
	KUNIT_CASE(frame_wrong_model),
	KUNIT_CASE(frame_alarm),
	KUNIT_CASE(frame_dropped),
	KUNIT_CASE(frame_by_thread),
	KUNIT_CASE(frame_by_sleeper),
	KUNIT_CASE(frame_goes_on),
	KUNIT_CASE(frame_of_newcomer),
	KUNIT_CASE(frame_leave),
	{}
};

static struct kunit_suite frame_suite = {
	.name = "dxl_frame",
	.test_cases = frame_cases,
};

kunit_test_suite(frame_suite);
