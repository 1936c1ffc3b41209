// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the devices on a bus and of the access to their registers
 */
#include <linux/device.h>
#include <linux/err.h>

#include <kunit/test-bug.h>
#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "fake_line.h"
#include "fake_tree.h"

#define BAUD	1000000

static int bus_test_init(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, BAUD, NULL);

	test->priv = line;
	fake_line_add(test, line);

	return 0;
}

/* --- described devices --- */

static int collect_id(struct device *dev, void *data)
{
	unsigned long *ids = data;

	/* The bus has children of other kinds too. */
	if (dev->bus != dev->parent->bus)
		return 0;

	KUNIT_EXPECT_FALSE(kunit_get_current_test(),
			   test_and_set_bit(to_dxl_device(dev)->id, ids));

	return 0;
}

static void bus_described_devices(struct kunit *test)
{
	static const u8 right[] = { 0, 5, 7, 253 };
	struct fwnode_handle *node = fake_tree_bus(test, "bus-wrong");
	struct fake_line *line = fake_line_create(test, BAUD, node);
	DECLARE_BITMAP(ids, 256) = {};
	size_t i;

	fake_line_add(test, line);
	device_for_each_child(dxl_bus_dev(line->bus), ids, collect_id);
	KUNIT_EXPECT_EQ(test, bitmap_weight(ids, 256), ARRAY_SIZE(right));
	for (i = 0; i < ARRAY_SIZE(right); i++)
		KUNIT_EXPECT_TRUE_MSG(test, test_bit(right[i], ids), "ID %u",
				      right[i]);

	fake_line_remove(line);
	KUNIT_EXPECT_FALSE(test, device_is_registered(&line->bus->dev));
}

/* A device of a bus that is gone keeps the bus's memory for its own holder. */
static void bus_device_outlives_bus(struct kunit *test)
{
	struct fwnode_handle *node = fake_tree_bus(test, "bus-wrong");
	struct fake_line *line = fake_line_create(test, BAUD, node);
	struct dxl_device *ddev;
	struct device *dev;
	char name[16];
	u8 value;

	fake_line_add(test, line);
	snprintf(name, sizeof(name), "%d-007", line->bus->nr);
	dev = device_find_child_by_name(dxl_bus_dev(line->bus), name);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	ddev = to_dxl_device(dev);
	ddev->protocol = DXL_PROTOCOL_1;

	fake_line_remove(line);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 0, &value, 1), -ESHUTDOWN);
	put_device(dev);
}

static void bus_alloc_without_baud(struct kunit *test)
{
	static const struct dxl_transport_ops ops;
	struct fake_line *line = test->priv;

	KUNIT_EXPECT_EQ(test,
			PTR_ERR(dxl_bus_alloc(line->parent, &ops, NULL, 0)),
			-ERANGE);
	KUNIT_EXPECT_EQ(test,
			PTR_ERR(dxl_bus_alloc(line->parent, &ops, NULL,
					      DXL_BAUD_MIN - 1)), -ERANGE);
}

static void bus_numbers(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_line *other = fake_line_create(test, BAUD, NULL);

	KUNIT_EXPECT_NE(test, line->bus->nr, other->bus->nr);
	KUNIT_EXPECT_PTR_EQ(test, dxl_bus_priv(other->bus), other);
	KUNIT_EXPECT_PTR_EQ(test, dxl_bus_dev(other->bus)->parent,
			    other->parent);
}

/* --- registers --- */

static void bus_read(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_device *dev = fake_line_device(line, 1, DXL_PROTOCOL_1);
	u8 buf[2];

	dev->table[36] = 0x34;
	dev->table[37] = 0x02;
	KUNIT_EXPECT_EQ(test, dxl_read(&line->ddevs[0], 36, buf, 2), 0);
	KUNIT_EXPECT_EQ(test, buf[0], 0x34);
	KUNIT_EXPECT_EQ(test, buf[1], 0x02);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0x01, 0x04,
						0x02, 0x24, 0x02, 0xd2));

	dev->table[255] = 0x55;
	KUNIT_EXPECT_EQ(test, dxl_read(&line->ddevs[0], 255, buf, 1), 0);
	KUNIT_EXPECT_EQ(test, buf[0], 0x55);
}

static void bus_read_protocol2(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_device *dev = fake_line_device(line, 1, DXL_PROTOCOL_2);
	struct dxl_device *ddev = &line->ddevs[0];
	u8 buf[4];

	ddev->protocol = DXL_PROTOCOL_2;
	dev->table[132] = 0xa6;
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 132, buf, 4), 0);
	KUNIT_EXPECT_EQ(test, buf[0], 0xa6);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0xfd, 0x00,
						0x01, 0x07, 0x00, 0x02, 0x84,
						0x00, 0x04, 0x00, 0x1d, 0x15));
}

static void bus_write(struct kunit *test)
{
	static const u8 goal[] = { 0x00, 0x02 };
	struct fake_line *line = test->priv;
	struct fake_device *dev = fake_line_device(line, 1, DXL_PROTOCOL_1);

	KUNIT_EXPECT_EQ(test, dxl_write(&line->ddevs[0], 30, goal, 2), 0);
	KUNIT_EXPECT_MEMEQ(test, dev->table + 30, goal, 2);
	KUNIT_EXPECT_TRUE(test,
			  FAKE_LINE_WROTE(line, 0xff, 0xff, 0x01, 0x05, 0x03,
					  0x1e, 0x00, 0x02, 0xd6));
}

static void bus_write_protocol2(struct kunit *test)
{
	static const u8 goal[] = { 0x00, 0x02, 0x00, 0x00 };
	struct fake_line *line = test->priv;

	fake_line_device(line, 1, DXL_PROTOCOL_2);
	line->ddevs[0].protocol = DXL_PROTOCOL_2;
	KUNIT_EXPECT_EQ(test, dxl_write(&line->ddevs[0], 116, goal, 4), 0);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0xfd, 0x00,
						0x01, 0x09, 0x00, 0x03, 0x74,
						0x00, 0x00, 0x02, 0x00, 0x00,
						0xca, 0x89));
}

static void bus_no_such_range(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *ddev = &line->ddevs[0];
	u8 buf[4] = {};

	/* What is sent nevertheless has no answer. */
	fake_line_set_margin(line, 0);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 0, buf, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 256, buf, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 255, buf, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_write(ddev, 0, buf, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_write(ddev, 255, buf, 2), -EINVAL);

	ddev->protocol = DXL_PROTOCOL_2;
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 0xffff, buf, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_write(ddev, 0xfffd, buf, 4), -EINVAL);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
}

/* All of a 1.0 table is more than a packet, whose length has eight bits. */
static void bus_range_too_long(struct kunit *test)
{
	struct fake_line *line = test->priv;
	u8 *buf = kunit_kzalloc(test, 256, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	/* What is sent nevertheless has no answer. */
	fake_line_set_margin(line, 0);
	KUNIT_EXPECT_NE(test, dxl_read(&line->ddevs[0], 0, buf, 256), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	KUNIT_EXPECT_NE(test, dxl_read(&line->ddevs[0], 0, buf, 254), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	KUNIT_EXPECT_NE(test, dxl_write(&line->ddevs[0], 0, buf, 256), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 0);

	fake_line_set_margin(line, FAKE_NEVER_US);
	fake_line_forget(line);
	fake_line_device(line, 1, DXL_PROTOCOL_1);
	KUNIT_EXPECT_EQ(test, dxl_read(&line->ddevs[0], 0, buf, 253), 0);
}

static void bus_status_level(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_device *dev = fake_line_device(line, 1, DXL_PROTOCOL_1);
	struct dxl_device *ddev = &line->ddevs[0];
	u8 value = 9;

	dev->status_level = DXL_ANSWERS_READ;
	ddev->status_level = DXL_ANSWERS_READ;
	fake_line_set_margin(line, 0);
	KUNIT_EXPECT_EQ(test, dxl_write(ddev, 25, &value, 1), 0);
	fake_line_set_margin(line, FAKE_NEVER_US);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 25, &value, 1), 0);
	KUNIT_EXPECT_EQ(test, value, 9);

	dev->status_level = DXL_ANSWERS_PING;
	ddev->status_level = DXL_ANSWERS_PING;
	fake_line_set_margin(line, 0);
	KUNIT_EXPECT_EQ(test, dxl_write(ddev, 25, &value, 1), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 25, &value, 1), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 0);
}

static void bus_identify(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_device *dev = fake_line_device(line, 1, DXL_PROTOCOL_1);
	struct dxl_device *ddev = &line->ddevs[0];

	dev->table[0] = 0x0c;
	dev->table[1] = 0x01;
	dev->table[2] = 24;
	dev->table[6] = 45;

	dev->silent = true;
	KUNIT_EXPECT_EQ(test, dxl_identify(ddev), -ETIMEDOUT);
	KUNIT_EXPECT_FALSE(test, ddev->identified);

	dev->silent = false;
	KUNIT_EXPECT_EQ(test, dxl_identify(ddev), 0);
	KUNIT_EXPECT_TRUE(test, ddev->identified);
	KUNIT_EXPECT_EQ(test, ddev->model_number, 0x10c);
	KUNIT_EXPECT_EQ(test, ddev->firmware_version, 24);

	dev->protocol = DXL_PROTOCOL_2;
	ddev->protocol = DXL_PROTOCOL_2;
	KUNIT_EXPECT_EQ(test, dxl_identify(ddev), 0);
	KUNIT_EXPECT_EQ(test, ddev->model_number, 0x10c);
	KUNIT_EXPECT_EQ(test, ddev->firmware_version, 45);
}

static void bus_device_errors(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_device *dev = fake_line_device(line, 1, DXL_PROTOCOL_1);
	struct dxl_device *ddev = &line->ddevs[0];
	u8 value = 7;

	dev->error = DXL1_ERR_OVERLOAD;
	KUNIT_EXPECT_EQ(test, dxl_write(ddev, 25, &value, 1), 0);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 25, &value, 1), 0);

	dev->error = DXL1_ERR_RANGE;
	KUNIT_EXPECT_EQ(test, dxl_write(ddev, 25, &value, 1), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, dxl_read(ddev, 25, &value, 1), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_DEVICE_ERRORS),
			2);
}

static struct kunit_case bus_cases[] = {
	KUNIT_CASE(bus_described_devices),
	KUNIT_CASE(bus_device_outlives_bus),
	KUNIT_CASE(bus_alloc_without_baud),
	KUNIT_CASE(bus_numbers),
	KUNIT_CASE(bus_read),
	KUNIT_CASE(bus_read_protocol2),
	KUNIT_CASE(bus_write),
	KUNIT_CASE(bus_write_protocol2),
	KUNIT_CASE(bus_no_such_range),
	KUNIT_CASE(bus_range_too_long),
	KUNIT_CASE(bus_status_level),
	KUNIT_CASE(bus_identify),
	KUNIT_CASE(bus_device_errors),
	{}
};

static struct kunit_suite bus_suite = {
	.name = "dxl_bus",
	.init = bus_test_init,
	.test_cases = bus_cases,
};

kunit_test_suite(bus_suite);
