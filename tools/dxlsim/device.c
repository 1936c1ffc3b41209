// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules of the control table
 *
 * A write is done whole or not at all. It is refused if it holds no item that
 * can be written, only a part of an item, a read-only item, a value out of the
 * item's range, or an EEPROM item while the EEPROM is locked. Bytes that fall
 * between items read as 0; a write with Protocol 1.0 may span them, one with
 * 2.0 may not, whose manual has an error for it.
 */
#include <stdio.h>
#include <string.h>

#include "device.h"

static bool span_in_table(const struct device *dev, struct span span)
{
	return span.len && span.addr + span.len <= dev->model->table_size;
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

/* --- what every device has --- */

u8 device_id(const struct device *dev)
{
	return dev->table[dev->model->registers->id];
}

static bool goes_by(const struct device *dev, u8 id)
{
	u16 secondary = dev->model->registers->secondary_id;

	return id == device_id(dev) ||
	       (secondary && id < DXL_ID_MAX && id == dev->table[secondary]);
}

bool device_addressed(const struct device *dev, u8 id)
{
	return id == DXL_ID_BROADCAST || goes_by(dev, id);
}

unsigned int device_baud(const struct device *dev)
{
	return model_baud_rate(dev->model,
			       dev->table[dev->model->registers->baud]);
}

bool device_torque(const struct device *dev)
{
	return dev->table[dev->model->registers->torque_enable];
}

static bool eeprom_locked(const struct device *dev)
{
	u16 lock = dev->model->registers->lock;

	if (dev->model->protocol == DXL_PROTOCOL_2)
		return device_torque(dev);

	return lock && dev->table[lock];
}

static void choose_protocol(struct device *dev)
{
	u16 addr = dev->model->registers->protocol;

	dev->protocol = dev->model->protocol;
	if (addr && dev->table[addr] == 1)
		dev->protocol = DXL_PROTOCOL_1;
}

static void set_registered(struct device *dev, bool on)
{
	dev->table[dev->model->registers->registered] = on;
	if (!on)
		dev->registered.span.len = 0;
}

static void set_backup_ready(struct device *dev)
{
	u16 addr = dev->model->registers->backup_ready;

	if (addr)
		dev->table[addr] = dev->has_backup;
}

/* --- initial values --- */

static bool of_area(const struct item *item, bool eeprom)
{
	return (item->area == AREA_EEPROM) == eeprom;
}

static void load_initial(struct device *dev, bool eeprom)
{
	size_t i;

	for (i = 0; i < dev->layout->count; i++)
		if (of_area(&dev->layout->items[i], eeprom))
			item_store(&dev->layout->items[i], dev->table,
				   dev->layout->items[i].init);
}

static void load_backup(struct device *dev, enum area area)
{
	size_t i;

	for (i = 0; i < dev->layout->count; i++) {
		const struct item *item = &dev->layout->items[i];

		if (item->area == area)
			memcpy(dev->table + item->addr,
			       dev->backup + item->addr, item->size);
	}
}

enum { STARTUP_TORQUE = 0x01, STARTUP_RESTORE = 0x02 };

static u8 startup(const struct device *dev)
{
	u16 addr = dev->model->registers->startup;

	return addr ? dev->table[addr] : 0;
}

static void power_on(struct device *dev, nsec_t now)
{
	load_initial(dev, false);
	if (startup(dev) & STARTUP_RESTORE && dev->has_backup)
		load_backup(dev, AREA_SAVED);
	set_registered(dev, false);
	set_backup_ready(dev);
	choose_protocol(dev);
	dev->heard_at = now;
	dev->model->ops->power_on(dev, now);
	if (startup(dev) & STARTUP_TORQUE)
		dev->table[dev->model->registers->torque_enable] = 1;
}

void device_init(struct device *dev, const struct model *model, u8 id,
		 unsigned int baud, const char *label, nsec_t now)
{
	int value = model_baud_value(model, baud);

	memset(dev, 0, sizeof(*dev));
	dev->model = model;
	dev->layout = model_layout(model);
	snprintf(dev->label, sizeof(dev->label), "%s", label);
	load_initial(dev, true);
	dev->table[model->registers->id] = id;
	if (value >= 0)
		dev->table[model->registers->baud] = value;
	model->ops->assemble(dev, now);
	power_on(dev, now);
}

static void deafen(struct device *dev, nsec_t until)
{
	if (dev->deaf_until < until)
		dev->deaf_until = until;
}

static void deafen_for_eeprom(struct device *dev, unsigned int bytes, nsec_t now)
{
	if (bytes)
		deafen(dev, now + bytes * dev->model->eeprom_byte);
}

static unsigned int eeprom_size(const struct device *dev)
{
	unsigned int size = 0;
	size_t i;

	for (i = 0; i < dev->layout->count; i++)
		if (dev->layout->items[i].area == AREA_EEPROM &&
		    dev->layout->items[i].access == ACCESS_RW)
			size += dev->layout->items[i].size;

	return size;
}

/* Off and on again, or a reboot: it takes its time to hear anything. */
void device_power_cycle(struct device *dev, nsec_t now)
{
	dev->model->ops->advance(dev, now);
	power_on(dev, now);
	deafen(dev, now + dev->model->boot);
}

void device_factory_reset(struct device *dev, enum keep keep, nsec_t now)
{
	const struct registers *registers = dev->model->registers;
	u8 id = dev->table[registers->id], baud = dev->table[registers->baud];

	load_initial(dev, true);
	if (keep != KEEP_NOTHING)
		dev->table[registers->id] = id;
	if (keep == KEEP_ID_AND_BAUD)
		dev->table[registers->baud] = baud;
	device_power_cycle(dev, now);
	deafen_for_eeprom(dev, eeprom_size(dev), now);
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

	for (i = 0; i < span.len; i++)
		if (dev->layout->at[span.addr + i])
			return true;

	return false;
}

enum refusal device_read(struct device *dev, struct span span, u8 *out,
			 nsec_t now)
{
	unsigned int i;

	if (!span_in_table(dev, span))
		return REFUSED_ACCESS;
	if (dev->model->protocol == DXL_PROTOCOL_2 && !holds_item(dev, span))
		return REFUSED_ACCESS;

	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);
	for (i = 0; i < span.len; i++)
		out[i] = dev->table[target(dev, span.addr + i)];

	return REFUSED_NOT;
}

/* --- writing --- */

static bool reaches(const struct reach *reach, const struct item *item)
{
	unsigned int i;

	for (i = 0; i < item->size; i++)
		if (reach->at[item->addr + i])
			return true;

	return false;
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
	if (item->area == AREA_EEPROM && eeprom_locked(dev))
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
	enum refusal refusal;
	bool any = false;
	size_t i;

	for (i = 0; i < dev->layout->count; i++) {
		const struct item *item = &dev->layout->items[i];

		if (!reaches(reach, item))
			continue;
		refusal = may_write(dev, item, reach, table);
		if (refusal)
			return refusal;
		any = true;
	}

	return any ? dev->model->ops->check(dev, table, reach) : REFUSED_ACCESS;
}

/* Put @data into @table, a copy of the device's, and see whether that may be. */
static enum refusal try_write(const struct device *dev, struct span span,
			      const u8 *data, u8 *table, struct reach *reach)
{
	unsigned int i;

	if (!span_in_table(dev, span))
		return REFUSED_ACCESS;

	memset(reach, 0, sizeof(*reach));
	memcpy(table, dev->table, TABLE_MAX);
	for (i = 0; i < span.len; i++) {
		unsigned int addr = target(dev, span.addr + i);

		if (dev->layout->at[addr]) {
			table[addr] = data[i];
			reach->at[addr] = true;
		} else if (dev->model->protocol == DXL_PROTOCOL_2) {
			return REFUSED_ACCESS;
		}
	}

	return check_items(dev, table, reach);
}

static unsigned int eeprom_bytes(const struct device *dev,
				 const struct reach *reach)
{
	unsigned int i, bytes = 0;

	for (i = 0; i < dev->model->table_size; i++)
		if (reach->at[i] && dev->layout->at[i]->area == AREA_EEPROM)
			bytes++;

	return bytes;
}

static enum refusal put(struct device *dev, struct span span, const u8 *data,
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

	bytes = eeprom_bytes(dev, &reach);
	if (bytes && ram_only)
		return REFUSED_ACCESS;

	memcpy(before, dev->table, TABLE_MAX);
	memcpy(dev->table, table, TABLE_MAX);
	deafen_for_eeprom(dev, bytes, now);
	dev->model->ops->written(dev, before, &reach);
	choose_protocol(dev);

	return REFUSED_NOT;
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

/* Keep a write for the ACTION instruction; a new one replaces an old one. */
enum refusal device_register(struct device *dev, struct span span,
			     const u8 *data, bool ram_only)
{
	u8 table[TABLE_MAX];
	struct reach reach;
	enum refusal refusal = try_write(dev, span, data, table, &reach);

	if (refusal)
		return refusal;
	if (ram_only && eeprom_bytes(dev, &reach))
		return REFUSED_ACCESS;

	set_registered(dev, true);
	dev->registered.span = span;
	memcpy(dev->registered.data, data, span.len);

	return REFUSED_NOT;
}

enum refusal device_action(struct device *dev, nsec_t now)
{
	struct span span = dev->registered.span;

	if (!span.len)
		return REFUSED_INSTRUCTION;

	set_registered(dev, false);

	return device_write(dev, span, dev->registered.data, now);
}

/* --- backup --- */

enum refusal device_store_backup(struct device *dev, nsec_t now)
{
	if (device_torque(dev))
		return REFUSED_RESULT;

	dev->model->ops->advance(dev, now);
	memcpy(dev->backup, dev->table, TABLE_MAX);
	dev->has_backup = true;
	set_backup_ready(dev);

	return REFUSED_NOT;
}

/* The EEPROM comes back at once; RAM when it starts, if it is set to do so. */
enum refusal device_restore_backup(struct device *dev, nsec_t now)
{
	if (device_torque(dev) || !dev->has_backup)
		return REFUSED_RESULT;

	load_backup(dev, AREA_EEPROM);
	device_power_cycle(dev, now);
	deafen_for_eeprom(dev, eeprom_size(dev), now);

	return REFUSED_NOT;
}

u8 device_condition(struct device *dev, nsec_t now)
{
	dev->model->ops->advance(dev, now);

	return dev->model->ops->condition(dev);
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
	struct reach reach = { 0 };
	size_t i;

	if (!span_in_table(dev, span))
		return -1;

	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);
	memcpy(before, dev->table, TABLE_MAX);
	memcpy(dev->table + span.addr, data, span.len);
	memset(reach.at + span.addr, true, span.len);

	for (i = 0; i < dev->layout->count; i++) {
		const struct item *item = &dev->layout->items[i];

		if (item->access == ACCESS_R && reaches(&reach, item))
			dev->model->ops->poke(dev, item,
					      item_value(item, dev->table));
	}

	dev->model->ops->written(dev, before, &reach);
	choose_protocol(dev);

	return 0;
}

int device_value(struct device *dev, const struct item *item, nsec_t now)
{
	dev->model->ops->advance(dev, now);
	dev->model->ops->refresh(dev);

	return item_value(item, dev->table);
}
