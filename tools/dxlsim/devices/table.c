// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules of the control table
 *
 * A write is done whole or not at all. It is refused if it holds no item that
 * can be written, only a part of an item, a read-only item, a value out of the
 * item's range, or an EEPROM item while the EEPROM is locked. Bytes that fall
 * between items read as 0; a write with Protocol 1.0 may span them, one with
 * 2.0 may not, whose manual has an error for it. Pages are no items, see pages.c.
 */
#include <string.h>

#include "pages.h"
#include "table.h"

static bool span_in_table(const struct device *dev, struct span span)
{
	return span.len && span.addr + span.len <= device_size(dev);
}

/* It outlives the power, and its device is deaf while it is written. */
static bool is_kept(const struct item *item)
{
	return item->area == AREA_EEPROM || item->area == AREA_STORAGE;
}

int item_value(const struct item *item, const u8 *table)
{
	switch (item->size) {
	case 4:
		return table_s32(table, item->addr);
	case 2:
		return item->min < 0 ? table_s16(table, item->addr) :
				       (int)table_u16(table, item->addr);
	default:
		return table[item->addr];
	}
}

void item_store(const struct item *item, u8 *table, int value)
{
	switch (item->size) {
	case 4:
		table_put_s32(table, item->addr, value);
		break;
	case 2:
		table_put_u16(table, item->addr, value);
		break;
	default:
		table[item->addr] = value;
		break;
	}
}

/* --- reading --- */

/* Where a byte of the table really is. */
static unsigned int target(const struct device *dev, unsigned int addr)
{
	size_t i;

	for (i = 0; i < dev->model->indirect_count; i++) {
		const struct indirect *row = &dev->model->indirect[i];
		unsigned int at = addr - row->data;

		if (addr < row->data || at >= row->count)
			continue;
		at = table_u16(dev->table, row->addr + 2 * at);
		/* Only a poke puts nonsense there. */
		return at < dev->model->table_size ? at : addr;
	}

	return addr;
}

static bool holds_item(const struct device *dev, struct span span)
{
	unsigned int i;

	if (pages_reached(dev, span))
		return true;
	for (i = 0; i < span.len; i++)
		if (dev->layout->at[span.addr + i])
			return true;

	return false;
}

static u8 *byte_at(struct device *dev, unsigned int addr)
{
	return pages_reached(dev, (struct span){ addr, 1 }) ?
		       pages_byte(dev, addr) : &dev->table[addr];
}

enum refusal device_read(struct device *dev, struct span span, u8 *out,
			 nsec_t now)
{
	unsigned int i;

	if (!span_in_table(dev, span))
		return REFUSED_ACCESS;
	if (span.len > TABLE_MAX)
		return REFUSED_LENGTH;
	if (dev->model->protocol == DXL_PROTOCOL_2 && !holds_item(dev, span))
		return REFUSED_ACCESS;

	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);
	for (i = 0; i < span.len; i++)
		out[i] = *byte_at(dev, target(dev, span.addr + i));

	return REFUSED_NOT;
}

/* --- writing --- */

static bool eeprom_locked(const struct device *dev)
{
	u16 lock = dev->model->registers->lock;

	if (dev->model->protocol == DXL_PROTOCOL_2)
		return device_torque(dev);

	return lock && dev->table[lock];
}

static void reach_byte(struct reach *reach, unsigned int addr,
		       const struct item *item)
{
	size_t i;

	reach->at[addr] = true;
	for (i = 0; i < reach->count; i++)
		if (reach->items[i] == item)
			return;
	reach->items[reach->count++] = item;
}

static void reach_nothing(const struct device *dev, struct reach *reach)
{
	memset(reach->at, 0, dev->model->table_size);
	reach->count = 0;
}

static bool reaches_whole(const struct reach *reach, const struct item *item)
{
	unsigned int i;

	for (i = 0; i < item->size; i++)
		if (!reach->at[item->addr + i])
			return false;

	return true;
}

static enum refusal may_write(const struct device *dev, const struct item *item,
			      const struct reach *reach, const u8 *table)
{
	int value = item_value(item, table);

	if (item->access != ACCESS_RW)
		return REFUSED_ACCESS;
	if (!reaches_whole(reach, item))
		return REFUSED_LENGTH;
	if (is_kept(item) && eeprom_locked(dev))
		return REFUSED_ACCESS;
	/* Once set, only a power cycle clears it. */
	if (item->addr == dev->model->registers->lock && eeprom_locked(dev) &&
	    !value)
		return REFUSED_ACCESS;
	if (value < item->min || value > item->max)
		return REFUSED_RANGE;

	return REFUSED_NOT;
}

static enum refusal check_items(const struct device *dev, const u8 *table,
				const struct reach *reach)
{
	size_t i;

	for (i = 0; i < reach->count; i++) {
		enum refusal refusal = may_write(dev, reach->items[i], reach,
						 table);

		if (refusal)
			return refusal;
	}

	return reach->count ? dev->model->ops->check(dev, table, reach) :
			      REFUSED_ACCESS;
}

/* Put @data into @table, a copy of the device's, and judge what comes of it. */
static enum refusal try_write(const struct device *dev, struct span span,
			      const u8 *data, u8 *table, struct reach *reach)
{
	unsigned int i;

	if (!span_in_table(dev, span))
		return REFUSED_ACCESS;

	reach_nothing(dev, reach);
	memcpy(table, dev->table, dev->model->table_size);
	for (i = 0; i < span.len; i++) {
		unsigned int addr = target(dev, span.addr + i);

		if (dev->layout->at[addr]) {
			table[addr] = data[i];
			reach_byte(reach, addr, dev->layout->at[addr]);
		} else if (dev->model->protocol == DXL_PROTOCOL_2) {
			return REFUSED_ACCESS;
		}
	}

	return check_items(dev, table, reach);
}

static unsigned int eeprom_bytes(const struct reach *reach)
{
	unsigned int bytes = 0;
	size_t i;

	for (i = 0; i < reach->count; i++)
		if (is_kept(reach->items[i]))
			bytes += reach->items[i]->size;

	return bytes;
}

static enum refusal put_items(struct device *dev, struct span span, const u8 *data,
			      bool ram_only, nsec_t now)
{
	u8 before[TABLE_MAX], table[TABLE_MAX];
	enum refusal refusal;
	struct reach reach;
	unsigned int bytes;

	dev->model->ops->advance(dev, now);
	refusal = try_write(dev, span, data, table, &reach);
	if (refusal)
		return refusal;

	bytes = eeprom_bytes(&reach);
	if (bytes && ram_only)
		return REFUSED_ACCESS;

	memcpy(before, dev->table, dev->model->table_size);
	memcpy(dev->table, table, dev->model->table_size);
	device_deafen_for_eeprom(dev, bytes, now);
	dev->model->ops->written(dev, before, &reach);
	device_choose_protocol(dev);

	return REFUSED_NOT;
}

static enum refusal put_page(struct device *dev, struct span span, const u8 *data,
			     bool ram_only, nsec_t now)
{
	enum refusal refusal = ram_only ? REFUSED_ACCESS : pages_check(dev, span);

	if (refusal)
		return refusal;
	dev->model->ops->advance(dev, now);
	pages_write(dev, span, data, now);

	return REFUSED_NOT;
}

static enum refusal put(struct device *dev, struct span span, const u8 *data,
			bool ram_only, nsec_t now)
{
	return pages_reached(dev, span) ? put_page(dev, span, data, ram_only, now) :
					  put_items(dev, span, data, ram_only, now);
}

enum refusal device_write(struct device *dev, struct span span, const u8 *data,
			  nsec_t now)
{
	return put(dev, span, data, false, now);
}

/* As a secondary ID may: the EEPROM is out of its reach. */
enum refusal device_write_ram(struct device *dev, struct span span,
			      const u8 *data, nsec_t now)
{
	return put(dev, span, data, true, now);
}

static enum refusal check_items_of(const struct device *dev, struct span span,
				   const u8 *data, bool ram_only)
{
	u8 table[TABLE_MAX];
	struct reach reach;
	enum refusal refusal = try_write(dev, span, data, table, &reach);

	if (refusal)
		return refusal;

	return ram_only && eeprom_bytes(&reach) ? REFUSED_ACCESS : REFUSED_NOT;
}

/* Whether a write would be carried out. */
static enum refusal check_write(const struct device *dev, struct span span,
				const u8 *data, bool ram_only)
{
	if (!pages_reached(dev, span))
		return check_items_of(dev, span, data, ram_only);

	return ram_only ? REFUSED_ACCESS : pages_check(dev, span);
}

/* Keep a write for the ACTION instruction; a new one replaces an old one. */
enum refusal device_register(struct device *dev, struct span span,
			     const u8 *data, bool ram_only)
{
	enum refusal refusal = check_write(dev, span, data, ram_only);

	if (refusal)
		return refusal;

	device_set_registered(dev, true);
	dev->registered.span = span;
	memcpy(dev->registered.data, data, span.len);

	return REFUSED_NOT;
}

enum refusal device_action(struct device *dev, nsec_t now)
{
	struct span span = dev->registered.span;

	if (!span.len)
		return REFUSED_INSTRUCTION;

	device_set_registered(dev, false);

	return device_write(dev, span, dev->registered.data, now);
}

/* --- past all rules --- */

/*
 * Set items as no instruction could: no rule applies but the table's end, and
 * a read-only item changes what it measures. -1 where that is impossible.
 */
int device_poke(struct device *dev, struct span span, const u8 *data,
		nsec_t now)
{
	u8 before[TABLE_MAX];
	struct reach reach;
	size_t i;

	if (!span_in_table(dev, span))
		return -1;

	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);
	memcpy(before, dev->table, dev->model->table_size);
	reach_nothing(dev, &reach);
	for (i = 0; i < span.len; i++) {
		unsigned int addr = span.addr + i;

		*byte_at(dev, addr) = data[i];
		if (model_item_at(dev->model, addr))
			reach_byte(&reach, addr, dev->layout->at[addr]);
	}

	for (i = 0; i < reach.count; i++)
		if (reach.items[i]->access == ACCESS_R)
			dev->model->ops->poke(dev, reach.items[i],
					      item_value(reach.items[i],
							 dev->table));

	dev->model->ops->written(dev, before, &reach);
	device_choose_protocol(dev);

	return 0;
}

int device_value(struct device *dev, const struct item *item, nsec_t now)
{
	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);

	return item_value(item, dev->table);
}
