// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: the input is a script of transfers, of whatever may arrive on a
 * line, and of time that passes.
 */
#include "line.h"

enum op {
	OP_SUBMIT,
	OP_CHAIN,
	OP_GROUP,
	OP_TIME,
	OP_NEXT,
	OP_ANSWER,
	OP_ANSWERS,
	OP_PACKET,
	OP_BYTES,
	OP_ECHO,
	OP_LINE_ERROR,
	OP_REFUSE,
	OP_REST,
	OP_RESERVE,
	OP_UNRESERVE,
	OP_DISCONNECT,
	OPS
};

/* The answer that the queue waits for, or NULL. */
static const struct dxl_reply *expected(void)
{
	const struct dxl_transfer *xfer = line.bus.queue->current_xfer;
	unsigned int i;

	for (i = 0; xfer && i < xfer->num_replies; i++) {
		if (xfer->replies[i].status == -EINPROGRESS)
			return &xfer->replies[i];
	}

	return NULL;
}

static size_t make_params(struct input *in, u8 *params, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		params[i] = input_u8(in);

	return len;
}

/* Whole, in two pieces, cut, twice, or with a bit flipped. */
static void deliver(struct input *in, u8 *bytes, size_t len)
{
	u8 how = input_u8(in);
	size_t at = len ? how / 6 % len : 0;

	switch (how % 6) {
	case 1:
		line_receive(bytes, at);
		line_receive(bytes + at, len - at);
		return;
	case 2:
		line_receive(bytes, at);
		return;
	case 3:
		line_receive(bytes, len);
		break;
	case 4:
		if (len)
			bytes[at] ^= 1 << how % 8;
		break;
	}
	line_receive(bytes, len);
}

static void deliver_packet(struct input *in, const struct dxl_packet *packet)
{
	u8 bytes[128];
	int len = dxl_packet_encode(packet, bytes, sizeof(bytes));

	CHECK(len > 0);
	deliver(in, bytes, len);
}

/* The first part of a fast answer, or the next one. */
static size_t put_slot(struct input *in, u8 *bytes, u16 *crc,
		       const struct dxl_reply *reply)
{
	size_t n = 0;

	bytes[n++] = input_u8(in) % 3 ? 0 : input_u8(in);
	bytes[n++] = reply->id;
	n += make_params(in, bytes + n, reply->len);
	*crc = dxl_crc16(*crc, bytes, n);
	bytes[n++] = *crc & 0xff;
	bytes[n++] = *crc >> 8;
	*crc = dxl_crc16(*crc, bytes + n - 2, 2);

	return n;
}

static void deliver_fast(struct input *in, u8 slots)
{
	const struct dxl_transfer *xfer = line.bus.queue->current_xfer;
	u8 bytes[DXL_FAST_HEADER + DEVICES * (ANSWER_MAX + DXL_FAST_OVERHEAD)] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0, 0, 0x55,
	};
	size_t n = DXL_FAST_HEADER;
	unsigned int i;
	u16 crc, size = 1;

	for (i = 0; i < xfer->num_replies; i++)
		size += xfer->replies[i].len + DXL_FAST_OVERHEAD;
	bytes[5] = size & 0xff;
	bytes[6] = size >> 8;
	crc = dxl_crc16(0, bytes, n);
	for (i = 0; i < xfer->num_replies && i <= slots; i++)
		n += put_slot(in, bytes + n, &crc, &xfer->replies[i]);
	deliver(in, bytes, n);
}

/* What is waited for, with an error now and then. */
static void op_answer(struct input *in)
{
	const struct dxl_reply *reply = expected();
	u8 params[ANSWER_MAX];
	struct dxl_packet packet;
	u8 how = input_u8(in);

	if (!reply)
		return;
	if (dxl_is_fast(&line.bus.queue->current_xfer->request)) {
		deliver_fast(in, how % DEVICES);
		return;
	}
	packet = (struct dxl_packet){
		.protocol = line.bus.queue->current_xfer->request.protocol,
		.id = reply->id,
		.instruction = DXL_STATUS_RETURN,
		.error = how & 0xc0 ? 0 : input_u8(in),
		.len = reply->len,
		.params = params,
	};
	/* One in sixteen is of another length. */
	if (how % 16 == 15)
		packet.len = input_u8(in) % ANSWER_MAX;
	packet.len = packet.len < ANSWER_MAX ? packet.len : ANSWER_MAX;
	make_params(in, params, packet.len);
	deliver_packet(in, &packet);
}

/* Good answers to whatever is asked, so that scripts get far. */
static void op_answers(struct input *in)
{
	static const u8 zeros[ANSWER_MAX];
	u8 n = input_u8(in) % 32;

	while (n--) {
		const struct dxl_reply *reply = expected();
		struct input none = { NULL, 0 };

		if (!reply)
			return;
		if (dxl_is_fast(&line.bus.queue->current_xfer->request))
			deliver_fast(&none, DEVICES);
		else
			deliver_packet(&none, &(struct dxl_packet){
				.protocol = line.bus.queue->current_xfer->request.protocol,
				.id = reply->id,
				.instruction = DXL_STATUS_RETURN,
				.len = reply->len < ANSWER_MAX ? reply->len : 0,
				.params = zeros,
			});
	}
}

/* A good packet, from anybody, with anything. */
static void op_packet(struct input *in)
{
	u8 params[32], how = input_u8(in);
	struct dxl_packet packet = {
		.protocol = 1 + how % 2,
		.id = input_u8(in) % (DXL_ID_BROADCAST + 1),
		.instruction = how & 2 ? input_u8(in) : DXL_STATUS_RETURN,
		.error = input_u8(in),
		.params = params,
	};

	packet.len = make_params(in, params, how >> 3);
	deliver_packet(in, &packet);
}

static void op_bytes(struct input *in)
{
	const u8 *bytes;
	size_t len = input_bytes(in, &bytes, input_u8(in));

	if (len)
		line_receive(bytes, len);
}

static void op_echo(struct input *in)
{
	u8 how = input_u8(in);
	size_t len = line.tx_len;

	if (how & 0x80 && len)
		len = how % len;
	if (len)
		line_receive(line.tx, len);
}

static void op_time(struct input *in)
{
	u8 n = input_u8(in);

	fuzz_advance(fuzz_now + (s64)(n & 0x1f) * (1000 << 2 * (n >> 5)));
}

static void run_op(struct input *in)
{
	struct dxl_queue *q = line.bus.queue;
	u8 rest;

	switch ((enum op)(input_u8(in) % OPS)) {
	case OP_SUBMIT:
		line_submit(in);
		break;
	case OP_CHAIN:
		line_submit_chain(in);
		break;
	case OP_GROUP:
		line_submit_group(in);
		break;
	case OP_TIME:
		op_time(in);
		break;
	case OP_NEXT:
		fuzz_step();
		break;
	case OP_ANSWER:
		op_answer(in);
		break;
	case OP_ANSWERS:
		op_answers(in);
		break;
	case OP_PACKET:
		op_packet(in);
		break;
	case OP_BYTES:
		op_bytes(in);
		break;
	case OP_ECHO:
		op_echo(in);
		break;
	case OP_LINE_ERROR:
		dxl_bus_line_error(&line.bus);
		break;
	case OP_REFUSE:
		line.refuse = input_u8(in) % 16;
		break;
	case OP_REST:
		rest = input_u8(in);
		dxl_queue_rest(&line.devices[rest % DEVICES],
			       rest / DEVICES * 100);
		break;
	case OP_RESERVE:
		if (!q->reserved)
			dxl_queue_reserve(&line.bus);
		break;
	case OP_UNRESERVE:
		if (q->reserved)
			dxl_queue_unreserve(&line.bus);
		break;
	case OP_DISCONNECT:
		/* Nothing happens after it: not too often. */
		if (input_u8(in) != 0xdc)
			break;
		dxl_queue_disconnect(&line.bus);
		line.gone = true;
		break;
	case OPS:
		break;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };

	line_begin(input_u8(&in));
	while (in.len)
		run_op(&in);
	line_end();

	return 0;
}
