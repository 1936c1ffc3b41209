// SPDX-License-Identifier: GPL-2.0
/*
 * A request that several devices of a fake line answer in turn
 */
#include <linux/jiffies.h>
#include <linux/string.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "fake_chain.h"

#define ADDRESS	132

static void chain_complete(struct dxl_transfer *xfer)
{
	struct fake_chain *chain = xfer->context;

	chain->completions++;
	if (chain->then)
		chain->then(chain);
	complete(&chain->done);
}

/* A chain and a line of its own, which ends before the chain's memory does. */
struct fake_chain *fake_chain_create(struct kunit *test)
{
	struct fake_chain *chain;

	chain = kunit_kzalloc(test, sizeof(*chain), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, chain);
	init_completion(&chain->done);
	chain->xfer.replies = chain->replies;
	chain->xfer.complete = chain_complete;
	chain->xfer.context = chain;
	chain->line = fake_line_create(test, 1000000, NULL);
	fake_line_add(test, chain->line);

	return chain;
}

/* Ask the devices 1 to @devices for two registers each. */
void fake_chain_submit(struct kunit *test, struct fake_chain *chain,
		       u8 instruction, unsigned int devices)
{
	struct dxl_transfer *xfer = &chain->xfer;
	unsigned int i, n;

	n = dxl_put_range(DXL_PROTOCOL_2, chain->params, ADDRESS,
			  FAKE_CHAIN_DATA);
	for (i = 0; i < devices; i++) {
		chain->params[n++] = i + 1;
		chain->replies[i] = (struct dxl_reply){
			.ddev = &chain->line->ddevs[i],
			.id = i + 1,
			.buf = chain->data[i],
			.len = FAKE_CHAIN_DATA,
		};
	}

	xfer->priority = DXL_PRIO_REQUEST;
	xfer->num_replies = devices;
	xfer->request = (struct dxl_packet){
		.protocol = DXL_PROTOCOL_2,
		.id = DXL_ID_BROADCAST,
		.instruction = instruction,
		.params = chain->params,
		.len = n,
	};
	reinit_completion(&chain->done);
	KUNIT_ASSERT_EQ(test, dxl_transfer_submit(chain->line->bus, xfer), 0);
}

/* As fake_request_result(); a chain may be used again. */
int fake_chain_result(struct fake_chain *chain)
{
	if (!wait_for_completion_timeout(&chain->done,
					 msecs_to_jiffies(FAKE_PATIENCE_MS)))
		return -EINPROGRESS;

	return chain->xfer.status;
}

/* What device @id says to it: its ID and @value. */
void fake_chain_answer(struct fake_chain *chain, u8 id, u8 value)
{
	const u8 params[FAKE_CHAIN_DATA] = { id, value };

	fake_line_status(chain->line, DXL_PROTOCOL_2, id, 0, params,
			 sizeof(params));
}

/* The same, but one bit of it has changed on the way. */
void fake_chain_damaged(struct fake_chain *chain, u8 id, u8 value)
{
	const u8 params[FAKE_CHAIN_DATA] = { id, value };
	const struct dxl_packet status = {
		.protocol = DXL_PROTOCOL_2,
		.id = id,
		.instruction = DXL_STATUS_RETURN,
		.params = params,
		.len = sizeof(params),
	};
	u8 wire[16];
	int len = dxl_packet_encode(&status, wire, sizeof(wire));

	wire[len - 3] ^= 0x10;
	dxl_bus_receive(chain->line->bus, wire, len);
}

/* Result of the device @id, and what it brought if it is 0. */
void fake_chain_expect(struct kunit *test, struct fake_chain *chain, u8 id,
		       int status, u8 value)
{
	const u8 params[FAKE_CHAIN_DATA] = { id, value };

	KUNIT_EXPECT_EQ_MSG(test, chain->replies[id - 1].status, status,
			    "device %u", id);
	if (!status)
		KUNIT_EXPECT_MEMEQ(test, chain->data[id - 1], params,
				   sizeof(params));
}

/* --- answers to fast group reads --- */

/* Its header, which the first device sends. */
void fake_fast_begin(struct fake_fast *fast, unsigned int devices)
{
	size_t len = 1 + devices * (FAKE_CHAIN_DATA + DXL_FAST_OVERHEAD);
	const u8 header[DXL_FAST_HEADER] = {
		0xff, 0xff, 0xfd, 0x00, DXL_ID_BROADCAST, len & 0xff, len >> 8,
		DXL_STATUS_RETURN,
	};

	memcpy(fast->bytes, header, sizeof(header));
	fast->len = sizeof(header);
}

/* A device's part, with the CRC of all that has gone over the line. */
void fake_fast_add(struct fake_fast *fast, u8 id, u8 error, u8 value)
{
	const u8 part[] = { error, id, id, value };
	u16 crc;

	memcpy(fast->bytes + fast->len, part, sizeof(part));
	fast->len += sizeof(part);
	crc = dxl_crc16(0, fast->bytes, fast->len);
	fast->bytes[fast->len++] = crc & 0xff;
	fast->bytes[fast->len++] = crc >> 8;
}

/* Put the bytes from @from to before @to on the line. */
void fake_fast_send(struct fake_line *line, const struct fake_fast *fast,
		    size_t from, size_t to)
{
	dxl_bus_receive(line->bus, fast->bytes + from, to - from);
}
