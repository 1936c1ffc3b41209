// SPDX-License-Identifier: GPL-2.0
/*
 * The beat of a bus, as an IIO trigger
 *
 * It belongs to the bus and not to what it triggers: IIO keeps the module of a
 * device's trigger loaded, and a driver that kept itself could not be unloaded.
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/hrtimer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/kstrtox.h>
#include <linux/sysfs.h>

#include "core.h"

/* The rate of NAO's own device communication manager. */
#define FREQUENCY_DEFAULT_HZ	100
#define FREQUENCY_MAX_HZ	1000

static ktime_t cycle_period(const struct dxl_cycle *cycle)
{
	return NSEC_PER_SEC / READ_ONCE(cycle->frequency_hz);
}

static enum hrtimer_restart cycle_tick(struct hrtimer *timer)
{
	struct dxl_cycle *cycle = container_of(timer, struct dxl_cycle, timer);

	hrtimer_forward_now(timer, cycle_period(cycle));
	iio_trigger_poll(cycle->trig);

	return HRTIMER_RESTART;
}

static int cycle_set_state(struct iio_trigger *trig, bool state)
{
	struct dxl_cycle *cycle = iio_trigger_get_drvdata(trig);

	/* iio_trigger_poll() is for hard interrupt context only. */
	if (state)
		hrtimer_start(&cycle->timer, cycle_period(cycle),
			      HRTIMER_MODE_REL_HARD);
	else
		hrtimer_cancel(&cycle->timer);

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

static ssize_t sampling_frequency_show(struct device *dev,
				       struct device_attribute *attr, char *buf)
{
	struct dxl_cycle *cycle = iio_trigger_get_drvdata(to_iio_trigger(dev));

	return sysfs_emit(buf, "%u\n", READ_ONCE(cycle->frequency_hz));
}

static ssize_t sampling_frequency_store(struct device *dev,
					struct device_attribute *attr,
					const char *buf, size_t len)
{
	struct dxl_cycle *cycle = iio_trigger_get_drvdata(to_iio_trigger(dev));
	u32 hz;
	int ret;

	ret = kstrtou32(buf, 10, &hz);
	if (ret)
		return ret;
	if (!hz || hz > FREQUENCY_MAX_HZ)
		return -ERANGE;

	WRITE_ONCE(cycle->frequency_hz, hz);

	return len;
}
static DEVICE_ATTR_RW(sampling_frequency);

static struct attribute *cycle_attrs[] = {
	&dev_attr_sampling_frequency.attr,
	NULL
};
ATTRIBUTE_GROUPS(cycle);

/* Register the cycle trigger of a bus that has been added. */
int dxl_cycle_register(struct dxl_bus *bus)
{
	struct dxl_cycle *cycle = &bus->cycle;
	struct iio_trigger *trig;
	int ret;

	trig = iio_trigger_alloc(&bus->dev, "%s-cycle", dev_name(&bus->dev));
	if (!trig)
		return -ENOMEM;

	cycle->trig = trig;
	cycle->frequency_hz = FREQUENCY_DEFAULT_HZ;
	hrtimer_init(&cycle->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	cycle->timer.function = cycle_tick;

	trig->ops = &cycle_ops;
	trig->dev.groups = cycle_groups;
	iio_trigger_set_drvdata(trig, cycle);

	ret = iio_trigger_register(trig);
	if (ret)
		iio_trigger_free(trig);

	return ret;
}

/* Take back dxl_cycle_register(), when no device of the bus is left. */
void dxl_cycle_unregister(struct dxl_bus *bus)
{
	iio_trigger_unregister(bus->cycle.trig);
	hrtimer_cancel(&bus->cycle.timer);
	iio_trigger_free(bus->cycle.trig);
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
	return bus->cycle.trig;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_cycle, DXL);
