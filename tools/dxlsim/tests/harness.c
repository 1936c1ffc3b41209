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
	rig->control.bus = &rig->bus;
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

struct desk *desk_new(void)
{
	struct desk *desk = calloc(1, sizeof(*desk));

	assert_non_null(desk);
	desk->rig = rig_new();

	return desk;
}

void desk_free(struct desk *desk)
{
	rig_free(desk->rig);
	free(desk->answer);
	free(desk);
}

static bool ask_line(struct rig *rig, const char *line, char **answer)
{
	size_t len;
	FILE *out = open_memstream(answer, &len);
	bool stayed = control_line(&rig->control, line, rig->now, out);

	fclose(out);

	return stayed;
}

/* The answer is there until the next. */
const char *say(struct desk *desk, const char *line)
{
	free(desk->answer);
	desk->stayed = ask_line(desk->rig, line, &desk->answer);

	return desk->answer;
}

/* A command with a known answer. */
void told(struct rig *rig, const char *line, const char *expected)
{
	char *answer;

	ask_line(rig, line, &answer);
	assert_string_equal(answer, expected);
	free(answer);
}

void plug(struct device *dev, const char *words)
{
	char problem[PORTS_PROBLEM];
	struct ports ports;

	if (!ports_read(&ports, dev->model->board, words, problem))
		fail_msg("%s: %s", words, problem);
	ports_plug(dev, &ports);
}

/* One that has to work. */
void order(struct rig *rig, const char *line)
{
	told(rig, line, "ok\n");
}

void rig_send(struct rig *rig, u8 id, u8 instruction, const u8 *params,
	      size_t len)
{
	u8 bytes[300];

	bus_receive(&rig->bus, bytes, frame(bytes, id, instruction, params, len),
		    rig->now);
}

/* --- what is heard --- */

/* Take what has left by now. */
void rig_listen(struct rig *rig)
{
	static u8 bytes[LINE_BYTES];
	size_t len;

	while ((len = bus_send(&rig->bus, bytes, rig->now))) {
		assert_true(len <= sizeof(rig->bytes) - rig->len);
		memcpy(rig->bytes + rig->len, bytes, len);
		rig->len += len;
		rig->heard = rig->now;
	}
}

/* Let time pass until nothing is under way any more. */
void rig_run(struct rig *rig)
{
	nsec_t due;

	rig_listen(rig);
	while ((due = bus_due(&rig->bus)) != NSEC_NEVER) {
		if (rig->now < due)
			rig->now = due;
		rig_listen(rig);
	}
}

void rig_forget(struct rig *rig)
{
	rig_run(rig);
	rig->len = 0;
}

static void take(struct rig *rig, size_t len)
{
	rig->len -= len;
	memmove(rig->bytes, rig->bytes + len, rig->len);
}

static struct reply take_reply1(struct rig *rig)
{
	struct reply reply = { .protocol = 1 };
	const u8 *bytes = rig->bytes;
	size_t len = bytes[3] + 4;

	assert_in_range(len, 6, rig->len);
	assert_int_equal(bytes[len - 1], sum_of(bytes + 2, len - 3));
	reply.id = bytes[2];
	reply.error = bytes[4];
	reply.len = len - 6;
	memcpy(reply.params, bytes + 5, reply.len);
	take(rig, len);

	return reply;
}

static struct reply take_reply2(struct rig *rig)
{
	struct reply reply = { .protocol = 2 };
	u8 body[RIG_BYTES];
	size_t len = (rig->bytes[5] | rig->bytes[6] << 8) + 7;
	size_t body_len = len - 9;

	assert_in_range(len, 11, rig->len);
	assert_int_equal(rig->bytes[len - 2] | rig->bytes[len - 1] << 8,
			 crc_of(rig->bytes, len - 2));
	assert_int_equal(rig->bytes[7], 0x55);
	memcpy(body, rig->bytes + 7, body_len);
	if (rig->bytes[4] != 254)
		body_len = unstuff(body, body_len);
	reply.id = rig->bytes[4];
	reply.error = body[1];
	reply.len = body_len - 2;
	assert_in_range(reply.len, 0, REPLY_PARAMS);
	memcpy(reply.params, body + 2, reply.len);
	take(rig, len);

	return reply;
}

/* The next answer that has left by now. */
struct reply rig_reply(struct rig *rig)
{
	struct reply none = { .id = -1 };

	rig_listen(rig);
	if (!rig->len)
		return none;

	assert_in_range(rig->len, 6, sizeof(rig->bytes));
	assert_int_equal(rig->bytes[0], 255);
	assert_int_equal(rig->bytes[1], 255);
	if (rig->bytes[2] == 253 && rig->bytes[3] == 0)
		return take_reply2(rig);

	return take_reply1(rig);
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

/* --- Protocol 1.0 --- */

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

/* --- Protocol 2.0 --- */

void rig_send2(struct rig *rig, u8 id, u8 instruction, const u8 *params,
	       size_t len)
{
	u8 bytes[RIG_BYTES];

	bus_receive(&rig->bus, bytes,
		    frame2(bytes, id, instruction, params, len), rig->now);
}

struct reply rig_ask2(struct rig *rig, u8 id, u8 instruction, const u8 *params,
		      size_t len)
{
	struct reply reply;

	rig_send2(rig, id, instruction, params, len);
	reply = rig_reply(rig);
	assert_int_equal(rig_reply(rig).id, -1);

	return reply;
}

struct reply rig_ping2(struct rig *rig, u8 id)
{
	return rig_ask2(rig, id, 1, NULL, 0);
}

struct reply rig_read2(struct rig *rig, u8 id, u16 addr, u16 len)
{
	const u8 params[] = { addr & 255, addr >> 8, len & 255, len >> 8 };

	return rig_ask2(rig, id, 2, params, 4);
}

struct reply rig_write2(struct rig *rig, u8 id, u16 addr, const u8 *data,
			size_t len)
{
	u8 params[REPLY_PARAMS];

	params[0] = addr & 255;
	params[1] = addr >> 8;
	memcpy(params + 2, data, len);

	return rig_ask2(rig, id, 3, params, len + 2);
}

int rig_value2(struct rig *rig, u8 id, u16 addr, unsigned int size)
{
	struct reply reply = rig_read2(rig, id, addr, size);
	unsigned int value = 0, i;

	assert_int_equal(reply.id, id);
	assert_int_equal(reply.len, size);
	for (i = 0; i < size; i++)
		value |= (unsigned int)reply.params[i] << 8 * i;

	return value;
}

u8 rig_set2(struct rig *rig, u8 id, u16 addr, unsigned int size, int value)
{
	u8 data[4];
	unsigned int i;

	for (i = 0; i < size; i++)
		data[i] = (unsigned int)value >> 8 * i;

	return rig_write2(rig, id, addr, data, size).error;
}

static struct device *device_of(struct rig *rig, u8 id)
{
	size_t i;

	for (i = 0; i < rig->bus.device_count; i++)
		if (device_id(&rig->bus.devices[i]) == id)
			return &rig->bus.devices[i];

	fail_msg("no device has ID %u", id);

	return NULL;
}

void rig_poke(struct rig *rig, u8 id, u16 addr, unsigned int size, int value)
{
	const u8 data[] = { value, value >> 8, value >> 16, value >> 24 };

	assert_int_equal(device_poke(device_of(rig, id),
				     (struct span){ addr, size }, data,
				     rig->now), 0);
}
