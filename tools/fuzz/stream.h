/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte stream that is decoded in several ways, which must not differ.
 */
#ifndef NAOHW_FUZZ_STREAM_H
#define NAOHW_FUZZ_STREAM_H

#include <linux/dxl/packet.h>

/* Below this a decoder could not hold the prefix of a packet. */
#define DECODER_MIN	16
#define DECODER_MAX	2048

/**
 * struct stream - bytes, and what is known of them
 * @direction: kind of packets in them
 * @size: size of the decoder's buffer
 * @limit: longest packet that the decoder is to accept
 * @bytes: the bytes
 * @len: their number
 * @expected: packets that must be found in them, in this order
 * @num_expected: their number
 * @exact: no others may be found, nor an error
 */
struct stream {
	enum dxl_direction direction;
	size_t size;
	size_t limit;
	const u8 *bytes;
	size_t len;
	const struct dxl_packet *expected;
	size_t num_expected;
	bool exact;
};

void stream_check(const struct stream *stream, u32 chunk_seed);
void packet_check_equal(const struct dxl_packet *a, const struct dxl_packet *b);

#endif
