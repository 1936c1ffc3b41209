// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what a board keeps for its robot
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/nvmem-consumer.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include <linux/dxl/cycle.h>

#include "fake_servo.h"

#define ID		200

#define REG_STORAGE	80
#define SIZE		176
#define NICK_NAME	24
#define CONFIG		48

/* Behind it, with new firmware */
#define PAGES		SIZE
#define BODY_B		(PAGES + 4096)
#define PAGES_END	(PAGES + 2 * 4096)

static struct fake_device *fake(struct kunit *test)
{
	struct fake_servos *f = test->priv;

	return &f->line->devices[0];
}

static void give_back(void *nvmem)
{
	nvmem_device_put(nvmem);
}

static void bind_as(struct kunit *test, const char *name, u16 number,
		    u8 firmware)
{
	struct fake_servos *f = fake_servos_create(test, NULL);
	struct fake_device *dev;
	char text[48];
	ssize_t len;

	dev = fake_line_device(f->line, ID, DXL_PROTOCOL_2);
	put_le16(dev->table, number);
	dev->table[2] = firmware;
	dev->table[16] = DXL_ANSWERS_ALL;
	fake_line_add(test, f->line);
	len = snprintf(text, sizeof(text), "naohw,%s %u Chest", name, ID);
	KUNIT_ASSERT_EQ(test,
			dev_attr_store(dxl_bus_dev(f->line->bus), "new_device",
				       text), len);
	wait_for_device_probe();
}

static struct nvmem_device *find(struct kunit *test)
{
	struct device *dev = &servo_device(test, ID)->dev;

	return nvmem_device_get(dev, dev_name(dev));
}

static struct nvmem_device *bind_firmware(struct kunit *test, u8 firmware)
{
	struct nvmem_device *nvmem;

	bind_as(test, "nao-chest-board", 0x4e01, firmware);
	nvmem = find(test);
	KUNIT_ASSERT_FALSE(test, IS_ERR(nvmem));
	KUNIT_ASSERT_EQ(test,
			kunit_add_action_or_reset(test, give_back, nvmem), 0);

	return nvmem;
}

static struct nvmem_device *bind(struct kunit *test)
{
	return bind_firmware(test, 1);
}

static void storage_reads(struct kunit *test)
{
	struct nvmem_device *nvmem = bind(test);
	u8 *kept = fake(test)->table + REG_STORAGE;
	u8 buf[SIZE];
	unsigned int i;

	for (i = 0; i < SIZE; i++)
		kept[i] = i + 1;
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, 0, SIZE, buf), SIZE);
	KUNIT_EXPECT_MEMEQ(test, buf, kept, SIZE);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, SIZE - 1, 1, buf), 1);
	KUNIT_EXPECT_EQ(test, buf[0], SIZE);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, 31, 2, buf), 2);
	KUNIT_EXPECT_MEMEQ(test, buf, kept + 31, 2);
}

static void storage_writes(struct kunit *test)
{
	struct nvmem_device *nvmem = bind(test);
	u8 *kept = fake(test)->table + REG_STORAGE;
	u8 buf[40];

	memset(kept, 0x55, SIZE);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, NICK_NAME, 5, "Nao7"),
			5);
	KUNIT_EXPECT_STREQ(test, kept + NICK_NAME, "Nao7");
	KUNIT_EXPECT_EQ(test, kept[NICK_NAME - 1], 0x55);
	KUNIT_EXPECT_EQ(test, kept[NICK_NAME + 5], 0x55);

	/* More than a piece, up to the last byte. */
	memset(buf, 0xaa, sizeof(buf));
	KUNIT_EXPECT_EQ(test,
			nvmem_device_write(nvmem, SIZE - sizeof(buf),
					   sizeof(buf), buf), sizeof(buf));
	KUNIT_EXPECT_MEMEQ(test, kept + SIZE - sizeof(buf), buf, sizeof(buf));
	KUNIT_EXPECT_EQ(test, kept[SIZE - sizeof(buf) - 1], 0x55);
}

/* User space is held back by the core, others are not. */
static void storage_ends(struct kunit *test)
{
	struct nvmem_device *nvmem = bind(test);
	u8 *table = fake(test)->table;
	u8 buf[SIZE + 1] = {};

	memset(table + REG_STORAGE - 8, 0x55, SIZE + 8);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, 0, SIZE + 1, buf),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, SIZE, 1, buf), -EINVAL);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, SIZE - 1, 2, buf),
			-EINVAL);
	/* The 4 that it would be, cut off to 16 bits */
	KUNIT_EXPECT_EQ(test,
			nvmem_device_write(nvmem, 65536 + 4 - REG_STORAGE, 1,
					   buf), -EINVAL);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, UINT_MAX, 1, buf),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, table[REG_STORAGE + SIZE - 1], 0x55);
	KUNIT_EXPECT_EQ(test, buf[0], 0);
}

static void storage_fails(struct kunit *test)
{
	struct nvmem_device *nvmem = bind(test);
	u8 buf[8] = { 1 };

	/* It answers and does not write. */
	fake(test)->frozen = true;
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, 0, 8, buf), -EIO);
	fake(test)->frozen = false;
	fake(test)->silent = true;
	KUNIT_EXPECT_LT(test, nvmem_device_read(nvmem, 0, 8, buf), 0);
	KUNIT_EXPECT_LT(test, nvmem_device_write(nvmem, 0, 8, buf), 0);
}

/* Another model in its place is not written to. */
static void storage_of_other(struct kunit *test)
{
	struct nvmem_device *nvmem = bind(test);
	struct dxl_device *ddev = servo_device(test, ID);
	u8 buf[8] = { 1 };

	servo_lose(fake(test), ddev);
	fake(test)->table[0] ^= 0xff;
	servo_find_again(fake(test), ddev);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, 0, 8, buf), -ENODEV);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, 0, 8, buf), -ENODEV);
	KUNIT_EXPECT_EQ(test, fake(test)->table[REG_STORAGE], 0);
}

static struct nvmem_cell *find_cell(struct kunit *test,
				    struct nvmem_device *nvmem, const char *name)
{
	struct device *dev = &servo_device(test, ID)->dev;
	struct nvmem_cell_lookup lookup = {
		.nvmem_name = nvmem_dev_name(nvmem),
		.cell_name = name,
		.dev_id = dev_name(dev),
		.con_id = "cell",
	};
	struct nvmem_cell *cell;

	nvmem_add_cell_lookups(&lookup, 1);
	cell = nvmem_cell_get(dev, "cell");
	nvmem_del_cell_lookups(&lookup, 1);

	return cell;
}

static void storage_cells(struct kunit *test)
{
	static const struct {
		const char *name;
		unsigned int offset;
		size_t size;
	} cells[] = {
		{ "body-id", 0, 24 },
		{ "nick-name", NICK_NAME, 24 },
		{ "config", CONFIG, 128 },
		{ "body-a", PAGES, 4096 },
		{ "body-b", BODY_B, 4096 },
	};
	struct nvmem_device *nvmem = bind_firmware(test, 2);
	u8 *kept = fake(test)->table + REG_STORAGE;
	unsigned int i, at;
	size_t len;

	for (at = 0; at < PAGES_END; at++)
		kept[at] = at ^ at >> 8;
	for (i = 0; i < ARRAY_SIZE(cells); i++) {
		struct nvmem_cell *cell = find_cell(test, nvmem, cells[i].name);
		u8 *content;

		KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(cell), "%s", cells[i].name);
		content = nvmem_cell_read(cell, &len);
		nvmem_cell_put(cell);
		KUNIT_ASSERT_FALSE(test, IS_ERR(content));
		KUNIT_EXPECT_EQ(test, len, cells[i].size);
		KUNIT_EXPECT_MEMEQ(test, content, kept + cells[i].offset, len);
		kfree(content);
	}
}

/* Whatever part of them is asked for, a page at a time */
static void storage_pages(struct kunit *test)
{
	struct nvmem_device *nvmem = bind_firmware(test, 2);
	struct dxl_device *ddev = servo_device(test, ID);
	u8 *kept = fake(test)->table + REG_STORAGE;
	u8 buf[80];

	memset(kept, 0x55, PAGES_END);
	memset(buf, 0xaa, sizeof(buf));
	KUNIT_EXPECT_EQ(test,
			nvmem_device_write(nvmem, PAGES - 10, sizeof(buf), buf),
			sizeof(buf));
	KUNIT_EXPECT_MEMEQ(test, kept + PAGES - 10, buf, sizeof(buf));
	KUNIT_EXPECT_EQ(test, kept[PAGES - 11], 0x55);
	KUNIT_EXPECT_EQ(test, kept[PAGES + 70], 0x55);
	memset(buf, 0, sizeof(buf));
	KUNIT_EXPECT_EQ(test,
			nvmem_device_read(nvmem, PAGES - 10, sizeof(buf), buf),
			sizeof(buf));
	KUNIT_EXPECT_MEMEQ(test, kept + PAGES - 10, buf, sizeof(buf));

	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES_END - 1, 1, buf),
			1);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES_END - 1, 2, buf),
			-EINVAL);
	/* None that there is not. */
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 256 + 31, buf, 1), 0);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 256 + 31, buf, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 255, buf, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 256, buf, 33), -EINVAL);
}

/* Nobody who streams is kept waiting by what takes seconds. */
static void storage_streaming(struct kunit *test)
{
	struct nvmem_device *nvmem = bind_firmware(test, 2);
	struct dxl_device *ddev = servo_device(test, ID);
	u8 *kept = fake(test)->table + REG_STORAGE;
	u8 buf[8] = { 1 };

	KUNIT_ASSERT_EQ(test, dxl_cycle_get_stream(ddev->bus), 0);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, PAGES, 8, buf), -EBUSY);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES, 8, buf), -EBUSY);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES_END - 8, 8, buf),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, kept[PAGES], 0);
	/* What is small has always been. */
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES - 8, 8, buf), 8);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, PAGES - 8, 8, buf), 8);
	dxl_cycle_put_stream(ddev->bus);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES, 8, buf), 8);
	KUNIT_EXPECT_EQ(test, kept[PAGES], 1);
}

/* It has none, even where one of the new has been before. */
static void storage_old_firmware(struct kunit *test)
{
	struct nvmem_device *nvmem = bind_firmware(test, 2);
	struct dxl_device *ddev = servo_device(test, ID);
	u8 buf[8] = { 1 };

	servo_lose(fake(test), ddev);
	fake(test)->table[2] = 1;
	servo_find_again(fake(test), ddev);
	KUNIT_EXPECT_EQ(test, nvmem_device_read(nvmem, PAGES, 8, buf), -EINVAL);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES - 1, 2, buf),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, nvmem_device_write(nvmem, PAGES - 1, 1, buf), 1);
}

static void storage_cells_of_old(struct kunit *test)
{
	struct nvmem_device *nvmem = bind_firmware(test, 1);
	struct nvmem_cell *cell = find_cell(test, nvmem, "config");

	KUNIT_ASSERT_FALSE(test, IS_ERR(cell));
	nvmem_cell_put(cell);
	KUNIT_EXPECT_TRUE(test, IS_ERR(find_cell(test, nvmem, "body-a")));
	KUNIT_EXPECT_TRUE(test, IS_ERR(find_cell(test, nvmem, "body-b")));
}

/* Nothing else in the table is the storage's: a wrong one would write the ID. */
static void storage_registers(struct kunit *test)
{
	struct dxl_device *ddev;
	u8 buf[2] = { 1, 2 };

	bind(test);
	ddev = servo_device(test, ID);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, REG_STORAGE, buf, 2), 0);
	KUNIT_EXPECT_EQ(test, fake(test)->table[REG_STORAGE + 1], 2);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, REG_STORAGE - 1, buf, 2),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 64, buf, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test,
			dxl_eeprom_write(ddev, REG_STORAGE + SIZE - 1, buf, 2),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, dxl_eeprom_write(ddev, 5, buf, 1), 0);
}

static void storage_on_others(struct kunit *test)
{
	bind_as(test, "nao-foot-board", 0x4e02, 1);
	KUNIT_EXPECT_TRUE(test, IS_ERR(find(test)));
}

static struct kunit_case storage_test_cases[] = {
	KUNIT_CASE(storage_reads),
	KUNIT_CASE(storage_writes),
	KUNIT_CASE(storage_ends),
	KUNIT_CASE(storage_fails),
	KUNIT_CASE(storage_of_other),
	KUNIT_CASE(storage_cells),
	KUNIT_CASE(storage_pages),
	KUNIT_CASE(storage_streaming),
	KUNIT_CASE(storage_old_firmware),
	KUNIT_CASE(storage_cells_of_old),
	KUNIT_CASE(storage_registers),
	KUNIT_CASE(storage_on_others),
	{}
};

static struct kunit_suite storage_suite = {
	.name = "dxl_storage",
	.test_cases = storage_test_cases,
};

kunit_test_suite(storage_suite);
