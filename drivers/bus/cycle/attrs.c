// SPDX-License-Identifier: GPL-2.0
/*
 * What user space sees of the cycle of a bus
 */
#include <linux/device.h>
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <linux/dxl/cycle.h>

#include "../base/base.h"
#include "../queue/queue.h"
#include "beat.h"
#include "cycle.h"
#include "exchange.h"
#include "frame.h"

static ssize_t period_us_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	return sysfs_emit(buf, "%u\n", dxl_cycle_period_us(to_dxl_bus(dev)));
}

static ssize_t period_us_store(struct device *dev,
			       struct device_attribute *attr, const char *buf,
			       size_t len)
{
	u32 period_us;
	int ret;

	ret = kstrtou32(buf, 0, &period_us);
	if (ret)
		return ret;

	return dxl_cycle_set_period(to_dxl_bus(dev), period_us) ?: len;
}
static DEVICE_ATTR_RW(period_us);

static ssize_t wire_us_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	u64 ns = READ_ONCE(to_dxl_bus(dev)->exchange->wire_ns);

	return sysfs_emit(buf, "%llu\n", div_u64(ns, NSEC_PER_USEC));
}
static DEVICE_ATTR_RO(wire_us);

static ssize_t slack_us_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	struct dxl_bus *bus = to_dxl_bus(dev);
	s64 ns = READ_ONCE(bus->exchange->wire_ns);

	return sysfs_emit(buf, "%lld\n", dxl_cycle_period_us(bus) -
					 div_s64(ns, NSEC_PER_USEC));
}
static DEVICE_ATTR_RO(slack_us);

/* --- counters --- */

static ssize_t show_count(struct dxl_exchange *x, const u64 *count, char *buf)
{
	u64 value;

	spin_lock_bh(&x->lock);
	value = *count;
	spin_unlock_bh(&x->lock);

	return sysfs_emit(buf, "%llu\n", value);
}

static ssize_t exchanges_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	struct dxl_exchange *x = to_dxl_bus(dev)->exchange;

	return show_count(x, &x->exchanges, buf);
}
static DEVICE_ATTR_RO(exchanges);

static ssize_t overruns_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	struct dxl_exchange *x = to_dxl_bus(dev)->exchange;

	return show_count(x, &x->overruns, buf);
}
static DEVICE_ATTR_RO(overruns);

static ssize_t missed_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  atomic_read(&to_dxl_bus(dev)->cycle->missed));
}
static DEVICE_ATTR_RO(missed);

static ssize_t reset_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t len)
{
	struct dxl_bus *bus = to_dxl_bus(dev);
	struct dxl_exchange *x = bus->exchange;

	spin_lock_bh(&x->lock);
	x->exchanges = 0;
	x->overruns = 0;
	spin_unlock_bh(&x->lock);

	dxl_queue_lock(bus);
	memset(&x->jitter, 0, sizeof(x->jitter));
	dxl_queue_unlock(bus);

	atomic_set(&bus->cycle->missed, 0);

	return len;
}
static DEVICE_ATTR_WO(reset);

/* --- jitter, which is the queue's to guard --- */

static ssize_t show_delay(struct dxl_bus *bus, const u64 *ns, char *buf)
{
	u64 value;

	dxl_queue_lock(bus);
	value = *ns;
	dxl_queue_unlock(bus);

	return sysfs_emit(buf, "%llu\n", value);
}

static ssize_t jitter_min_ns_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	struct dxl_bus *bus = to_dxl_bus(dev);

	return show_delay(bus, &bus->exchange->jitter.min_ns, buf);
}
static DEVICE_ATTR_RO(jitter_min_ns);

static ssize_t jitter_mean_ns_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	struct dxl_bus *bus = to_dxl_bus(dev);
	const struct dxl_jitter *jitter = &bus->exchange->jitter;
	u64 count, sum_ns;

	dxl_queue_lock(bus);
	count = jitter->count;
	sum_ns = jitter->sum_ns;
	dxl_queue_unlock(bus);

	return sysfs_emit(buf, "%llu\n",
			  count ? div64_u64(sum_ns, count) : 0);
}
static DEVICE_ATTR_RO(jitter_mean_ns);

static ssize_t jitter_show(struct device *dev, char *buf, unsigned int permille)
{
	struct dxl_bus *bus = to_dxl_bus(dev);
	u64 ns;

	dxl_queue_lock(bus);
	ns = dxl_jitter_quantile(&bus->exchange->jitter, permille);
	dxl_queue_unlock(bus);

	return sysfs_emit(buf, "%llu\n", ns);
}

static ssize_t jitter_p50_ns_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	return jitter_show(dev, buf, 500);
}
static DEVICE_ATTR_RO(jitter_p50_ns);

static ssize_t jitter_p99_ns_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	return jitter_show(dev, buf, 990);
}
static DEVICE_ATTR_RO(jitter_p99_ns);

static ssize_t jitter_p999_ns_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	return jitter_show(dev, buf, 999);
}
static DEVICE_ATTR_RO(jitter_p999_ns);

static ssize_t jitter_max_ns_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	struct dxl_bus *bus = to_dxl_bus(dev);

	return show_delay(bus, &bus->exchange->jitter.max_ns, buf);
}
static DEVICE_ATTR_RO(jitter_max_ns);

static struct attribute *cycle_attrs[] = {
	&dev_attr_exchanges.attr,
	&dev_attr_jitter_max_ns.attr,
	&dev_attr_jitter_mean_ns.attr,
	&dev_attr_jitter_min_ns.attr,
	&dev_attr_jitter_p50_ns.attr,
	&dev_attr_jitter_p999_ns.attr,
	&dev_attr_jitter_p99_ns.attr,
	&dev_attr_missed.attr,
	&dev_attr_overruns.attr,
	&dev_attr_period_us.attr,
	&dev_attr_reset.attr,
	&dev_attr_slack_us.attr,
	&dev_attr_slow_divider.attr,
	&dev_attr_wire_us.attr,
	NULL
};

const struct attribute_group dxl_cycle_group = {
	.name = "cycle",
	.attrs = cycle_attrs,
};
