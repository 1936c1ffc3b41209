// SPDX-License-Identifier: GPL-2.0
/*
 * The pose of a bus: an IIO device whose buffer moves all its servos at once
 *
 * A sample holds goal position and goal speed of every servo, by rising ID and
 * each as long as the servo's register. On each tick of the trigger one sample
 * leaves the buffer as one SYNC WRITE, or as few as the core can make of it.
 *
 * The trigger handler only fills items and submits them. If those of the
 * previous tick are still queued, the sample waits for the next tick, so that
 * poses never pile up behind other traffic. While @in_flight is set the items
 * are the core's; so the device stays until it is 0 again.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <linux/wait_bit.h>

#include "servo.h"

#define CHANNELS_PER_SERVO	2

/* Room for both goals, which are neighbours in every model. */
#define GOAL_MAX	(CHANNELS_PER_SERVO * SERVO_FIELD_MAX)

/**
 * struct pose_goal - a goal of a servo
 * @field: the register
 * @range: lowest value, step and highest value
 * @offset: where it is in a sample
 * @at: where it is in the bytes of the packet
 */
struct pose_goal {
	const struct dxl_servo_field *field;
	const int *range;
	unsigned int offset;
	unsigned int at;
};

/**
 * struct pose_target - a servo and its goals
 * @servo: the servo
 * @goals: goal position and goal speed
 * @item: both as they go to the servo
 * @bytes: memory of @item
 */
struct pose_target {
	struct dxl_servo *servo;
	struct pose_goal goals[CHANNELS_PER_SERVO];
	struct dxl_item item;
	u8 bytes[GOAL_MAX];
};

/**
 * struct pose - private data of the IIO device
 * @group: sends the items
 * @in_flight: they are being sent
 * @sample: the sample being sent
 * @count: number of servos
 * @targets: the servos, by rising ID
 * @items: what goes to those of them that take poses at this moment
 */
struct pose {
	struct dxl_group *group;
	atomic_t in_flight;
	u8 *sample;
	unsigned int count;
	struct pose_target *targets;
	struct dxl_item *items;
};

static const enum dxl_servo_reg goal_regs[CHANNELS_PER_SERVO] = {
	SERVO_GOAL_POSITION, SERVO_GOAL_SPEED
};

/* --- sending --- */

static void pose_idle(struct pose *pose)
{
	/* The device may go at once: only its address is used then. */
	atomic_set_release(&pose->in_flight, 0);
	wake_up_var(&pose->in_flight);
}

static void pose_complete(struct dxl_group *group, void *pose)
{
	pose_idle(pose);
}

/* Only a goal that can be negative has a sign in the sample. */
static bool goal_signed(const struct pose_goal *goal)
{
	return goal->range[0] < 0;
}

static int sample_value(const struct pose_goal *goal, const u8 *sample)
{
	const u8 *raw = sample + goal->offset;
	u8 size = goal->field->size;
	u32 value = size == 2 ? get_unaligned_le16(raw) :
				get_unaligned_le32(raw);

	if (goal_signed(goal))
		return sign_extend32(value, 8 * size - 1);

	return min_t(u32, value, INT_MAX);
}

static void pose_fill(struct pose_target *target, const u8 *sample)
{
	const struct pose_goal *goal;
	unsigned int i;
	int value;

	for (i = 0; i < CHANNELS_PER_SERVO; i++) {
		goal = &target->goals[i];
		value = clamp(sample_value(goal, sample), goal->range[0],
			      goal->range[2]);
		dxl_servo_encode(goal->field, value, target->bytes + goal->at);
	}
}

/* A servo may have ceased to take poses before the device is made anew. */
static unsigned int pose_items(struct pose *pose)
{
	unsigned int i, count = 0;

	for (i = 0; i < pose->count; i++) {
		struct pose_target *target = &pose->targets[i];

		if (!READ_ONCE(target->servo->poses))
			continue;

		pose_fill(target, pose->sample);
		pose->items[count++] = target->item;
	}

	return count;
}

static void pose_send(struct pose *pose)
{
	unsigned int count = pose_items(pose);

	if (!count)
		return;

	atomic_set(&pose->in_flight, 1);
	if (dxl_group_write(pose->group, pose->items, count, pose_complete,
			    pose))
		pose_idle(pose);
}

static irqreturn_t pose_trigger_handler(int irq, void *p)
{
	struct iio_poll_func *pf = p;
	struct iio_dev *indio_dev = pf->indio_dev;
	struct pose *pose = iio_priv(indio_dev);

	if (!atomic_read_acquire(&pose->in_flight) &&
	    !iio_pop_from_buffer(indio_dev->buffer, pose->sample))
		pose_send(pose);

	iio_trigger_notify_done(indio_dev->trig);

	return IRQ_HANDLED;
}

/* --- buffer --- */

/* A sync write gives every servo in it the same registers. */
static int pose_preenable(struct iio_dev *indio_dev)
{
	if (bitmap_full(indio_dev->active_scan_mask,
			iio_get_masklength(indio_dev)))
		return 0;

	dev_dbg(&indio_dev->dev, "a pose has all channels: enable each\n");

	return -EINVAL;
}

static int pose_postdisable(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);

	wait_var_event(&pose->in_flight, !atomic_read(&pose->in_flight));

	return 0;
}

static const struct iio_buffer_setup_ops pose_buffer_ops = {
	.preenable = pose_preenable,
	.postdisable = pose_postdisable,
};

/* --- channels --- */

static struct dxl_servo *pose_servo(struct iio_dev *indio_dev,
				    const struct iio_chan_spec *chan)
{
	struct pose *pose = iio_priv(indio_dev);

	return pose->targets[chan->scan_index / CHANNELS_PER_SERVO].servo;
}

static int pose_read_raw(struct iio_dev *indio_dev,
			 const struct iio_chan_spec *chan, int *val, int *val2,
			 long mask)
{
	return dxl_servo_read_raw(pose_servo(indio_dev, chan), chan, val, val2,
				  mask);
}

static int pose_read_avail(struct iio_dev *indio_dev,
			   const struct iio_chan_spec *chan, const int **vals,
			   int *type, int *length, long mask)
{
	return dxl_servo_read_avail(pose_servo(indio_dev, chan), chan, vals,
				    type, mask);
}

static int pose_read_label(struct iio_dev *indio_dev,
			   const struct iio_chan_spec *chan, char *label)
{
	const struct dxl_servo *servo = pose_servo(indio_dev, chan);

	return sysfs_emit(label, "%s\n",
			  servo->label ?: dev_name(&servo->ddev->dev));
}

static const struct iio_info pose_info = {
	.read_raw = pose_read_raw,
	.read_avail = pose_read_avail,
	.read_label = pose_read_label,
};

static void pose_channel(struct iio_chan_spec *chan,
			 const struct pose_target *target, unsigned int i,
			 int scan_index)
{
	const struct pose_goal *goal = &target->goals[i];
	bool position = goal_regs[i] == SERVO_GOAL_POSITION;

	*chan = (struct iio_chan_spec){
		.type = position ? IIO_ANGL : IIO_ANGL_VEL,
		.indexed = 1,
		.channel = target->servo->ddev->id,
		.output = 1,
		.address = goal_regs[i],
		.scan_index = scan_index,
		.scan_type = {
			.sign = goal_signed(goal) ? 's' : 'u',
			.realbits = 8 * goal->field->size,
			.storagebits = 8 * goal->field->size,
			.endianness = IIO_LE,
		},
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW) |
				      BIT(IIO_CHAN_INFO_SCALE),
		.info_mask_separate_available = BIT(IIO_CHAN_INFO_RAW),
	};

	if (position)
		chan->info_mask_separate |= BIT(IIO_CHAN_INFO_OFFSET);
}

static struct iio_chan_spec *pose_channels(const struct pose *pose)
{
	unsigned int i, count = CHANNELS_PER_SERVO * pose->count;
	struct iio_chan_spec *channels;

	channels = kcalloc(count, sizeof(*channels), GFP_KERNEL);
	if (!channels)
		return NULL;

	for (i = 0; i < count; i++)
		pose_channel(&channels[i],
			     &pose->targets[i / CHANNELS_PER_SERVO],
			     i % CHANNELS_PER_SERVO, i);

	return channels;
}

/* --- life --- */

/* Place the goals of a servo in its item; IIO places them in the sample. */
static unsigned int add_target(struct pose *pose, struct dxl_servo *servo,
			       unsigned int sample_size)
{
	struct pose_target *target = &pose->targets[pose->count];
	struct dxl_item *item = &target->item;
	struct pose_goal *goal;
	unsigned int i;

	pose->count++;
	target->servo = servo;
	*item = (struct dxl_item){
		.ddev = servo->ddev,
		.addr = U16_MAX,
		.buf = target->bytes,
	};

	for (i = 0; i < CHANNELS_PER_SERVO; i++) {
		goal = &target->goals[i];
		goal->field = dxl_servo_field(servo, goal_regs[i]);
		goal->range = dxl_servo_range(servo, goal_regs[i]);
		goal->offset = ALIGN(sample_size, goal->field->size);
		sample_size = goal->offset + goal->field->size;
		item->addr = min(item->addr, goal->field->addr);
		item->len += goal->field->size;
	}

	for (i = 0; i < CHANNELS_PER_SERVO; i++) {
		goal = &target->goals[i];
		goal->at = goal->field->addr - item->addr;
	}

	return sample_size;
}

static int pose_alloc(struct pose *pose, struct dxl_bus *bus,
		      unsigned int count)
{
	/* What IIO adds to align the next sample is less than a register. */
	pose->sample = kcalloc(count, GOAL_MAX, GFP_KERNEL);
	pose->targets = kcalloc(count, sizeof(*pose->targets), GFP_KERNEL);
	pose->items = kcalloc(count, sizeof(*pose->items), GFP_KERNEL);
	pose->group = dxl_group_alloc(bus, count, DXL_PRIO_CYCLIC);
	if (!pose->sample || !pose->targets || !pose->items || !pose->group)
		return -ENOMEM;

	return 0;
}

static void pose_free(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);

	kfree(indio_dev->name);
	kfree(indio_dev->channels);
	if (pose->group)
		dxl_group_free(pose->group);
	kfree(pose->items);
	kfree(pose->targets);
	kfree(pose->sample);
	iio_device_free(indio_dev);
}

static int pose_init(struct iio_dev *indio_dev, struct dxl_bus *bus,
		     const struct list_head *servos)
{
	struct pose *pose = iio_priv(indio_dev);
	unsigned int count = list_count_nodes((struct list_head *)servos);
	unsigned int sample_size = 0;
	struct dxl_servo *servo;
	int ret;

	ret = pose_alloc(pose, bus, count);
	if (ret)
		return ret;

	list_for_each_entry(servo, servos, node)
		if (READ_ONCE(servo->poses))
			sample_size = add_target(pose, servo, sample_size);

	indio_dev->name = kasprintf(GFP_KERNEL, "%s-goal",
				    dev_name(dxl_bus_dev(bus)));
	indio_dev->channels = pose_channels(pose);
	if (!indio_dev->name || !indio_dev->channels)
		return -ENOMEM;

	indio_dev->num_channels = CHANNELS_PER_SERVO * pose->count;
	indio_dev->info = &pose_info;
	indio_dev->modes = INDIO_DIRECT_MODE;

	return 0;
}

/**
 * dxl_pose_create() - create and register the pose device of a bus
 * @bus: the bus
 * @servos: what it moves, &struct dxl_servo by rising ID; they must outlive it
 *
 * Return: the IIO device, an ERR_PTR, or NULL where there is nothing to move
 */
struct iio_dev *dxl_pose_create(struct dxl_bus *bus,
				const struct list_head *servos)
{
	struct iio_dev *indio_dev;
	int ret;

	indio_dev = iio_device_alloc(dxl_bus_dev(bus), sizeof(struct pose));
	if (!indio_dev)
		return ERR_PTR(-ENOMEM);

	ret = pose_init(indio_dev, bus, servos);
	if (ret)
		goto err_free;
	if (!indio_dev->num_channels) {
		pose_free(indio_dev);
		return NULL;
	}

	ret = iio_triggered_buffer_setup_ext(indio_dev, NULL,
					     pose_trigger_handler,
					     IIO_BUFFER_DIRECTION_OUT,
					     &pose_buffer_ops, NULL);
	if (ret)
		goto err_free;

	indio_dev->trig = iio_trigger_get(dxl_bus_cycle(bus));
	ret = iio_device_register(indio_dev);
	if (ret)
		goto err_buffer;

	return indio_dev;

err_buffer:
	iio_triggered_buffer_cleanup(indio_dev);
err_free:
	pose_free(indio_dev);

	return ERR_PTR(ret);
}

/**
 * dxl_pose_destroy() - take back dxl_pose_create()
 * @indio_dev: the pose device
 */
void dxl_pose_destroy(struct iio_dev *indio_dev)
{
	iio_device_unregister(indio_dev);
	iio_triggered_buffer_cleanup(indio_dev);
	pose_free(indio_dev);
}
