/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bus on a line of the fuzzer's, transfers on it, and what is always true of
 * them.
 */
#ifndef NAOHW_FUZZ_LINE_H
#define NAOHW_FUZZ_LINE_H

#include <linux/dxl/transport.h>

#include "queue/state.h"
#include "shim.h"

#define DEVICES		5
#define REQUESTS	6
#define GROUPS		2
#define ANSWER_MAX	12
#define LOG_MAX		16384

/**
 * struct request - a transfer of the fuzzer's
 * @xfer: the transfer
 * @replies: the answers to it, each with a buffer of its own
 * @params: its parameters
 * @busy: it is the queue's
 * @again: how often it is submitted again from its completion
 * @log_from: where the log of what was received has been when it was sent
 * @packets_from: packets that had been written then
 */
struct request {
	struct dxl_transfer xfer;
	struct dxl_reply replies[DEVICES];
	u8 params[DXL_RANGE_MAX + 3 * DEVICES];
	bool busy;
	unsigned int again;
	size_t log_from;
	u64 packets_from;
};

/**
 * struct group - a group transfer of the fuzzer's
 * @group: the group
 * @items: its items, each with a buffer of its own
 * @num_items: their number
 * @write: it writes
 * @busy: it is the core's
 * @log_from: where the log of what was received has been when it began
 * @packets_from: packets that had been written then
 */
struct group {
	struct dxl_group *group;
	struct dxl_item items[DEVICES];
	unsigned int num_items;
	bool write;
	bool busy;
	size_t log_from;
	u64 packets_from;
};

/**
 * struct line - the bus and its line
 * @bus: the bus
 * @devices: devices on it
 * @requests: transfers
 * @groups: group transfers
 * @log: all that was received
 * @log_len: number of bytes of it
 * @sending: request whose packet is about to be written
 * @tx: the last packet written
 * @tx_len: its length
 * @packets: packets written
 * @tx_bytes: bytes written
 * @refuse: the line takes only so many bytes of the next packet, -1: all
 * @gone: the line has been disconnected
 * @accepted: transfers accepted, groups not counted
 * @completed: transfers completed
 * @check: tells whether data that came with an answer are its own
 */
struct line {
	struct dxl_bus bus;
	struct dxl_device devices[DEVICES];
	struct request requests[REQUESTS];
	struct group groups[GROUPS];
	u8 log[LOG_MAX];
	size_t log_len;
	struct request *sending;
	u8 tx[DXL_PACKET_MAX];
	size_t tx_len;
	u64 packets;
	u64 tx_bytes;
	int refuse;
	bool gone;
	unsigned int accepted;
	unsigned int completed;
	void (*check)(u8 id, const u8 *data, size_t len, u64 packets_from);
};

extern struct line line;

void line_begin(u8 setup);
void line_end(void);
void line_receive(const u8 *data, size_t len);

void line_submit(struct input *in);
void line_submit_chain(struct input *in);
void line_submit_group(struct input *in);

#endif
