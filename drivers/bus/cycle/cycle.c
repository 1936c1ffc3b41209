// SPDX-License-Identifier: GPL-2.0
/*
 * The beat of a bus, as an IIO trigger
 *
 * At each beat the trigger is polled, in hard interrupt context. Whoever it wakes
 * notes that it is due and kicks the exchange, see exchange.c, which begins behind
 * the interrupt with all of them.
 *
 * The trigger belongs to the bus and not to what it triggers: IIO keeps the module
 * of a device's trigger loaded, and a driver that kept itself could not be
 * unloaded.
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/hrtimer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/pm.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <linux/dxl/cycle.h>

#include "../base/base.h"
#include "../queue/queue.h"
#include "beat.h"
#include "cycle.h"
#include "exchange.h"
#include "frame.h"

/* The period of NAO's own device communication manager. */
#define PERIOD_DEFAULT_US	10000
#define PERIOD_MIN_US		1000
#define PERIOD_MAX_US		USEC_PER_SEC

static ktime_t cycle_period(const struct dxl_cycle *cycle)
{
	return READ_ONCE(cycle->period_us) * (u64)NSEC_PER_USEC;
}

static enum hrtimer_restart cycle_tick(struct hrtimer *timer)
{
	struct dxl_cycle *cycle = container_of(timer, struct dxl_cycle, timer);
	ktime_t beat = hrtimer_get_expires(timer);
	u64 beats = hrtimer_forward_now(timer, cycle_period(cycle));

	if (beats > 1)
		atomic_add(beats - 1, &cycle->missed);
	atomic64_set(&cycle->next, hrtimer_get_expires(timer));
	dxl_exchange_beat(cycle->bus, beat);
	iio_trigger_poll(cycle->trig);

	return HRTIMER_RESTART;
}

static void cycle_start(struct dxl_cycle *cycle)
{
	ktime_t first = ktime_add(ktime_get(), cycle_period(cycle));

	/* Nobody may have begun the exchange of the last beat that there was. */
	dxl_exchange_beat(cycle->bus, 0);
	atomic64_set(&cycle->next, first);
	/* iio_trigger_poll() is for hard interrupt context only. */
	hrtimer_start(&cycle->timer, first, HRTIMER_MODE_ABS_HARD);
}

static int cycle_set_state(struct iio_trigger *trig, bool state)
{
	struct dxl_cycle *cycle = iio_trigger_get_drvdata(trig);

	if (state) {
		cycle_start(cycle);
	} else {
		hrtimer_cancel(&cycle->timer);
		atomic64_set(&cycle->next, 0);
	}

	return 0;
}

/* Only what is on the bus is sure to be gone before its trigger is. */
static int cycle_validate_device(struct iio_trigger *trig,
				 struct iio_dev *indio_dev)
{
	struct device *bus_dev = trig->dev.parent;
	struct device *parent = indio_dev->dev.parent;

	if (parent && (parent == bus_dev || parent->parent == bus_dev))
		return 0;

	return -EINVAL;
}

static const struct iio_trigger_ops cycle_ops = {
	.set_trigger_state = cycle_set_state,
	.validate_device = cycle_validate_device,
};

/* --- the period --- */

static int check_period(struct dxl_bus *bus, u64 ns, u32 period_us)
{
	if (ns <= (u64)period_us * NSEC_PER_USEC)
		return 0;

	dev_err(&bus->dev,
		"an exchange takes %llu us on the line, but the period is %u us\n",
		div_u64(ns, NSEC_PER_USEC), period_us);

	return -ENOSPC;
}

/**
 * dxl_cycle_update() - something that took part in exchanges does so no longer
 * @bus: the bus
 *
 * Context: Process context. Sleeps.
 */
void dxl_cycle_update(struct dxl_bus *bus)
{
	u64 ns;

	if (!dxl_exchange_wire_ns(bus, &ns))
		WRITE_ONCE(bus->exchange->wire_ns, ns);
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_update, "DXL");

/**
 * dxl_cycle_check() - whether what is enabled fits into the period
 * @bus: the bus
 * @trig: the trigger that it is to be exchanged by
 *
 * To be called by whoever enables something, when its plan has it already; and
 * dxl_cycle_update() when it has not any more, also after a failure. With other
 * triggers than the bus's own nobody knows the period.
 *
 * Context: Process context. Sleeps.
 * Return: 0, -ENOSPC if it does not fit, or -ENOMEM
 */
int dxl_cycle_check(struct dxl_bus *bus, struct iio_trigger *trig)
{
	u64 ns;
	int ret;

	ret = dxl_exchange_wire_ns(bus, &ns);
	if (!ret && trig == bus->cycle->trig)
		ret = check_period(bus, ns, READ_ONCE(bus->cycle->period_us));
	if (ret)
		return ret;

	WRITE_ONCE(bus->exchange->wire_ns, ns);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_check, "DXL");

/**
 * dxl_cycle_period_us() - the period of a bus
 * @bus: the bus
 *
 * Return: microseconds from beat to beat
 */
u32 dxl_cycle_period_us(const struct dxl_bus *bus)
{
	return READ_ONCE(bus->cycle->period_us);
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_period_us, "DXL");

/**
 * dxl_cycle_set_period() - change the period of a bus
 * @bus: the bus
 * @period_us: microseconds from beat to beat
 *
 * Return: 0, -ERANGE for an impossible one, -ENOSPC for one that what is enabled
 * does not fit into, or -ENOMEM
 */
int dxl_cycle_set_period(struct dxl_bus *bus, u32 period_us)
{
	u64 ns;
	int ret;

	if (period_us < PERIOD_MIN_US || period_us > PERIOD_MAX_US)
		return -ERANGE;

	ret = dxl_exchange_wire_ns(bus, &ns) ?:
	      check_period(bus, ns, period_us);
	if (ret)
		return ret;

	WRITE_ONCE(bus->cycle->period_us, period_us);

	return 0;
}

/* In uHz, rounded down: written back, it gives the same period. */
static u64 frequency_of(u32 period_us)
{
	return div_u64((u64)USEC_PER_SEC * USEC_PER_SEC, period_us);
}

static int emit_frequency(char *buf, int at, u32 period_us)
{
	u32 uhz;
	u64 hz = div_u64_rem(frequency_of(period_us), USEC_PER_SEC, &uhz);

	if (!uhz)
		return sysfs_emit_at(buf, at, "%llu", hz);

	return sysfs_emit_at(buf, at, "%llu.%06u", hz, uhz);
}

static ssize_t sampling_frequency_show(struct device *dev,
				       struct device_attribute *attr, char *buf)
{
	struct dxl_bus *bus = to_dxl_bus(dev->parent);
	int len = emit_frequency(buf, 0, dxl_cycle_period_us(bus));

	return len + sysfs_emit_at(buf, len, "\n");
}

static ssize_t sampling_frequency_store(struct device *dev,
					struct device_attribute *attr,
					const char *buf, size_t len)
{
	int ret, hz, uhz;
	u64 frequency;

	ret = iio_str_to_fixpoint(buf, USEC_PER_SEC / 10, &hz, &uhz);
	if (ret)
		return ret;
	if (hz < 0 || uhz < 0 || (!hz && !uhz))
		return -ERANGE;

	frequency = (u64)hz * USEC_PER_SEC + uhz;
	ret = dxl_cycle_set_period(to_dxl_bus(dev->parent),
				   min(div64_u64((u64)USEC_PER_SEC *
						 USEC_PER_SEC, frequency),
				       U32_MAX));

	return ret ?: len;
}
static DEVICE_ATTR_RW(sampling_frequency);

/* What is enabled now fits into the shortest of these periods. */
static ssize_t sampling_frequency_available_show(struct device *dev,
						 struct device_attribute *attr,
						 char *buf)
{
	struct dxl_bus *bus = to_dxl_bus(dev->parent);
	u64 ns, us;
	int len;

	/* A servo may have another return delay since something was enabled. */
	len = dxl_exchange_wire_ns(bus, &ns);
	if (len)
		return len;

	us = DIV_ROUND_UP_ULL(ns, NSEC_PER_USEC);
	len = sysfs_emit(buf, "[%lu 0.000001 ", USEC_PER_SEC / PERIOD_MAX_US);
	len += emit_frequency(buf, len, clamp_t(u64, us, PERIOD_MIN_US,
						PERIOD_MAX_US));

	return len + sysfs_emit_at(buf, len, "]\n");
}
static DEVICE_ATTR_RO(sampling_frequency_available);

static struct attribute *trigger_attrs[] = {
	&dev_attr_sampling_frequency.attr,
	&dev_attr_sampling_frequency_available.attr,
	NULL
};
ATTRIBUTE_GROUPS(trigger);

/* --- life --- */

static u32 described_period_us(struct dxl_bus *bus)
{
	u32 period_us;

	if (device_property_read_u32(&bus->dev, "cycle-period-us", &period_us))
		return PERIOD_DEFAULT_US;
	if (period_us >= PERIOD_MIN_US && period_us <= PERIOD_MAX_US)
		return period_us;

	dev_warn(&bus->dev, "cycle-period-us: %u is not within %u to %lu\n",
		 period_us, PERIOD_MIN_US, PERIOD_MAX_US);

	return PERIOD_DEFAULT_US;
}

static const struct dxl_beat_ops beat_ops = {
	.allows = dxl_budget_allows,
	.sent = dxl_jitter_sent,
};

static int beat_alloc(struct dxl_bus *bus)
{
	struct dxl_cycle *cycle = kzalloc(sizeof(*cycle), GFP_KERNEL);

	if (!cycle)
		return -ENOMEM;

	bus->cycle = cycle;
	cycle->bus = bus;
	cycle->period_us = described_period_us(bus);
	hrtimer_setup(&cycle->timer, cycle_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_HARD);
	dxl_queue_set_beat(bus, &beat_ops);

	return 0;
}

/*
 * What there has to be before anybody sees the bus; dxl_cycle_free() also after a
 * failure. Returns 0 or -ENOMEM.
 */
int dxl_cycle_alloc(struct dxl_bus *bus)
{
	return beat_alloc(bus) ?:
	       dxl_exchange_alloc(bus) ?:
	       dxl_frame_alloc(bus);
}

void dxl_cycle_free(struct dxl_bus *bus)
{
	dxl_frame_free(bus);
	dxl_exchange_free(bus);
	kfree(bus->cycle);
}

/* No device of the bus is left. */
void dxl_cycle_stop(struct dxl_bus *bus)
{
	dxl_frame_exit(bus);
	dxl_exchange_stop(bus);
}

/* Register the cycle trigger of a bus that has been added. */
int dxl_cycle_register(struct dxl_bus *bus)
{
	struct dxl_cycle *cycle = bus->cycle;
	struct iio_trigger *trig;
	int ret;

	trig = iio_trigger_alloc(&bus->dev, "%s-cycle", dev_name(&bus->dev));
	if (!trig)
		return -ENOMEM;

	cycle->trig = trig;
	trig->ops = &cycle_ops;
	trig->dev.groups = trigger_groups;
	iio_trigger_set_drvdata(trig, cycle);

	ret = iio_trigger_register(trig);
	if (ret) {
		iio_trigger_free(trig);
		cycle->trig = NULL;
	}

	return ret;
}

/* Take back dxl_cycle_register(), when no device of the bus is left. */
void dxl_cycle_unregister(struct dxl_bus *bus)
{
	iio_trigger_unregister(bus->cycle->trig);
	hrtimer_cancel(&bus->cycle->timer);
	iio_trigger_free(bus->cycle->trig);
}

/* Let the beat pause, until dxl_cycle_resume(), and what is under way end. */
void dxl_cycle_suspend(struct dxl_bus *bus)
{
	hrtimer_cancel(&bus->cycle->timer);
	dxl_cycle_flush(bus);
}

/* Take back dxl_cycle_suspend(). */
void dxl_cycle_resume(struct dxl_bus *bus)
{
	if (atomic64_read(&bus->cycle->next))
		cycle_start(bus->cycle);
}

/**
 * dxl_bus_cycle() - the trigger that beats the time of a bus
 * @bus: the bus
 *
 * Return: the trigger, without a new reference; it stays until the last device
 * has been removed from the bus
 */
struct iio_trigger *dxl_bus_cycle(struct dxl_bus *bus)
{
	return bus->cycle->trig;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_cycle, "DXL");

/**
 * dxl_cycle_get_stream() - keep maintenance from holding up the cycle
 * @bus: the bus
 *
 * Until dxl_cycle_put_stream() nobody gets the bus for himself.
 *
 * Context: Process or soft interrupt context.
 * Return: 0, or -EBUSY if somebody has the bus for himself
 */
int dxl_cycle_get_stream(struct dxl_bus *bus)
{
	return dxl_queue_get_stream(bus);
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_get_stream, "DXL");

/**
 * dxl_cycle_put_stream() - take back dxl_cycle_get_stream()
 * @bus: the bus
 */
void dxl_cycle_put_stream(struct dxl_bus *bus)
{
	dxl_queue_put_stream(bus);
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_put_stream, "DXL");

/**
 * dxl_cycle_is_streaming() - whether a bus has better to do than what takes long
 * @bus: the bus
 *
 * Whoever goes on as long as it has not asks again before each piece.
 *
 * Context: Process context.
 * Return: true while somebody reads frames, or streams
 */
bool dxl_cycle_is_streaming(struct dxl_bus *bus)
{
	return dxl_frame_is_read(bus->frame) || dxl_queue_has_stream(bus);
}
EXPORT_SYMBOL_NS_GPL(dxl_cycle_is_streaming, "DXL");
