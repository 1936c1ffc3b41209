// SPDX-License-Identifier: GPL-2.0
/*
 * statistics/ of a bus and of the devices on it
 *
 * All of it is guarded by the lock of the bus's transfer queue.
 */
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

#include "state.h"

/* Count for a device, if there is one, what the bus has counted already. */
void dxl_count_device(struct dxl_device *ddev, enum dxl_stat stat, u64 n)
{
	if (ddev)
		ddev->stats.count[stat] += n;
}

/* Count for the bus and, where it concerns one, for a device. */
void dxl_count(struct dxl_bus *bus, struct dxl_device *ddev,
	       enum dxl_stat stat, u64 n)
{
	lockdep_assert_held(&bus->queue->lock);

	bus->stats.count[stat] += n;
	dxl_count_device(ddev, stat, n);
}

static void add_turnaround(struct dxl_stats *stats, u64 ns)
{
	stats->turnaround_ns += ns;
	stats->turnaround_max_ns = max(stats->turnaround_max_ns, ns);
}

/* @ns is below 0 on a line that is faster than its baud rate, as emulated ones. */
void dxl_count_turnaround(struct dxl_bus *bus, struct dxl_device *ddev, s64 ns)
{
	lockdep_assert_held(&bus->queue->lock);

	ns = max(ns, 0);
	add_turnaround(&bus->stats, ns);
	if (ddev)
		add_turnaround(&ddev->stats, ns);
}

/* Protocol 2.0 has numbers of errors and not bits: number N is bit N here. */
static u8 error_bits(enum dxl_protocol protocol, u8 error)
{
	u8 number = error & DXL2_ERR_MASK;

	if (protocol == DXL_PROTOCOL_1)
		return error;

	return (number && number < BITS_PER_BYTE ? BIT(number) : 0) |
	       (error & DXL2_ERR_ALERT ? BIT(0) : 0);
}

void dxl_count_error(struct dxl_bus *bus, struct dxl_device *ddev,
		     enum dxl_protocol protocol, u8 error)
{
	u8 bits = error_bits(protocol, error);

	if (dxl_alert_bits(protocol, error))
		dxl_count(bus, ddev, DXL_STAT_ALERTS, 1);
	bus->stats.error_bits |= bits;
	if (ddev)
		ddev->stats.error_bits |= bits;
}

/* How often it has been for the bus. */
u64 dxl_count_of(struct dxl_bus *bus, enum dxl_stat stat)
{
	u64 count;

	spin_lock_bh(&bus->queue->lock);
	count = bus->stats.count[stat];
	spin_unlock_bh(&bus->queue->lock);

	return count;
}

static struct dxl_bus *stats_bus(struct device *dev)
{
	return dxl_is_device(dev) ? to_dxl_device(dev)->bus : to_dxl_bus(dev);
}

/* A copy, so that what is shown belongs together. */
static struct dxl_stats stats_of(struct device *dev)
{
	struct dxl_bus *bus = stats_bus(dev);
	struct dxl_stats stats;

	spin_lock_bh(&bus->queue->lock);
	if (dxl_is_device(dev))
		stats = to_dxl_device(dev)->stats;
	else
		stats = bus->stats;
	spin_unlock_bh(&bus->queue->lock);

	return stats;
}

static ssize_t stat_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	struct dev_ext_attribute *ext =
		container_of(attr, struct dev_ext_attribute, attr);
	enum dxl_stat stat = (uintptr_t)ext->var;
	struct dxl_stats stats = stats_of(dev);

	return sysfs_emit(buf, "%llu\n", stats.count[stat]);
}

#define DXL_STAT_ATTR(_name, _stat)					\
	static struct dev_ext_attribute stat_##_name = {		\
		.attr = __ATTR(_name, 0444, stat_show, NULL),		\
		.var = (void *)_stat,					\
	}

DXL_STAT_ATTR(packets, DXL_STAT_PACKETS);
DXL_STAT_ATTR(tx_bytes, DXL_STAT_TX_BYTES);
DXL_STAT_ATTR(rx_bytes, DXL_STAT_RX_BYTES);
DXL_STAT_ATTR(ack, DXL_STAT_ACK);
DXL_STAT_ATTR(nack, DXL_STAT_NACK);
DXL_STAT_ATTR(timeouts, DXL_STAT_TIMEOUTS);
DXL_STAT_ATTR(device_errors, DXL_STAT_DEVICE_ERRORS);
DXL_STAT_ATTR(retries, DXL_STAT_RETRIES);
DXL_STAT_ATTR(alerts, DXL_STAT_ALERTS);
DXL_STAT_ATTR(checksum_errors, DXL_STAT_CHECKSUM_ERRORS);
DXL_STAT_ATTR(stray_packets, DXL_STAT_STRAY_PACKETS);
DXL_STAT_ATTR(stale_bytes, DXL_STAT_STALE_BYTES);
DXL_STAT_ATTR(echoes, DXL_STAT_ECHOES);
DXL_STAT_ATTR(line_errors, DXL_STAT_LINE_ERRORS);

static ssize_t turnaround_mean_ns_show(struct device *dev,
				       struct device_attribute *attr, char *buf)
{
	struct dxl_stats stats = stats_of(dev);
	u64 answers = stats.count[DXL_STAT_ACK];

	return sysfs_emit(buf, "%llu\n",
			  answers ? div64_u64(stats.turnaround_ns, answers) :
				    0);
}
static DEVICE_ATTR_RO(turnaround_mean_ns);

static ssize_t turnaround_max_ns_show(struct device *dev,
				      struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", stats_of(dev).turnaround_max_ns);
}
static DEVICE_ATTR_RO(turnaround_max_ns);

static ssize_t error_bits_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%02x\n", stats_of(dev).error_bits);
}
static DEVICE_ATTR_RO(error_bits);

static struct attribute *dxl_stats_attrs[] = {
	&stat_packets.attr.attr,
	&stat_tx_bytes.attr.attr,
	&stat_rx_bytes.attr.attr,
	&stat_ack.attr.attr,
	&stat_nack.attr.attr,
	&stat_timeouts.attr.attr,
	&stat_device_errors.attr.attr,
	&stat_retries.attr.attr,
	&stat_alerts.attr.attr,
	&stat_checksum_errors.attr.attr,
	&stat_stray_packets.attr.attr,
	&stat_stale_bytes.attr.attr,
	&stat_echoes.attr.attr,
	&stat_line_errors.attr.attr,
	&dev_attr_turnaround_mean_ns.attr,
	&dev_attr_turnaround_max_ns.attr,
	&dev_attr_error_bits.attr,
	NULL
};

const struct attribute_group dxl_stats_group = {
	.name = "statistics",
	.attrs = dxl_stats_attrs,
};
