// SPDX-License-Identifier: GPL-2.0
/*
 * Whose values the frames of a bus carry
 *
 * Drivers join with the values of their devices. IIO wants to know all channels of
 * a device when it is registered, but devices come and go. So the frame device is
 * registered anew a moment after one has joined or left, which for a whole robot happens
 * once, and not while somebody reads frames: a device that leaves meanwhile has its
 * channels until then, and takes them again when it comes back; one that is new has none.
 *
 * Locks: @members_lock guards the members and the frame device. Removal of that
 * waits for its users, so the lock is never taken on behalf of one: they hold @users while
 * they use a member. @lock guards @streaming, which an exchange looks at once, as it
 * begins; dxl_cycle_flush() sees to it that none uses it any more, nor a member that has
 * left.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/iio/iio.h>
#include <linux/jiffies.h>
#include <linux/kobject.h>
#include <linux/kstrtox.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include "../base/base.h"
#include "exchange.h"
#include "frame.h"

/* Devices bind within milliseconds of each other, by asynchronous probing. */
#define SETTLE_MS	100

/* Temperature and voltage change in seconds. */
#define SLOW_DIVIDER_DEFAULT	10
#define SLOW_DIVIDER_MAX	1000

/* --- the exchange's view of it --- */

/* Most items that a frame of @bus can have. */
unsigned int dxl_frame_max_items(struct dxl_bus *bus)
{
	return READ_ONCE(bus->frame->max_items);
}

/* Fill in the items of the longest frame, as long as there are frames. */
unsigned int dxl_frame_plan(struct dxl_bus *bus, struct dxl_item *items)
{
	struct dxl_frame *frame = bus->frame;
	struct frame_device *fd;
	unsigned int count = 0;

	spin_lock_bh(&frame->lock);
	if (frame->streaming) {
		fd = iio_priv(frame->streaming);
		count = frame_plan_longest(&fd->plan, items);
	}
	spin_unlock_bh(&frame->lock);

	return count;
}

/* Begin a frame, if one is due: fill in its items. */
unsigned int dxl_frame_fill(struct dxl_bus *bus, struct dxl_item *items)
{
	struct dxl_frame *frame = bus->frame;
	struct iio_dev *indio_dev;
	unsigned int count = 0;

	spin_lock_bh(&frame->lock);
	indio_dev = frame->streaming;
	spin_unlock_bh(&frame->lock);

	if (indio_dev && !frame_begin(indio_dev, items, &count))
		indio_dev = NULL;
	frame->reading = indio_dev;

	return count;
}

/* Whether there was one or not, the exchange has ended. */
void dxl_frame_done(struct dxl_bus *bus, const struct dxl_item *items,
		    unsigned int count)
{
	struct dxl_frame *frame = bus->frame;

	if (frame->reading)
		frame_end(frame->reading, items, count);
}

/* --- slow values --- */

static ssize_t slow_divider_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(to_dxl_bus(dev)->frame->slow_divider));
}

static ssize_t slow_divider_store(struct device *dev,
				  struct device_attribute *attr,
				  const char *buf, size_t len)
{
	struct dxl_frame *frame = to_dxl_bus(dev)->frame;
	unsigned int divider;
	int ret;

	ret = kstrtouint(buf, 0, &divider);
	if (ret)
		return ret;
	if (!divider || divider > SLOW_DIVIDER_MAX)
		return -ERANGE;

	/* The time that frames take has been agreed upon. */
	spin_lock_bh(&frame->lock);
	if (frame->streaming)
		ret = -EBUSY;
	else
		WRITE_ONCE(frame->slow_divider, divider);
	spin_unlock_bh(&frame->lock);

	return ret ?: len;
}
DEVICE_ATTR_RW(slow_divider);

/* --- members --- */

/* Whether frames have channels for the members that there are. */
static void set_in_frames(struct dxl_frame *frame, bool in_frames)
{
	struct frame_member *member;

	lockdep_assert_held(&frame->members_lock);

	list_for_each_entry(member, &frame->members, node)
		member->in_frames = in_frames;
}

static void drop_device(struct dxl_frame *frame)
{
	lockdep_assert_held(&frame->members_lock);

	if (frame->indio_dev)
		frame_device_destroy(frame->indio_dev);
	frame->indio_dev = NULL;
	set_in_frames(frame, false);
}

static unsigned int count_values(const struct dxl_frame *frame)
{
	const struct frame_member *member;
	unsigned int count = 0;

	list_for_each_entry(member, &frame->members, node)
		count += member->num_values;

	return count;
}

static struct iio_dev *create_device(struct dxl_bus *bus)
{
	struct dxl_frame *frame = bus->frame;
	int ret;

	WRITE_ONCE(frame->max_items, count_values(frame));
	ret = dxl_exchange_resize(bus);
	if (ret)
		return ERR_PTR(ret);

	return frame_device_create(bus, &frame->members);
}

/* Frames have channels for them no more. */
static void drop_absent(struct dxl_frame *frame)
{
	struct frame_member *member, *next;

	lockdep_assert_held(&frame->members_lock);

	list_for_each_entry_safe(member, next, &frame->members, node) {
		if (member->ddev)
			continue;
		list_del(&member->node);
		frame_member_destroy(member);
	}
}

/* Whether somebody reads frames. */
bool dxl_frame_is_read(struct dxl_frame *frame)
{
	bool read;

	spin_lock_bh(&frame->lock);
	read = frame->streaming;
	spin_unlock_bh(&frame->lock);

	return read;
}

/* Whether they have others than those that are there. */
static bool is_stale(const struct dxl_frame *frame)
{
	const struct frame_member *member;

	list_for_each_entry(member, &frame->members, node)
		if (member->in_frames != !!member->ddev)
			return true;

	return false;
}

static void set_stale(struct dxl_frame *frame, bool stale)
{
	char *env[2] = { stale ? "DXL_STALE=1" : "DXL_STALE=0", NULL };

	if (frame->stale == stale)
		return;

	WRITE_ONCE(frame->stale, stale);
	if (!frame->indio_dev)
		return;

	sysfs_notify(&frame->indio_dev->dev.kobj, NULL, "stale");
	kobject_uevent_env(&frame->indio_dev->dev.kobj, KOBJ_CHANGE, env);
}

static void frame_rebuild(struct work_struct *work)
{
	struct dxl_frame *frame = container_of(to_delayed_work(work),
					       struct dxl_frame, rebuild);
	struct dxl_bus *bus = frame->bus;
	bool was_stale = frame->stale;
	struct iio_dev *indio_dev;

	guard(mutex)(&frame->members_lock);

	/* Before it is looked whether somebody reads, who looks at it when he ends. */
	set_stale(frame, is_stale(frame));
	if (!frame->stale)
		return;
	if (dxl_frame_is_read(frame)) {
		if (!was_stale)
			dev_info(&bus->dev,
				 "the members of frames change when the buffer that is open is closed\n");
		return;
	}

	drop_device(frame);
	drop_absent(frame);
	WRITE_ONCE(frame->stale, false);
	if (list_empty(&frame->members))
		return;

	indio_dev = create_device(bus);
	if (IS_ERR(indio_dev)) {
		dev_err(&bus->dev, "no frame device: %pe\n", indio_dev);
		return;
	}

	frame->indio_dev = indio_dev;
	set_in_frames(frame, true);
}

static void rebuild_soon(struct dxl_frame *frame)
{
	mod_delayed_work(system_percpu_wq, &frame->rebuild,
			 msecs_to_jiffies(SETTLE_MS));
}

/* Nobody reads the frames of @bus any more, nor can he before it is done. */
void dxl_frame_unread(struct dxl_bus *bus)
{
	if (READ_ONCE(bus->frame->stale))
		mod_delayed_work(system_percpu_wq, &bus->frame->rebuild, 0);
}

static struct frame_member *find_place(struct dxl_frame *frame,
				       const struct frame_member *like)
{
	struct frame_member *member;

	list_for_each_entry(member, &frame->members, node)
		if (!member->ddev && frame_member_is_like(member, like))
			return member;

	return NULL;
}

static void insert_member(struct dxl_frame *frame, struct frame_member *member)
{
	struct frame_member *other;

	lockdep_assert_held(&frame->members_lock);

	list_for_each_entry(other, &frame->members, node)
		if (other->id > member->id)
			break;
	list_add_tail(&member->node, &other->node);
}

static void set_device(struct frame_member *member, struct dxl_device *ddev,
		       const struct dxl_frame_ops *ops)
{
	member->ops = ops;
	/* Who sees the device uses these, see ask() in frame_sample.c. */
	smp_store_release(&member->ddev, ddev);
}

static int frame_join(struct dxl_device *ddev, const struct dxl_frame_ops *ops,
		      const struct dxl_value *values, unsigned int num_values)
{
	struct dxl_frame *frame = ddev->bus->frame;
	struct frame_member *member, *place;

	member = frame_member_create(ddev, ops, values, num_values);
	if (!member)
		return -ENOMEM;

	guard(mutex)(&frame->members_lock);

	place = find_place(frame, member);
	if (place) {
		frame_member_destroy(member);
		member = place;
	} else {
		insert_member(frame, member);
	}
	scoped_guard(rwsem_write, &frame->users)
		set_device(member, ddev, ops);
	/* It takes its time again. */
	if (place)
		dxl_cycle_update(frame->bus);
	rebuild_soon(frame);

	return 0;
}

/* Nothing of it is used any more on return. */
static void take_device(struct dxl_frame *frame, struct frame_member *member)
{
	scoped_guard(rwsem_write, &frame->users)
		WRITE_ONCE(member->ddev, NULL);
	dxl_cycle_flush(frame->bus);
	/* Nor by who is just computing how long a frame takes. */
	dxl_cycle_update(frame->bus);
}

/**
 * dxl_frame_leave() - take back devm_dxl_frame_join() early
 * @ddev: the device; nothing of its driver is used any more on return
 *
 * Context: Process context. Sleeps.
 */
void dxl_frame_leave(struct dxl_device *ddev)
{
	struct dxl_frame *frame = ddev->bus->frame;
	struct frame_member *member;
	bool deserted = true;

	guard(mutex)(&frame->members_lock);

	list_for_each_entry(member, &frame->members, node) {
		if (member->ddev == ddev)
			take_device(frame, member);
		if (member->ddev && member->in_frames)
			deserted = false;
	}
	/* There is nothing to be read any more. */
	if (deserted)
		drop_device(frame);
	rebuild_soon(frame);
}
EXPORT_SYMBOL_NS_GPL(dxl_frame_leave, "DXL");

static void leave(void *ddev)
{
	dxl_frame_leave(ddev);
}

/**
 * devm_dxl_frame_join() - have the frames of a bus carry the values of a device
 * @ddev: the device, which leaves when its driver unbinds
 * @ops: what frames ask the driver
 * @values: the values, no two of one type, modifier and number
 * @num_values: their number, at least 1
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EINVAL without a value, or -ENOMEM
 */
int devm_dxl_frame_join(struct dxl_device *ddev,
			const struct dxl_frame_ops *ops,
			const struct dxl_value *values, unsigned int num_values)
{
	int ret;

	if (!num_values)
		return -EINVAL;

	ret = frame_join(ddev, ops, values, num_values);
	if (ret)
		return ret;

	return devm_add_action_or_reset(&ddev->dev, leave, ddev);
}
EXPORT_SYMBOL_NS_GPL(devm_dxl_frame_join, "DXL");

/* --- life --- */

/* Returns 0 or -ENOMEM. */
int dxl_frame_alloc(struct dxl_bus *bus)
{
	struct dxl_frame *frame = kzalloc(sizeof(*frame), GFP_KERNEL);

	if (!frame)
		return -ENOMEM;

	bus->frame = frame;
	frame->bus = bus;
	spin_lock_init(&frame->lock);
	mutex_init(&frame->members_lock);
	init_rwsem(&frame->users);
	INIT_LIST_HEAD(&frame->members);
	INIT_DELAYED_WORK(&frame->rebuild, frame_rebuild);
	frame->slow_divider = SLOW_DIVIDER_DEFAULT;

	return 0;
}

void dxl_frame_free(struct dxl_bus *bus)
{
	kfree(bus->frame);
}

/* No device of the bus is left. */
void dxl_frame_exit(struct dxl_bus *bus)
{
	struct dxl_frame *frame = bus->frame;

	disable_delayed_work_sync(&frame->rebuild);

	guard(mutex)(&frame->members_lock);

	drop_device(frame);
	drop_absent(frame);
}
