/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the control tables of servos and of boards have in common.
 */
#ifndef _LINUX_DXL_MODELS_H
#define _LINUX_DXL_MODELS_H

#include <linux/dxl/bus.h>

/*
 * The maker does not say how long a device is deaf after a write to its EEPROM.
 * An AX-12 was measured by others with up to 9 ms a byte; none is known to be
 * worse. Nor is it said how long a device takes to start.
 */
#define DXL_EEPROM_WRITE_US	9000
#define DXL_REBOOT_MS		500

/* Protocol 1.0: 2 MHz by one more than the value. */
#define DXL_BAUDS_V1							\
	[0] = { 1000000, 1 }, { 500000, 3 }, { 400000, 4 },		\
	{ 250000, 7 }, { 200000, 9 }, { 115200, 16 }, { 57600, 34 },	\
	{ 19200, 103 }, { 9600, 207 }

/* Protocol 2.0. */
#define DXL_BAUDS_V2							\
	[0] = { 4500000, 7 }, { 4000000, 6 }, { 3000000, 5 },		\
	{ 2000000, 4 }, { 1000000, 3 }, { 115200, 2 }, { 57600, 1 },	\
	{ 9600, 0 }

/* The head of a &struct dxl_table of Protocol 1.0. */
#define DXL_TABLE_V1(_size, _bauds)					\
	.size = _size,							\
	.eeprom_size = 24,						\
	.eeprom_write_us = DXL_EEPROM_WRITE_US,				\
	.reboot_ms = DXL_REBOOT_MS,					\
	.id = DXL1_ADDR_ID,						\
	.baud = 4,							\
	.return_delay = 5,						\
	.status_level = 16,						\
	.bauds = _bauds

#endif /* _LINUX_DXL_MODELS_H */
