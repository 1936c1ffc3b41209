// SPDX-License-Identifier: GPL-2.0
/*
 * Who has an ID
 *
 * The question is a PING, which every device answers. But the answer of a
 * Protocol 1.0 device that reports a wrong voltage is byte by byte the
 * request, which the queue takes for an echo of it. So where an echo came and
 * no answer, the model number is asked for, whose answer looks like no request.
 */
#include <linux/errno.h>
#include <linux/unaligned.h>

#include "../base/base.h"
#include "../queue/queue.h"
#include "access.h"

#define ASK_TRIES	3

static int ask(struct dxl_bus *bus, const struct dxl_packet *request, u8 *buf,
	       u16 len)
{
	struct dxl_reply reply = {
		.id = request->id,
		.buf = buf,
		.len = len,
		.return_delay_us = DXL_RETURN_DELAY_MAX_US,
	};
	struct dxl_transfer xfer = {
		.request = *request,
		.replies = &reply,
		.num_replies = 1,
		.priority = DXL_PRIO_MAINTENANCE,
	};
	unsigned int i;
	int ret;

	/* -ENODATA: a late answer of another device has spoilt the question. */
	for (i = 0; i < ASK_TRIES; i++) {
		ret = dxl_transfer_sync(bus, &xfer);
		if (ret != -ENODATA)
			break;
	}

	return ret;
}

/**
 * dxl_read_id() - read registers of whoever has an ID
 * @bus: the bus, reserved
 * @protocol: protocol to ask in
 * @id: the ID
 * @addr: first address
 * @buf: where the bytes go
 * @len: their number
 *
 * Return: as dxl_transfer_sync()
 */
int dxl_read_id(struct dxl_bus *bus, enum dxl_protocol protocol, u8 id,
		u16 addr, u8 *buf, u16 len)
{
	u8 params[DXL_RANGE_MAX];
	const struct dxl_packet request = {
		.protocol = protocol,
		.id = id,
		.instruction = DXL_READ,
		.len = dxl_put_range(protocol, params, addr, len),
		.params = params,
	};

	return ask(bus, &request, buf, len);
}

static int find_id_v1(struct dxl_bus *bus, u8 id, struct dxl_found *found)
{
	const struct dxl_packet ping = {
		.protocol = DXL_PROTOCOL_1,
		.id = id,
		.instruction = DXL_PING,
	};
	u64 before = dxl_count_of(bus, DXL_STAT_ECHOES);
	u8 buf[3];
	int ret;

	ret = ask(bus, &ping, NULL, 0);
	if (ret == -ETIMEDOUT &&
	    dxl_count_of(bus, DXL_STAT_ECHOES) == before)
		return ret;
	if (ret && ret != -EREMOTEIO && !dxl_answer_missing(ret))
		return ret;

	/* One that is set to answer nothing but PING is there nevertheless. */
	if (dxl_read_id(bus, DXL_PROTOCOL_1, id, 0, buf, sizeof(buf)))
		return ret;

	found->identified = true;
	found->model_number = get_unaligned_le16(buf);
	found->firmware_version = buf[2];

	return 0;
}

static int find_id_v2(struct dxl_bus *bus, u8 id, struct dxl_found *found)
{
	const struct dxl_packet ping = {
		.protocol = DXL_PROTOCOL_2,
		.id = id,
		.instruction = DXL_PING,
	};
	u8 buf[3];
	int ret;

	ret = ask(bus, &ping, buf, sizeof(buf));
	if (ret)
		return ret;

	found->identified = true;
	found->model_number = get_unaligned_le16(buf);
	found->firmware_version = buf[2];

	return 0;
}

/**
 * dxl_find_id() - find out who has an ID
 * @bus: the bus, reserved
 * @protocol: protocol to ask in
 * @id: the ID
 * @found: what there is, if anything
 *
 * Return: 0 if a device answered; -ENODEV if none did; -EILSEQ if what came was
 * damaged, as that of two devices with one ID is; or another negative errno
 */
int dxl_find_id(struct dxl_bus *bus, enum dxl_protocol protocol, u8 id,
		struct dxl_found *found)
{
	int ret;

	*found = (struct dxl_found){
		.id = id,
		.protocol = protocol,
		.baud = bus->timing.baud,
	};
	if (protocol == DXL_PROTOCOL_1)
		ret = find_id_v1(bus, id, found);
	else
		ret = find_id_v2(bus, id, found);

	if (ret == -ETIMEDOUT)
		return -ENODEV;
	if (ret == -EREMOTEIO)
		return 0;

	return dxl_answer_missing(ret) ? -EILSEQ : ret;
}

/**
 * dxl_check_nobody_has() - whether an ID is free, known or not
 * @bus: the bus, reserved
 * @id: the ID
 *
 * Return: 0 if it is, -EBUSY if a device has it, or why that is not known
 */
int dxl_check_nobody_has(struct dxl_bus *bus, u8 id)
{
	struct dxl_found found;
	enum dxl_protocol protocol;
	int ret;

	for (protocol = DXL_PROTOCOL_1; protocol <= DXL_PROTOCOL_2; protocol++) {
		if (id > dxl_id_max(protocol))
			continue;
		ret = dxl_find_id(bus, protocol, id, &found);
		if (!ret || ret == -EILSEQ)
			return -EBUSY;
		if (ret != -ENODEV)
			return ret;
	}

	return 0;
}
