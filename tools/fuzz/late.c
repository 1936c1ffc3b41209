// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: devices that never lie. They answer what they are asked, but may
 * not hear it, lose the answer, give it twice, or give it late: after its
 * deadline, by less than a margin. Every answer tells which packet it is for, and
 * so it is seen whether one was ever taken for an answer to another request.
 *
 * The devices in a chain answer when they have heard the one before; there only
 * the last may be late, as the others keep those behind them waiting. After an
 * answer that was late or came twice all is well for a while: what the bus does
 * about it takes some margins, and it is no match for two of these at once.
 */
#include "line.h"

#define ANSWERS_MAX	32

/* Bytes of the answer as Documentation/bus.rst has them in the deadline. */
#define UART_BYTES	5

/*
 * Bytes that will arrive; if @packet is not 0 only as long as it is the last:
 * one line cannot carry a repetition and the next packet.
 */
struct answer {
	ktime_t at;
	u64 packet;
	size_t len;
	u8 bytes[64];
};

#define MARGINS_TO_CALM_DOWN	8

static struct answer answers[ANSWERS_MAX];
static int num_answers;

/* Until then all is well. */
static ktime_t calm_at;

/* The packet that the devices have thought of last. */
static u64 seen;

static void make_params(u8 id, u8 *params, size_t len, u64 packet)
{
	size_t i;

	params[0] = packet;
	params[1] = packet >> 8;
	for (i = 2; i < len; i++)
		params[i] = (u8)(id * 31 + packet * 7 + i);
}

/* The data are an answer to one of the packets from number @from + 1 on. */
static void check_own(u8 id, const u8 *data, size_t len, u64 from)
{
	u8 own[ANSWER_MAX];
	u64 packet;

	if (!len)
		return;
	packet = data[0] | data[1] << 8;
	CHECK(packet > from && packet <= line.packets);
	make_params(id, own, len, packet);
	CHECK(!memcmp(own, data, len));
}

static void plan_bytes(const u8 *bytes, size_t len, ktime_t at, u64 packet)
{
	struct answer *answer = &answers[num_answers];

	if (num_answers == ANSWERS_MAX)
		return;
	num_answers++;
	answer->at = at;
	answer->packet = packet;
	answer->len = len;
	memcpy(answer->bytes, bytes, len);
}

static u64 wire_ns(size_t bytes)
{
	return dxl_wire_ns(&line.bus.timing, bytes);
}

static ktime_t deadline_of(const struct dxl_reply *reply,
			   enum dxl_protocol protocol, ktime_t turn)
{
	return turn + wire_ns(dxl_packet_max_size(protocol, reply->len) +
			      UART_BYTES) +
	       (reply->return_delay_us + line.bus.timing.margin_us) *
	       NSEC_PER_USEC;
}

static void calm_down(ktime_t from)
{
	calm_at = from + MARGINS_TO_CALM_DOWN * line.bus.timing.margin_us *
			 NSEC_PER_USEC;
}

enum fate {
	FATE_LOST = 11,		/* below it: good */
	FATE_UNHEARD,
	FATE_TWICE,
	FATE_LATE,
	FATES = 16		/* what is left is late, too */
};

/* Plan the answer of a device whose turn is at @turn; when the next one's is. */
static ktime_t plan_answer(struct input *in, const struct dxl_reply *reply,
			   enum dxl_protocol protocol, ktime_t turn, bool last)
{
	u8 params[ANSWER_MAX], bytes[64], fate = input_u8(in);
	struct dxl_packet packet = {
		.protocol = protocol,
		.id = reply->id,
		.instruction = DXL_STATUS_RETURN,
		.len = reply->len,
		.params = params,
	};
	ktime_t at;
	int len;

	if (reply->len)
		make_params(reply->id, params, reply->len, line.packets);
	len = dxl_packet_encode(&packet, bytes, sizeof(bytes));
	CHECK(len > 0);
	at = turn + wire_ns(len) + reply->return_delay_us * NSEC_PER_USEC *
	     (fate >> 4) / 16;
	switch (turn < calm_at ? 0 : fate % FATES) {
	case FATE_UNHEARD:
		return KTIME_MAX;
	case FATE_LOST:
		/* Those behind it have heard it, and only they. */
		calm_down(at);
		return at;
	case FATE_TWICE:
		calm_down(at);
		plan_bytes(bytes, len, at, 0);
		/* At once from a buffer, or as the line brings it. */
		if (fate & 0x10)
			plan_bytes(bytes, len, at, 0);
		else
			plan_bytes(bytes, len, at + wire_ns(len), line.packets);
		return at + wire_ns(len);
	case FATE_LATE:
	case FATE_LATE + 1:
		if (!last)
			break;
		at = deadline_of(reply, protocol, turn) +
		     (line.bus.timing.margin_us * NSEC_PER_USEC - 1) *
		     (fate >> 4) / 15;
		calm_down(at);
		break;
	}
	plan_bytes(bytes, len, at, 0);

	return at;
}

/* The devices hear the last packet, if they have not yet. */
static void hear(struct input *in)
{
	const struct dxl_transfer *xfer = line.bus.queue->current_xfer;
	ktime_t turn = line.bus.queue->engine.turn;
	unsigned int i;

	if (seen == line.packets || !xfer)
		return;
	seen = line.packets;
	/* A fast answer is one packet: of it, that target has enough. */
	if (dxl_is_fast(&xfer->request))
		return;
	for (i = 0; i < xfer->num_replies && turn != KTIME_MAX; i++)
		turn = plan_answer(in, &xfer->replies[i],
				   xfer->request.protocol, turn,
				   i == xfer->num_replies - 1);
}

static struct answer *first_answer(void)
{
	struct answer *first = NULL;
	int i;

	for (i = 0; i < num_answers; i++) {
		if (!first || answers[i].at < first->at)
			first = &answers[i];
	}

	return first;
}

/* Whole, or in two pieces. */
static void arrive(struct input *in, struct answer *first)
{
	struct answer answer = *first;
	size_t at = input_u8(in);

	*first = answers[--num_answers];
	fuzz_now = max(fuzz_now, answer.at);
	if (answer.packet && answer.packet != line.packets)
		return;
	if (at < answer.len) {
		line_receive(answer.bytes, at);
		line_receive(answer.bytes + at, answer.len - at);
	} else {
		line_receive(answer.bytes, answer.len);
	}
}

/* Let the next thing happen, on the line or in the queue. */
static bool step(struct input *in)
{
	struct answer *first;

	hear(in);
	first = first_answer();
	if (first && first->at <= fuzz_next()) {
		arrive(in, first);
		return true;
	}

	return fuzz_step();
}

/* Some time, in which nothing happens that is planned. */
static void idle(struct input *in)
{
	ktime_t until = fuzz_now + input_u8(in) * 10 * NSEC_PER_USEC;
	struct answer *first;

	hear(in);
	first = first_answer();
	until = min(until, fuzz_next());
	if (first)
		until = min(until, first->at);
	fuzz_now = max(fuzz_now, until);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	int steps;

	line_begin(input_u8(&in));
	line.check = check_own;
	num_answers = 0;
	calm_at = 0;
	seen = 0;
	while (in.len) {
		switch (input_u8(&in) % 8) {
		case 0:
		case 1:
			line_submit(&in);
			break;
		case 2:
			line_submit_chain(&in);
			break;
		case 3:
			line_submit_group(&in);
			break;
		case 4:
			idle(&in);
			break;
		default:
			step(&in);
			break;
		}
	}
	for (steps = 0; steps < 200 && first_answer(); steps++)
		step(&in);
	line_end();

	return 0;
}
