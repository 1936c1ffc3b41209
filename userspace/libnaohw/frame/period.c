// SPDX-License-Identifier: LGPL-2.1-or-later
/* How often the buses of a frame beat. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "../base/base.h"
#include "frame.h"

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
