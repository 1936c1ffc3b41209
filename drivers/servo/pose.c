// SPDX-License-Identifier: GPL-2.0
/*
 * The pose of a bus: an IIO device whose buffer moves all its servos at once
 *
 * A sample holds goal position and goal speed of every servo, by rising ID and
 * each as long as the servo's register, and its stiffness if that has been asked for, see
 * stiffness.c. This file knows what a sample is; when one
 * is sent, and what becomes of it when nobody is there any more, is in stream.c.
 */
#include <linux/align.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/interrupt.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "pose.h"

static const enum dxl_servo_reg goal_regs[GOALS] = {
	SERVO_GOAL_POSITION, SERVO_GOAL_SPEED
};

/* --- samples --- */

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

/**
 * dxl_pose_fill() - the goals of a servo as they go to it
 * @target: the servo
 * @sample: the sample
 */
void dxl_pose_fill(struct pose_target *target, const u8 *sample)
{
	const struct pose_goal *goal;
	unsigned int i;
	int value;

	for (i = 0; i < GOALS; i++) {
		goal = &target->goals[i];
		value = clamp(sample_value(goal, sample), goal->range[0],
			      goal->range[2]);
		dxl_servo_encode(goal->field, value, target->bytes + goal->at);
	}
}

/**
 * dxl_pose_takes() - whether a servo gets goals now
 * @servo: the servo
 *
 * One may have ceased to take poses before the device is made anew, and one that is free,
 * or may be, would be switched on by its goal.
 *
 * Context: Any, with the team's stream_lock held.
 * Return: true if it does
 */
bool dxl_pose_takes(struct dxl_servo *servo)
{
	if (!dxl_servo_takes_poses(servo))
		return false;

	switch (dxl_torque_now(servo)) {
	case TORQUE_UNUSED:
	case TORQUE_STIFF:
	case TORQUE_RECOVERING:
		return true;
	default:
		return false;
	}
}

/**
 * dxl_pose_items() - a sample as it goes to the servos
 * @pose: the pose device, its sample taken from the buffer
 * @items: where to put it
 *
 * Return: number of items
 */
unsigned int dxl_pose_items(struct pose *pose, struct dxl_item *items)
{
	unsigned int i, count = 0;

	for (i = 0; i < pose->count; i++) {
		struct pose_target *target = &pose->targets[i];

		if (!dxl_pose_takes(target->servo))
			continue;

		dxl_torque_event(target->servo, TORQUE_MOVED);
		dxl_pose_fill(target, pose->sample);
		items[count++] = target->item;
	}

	return count;
}

/**
 * dxl_pose_register() - a register as it goes to a servo
 * @item: where to put it
 * @servo: the servo
 * @reg: the register
 * @buf: what it holds
 */
void dxl_pose_register(struct dxl_item *item, const struct dxl_servo *servo,
		       enum dxl_servo_reg reg, u8 *buf)
{
	const struct dxl_servo_field *field = dxl_servo_field(servo, reg);

	*item = (struct dxl_item){
		.ddev = servo->ddev,
		.addr = field->addr,
		.len = field->size,
		.buf = buf,
	};
}

/* --- buffer --- */

/* What is to be done begins behind it. In a context like that of frames. */
static irqreturn_t pose_due(int irq, void *p)
{
	struct iio_poll_func *pf = p;
	struct iio_dev *indio_dev = pf->indio_dev;
	struct pose *pose = iio_priv(indio_dev);

	atomic_set(&pose->due, 1);
	dxl_cycle_kick(pose->team->bus);
	iio_trigger_notify_done(indio_dev->trig);

	return IRQ_HANDLED;
}

static irqreturn_t pose_tick(int irq, void *p)
{
	struct iio_poll_func *pf = p;

	if (dxl_trigger_needs_thread(pf->indio_dev->trig))
		return IRQ_WAKE_THREAD;

	return pose_due(irq, p);
}

/* A sync write gives every servo in it the same registers. */
static int pose_preenable(struct iio_dev *indio_dev)
{
	if (bitmap_full(indio_dev->active_scan_mask,
			iio_get_masklength(indio_dev)))
		return dxl_stream_begin(iio_priv(indio_dev));

	dev_dbg(&indio_dev->dev, "a pose has all channels: enable each\n");

	return -EINVAL;
}

static int pose_postdisable(struct iio_dev *indio_dev)
{
	dxl_stream_end(iio_priv(indio_dev));

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

	return pose->targets[chan->scan_index / pose->channels].servo;
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
	.attrs = &dxl_stream_attrs,
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

static void stiffness_channel(struct iio_chan_spec *chan,
			      const struct pose_target *target, int scan_index)
{
	*chan = (struct iio_chan_spec){
		.type = IIO_COUNT,
		.indexed = 1,
		.channel = target->servo->ddev->id,
		.output = 1,
		.address = SERVO_TORQUE_LIMIT,
		.scan_index = scan_index,
		.scan_type = {
			.sign = 's',
			.realbits = 8 * STIFFNESS_SIZE,
			.storagebits = 8 * STIFFNESS_SIZE,
			.endianness = IIO_LE,
		},
		.info_mask_separate = BIT(IIO_CHAN_INFO_SCALE),
	};
}

static struct iio_chan_spec *pose_channels(const struct pose *pose)
{
	unsigned int i, k, count = pose->channels * pose->count;
	const struct pose_target *target;
	struct iio_chan_spec *channels;

	channels = kcalloc(count, sizeof(*channels), GFP_KERNEL);
	if (!channels)
		return NULL;

	for (i = 0; i < count; i++) {
		target = &pose->targets[i / pose->channels];
		k = i % pose->channels;
		if (k < GOALS)
			pose_channel(&channels[i], target, k, i);
		else
			stiffness_channel(&channels[i], target, i);
	}

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

	for (i = 0; i < GOALS; i++) {
		goal = &target->goals[i];
		goal->field = dxl_servo_field(servo, goal_regs[i]);
		goal->range = dxl_servo_range(servo, goal_regs[i]);
		goal->offset = ALIGN(sample_size, goal->field->size);
		sample_size = goal->offset + goal->field->size;
		item->addr = min(item->addr, goal->field->addr);
		item->len += goal->field->size;
	}

	for (i = 0; i < GOALS; i++) {
		goal = &target->goals[i];
		goal->at = goal->field->addr - item->addr;
	}

	if (!pose->stiffness)
		return sample_size;

	target->stiffness_at = ALIGN(sample_size, STIFFNESS_SIZE);

	return target->stiffness_at + STIFFNESS_SIZE;
}

static int pose_alloc(struct pose *pose, unsigned int count)
{
	/* What IIO adds to align the next sample is less than a register. */
	pose->sample = kcalloc(count, CHANNELS_MAX * SERVO_FIELD_MAX, GFP_KERNEL);
	pose->targets = kcalloc(count, sizeof(*pose->targets), GFP_KERNEL);
	pose->servos = kcalloc(count, sizeof(*pose->servos), GFP_KERNEL);
	pose->items = kcalloc(count, sizeof(*pose->items), GFP_KERNEL);
	pose->survey = dxl_group_alloc(pose->team->bus, count,
				       DXL_PRIO_REQUEST);
	pose->release = dxl_group_alloc(pose->team->bus, count,
					DXL_PRIO_RELEASE);
	if (!pose->sample || !pose->targets || !pose->servos || !pose->items ||
	    !pose->survey || !pose->release)
		return -ENOMEM;

	return 0;
}

static void pose_free(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);

	kfree(indio_dev->name);
	kfree(indio_dev->channels);
	dxl_group_free(pose->release);
	dxl_group_free(pose->survey);
	kfree(pose->items);
	kfree(pose->servos);
	kfree(pose->targets);
	kfree(pose->sample);
	iio_device_free(indio_dev);
}

static int pose_init(struct iio_dev *indio_dev, struct dxl_team *team)
{
	struct pose *pose = iio_priv(indio_dev);
	unsigned int sample_size = 0;
	struct dxl_servo *servo;
	int ret;

	pose->indio_dev = indio_dev;
	pose->team = team;
	pose->stiffness = READ_ONCE(team->stiffness);
	pose->channels = pose->stiffness ? CHANNELS_MAX : GOALS;
	dxl_stream_init(pose);
	ret = pose_alloc(pose, list_count_nodes(&team->servos));
	if (ret)
		return ret;

	list_for_each_entry(servo, &team->servos, node) {
		pose->servos[pose->num_servos++] = servo;
		if (dxl_servo_takes_poses(servo))
			sample_size = add_target(pose, servo, sample_size);
	}

	indio_dev->name = kasprintf(GFP_KERNEL, "%s-goal",
				    dev_name(dxl_bus_dev(team->bus)));
	indio_dev->channels = pose_channels(pose);
	if (!indio_dev->name || !indio_dev->channels)
		return -ENOMEM;

	indio_dev->num_channels = pose->channels * pose->count;
	indio_dev->info = &pose_info;
	indio_dev->modes = INDIO_DIRECT_MODE;

	return 0;
}

/* Let exchanges carry what the device has to say, and user space use it. */
static int pose_register(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);
	struct dxl_bus *bus = pose->team->bus;
	int ret;

	ret = dxl_cycle_add_output(bus, &pose->output);
	if (ret)
		return ret;

	indio_dev->trig = iio_trigger_get(dxl_bus_cycle(bus));
	ret = iio_device_register(indio_dev);
	if (ret)
		dxl_cycle_remove_output(bus, &pose->output);

	return ret;
}

/**
 * dxl_pose_create() - create and register the pose device of a bus
 * @team: the servos of the bus, which must outlive it
 *
 * Return: the IIO device, an ERR_PTR, or NULL where there is nothing to move
 */
struct iio_dev *dxl_pose_create(struct dxl_team *team)
{
	struct iio_dev *indio_dev;
	int ret;

	indio_dev = iio_device_alloc(dxl_bus_dev(team->bus),
				     sizeof(struct pose));
	if (!indio_dev)
		return ERR_PTR(-ENOMEM);

	ret = pose_init(indio_dev, team);
	if (ret)
		goto err_free;
	if (!indio_dev->num_channels) {
		pose_free(indio_dev);
		return NULL;
	}

	ret = iio_triggered_buffer_setup_ext(indio_dev, pose_tick, pose_due,
					     IIO_BUFFER_DIRECTION_OUT,
					     &pose_buffer_ops, NULL);
	if (ret)
		goto err_free;

	/* A beat is served in hard interrupt context, whatever has threads. */
	indio_dev->pollfunc->type = IRQF_NO_THREAD;
	dxl_stream_take_buffer(iio_priv(indio_dev));
	ret = pose_register(indio_dev);
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
	struct pose *pose = iio_priv(indio_dev);

	WRITE_ONCE(pose->taken, true);
	/* The attribute that it tells of is about to go. */
	disable_work_sync(&pose->tell);
	iio_device_unregister(indio_dev);
	disable_work_sync(&pose->resume);
	dxl_cycle_remove_output(pose->team->bus, &pose->output);
	iio_triggered_buffer_cleanup(indio_dev);
	pose_free(indio_dev);
}
