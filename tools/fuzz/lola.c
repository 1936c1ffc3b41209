// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: the input is what a client of LoLA sends, with a byte for each field that it may
 * have. In pieces it says the same as in one. What is refused has a message that a line may show, as
 * have values that are passed over; all others are within their bounds. No more is kept waiting than
 * a name.
 */
#include "fuzz.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "lola/packet.h"

#define BYTES_MAX (1 << 14)
/* The longest name that may be waited for */
#define LEFT_MAX  40
#define HIGHEST	  10

/* Of MessagePack's bytes the one that means nothing; here a field comes behind it. */
#define FIELD	  0xc1

/* ---- what is sent ---- */

struct bytes {
	u8 at[BYTES_MAX];
	size_t count;
};

static void put(struct bytes *bytes, u8 byte)
{
	if (bytes->count < BYTES_MAX)
		bytes->at[bytes->count++] = byte;
}

static void put_value(struct bytes *bytes, u8 form, u8 value)
{
	switch (form % 4) {
	case 0: /* a float of four bytes, mostly around 1 */
		put(bytes, 0xca);
		put(bytes, value & 0x80 ? 0xbf : 0x3f);
		put(bytes, value);
		put(bytes, form);
		put(bytes, 0);
		break;
	case 1:
		put(bytes, 0xc2 + (value & 1));
		break;
	case 2: /* any of eight bytes */
		put(bytes, 0xcb);
		for (int i = 0; i < 8; i++)
			put(bytes, value ^ (form >> i));
		break;
	case 3:
		put(bytes, value & 0x07);
		break;
	}
}

/* A field, mostly as it should be */
static void put_field(struct bytes *bytes, struct input *in)
{
	u8 which = input_u8(in), form = input_u8(in), value = input_u8(in);
	const struct lola_field *field = &lola_fields[which % LOLA_ACTUATORS];
	unsigned int count = field->count + (which >= 0xf0);

	put(bytes, 0xa0 | strlen(field->name));
	for (const char *letter = field->name; *letter; letter++)
		put(bytes, *letter);
	put(bytes, 0xdc);
	put(bytes, 0);
	put(bytes, count);
	while (count--)
		put_value(bytes, form, value + (form & 0x10 ? count : 0));
}

static void read_bytes(struct input *in, struct bytes *bytes)
{
	bytes->count = 0;
	while (in->len) {
		u8 byte = input_u8(in);

		if (byte == FIELD)
			put_field(bytes, in);
		else
			put(bytes, byte);
	}
}

/* ---- what becomes of it ---- */

/* What comes in pieces of this size, and what of it is not used yet */
struct feed {
	struct lola_decoder *decoder;
	const struct bytes *bytes;
	size_t piece;
	size_t used;
	size_t end;
};

static int feed_next(struct feed *feed, struct lola_actuators *actuators, struct naohw_error *err)
{
	for (;;) {
		size_t used;
		int ret = lola_decode(feed->decoder, feed->bytes->at + feed->used,
				      feed->end - feed->used, &used, actuators, err);

		CHECK(used <= feed->end - feed->used);
		feed->used += used;
		if (ret)
			return ret;
		CHECK(feed->end - feed->used <= LEFT_MAX);
		if (feed->end == feed->bytes->count)
			return 0;
		feed->end += feed->piece;
		if (feed->end > feed->bytes->count)
			feed->end = feed->bytes->count;
	}
}

static void check_message(const struct naohw_error *err)
{
	CHECK(*err->message);
	for (const char *at = err->message; *at; at++)
		CHECK(*at >= ' ' && *at < 0x7f);
}

static void check_value(const struct lola_actuators *packet, unsigned int field, double value)
{
	if (isnan(value))
		check_message(&packet->unusable);
	else
		CHECK(fabs(value) <= HIGHEST);
	CHECK(!lola_fields[field].is_flag || value == 0 || value == 1);
}

static void check_packet(const struct lola_actuators *one, const struct lola_actuators *other)
{
	CHECK(strcmp(one->unusable.message, other->unusable.message) == 0);
	for (unsigned int i = 0; i < LOLA_ACTUATORS; i++) {
		CHECK(one->is_given[i] == other->is_given[i]);
		for (unsigned int j = 0; one->is_given[i] && j < lola_fields[i].count; j++) {
			double value = one->value[i][j], same = other->value[i][j];

			CHECK(value == same || (isnan(value) && isnan(same)));
			check_value(one, i, value);
		}
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct lola_actuators one, other;
	static struct bytes bytes;
	struct input in = { data, size };
	struct feed whole = { .decoder = lola_decoder_new(), .bytes = &bytes, .piece = BYTES_MAX };
	struct feed pieces = { .decoder = lola_decoder_new(), .bytes = &bytes };
	struct naohw_error err, other_err;
	int ret;

	CHECK(whole.decoder && pieces.decoder);
	pieces.piece = 1 + input_u8(&in);
	read_bytes(&in, &bytes);
	do {
		ret = feed_next(&whole, &one, &err);
		CHECK(feed_next(&pieces, &other, &other_err) == ret);
		if (ret > 0) {
			CHECK(whole.used == pieces.used);
			check_packet(&one, &other);
		} else if (ret < 0) {
			CHECK(ret == -EBADMSG);
			check_message(&err);
			check_message(&other_err);
		}
	} while (ret > 0);
	lola_decoder_free(whole.decoder);
	lola_decoder_free(pieces.decoder);

	return 0;
}
