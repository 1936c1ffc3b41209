/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What connects a Dynamixel bus to the serial line below it.
 */
#ifndef _LINUX_DXL_TRANSPORT_H
#define _LINUX_DXL_TRANSPORT_H

#include <linux/types.h>

struct device;
struct dxl_bus;

/**
 * struct dxl_transport_ops - a serial line, as the bus core sees it
 * @write: put bytes into the line's transmit buffer and return their number,
 *	or a negative errno. The core has one packet in flight, so a line whose
 *	buffer does not take all of it is broken. Called with the queue's lock
 *	held: must not sleep and must not call dxl_bus_receive().
 * @flush: drop what is still in the transmit buffer. Called as @write is.
 * @set_baud: change the rate of the line; nothing is under way then. Returns 0
 *	or a negative errno, and is then called with the old rate. Optional.
 *	Called from process context, may sleep.
 */
struct dxl_transport_ops {
	int (*write)(struct dxl_bus *bus, const u8 *data, size_t len);
	void (*flush)(struct dxl_bus *bus);
	int (*set_baud)(struct dxl_bus *bus, u32 baud);
};

/*
 * Rate of a line at the least: what the oldest servos of the maker's make of the highest
 * value of their register, 2 Mbaud by 255 (emanual.robotis.com/docs/en/dxl/ax/ax-12a).
 * At less a packet would take so long that whoever waits for it seems to hang.
 */
#define DXL_BAUD_MIN	7843

struct dxl_bus *dxl_bus_alloc(struct device *parent,
			      const struct dxl_transport_ops *ops, void *priv,
			      u32 baud);
int dxl_bus_add(struct dxl_bus *bus);
void dxl_bus_disconnect(struct dxl_bus *bus);
void dxl_bus_remove(struct dxl_bus *bus);
void dxl_bus_put(struct dxl_bus *bus);

void *dxl_bus_priv(const struct dxl_bus *bus);
int dxl_bus_nr(const struct dxl_bus *bus);
void dxl_bus_receive(struct dxl_bus *bus, const u8 *data, size_t len);
void dxl_bus_line_error(struct dxl_bus *bus);

#endif /* _LINUX_DXL_TRANSPORT_H */
