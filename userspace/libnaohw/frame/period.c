// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far frames are apart, and how long they are worth waiting for. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "../base/base.h"
#include "../io/io.h"
#include "frame.h"

#define NS_PER_MS	1000000
#define TIMEOUT_DEFAULT 1000
#define TIMEOUT_PERIODS 4

int64_t naohw_frame_period(const struct naohw_frame *frame)
{
	int64_t longest = 0;

	for (size_t i = 0; i < frame->bus_count; i++) {
		int64_t period = frame->bus[i].period;

		if (period > longest)
			longest = period;
	}
	return longest;
}

unsigned int frame_timeout_ms(const struct naohw_frame *frame)
{
	int64_t some = TIMEOUT_PERIODS * naohw_frame_period(frame) / NS_PER_MS;

	if (frame->timeout_ms)
		return frame->timeout_ms;
	return some > TIMEOUT_DEFAULT ? (unsigned int)some : TIMEOUT_DEFAULT;
}

/* The device that stands for a bus is right below it. */
#define PERIOD	  "../cycle/period_us"
#define NS_PER_US 1000

static int write_period(const struct frame_bus *bus, int64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, (ns + NS_PER_US / 2) / NS_PER_US);
	return device_write(&bus->device.held, PERIOD, text);
}

static int cannot_set(const struct frame_bus *bus, int64_t ns, int ret, struct naohw_error *err)
{
	return fail(err, ret, "dxl%u: cannot beat each %" PRId64 " us: %s", bus->device.number,
		    ns / NS_PER_US,
		    ret == -ENOSPC ? "what is exchanged takes longer" : error_text(ret));
}

static void write_back(const struct naohw_frame *frame, size_t count)
{
	for (size_t i = 0; i < count; i++)
		(void)write_period(&frame->bus[i], atomic_load(&frame->bus[i].period));
}

int frame_set_period(struct naohw_frame *frame, int64_t ns, struct naohw_error *err)
{
	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = write_period(&frame->bus[i], ns);

		if (ret < 0) {
			write_back(frame, i);
			return cannot_set(&frame->bus[i], ns, ret, err);
		}
	}
	for (size_t i = 0; i < frame->bus_count; i++)
		atomic_store(&frame->bus[i].period, ns);
	return 0;
}
