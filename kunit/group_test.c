// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of group transfers: which packets they are made of, and what
 * becomes of the devices in them
 */
#include <linux/string.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "fake_chain.h"
#include "fake_line.h"

#define MAX_ITEMS	8
#define MAX_LEN		80

/* All that the models of Protocol 2.0 can do. */
#define EVERYTHING	(DXL_CAN_BULK_READ | DXL_CAN_SYNC_READ |	\
			 DXL_CAN_FAST_SYNC_READ |			\
			 DXL_CAN_FAST_BULK_READ | DXL_CAN_BULK_WRITE)

/**
 * struct fixture - a line and a group transfer on it
 * @line: the line; its devices are those of the items
 * @group: the group
 * @items: its items
 * @num_items: their number
 * @data: their data
 * @completions: how often it was completed
 * @again: submit it once more from there
 */
struct fixture {
	struct fake_line *line;
	struct dxl_group *group;
	struct dxl_item items[MAX_ITEMS];
	unsigned int num_items;
	u8 data[MAX_ITEMS][MAX_LEN];
	unsigned int completions;
	bool again;
};

static void free_group(void *data)
{
	struct fixture *f = data;

	fake_line_remove(f->line);
	dxl_group_free(f->group);
}

static int group_test_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->line = fake_line_create(test, 1000000, NULL);
	fake_line_add(test, f->line);
	f->group = dxl_group_alloc(f->line->bus, MAX_ITEMS, DXL_PRIO_CYCLIC);
	KUNIT_ASSERT_NOT_NULL(test, f->group);

	return kunit_add_action_or_reset(test, free_group, f);
}

/* Make @id a device of @protocol that can do @features. */
static void set_device(struct fixture *f, u8 id, enum dxl_protocol protocol,
		       u32 features)
{
	f->line->ddevs[id - 1].protocol = protocol;
	f->line->ddevs[id - 1].features = features;
}

static void set_devices(struct fixture *f, u8 from, u8 to,
			enum dxl_protocol protocol, u32 features)
{
	u8 id;

	for (id = from; id <= to; id++)
		set_device(f, id, protocol, features);
}

static void add_item(struct fixture *f, u8 id, u16 addr, u16 len)
{
	unsigned int i = f->num_items++;

	f->items[i] = (struct dxl_item){
		.ddev = &f->line->ddevs[id - 1],
		.addr = addr,
		.len = len,
		.buf = f->data[i],
	};
	memset(f->data[i], 0, len);
}

/* Two registers at 132 of each of the devices 1 to @devices. */
static void add_items(struct fixture *f, u8 devices)
{
	u8 id;

	for (id = 1; id <= devices; id++)
		add_item(f, id, 132, FAKE_CHAIN_DATA);
}

static void group_complete(struct dxl_group *group, void *context)
{
	struct fixture *f = context;

	f->completions++;
	if (f->again) {
		f->again = false;
		dxl_group_read(group, f->items, f->num_items, group_complete,
			       f);
	}
}

static void read_items(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, dxl_group_read(f->group, f->items, f->num_items,
					     group_complete, f), 0);
}

static void write_items(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, dxl_group_write_sync(f->group, f->items,
						   f->num_items), 0);
}

/* What the device @id says to a read of two registers. */
static void answer(struct fixture *f, u8 id)
{
	const u8 params[] = { id, 10 + id };

	fake_line_status(f->line, f->line->ddevs[id - 1].protocol, id, 0,
			 params, sizeof(params));
}

static void expect_item(struct kunit *test, unsigned int i, int status)
{
	struct fixture *f = test->priv;
	u8 id = f->items[i].ddev->id;
	const u8 params[] = { id, 10 + id };

	KUNIT_EXPECT_EQ_MSG(test, f->items[i].status, status, "item %u", i);
	if (!status)
		KUNIT_EXPECT_MEMEQ(test, f->data[i], params, sizeof(params));
}

static void expect_done(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, f->completions, 1);
	for (i = 0; i < f->num_items; i++)
		expect_item(test, i, 0);
}

static void expect_wrote(struct kunit *test, const u8 *bytes, size_t len)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_TRUE(test, fake_line_wrote(f->line, bytes, len));
}

#define EXPECT_WROTE(test, bytes) expect_wrote(test, bytes, sizeof(bytes))

/* READs of the registers that add_items() names. */
static const u8 read1_of_1[] = {
	0xff, 0xff, 0x01, 0x04, 0x02, 0x84, 0x02, 0x72,
};

static const u8 read1_of_2[] = {
	0xff, 0xff, 0x02, 0x04, 0x02, 0x84, 0x02, 0x71,
};

static const u8 read2_of_1[] = {
	0xff, 0xff, 0xfd, 0x00, 0x01, 0x07, 0x00, 0x02,
	0x84, 0x00, 0x02, 0x00, 0x1d, 0x01,
};

static const u8 read2_of_3[] = {
	0xff, 0xff, 0xfd, 0x00, 0x03, 0x07, 0x00, 0x02,
	0x84, 0x00, 0x02, 0x00, 0x11, 0x21,
};

static const u8 sync_read_of_1_2_3[] = {
	0xff, 0xff, 0xfd, 0x00, 0xfe, 0x0a, 0x00, 0x82,
	0x84, 0x00, 0x02, 0x00, 0x01, 0x02, 0x03, 0x3a,
	0x6d,
};

static const u8 sync_read_of_2_3[] = {
	0xff, 0xff, 0xfd, 0x00, 0xfe, 0x09, 0x00, 0x82,
	0x84, 0x00, 0x02, 0x00, 0x02, 0x03, 0xcb, 0x08,
};

static const u8 fast_sync_read_of_1_2[] = {
	0xff, 0xff, 0xfd, 0x00, 0xfe, 0x09, 0x00, 0x8a,
	0x84, 0x00, 0x02, 0x00, 0x01, 0x02, 0x4d, 0x0a,
};

/* --- reads --- */

static void group_single_reads(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_items(f, 2);
	read_items(test);
	EXPECT_WROTE(test, read1_of_1);
	answer(f, 1);
	EXPECT_WROTE(test, read1_of_2);
	KUNIT_EXPECT_EQ(test, f->completions, 0);
	answer(f, 2);
	expect_done(test);
}

static void group_single_read2(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_device(f, 1, DXL_PROTOCOL_2, EVERYTHING);
	add_items(f, 1);
	read_items(test);
	EXPECT_WROTE(test, read2_of_1);
	answer(f, 1);
	expect_done(test);
}

static void group_bulk_read1(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfe, 0x09, 0x92, 0x00, 0x02, 0x01,
		0x24, 0x02, 0x02, 0x28, 0x13,
	};
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_1, DXL_CAN_BULK_READ);
	add_item(f, 1, 36, 2);
	add_item(f, 2, 40, 2);
	read_items(test);
	EXPECT_WROTE(test, bytes);
	answer(f, 1);
	answer(f, 2);
	expect_done(test);
}

static void group_sync_read(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2,
		    DXL_CAN_SYNC_READ | DXL_CAN_BULK_READ |
		    DXL_CAN_FAST_BULK_READ);
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_1_2_3);
	answer(f, 1);
	answer(f, 2);
	answer(f, 3);
	expect_done(test);
}

/* Both in the packet that they share, each with what answer() has it say */
static void answer_fast(struct fixture *f, u8 first, u8 second)
{
	struct fake_fast fast;

	fake_fast_begin(&fast, 2);
	fake_fast_add(&fast, first, 0, 10 + first);
	fake_fast_add(&fast, second, 0, 10 + second);
	fake_fast_send(f->line, &fast, 0, fast.len);
}

static void group_fast_sync_read(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, EVERYTHING);
	add_items(f, 2);
	read_items(test);
	EXPECT_WROTE(test, fast_sync_read_of_1_2);
	answer_fast(f, 1, 2);
	expect_done(test);
}

static void group_fast_bulk_read(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x0d, 0x00, 0x9a,
		0x01, 0x84, 0x00, 0x02, 0x00, 0x02, 0x7e, 0x00,
		0x02, 0x00, 0xb7, 0x2a,
	};
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, EVERYTHING);
	add_item(f, 1, 132, 2);
	add_item(f, 2, 126, 2);
	read_items(test);
	EXPECT_WROTE(test, bytes);
	answer_fast(f, 1, 2);
	expect_done(test);
}

static void group_bulk_read2(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x0d, 0x00, 0x92,
		0x01, 0x84, 0x00, 0x02, 0x00, 0x02, 0x7e, 0x00,
		0x02, 0x00, 0xb4, 0x00,
	};
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2,
		    DXL_CAN_SYNC_READ | DXL_CAN_BULK_READ);
	add_item(f, 1, 132, 2);
	add_item(f, 2, 126, 2);
	read_items(test);
	EXPECT_WROTE(test, bytes);
	answer(f, 1);
	answer(f, 2);
	expect_done(test);
}

/* Reaching all in one packet is better than reaching some of them fast. */
static void group_reaches_most(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, EVERYTHING);
	set_device(f, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_1_2_3);
	answer(f, 1);
	answer(f, 2);
	answer(f, 3);
	expect_done(test);
}

/* Each device of a chain waits before it answers; the margin is half of that. */
static void set_long_delays(struct fixture *f)
{
	unsigned int i;

	for (i = 0; i < f->num_items; i++)
		f->items[i].ddev->return_delay_us = FAKE_NEVER_US;
	fake_line_set_margin(f->line, FAKE_NEVER_US / 2);
}

static void expect_two_fast_and_one_alone(struct kunit *test)
{
	struct fixture *f = test->priv;

	read_items(test);
	EXPECT_WROTE(test, fast_sync_read_of_1_2);
	answer_fast(f, 1, 2);
	EXPECT_WROTE(test, read2_of_3);
	answer(f, 3);
	expect_done(test);
}

/* But not where that takes longer, as each of them would have to wait. */
static void group_waits_once(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, EVERYTHING);
	set_device(f, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	add_items(f, 3);
	set_long_delays(f);
	expect_two_fast_and_one_alone(test);
}

/* The one that cannot answer fast may come first. */
static void group_waits_once_behind(struct kunit *test)
{
	static const u8 fast_sync_read_of_2_3[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x09, 0x00, 0x8a,
		0x84, 0x00, 0x02, 0x00, 0x02, 0x03, 0x48, 0x80,
	};
	struct fixture *f = test->priv;

	set_device(f, 1, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	set_devices(f, 2, 3, DXL_PROTOCOL_2, EVERYTHING);
	add_items(f, 3);
	set_long_delays(f);
	read_items(test);
	EXPECT_WROTE(test, fast_sync_read_of_2_3);
	answer_fast(f, 2, 3);
	EXPECT_WROTE(test, read2_of_1);
	answer(f, 1);
	expect_done(test);
}

/* Who can do nothing of the kind is asked alone. */
static void group_one_cannot(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, EVERYTHING);
	set_device(f, 3, DXL_PROTOCOL_2, 0);
	add_items(f, 3);
	expect_two_fast_and_one_alone(test);
}

static void group_mixed_protocols(struct kunit *test)
{
	static const u8 bulk_read1[] = {
		0xff, 0xff, 0xfe, 0x09, 0x92, 0x00, 0x02, 0x01,
		0x84, 0x02, 0x04, 0x84, 0x55,
	};
	struct fixture *f = test->priv;

	set_device(f, 1, DXL_PROTOCOL_1, DXL_CAN_BULK_READ);
	set_devices(f, 2, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	set_device(f, 4, DXL_PROTOCOL_1, DXL_CAN_BULK_READ);
	add_items(f, 4);
	read_items(test);
	EXPECT_WROTE(test, bulk_read1);
	answer(f, 1);
	answer(f, 4);
	EXPECT_WROTE(test, sync_read_of_2_3);
	answer(f, 2);
	answer(f, 3);
	expect_done(test);
}

/* No group instruction names a device twice. */
static void group_device_twice(struct kunit *test)
{
	static const u8 both[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x0d, 0x00, 0x92,
		0x01, 0x84, 0x00, 0x02, 0x00, 0x02, 0x84, 0x00,
		0x02, 0x00, 0x9c, 0x48,
	};
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, DXL_CAN_BULK_READ);
	add_item(f, 1, 132, 2);
	add_item(f, 1, 132, 2);
	add_item(f, 2, 132, 2);
	read_items(test);
	EXPECT_WROTE(test, both);
	answer(f, 1);
	answer(f, 2);
	EXPECT_WROTE(test, read2_of_1);
	answer(f, 1);
	expect_done(test);
}

/* --- writes --- */

static void fill(struct fixture *f, unsigned int i, u8 first)
{
	unsigned int n;

	for (n = 0; n < f->items[i].len; n++)
		f->data[i][n] = first + n;
}

static void expect_sent(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < f->num_items; i++)
		KUNIT_EXPECT_EQ_MSG(test, f->items[i].status, 0, "item %u", i);
}

static void group_sync_write1(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfe, 0x0a, 0x83, 0x1e, 0x02, 0x01,
		0x11, 0x12, 0x02, 0x21, 0x22, 0xeb,
	};
	struct fixture *f = test->priv;

	add_item(f, 1, 30, 2);
	add_item(f, 2, 30, 2);
	fill(f, 0, 0x11);
	fill(f, 1, 0x21);
	write_items(test);
	EXPECT_WROTE(test, bytes);
	expect_sent(test);
}

static void group_sync_write2(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x11, 0x00, 0x83,
		0x74, 0x00, 0x04, 0x00, 0x01, 0x11, 0x12, 0x13,
		0x14, 0x02, 0x21, 0x22, 0x23, 0x24, 0xa9, 0x22,
	};
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, EVERYTHING);
	add_item(f, 1, 116, 4);
	add_item(f, 2, 116, 4);
	fill(f, 0, 0x11);
	fill(f, 1, 0x21);
	write_items(test);
	EXPECT_WROTE(test, bytes);
	expect_sent(test);
}

static void group_bulk_write(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x12, 0x00, 0x93,
		0x01, 0x74, 0x00, 0x04, 0x00, 0x11, 0x12, 0x13,
		0x14, 0x02, 0x41, 0x00, 0x01, 0x00, 0x21, 0x00,
		0x7c,
	};
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, EVERYTHING);
	add_item(f, 1, 116, 4);
	add_item(f, 2, 65, 1);
	fill(f, 0, 0x11);
	fill(f, 1, 0x21);
	write_items(test);
	EXPECT_WROTE(test, bytes);
	expect_sent(test);
}

/* Nothing that waits for an answer, even where it is for one alone. */
static void group_write_one(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfe, 0x07, 0x83, 0x1e, 0x02, 0x01,
		0x11, 0x12, 0x33,
	};
	struct fixture *f = test->priv;

	add_item(f, 1, 30, 2);
	fill(f, 0, 0x11);
	write_items(test);
	EXPECT_WROTE(test, bytes);
	expect_sent(test);
}

/* Different ranges where nobody can BULK_WRITE, and different protocols. */
static void group_write_several_packets(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfe, 0x07, 0x83, 0x1e, 0x02, 0x01,
		0x11, 0x12, 0x33, 0xff, 0xff, 0xfe, 0x06, 0x83,
		0x18, 0x01, 0x02, 0x21, 0x3c, 0xff, 0xff, 0xfd,
		0x00, 0xfe, 0x09, 0x00, 0x83, 0x18, 0x00, 0x01,
		0x00, 0x03, 0x31, 0xe2, 0x13,
	};
	struct fixture *f = test->priv;

	set_device(f, 3, DXL_PROTOCOL_2, EVERYTHING);
	add_item(f, 1, 30, 2);
	add_item(f, 2, 24, 1);
	add_item(f, 3, 24, 1);
	fill(f, 0, 0x11);
	fill(f, 1, 0x21);
	fill(f, 2, 0x31);
	write_items(test);
	EXPECT_WROTE(test, bytes);
	expect_sent(test);
}

/* A servo would have its goal before its torque is off. */
static void group_write_in_order(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfe, 0x07, 0x83, 0x1e, 0x02, 0x01,
		0x11, 0x12, 0x33, 0xff, 0xff, 0xfe, 0x06, 0x83,
		0x18, 0x01, 0x02, 0x21, 0x3c, 0xff, 0xff, 0xfe,
		0x07, 0x83, 0x1e, 0x02, 0x02, 0x31, 0x32, 0xf2,
	};
	struct fixture *f = test->priv;

	add_item(f, 1, 30, 2);
	add_item(f, 2, 24, 1);
	add_item(f, 2, 30, 2);
	fill(f, 0, 0x11);
	fill(f, 1, 0x21);
	fill(f, 2, 0x31);
	write_items(test);
	EXPECT_WROTE(test, bytes);
	expect_sent(test);
}

/* Three of these fit in a packet of Protocol 1.0, of 253 parameters at most. */
static void group_write_too_many(struct kunit *test)
{
	struct fixture *f = test->priv;
	u8 id;

	for (id = 1; id <= 4; id++)
		add_item(f, id, 30, 80);
	write_items(test);
	expect_sent(test);
	KUNIT_EXPECT_EQ(test, f->line->writes, 2);
	KUNIT_EXPECT_EQ(test, f->line->tx_len, 2 * (6 + 2) + 4 * 81);
	KUNIT_EXPECT_EQ(test, f->line->tx[3], 2 + 2 + 3 * 81);
	KUNIT_EXPECT_EQ(test, f->line->tx[4], DXL_SYNC_WRITE);
}

/* What fits no packet is refused and not turned into something else. */
static void group_write_too_long(struct kunit *test)
{
	struct fixture *f = test->priv;
	u8 *data = kunit_kzalloc(test, 252, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, data);
	add_item(f, 1, 0, 1);
	f->items[0].buf = data;
	f->items[0].len = 252;
	if (!dxl_group_write_sync(f->group, f->items, 1))
		KUNIT_EXPECT_LT(test, f->items[0].status, 0);
	KUNIT_EXPECT_EQ(test, f->line->writes, 0);
}

/* --- devices that do not answer --- */

/* One is missing: the one behind it is asked once more, and nobody else. */
static void group_gap(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_1_2_3);
	answer(f, 1);
	fake_line_expire(f->line);
	KUNIT_EXPECT_EQ(test, f->completions, 0);
	EXPECT_WROTE(test, read2_of_3);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, 0);
	expect_item(test, 1, -ETIMEDOUT);
	expect_item(test, 2, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(f->line, DXL_STAT_TIMEOUTS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(f->line, DXL_STAT_ACK), 2);
}

static void group_gap_first(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_1_2_3);
	fake_line_expire(f->line);
	EXPECT_WROTE(test, sync_read_of_2_3);
	answer(f, 2);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, -ETIMEDOUT);
	expect_item(test, 1, 0);
	expect_item(test, 2, 0);
}

static void group_gap_fast(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_fast fast;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, EVERYTHING);
	add_items(f, 3);
	read_items(test);
	fake_fast_begin(&fast, 3);
	fake_fast_add(&fast, 1, 0, 11);
	fake_fast_send(f->line, &fast, 0, fast.len);
	fake_line_forget(f->line);
	fake_line_expire(f->line);
	EXPECT_WROTE(test, read2_of_3);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, 0);
	expect_item(test, 1, -ETIMEDOUT);
	expect_item(test, 2, 0);
}

/* All of them: each costs its time-out once. */
static void group_all_missing(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, EVERYTHING);
	add_items(f, 3);
	read_items(test);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, f->completions, 0);
		fake_line_expire(f->line);
	}
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	for (i = 0; i < 3; i++)
		expect_item(test, i, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->line->writes, 3);
}

static void group_damaged(struct kunit *test)
{
	struct fixture *f = test->priv;
	static const u8 damaged[] = {
		0xff, 0xff, 0xfd, 0x00, 0x02, 0x06, 0x00, 0x55,
		0x00, 0x02, 0x0c, 0xdd, 0x00,
	};

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	add_items(f, 3);
	read_items(test);
	answer(f, 1);
	dxl_bus_receive(f->line->bus, damaged, sizeof(damaged));
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, 0);
	expect_item(test, 1, -EBADMSG);
	expect_item(test, 2, 0);
	KUNIT_EXPECT_EQ(test, f->line->writes, 1);
}

static void group_refused(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	add_items(f, 2);
	read_items(test);
	fake_line_status(f->line, DXL_PROTOCOL_2, 1,
			 DXL2_ERR_ACCESS | DXL2_ERR_ALERT, NULL, 0);
	answer(f, 2);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, f->items[0].error,
			DXL2_ERR_ACCESS | DXL2_ERR_ALERT);
	expect_item(test, 1, 0);
	KUNIT_EXPECT_EQ(test, f->items[1].error, 0);
}

/* --- devices that are not asked --- */

static void group_lost(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	f->line->ddevs[0].state = DXL_LOST;
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_2_3);
	answer(f, 2);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, -EHOSTDOWN);
	expect_item(test, 1, 0);
	expect_item(test, 2, 0);
}

static void group_all_lost(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->line->ddevs[0].state = DXL_LOST;
	f->line->ddevs[1].state = DXL_LOST;
	add_items(f, 2);
	read_items(test);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, -EHOSTDOWN);
	expect_item(test, 1, -EHOSTDOWN);
	KUNIT_EXPECT_EQ(test, f->line->writes, 0);
}

/* A write costs nothing where nobody hears it. */
static void group_write_to_lost(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->line->ddevs[0].state = DXL_LOST;
	add_item(f, 1, 30, 2);
	write_items(test);
	expect_sent(test);
	KUNIT_EXPECT_EQ(test, f->line->writes, 1);
}

/* Have a device fail, so that it may still answer. */
static void fail(struct kunit *test, u8 id)
{
	struct fixture *f = test->priv;
	struct fake_request *req = fake_line_read2(f->line, id, 132, 2);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_expire(f->line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
	fake_line_forget(f->line);
}

/* Nobody waits for one that may still answer an earlier request. */
static void group_resting(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	fail(test, 1);
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_2_3);
	answer(f, 2);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, -EAGAIN);
	expect_item(test, 1, 0);
	expect_item(test, 2, 0);
	KUNIT_EXPECT_EQ(test, f->line->tx_len, 0);
}

static void group_resting_behind(struct kunit *test)
{
	static const u8 sync_read_of_1_2[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x09, 0x00, 0x82,
		0x84, 0x00, 0x02, 0x00, 0x01, 0x02, 0xce, 0x82,
	};
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	fail(test, 3);
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_1_2);
	answer(f, 1);
	answer(f, 2);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, 0);
	expect_item(test, 1, 0);
	expect_item(test, 2, -EAGAIN);
}

/* It is asked behind the others if its time has passed until then. */
static void group_rested_meanwhile(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	fail(test, 1);
	add_items(f, 3);
	read_items(test);
	EXPECT_WROTE(test, sync_read_of_2_3);
	fake_line_rested(f->line);
	answer(f, 2);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 0);
	EXPECT_WROTE(test, read2_of_1);
	answer(f, 1);
	expect_done(test);
}

/* A write is not answered, so that there is nothing to mistake. */
static void group_write_to_resting(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 2, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	fail(test, 1);
	add_item(f, 1, 116, 4);
	add_item(f, 2, 116, 4);
	write_items(test);
	expect_sent(test);
	KUNIT_EXPECT_EQ(test, f->line->writes, 2);
}

/* --- the group --- */

static void group_again(struct kunit *test)
{
	struct fixture *f = test->priv;

	set_devices(f, 1, 3, DXL_PROTOCOL_2, DXL_CAN_SYNC_READ);
	add_items(f, 3);
	f->again = true;
	read_items(test);
	answer(f, 1);
	answer(f, 2);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	KUNIT_EXPECT_EQ(test, f->items[0].status, -EINPROGRESS);
	KUNIT_EXPECT_EQ(test, f->line->writes, 2);
	answer(f, 1);
	answer(f, 2);
	answer(f, 3);
	KUNIT_EXPECT_EQ(test, f->completions, 2);
	expect_item(test, 0, 0);
	expect_item(test, 2, 0);
}

static void group_impossible(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_line *other = fake_line_create(test, 1000000, NULL);

	f->num_items = MAX_ITEMS + 1;
	KUNIT_EXPECT_EQ(test, dxl_group_read(f->group, f->items, f->num_items,
					     group_complete, f), -EINVAL);

	f->num_items = 0;
	add_item(f, 1, 132, 0);
	KUNIT_EXPECT_EQ(test, dxl_group_read(f->group, f->items, 1,
					     group_complete, f), -EINVAL);
	f->items[0].len = 2;
	f->items[0].ddev = &other->ddevs[0];
	KUNIT_EXPECT_EQ(test, dxl_group_read(f->group, f->items, 1,
					     group_complete, f), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_group_write(f->group, f->items, 1,
					      group_complete, f), -EINVAL);
	KUNIT_EXPECT_EQ(test, f->completions, 0);
	KUNIT_EXPECT_EQ(test, f->line->writes, 0);

	/* Nothing to do is soon done. */
	KUNIT_EXPECT_EQ(test, dxl_group_read(f->group, f->items, 0,
					     group_complete, f), 0);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
}

static void group_line_refuses(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_items(f, 3);
	f->line->refusal = -EIO;
	read_items(test);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, -EIO);
	expect_item(test, 1, -EIO);
	expect_item(test, 2, -EIO);
}

static void group_gone(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_items(f, 3);
	read_items(test);
	answer(f, 1);
	dxl_bus_disconnect(f->line->bus);
	KUNIT_EXPECT_EQ(test, f->completions, 1);
	expect_item(test, 0, 0);
	expect_item(test, 1, -ENODEV);
	expect_item(test, 2, -ENODEV);

	read_items(test);
	KUNIT_EXPECT_EQ(test, f->completions, 2);
	expect_item(test, 0, -ENODEV);
	KUNIT_EXPECT_EQ(test, f->line->writes, 2);
}

static void group_priority(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct fake_request *first, *second;

	first = fake_line_read(f->line, 5, 36, 2);
	second = fake_line_read(f->line, 6, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(first), 0);
	KUNIT_ASSERT_EQ(test, fake_request_submit(second), 0);
	fake_line_forget(f->line);
	add_items(f, 2);
	read_items(test);
	answer(f, 5);
	EXPECT_WROTE(test, read1_of_1);
	answer(f, 1);
	EXPECT_WROTE(test, read1_of_2);
	answer(f, 2);
	expect_done(test);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(second));
}

static struct kunit_case group_cases[] = {
	KUNIT_CASE(group_single_reads),
	KUNIT_CASE(group_single_read2),
	KUNIT_CASE(group_bulk_read1),
	KUNIT_CASE(group_sync_read),
	KUNIT_CASE(group_fast_sync_read),
	KUNIT_CASE(group_fast_bulk_read),
	KUNIT_CASE(group_bulk_read2),
	KUNIT_CASE(group_reaches_most),
	KUNIT_CASE(group_waits_once),
	KUNIT_CASE(group_waits_once_behind),
	KUNIT_CASE(group_one_cannot),
	KUNIT_CASE(group_mixed_protocols),
	KUNIT_CASE(group_device_twice),
	KUNIT_CASE(group_sync_write1),
	KUNIT_CASE(group_sync_write2),
	KUNIT_CASE(group_bulk_write),
	KUNIT_CASE(group_write_one),
	KUNIT_CASE(group_write_several_packets),
	KUNIT_CASE(group_write_in_order),
	KUNIT_CASE(group_write_too_many),
	KUNIT_CASE(group_write_too_long),
	KUNIT_CASE(group_gap),
	KUNIT_CASE(group_gap_first),
	KUNIT_CASE(group_gap_fast),
	KUNIT_CASE(group_all_missing),
	KUNIT_CASE(group_damaged),
	KUNIT_CASE(group_refused),
	KUNIT_CASE(group_lost),
	KUNIT_CASE(group_all_lost),
	KUNIT_CASE(group_write_to_lost),
	KUNIT_CASE(group_resting),
	KUNIT_CASE(group_resting_behind),
	KUNIT_CASE(group_rested_meanwhile),
	KUNIT_CASE(group_write_to_resting),
	KUNIT_CASE(group_again),
	KUNIT_CASE(group_impossible),
	KUNIT_CASE(group_line_refuses),
	KUNIT_CASE(group_gone),
	KUNIT_CASE(group_priority),
	{}
};

static struct kunit_suite group_suite = {
	.name = "dxl_group",
	.init = group_test_init,
	.test_cases = group_cases,
};

kunit_test_suite(group_suite);
