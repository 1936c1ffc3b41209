// SPDX-License-Identifier: GPL-2.0
/*
 * Which registers a frame reads
 *
 * Only those of enabled channels are read, and what lies between two of them
 * where that takes less time than another answer. Values that change slowly ride
 * along with their neighbours. Where they have none, they are read in one of
 * several frames, which is a different one for each device, so that no frame is
 * much longer than the others.
 */
#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "frame.h"

/* Bytes of an answer beside its data; in 2.0 the error byte is one of them. */
#define ANSWER_OVERHEAD_1	DXL1_OVERHEAD
#define ANSWER_OVERHEAD_2	(DXL2_OVERHEAD + 1)

/* Most bytes of raw data that a value can cost. */
#define RAW_MAX		(sizeof(u32) + ANSWER_OVERHEAD_2)

static unsigned int answer_overhead(const struct frame_part *part)
{
	return part->member->protocol == DXL_PROTOCOL_1 ?
	       ANSWER_OVERHEAD_1 : ANSWER_OVERHEAD_2;
}

/* --- where channels are in a sample, as IIO wants it --- */

static unsigned int place(unsigned int *end, unsigned int size)
{
	unsigned int at = ALIGN(*end, size);

	*end = at + size;

	return at;
}

static int place_status(const unsigned long *mask, unsigned int channel,
			unsigned int *end)
{
	return test_bit(channel, mask) ? (int)place(end, sizeof(u8)) : -1;
}

/* Put a slot among those of its part, by rising address. */
static void insert_slot(struct frame_plan *plan, struct frame_slot *first,
			const struct dxl_value *value, unsigned int at)
{
	struct frame_slot *slot = &plan->slots[plan->num_slots++];

	for (; slot > first && slot[-1].value->addr > value->addr; slot--)
		*slot = slot[-1];
	*slot = (struct frame_slot){ .value = value, .at = at };
}

static void place_part(struct frame_plan *plan, struct frame_part *part,
		       const unsigned long *mask, unsigned int *end)
{
	struct frame_slot *first = &plan->slots[plan->num_slots];
	const struct frame_member *member = part->member;
	unsigned int i, size;

	for (i = 0; i < member->num_values; i++) {
		const struct dxl_value *value = &member->values[i];

		if (!test_bit(part->channel + i, mask))
			continue;
		size = value->spec.scan_type.storagebits / 8;
		insert_slot(plan, first, value, place(end, size));
	}

	part->age_at = place_status(mask, part->channel + i, end);
	part->alarm_at = place_status(mask, part->channel + i + 1, end);
}

/* --- ranges --- */

static void begin_range(struct frame_plan *plan, struct frame_part *part,
			const struct dxl_value *value)
{
	plan->ranges[plan->num_ranges++] = (struct frame_range){
		.part = part,
		.addr = value->addr,
		.len = value->size,
		.slow = value->slow,
		.slots = &plan->slots[plan->num_slots],
	};
}

static bool fits_range(const struct frame_range *range,
		       const struct dxl_value *value)
{
	int gap = value->addr - (range->addr + range->len);

	if (gap <= 0)
		return true;

	return value->slow == range->slow && gap <= answer_overhead(range->part);
}

static void extend_range(struct frame_range *range,
			 const struct dxl_value *value)
{
	int end = max(range->addr + range->len, value->addr + value->size);

	range->len = end - range->addr;
	range->slow = range->slow && value->slow;
}

static void plan_part(struct frame_plan *plan, struct frame_part *part,
		      struct frame_slot *slot, struct frame_slot *end)
{
	struct frame_range *range = NULL;

	/* Somebody has to tell how old or ill it is. */
	if (slot == end && (part->age_at >= 0 || part->alarm_at >= 0))
		begin_range(plan, part, &part->member->values[0]);

	for (; slot < end; slot++) {
		if (range && fits_range(range, slot->value)) {
			extend_range(range, slot->value);
		} else {
			begin_range(plan, part, slot->value);
			range = &plan->ranges[plan->num_ranges - 1];
			range->slots = slot;
		}
		range->num_slots++;
	}
}

static void place_raw(struct frame_plan *plan)
{
	struct frame_range *range;
	u8 *raw = plan->raw;
	unsigned int i;

	for (i = 0; i < plan->num_ranges; i++) {
		range = &plan->ranges[i];
		range->raw = raw;
		raw += range->len;
	}
}

/**
 * frame_plan_make() - find out what to read
 * @plan: the plan
 * @mask: which channels are enabled
 * @divider: slow ranges are read in one of so many frames
 */
void frame_plan_make(struct frame_plan *plan, const unsigned long *mask,
		     unsigned int divider)
{
	unsigned int i, end = 0;

	plan->divider = divider;
	plan->num_ranges = 0;
	plan->num_slots = 0;
	for (i = 0; i < plan->num_parts; i++) {
		struct frame_part *part = &plan->parts[i];
		struct frame_slot *first = &plan->slots[plan->num_slots];

		place_part(plan, part, mask, &end);
		plan_part(plan, part, first, &plan->slots[plan->num_slots]);
	}
	place_raw(plan);
}

/* --- what is due --- */

/**
 * frame_range_is_due() - whether registers are read in a frame
 * @plan: the plan
 * @range: the registers
 * @frame: number of the frame
 *
 * Return: true if they are
 */
bool frame_range_is_due(const struct frame_plan *plan,
			const struct frame_range *range, unsigned int frame)
{
	unsigned int turn = range->part->index % plan->divider;

	return !range->slow || frame % plan->divider == turn;
}

/**
 * frame_range_item() - the item that reads registers
 * @range: the registers
 * @ddev: whose they are
 * @item: result
 */
void frame_range_item(const struct frame_range *range, struct dxl_device *ddev,
		      struct dxl_item *item)
{
	*item = (struct dxl_item){
		.ddev = ddev,
		.addr = range->addr,
		.len = range->len,
		.buf = range->raw,
	};
}

static unsigned int bytes_due(const struct frame_plan *plan, unsigned int frame)
{
	const struct frame_range *range;
	unsigned int i, bytes = 0;

	for (i = 0; i < plan->num_ranges; i++) {
		range = &plan->ranges[i];
		if (frame_range_is_due(plan, range, frame))
			bytes += answer_overhead(range->part) + range->len;
	}

	return bytes;
}

/**
 * frame_plan_longest() - what the longest frame reads
 * @plan: the plan
 * @items: result
 *
 * Return: number of items
 */
unsigned int frame_plan_longest(const struct frame_plan *plan,
				struct dxl_item *items)
{
	unsigned int frames = min(plan->divider, plan->num_parts);
	unsigned int i, bytes, most = 0, longest = 0, count = 0;

	for (i = 0; i < frames; i++) {
		bytes = bytes_due(plan, i);
		if (bytes > most) {
			most = bytes;
			longest = i;
		}
	}

	/* Those that have gone may come back, but nobody is there to be asked how. */
	for (i = 0; i < plan->num_ranges; i++) {
		const struct frame_range *range = &plan->ranges[i];
		struct dxl_device *ddev = READ_ONCE(range->part->member->ddev);

		if (ddev && frame_range_is_due(plan, range, longest))
			frame_range_item(range, ddev, &items[count++]);
	}

	return count;
}

/* --- life --- */

/**
 * frame_plan_init() - prepare a plan
 * @plan: the plan, all zeros
 * @members: who takes part; they must outlive it
 *
 * Return: 0 or -ENOMEM. frame_plan_free() is to be called in both cases.
 */
int frame_plan_init(struct frame_plan *plan, const struct list_head *members)
{
	unsigned int channel = 0, count = list_count_nodes((void *)members);
	const struct frame_member *member;
	struct frame_part *part;

	plan->parts = kcalloc(count, sizeof(*plan->parts), GFP_KERNEL);
	if (!plan->parts)
		return -ENOMEM;

	list_for_each_entry(member, members, node) {
		part = &plan->parts[plan->num_parts];
		part->member = member;
		part->index = plan->num_parts++;
		part->channel = channel;
		plan->max_values += member->num_values;
		channel += member->num_values + FRAME_STATUS_CHANNELS;
	}

	plan->ranges = kcalloc(plan->max_values, sizeof(*plan->ranges),
			       GFP_KERNEL);
	plan->slots = kcalloc(plan->max_values, sizeof(*plan->slots),
			      GFP_KERNEL);
	plan->raw = kcalloc(plan->max_values, RAW_MAX, GFP_KERNEL);
	if (!plan->ranges || !plan->slots || !plan->raw)
		return -ENOMEM;

	return 0;
}

/**
 * frame_plan_free() - take back frame_plan_init()
 * @plan: the plan
 */
void frame_plan_free(struct frame_plan *plan)
{
	kfree(plan->raw);
	kfree(plan->slots);
	kfree(plan->ranges);
	kfree(plan->parts);
}
