// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decode a stream and hold the decoder to what it promises:
 *
 * - it goes on: every call takes bytes or says -EAGAIN, and then has room;
 * - no byte is lost from the account: packets, skipped and left make up all;
 * - a packet that it returns stood in the stream, byte for byte;
 * - the pieces that the stream comes in change nothing.
 */
#include <errno.h>

#include "fuzz.h"
#include "stream.h"

/* One way to decode a stream. */
struct pass {
	const struct stream *stream;
	struct dxl_decoder dec;
	size_t fed;
	size_t in_packets;
	size_t found;
	u64 fingerprint;
};

/* The pieces that a stream is fed in; a seed of 0 is one piece. */
struct chunks {
	u32 state;
	size_t max;
};

static size_t next_chunk(struct chunks *chunks, size_t left)
{
	size_t n;

	if (!chunks->state)
		return left;

	chunks->state ^= chunks->state << 13;
	chunks->state ^= chunks->state >> 17;
	chunks->state ^= chunks->state << 5;
	n = 1 + chunks->state % chunks->max;

	return n < left ? n : left;
}

static void mix(struct pass *pass, u64 value)
{
	pass->fingerprint = (pass->fingerprint ^ value) * 0x100000001b3ULL;
}

static void mix_packet(struct pass *pass, const struct dxl_packet *packet)
{
	size_t i;

	mix(pass, packet->protocol);
	mix(pass, packet->id);
	mix(pass, packet->instruction);
	mix(pass, packet->error);
	mix(pass, packet->len);
	for (i = 0; i < packet->len; i++)
		mix(pass, packet->params[i]);
}

static bool packets_equal(const struct dxl_packet *a, const struct dxl_packet *b)
{
	return a->protocol == b->protocol && a->id == b->id &&
	       a->instruction == b->instruction && a->error == b->error &&
	       a->len == b->len &&
	       (!a->len || !memcmp(a->params, b->params, a->len));
}

void packet_check_equal(const struct dxl_packet *a, const struct dxl_packet *b)
{
	CHECK(a->protocol == b->protocol);
	CHECK(a->id == b->id);
	CHECK(a->instruction == b->instruction);
	CHECK(a->error == b->error);
	CHECK(a->len == b->len);
	CHECK(packets_equal(a, b));
}

/*
 * In Protocol 1.0 an instruction 55 means a status packet to the encoder, as
 * the number is not given to any instruction there.
 */
static bool has_one_encoding(const struct stream *stream,
			     const struct dxl_packet *packet)
{
	return stream->direction == DXL_STATUS ||
	       packet->protocol == DXL_PROTOCOL_2 ||
	       packet->instruction != DXL_STATUS_RETURN;
}

/* The packet ends where the decoder has got to, and is what stands there. */
static void check_on_wire(const struct pass *pass,
			  const struct dxl_packet *packet, size_t size)
{
	size_t end = pass->fed - (pass->dec.tail - pass->dec.head);
	u8 encoded[DECODER_MAX];

	CHECK(size <= pass->stream->limit && size <= end);
	if (!has_one_encoding(pass->stream, packet) ||
	    packet->id > DXL_ID_BROADCAST)
		return;
	CHECK(dxl_packet_encode(packet, encoded, sizeof(encoded)) == (int)size);
	CHECK(!memcmp(encoded, pass->stream->bytes + end - size, size));
}

static void take_packet(struct pass *pass, const struct dxl_packet *packet,
			size_t size)
{
	const struct stream *stream = pass->stream;

	check_on_wire(pass, packet, size);
	pass->in_packets += size;

	if (pass->found < stream->num_expected &&
	    packets_equal(packet, &stream->expected[pass->found]))
		pass->found++;
	else
		CHECK(!stream->exact);
}

/* Take what the decoder has got. */
static void drain(struct pass *pass)
{
	struct dxl_decoder *dec = &pass->dec;
	struct dxl_packet packet;
	int ret;

	for (;;) {
		size_t head = dec->head, skipped = dec->skipped;

		ret = dxl_decoder_next(dec, &packet);
		CHECK(dec->head <= dec->tail && dec->tail <= dec->size);
		CHECK(dec->head >= head);
		if (ret == -EAGAIN)
			break;

		CHECK(dec->head > head);
		mix(pass, ret);
		if (!ret) {
			mix_packet(pass, &packet);
			take_packet(pass, &packet, dec->head - head -
				    (dec->skipped - skipped));
		} else {
			CHECK(ret == -EBADMSG || ret == -EMSGSIZE ||
			      ret == -EPROTO);
			CHECK(!pass->stream->exact);
		}
	}

	CHECK(dec->tail - dec->head < dec->size);
}

static void feed(struct pass *pass, struct chunks chunks)
{
	const struct stream *stream = pass->stream;

	drain(pass);
	while (pass->fed < stream->len) {
		size_t n = next_chunk(&chunks, stream->len - pass->fed);
		size_t taken = dxl_decoder_feed(&pass->dec,
						stream->bytes + pass->fed, n);

		CHECK(taken && taken <= n);
		pass->fed += taken;
		drain(pass);
	}
}

/* Decode the stream once; a fingerprint of all that came of it. */
static u64 decode(const struct stream *stream, struct chunks chunks)
{
	struct pass pass = {
		.stream = stream,
		.fingerprint = 0xcbf29ce484222325ULL,
	};
	/* On the heap, so that the sanitizer sees every byte beside it. */
	u8 *buf = malloc(stream->size);
	size_t left;

	CHECK(buf);
	dxl_decoder_init(&pass.dec, stream->direction, buf, stream->size);
	dxl_decoder_limit(&pass.dec, stream->limit);
	feed(&pass, chunks);

	CHECK(pass.found == stream->num_expected);
	left = dxl_decoder_reset(&pass.dec);
	CHECK(pass.in_packets + pass.dec.skipped + left == stream->len);
	CHECK(!dxl_decoder_reset(&pass.dec));
	mix(&pass, pass.dec.skipped);
	mix(&pass, left);
	free(buf);

	return pass.fingerprint;
}

/* All ways to decode @stream must give the same. */
void stream_check(const struct stream *stream, u32 chunk_seed)
{
	u64 whole = decode(stream, (struct chunks){ 0 });

	struct chunks chunks = {
		.state = chunk_seed | 1,
		.max = chunk_seed & 8 ? 1 : 24,
	};

	CHECK(decode(stream, chunks) == whole);
}
