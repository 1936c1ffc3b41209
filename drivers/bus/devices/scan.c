// SPDX-License-Identifier: GPL-2.0
/*
 * Search for the devices on a bus
 *
 * Each ID is asked in each protocol wanted, with the bus reserved. An ID that
 * nobody has costs one time-out. All IDs may take long, so others are let in now
 * and then, with the line at the baud rate that they expect.
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kstrtox.h>
#include <linux/lockdep.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <linux/dxl/transport.h>

#include "../access/access.h"
#include "../base/base.h"
#include "../queue/queue.h"
#include "devices.h"

#define SCAN_BAUDS_MAX	16

/*
 * How long others may have to wait at once, and for how long they are let in. Who wants
 * a joint let go waits for one question at the most.
 */
#define TURN_MS		500
#define PAUSE_MS	20

/**
 * struct dxl_scan - a scan and its result
 * @ids: which IDs
 * @protocols: which protocols, a bit for each
 * @num_bauds: number of @bauds; 0 for that which the line has
 * @bauds: at which baud rates
 * @num_found: number of @found
 * @found: the devices that have answered
 */
struct dxl_scan {
	DECLARE_BITMAP(ids, DXL_ID_MAX + 1);
	unsigned long protocols;
	unsigned int num_bauds;
	u32 bauds[SCAN_BAUDS_MAX];
	unsigned int num_found;
	struct dxl_found found[DXL_ID_MAX + 1];
};

/**
 * struct scan_walk - how far a scan has come at one baud rate
 * @baud: the rate
 * @end: when others are to be let in
 * @protocol: protocol to ask in next
 * @id: ID to ask next
 * @ids: IDs that nobody has answered to so far
 */
struct scan_walk {
	u32 baud;
	unsigned long end;
	unsigned int protocol;
	unsigned int id;
	DECLARE_BITMAP(ids, DXL_ID_MAX + 1);
};

static int scan_next(struct dxl_bus *bus, struct dxl_scan *scan,
		     struct scan_walk *walk)
{
	int ret;

	if (scan->num_found == ARRAY_SIZE(scan->found))
		return -ENOSPC;

	ret = dxl_find_id(bus, walk->protocol, walk->id,
			  &scan->found[scan->num_found]);
	switch (ret) {
	case 0:
		scan->num_found++;
		__clear_bit(walk->id, walk->ids);
		return 0;
	case -EILSEQ:
		dev_warn(&bus->dev,
			 "ID %u at %u baud: damaged answers, as of two devices with that ID\n",
			 walk->id, bus->timing.baud);
		return 0;
	case -ENODEV:
		return 0;
	default:
		return ret;
	}
}

static int scan_protocol(struct dxl_bus *bus, struct dxl_scan *scan,
			 struct scan_walk *walk)
{
	unsigned int end = dxl_id_max(walk->protocol) + 1;
	int ret;

	for_each_set_bit_from(walk->id, walk->ids, end) {
		if (signal_pending(current))
			return -EINTR;
		if (time_after(jiffies, walk->end) || dxl_queue_is_urged(bus))
			return -EAGAIN;
		ret = scan_next(bus, scan, walk);
		if (ret)
			return ret;
	}

	return 0;
}

/*
 * First all IDs in one protocol, as the queue lets an ID rest that has not
 * answered. A device speaks one: who has answered is not asked in the other.
 *
 * Return: 0; -EAGAIN if it is time to let others in; or another negative errno
 */
static int scan_protocols(struct dxl_bus *bus, struct dxl_scan *scan,
			  struct scan_walk *walk)
{
	int ret;

	for (; walk->protocol <= DXL_PROTOCOL_2; walk->protocol++) {
		if (!test_bit(walk->protocol, &scan->protocols))
			continue;
		ret = scan_protocol(bus, scan, walk);
		if (ret)
			return ret;
		walk->id = 0;
	}

	return 0;
}

/* Go on with the line at the rate wanted meanwhile. */
static int scan_away(struct dxl_bus *bus, struct dxl_scan *scan,
		     struct scan_walk *walk)
{
	u32 usual = bus->timing.baud;
	int ret, restored;

	dxl_queue_leave(bus);
	ret = dxl_set_line_baud(bus, walk->baud);
	if (!ret)
		ret = scan_protocols(bus, scan, walk);
	restored = dxl_set_line_baud(bus, usual);
	dxl_queue_return(bus);

	if (!restored)
		return ret;

	/* A line that has gone has no rate either. */
	if (restored != -ENODEV && restored != -ESHUTDOWN)
		dev_err(&bus->dev, "line does not go back to %u baud: %d\n",
			usual, restored);

	return restored;
}

/* Go on with the bus reserved. */
static int scan_turn(struct dxl_bus *bus, struct dxl_scan *scan,
		     struct scan_walk *walk)
{
	int ret;

	ret = dxl_bus_reserve(bus);
	if (ret)
		return ret;

	walk->end = jiffies + msecs_to_jiffies(TURN_MS);
	if (walk->baud && walk->baud != bus->timing.baud)
		ret = scan_away(bus, scan, walk);
	else
		ret = scan_protocols(bus, scan, walk);
	dxl_bus_release(bus);

	return ret;
}

static int scan_at(struct dxl_bus *bus, struct dxl_scan *scan, u32 baud)
{
	struct scan_walk walk = { .baud = baud, .protocol = DXL_PROTOCOL_1 };
	int ret;

	bitmap_copy(walk.ids, scan->ids, DXL_ID_MAX + 1);
	while ((ret = scan_turn(bus, scan, &walk)) == -EAGAIN)
		msleep(PAUSE_MS);

	return ret;
}

static int scan_run(struct dxl_bus *bus, struct dxl_scan *scan)
{
	unsigned int i;
	int ret;

	if (!scan->num_bauds)
		return scan_at(bus, scan, 0);

	for (i = 0; i < scan->num_bauds; i++) {
		ret = scan_at(bus, scan, scan->bauds[i]);
		if (ret)
			return ret;
	}

	return 0;
}

/*
 * Ask once more: until the caller had devices_lock, the device may have been
 * given another ID.
 */
static int find_again(struct dxl_bus *bus, struct dxl_found *found)
{
	int ret;

	lockdep_assert_held(&bus->devices_lock);

	ret = dxl_bus_reserve(bus);
	if (ret)
		return ret;

	ret = dxl_find_id(bus, found->protocol, found->id, found);
	dxl_bus_release(bus);

	return ret;
}

/* One that is known already, by description or from before, stays as it is. */
static void scan_add_device(struct dxl_bus *bus, struct dxl_found found)
{
	struct dxl_device *known = dxl_device_find(bus, found.id);
	struct dxl_device_desc desc;
	int ret;

	if (known) {
		put_device(&known->dev);
		return;
	}

	ret = find_again(bus, &found);
	if (ret || !found.identified)
		return;

	desc = (struct dxl_device_desc){
		.id = found.id,
		.dynamic = true,
		.bind_now = true,
		.protocol = found.protocol,
		.model_number = found.model_number,
		.firmware_version = found.firmware_version,
	};
	ret = dxl_device_add(bus, &desc);
	if (ret)
		dev_err(&bus->dev, "ID %u not added: %d\n", found.id, ret);
}

static void scan_add_devices(struct dxl_bus *bus, const struct dxl_scan *scan)
{
	const struct dxl_found *found;
	unsigned int i;

	for (i = 0; i < scan->num_found; i++) {
		found = &scan->found[i];
		if (found->identified && found->baud == bus->timing.baud)
			scan_add_device(bus, *found);
	}
}

void dxl_scan_free(struct dxl_bus *bus)
{
	kfree(bus->scan);
}

/* --- what to look for --- */

/* "N" or "N-M" */
static int parse_range(struct dxl_scan *scan, char *range)
{
	char *from = strsep(&range, "-");
	u8 first, last;
	int ret;

	ret = kstrtou8(from, 0, &first);
	if (ret)
		return ret;
	last = first;
	if (range)
		ret = kstrtou8(range, 0, &last);
	if (ret)
		return ret;
	if (last > DXL_ID_MAX)
		return -ERANGE;
	if (first > last)
		return -EINVAL;

	bitmap_set(scan->ids, first, last - first + 1);

	return 0;
}

static int parse_ids(struct dxl_scan *scan, char *list)
{
	char *range;
	int ret;

	if (!strcmp(list, "all")) {
		bitmap_fill(scan->ids, DXL_ID_MAX + 1);
		return 0;
	}

	while ((range = strsep(&list, ","))) {
		ret = parse_range(scan, range);
		if (ret)
			return ret;
	}

	return 0;
}

static int parse_protocol(struct dxl_scan *scan, const char *value)
{
	u8 protocol;
	int ret;

	ret = kstrtou8(value, 0, &protocol);
	if (ret)
		return ret;
	if (protocol != DXL_PROTOCOL_1 && protocol != DXL_PROTOCOL_2)
		return -EINVAL;

	scan->protocols = BIT(protocol);

	return 0;
}

static int parse_bauds(struct dxl_scan *scan, char *list)
{
	char *rate;
	u32 baud;
	int ret;

	while ((rate = strsep(&list, ","))) {
		ret = kstrtou32(rate, 0, &baud);
		if (ret)
			return ret;
		if (baud < DXL_BAUD_MIN)
			return -ERANGE;
		if (scan->num_bauds == SCAN_BAUDS_MAX)
			return -EINVAL;
		scan->bauds[scan->num_bauds++] = baud;
	}

	return 0;
}

static int parse_word(struct dxl_scan *scan, char *word)
{
	size_t n;

	n = str_has_prefix(word, "protocol=");
	if (n)
		return parse_protocol(scan, word + n);
	n = str_has_prefix(word, "baud=");
	if (n)
		return parse_bauds(scan, word + n);

	return parse_ids(scan, word);
}

static int scan_parse(struct dxl_scan *scan, char *text)
{
	char *word;
	int ret;

	scan->protocols = BIT(DXL_PROTOCOL_1) | BIT(DXL_PROTOCOL_2);
	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		ret = parse_word(scan, word);
		if (ret)
			return ret;
	}

	return bitmap_empty(scan->ids, DXL_ID_MAX + 1) ? -EINVAL : 0;
}

/* --- the attribute --- */

static ssize_t scan_store(struct device *dev, struct device_attribute *attr,
			  const char *buf, size_t len)
{
	struct dxl_bus *bus = to_dxl_bus(dev);
	int ret;

	char *text __free(kfree) = kstrndup(buf, len, GFP_KERNEL);
	struct dxl_scan *scan __free(kfree) = kzalloc(sizeof(*scan), GFP_KERNEL);

	if (!text || !scan)
		return -ENOMEM;

	ret = scan_parse(scan, text);
	if (ret)
		return ret;

	ret = scan_run(bus, scan);

	guard(mutex)(&bus->devices_lock);
	if (!ret)
		scan_add_devices(bus, scan);
	/* What an interrupted scan has found is a result too. */
	swap(bus->scan, scan);

	return ret ?: len;
}

static ssize_t show_found(const struct dxl_found *found, char *buf, int at)
{
	if (!found->identified)
		return sysfs_emit_at(buf, at, "%u %u - - %u\n", found->id,
				     found->protocol, found->baud);

	return sysfs_emit_at(buf, at, "%u %u %u %u %u\n", found->id,
			     found->protocol, found->model_number,
			     found->firmware_version, found->baud);
}

static ssize_t scan_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	struct dxl_bus *bus = to_dxl_bus(dev);
	unsigned int i;
	int at = 0;

	guard(mutex)(&bus->devices_lock);

	if (!bus->scan)
		return 0;

	for (i = 0; i < bus->scan->num_found; i++)
		at += show_found(&bus->scan->found[i], buf, at);

	return at;
}
static DEVICE_ATTR_RW(scan);

static struct attribute *scan_attrs[] = {
	&dev_attr_scan.attr,
	NULL
};

const struct attribute_group dxl_scan_group = {
	.attrs = scan_attrs,
};
