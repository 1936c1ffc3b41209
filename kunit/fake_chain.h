/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A request that several devices of a fake line answer in turn.
 */
#ifndef _DXL_FAKE_CHAIN_H
#define _DXL_FAKE_CHAIN_H

#include <linux/completion.h>
#include <linux/types.h>

#include <linux/dxl/bus.h>

#include "fake_line.h"

/* How many bytes each device is asked for. */
#define FAKE_CHAIN_DATA		2

/* Longest answer to a fast group read: its header, then the devices' parts. */
#define FAKE_FAST_MAX		(DXL_FAST_HEADER + FAKE_DEVICES *	\
				 (FAKE_CHAIN_DATA + DXL_FAST_OVERHEAD))

/**
 * struct fake_chain - a group read of the first devices of a line
 * @line: the line
 * @xfer: the transfer
 * @replies: the answers
 * @data: what they brought
 * @params: parameters of the request
 * @done: completed with it
 * @completions: how often its complete() was called
 * @then: called from its complete(), if not NULL
 */
struct fake_chain {
	struct fake_line *line;
	struct dxl_transfer xfer;
	struct dxl_reply replies[FAKE_DEVICES];
	u8 data[FAKE_DEVICES][FAKE_CHAIN_DATA];
	u8 params[DXL_RANGE_MAX + FAKE_DEVICES];
	struct completion done;
	unsigned int completions;
	void (*then)(struct fake_chain *chain);
};

/**
 * struct fake_fast - the answer to a fast group read, as devices make it
 * @bytes: the answer so far
 * @len: its length
 */
struct fake_fast {
	u8 bytes[FAKE_FAST_MAX];
	size_t len;
};

struct fake_chain *fake_chain_create(struct kunit *test);
void fake_chain_submit(struct kunit *test, struct fake_chain *chain,
		       u8 instruction, unsigned int devices);
int fake_chain_result(struct fake_chain *chain);
void fake_chain_answer(struct fake_chain *chain, u8 id, u8 value);
void fake_chain_damaged(struct fake_chain *chain, u8 id, u8 value);
void fake_chain_expect(struct kunit *test, struct fake_chain *chain, u8 id,
		       int status, u8 value);

void fake_fast_begin(struct fake_fast *fast, unsigned int devices);
void fake_fast_add(struct fake_fast *fast, u8 id, u8 error, u8 value);
void fake_fast_send(struct fake_line *line, const struct fake_fast *fast,
		    size_t from, size_t to);

#endif /* _DXL_FAKE_CHAIN_H */
