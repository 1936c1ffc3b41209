/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The devices of a bus: how they come, find their drivers and go
 *
 * What drivers use of this is in include/linux/dxl/bus.h.
 */
#ifndef _DXL_DEVICES_H
#define _DXL_DEVICES_H

#include <linux/types.h>

#include <linux/dxl/bus.h>

struct attribute_group;
struct fwnode_handle;

/* --- coming and going: device.c --- */

/**
 * struct dxl_device_desc - a device to be added
 * @fwnode: node that describes it, or NULL
 * @id: its address
 * @dynamic: user space or a scan adds it
 * @bind_now: whoever adds it wants it bound to its driver, if that is there
 * @protocol: protocol it speaks; this and what follows only without @fwnode
 * @model_number: model number it reported
 * @firmware_version: firmware version it reported
 */
struct dxl_device_desc {
	struct fwnode_handle *fwnode;
	u8 id;
	bool dynamic;
	bool bind_now;
	enum dxl_protocol protocol;
	u16 model_number;
	u8 firmware_version;
};

struct dxl_device *dxl_device_find(struct dxl_bus *bus, u8 id);
int dxl_device_add(struct dxl_bus *bus, const struct dxl_device_desc *desc);
void dxl_device_remove(struct dxl_device *ddev);
extern const struct attribute_group dxl_device_group;

/* --- their drivers: driver.c --- */

void dxl_device_bind(struct dxl_device *ddev);

/* --- all of a bus: described.c --- */

void dxl_devices_add_described(struct dxl_bus *bus);
void dxl_devices_remove(struct dxl_bus *bus);

/* --- those that user space adds: new_device.c --- */

struct fwnode_handle *dxl_device_new_node(struct dxl_device *ddev, u8 id);
extern const struct attribute_group dxl_new_device_group;

/* --- those that a scan finds: scan.c --- */

void dxl_scan_free(struct dxl_bus *bus);
extern const struct attribute_group dxl_scan_group;

/* --- those that an overlay brings: overlay.c --- */

#ifdef CONFIG_OF_DYNAMIC
int dxl_overlay_init(void);
void dxl_overlay_exit(void);
#else
static inline int dxl_overlay_init(void)
{
	return 0;
}

static inline void dxl_overlay_exit(void)
{
}
#endif

#endif /* _DXL_DEVICES_H */
