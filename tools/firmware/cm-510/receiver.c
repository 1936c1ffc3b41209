// SPDX-License-Identifier: GPL-2.0-or-later
#include "receiver.h"

void receiver_reset(struct receiver *receiver)
{
	receiver->state = AT_HEADER;
}

static enum received take_body(struct receiver *receiver, uint8_t byte)
{
	receiver->body[receiver->count++] = byte;
	receiver->sum += byte;
	if (receiver->count < receiver->length)
		return RECEIVED_PART;
	receiver->state = AT_HEADER;

	/* What is summed up has its complement in it. */
	return receiver->sum == 0xff ? RECEIVED_PACKET : RECEIVED_DAMAGED;
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

enum received receiver_take(struct receiver *receiver, uint8_t byte)
{
	if (receiver->state == AT_BODY)
		return take_body(receiver, byte);
	take_head(receiver, byte);

	return RECEIVED_PART;
}
