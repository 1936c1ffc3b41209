// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules of the control table
 *
 * A write is done whole or not at all. It is refused with the range error if
 * it holds no item that can be written, only half of a two-byte item, a
 * read-only item, a value out of the item's range, or an EEPROM item while
 * Lock is set. Bytes that fall between items are without effect and read as 0.
 */
#include <stdio.h>
#include <string.h>

#include <linux/dxl/packet.h>

#include "device.h"

bool span_covers(struct span span, unsigned int addr)
{
	return addr >= span.addr && addr < span.addr + span.len;
}

static bool span_touches(struct span span, const struct item *item)
{
	return item->addr < span.addr + span.len &&
	       span.addr < (unsigned int)item->addr + item->size;
}

static bool span_holds(struct span span, const struct item *item)
{
	return span.addr <= item->addr &&
	       item->addr + item->size <= span.addr + span.len;
}

static bool span_in_table(const struct device *dev, struct span span)
{
	return span.len && span.addr + span.len <= dev->model->table_size;
}

int item_value(const struct item *item, const u8 *table)
{
	int value = table[item->addr];

	if (item->size == 2)
		value = table_u16(table, item->addr);
	if (item->size == 2 && item->min < 0 && value > 0x7fff)
		value -= 0x10000;

	return value;
}

void item_store(const struct item *item, u8 *table, int value)
{
	if (item->size == 2)
		table_put_u16(table, item->addr, value);
	else
		table[item->addr] = value;
}

unsigned int device_baud(const struct device *dev)
{
	return model_baud_rate(dev->model, dev->table[ADDR_BAUD]);
}

static void load_initial(struct device *dev, enum area area)
{
	size_t i;

	for (i = 0; i < dev->model->item_count; i++) {
		const struct item *item = &dev->model->items[i];

		if (item->area == area)
			item_store(item, dev->table, item->init);
	}
}

void device_init(struct device *dev, const struct model *model, u8 id,
		 unsigned int baud, const char *label, nsec_t now)
{
	int value = model_baud_value(model, baud);

	memset(dev, 0, sizeof(*dev));
	dev->model = model;
	snprintf(dev->label, sizeof(dev->label), "%s", label);
	load_initial(dev, AREA_EEPROM);
	dev->table[ADDR_ID] = id;
	if (value >= 0)
		dev->table[ADDR_BAUD] = value;
	model->ops->assemble(dev, now);
	device_power_cycle(dev, now);
}

void device_power_cycle(struct device *dev, nsec_t now)
{
	dev->model->ops->advance(dev, now);
	load_initial(dev, AREA_RAM);
	dev->registered.span.len = 0;
	dev->model->ops->power_on(dev, now);
}

void device_factory_reset(struct device *dev, nsec_t now)
{
	load_initial(dev, AREA_EEPROM);
	device_power_cycle(dev, now);
}

u8 device_read(struct device *dev, struct span span, u8 *out, nsec_t now)
{
	if (!span_in_table(dev, span))
		return DXL1_ERR_RANGE;

	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);
	memcpy(out, dev->table + span.addr, span.len);

	return 0;
}

static bool may_write(const struct device *dev, const struct item *item,
		      struct span span, const u8 *table)
{
	int value = item_value(item, table);

	if (!span_holds(span, item) || item->access != ACCESS_RW)
		return false;
	if (item->area == AREA_EEPROM && dev->table[ADDR_LOCK])
		return false;
	/* Once set, only a power cycle clears it. */
	if (item->addr == ADDR_LOCK && dev->table[ADDR_LOCK] && !value)
		return false;

	return value >= item->min && value <= item->max;
}

/* Put @data into @table, a copy of the device's; error bits if it must not. */
static u8 try_write(const struct device *dev, struct span span, const u8 *data,
		    u8 *table)
{
	u8 raw[TABLE_MAX];
	bool any = false;
	size_t i;

	if (!span_in_table(dev, span))
		return DXL1_ERR_RANGE;

	memcpy(table, dev->table, TABLE_MAX);
	memcpy(raw, dev->table, TABLE_MAX);
	memcpy(raw + span.addr, data, span.len);

	for (i = 0; i < dev->model->item_count; i++) {
		const struct item *item = &dev->model->items[i];

		if (!span_touches(span, item))
			continue;
		if (!may_write(dev, item, span, raw))
			return DXL1_ERR_RANGE;
		memcpy(table + item->addr, raw + item->addr, item->size);
		any = true;
	}

	return any ? dev->model->ops->check(dev, table, span) : DXL1_ERR_RANGE;
}

u8 device_write(struct device *dev, struct span span, const u8 *data,
		nsec_t now)
{
	u8 before[TABLE_MAX], table[TABLE_MAX];
	u8 error;

	dev->model->ops->advance(dev, now);
	error = try_write(dev, span, data, table);
	if (error)
		return error;

	memcpy(before, dev->table, TABLE_MAX);
	memcpy(dev->table, table, TABLE_MAX);
	dev->model->ops->written(dev, before, span);

	return 0;
}

/* Keep a write for the ACTION instruction; a new one replaces an old one. */
u8 device_register(struct device *dev, struct span span, const u8 *data)
{
	u8 table[TABLE_MAX];
	u8 error = try_write(dev, span, data, table);

	if (error)
		return error;

	dev->registered.span = span;
	memcpy(dev->registered.data, data, span.len);
	dev->table[ADDR_REGISTERED] = 1;

	return 0;
}

u8 device_action(struct device *dev, nsec_t now)
{
	struct span span = dev->registered.span;

	if (!span.len)
		return DXL1_ERR_INSTRUCTION;

	dev->registered.span.len = 0;
	dev->table[ADDR_REGISTERED] = 0;

	return device_write(dev, span, dev->registered.data, now);
}

u8 device_condition(struct device *dev, nsec_t now)
{
	dev->model->ops->advance(dev, now);

	return dev->model->ops->condition(dev);
}

/* Errors have come up: shut down if the device is set to do so on them. */
void device_alarm(struct device *dev, u8 error)
{
	if (error & dev->table[ADDR_SHUTDOWN])
		dev->model->ops->shut_down(dev);
}

/*
 * Set items as no instruction could: no rule applies but the table's end, and
 * a read-only item changes what it measures. -1 where that is impossible.
 */
int device_poke(struct device *dev, struct span span, const u8 *data,
		nsec_t now)
{
	u8 before[TABLE_MAX];
	size_t i;

	if (!span_in_table(dev, span))
		return -1;

	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);
	memcpy(before, dev->table, TABLE_MAX);
	memcpy(dev->table + span.addr, data, span.len);

	for (i = 0; i < dev->model->item_count; i++) {
		const struct item *item = &dev->model->items[i];

		if (item->access == ACCESS_R && span_touches(span, item))
			dev->model->ops->poke(dev, item,
					      item_value(item, dev->table));
	}

	dev->model->ops->written(dev, before, span);

	return 0;
}

int device_value(struct device *dev, const struct item *item, nsec_t now)
{
	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);

	return item_value(item, dev->table);
}
