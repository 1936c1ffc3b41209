// SPDX-License-Identifier: GPL-2.0-or-later
/* What every device has: an ID, a life between power on and off, a backup. */
#include <stdio.h>
#include <string.h>

#include "motor.h"
#include "table.h"

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
	u16 addr = dev->model->registers->torque_enable;

	return addr && dev->table[addr];
}

/* Of a servo: begin to count how goals come. */
void device_forget_goals(struct device *dev)
{
	motor_forget_goals(&dev->servo);
}

void device_choose_protocol(struct device *dev)
{
	u16 addr = dev->model->registers->protocol;

	dev->protocol = dev->model->protocol;
	if (addr && dev->table[addr] == 1)
		dev->protocol = DXL_PROTOCOL_1;
}

void device_set_registered(struct device *dev, bool on)
{
	u16 addr = dev->model->registers->registered;

	if (addr)
		dev->table[addr] = on;
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

static void load_initial(struct device *dev, enum area area)
{
	size_t i;

	for (i = 0; i < dev->layout->count; i++)
		if (dev->layout->items[i].area == area)
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
	load_initial(dev, AREA_RAM);
	load_initial(dev, AREA_SAVED);
	if (startup(dev) & STARTUP_RESTORE && dev->has_backup)
		load_backup(dev, AREA_SAVED);
	device_set_registered(dev, false);
	set_backup_ready(dev);
	device_choose_protocol(dev);
	dev->heard_at = now;
	dev->model->ops->power_on(dev, now);
	if (startup(dev) & STARTUP_TORQUE)
		dev->table[dev->model->registers->torque_enable] = 1;
	motor_note_torque(&dev->servo, device_torque(dev));
}

void device_init(struct device *dev, const struct model *model, u8 id,
		 unsigned int baud, const char *label, nsec_t now)
{
	int value = model_baud_value(model, baud);

	memset(dev, 0, sizeof(*dev));
	dev->model = model;
	dev->layout = model_layout(model);
	snprintf(dev->label, sizeof(dev->label), "%s", label);
	load_initial(dev, AREA_EEPROM);
	load_initial(dev, AREA_STORAGE);
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

void device_deafen_for_eeprom(struct device *dev, unsigned int bytes,
			      nsec_t now)
{
	if (bytes)
		deafen(dev, now + bytes * dev->model->eeprom_byte);
}

/* Off and on again, or a reboot: it takes its time to hear anything. */
void device_power_cycle(struct device *dev, nsec_t now)
{
	dev->model->ops->advance(dev, now);
	power_on(dev, now);
	deafen(dev, now + dev->model->boot);
}

/*
 * The maker publishes no time for a factory reset. A servo needs 0.4 s to start, and
 * the maker's examples wait for 2 s.
 */
#define RESET_TIME	(1 * NSEC_PER_SEC)

void device_factory_reset(struct device *dev, enum keep keep, nsec_t now)
{
	const struct registers *registers = dev->model->registers;
	u8 id = dev->table[registers->id], baud = dev->table[registers->baud];

	load_initial(dev, AREA_EEPROM);
	if (keep != KEEP_NOTHING)
		dev->table[registers->id] = id;
	if (keep == KEEP_ID_AND_BAUD)
		dev->table[registers->baud] = baud;
	device_power_cycle(dev, now);
	deafen(dev, now + RESET_TIME);
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

/* The EEPROM comes back at once; RAM when it starts, if it is set to do so. */
enum refusal device_restore_backup(struct device *dev, nsec_t now)
{
	if (device_torque(dev) || !dev->has_backup)
		return REFUSED_RESULT;

	load_backup(dev, AREA_EEPROM);
	device_power_cycle(dev, now);
	device_deafen_for_eeprom(dev, eeprom_size(dev), now);

	return REFUSED_NOT;
}

u8 device_condition(struct device *dev, nsec_t now)
{
	dev->model->ops->advance(dev, now);

	return dev->model->ops->condition(dev);
}
