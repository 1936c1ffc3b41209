// SPDX-License-Identifier: GPL-2.0
/*
 * The pose of a bus: an IIO device whose buffer moves all its servos at once
 *
 * A sample holds the goals of every servo, by rising ID and each as long as the servo's
 * register, see target.c, and its stiffness if that has been asked for, see stiffness.c.
 * The device is a view of the team: it has channels for the servos that there were when it
 * was registered, be they still there or not. When a sample is sent, and what becomes of
 * it when nobody is there any more, is in stream.c.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/interrupt.h>
#include <linux/kobject.h>
#include <linux/lockdep.h>
#include <linux/math.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "pose.h"

/* Most poses that are dropped while others wait for the lock. */
#define DROP_MAX	64

/* Most channels of a servo. */
#define CHANNELS_MAX	(GOALS_MAX + 1)

/* --- samples --- */

/**
 * dxl_pose_take() - take the pose that is due from the buffer
 * @pose: the pose device, streamed to
 *
 * Return: true if there was one; its goals are those of the team's servos now
 */
bool dxl_pose_take(struct pose *pose)
{
	struct dxl_team *team = pose->team;
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	if (!atomic_xchg(&pose->due, 0))
		return false;

	if (iio_pop_from_buffer(pose->indio_dev->buffer, pose->sample)) {
		pose->underruns += pose->begun;
		return false;
	}

	pose->begun = true;
	for (i = 0; i < team->count; i++)
		pose->ignored += dxl_target_take(team->targets[i], pose->sample);

	return true;
}

/**
 * dxl_pose_drop_some() - drop poses that are too late
 * @pose: the pose device
 *
 * They go before the next exchange, but only so many at a time, as they may be as many as
 * user space likes; the others follow in the exchanges behind it.
 */
void dxl_pose_drop_some(struct pose *pose)
{
	unsigned int left;

	lockdep_assert_held(&pose->team->stream_lock);

	for (left = DROP_MAX; left; left--) {
		if (iio_pop_from_buffer(pose->indio_dev->buffer, pose->sample))
			break;
		pose->dropped++;
	}
}

/**
 * dxl_pose_drop_all() - drop all that there are
 * @pose: the pose device
 *
 * A writer may add some while this goes on, so not until there are no more.
 *
 * Context: Process context. Sleeps.
 */
void dxl_pose_drop_all(struct pose *pose)
{
	unsigned int left, length = pose->indio_dev->buffer->length;

	for (left = DIV_ROUND_UP(length, DROP_MAX); left; left--) {
		spin_lock_bh(&pose->team->stream_lock);
		dxl_pose_drop_some(pose);
		spin_unlock_bh(&pose->team->stream_lock);
		cond_resched();
	}
}

/**
 * dxl_pose_tell() - tell user space of another state
 * @pose: the pose device
 * @attr: the attribute that has changed
 * @name: what that is in a uevent
 * @value: what it is now
 *
 * Context: Process context. Sleeps.
 */
void dxl_pose_tell(const struct pose *pose, const char *attr, const char *name,
		   const char *value)
{
	struct kobject *kobj = &pose->indio_dev->dev.kobj;
	char variable[32];
	char *env[2] = { variable, NULL };

	snprintf(variable, sizeof(variable), "%s=%s", name, value);
	sysfs_notify(kobj, NULL, attr);
	kobject_uevent_env(kobj, KOBJ_CHANGE, env);
}

/* --- buffer --- */

/* Its team may be gone meanwhile. */
static void live(struct pose *pose)
{
	spin_lock(&pose->life);
	if (!pose->gone)
		dxl_stream_live(pose->team);
	spin_unlock(&pose->life);
}

/*
 * Application side of the buffer. The device may be gone meanwhile, but for its
 * private data, where @access is: an open buffer keeps both, and its last use of
 * them is before they are freed.
 *
 * Who has the device's node open keeps this module loaded, as IIO makes it the owner
 * of that. A buffer's own file does not, nor does it keep the fifo's module; but IIO
 * calls neither for a device that is gone. What is left is a write that sleeps for a
 * page of its data until the module has been unloaded, which no driver can rule out.
 */
static int write_alive(struct iio_buffer *buffer, size_t n,
		       const char __user *buf)
{
	struct pose *pose = container_of(buffer->access, struct pose, access);
	int written;

	written = pose->fifo->write(buffer, n, buf);
	if (written > 0)
		live(pose);

	return written;
}

static void take_buffer(struct pose *pose)
{
	struct iio_buffer *buffer = pose->indio_dev->buffer;

	pose->fifo = buffer->access;
	pose->access = *buffer->access;
	pose->access.write = write_alive;
	buffer->access = &pose->access;
}

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

static const struct dxl_target *pose_target(struct iio_dev *indio_dev,
					    const struct iio_chan_spec *chan)
{
	struct pose *pose = iio_priv(indio_dev);
	unsigned int i;

	/* Its IDs are those of its targets. */
	for (i = 0; pose->targets[i]->id != chan->channel % DXL_VALUE_NUMBER; i++)
		;

	return pose->targets[i];
}

/* Of a servo that may go meanwhile. */
static int pose_read_goal(struct iio_dev *indio_dev, const struct iio_chan_spec *chan,
			  int *val)
{
	struct pose *pose = iio_priv(indio_dev);
	struct dxl_servo *servo;
	int ret;

	guard(rwsem_read)(&pose->team->users);

	servo = pose_target(indio_dev, chan)->servo;
	if (!servo)
		return -ENODEV;

	ret = dxl_servo_ready(servo) ?: dxl_servo_read(servo, chan->address, val);

	return ret ?: IIO_VAL_INT;
}

static int pose_read_raw(struct iio_dev *indio_dev,
			 const struct iio_chan_spec *chan, int *val, int *val2,
			 long mask)
{
	const struct dxl_servo_model *model = pose_target(indio_dev, chan)->model;

	switch (mask) {
	case IIO_CHAN_INFO_RAW:
		return pose_read_goal(indio_dev, chan, val);
	case IIO_CHAN_INFO_SCALE:
		return dxl_model_scale(model, chan, val, val2);
	case IIO_CHAN_INFO_OFFSET:
		*val = dxl_model_offset(model, chan);
		return IIO_VAL_INT;
	default:
		return -EINVAL;
	}
}

/* Of one that is not there it is that of the mode with which its model is delivered. */
static int pose_read_avail(struct iio_dev *indio_dev,
			   const struct iio_chan_spec *chan, const int **vals,
			   int *type, int *length, long mask)
{
	struct pose *pose = iio_priv(indio_dev);
	const struct dxl_target *target = pose_target(indio_dev, chan);
	const struct dxl_servo_mode *mode = target->model->series->modes;

	if (mask != IIO_CHAN_INFO_RAW)
		return -EINVAL;

	guard(rwsem_read)(&pose->team->users);

	if (target->servo)
		mode = READ_ONCE(target->servo->mode);
	*vals = dxl_model_range(target->model, mode, chan->address);
	*type = IIO_VAL_INT;

	return IIO_AVAIL_RANGE;
}

/* IIO does not allow for extended names beside labels, so it is what tells two apart. */
static int pose_read_label(struct iio_dev *indio_dev,
			   const struct iio_chan_spec *chan, char *label)
{
	const char *joint = pose_target(indio_dev, chan)->label;

	switch (chan->address) {
	case SERVO_GOAL_VELOCITY:
		return sysfs_emit(label, "%s velocity\n", joint);
	case SERVO_GOAL_PWM:
		return sysfs_emit(label, "%s pwm\n", joint);
	default:
		return sysfs_emit(label, "%s\n", joint);
	}
}

static const struct iio_info pose_info = {
	.attrs = &dxl_stream_attrs,
	.read_raw = pose_read_raw,
	.read_avail = pose_read_avail,
	.read_label = pose_read_label,
};

static void goal_channel(struct iio_chan_spec *chan, const struct dxl_goal *goal)
{
	static const struct {
		enum iio_chan_type type;
		unsigned int number;
	} kinds[SERVO_REGS] = {
		[SERVO_GOAL_POSITION] = { IIO_ANGL },
		[SERVO_GOAL_SPEED] = { IIO_ANGL_VEL },
		[SERVO_GOAL_VELOCITY] = { IIO_ANGL_VEL, DXL_VALUE_NUMBER },
		[SERVO_GOAL_CURRENT] = { IIO_CURRENT },
		[SERVO_GOAL_PWM] = { IIO_COUNT, DXL_VALUE_NUMBER },
	};

	chan->type = kinds[goal->reg].type;
	chan->channel += kinds[goal->reg].number;
	chan->address = goal->reg;
	chan->scan_type.sign = goal->is_signed ? 's' : 'u';
	chan->scan_type.realbits = 8 * goal->field->size;
	chan->info_mask_separate = BIT(IIO_CHAN_INFO_RAW) | BIT(IIO_CHAN_INFO_SCALE);
	chan->info_mask_separate_available = BIT(IIO_CHAN_INFO_RAW);
	if (goal->reg == SERVO_GOAL_POSITION)
		chan->info_mask_separate |= BIT(IIO_CHAN_INFO_OFFSET);
}

static void stiffness_channel(struct iio_chan_spec *chan)
{
	chan->type = IIO_COUNT;
	chan->address = SERVO_TORQUE_LIMIT;
	chan->scan_type.sign = 's';
	chan->scan_type.realbits = 8 * STIFFNESS_SIZE;
	chan->info_mask_separate = BIT(IIO_CHAN_INFO_SCALE);
}

/* Returns how many there are of a servo. */
static unsigned int add_channels(struct iio_chan_spec *channels, unsigned int index,
				 const struct dxl_target *target, unsigned int options)
{
	unsigned int i, count = target->num_goals + !!(options & POSE_STIFFNESS);

	for (i = 0; i < count; i++) {
		struct iio_chan_spec *chan = &channels[index + i];

		chan->indexed = 1;
		chan->output = 1;
		chan->channel = target->id;
		chan->scan_index = index + i;
		chan->scan_type.endianness = IIO_LE;
		if (i < target->num_goals)
			goal_channel(chan, &target->goals[i]);
		else
			stiffness_channel(chan);
		chan->scan_type.storagebits = chan->scan_type.realbits;
	}

	return count;
}

/*
 * IIO pads a sample to a multiple of its longest value. libiio up to 0.24 does not, and each
 * sample of its would be refused: so the padding is a part of the last value.
 */
static void fill_sample(struct iio_chan_spec *channels, unsigned int count, unsigned int end)
{
	unsigned int i, longest = 0;

	for (i = 0; i < count; i++)
		longest = max_t(unsigned int, longest, channels[i].scan_type.storagebits);
	if (8 * end % longest)
		channels[count - 1].scan_type.storagebits = longest;
}

/* --- life --- */

static int pose_alloc(struct iio_dev *indio_dev, unsigned int servos)
{
	struct pose *pose = iio_priv(indio_dev);

	/* What IIO adds to align the next sample is less than a register. */
	pose->sample = kcalloc(servos, CHANNELS_MAX * SERVO_FIELD_MAX, GFP_KERNEL);
	pose->targets = kcalloc(servos, sizeof(*pose->targets), GFP_KERNEL);
	indio_dev->channels = kcalloc(servos, CHANNELS_MAX * sizeof(*indio_dev->channels),
				      GFP_KERNEL);
	indio_dev->name = kasprintf(GFP_KERNEL, "%s-goal",
				    dev_name(dxl_bus_dev(pose->team->bus)));

	return pose->sample && pose->targets && indio_dev->channels && indio_dev->name ?
	       0 : -ENOMEM;
}

static void pose_free(struct pose *pose)
{
	struct iio_dev *indio_dev = pose->indio_dev;

	kfree(indio_dev->name);
	kfree(indio_dev->channels);
	kfree(pose->targets);
	kfree(pose->sample);
	iio_device_free(indio_dev);
}

static void add_target(struct pose *pose, struct dxl_target *target, unsigned int *end)
{
	struct iio_dev *indio_dev = pose->indio_dev;

	pose->targets[pose->num_targets++] = target;
	dxl_target_place(target, pose->options, end);
	indio_dev->num_channels += add_channels((struct iio_chan_spec *)indio_dev->channels,
						indio_dev->num_channels, target,
						pose->options);
}

static int pose_init(struct pose *pose)
{
	struct iio_dev *indio_dev = pose->indio_dev;
	struct dxl_team *team = pose->team;
	unsigned int end = 0;
	struct dxl_target *target;
	int ret;

	pose->options = READ_ONCE(team->options);
	ret = pose_alloc(indio_dev, list_count_nodes(&team->members));
	if (ret)
		return ret;

	list_for_each_entry(target, &team->members, node)
		add_target(pose, target, &end);
	fill_sample((struct iio_chan_spec *)indio_dev->channels, indio_dev->num_channels, end);
	indio_dev->info = &pose_info;
	indio_dev->modes = INDIO_DIRECT_MODE;

	return 0;
}

/* Exchanges use it from the beginning of its first stream to the end of its last. */
static void set_pose(struct dxl_team *team, struct pose *pose)
{
	struct dxl_target *target;

	lockdep_assert_held(&team->lock);

	spin_lock_bh(&team->stream_lock);
	team->pose = pose;
	spin_unlock_bh(&team->stream_lock);
	list_for_each_entry(target, &team->members, node)
		WRITE_ONCE(target->in_pose, pose);
}

/**
 * dxl_pose_create() - create and register the pose device of a bus
 * @team: the servos of the bus, at least one; it and its members must outlive the device
 *
 * Return: the pose device or an ERR_PTR
 */
struct pose *dxl_pose_create(struct dxl_team *team)
{
	struct iio_dev *indio_dev;
	struct pose *pose;
	int ret;

	indio_dev = iio_device_alloc(dxl_bus_dev(team->bus), sizeof(*pose));
	if (!indio_dev)
		return ERR_PTR(-ENOMEM);

	pose = iio_priv(indio_dev);
	pose->indio_dev = indio_dev;
	pose->team = team;
	spin_lock_init(&pose->life);
	ret = pose_init(pose);
	if (ret)
		goto err_free;

	ret = iio_triggered_buffer_setup_ext(indio_dev, pose_tick, pose_due,
					     IIO_BUFFER_DIRECTION_OUT,
					     &pose_buffer_ops, NULL);
	if (ret)
		goto err_free;

	/* A beat is served in hard interrupt context, whatever has threads. */
	indio_dev->pollfunc->type = IRQF_NO_THREAD;
	take_buffer(pose);
	indio_dev->trig = iio_trigger_get(dxl_bus_cycle(team->bus));
	set_pose(team, pose);
	ret = iio_device_register(indio_dev);
	if (ret)
		goto err_buffer;

	return pose;

err_buffer:
	set_pose(team, NULL);
	iio_triggered_buffer_cleanup(indio_dev);
err_free:
	pose_free(pose);

	return ERR_PTR(ret);
}

/**
 * dxl_pose_destroy() - take back dxl_pose_create()
 * @pose: the pose device
 */
void dxl_pose_destroy(struct pose *pose)
{
	WRITE_ONCE(pose->taken, true);
	iio_device_unregister(pose->indio_dev);
	spin_lock(&pose->life);
	pose->gone = true;
	spin_unlock(&pose->life);
	set_pose(pose->team, NULL);
	iio_triggered_buffer_cleanup(pose->indio_dev);
	pose_free(pose);
}
