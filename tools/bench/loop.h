/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dxlloop: the exchange of a robot's control loop over ttys, in user space.
 */
#ifndef DXLLOOP_H
#define DXLLOOP_H

#include <stdbool.h>
#include <termios.h>

#include <linux/types.h>

#include <linux/dxl/packet.h>

#include "cycle-pace.h"

#define LINES_MAX	8
#define DEVICES_MAX	DXL_ID_MAX

/* Both directions of the longest exchange there is. */
#define PACKETS_SIZE	4096

enum kind {
	KIND_SINGLE,
	KIND_SYNC,
	KIND_FAST,
};

/**
 * struct plan - what each exchange consists of
 * @kind: how devices are read
 * @protocol: protocol of all packets
 * @baud: bits a second
 * @keep_rate: the tty is not to be told
 * @meets: waits for others before the first exchange and behind the last
 * @turnaround_us: how long a device may rest before it answers
 * @margin_us: how much later an answer may come
 * @read_addr: what is read
 * @read_len: number of bytes of it
 * @write_addr: what is written by a SYNC_WRITE at the beginning
 * @write_len: number of bytes of it, 0 for none
 * @count: number of exchanges
 * @period_us: one of them begins so often; 0: each when the last has ended
 */
struct plan {
	enum kind kind;
	enum dxl_protocol protocol;
	unsigned int baud;
	bool keep_rate;
	bool meets;
	unsigned int turnaround_us;
	unsigned int margin_us;
	u16 read_addr;
	u16 read_len;
	u16 write_addr;
	u16 write_len;
	unsigned long count;
	unsigned int period_us;
};

/**
 * struct line - a tty, and how far its exchange has got
 * @plan: what to do
 * @path: the tty
 * @fd: the tty, open
 * @termios: how it is set
 * @ids: devices on it
 * @num_ids: their number
 * @next: the device, or first of the devices, that is being asked
 * @asked: number of devices behind @next that are asked at once
 * @decoder: assembles answers
 * @buf: its memory
 * @fast: the answer to a fast sync read
 * @deadline: when @next is given up, in ns
 * @done: exchanges
 * @answers: good answers
 * @missing: answers that did not come
 * @missed_before: @missing when the exchange began
 * @careful: one was missing in the last exchange
 * @pace: when exchanges begin
 * @resting: until the next one does
 */
struct line {
	const struct plan *plan;
	const char *path;
	int fd;
	struct termios termios;
	u8 ids[DEVICES_MAX];
	unsigned int num_ids;
	unsigned int next;
	unsigned int asked;
	struct dxl_decoder decoder;
	u8 buf[PACKETS_SIZE];
	struct dxl_fast fast;
	u64 deadline;
	unsigned long done;
	unsigned long answers;
	unsigned long missing;
	unsigned long missed_before;
	bool careful;
	struct pace pace;
	bool resting;
};

u64 now_ns(void);

int line_open(struct line *line);
int line_start(struct line *line);
int line_readable(struct line *line);
int line_expired(struct line *line);
bool line_finished(const struct line *line);

#endif
