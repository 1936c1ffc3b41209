/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets of Protocol 1.0 out of the bytes of a line */
#ifndef CM510_RECEIVER_H
#define CM510_RECEIVER_H

#include <stdint.h>

enum receiver_state {
	AT_HEADER,
	AT_SECOND,
	AT_ID,
	AT_LENGTH,
	AT_BODY,
};

struct receiver {
	uint8_t state;
	uint8_t id;
	uint8_t length;		/* of the body */
	uint8_t count;		/* what of it is there */
	uint8_t sum;
	uint8_t body[255];	/* instruction, parameters and checksum */
};

enum received {
	RECEIVED_PART,
	RECEIVED_PACKET,
	RECEIVED_DAMAGED,	/* its checksum is wrong */
};

/* Waits for a header, whatever has come before. */
void receiver_reset(struct receiver *receiver);

/*
 * Takes bytes up to the end of a packet, and returns how many. The packet is there until the
 * next byte is taken.
 */
uint8_t receiver_take(struct receiver *receiver, const uint8_t *bytes, uint8_t len,
		      enum received *received);

/* How many bytes it has of one that is not complete */
uint16_t receiver_partial(const struct receiver *receiver);

#endif
