/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzz targets share: how they read their input, and how they fail.
 */
#ifndef NAOHW_FUZZ_H
#define NAOHW_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

/* An invariant: libFuzzer keeps the input that breaks one. */
#define CHECK(condition)						\
	do {								\
		if (!(condition)) {					\
			fprintf(stderr, "%s:%d: broken: %s\n",		\
				__FILE__, __LINE__, #condition);	\
			abort();					\
		}							\
	} while (0)

/* The input, read from its beginning; behind its end there are zeros. */
struct input {
	const u8 *data;
	size_t len;
};

static inline u8 input_u8(struct input *in)
{
	if (!in->len)
		return 0;
	in->len--;

	return *in->data++;
}

static inline u16 input_u16(struct input *in)
{
	u16 low = input_u8(in);

	return low | input_u8(in) << 8;
}

/* Up to @max bytes; their number is @max or what is left. */
static inline size_t input_bytes(struct input *in, const u8 **bytes, size_t max)
{
	size_t len = max < in->len ? max : in->len;

	*bytes = in->data;
	in->data += len;
	in->len -= len;

	return len;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#endif
