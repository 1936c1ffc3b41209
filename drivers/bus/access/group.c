// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of many devices, read or written in few packets
 *
 * A group holds one transfer, which it fills and submits again from its own
 * completion until every item is done. For the next packet it takes the group
 * instruction that reaches the most of the items left, or a fast one that reaches
 * fewer where that saves more than another packet costs. Where a chain of answers
 * has broken at a device, that one is done, with its error; those behind it are
 * left, and asked by the next packet. So each missing device costs its time-out
 * and nobody else's data, and each packet ends at least one item.
 *
 * Devices that are lost are left out. So are those that may still be answering an
 * earlier request, or are busy with their EEPROM: to wait for them would cost the
 * others their time.
 *
 * A group is used by one caller at a time; between dxl_group_read() or
 * dxl_group_write() and the completion it belongs to this file.
 */
#include <linux/bitmap.h>
#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/base.h"
#include "../queue/queue.h"
#include "access.h"
#include "range.h"

/* Stuffing can make instruction and parameters longer by a third. */
#define PARAMS_MAX	((DXL_PACKET_MAX - DXL2_OVERHEAD - 2) / 4 * 3)

/**
 * struct group_kind - a group instruction
 * @instruction: its code
 * @protocol: protocol that has it
 * @write: it writes
 * @same_range: all devices are asked for the same registers, which are named
 *	once and first
 * @feature: what a device must be able to do
 * @head: parameters before those of the devices
 * @each: parameters for each device, beside what is written
 */
struct group_kind {
	u8 instruction;
	enum dxl_protocol protocol;
	bool write;
	bool same_range;
	u32 feature;
	u8 head;
	u8 each;
};

/* What a device can of which all answers come in one packet, behind one delay. */
#define FAST_READS	(DXL_CAN_FAST_SYNC_READ | DXL_CAN_FAST_BULK_READ)

/* Of two that reach as many items, the one that stands first is used. */
static const struct group_kind group_kinds[] = {
	{ DXL_FAST_SYNC_READ, DXL_PROTOCOL_2, false, true,
	  DXL_CAN_FAST_SYNC_READ, 4, 1 },
	{ DXL_SYNC_READ, DXL_PROTOCOL_2, false, true, DXL_CAN_SYNC_READ, 4, 1 },
	{ DXL_FAST_BULK_READ, DXL_PROTOCOL_2, false, false,
	  DXL_CAN_FAST_BULK_READ, 0, 5 },
	{ DXL_BULK_READ, DXL_PROTOCOL_2, false, false, DXL_CAN_BULK_READ, 0, 5 },
	{ DXL_BULK_READ, DXL_PROTOCOL_1, false, false, DXL_CAN_BULK_READ, 1, 3 },
	{ DXL_SYNC_WRITE, DXL_PROTOCOL_1, true, true, 0, 2, 1 },
	{ DXL_SYNC_WRITE, DXL_PROTOCOL_2, true, true, 0, 4, 1 },
	{ DXL_BULK_WRITE, DXL_PROTOCOL_2, true, false, DXL_CAN_BULK_WRITE, 0, 5 },
};

/**
 * struct dxl_group - a group transfer
 * @bus: bus of the devices
 * @max_items: most items that it can have
 * @write: whether it writes
 * @items: what is to be transferred
 * @num_items: their number
 * @ready: which of them may be asked now
 * @asked: those in the packet under way
 * @replies: their answers
 * @num_asked: their number
 * @xfer: the packet
 * @params: its parameters
 * @complete: called when all is done
 * @context: for it
 */
struct dxl_group {
	struct dxl_bus *bus;
	unsigned int max_items;
	bool write;
	struct dxl_item *items;
	unsigned int num_items;
	bool *ready;
	struct dxl_item **asked;
	struct dxl_reply *replies;
	unsigned int num_asked;
	struct dxl_transfer xfer;
	u8 params[PARAMS_MAX];
	void (*complete)(struct dxl_group *group, void *context);
	void *context;
};

static bool is_left(const struct dxl_item *item)
{
	return item->status == -EINPROGRESS;
}

/* --- what to ask next --- */

/* Find out who may be asked, and be done with those who may not at all. */
static void survey(struct dxl_group *group)
{
	ktime_t now = ktime_get();
	unsigned int i;

	dxl_queue_lock(group->bus);
	for (i = 0; i < group->num_items; i++) {
		struct dxl_item *item = &group->items[i];
		ktime_t quiet = dxl_queue_quiet_until(group->bus, item->ddev->id);

		if (!is_left(item))
			continue;
		if (!group->write && item->ddev->state == DXL_LOST)
			item->status = -EHOSTDOWN;
		group->ready[i] = group->write || quiet <= now;
	}
	dxl_queue_unlock(group->bus);
}

static bool can(const struct dxl_item *item, u32 features)
{
	return (READ_ONCE(item->ddev->features) & features) == features;
}

/* The first item that may be asked now, of a device that can do @features. */
static struct dxl_item *first_ready(struct dxl_group *group, u32 features)
{
	struct dxl_item *item;
	unsigned int i;

	for (i = 0; i < group->num_items; i++) {
		item = &group->items[i];
		if (is_left(item) && group->ready[i] && can(item, features))
			return item;
	}

	return NULL;
}

static bool fits_kind(const struct dxl_group *group,
		      const struct group_kind *kind,
		      const struct dxl_item *first,
		      const struct dxl_item *item)
{
	if (kind->write != group->write ||
	    kind->protocol != item->ddev->protocol ||
	    !can(item, kind->feature))
		return false;

	return !kind->same_range ||
	       (item->addr == first->addr && item->len == first->len);
}

static size_t params_max(enum dxl_protocol protocol)
{
	return protocol == DXL_PROTOCOL_1 ? DXL1_PARAMS_MAX : PARAMS_MAX;
}

/* Put what @kind reaches together with @first into @asked; how many it is. */
static unsigned int gather(struct dxl_group *group,
			   const struct group_kind *kind,
			   struct dxl_item *first)
{
	struct dxl_item *end = group->items + group->num_items;
	size_t room = params_max(kind->protocol) - kind->head;
	/* No group instruction may name a device twice. */
	DECLARE_BITMAP(named, DXL_ID_MAX + 1) = {};
	struct dxl_item *item;
	unsigned int n = 0;
	size_t size;

	if (!fits_kind(group, kind, first, first))
		return 0;

	for (item = first; item < end; item++) {
		bool fits = fits_kind(group, kind, first, item);

		size = kind->each + (kind->write ? item->len : 0);
		/* What is written to a device is not overtaken by what comes behind it. */
		if (!is_left(item) || (!fits && !kind->write))
			continue;
		if (__test_and_set_bit(item->ddev->id, named) || !fits ||
		    !group->ready[item - group->items] || size > room)
			continue;
		group->asked[n++] = item;
		room -= size;
	}

	return n;
}

/* --- packets --- */

static u8 *put_bytes(u8 *p, const struct dxl_item *item)
{
	memcpy(p, item->buf, item->len);

	return p + item->len;
}

static u8 *put_item(const struct group_kind *kind, u8 *p,
		    const struct dxl_item *item)
{
	if (kind->instruction == DXL_BULK_READ &&
	    kind->protocol == DXL_PROTOCOL_1) {
		*p++ = item->len;
		*p++ = item->ddev->id;
		*p++ = item->addr;
		return p;
	}

	*p++ = item->ddev->id;
	if (!kind->same_range)
		p += dxl_put_range(kind->protocol, p, item->addr, item->len);

	return kind->write ? put_bytes(p, item) : p;
}

static void fill_group_packet(struct dxl_group *group,
			      const struct group_kind *kind,
			      struct dxl_item *first)
{
	u8 *p = group->params;
	unsigned int i;

	group->num_asked = gather(group, kind, first);
	/* What BULK_READ of Protocol 1.0 begins with. */
	p[0] = 0;
	if (kind->same_range)
		dxl_put_range(kind->protocol, p, first->addr, first->len);
	p += kind->head;

	for (i = 0; i < group->num_asked; i++)
		p = put_item(kind, p, group->asked[i]);

	group->xfer.request = (struct dxl_packet){
		.protocol = kind->protocol,
		.id = DXL_ID_BROADCAST,
		.instruction = kind->instruction,
		.len = p - group->params,
		.params = group->params,
	};
}

static void fill_read_packet(struct dxl_group *group, struct dxl_item *item)
{
	const struct dxl_device *ddev = item->ddev;

	group->asked[0] = item;
	group->num_asked = 1;
	group->xfer.request = (struct dxl_packet){
		.protocol = ddev->protocol,
		.id = ddev->id,
		.instruction = DXL_READ,
		.len = dxl_put_range(ddev->protocol, group->params, item->addr,
				     item->len),
		.params = group->params,
	};
}

static void fill_replies(struct dxl_group *group)
{
	unsigned int i;

	for (i = 0; i < group->num_asked; i++) {
		const struct dxl_item *item = group->asked[i];

		group->replies[i] = (struct dxl_reply){
			.ddev = item->ddev,
			.id = item->ddev->id,
			.buf = item->buf,
			.len = item->len,
			.return_delay_us = READ_ONCE(item->ddev->return_delay_us),
		};
	}

	group->xfer.replies = group->replies;
	group->xfer.num_replies = group->write ? 0 : group->num_asked;
}

/* --- which packet --- */

/* Time of the packet in @group and of its answers, if all come. */
static u64 packet_ns(const struct dxl_group *group)
{
	const struct dxl_timing *timing = &group->bus->timing;
	const struct dxl_transfer *xfer = &group->xfer;
	bool fast = dxl_is_fast(&xfer->request);
	u64 ns = dxl_request_ns(timing, &xfer->request);
	unsigned int i;

	if (fast)
		ns += dxl_wire_ns(timing, DXL_FAST_HEADER);
	for (i = 0; i < xfer->num_replies; i++) {
		const struct dxl_reply *reply = &xfer->replies[i];

		ns += dxl_wire_ns(timing, dxl_answer_size(&xfer->request,
							  reply->len));
		/* Only the first part of a fast answer has to wait for a device. */
		if (!fast || !i)
			ns += (u64)reply->return_delay_us * NSEC_PER_USEC;
	}

	return ns;
}

/*
 * The kind that reaches most together with @first, of all or of the fast ones; NULL if
 * none is of use.
 */
static const struct group_kind *widest_kind(struct dxl_group *group,
					    struct dxl_item *first, bool fast)
{
	/* A write to one has to be a group write too: it is not answered. */
	unsigned int n, most = group->write ? 0 : 1;
	const struct group_kind *kind, *widest = NULL;
	int i;

	for (i = 0; i < ARRAY_SIZE(group_kinds); i++) {
		kind = &group_kinds[i];
		if (fast && !(kind->feature & FAST_READS))
			continue;
		n = gather(group, kind, first);
		if (n > most) {
			most = n;
			widest = kind;
		}
	}

	return widest;
}

static u64 kind_ns(struct dxl_group *group, const struct group_kind *kind,
		   struct dxl_item *first)
{
	fill_group_packet(group, kind, first);
	fill_replies(group);

	return packet_ns(group);
}

/*
 * Whether all is done sooner if those that @fast reaches are taken out of the packet of
 * @widest. What they take there is their share of it; but then there is one packet
 * more, which may come late by the margin.
 */
static bool saves_time(struct dxl_group *group, const struct group_kind *fast,
		       struct dxl_item *first_fast,
		       const struct group_kind *widest, struct dxl_item *first)
{
	u64 fast_ns = kind_ns(group, fast, first_fast) +
		      dxl_margin_ns(&group->bus->timing);
	unsigned int num_fast = group->num_asked;
	u64 widest_ns = kind_ns(group, widest, first);

	return fast_ns * group->num_asked < widest_ns * num_fast;
}

/* Prepare the next packet; @first is what may be asked first. */
static void fill_packet(struct dxl_group *group, struct dxl_item *first)
{
	const struct group_kind *widest = widest_kind(group, first, false);
	struct dxl_item *first_fast = first_ready(group, FAST_READS);
	const struct group_kind *fast = NULL;

	if (first_fast)
		fast = widest_kind(group, first_fast, true);

	if (!widest)
		fill_read_packet(group, first);
	else if (fast && saves_time(group, fast, first_fast, widest, first))
		fill_group_packet(group, fast, first_fast);
	else
		fill_group_packet(group, widest, first);
	fill_replies(group);
}

/* Whether there is a packet for it. */
static bool is_possible(const struct dxl_item *item, bool write)
{
	enum dxl_protocol protocol = item->ddev->protocol;
	size_t head = protocol == DXL_PROTOCOL_1 ? 2 : 4;

	if (!protocol || dxl_check_range(item->ddev, item->addr, item->len))
		return false;
	if (write)
		return head + 1 + item->len <= params_max(protocol);

	return dxl_packet_max_size(protocol, item->len) <= DXL_PACKET_MAX;
}

/* --- how long it takes --- */

/**
 * dxl_group_wire_ns() - time on the line of a group transfer
 * @group: a group, of which nothing is sent
 * @items: what would be transferred
 * @num_items: their number
 * @write: whether it would be written
 *
 * All devices answer, and nothing is stuffed.
 *
 * Return: the time
 */
u64 dxl_group_wire_ns(struct dxl_group *group, struct dxl_item *items,
		      unsigned int num_items, bool write)
{
	struct dxl_item *first;
	unsigned int i;
	u64 ns = 0;

	group->write = write;
	group->items = items;
	group->num_items = num_items;
	for (i = 0; i < num_items; i++) {
		items[i].status = is_possible(&items[i], write) ? -EINPROGRESS :
								  -EINVAL;
		group->ready[i] = true;
	}

	while ((first = first_ready(group, 0))) {
		fill_packet(group, first);
		ns += packet_ns(group);
		for (i = 0; i < group->num_asked; i++)
			group->asked[i]->status = 0;
	}

	return ns;
}

/* --- going on --- */

static void end_all(struct dxl_group *group, int status)
{
	unsigned int i;

	for (i = 0; i < group->num_items; i++)
		if (is_left(&group->items[i]))
			group->items[i].status = status;
}

static void group_next(struct dxl_group *group)
{
	struct dxl_item *first;
	int ret;

	survey(group);
	first = first_ready(group, 0);
	if (first) {
		fill_packet(group, first);
		ret = dxl_transfer_submit(group->bus, &group->xfer);
		if (!ret)
			return;
		end_all(group, ret);
	}

	end_all(group, -EAGAIN);
	group->complete(group, group->context);
}

static void packet_complete(struct dxl_transfer *xfer)
{
	struct dxl_group *group = xfer->context;
	unsigned int i;

	for (i = 0; i < group->num_asked; i++) {
		struct dxl_item *item = group->asked[i];
		int status = xfer->status;

		if (xfer->num_replies) {
			status = group->replies[i].status;
			item->error = group->replies[i].error;
		}
		/* One that was not reached is left. */
		if (status != -ENODATA)
			item->status = status;
	}

	group_next(group);
}

static int group_start(struct dxl_group *group, bool write,
		       struct dxl_item *items, unsigned int num_items,
		       void (*complete)(struct dxl_group *group, void *context),
		       void *context)
{
	unsigned int i;

	if (num_items > group->max_items)
		return -EINVAL;

	for (i = 0; i < num_items; i++) {
		if (items[i].ddev->bus != group->bus ||
		    !is_possible(&items[i], write))
			return -EINVAL;
		items[i].status = -EINPROGRESS;
		items[i].error = 0;
	}

	group->write = write;
	group->items = items;
	group->num_items = num_items;
	group->complete = complete;
	group->context = context;
	group_next(group);

	return 0;
}

/**
 * dxl_group_read() - read registers of many devices
 * @group: the group; nothing is under way with it
 * @items: devices and their registers; must stay in place until completion. The
 *	order in which they are asked is theirs, where the packets allow it.
 * @num_items: their number
 * @complete: called once when every item has its status: in the contexts of
 *	&struct dxl_transfer's or, where there is nobody to ask, by the caller before
 *	this returns. The group may be used again from it.
 * @context: for it
 *
 * Each item gets a status of its own, as that of a &struct dxl_reply, or
 * -EAGAIN if its device has failed so shortly before that it may still answer
 * that request, or is busy with its EEPROM. Nothing is repeated: who reads again
 * and again has no use for it.
 *
 * Context: Process or soft interrupt context. Does not sleep.
 * Return: 0 if the group was accepted, -EINVAL if there are more items than
 * it was allocated for, or one is empty, too long for a packet, of a device on
 * another bus or of one without a driver
 */
int dxl_group_read(struct dxl_group *group, struct dxl_item *items,
		   unsigned int num_items,
		   void (*complete)(struct dxl_group *group, void *context),
		   void *context)
{
	return group_start(group, false, items, num_items, complete, context);
}
EXPORT_SYMBOL_NS_GPL(dxl_group_read, "DXL");

/**
 * dxl_group_write() - write registers of many devices
 * @group: the group; nothing is under way with it
 * @items: devices, their registers and what to write; must stay in place until
 *	completion
 * @num_items: their number
 * @complete: as for dxl_group_read()
 * @context: for it
 *
 * Devices do not answer group writes: the status of an item tells whether it
 * was sent.
 *
 * Context: Process or soft interrupt context. Does not sleep.
 * Return: as dxl_group_read()
 */
int dxl_group_write(struct dxl_group *group, struct dxl_item *items,
		    unsigned int num_items,
		    void (*complete)(struct dxl_group *group, void *context),
		    void *context)
{
	return group_start(group, true, items, num_items, complete, context);
}
EXPORT_SYMBOL_NS_GPL(dxl_group_write, "DXL");

static void group_sync_complete(struct dxl_group *group, void *context)
{
	complete(context);
}

static int group_sync(struct dxl_group *group, bool write,
		      struct dxl_item *items, unsigned int num_items)
{
	DECLARE_COMPLETION_ONSTACK(done);
	int ret;

	ret = group_start(group, write, items, num_items, group_sync_complete,
			  &done);
	if (ret)
		return ret;

	wait_for_completion(&done);

	return 0;
}

/**
 * dxl_group_read_sync() - read registers of many devices and wait for them
 * @group: the group; nothing is under way with it
 * @items: devices and their registers
 * @num_items: their number
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_group_read(); 0 does not mean that all items succeeded
 */
int dxl_group_read_sync(struct dxl_group *group, struct dxl_item *items,
			unsigned int num_items)
{
	return group_sync(group, false, items, num_items);
}
EXPORT_SYMBOL_NS_GPL(dxl_group_read_sync, "DXL");

/**
 * dxl_group_write_sync() - write registers of many devices and wait until it is
 *	done
 * @group: the group; nothing is under way with it
 * @items: devices, their registers and what to write
 * @num_items: their number
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_group_write(); 0 does not mean that all items succeeded
 */
int dxl_group_write_sync(struct dxl_group *group, struct dxl_item *items,
			 unsigned int num_items)
{
	return group_sync(group, true, items, num_items);
}
EXPORT_SYMBOL_NS_GPL(dxl_group_write_sync, "DXL");

/**
 * dxl_group_alloc() - allocate a group
 * @bus: bus of its devices
 * @max_items: most items that it can have at a time
 * @priority: priority of its packets
 *
 * Context: Process context.
 * Return: the group, to be given back by dxl_group_free(), or NULL
 */
struct dxl_group *dxl_group_alloc(struct dxl_bus *bus, unsigned int max_items,
				  enum dxl_priority priority)
{
	struct dxl_group *group;

	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return NULL;

	group->bus = bus;
	group->max_items = max_items;
	group->ready = kcalloc(max_items, sizeof(*group->ready), GFP_KERNEL);
	group->asked = kcalloc(max_items, sizeof(*group->asked), GFP_KERNEL);
	group->replies = kcalloc(max_items, sizeof(*group->replies),
				 GFP_KERNEL);
	if (!group->ready || !group->asked || !group->replies) {
		dxl_group_free(group);
		return NULL;
	}

	group->xfer.priority = priority;
	group->xfer.complete = packet_complete;
	group->xfer.context = group;

	return group;
}
EXPORT_SYMBOL_NS_GPL(dxl_group_alloc, "DXL");

/**
 * dxl_group_free() - free a group
 * @group: the group; nothing is under way with it. May be NULL.
 */
void dxl_group_free(struct dxl_group *group)
{
	if (!group)
		return;

	kfree(group->ready);
	kfree(group->asked);
	kfree(group->replies);
	kfree(group);
}
EXPORT_SYMBOL_NS_GPL(dxl_group_free, "DXL");
