// SPDX-License-Identifier: GPL-2.0
/*
 * The baud rate of a bus: of its line and of all devices on it
 *
 * A device that is left behind at the old rate is not lost, but hard to find.
 * So first all are asked whether they are there and could follow, and only then
 * the first is changed; and each is asked at the new rate whether it has.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <linux/dxl/transport.h>

#include "../access/access.h"
#include "../base/base.h"
#include "../line/line.h"
#include "../queue/queue.h"
#include "upkeep.h"

/**
 * struct follower - a device whose baud rate is to change
 * @ddev: the device
 * @known: its driver has told its table
 * @table: a copy of that, without its baud rates
 * @able: it has the baud rate
 * @value: what its register holds for that
 * @present: it answers at the old rate
 */
struct follower {
	struct dxl_device *ddev;
	bool known;
	struct dxl_table table;
	bool able;
	u8 value;
	bool present;
};

/**
 * struct baud_change - a change of the baud rate of a bus
 * @baud: the new rate
 * @num: number of @followers
 * @followers: all devices of the bus
 */
struct baud_change {
	u32 baud;
	unsigned int num;
	struct follower followers[DXL_ID_MAX + 1];
};

static void find_value(struct follower *f, const struct dxl_baud *bauds,
		       u32 baud)
{
	u32 off, best = U32_MAX;

	for (; bauds && bauds->rate; bauds++) {
		off = abs_diff(bauds->rate, baud);
		if (off >= best || !dxl_baud_fits(bauds->rate, baud))
			continue;
		best = off;
		f->able = true;
		f->value = bauds->value;
	}
}

static int collect(struct device *dev, void *data)
{
	struct baud_change *change = data;
	struct follower *f = &change->followers[change->num];

	if (!dxl_is_device(dev))
		return 0;

	/* The table is the driver's. */
	guard(device)(dev);

	f->ddev = to_dxl_device(dev);
	f->known = f->ddev->table;
	if (f->known) {
		f->table = *f->ddev->table;
		find_value(f, f->table.bauds, change->baud);
		f->table.bauds = NULL;
	}
	change->num++;

	return 0;
}

/* One whose table nobody knows would be left behind, unless it is not there. */
static int check_unknown(struct follower *f)
{
	int ret;

	ret = dxl_check_nobody_has(f->ddev->bus, f->ddev->id);
	if (ret != -EBUSY)
		return ret;

	dev_err(&f->ddev->dev, "no driver is bound, so its baud rate cannot be set\n");

	return -EOPNOTSUPP;
}

static int check_follower(struct follower *f, u32 baud)
{
	int ret;

	if (!f->known)
		return check_unknown(f);

	ret = dxl_check_torque_off(f->ddev, &f->table, DXL_PRIO_MAINTENANCE);
	if (dxl_answer_missing(ret)) {
		dev_warn(&f->ddev->dev,
			 "does not answer, so it keeps its rate instead of %u baud\n",
			 baud);
		return 0;
	}
	if (ret == -EBUSY)
		dev_err(&f->ddev->dev, "its torque is on: its baud rate stays\n");
	if (ret)
		return ret;

	if (!f->able) {
		dev_err(&f->ddev->dev, "cannot do %u baud\n", baud);
		return -ERANGE;
	}
	f->present = true;

	return 0;
}

static int check_followers(struct baud_change *change)
{
	unsigned int i;
	int ret;

	for (i = 0; i < change->num; i++) {
		ret = check_follower(&change->followers[i], change->baud);
		if (ret)
			return ret;
	}

	return 0;
}

/* The line, too, must be able to follow before a device goes ahead. */
static int check_line(struct dxl_bus *bus, u32 baud)
{
	u32 usual = bus->timing.baud;
	int ret;

	dxl_queue_leave(bus);
	ret = dxl_set_line_baud(bus, baud) ?: dxl_set_line_baud(bus, usual);
	dxl_queue_return(bus);

	return ret;
}

/* Answers may come at either rate; whether it worked shows afterwards. */
static void send_ahead(struct baud_change *change)
{
	struct follower *f;
	u32 deaf_us = 0;
	unsigned int i;

	for (i = 0; i < change->num; i++) {
		f = &change->followers[i];
		if (!f->present)
			continue;
		dxl_write_prio(f->ddev, DXL_PRIO_MAINTENANCE, f->table.baud,
			       &f->value, 1);
		deaf_us = max(deaf_us, f->table.eeprom_write_us);
	}
	fsleep(deaf_us);
}

static bool has_followed(struct follower *f)
{
	u8 value;

	return !dxl_read_prio(f->ddev, DXL_PRIO_MAINTENANCE, f->table.baud,
			      &value, 1) && value == f->value;
}

/* Return: the number of devices that have not followed; @here: of those that have */
static unsigned int count_missing(struct baud_change *change,
				  unsigned int *here)
{
	unsigned int i, missing = 0;
	struct follower *f;

	*here = 0;
	for (i = 0; i < change->num; i++) {
		f = &change->followers[i];
		if (!f->present)
			continue;
		if (has_followed(f)) {
			++*here;
			continue;
		}
		dev_err(&f->ddev->dev, "does not answer at %u baud\n",
			change->baud);
		missing++;
	}

	return missing;
}

/* From here on no rate is that of all devices. */
static int change_rate(struct dxl_bus *bus, struct baud_change *change)
{
	unsigned int here, missing;
	u32 usual = bus->timing.baud;
	int ret;

	send_ahead(change);
	ret = dxl_set_line_baud(bus, change->baud);
	if (ret)
		return ret;

	missing = count_missing(change, &here);
	if (!missing)
		return 0;
	if (!here)
		dxl_set_line_baud(bus, usual);

	return -EIO;
}

static int change_all(struct dxl_bus *bus, struct baud_change *change)
{
	int ret;

	ret = check_line(bus, change->baud) ?: check_followers(change);
	if (ret)
		return ret;

	dxl_queue_leave(bus);
	ret = change_rate(bus, change);
	dxl_queue_return(bus);

	return ret;
}

static int set_bus_baud(struct dxl_bus *bus, u32 baud)
{
	struct baud_change *change __free(kfree) =
		kzalloc(sizeof(*change), GFP_KERNEL);
	int ret;

	if (!change)
		return -ENOMEM;

	guard(mutex)(&bus->devices_lock);

	change->baud = baud;
	device_for_each_child(&bus->dev, change, collect);

	ret = dxl_bus_reserve(bus);
	if (ret)
		return ret;
	if (baud != bus->timing.baud)
		ret = change_all(bus, change);
	dxl_bus_release(bus);

	return ret;
}

static int set_line_baud_only(struct dxl_bus *bus, u32 baud)
{
	int ret;

	ret = dxl_bus_reserve(bus);
	if (ret)
		return ret;

	dxl_queue_leave(bus);
	ret = dxl_set_line_baud(bus, baud);
	dxl_queue_return(bus);
	dxl_bus_release(bus);

	return ret;
}

/* --- the attribute --- */

static ssize_t baud_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(to_dxl_bus(dev)->timing.baud));
}

/* "RATE" or "line RATE" */
static ssize_t baud_store(struct device *dev, struct device_attribute *attr,
			  const char *buf, size_t len)
{
	size_t line_only = str_has_prefix(buf, "line ");
	struct dxl_bus *bus = to_dxl_bus(dev);
	u32 baud;
	int ret;

	ret = kstrtou32(buf + line_only, 0, &baud);
	if (ret)
		return ret;
	if (baud < DXL_BAUD_MIN)
		return -ERANGE;

	if (line_only)
		ret = set_line_baud_only(bus, baud);
	else
		ret = set_bus_baud(bus, baud);

	return ret ?: len;
}
static DEVICE_ATTR_RW(baud);

static struct attribute *baud_attrs[] = {
	&dev_attr_baud.attr,
	NULL
};

const struct attribute_group dxl_baud_group = {
	.attrs = baud_attrs,
};
