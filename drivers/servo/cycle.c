// SPDX-License-Identifier: GPL-2.0
/*
 * The beat of a bus, as an IIO trigger
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/iio/trigger.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "servo.h"

/* The rate of NAO's own device communication manager. */
#define FREQUENCY_DEFAULT_HZ	100
#define FREQUENCY_MAX_HZ	1000

/**
 * struct dxl_cycle - state of the trigger
 * @trig: the trigger
 * @timer: runs while the trigger has consumers
 * @frequency_hz: how often
 */
struct dxl_cycle {
	struct iio_trigger *trig;
	struct hrtimer timer;
	u32 frequency_hz;
};

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

static const struct iio_trigger_ops cycle_ops = {
	.set_trigger_state = cycle_set_state,
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

/**
 * dxl_cycle_create() - create and register the cycle trigger of a bus
 * @bus: the bus
 *
 * Return: the trigger, or an ERR_PTR
 */
struct iio_trigger *dxl_cycle_create(struct dxl_bus *bus)
{
	struct device *dev = dxl_bus_dev(bus);
	struct dxl_cycle *cycle;
	int ret;

	cycle = kzalloc(sizeof(*cycle), GFP_KERNEL);
	if (!cycle)
		return ERR_PTR(-ENOMEM);

	cycle->frequency_hz = FREQUENCY_DEFAULT_HZ;
	hrtimer_init(&cycle->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	cycle->timer.function = cycle_tick;

	cycle->trig = iio_trigger_alloc(dev, "%s-cycle", dev_name(dev));
	if (!cycle->trig) {
		kfree(cycle);
		return ERR_PTR(-ENOMEM);
	}

	cycle->trig->ops = &cycle_ops;
	cycle->trig->dev.groups = cycle_groups;
	iio_trigger_set_drvdata(cycle->trig, cycle);

	ret = iio_trigger_register(cycle->trig);
	if (ret) {
		iio_trigger_free(cycle->trig);
		kfree(cycle);
		return ERR_PTR(ret);
	}

	return cycle->trig;
}

/**
 * dxl_cycle_destroy() - take back dxl_cycle_create()
 * @trig: the trigger, without consumers
 */
void dxl_cycle_destroy(struct iio_trigger *trig)
{
	struct dxl_cycle *cycle = iio_trigger_get_drvdata(trig);

	iio_trigger_unregister(trig);
	hrtimer_cancel(&cycle->timer);
	iio_trigger_free(trig);
	kfree(cycle);
}
