// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions beside reads and writes: those that are answered without parameters, and
 * the question whether a device is there
 */
#include <linux/compiler.h>
#include <linux/errno.h>

#include "../queue/queue.h"
#include "access.h"

/**
 * dxl_answer_missing() - whether a request may have been executed all the same
 * @status: what it ended with
 *
 * Return: true if no valid answer came
 */
bool dxl_answer_missing(int status)
{
	switch (status) {
	case -ETIMEDOUT:
	case -EBADMSG:
	case -EPROTO:
	case -EMSGSIZE:
	case -ENODATA:
		return true;
	default:
		return false;
	}
}

/**
 * dxl_check_torque_off() - whether a device takes writes to its EEPROM
 * @ddev: the device
 * @table: its control table
 * @priority: that of the transfer
 *
 * Return: 0 if it does, -EBUSY if its torque is on, or as dxl_read()
 */
int dxl_check_torque_off(struct dxl_device *ddev, const struct dxl_table *table,
			 enum dxl_priority priority)
{
	u8 on;
	int ret;

	if (!table->torque_enable)
		return 0;

	ret = dxl_read_prio(ddev, priority, table->torque_enable, &on, 1);
	if (ret)
		return ret;

	return on ? -EBUSY : 0;
}

/**
 * dxl_command() - send an instruction that is answered without parameters
 * @ddev: the device
 * @cmd: the instruction
 *
 * Return: 0 or the status of the transfer, see dxl_transfer_submit(); also 0 if
 * the device is to start anew and only its answer is missing: whether it has
 * understood shows when it has started
 */
int dxl_command(struct dxl_device *ddev, const struct dxl_command *cmd)
{
	struct dxl_reply reply = {
		.ddev = cmd->restarts ? NULL : ddev,
		.id = ddev->id,
		.return_delay_us = READ_ONCE(ddev->return_delay_us),
	};
	struct dxl_transfer xfer = {
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = cmd->instruction,
			.len = cmd->len,
			.params = cmd->params,
		},
		.replies = &reply,
		.num_replies =
			READ_ONCE(ddev->status_level) >= DXL_ANSWERS_ALL,
		.priority = cmd->priority,
		.repeatable = !cmd->restarts,
		.rest_us = cmd->rest_us,
	};
	int ret = dxl_transfer_sync(ddev->bus, &xfer);

	/* Without an answer the queue does not know when that begins. */
	if (!xfer.num_replies && cmd->rest_us)
		dxl_queue_rest(ddev, cmd->rest_us);

	return cmd->restarts && dxl_answer_missing(ret) ? 0 : ret;
}

/**
 * dxl_ping() - ask a device whether it is there
 * @ddev: the device
 * @priority: that of the transfer
 *
 * Return: the status of the transfer, see dxl_transfer_submit()
 */
int dxl_ping(struct dxl_device *ddev, enum dxl_priority priority)
{
	u8 buf[3];
	struct dxl_reply reply = {
		.id = ddev->id,
		.buf = buf,
		.len = ddev->protocol == DXL_PROTOCOL_2 ? sizeof(buf) : 0,
		.return_delay_us = DXL_RETURN_DELAY_MAX_US,
	};
	struct dxl_transfer xfer = {
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = DXL_PING,
		},
		.replies = &reply,
		.num_replies = 1,
		.priority = priority,
	};

	return dxl_transfer_sync(ddev->bus, &xfer);
}
