// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How far frames are apart, and how long they are worth waiting for. Another thread than the
 * frame's may set the period while frames are read.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "frame.h"
#include "monotonic.h"

#define NS_PER_US	1000
#define NS_PER_MS	1000000
#define NS_PER_S	1e9
#define UHZ_PER_HZ	1000000
#define US_UHZ		1000000000000 /* of a period in us, times its frequency in uHz */
#define TIMEOUT_DEFAULT 1000
#define TIMEOUT_PERIODS 4
#define PARTIAL_PERIODS 2
/* Of the kernel's own beat; other triggers may do less */
#define PERIOD_MIN	(1 * NS_PER_MS)
#define PERIOD_MAX	(1000 * NS_PER_MS)

/* Whatever ticks has its frequency there: the bus's own cycle, or an hrtimer trigger. */
#define FREQUENCY  "sampling_frequency"
#define RANGE	   FREQUENCY "_available"
#define RANGE_SIZE 96

/* ---- what it is ---- */

int64_t naohw_frame_period(const struct naohw_frame *frame)
{
	int64_t longest = 0;

	for (size_t i = 0; i < frame->bus_count; i++) {
		int64_t period = atomic_load(&frame->bus[i].period);

		if (period > longest)
			longest = period;
	}
	return longest;
}

/* The beat that a change finds is the last one of the period before. */
int64_t frame_period_at(const struct frame_bus *bus, int64_t time)
{
	int64_t period = atomic_load(&bus->period);
	int64_t before = atomic_load(&bus->period_before);

	return before > period && time <= atomic_load(&bus->period_since) ? before : period;
}

static unsigned int at_least(const struct naohw_frame *frame, unsigned int ms, int64_t periods)
{
	int64_t some = periods * naohw_frame_period(frame) / NS_PER_MS;

	return some > ms ? (unsigned int)some : ms;
}

unsigned int frame_timeout_ms(const struct naohw_frame *frame)
{
	if (frame->partial_ms)
		return at_least(frame, frame->partial_ms, PARTIAL_PERIODS);
	if (frame->timeout_ms)
		return frame->timeout_ms;
	return at_least(frame, TIMEOUT_DEFAULT, TIMEOUT_PERIODS);
}

/* ---- the trigger ---- */

static const struct iio_device *trigger_of(const struct frame_bus *bus)
{
	const struct iio_device *trigger;

	if (iio_device_get_trigger(bus->device.held.iio, &trigger) < 0)
		return NULL;
	return trigger;
}

/* 0: it has none */
static int64_t read_period(const struct frame_bus *bus)
{
	const struct iio_device *trigger = trigger_of(bus);
	double frequency;

	if (!trigger || iio_device_attr_read_double(trigger, FREQUENCY, &frequency) < 0 ||
	    !(frequency > 0))
		return 0;
	return llround(NS_PER_S / frequency);
}

void frame_period_take(struct frame_bus *bus)
{
	atomic_store(&bus->period, read_period(bus));
}

/* "[LEAST STEP MOST]", 0: it does not say. */
static double read_most(const struct iio_device *trigger)
{
	char range[RANGE_SIZE], text[FRAME_FREQUENCY_SIZE];
	double most;

	if (iio_device_attr_read(trigger, RANGE, range, sizeof(range)) < 0 ||
	    sscanf(range, "[%*s %*s %31[0-9.]", text) != 1 || !number_parse(text, &most))
		return 0;
	return most;
}

int64_t frame_needed(const struct naohw_frame *frame)
{
	double longest = 0;

	for (size_t i = 0; i < frame->bus_count; i++) {
		const struct iio_device *trigger = trigger_of(&frame->bus[i]);
		double most = trigger ? read_most(trigger) : 0;

		if (!(most > 0))
			return 0;
		longest = fmax(longest, NS_PER_S / most);
	}
	return llround(longest);
}

/* ---- another one ---- */

/* libiio goes by numbers, which a trigger has as long as its bus. */
static int ask(const struct frame_bus *bus, char *frequency)
{
	const struct iio_device *trigger = trigger_of(bus);
	ssize_t ret;

	if (!device_is_there(&bus->device.held))
		return -ENODEV;
	if (!trigger || !iio_device_find_attr(trigger, FREQUENCY))
		return -EOPNOTSUPP;
	ret = iio_device_attr_read(trigger, FREQUENCY, frequency, FRAME_FREQUENCY_SIZE);
	if (ret < 0)
		return (int)ret;
	frequency[strcspn(frequency, "\n")] = '\0';
	return 0;
}

static int tell(const struct frame_bus *bus, const char *frequency)
{
	const struct iio_device *trigger = trigger_of(bus);
	ssize_t ret = trigger ? iio_device_attr_write(trigger, FREQUENCY, frequency) : -ENODEV;

	return ret < 0 ? (int)ret : 0;
}

static int refused(const struct frame_bus *bus, int64_t ns, int ret, struct naohw_error *err)
{
	double ms = (double)ns / NS_PER_MS;

	switch (ret) {
	case -ENOSPC:
		return fail(err, ret, "dxl%u: what is read and sent in a period does not fit into "
			    "%g ms; the kernel's log has the times", bus->device.number, ms);
	case -EOPNOTSUPP:
		return fail(err, ret, "dxl%u-state: its trigger has no frequency that can be set",
			    bus->device.number);
	default:
		return fail(err, ret, "dxl%u-state: a period of %g ms: %s", bus->device.number, ms,
			    error_text(ret));
	}
}

/* Down to what the kernel has: so it finds again the microseconds that were meant. */
static void print_frequency(char *text, int64_t us)
{
	int64_t frequency = US_UHZ / us;

	snprintf(text, FRAME_FREQUENCY_SIZE, "%" PRId64 ".%06" PRId64, frequency / UHZ_PER_HZ,
		 frequency % UHZ_PER_HZ);
}

/* What it was is remembered, for the case that another bus cannot do it; and for the end. */
static int tell_period(struct frame_bus *bus, int64_t ns)
{
	char text[FRAME_FREQUENCY_SIZE];
	int ret = ask(bus, bus->frequency);

	if (ret < 0)
		return ret;
	if (!*bus->frequency_opened)
		strcpy(bus->frequency_opened, bus->frequency);
	print_frequency(text, (ns + NS_PER_US / 2) / NS_PER_US);
	return tell(bus, text);
}

/* From now on. What the bus has made of it holds, where it says that. */
static void publish(struct frame_bus *bus)
{
	int64_t period = read_period(bus);

	if (!period)
		return;
	atomic_store(&bus->period_before, atomic_load(&bus->period));
	atomic_store(&bus->period_since, monotonic_ns());
	atomic_store(&bus->period, period);
}

/* A period that somebody has set since stays, and a bus that is gone cannot be told anything. */
void frame_bus_put_period_back(const struct frame_bus *bus)
{
	if (*bus->frequency_opened && device_is_there(&bus->device.held) &&
	    read_period(bus) == atomic_load(&bus->period))
		(void)tell(bus, bus->frequency_opened);
}

int frame_bus_set_period(struct frame_bus *bus, int64_t ns, struct naohw_error *err)
{
	int ret = tell_period(bus, ns);

	if (ret < 0)
		return refused(bus, ns, ret, err);
	publish(bus);
	return 0;
}

int frame_set_period(struct naohw_frame *frame, int64_t ns, struct naohw_error *err)
{
	int ret = 0;

	if (ns < PERIOD_MIN || ns > PERIOD_MAX)
		return fail(err, -ERANGE, "a period of %g ms, expected %d to %d",
			    (double)ns / NS_PER_MS, PERIOD_MIN / NS_PER_MS, PERIOD_MAX / NS_PER_MS);
	for (size_t i = 0; i < frame->bus_count; i++) {
		ret = tell_period(&frame->bus[i], ns);
		if (ret == 0)
			continue;
		for (size_t k = 0; k < i; k++)
			(void)tell(&frame->bus[k], frame->bus[k].frequency);
		return refused(&frame->bus[i], ns, ret, err);
	}
	for (size_t i = 0; i < frame->bus_count; i++)
		publish(&frame->bus[i]);
	return 0;
}
