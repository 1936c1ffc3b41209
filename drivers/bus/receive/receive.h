/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The receiving side of a bus: bytes and time go in, and what they mean comes out
 *
 * All here is pure: no locks, no memory but that of the object, no clock but what
 * it is told, nothing that userspace lacks. Tests and fuzzers of the host are built
 * from it. Who uses an engine keeps others from it meanwhile; in the kernel it is
 * guarded by the lock of the transfer queue.
 *
 * Times are of one clock that does not go back, in nanoseconds.
 */
#ifndef _DXL_RECEIVE_H
#define _DXL_RECEIVE_H

#include <linux/types.h>

#include <linux/dxl/packet.h>
#include <linux/dxl/reply.h>

/*
 * Longest packet that the core sends or takes. A sync write of four bytes to
 * each of the 254 possible devices fits with its byte stuffing.
 */
#define DXL_PACKET_MAX	2048

/* --- how long things take: timing.c --- */

/**
 * struct dxl_timing - what times on a line depend on
 * @baud: bits a second
 * @margin_us: what answers may come later than computed
 */
struct dxl_timing {
	u32 baud;
	u32 margin_us;
};

u64 dxl_wire_ns(const struct dxl_timing *timing, size_t bytes);
u64 dxl_margin_ns(const struct dxl_timing *timing);
bool dxl_is_fast(const struct dxl_packet *request);
size_t dxl_answer_size(const struct dxl_packet *request, size_t len);
u64 dxl_request_ns(const struct dxl_timing *timing,
		   const struct dxl_packet *request);
u64 dxl_answer_ns(const struct dxl_timing *timing,
		  const struct dxl_packet *request,
		  const struct dxl_reply *reply);
u64 dxl_repetition_ns(const struct dxl_timing *timing, size_t size);

/* --- our own packet, come back: echo.c --- */

/**
 * struct dxl_echo - what may come back of what was sent
 * @buf: the packet being sent, behind one before it whose echo is still to come
 * @at: where it begins
 * @len: where it ends
 * @echoed: how much of @buf has come back so far; @len when all has, or when what
 *	came is no echo
 * @known: that of the packet being sent has come back
 * @cut: it has been cut off, and its echo may end anywhere
 * @cut_before: so has the one before it
 * @unechoed: answers since the last echo
 */
struct dxl_echo {
	u8 buf[2 * DXL_PACKET_MAX];
	size_t at;
	size_t len;
	size_t echoed;
	bool known;
	bool cut;
	bool cut_before;
	unsigned int unechoed;
};

/* --- what arrives, held against a request: engine.c --- */

/**
 * enum dxl_event_type - what has been found out
 * @DXL_EVENT_ECHO: a packet of ours has come back
 * @DXL_EVENT_ANSWER: @reply has got its answer, or is known to be damaged
 * @DXL_EVENT_STRAY: a packet that answers nothing; from the device of @reply, if any
 * @DXL_EVENT_FOREIGN: one of a device that was not asked
 * @DXL_EVENT_DAMAGED: something was no packet, for the reason @fault
 * @DXL_EVENT_DONE: no more answers come to the request, each has its status
 */
enum dxl_event_type {
	DXL_EVENT_ECHO,
	DXL_EVENT_ANSWER,
	DXL_EVENT_STRAY,
	DXL_EVENT_FOREIGN,
	DXL_EVENT_DAMAGED,
	DXL_EVENT_DONE,
};

/**
 * struct dxl_event - something that has been found out
 * @type: what
 * @reply: the answer that it is about, or NULL
 * @id: ID in the packet
 * @size: bytes that a device has sent in its turn; else 0
 * @turnaround_ns: from the end of the request, or of the answer before, to the
 *	beginning of this one; of %DXL_EVENT_ANSWER
 * @fault: what is wrong: a negative errno; of %DXL_EVENT_DAMAGED
 */
struct dxl_event {
	enum dxl_event_type type;
	struct dxl_reply *reply;
	u8 id;
	size_t size;
	s64 turnaround_ns;
	int fault;
};

/**
 * struct dxl_bytes - bytes that are still to be looked at
 * @data: the bytes
 * @len: their number
 */
struct dxl_bytes {
	const u8 *data;
	size_t len;
};

/**
 * struct dxl_engine - what arrives on a line, held against the request on it
 * @timing: what times on the line depend on
 * @request: the request on the line, or NULL
 * @replies: the answers to it, in the order in which they come
 * @num_replies: their number
 * @echo: what comes back of it
 * @input: what has arrived
 * @replay: what has been taken for an echo, and is looked at once more before it
 * @now: when that was
 * @fed: the decoder holds what has not been looked at
 * @done: %DXL_EVENT_DONE is to be told
 * @decoder: assembles the answers
 * @fast: assembles the one answer to a fast group read
 * @buf: memory of @decoder
 * @started: when the first bit of @request goes onto the line
 * @line_free: when the last bit that was written has left it
 * @turn: when the device whose answer is next has been given the line
 * @deadline: when the next answer is missing, or @request is done
 * @fault: what an answer that does not come is reported as
 * @skipped: @decoder's count of dropped bytes when @request was sent
 * @skipped_before: the same at the last answer
 * @refused: bytes since then that were dropped otherwise
 * @claimed: those of them that a device of the request cannot have sent whose ID
 *	they had
 * @last_id: device that has answered last
 * @settled: when a repetition of its answer cannot come any more
 */
struct dxl_engine {
	const struct dxl_timing *timing;
	const struct dxl_packet *request;
	struct dxl_reply *replies;
	unsigned int num_replies;
	struct dxl_echo echo;
	struct dxl_bytes input;
	struct dxl_bytes replay;
	s64 now;
	bool fed;
	bool done;
	struct dxl_decoder decoder;
	struct dxl_fast fast;
	u8 buf[DXL_PACKET_MAX];
	s64 started;
	s64 line_free;
	s64 turn;
	s64 deadline;
	int fault;
	size_t skipped;
	size_t skipped_before;
	size_t refused;
	size_t claimed;
	u8 last_id;
	s64 settled;
};

void dxl_engine_init(struct dxl_engine *e, const struct dxl_timing *timing);

bool dxl_engine_accepts(const struct dxl_packet *request,
			const struct dxl_reply *replies,
			unsigned int num_replies);
u8 *dxl_engine_buffer(struct dxl_engine *e, s64 now);
size_t dxl_engine_start(struct dxl_engine *e, const struct dxl_packet *request,
			struct dxl_reply *replies, unsigned int num_replies,
			size_t len, s64 now);

void dxl_engine_feed(struct dxl_engine *e, const u8 *data, size_t len, s64 now);
bool dxl_engine_next(struct dxl_engine *e, struct dxl_event *event);
size_t dxl_engine_end_input(struct dxl_engine *e);
size_t dxl_engine_line_error(struct dxl_engine *e);

bool dxl_engine_expire(struct dxl_engine *e, s64 now);
void dxl_engine_give_up(struct dxl_engine *e);
void dxl_engine_stop(struct dxl_engine *e);
void dxl_engine_flushed(struct dxl_engine *e);

s64 dxl_engine_settled(const struct dxl_engine *e, u8 id);

#endif /* _DXL_RECEIVE_H */
