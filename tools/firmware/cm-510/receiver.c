// SPDX-License-Identifier: GPL-2.0-or-later
#include "receiver.h"

void receiver_reset(struct receiver *receiver)
{
	receiver->state = AT_HEADER;
}

/* In one go: on a full bus a byte has little more than the interrupt that takes it. */
static uint8_t take_body(struct receiver *receiver, const uint8_t *bytes, uint8_t len)
{
	uint8_t left = receiver->length - receiver->count, sum = receiver->sum, i;
	uint8_t *body = receiver->body + receiver->count;

	if (len > left)
		len = left;
	for (i = len; i; i--) {
		sum += *bytes;
		*body++ = *bytes++;
	}
	receiver->sum = sum;
	receiver->count += len;

	return len;
}

static void take_head(struct receiver *receiver, uint8_t byte)
{
	switch (receiver->state) {
	case AT_HEADER:
		if (byte == 0xff)
			receiver->state = AT_SECOND;
		break;
	case AT_SECOND:
		receiver->state = byte == 0xff ? AT_ID : AT_HEADER;
		break;
	case AT_ID:
		/* Nobody has the ID 0xff: it is one more of the header. */
		if (byte == 0xff)
			break;
		receiver->id = byte;
		receiver->state = AT_LENGTH;
		break;
	default:
		receiver->length = byte;
		receiver->count = 0;
		receiver->sum = receiver->id + byte;
		receiver->state = byte < 2 ? AT_HEADER : AT_BODY;
		break;
	}
}

static enum received end_of(struct receiver *receiver)
{
	if (receiver->state != AT_BODY || receiver->count < receiver->length)
		return RECEIVED_PART;
	receiver->state = AT_HEADER;

	/* What is summed up has its complement in it. */
	return receiver->sum == 0xff ? RECEIVED_PACKET : RECEIVED_DAMAGED;
}

uint8_t receiver_take(struct receiver *receiver, const uint8_t *bytes, uint8_t len,
		      enum received *received)
{
	uint8_t taken = 0;

	while (taken < len && receiver->state != AT_BODY)
		take_head(receiver, bytes[taken++]);
	taken += take_body(receiver, bytes + taken, len - taken);
	*received = end_of(receiver);

	return taken;
}

uint16_t receiver_partial(const struct receiver *receiver)
{
	return receiver->state == AT_BODY ? AT_BODY + receiver->count : receiver->state;
}
