// SPDX-License-Identifier: GPL-2.0
/*
 * The rate of the line
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/lockdep.h>

#include <linux/dxl/transport.h>

#include "state.h"

/**
 * dxl_set_line_baud() - change the baud rate of the line
 * @bus: the bus, reserved and left, see dxl_queue_leave()
 * @baud: bits a second
 *
 * Return: 0, -EOPNOTSUPP if the line has a fixed rate, or another negative
 * errno, and then the rate is the old one
 */
int dxl_set_line_baud(struct dxl_bus *bus, u32 baud)
{
	int ret;

	lockdep_assert_held(&bus->maintenance);

	if (baud == bus->timing.baud)
		return 0;
	if (!bus->ops->set_baud)
		return -EOPNOTSUPP;

	guard(mutex)(&bus->line_lock);

	/* dxl_bus_disconnect() sets this first and then waits for the lock. */
	ret = READ_ONCE(bus->queue->refusal);
	if (ret)
		return ret;

	ret = bus->ops->set_baud(bus, baud);
	if (ret) {
		bus->ops->set_baud(bus, bus->timing.baud);
		return ret;
	}

	spin_lock_bh(&bus->queue->lock);
	WRITE_ONCE(bus->timing.baud, baud);
	spin_unlock_bh(&bus->queue->lock);

	return 0;
}
