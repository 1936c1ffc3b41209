// SPDX-License-Identifier: GPL-2.0-or-later
/* The packet codec that drivers/bus and dxlsim share. */
#include "cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../kunit/packet_vectors.h"
#include "../base/base.h"

#define BUF_SIZE	1024

struct stream {
	struct dxl_decoder dec;
	u8 buf[BUF_SIZE];
};

static void stream_init(struct stream *s, enum dxl_direction direction)
{
	dxl_decoder_init(&s->dec, direction, s->buf, sizeof(s->buf));
}

static bool same(const struct dxl_packet *a, const struct dxl_packet *b)
{
	return a->protocol == b->protocol && a->id == b->id &&
	       a->instruction == b->instruction && a->error == b->error &&
	       a->len == b->len &&
	       (!a->len || !memcmp(a->params, b->params, a->len));
}

static void assert_same(const struct dxl_packet *a, const struct dxl_packet *b)
{
	assert_true(same(a, b));
}

static void feed_all(struct stream *s, const u8 *bytes, size_t len)
{
	assert_int_equal(dxl_decoder_feed(&s->dec, bytes, len), len);
}

/* The next packet past any damage; false if there is none. */
static bool next_good(struct stream *s, struct dxl_packet *packet)
{
	int ret;

	do
		ret = dxl_decoder_next(&s->dec, packet);
	while (ret && ret != -EAGAIN);

	return !ret;
}

static void vectors_decode(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];
		struct dxl_packet packet;
		struct stream s;

		stream_init(&s, v->direction);
		feed_all(&s, v->bytes, v->size);
		assert_int_equal(dxl_decoder_next(&s.dec, &packet), 0);
		assert_same(&packet, &v->packet);
		assert_int_equal(dxl_decoder_next(&s.dec, &packet), -EAGAIN);
		assert_int_equal(s.dec.skipped, 0);
	}
}

static void vectors_encode(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];
		u8 bytes[64];

		assert_int_equal(dxl_packet_encode(&v->packet, bytes, sizeof(bytes)),
				 v->size);
		assert_memory_equal(bytes, v->bytes, v->size);
	}
}

static void split_at_every_byte(void **state)
{
	size_t i, cut;

	(void)state;
	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];

		for (cut = 1; cut < v->size; cut++) {
			struct dxl_packet packet;
			struct stream s;

			stream_init(&s, v->direction);
			feed_all(&s, v->bytes, cut);
			assert_int_equal(dxl_decoder_next(&s.dec, &packet),
					 -EAGAIN);
			feed_all(&s, v->bytes + cut, v->size - cut);
			assert_int_equal(dxl_decoder_next(&s.dec, &packet), 0);
			assert_same(&packet, &v->packet);
		}
	}
}

/* All vectors of a direction in one stream: both protocols, no gap between. */
static size_t merge(enum dxl_direction direction, u8 *bytes)
{
	size_t i, len = 0;

	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];

		if (v->direction != direction)
			continue;
		memcpy(bytes + len, v->bytes, v->size);
		len += v->size;
	}

	return len;
}

static void assert_all_vectors(struct stream *s, const u8 *bytes, size_t len,
			       size_t chunk)
{
	struct dxl_packet packet;
	size_t i, fed = 0;

	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		if (packet_vectors[i].direction != s->dec.direction)
			continue;
		while (dxl_decoder_next(&s->dec, &packet)) {
			size_t n = len - fed < chunk ? len - fed : chunk;

			assert_true(n > 0);
			feed_all(s, bytes + fed, n);
			fed += n;
		}
		assert_same(&packet, &packet_vectors[i].packet);
	}
	assert_int_equal(s->dec.skipped, 0);
}

static void merged(void **state)
{
	enum dxl_direction direction;
	size_t chunk;
	u8 bytes[BUF_SIZE];

	(void)state;
	for (direction = DXL_INSTRUCTION; direction <= DXL_STATUS; direction++) {
		size_t len = merge(direction, bytes);

		for (chunk = 1; chunk <= len; chunk++) {
			struct stream s;

			stream_init(&s, direction);
			assert_all_vectors(&s, bytes, len, chunk);
		}
	}
}

/* No damaged packet is taken for a good one, and the next one is found. */
static void every_bit_flip_is_noticed(void **state)
{
	static const u8 flush[600];
	size_t i, bit;

	(void)state;
	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];

		for (bit = 0; bit < v->size * 8u; bit++) {
			struct dxl_packet packet;
			struct stream s;
			u8 bytes[PACKET_VECTOR_MAX];

			memcpy(bytes, v->bytes, v->size);
			bytes[bit / 8] ^= 1 << bit % 8;
			stream_init(&s, v->direction);
			feed_all(&s, bytes, v->size);
			/* A wrong length may ask for more than came. */
			feed_all(&s, flush, sizeof(flush));
			feed_all(&s, v->bytes, v->size);

			assert_true(next_good(&s, &packet));
			assert_same(&packet, &v->packet);
			assert_false(next_good(&s, &packet));
		}
	}
}

static void truncated_costs_only_itself(void **state)
{
	size_t i, cut;

	(void)state;
	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];

		for (cut = 1; cut < v->size; cut++) {
			struct dxl_packet packet;
			struct stream s;
			/* The next header may look like a length of 255. */
			int sent = DXL1_PACKET_MAX / v->size + 1;
			int good = 0, n;

			stream_init(&s, v->direction);
			feed_all(&s, v->bytes, cut);
			for (n = 0; n < sent; n++)
				feed_all(&s, v->bytes, v->size);
			while (next_good(&s, &packet)) {
				assert_same(&packet, &v->packet);
				good++;
			}
			assert_int_equal(good, sent);
		}
	}
}

static void garbage_around_packets(void **state)
{
	uint64_t seed = 1;
	int round;

	(void)state;
	for (round = 0; round < 2000; round++) {
		const struct packet_vector *v =
			&packet_vectors[random_below(&seed, PACKET_VECTOR_COUNT)];
		u8 garbage[64];
		struct dxl_packet packet;
		struct stream s;
		size_t len = random_below(&seed, sizeof(garbage)), i;

		/* Without headers, so that it cannot hold a packet by chance. */
		for (i = 0; i < len; i++)
			garbage[i] = random_below(&seed, 255);
		stream_init(&s, v->direction);
		feed_all(&s, garbage, len);
		feed_all(&s, v->bytes, v->size);
		feed_all(&s, garbage, len);
		feed_all(&s, v->bytes, v->size);

		assert_true(next_good(&s, &packet));
		assert_same(&packet, &v->packet);
		assert_true(next_good(&s, &packet));
		assert_same(&packet, &v->packet);
		assert_int_equal(s.dec.skipped, 2 * len);
	}
}

static void garbage_inside_costs_only_that_packet(void **state)
{
	static const u8 flush[DXL1_PACKET_MAX];
	const struct packet_vector *v = &packet_vectors[0];
	struct dxl_packet packet;
	size_t at;

	(void)state;
	for (at = 1; at < v->size; at++) {
		struct stream s;

		stream_init(&s, v->direction);
		feed_all(&s, v->bytes, at);
		feed_all(&s, (const u8 *)"\x33\x77", 2);
		feed_all(&s, v->bytes + at, v->size - at);
		feed_all(&s, v->bytes, v->size);
		feed_all(&s, flush, sizeof(flush));
		assert_true(next_good(&s, &packet));
		assert_same(&packet, &v->packet);
		assert_false(next_good(&s, &packet));
		assert_int_equal(s.dec.head, s.dec.tail);
	}
}

static void header_after_more_header_bytes(void **state)
{
	static const u8 ff[5] = { 0xff, 0xff, 0xff, 0xff, 0xff };
	size_t i, n;

	(void)state;
	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];

		for (n = 0; n <= sizeof(ff); n++) {
			struct dxl_packet packet;
			struct stream s;

			stream_init(&s, v->direction);
			feed_all(&s, ff, n);
			feed_all(&s, v->bytes, v->size);
			assert_int_equal(dxl_decoder_next(&s.dec, &packet), 0);
			assert_same(&packet, &v->packet);
			assert_int_equal(s.dec.skipped, n);
		}
	}
}

static int decode_once(enum dxl_direction direction, const u8 *bytes, size_t len,
		       size_t size)
{
	struct dxl_packet packet;
	struct stream s;

	stream_init(&s, direction);
	dxl_decoder_limit(&s.dec, size);
	dxl_decoder_feed(&s.dec, bytes, len);

	return dxl_decoder_next(&s.dec, &packet);
}

static void hostile_lengths(void **state)
{
	static const u8 zero[] = { 0xff, 0xff, 1, 0, 0 };
	static const u8 one[] = { 0xff, 0xff, 1, 1, 0 };
	static const u8 huge1[] = { 0xff, 0xff, 1, 255, 0 };
	static const u8 zero2[] = { 0xff, 0xff, 0xfd, 0, 1, 0, 0, 1, 1 };
	static const u8 two2[] = { 0xff, 0xff, 0xfd, 0, 1, 2, 0, 1, 1 };
	static const u8 three2[] = { 0xff, 0xff, 0xfd, 0, 1, 3, 0, 0x55, 1 };
	static const u8 huge2[] = { 0xff, 0xff, 0xfd, 0, 1, 255, 255, 1, 1 };
	static const u8 id255[] = { 0xff, 0xff, 0xfd, 0, 255, 3, 0, 1, 1 };

	(void)state;
	assert_int_equal(decode_once(DXL_STATUS, zero, 5, BUF_SIZE), -EPROTO);
	assert_int_equal(decode_once(DXL_STATUS, one, 5, BUF_SIZE), -EPROTO);
	assert_int_equal(decode_once(DXL_STATUS, huge1, 5, BUF_SIZE), -EAGAIN);
	assert_int_equal(decode_once(DXL_STATUS, huge1, 5, 258), -EMSGSIZE);
	assert_int_equal(decode_once(DXL_STATUS, huge1, 5, 259), -EAGAIN);
	assert_int_equal(decode_once(DXL_STATUS, zero2, 9, BUF_SIZE), -EPROTO);
	assert_int_equal(decode_once(DXL_STATUS, two2, 9, BUF_SIZE), -EPROTO);
	assert_int_equal(decode_once(DXL_STATUS, three2, 9, BUF_SIZE), -EPROTO);
	assert_int_equal(decode_once(DXL_INSTRUCTION, three2, 9, BUF_SIZE),
			 -EAGAIN);
	assert_int_equal(decode_once(DXL_STATUS, huge2, 9, BUF_SIZE), -EMSGSIZE);
	assert_int_equal(decode_once(DXL_STATUS, id255, 9, BUF_SIZE), -EPROTO);
}

static u8 sum(const u8 *bytes, size_t len)
{
	u8 sum = 0;

	while (len--)
		sum += *bytes++;

	return sum;
}

/*
 * One packet with a wrong length and 50 good ones behind it. A checksum of
 * eight bits may fit by chance; then what it covers is lost, and no more.
 */
static void resync_after_wrong_length(void **state)
{
	const struct packet_vector *v = &packet_vectors[0];
	int length, by_chance = 0;

	(void)state;
	for (length = 0; length < 256; length++) {
		int taken = 0, expected = 50, good = 0, n;
		u8 bytes[51 * 6];
		struct dxl_packet packet;
		struct stream s;

		if (length == v->bytes[3])
			continue;
		for (n = 0; n < 51; n++)
			memcpy(bytes + n * 6, v->bytes, 6);
		bytes[3] = length;
		if (length > 2 && sum(bytes + 2, length + 2) == 0xff) {
			taken = 1;
			expected -= (length - 2 + 5) / 6;
			by_chance++;
		}

		stream_init(&s, v->direction);
		feed_all(&s, bytes, sizeof(bytes));
		while (next_good(&s, &packet)) {
			if (taken && !good && packet.len == length - 2)
				continue;
			assert_same(&packet, &v->packet);
			good++;
		}
		assert_int_equal(good, expected);
	}
	assert_in_range(by_chance, 0, 5);
}

/* --- byte stuffing --- */

static void assert_round_trip(const struct dxl_packet *packet,
			      enum dxl_direction direction)
{
	size_t max = dxl_packet_max_size(packet->protocol, packet->len);
	u8 *bytes = malloc(max), *buf = malloc(max);
	struct dxl_decoder dec;
	struct dxl_packet out;
	int size = dxl_packet_encode(packet, bytes, max);

	assert_in_range(size, 6, max);
	dxl_decoder_init(&dec, direction, buf, max);
	assert_int_equal(dxl_decoder_feed(&dec, bytes, size), size);
	assert_int_equal(dxl_decoder_next(&dec, &out), 0);
	assert_same(&out, packet);
	assert_int_equal(dxl_decoder_next(&dec, &out), -EAGAIN);
	assert_int_equal(dec.head, dec.tail);

	assert_int_equal(dxl_packet_encode(packet, bytes, size), size);
	assert_int_equal(dxl_packet_encode(packet, bytes, size - 1), -EMSGSIZE);
	free(bytes);
	free(buf);
}

static void stuffing_at_every_position(void **state)
{
	u8 params[40];
	size_t at, len;

	(void)state;
	for (len = 3; len <= sizeof(params); len++) {
		for (at = 0; at + 3 <= len; at++) {
			struct dxl_packet packet = {
				.protocol = DXL_PROTOCOL_2, .id = 1,
				.instruction = DXL_WRITE, .len = len,
				.params = params,
			};
			u8 bytes[64];

			memset(params, 0x11, sizeof(params));
			memcpy(params + at, "\xff\xff\xfd", 3);
			assert_round_trip(&packet, DXL_INSTRUCTION);
			assert_int_equal(dxl_packet_encode(&packet, bytes, 64),
					 DXL2_OVERHEAD + len + 1);
			assert_memory_equal(bytes + 8 + at, "\xff\xff\xfd\xfd", 4);
		}
	}
}

static void stuffing_at_its_worst(void **state)
{
	u8 params[600];
	struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_2, .id = 1, .params = params,
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(params); i++)
		params[i] = i % 3 == 2 ? 0xfd : 0xff;
	for (packet.len = 0; packet.len <= sizeof(params); packet.len++) {
		packet.instruction = DXL_WRITE;
		packet.error = 0;
		assert_round_trip(&packet, DXL_INSTRUCTION);
		packet.instruction = DXL_STATUS_RETURN;
		packet.error = 0xff;
		assert_round_trip(&packet, DXL_STATUS);
	}
}

/* Headers that begin in the error byte, or in an instruction nobody has. */
static void stuffing_across_the_first_bytes(void **state)
{
	struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_2, .id = 1,
		.instruction = DXL_STATUS_RETURN, .error = 0xff,
		.len = 2, .params = (const u8 *)"\xff\xfd",
	};
	u8 bytes[32];

	(void)state;
	assert_round_trip(&packet, DXL_STATUS);
	assert_int_equal(dxl_packet_encode(&packet, bytes, sizeof(bytes)),
			 DXL2_OVERHEAD + 1 + 2 + 1);
	packet.instruction = 0xff;
	packet.error = 0;
	assert_round_trip(&packet, DXL_INSTRUCTION);
}

/* What looks like a header but for one byte is left alone. */
static void near_headers_are_not_stuffed(void **state)
{
	static const u8 params[] = { 0xff, 0xfd, 0xfd, 0xff, 0xff, 0xfe, 0xfd,
				     0xff, 0x00, 0xff, 0xfd };
	struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_2, .id = 1, .instruction = DXL_WRITE,
		.len = sizeof(params), .params = params,
	};
	u8 bytes[64];

	(void)state;
	assert_int_equal(dxl_packet_encode(&packet, bytes, sizeof(bytes)),
			 DXL2_OVERHEAD + sizeof(params));
	assert_round_trip(&packet, DXL_INSTRUCTION);
}

static void missing_stuffing_is_an_error(void **state)
{
	u8 bytes[] = { 0xff, 0xff, 0xfd, 0x00, 0x01, 0x07, 0x00, 0x03,
		       0xff, 0xff, 0xfd, 0x10, 0x00, 0x00 };
	u16 crc = dxl_crc16(0, bytes, sizeof(bytes) - 2);

	(void)state;
	bytes[12] = crc & 0xff;
	bytes[13] = crc >> 8;
	assert_int_equal(decode_once(DXL_INSTRUCTION, bytes, sizeof(bytes),
				     BUF_SIZE), -EPROTO);
}

/* --- bounds --- */

static void encode_refuses_the_impossible(void **state)
{
	u8 params[300] = { 0 }, bytes[400];
	struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_1, .id = 255, .instruction = DXL_PING,
		.params = params,
	};

	(void)state;
	assert_int_equal(dxl_packet_encode(&packet, bytes, 400), -EINVAL);
	packet.id = 1;
	packet.protocol = 3;
	assert_int_equal(dxl_packet_encode(&packet, bytes, 400), -EINVAL);
	packet.protocol = DXL_PROTOCOL_1;
	packet.len = 254;
	assert_int_equal(dxl_packet_encode(&packet, bytes, 400), -EMSGSIZE);
	packet.len = 253;
	assert_int_equal(dxl_packet_encode(&packet, bytes, 400),
			 DXL1_PACKET_MAX);
	assert_round_trip(&packet, DXL_INSTRUCTION);
}

static void longest_protocol2_packet(void **state)
{
	u8 *params = calloc(1, 65533);
	struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_2, .id = 1, .instruction = DXL_WRITE,
		.len = 65532, .params = params,
	};
	u8 *bytes = malloc(70000);

	(void)state;
	assert_int_equal(dxl_packet_encode(&packet, bytes, 70000), 65542);
	packet.len = 65533;
	assert_int_equal(dxl_packet_encode(&packet, bytes, 70000), -EMSGSIZE);
	free(params);
	free(bytes);
}

static void random_packet(uint64_t *seed, struct dxl_packet *packet, u8 *params,
			  enum dxl_direction direction)
{
	static const u8 alphabet[] = { 0xff, 0xff, 0xfd, 0x00, 0x55, 0x01 };
	size_t i;

	packet->protocol = 1 + random_below(seed, 2);
	packet->id = random_below(seed, 253);
	packet->len = random_below(seed, 120);
	packet->params = params;
	packet->error = 0;
	for (i = 0; i < packet->len; i++)
		params[i] = random_below(seed, 2) ?
			    alphabet[random_below(seed, sizeof(alphabet))] :
			    random_below(seed, 256);

	if (direction == DXL_STATUS) {
		packet->instruction = DXL_STATUS_RETURN;
		packet->error = random_below(seed, 256);
		return;
	}
	do
		packet->instruction = random_below(seed, 256);
	while (packet->instruction == DXL_STATUS_RETURN);
}

static void random_round_trips(void **state)
{
	uint64_t seed = 2;
	u8 params[128];
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		enum dxl_direction direction = i & 1;
		struct dxl_packet packet;

		random_packet(&seed, &packet, params, direction);
		assert_round_trip(&packet, direction);
	}
}

/* Noise that is rich in headers: bounded work, and always room for more. */
static void noise_never_blocks_the_decoder(void **state)
{
	static const u8 alphabet[] = { 0xff, 0xff, 0xfd, 0x00, 0x01, 0x02, 0x55 };
	enum dxl_direction direction;

	(void)state;
	for (direction = DXL_INSTRUCTION; direction <= DXL_STATUS; direction++) {
		uint64_t seed = 3;
		u8 buf[64];
		struct dxl_packet packet;
		struct dxl_decoder dec;
		long fed = 0, calls = 0;

		dxl_decoder_init(&dec, direction, buf, sizeof(buf));
		while (fed < 200000) {
			u8 byte = alphabet[random_below(&seed, sizeof(alphabet))];
			int ret;

			assert_int_equal(dxl_decoder_feed(&dec, &byte, 1), 1);
			fed++;
			do {
				ret = dxl_decoder_next(&dec, &packet);
				calls++;
			} while (ret != -EAGAIN);
			assert_in_range(dec.tail, dec.head, sizeof(buf));
		}
		assert_in_range(calls, fed, 3 * fed);
	}
}

static void reset_forgets(void **state)
{
	const struct packet_vector *v = &packet_vectors[0];
	struct dxl_packet packet;
	struct stream s;

	(void)state;
	stream_init(&s, v->direction);
	feed_all(&s, v->bytes, v->size - 1);
	dxl_decoder_reset(&s.dec);
	feed_all(&s, v->bytes + v->size - 1, 1);
	assert_int_equal(dxl_decoder_next(&s.dec, &packet), -EAGAIN);
	feed_all(&s, v->bytes, v->size);
	assert_int_equal(dxl_decoder_next(&s.dec, &packet), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_decode),
		cmocka_unit_test(vectors_encode),
		cmocka_unit_test(split_at_every_byte),
		cmocka_unit_test(merged),
		cmocka_unit_test(every_bit_flip_is_noticed),
		cmocka_unit_test(truncated_costs_only_itself),
		cmocka_unit_test(garbage_around_packets),
		cmocka_unit_test(garbage_inside_costs_only_that_packet),
		cmocka_unit_test(header_after_more_header_bytes),
		cmocka_unit_test(hostile_lengths),
		cmocka_unit_test(resync_after_wrong_length),
		cmocka_unit_test(stuffing_at_every_position),
		cmocka_unit_test(stuffing_at_its_worst),
		cmocka_unit_test(stuffing_across_the_first_bytes),
		cmocka_unit_test(near_headers_are_not_stuffed),
		cmocka_unit_test(missing_stuffing_is_an_error),
		cmocka_unit_test(encode_refuses_the_impossible),
		cmocka_unit_test(longest_protocol2_packet),
		cmocka_unit_test(random_round_trips),
		cmocka_unit_test(noise_never_blocks_the_decoder),
		cmocka_unit_test(reset_forgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
