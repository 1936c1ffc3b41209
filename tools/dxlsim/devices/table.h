/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device's control table, for those who are behind it. */
#ifndef DXLSIM_TABLE_H
#define DXLSIM_TABLE_H

#include "device.h"

void device_choose_protocol(struct device *dev);
void device_set_registered(struct device *dev, bool on);
void device_deafen_for_eeprom(struct device *dev, unsigned int bytes,
			      nsec_t now);

int item_value(const struct item *item, const u8 *table);
void item_store(const struct item *item, u8 *table, int value);

static inline unsigned int table_u16(const u8 *table, unsigned int addr)
{
	return table[addr] | table[addr + 1] << 8;
}

static inline int table_s16(const u8 *table, unsigned int addr)
{
	return (int16_t)table_u16(table, addr);
}

static inline int table_s32(const u8 *table, unsigned int addr)
{
	return (int32_t)(table_u16(table, addr) |
			 (u32)table_u16(table, addr + 2) << 16);
}

static inline void table_put_u16(u8 *table, unsigned int addr, unsigned int v)
{
	table[addr] = v & 0xff;
	table[addr + 1] = v >> 8 & 0xff;
}

static inline void table_put_s32(u8 *table, unsigned int addr, int v)
{
	table_put_u16(table, addr, (u32)v & 0xffff);
	table_put_u16(table, addr + 2, (u32)v >> 16);
}

#endif
