// SPDX-License-Identifier: LGPL-2.1-or-later
#include "lola_bytes.h"

#include "support.h"

void put_bytes(struct bytes *bytes, const void *more, size_t count)
{
	assert_true(bytes->count + count <= sizeof(bytes->at));
	memcpy(bytes->at + bytes->count, more, count);
	bytes->count += count;
}

/* A byte that says what follows, and a number, the highest byte first */
static void put_number(struct bytes *bytes, uint8_t kind, uint64_t number, unsigned int size)
{
	uint8_t more[9] = { kind };

	for (unsigned int i = 0; i < size; i++)
		more[1 + i] = (uint8_t)(number >> 8 * (size - 1 - i));
	put_bytes(bytes, more, 1 + size);
}

void put_map(struct bytes *bytes, unsigned int count)
{
	assert_in_range(count, 0, 15);
	put_number(bytes, (uint8_t)(0x80 | count), 0, 0);
}

void put_array(struct bytes *bytes, unsigned int count)
{
	if (count < 16)
		put_number(bytes, (uint8_t)(0x90 | count), 0, 0);
	else
		put_number(bytes, 0xdc, count, 2);
}

void put_text(struct bytes *bytes, const char *text)
{
	assert_in_range(strlen(text), 0, 31);
	put_number(bytes, (uint8_t)(0xa0 | strlen(text)), 0, 0);
	put_bytes(bytes, text, strlen(text));
}

void put_float(struct bytes *bytes, float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	put_number(bytes, 0xca, bits, 4);
}

void put_double(struct bytes *bytes, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	put_number(bytes, 0xcb, bits, 8);
}

void put_flag(struct bytes *bytes, bool flag)
{
	put_number(bytes, flag ? 0xc3 : 0xc2, 0, 0);
}

void put_field(struct bytes *bytes, const char *name, unsigned int count, float value)
{
	put_text(bytes, name);
	put_array(bytes, count);
	for (unsigned int i = 0; i < count; i++)
		put_float(bytes, value);
}

/* ---- that were sent ---- */

static const uint8_t *pass(const uint8_t *at)
{
	if (*at <= 0x7f)
		return at + 1;
	if (*at == 0xca)
		return at + 5;
	assert_in_range(*at, 0xa0, 0xbf);
	return at + 1 + (*at & 0x1f);
}

static const uint8_t *read_array(const uint8_t *at, unsigned int *count)
{
	if (*at == 0xdc) {
		*count = (unsigned int)at[1] << 8 | at[2];
		return at + 3;
	}
	assert_in_range(*at, 0x90, 0x9f);
	*count = *at & 0x0f;
	return at + 1;
}

const uint8_t *field_of(const uint8_t *packet, size_t size, const char *name, unsigned int *count)
{
	const uint8_t *at = packet + 1, *found = NULL;

	assert_in_range(*packet, 0x80, 0x8f);
	for (unsigned int left = *packet & 0x0f; left; left--) {
		const uint8_t *text = at + 1;
		size_t length = *at & 0x1f;
		unsigned int values;

		at = read_array(pass(at), &values);
		if (length == strlen(name) && memcmp(text, name, length) == 0) {
			found = at;
			*count = values;
		}
		while (values--)
			at = pass(at);
	}
	assert_int_equal(at - packet, size);
	if (!found)
		fail_msg("no field %s", name);
	return found;
}

float float_of(const uint8_t *packet, size_t size, const char *name, unsigned int index)
{
	unsigned int count;
	const uint8_t *at = field_of(packet, size, name, &count) + 5 * index;
	uint32_t bits = (uint32_t)at[1] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 8 |
			at[4];
	float number;

	assert_true(index < count);
	assert_int_equal(*at, 0xca);
	memcpy(&number, &bits, sizeof(number));
	return number;
}
