// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "frame.h"

/* The checksum of Protocol 1.0 */
u8 sum_of(const u8 *bytes, size_t len)
{
	unsigned int sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += bytes[i];

	return 255 - sum % 256;
}

size_t frame(u8 *bytes, u8 id, u8 instruction, const u8 *params, size_t len)
{
	bytes[0] = 255;
	bytes[1] = 255;
	bytes[2] = id;
	bytes[3] = len + 2;
	bytes[4] = instruction;
	if (len)
		memcpy(bytes + 5, params, len);
	bytes[5 + len] = sum_of(bytes + 2, len + 3);

	return len + 6;
}

/* Bit by bit, as the manual describes the polynomial 0x8005. */
u16 crc_of(const u8 *bytes, size_t len)
{
	unsigned int crc = 0, bit;
	size_t i;

	for (i = 0; i < len; i++) {
		crc ^= bytes[i] << 8;
		for (bit = 0; bit < 8; bit++)
			crc = crc & 0x8000 ? (crc << 1 ^ 0x8005) & 0xffff :
					     crc << 1;
	}

	return crc;
}

/* An instruction or answer from its code on: take out what was stuffed in. */
size_t unstuff(u8 *bytes, size_t len)
{
	size_t from = 3, to = 3;

	if (len <= 3)
		return len;
	while (from < len) {
		if (bytes[from] == 0xfd && to >= 3 && bytes[to - 1] == 0xfd &&
		    bytes[to - 2] == 0xff && bytes[to - 3] == 0xff) {
			from++;
			/* What follows is no longer part of that pattern. */
			bytes[to++] = bytes[from++];
			continue;
		}
		bytes[to++] = bytes[from++];
	}

	return to;
}

static size_t put_stuffed(u8 *bytes, size_t at, u8 byte)
{
	bytes[at++] = byte;
	if (at >= 10 && bytes[at - 3] == 255 && bytes[at - 2] == 255 &&
	    byte == 253)
		bytes[at++] = 253;

	return at;
}

size_t frame2(u8 *bytes, u8 id, u8 instruction, const u8 *params, size_t len)
{
	static const u8 header[] = { 255, 255, 253, 0 };
	size_t at = 7, i;
	u16 crc;

	memcpy(bytes, header, sizeof(header));
	bytes[4] = id;
	/* Not to be taken for part of a header in the parameters. */
	bytes[5] = 0;
	bytes[6] = 0;
	at = put_stuffed(bytes, at, instruction);
	for (i = 0; i < len; i++)
		at = put_stuffed(bytes, at, params[i]);
	bytes[5] = (at + 2 - 7) & 255;
	bytes[6] = (at + 2 - 7) >> 8;
	crc = crc_of(bytes, at);
	bytes[at++] = crc & 255;
	bytes[at++] = crc >> 8;

	return at;
}
