/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers that wait for the time at which they leave. */
#ifndef DXLSIM_QUEUE_H
#define DXLSIM_QUEUE_H

#include <linux/dxl/packet.h>

#include "simtime.h"

#define QUEUE_SLOTS	512

struct queue {
	struct {
		nsec_t due;
		u16 len;
		u8 bytes[DXL1_PACKET_MAX];
	} slot[QUEUE_SLOTS];
	unsigned int head;
	unsigned int count;
};

bool queue_put(struct queue *queue, nsec_t due, const u8 *bytes, size_t len);
nsec_t queue_due(const struct queue *queue);
size_t queue_take(struct queue *queue, nsec_t now, u8 *bytes);
void queue_clear(struct queue *queue);

#endif
