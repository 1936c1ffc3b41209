// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line: asks its devices, takes their answers, and asks the next.
 *
 * What makes it fast: the tty wakes us only when as many bytes have come as are
 * needed (VMIN, which poll() minds too), a request is in the tty's buffer before
 * anything else is done with the answer, and the sync write goes out in one
 * piece with the first read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"

/* The most bytes that VMIN can ask for. */
#define VMIN_MAX	255

u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static const struct {
	unsigned int baud;
	speed_t speed;
} speeds[] = {
	{ 57600, B57600 }, { 115200, B115200 }, { 1000000, B1000000 },
	{ 2000000, B2000000 }, { 3000000, B3000000 }, { 4000000, B4000000 },
};

static int set_speed(struct termios *termios, unsigned int baud)
{
	size_t i;

	for (i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		if (speeds[i].baud == baud)
			return cfsetspeed(termios, speeds[i].speed);
	}
	errno = EINVAL;

	return -1;
}

bool line_finished(const struct line *line)
{
	return line->done == line->plan->count;
}

/* Bytes that are still to come from the devices that were asked. */
static size_t bytes_left(const struct line *line)
{
	const struct plan *plan = line->plan;
	size_t each = plan->read_len, first = 0;

	if (plan->kind == KIND_FAST) {
		each += DXL_FAST_OVERHEAD;
		first = line->fast.started ? 0 : DXL_FAST_HEADER;
	} else if (plan->protocol == DXL_PROTOCOL_2) {
		each += DXL2_OVERHEAD + 1;
	} else {
		each += DXL1_OVERHEAD;
	}

	return first + line->asked * each -
	       (line->decoder.tail - line->decoder.head);
}

static u64 wire_ns(const struct plan *plan, size_t bytes)
{
	return bytes * 10000000000ULL / plan->baud;
}

/*
 * Be woken when all answers are there or, where VMIN cannot count so far, in a
 * few equal steps; and when they are overdue. Where a device was missing in the
 * last exchange, that is found out sooner by asking for one answer at a time.
 */
static int await_answers(struct line *line, u64 from)
{
	const struct plan *plan = line->plan;
	size_t left = bytes_left(line), steps, answers;

	steps = line->careful ? line->asked : (left + VMIN_MAX - 1) / VMIN_MAX;
	while (left % steps)
		steps++;
	left /= steps;
	answers = (line->asked + steps - 1) / steps;
	line->deadline = from + wire_ns(plan, left) +
			 (answers * plan->turnaround_us + plan->margin_us) *
			 1000ULL;
	if (line->termios.c_cc[VMIN] == left)
		return 0;
	line->termios.c_cc[VMIN] = left;

	return tcsetattr(line->fd, TCSANOW, &line->termios);
}

int line_open(struct line *line)
{
	line->fd = open(line->path, O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (line->fd < 0 || tcgetattr(line->fd, &line->termios))
		return -1;
	cfmakeraw(&line->termios);
	line->termios.c_cflag |= CLOCAL | CREAD;
	line->termios.c_cc[VTIME] = 0;
	if (!line->plan->keep_rate &&
	    set_speed(&line->termios, line->plan->baud))
		return -1;
	if (tcsetattr(line->fd, TCSANOW, &line->termios) ||
	    tcflush(line->fd, TCIOFLUSH))
		return -1;
	dxl_decoder_init(&line->decoder, DXL_STATUS, line->buf,
			 sizeof(line->buf));

	return 0;
}

static int add_packet(const struct line *line, u8 id, u8 instruction,
		      const u8 *params, size_t len, u8 *buf, size_t used)
{
	struct dxl_packet packet = {
		.protocol = line->plan->protocol,
		.id = id,
		.instruction = instruction,
		.len = len,
		.params = params,
	};

	return dxl_packet_encode(&packet, buf + used, PACKETS_SIZE - used);
}

/* Positions that change, as those of a robot that moves. */
static int add_sync_write(const struct line *line, u8 *buf)
{
	const struct plan *plan = line->plan;
	u8 params[PACKETS_SIZE];
	size_t n = dxl_put_range(plan->protocol, params, plan->write_addr,
				 plan->write_len);
	unsigned int i;

	for (i = 0; i < line->num_ids; i++) {
		params[n++] = line->ids[i];
		memset(params + n, 0, plan->write_len);
		params[n] = line->done;
		n += plan->write_len;
	}

	return add_packet(line, DXL_ID_BROADCAST, DXL_SYNC_WRITE, params, n,
			  buf, 0);
}

static int add_read(struct line *line, u8 *buf, size_t used)
{
	const struct plan *plan = line->plan;
	u8 params[DXL_RANGE_MAX + DEVICES_MAX];
	size_t n = dxl_put_range(plan->protocol, params, plan->read_addr,
				 plan->read_len);

	if (plan->kind == KIND_SINGLE) {
		line->asked = 1;
		return add_packet(line, line->ids[line->next], DXL_READ, params,
				  n, buf, used);
	}

	line->asked = line->num_ids - line->next;
	memcpy(params + n, line->ids + line->next, line->asked);
	n += line->asked;
	line->fast = (struct dxl_fast){
		.size = line->asked * (DXL_FAST_OVERHEAD + plan->read_len),
	};

	return add_packet(line, DXL_ID_BROADCAST, plan->kind == KIND_FAST ?
			  DXL_FAST_SYNC_READ : DXL_SYNC_READ, params, n, buf,
			  used);
}

static int send_bytes(struct line *line, const u8 *buf, size_t len)
{
	ssize_t n = write(line->fd, buf, len);

	if (n == (ssize_t)len)
		return 0;
	if (n >= 0)
		errno = EIO;

	return -1;
}

/* Ask the device that is next, or it and all behind it. */
static int ask(struct line *line, bool with_write)
{
	u8 buf[PACKETS_SIZE];
	int used = 0, len;

	if (with_write && line->plan->write_len)
		used = add_sync_write(line, buf);
	len = used < 0 ? used : add_read(line, buf, used);
	if (len < 0) {
		errno = EMSGSIZE;
		return -1;
	}
	if (send_bytes(line, buf, used + len))
		return -1;
	dxl_decoder_reset(&line->decoder);

	return await_answers(line, now_ns() + wire_ns(line->plan, used + len));
}

static int start(struct line *line)
{
	line->resting = false;
	line->next = 0;
	line->careful = line->missing != line->missed_before;
	line->missed_before = line->missing;

	return ask(line, true);
}

int line_start(struct line *line)
{
	if (!line->plan->period_us)
		return start(line);

	line->resting = true;
	line->deadline = pace_next(&line->pace, now_ns(),
				   line->plan->period_us * 1000ULL);

	return 0;
}

/* Go on behind the devices that were asked, or have been given up. */
static int go_on(struct line *line)
{
	if (line->next < line->num_ids)
		return ask(line, false);
	line->done++;
	if (line_finished(line))
		return 0;

	return line_start(line);
}

static int next_answer(struct line *line, struct dxl_packet *packet)
{
	if (line->plan->kind == KIND_FAST)
		return dxl_decoder_next_slot(&line->decoder, &line->fast,
					     line->ids[line->next],
					     line->plan->read_len, packet);

	return dxl_decoder_next(&line->decoder, packet);
}

/* Count the answers that are there; those before one that is missing are lost. */
static void take_answers(struct line *line)
{
	struct dxl_packet packet;
	int ret;

	while (line->asked &&
	       (ret = next_answer(line, &packet)) != -EAGAIN) {
		if (ret || packet.id != line->ids[line->next] ||
		    packet.len != line->plan->read_len)
			continue;
		line->answers++;
		line->next++;
		line->asked--;
	}
}

static int take_bytes(struct line *line)
{
	u8 buf[PACKETS_SIZE];
	ssize_t n = read(line->fd, buf, sizeof(buf));

	if (n < 0)
		return errno == EAGAIN ? 0 : -1;
	dxl_decoder_feed(&line->decoder, buf, n);
	take_answers(line);

	return 0;
}

int line_readable(struct line *line)
{
	if (take_bytes(line))
		return -1;
	if (line->resting)
		return 0;

	return line->asked ? await_answers(line, now_ns()) : go_on(line);
}

/* poll() has kept back what is less than VMIN. */
int line_expired(struct line *line)
{
	unsigned int asked = line->asked;

	if (line->resting) {
		pace_begins(&line->pace, now_ns());
		return start(line);
	}
	if (take_bytes(line))
		return -1;
	if (line->asked && line->asked == asked) {
		line->missing++;
		line->next++;
		return go_on(line);
	}

	return line->asked ? await_answers(line, now_ns()) : go_on(line);
}
