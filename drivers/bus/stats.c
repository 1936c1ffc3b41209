// SPDX-License-Identifier: GPL-2.0
/*
 * statistics/ of a bus and of the devices on it
 */
#include <linux/device.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

#include "core.h"

static struct dxl_bus *stats_bus(struct device *dev)
{
	if (dev->type == &dxl_bus_device_type)
		return to_dxl_bus(dev);

	return to_dxl_device(dev)->bus;
}

static struct dxl_stats *stats_of(struct device *dev)
{
	if (dev->type == &dxl_bus_device_type)
		return &to_dxl_bus(dev)->stats;

	return &to_dxl_device(dev)->stats;
}

static ssize_t stat_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	struct dev_ext_attribute *ext =
		container_of(attr, struct dev_ext_attribute, attr);
	enum dxl_stat stat = (uintptr_t)ext->var;
	struct dxl_bus *bus = stats_bus(dev);
	u64 value;

	spin_lock_bh(&bus->queue.lock);
	value = stats_of(dev)->count[stat];
	spin_unlock_bh(&bus->queue.lock);

	return sysfs_emit(buf, "%llu\n", value);
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
DXL_STAT_ATTR(checksum_errors, DXL_STAT_CHECKSUM_ERRORS);
DXL_STAT_ATTR(stray_packets, DXL_STAT_STRAY_PACKETS);
DXL_STAT_ATTR(stale_bytes, DXL_STAT_STALE_BYTES);
DXL_STAT_ATTR(echoes, DXL_STAT_ECHOES);

static struct attribute *dxl_stats_attrs[] = {
	&stat_packets.attr.attr,
	&stat_tx_bytes.attr.attr,
	&stat_rx_bytes.attr.attr,
	&stat_ack.attr.attr,
	&stat_nack.attr.attr,
	&stat_timeouts.attr.attr,
	&stat_device_errors.attr.attr,
	&stat_checksum_errors.attr.attr,
	&stat_stray_packets.attr.attr,
	&stat_stale_bytes.attr.attr,
	&stat_echoes.attr.attr,
	NULL
};

const struct attribute_group dxl_stats_group = {
	.name = "statistics",
	.attrs = dxl_stats_attrs,
};
