// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct rig *rig_new(void)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	bus_init(&rig->bus, 1000000);
	rig->now = 1 * NSEC_PER_SEC;

	return rig;
}

void rig_free(struct rig *rig)
{
	free(rig);
}

struct device *rig_add(struct rig *rig, const struct model *model, u8 id)
{
	char label[LABEL_MAX];

	snprintf(label, sizeof(label), "Joint%u", id);

	return bus_add(&rig->bus, model, id, label, rig->now);
}

void rig_wait(struct rig *rig, double seconds)
{
	rig->now += seconds * NSEC_PER_SEC;
}

static u8 checksum(const u8 *bytes, size_t len)
{
	unsigned int sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += bytes[i];

	return 255 - sum % 256;
}

size_t frame(u8 *bytes, u8 id, u8 instruction, const u8 *params, size_t len)
{
	bytes[0] = 255;
	bytes[1] = 255;
	bytes[2] = id;
	bytes[3] = len + 2;
	bytes[4] = instruction;
	if (len)
		memcpy(bytes + 5, params, len);
	bytes[5 + len] = checksum(bytes + 2, len + 3);

	return len + 6;
}

void rig_send(struct rig *rig, u8 id, u8 instruction, const u8 *params,
	      size_t len)
{
	u8 bytes[300];

	bus_receive(&rig->bus, bytes, frame(bytes, id, instruction, params, len),
		    rig->now);
}

/* The next answer that has left by now. */
struct reply rig_reply(struct rig *rig)
{
	struct reply reply = { .id = -1 };
	u8 bytes[DXL1_PACKET_MAX];
	size_t len = bus_send(&rig->bus, bytes, rig->now);

	if (!len)
		return reply;

	assert_in_range(len, 6, sizeof(bytes));
	assert_int_equal(bytes[0], 255);
	assert_int_equal(bytes[1], 255);
	assert_int_equal(bytes[3], len - 4);
	assert_int_equal(bytes[len - 1], checksum(bytes + 2, len - 3));
	reply.id = bytes[2];
	reply.error = bytes[4];
	reply.len = len - 6;
	memcpy(reply.params, bytes + 5, reply.len);

	return reply;
}

struct reply rig_ask(struct rig *rig, u8 id, u8 instruction, const u8 *params,
		     size_t len)
{
	struct reply reply;

	rig_send(rig, id, instruction, params, len);
	reply = rig_reply(rig);
	/* One request, one answer at most. */
	assert_int_equal(rig_reply(rig).id, -1);

	return reply;
}

struct reply rig_ping(struct rig *rig, u8 id)
{
	return rig_ask(rig, id, 1, NULL, 0);
}

struct reply rig_read(struct rig *rig, u8 id, u8 addr, u8 len)
{
	const u8 params[] = { addr, len };

	return rig_ask(rig, id, 2, params, 2);
}

struct reply rig_write(struct rig *rig, u8 id, u8 addr, const u8 *data,
		       size_t len)
{
	u8 params[256];

	params[0] = addr;
	memcpy(params + 1, data, len);

	return rig_ask(rig, id, 3, params, len + 1);
}

u8 rig_write8(struct rig *rig, u8 id, u8 addr, unsigned int value)
{
	const u8 data[] = { value };

	return rig_write(rig, id, addr, data, 1).error;
}

u8 rig_write16(struct rig *rig, u8 id, u8 addr, unsigned int value)
{
	const u8 data[] = { value & 255, value >> 8 };

	return rig_write(rig, id, addr, data, 2).error;
}

unsigned int rig_read8(struct rig *rig, u8 id, u8 addr)
{
	struct reply reply = rig_read(rig, id, addr, 1);

	assert_int_equal(reply.id, id);
	assert_int_equal(reply.len, 1);

	return reply.params[0];
}

unsigned int rig_read16(struct rig *rig, u8 id, u8 addr)
{
	struct reply reply = rig_read(rig, id, addr, 2);

	assert_int_equal(reply.id, id);
	assert_int_equal(reply.len, 2);

	return reply.params[0] | reply.params[1] << 8;
}
