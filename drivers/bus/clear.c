// SPDX-License-Identifier: GPL-2.0
/*
 * Turns of the shaft that a device has counted are forgotten
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "core.h"

/**
 * dxl_clear_turns() - let a device count the turns of its shaft from 0
 * @ddev: the device
 *
 * Its position is within one turn afterwards. Its driver stays bound. From a
 * device that does not answer writes a refusal is not heard.
 *
 * Context: Process context. Sleeps; not within dxl_bus_reserve().
 * Return: 0; -EOPNOTSUPP if the device does not speak Protocol 2.0; -EREMOTEIO
 * if it moves or does not know the instruction; or the status of the transfer,
 * see dxl_transfer_submit()
 */
int dxl_clear_turns(struct dxl_device *ddev)
{
	/* The instruction has a word in it, so that it does not come by chance. */
	static const u8 params[] = { 1, 'D', 'X', 'L', '"' };
	static const struct dxl_command cmd = {
		.instruction = DXL_CLEAR,
		.params = params,
		.len = sizeof(params),
		.priority = DXL_PRIO_REQUEST,
	};

	if (ddev->protocol != DXL_PROTOCOL_2)
		return -EOPNOTSUPP;

	guard(mutex)(&ddev->bus->maintenance);

	return dxl_command(ddev, &cmd);
}
EXPORT_SYMBOL_NS_GPL(dxl_clear_turns, "DXL");
