// SPDX-License-Identifier: GPL-2.0-or-later
/* Fuzz target: any bytes into the decoder. */
#include "fuzz.h"
#include "stream.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u8 setup = input_u8(&in);
	u16 limit = input_u16(&in);
	struct stream stream = {
		.direction = setup & 1 ? DXL_STATUS : DXL_INSTRUCTION,
		.size = setup & 2 ? DECODER_MAX : DECODER_MIN + (setup >> 2),
	};

	stream.limit = setup & 4 ? stream.size : limit % (stream.size + 1);
	stream.len = input_bytes(&in, &stream.bytes, in.len);
	stream_check(&stream, (u32)limit << 8 | setup);

	return 0;
}
