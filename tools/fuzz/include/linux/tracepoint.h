/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trace events, of which nothing is left. */
#ifndef NAOHW_FUZZ_TRACEPOINT_H
#define NAOHW_FUZZ_TRACEPOINT_H

#define TP_PROTO(...)	__VA_ARGS__
#define TRACE_EVENT(name, proto, ...) \
	static inline void trace_##name(proto) { }
#define DECLARE_EVENT_CLASS(...)
#define DEFINE_EVENT(class, name, proto, ...) TRACE_EVENT(name, TP_PROTO(proto))

#endif
