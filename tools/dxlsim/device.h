/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device on the bus: a control table and the rules for reading and writing
 * it. What the items mean for the hardware behind them is in the model's ops.
 */
#ifndef DXLSIM_DEVICE_H
#define DXLSIM_DEVICE_H

#include <linux/types.h>

#include "model.h"
#include "servo.h"
#include "simtime.h"

#define LABEL_MAX	32

/* Set by device_write(): which bytes of the table an instruction wrote. */
struct span {
	unsigned int addr;
	unsigned int len;
};

struct device {
	const struct model *model;
	char label[LABEL_MAX];
	u8 table[TABLE_MAX];
	struct {
		struct span span;
		u8 data[TABLE_MAX];
	} registered;
	struct servo servo;
	bool silenced;
};

/**
 * struct device_ops - what a model does beyond keeping bytes
 * @assemble: the device has been made and gets its physical state
 * @power_on: the RAM area has its initial values again
 * @advance: bring the physical state to the time given
 * @refresh: put the physical state into the table's read-only items
 * @check: error bits against a table as a write would leave it
 * @written: act on a write; the table before it is given
 * @condition: error bits of the device's present state
 * @shut_down: an alarm that the Shutdown item selects has come up
 * @poke: set what a read-only item measures, if it measures anything
 */
struct device_ops {
	void (*assemble)(struct device *dev, nsec_t now);
	void (*power_on)(struct device *dev, nsec_t now);
	void (*advance)(struct device *dev, nsec_t now);
	void (*refresh)(struct device *dev);
	u8 (*check)(const struct device *dev, const u8 *table, struct span span);
	void (*written)(struct device *dev, const u8 *before, struct span span);
	u8 (*condition)(const struct device *dev);
	void (*shut_down)(struct device *dev);
	void (*poke)(struct device *dev, const struct item *item, int value);
};

void device_init(struct device *dev, const struct model *model, u8 id,
		 unsigned int baud, const char *label, nsec_t now);
void device_power_cycle(struct device *dev, nsec_t now);
void device_factory_reset(struct device *dev, nsec_t now);

u8 device_read(struct device *dev, struct span span, u8 *out, nsec_t now);
u8 device_write(struct device *dev, struct span span, const u8 *data,
		nsec_t now);
u8 device_register(struct device *dev, struct span span, const u8 *data);
u8 device_action(struct device *dev, nsec_t now);
u8 device_condition(struct device *dev, nsec_t now);
void device_alarm(struct device *dev, u8 error);

int device_poke(struct device *dev, struct span span, const u8 *data,
		nsec_t now);
int device_value(struct device *dev, const struct item *item, nsec_t now);

unsigned int device_baud(const struct device *dev);

int item_value(const struct item *item, const u8 *table);
void item_store(const struct item *item, u8 *table, int value);
bool span_covers(struct span span, unsigned int addr);

static inline unsigned int table_u16(const u8 *table, unsigned int addr)
{
	return table[addr] | table[addr + 1] << 8;
}

static inline void table_put_u16(u8 *table, unsigned int addr, unsigned int v)
{
	table[addr] = v & 0xff;
	table[addr + 1] = v >> 8 & 0xff;
}

#endif
