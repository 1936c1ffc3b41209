// SPDX-License-Identifier: GPL-2.0
/*
 * How long things take on a Dynamixel bus
 */
#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/time64.h>

#include "receive.h"

/* Start bit, eight data bits, stop bit. */
#define BITS_PER_BYTE_ON_WIRE	10

/*
 * A UART keeps bytes that do not fill its FIFO until the line has been silent
 * for some time: a 16550 for four, a PL011 for a good three bytes.
 */
#define UART_RX_TIMEOUT_BYTES	5

/* Time that @bytes take on the line. */
u64 dxl_wire_ns(const struct dxl_timing *timing, size_t bytes)
{
	return div_u64((u64)bytes * BITS_PER_BYTE_ON_WIRE * NSEC_PER_SEC,
		       timing->baud);
}

/* What answers may come later than computed. */
u64 dxl_margin_ns(const struct dxl_timing *timing)
{
	return (u64)READ_ONCE(timing->margin_us) * NSEC_PER_USEC;
}

/* Whether one packet brings all answers. */
bool dxl_is_fast(const struct dxl_packet *request)
{
	return request->instruction == DXL_FAST_SYNC_READ ||
	       request->instruction == DXL_FAST_BULK_READ;
}

/* Bytes of an answer with @len parameters, but for such as may be stuffed. */
size_t dxl_answer_size(const struct dxl_packet *request, size_t len)
{
	if (dxl_is_fast(request))
		return len + DXL_FAST_OVERHEAD;
	if (request->protocol == DXL_PROTOCOL_1)
		return len + DXL1_OVERHEAD;

	return len + DXL2_OVERHEAD + 1;
}

/* Time that the packet of a request takes on the line, but for its stuffing. */
u64 dxl_request_ns(const struct dxl_timing *timing,
		   const struct dxl_packet *request)
{
	size_t overhead = request->protocol == DXL_PROTOCOL_1 ?
			  DXL1_OVERHEAD : DXL2_OVERHEAD;

	return dxl_wire_ns(timing, overhead + request->len);
}

/* How long until the answer @reply must have come, from its device's turn on. */
u64 dxl_answer_ns(const struct dxl_timing *timing,
		  const struct dxl_packet *request,
		  const struct dxl_reply *reply)
{
	size_t bytes = dxl_packet_max_size(request->protocol, reply->len);

	return dxl_wire_ns(timing, bytes + UART_RX_TIMEOUT_BYTES) +
	       (u64)reply->return_delay_us * NSEC_PER_USEC +
	       dxl_margin_ns(timing);
}

/* How long a second copy of an answer of @size bytes may still be coming. */
u64 dxl_repetition_ns(const struct dxl_timing *timing, size_t size)
{
	return dxl_wire_ns(timing, size + UART_RX_TIMEOUT_BYTES);
}
