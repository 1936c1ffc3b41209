/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events of the transfer queue: a transfer is submitted, sent and
 * completed; in between bytes are received, and answers fail.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM dxl

#if !defined(_DXL_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _DXL_TRACE_H

#include <linux/tracepoint.h>

#include "../base/base.h"

TRACE_EVENT(dxl_submit,
	TP_PROTO(const struct dxl_bus *bus, const struct dxl_transfer *xfer),
	TP_ARGS(bus, xfer),
	TP_STRUCT__entry(
		__field(int, bus)
		__field(u8, id)
		__field(u8, instruction)
		__field(u16, len)
	),
	TP_fast_assign(
		__entry->bus = bus->nr;
		__entry->id = xfer->request.id;
		__entry->instruction = xfer->request.instruction;
		__entry->len = xfer->request.len;
	),
	TP_printk("dxl%d id=%u instruction=0x%02x params=%u", __entry->bus,
		  __entry->id, __entry->instruction, __entry->len)
);

DECLARE_EVENT_CLASS(dxl_bytes,
	TP_PROTO(const struct dxl_bus *bus, const u8 *data, size_t len),
	TP_ARGS(bus, data, len),
	TP_STRUCT__entry(
		__field(int, bus)
		__field(size_t, len)
		__dynamic_array(u8, data, len)
	),
	TP_fast_assign(
		__entry->bus = bus->nr;
		__entry->len = len;
		memcpy(__get_dynamic_array(data), data, len);
	),
	TP_printk("dxl%d len=%zu %s", __entry->bus, __entry->len,
		  __print_hex_str(__get_dynamic_array(data), __entry->len))
);

DEFINE_EVENT(dxl_bytes, dxl_tx,
	TP_PROTO(const struct dxl_bus *bus, const u8 *data, size_t len),
	TP_ARGS(bus, data, len)
);

DEFINE_EVENT(dxl_bytes, dxl_rx,
	TP_PROTO(const struct dxl_bus *bus, const u8 *data, size_t len),
	TP_ARGS(bus, data, len)
);

TRACE_EVENT(dxl_complete,
	TP_PROTO(const struct dxl_bus *bus, const struct dxl_transfer *xfer),
	TP_ARGS(bus, xfer),
	TP_STRUCT__entry(
		__field(int, bus)
		__field(u8, id)
		__field(u8, instruction)
		__field(unsigned int, replies)
		__field(unsigned int, retries)
		__field(int, status)
	),
	TP_fast_assign(
		__entry->bus = bus->nr;
		__entry->id = xfer->request.id;
		__entry->instruction = xfer->request.instruction;
		__entry->replies = xfer->num_replies;
		__entry->retries = xfer->retries;
		__entry->status = xfer->status;
	),
	TP_printk("dxl%d id=%u instruction=0x%02x replies=%u retries=%u status=%d",
		  __entry->bus, __entry->id, __entry->instruction,
		  __entry->replies, __entry->retries, __entry->status)
);

TRACE_EVENT(dxl_error,
	TP_PROTO(const struct dxl_bus *bus, const struct dxl_reply *reply),
	TP_ARGS(bus, reply),
	TP_STRUCT__entry(
		__field(int, bus)
		__field(u8, id)
		__field(u8, error)
		__field(int, status)
	),
	TP_fast_assign(
		__entry->bus = bus->nr;
		__entry->id = reply->id;
		__entry->error = reply->error;
		__entry->status = reply->status;
	),
	TP_printk("dxl%d id=%u status=%d error=0x%02x", __entry->bus,
		  __entry->id, __entry->status, __entry->error)
);

#endif /* _DXL_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
