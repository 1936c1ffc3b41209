// SPDX-License-Identifier: GPL-2.0
/*
 * How a frame is made: what is asked for it, and the sample that comes of that
 *
 * The sample stays from frame to frame, and each puts into it what it has read. So
 * a device that has not answered keeps the values that it had, and its age tells.
 */
#include <linux/cleanup.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "frame.h"

static void take_range(struct frame_device *fd, const struct frame_range *range)
{
	const struct frame_member *member = range->part->member;
	struct dxl_device *ddev = READ_ONCE(member->ddev);
	unsigned int i;

	/* It has gone since it was asked. */
	if (!ddev)
		return;

	for (i = 0; i < range->num_slots; i++) {
		const struct frame_slot *slot = &range->slots[i];
		const struct dxl_value *value = slot->value;
		u8 raw[sizeof(u32)] = {};

		memcpy(raw, range->raw + value->addr - range->addr,
		       value->size);
		dxl_put_value(fd->sample + slot->at,
			      value->spec.scan_type.storagebits / 8,
			      member->ops->decode(ddev, value, raw));
	}
}

/* A refusal is an answer too. */
static void take_items(struct frame_device *fd, const struct dxl_item *items,
		       unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct frame_part *part = fd->asked[i]->part;

		part->asked = true;
		if (!items[i].status || items[i].error)
			part->alarm = items[i].error;
		if (!items[i].status)
			take_range(fd, fd->asked[i]);
		else
			part->missing = true;
	}
}

static void take_status(struct frame_device *fd, struct frame_part *part)
{
	if (part->asked && !part->missing)
		part->age = 0;
	else if (part->age < FRAME_AGE_MAX)
		part->age++;
	part->asked = false;
	part->missing = false;

	if (part->age_at >= 0)
		fd->sample[part->age_at] = part->age;
	if (part->alarm_at >= 0)
		fd->sample[part->alarm_at] = part->alarm;
}

/* One that is not what its driver takes it for has other registers. */
static bool is_usable(const struct frame_member *member, struct dxl_device *ddev)
{
	return ddev && (!member->ops->usable || member->ops->usable(ddev));
}

static unsigned int ask(struct frame_device *fd, struct frame_range *range,
			struct dxl_item *items, unsigned int count)
{
	const struct frame_member *member = range->part->member;
	/* Its driver's functions are those that it had before. */
	struct dxl_device *ddev = smp_load_acquire(&member->ddev);

	if (!is_usable(member, ddev))
		return count;

	fd->asked[count] = range;
	frame_range_item(range, ddev, &items[count]);

	return count + 1;
}

/**
 * frame_begin() - begin a frame, if one is due
 * @indio_dev: the IIO device; its buffer is enabled
 * @items: what is to be read
 * @count: their number
 *
 * Context: Any but hard interrupt context. Does not sleep.
 * Return: true if one was due; frame_end() must follow then
 */
bool frame_begin(struct iio_dev *indio_dev, struct dxl_item *items,
		 unsigned int *count)
{
	struct frame_device *fd = iio_priv(indio_dev);
	struct frame_plan *plan = &fd->plan;
	unsigned int i;

	*count = 0;
	if (!atomic_xchg(&fd->due, 0))
		return false;

	fd->timestamp = iio_get_time_ns(indio_dev);
	for (i = 0; i < plan->num_ranges; i++)
		if (frame_range_is_due(plan, &plan->ranges[i], fd->frame))
			*count = ask(fd, &plan->ranges[i], items, *count);
	fd->frame = (fd->frame + 1) % plan->divider;

	return true;
}

/**
 * frame_end() - give a frame to its readers
 * @indio_dev: the IIO device
 * @items: what has been read
 * @count: their number
 *
 * Context: Any but hard interrupt context. Does not sleep.
 */
void frame_end(struct iio_dev *indio_dev, const struct dxl_item *items,
	       unsigned int count)
{
	struct frame_device *fd = iio_priv(indio_dev);
	unsigned int i;

	take_items(fd, items, count);
	for (i = 0; i < fd->plan.num_parts; i++)
		take_status(fd, &fd->plan.parts[i]);

	if (iio_push_to_buffers_with_timestamp(indio_dev, fd->sample,
					       fd->timestamp))
		atomic_inc(&fd->dropped);
	else
		atomic_inc(&fd->frames);
}

/*
 * Read the slow values: the first frames would have none, as each has to wait for
 * its turn. Who does not answer now has none until then. Returns 0 or a negative
 * errno.
 */
int frame_read_slow(struct frame_device *fd)
{
	unsigned int i, count = 0, ranges = fd->plan.num_ranges;
	struct dxl_item *items __free(kfree) = NULL;
	struct dxl_group *group;
	int ret;

	items = kcalloc(ranges, sizeof(*items), GFP_KERNEL);
	group = dxl_group_alloc(fd->bus, ranges, DXL_PRIO_REQUEST);
	if (!items || !group) {
		dxl_group_free(group);
		return -ENOMEM;
	}

	for (i = 0; i < ranges; i++)
		if (fd->plan.ranges[i].slow)
			count = ask(fd, &fd->plan.ranges[i], items, count);

	ret = dxl_group_read_sync(group, items, count);
	if (!ret)
		take_items(fd, items, count);
	dxl_group_free(group);

	return ret;
}

/* A buffer that is enabled begins anew. */
void frame_forget(struct frame_device *fd)
{
	unsigned int i;

	for (i = 0; i < fd->plan.num_parts; i++) {
		struct frame_part *part = &fd->plan.parts[i];

		part->age = FRAME_AGE_MAX;
		part->asked = false;
		part->missing = false;
	}

	fd->frame = 0;
	atomic_set(&fd->frames, 0);
	atomic_set(&fd->dropped, 0);
}
