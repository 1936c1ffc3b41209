/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to devices: to registers of one and of many, by other instructions, and to
 * whoever has an ID
 *
 * What drivers use of this is in include/linux/dxl/bus.h.
 */
#ifndef _DXL_ACCESS_H
#define _DXL_ACCESS_H

#include <linux/types.h>

#include <linux/dxl/bus.h>

/* Longest return delay that can be set: register value 254, in steps of 2 us. */
#define DXL_RETURN_DELAY_MAX_US	508

/* --- registers of one device: registers.c --- */

/**
 * struct dxl_identity - what a device says of itself
 * @model_number: its model number
 * @firmware_version: the version of its firmware
 */
struct dxl_identity {
	u16 model_number;
	u8 firmware_version;
};

u16 dxl_firmware_addr(const struct dxl_device *ddev);
int dxl_ask_identity(struct dxl_device *ddev, enum dxl_priority priority, u16 firmware,
		     struct dxl_identity *identity);

int dxl_read_prio(struct dxl_device *ddev, enum dxl_priority priority, u16 addr,
		  u8 *buf, u16 len);
int dxl_write_prio(struct dxl_device *ddev, enum dxl_priority priority,
		   u16 addr, const u8 *buf, u16 len);

/* --- registers of many: group.c --- */

u64 dxl_group_wire_ns(struct dxl_group *group, struct dxl_item *items,
		      unsigned int num_items, bool write);

/* --- other instructions: command.c --- */

/**
 * struct dxl_command - an instruction that is answered without parameters
 * @instruction: the instruction
 * @params: its parameters
 * @len: their number
 * @priority: when it is its turn
 * @rest_us: how long the device is deaf after it has answered
 * @restarts: the device starts anew: an answer that is missing is no fault
 */
struct dxl_command {
	u8 instruction;
	const u8 *params;
	u16 len;
	enum dxl_priority priority;
	u32 rest_us;
	bool restarts;
};

int dxl_command(struct dxl_device *ddev, const struct dxl_command *cmd);
int dxl_ping(struct dxl_device *ddev, enum dxl_priority priority);
bool dxl_answer_missing(int status);
int dxl_check_torque_off(struct dxl_device *ddev, const struct dxl_table *table,
			 enum dxl_priority priority);

/* --- whoever has an ID: find.c --- */

/**
 * struct dxl_found - a device that a scan has found
 * @id: its address
 * @protocol: protocol it speaks
 * @identified: it has told what follows
 * @model_number: its model number
 * @firmware_version: its firmware version
 * @baud: bits a second at which it was found
 */
struct dxl_found {
	u8 id;
	enum dxl_protocol protocol;
	bool identified;
	u16 model_number;
	u8 firmware_version;
	u32 baud;
};

/* Highest ID that a device can have in @protocol. */
static inline u8 dxl_id_max(enum dxl_protocol protocol)
{
	return protocol == DXL_PROTOCOL_2 ? DXL_ID_MAX - 1 : DXL_ID_MAX;
}

int dxl_find_id(struct dxl_bus *bus, enum dxl_protocol protocol, u8 id,
		struct dxl_found *found);
int dxl_read_id(struct dxl_bus *bus, enum dxl_protocol protocol, u8 id,
		u16 addr, u8 *buf, u16 len);
int dxl_check_nobody_has(struct dxl_bus *bus, u8 id);

/* --- the control table in debugfs: regmap.c --- */

#ifdef CONFIG_REGMAP
int dxl_regmap_add(struct dxl_device *ddev);
#else
static inline int dxl_regmap_add(struct dxl_device *ddev)
{
	return 0;
}
#endif

#endif /* _DXL_ACCESS_H */
