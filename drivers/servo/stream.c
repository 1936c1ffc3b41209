// SPDX-License-Identifier: GPL-2.0
/*
 * The stream of poses of a bus, and what ends it
 *
 * While the pose device's buffer is enabled there is a stream, of which one pose
 * leaves with the first exchange after each tick. Whoever streams has to give signs
 * of life, which are poses written to the buffer or writes to keep_alive. When none
 * has come for watchdog_ms, the stream trips: every servo of the bus is told to let
 * its joint go, and told again in every period, since nobody acknowledges it. The
 * torque comes back only when somebody asks for it, and slowly, see ramp.c. What
 * a trip has taken stays taken when the stream ends: the next one begins tripped. A
 * stream that ends as its device is taken away trips too, as nobody watches over
 * the joints any more, and its application may have died just before.
 *
 * Servos of Protocol 1.0 switch their torque on when they get a goal. So a servo whose
 * torque has been taken gets none, from a pose or otherwise, and its joint stays free.
 * Nor does one that may have lost its torque with its power, see doubt.c, nor, from a
 * pose, one that has been let go by hand. All that is one of its states, see torque.c.
 *
 * The watchdog has a timer of its own, so it does not depend on the trigger, which
 * may be stopped, or be another one than that of the bus.
 *
 * Locks: the team's stream_lock guards the state. It is taken by fill(), so it
 * nests in the core's lock of the exchange, and nothing of the core is called
 * with it held. @recovery is held by those who change the state in process
 * context, over what they have to ask and tell the servos outside of exchanges. It
 * nests in IIO's lock of the buffer, and in the team's. No servo's lock may be taken
 * within, as that is held over maintenance, which may take the device of this buffer
 * away.
 */
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/device.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/kobject.h>
#include <linux/lockdep.h>
#include <linux/sysfs.h>

#include "pose.h"

/* Most poses that are dropped while others wait for the lock. */
#define DROP_MAX	64

static const char * const state_names[] = {
	[STREAM_IDLE] = "idle",
	[STREAM_STREAMING] = "streaming",
	[STREAM_TRIPPED] = "tripped",
	[STREAM_RECOVERING] = "recovering",
};

static enum dxl_stream_state state_of(const struct pose *pose)
{
	return READ_ONCE(pose->team->stream);
}

/**
 * dxl_stream_state_name() - word for what a stream is doing
 * @pose: the pose device
 *
 * Return: the word
 */
const char *dxl_stream_state_name(const struct pose *pose)
{
	return state_names[state_of(pose)];
}

static void set_state(struct pose *pose, enum dxl_stream_state state)
{
	lockdep_assert_held(&pose->team->stream_lock);

	WRITE_ONCE(pose->team->stream, state);
	schedule_work(&pose->tell);
}

static void tell(struct work_struct *work)
{
	struct pose *pose = container_of(work, struct pose, tell);
	struct kobject *kobj = &pose->indio_dev->dev.kobj;
	char variable[32];
	char *env[2] = { variable, NULL };

	snprintf(variable, sizeof(variable), "DXL_STREAM=%s",
		 dxl_stream_state_name(pose));
	sysfs_notify(kobj, NULL, "stream_state");
	kobject_uevent_env(kobj, KOBJ_CHANGE, env);
}

/* --- life --- */

/**
 * dxl_stream_live() - the application gives a sign of life
 * @pose: the pose device
 *
 * Context: Process context.
 */
void dxl_stream_live(struct pose *pose)
{
	atomic64_set(&pose->alive, ktime_get());
	if (READ_ONCE(pose->auto_recover) && READ_ONCE(pose->stalled) &&
	    state_of(pose) == STREAM_TRIPPED)
		schedule_work(&pose->resume);
}

/* If that fails, the next sign of life is the next try. */
static void resume(struct work_struct *work)
{
	dxl_stream_recover(container_of(work, struct pose, resume));
}

/* When the last sign of life is too long ago. */
static ktime_t life_end(const struct pose *pose)
{
	return ktime_add_ms(atomic64_read(&pose->alive),
			    READ_ONCE(pose->team->watchdog_ms));
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
		dxl_stream_live(pose);

	return written;
}

/**
 * dxl_stream_take_buffer() - watch what is written to the device's buffer
 * @pose: the pose device
 */
void dxl_stream_take_buffer(struct pose *pose)
{
	struct iio_buffer *buffer = pose->indio_dev->buffer;

	pose->fifo = buffer->access;
	pose->access = *buffer->access;
	pose->access.write = write_alive;
	buffer->access = &pose->access;
}

/* --- the end of it --- */

/*
 * Poses that are too late go before the next exchange, but only so many at a time, as
 * they may be as many as user space likes; the others follow in the exchanges behind it.
 */
static void drop_some(struct pose *pose)
{
	unsigned int left;

	lockdep_assert_held(&pose->team->stream_lock);

	for (left = DROP_MAX; left; left--) {
		if (iio_pop_from_buffer(pose->indio_dev->buffer, pose->sample))
			break;
		pose->dropped++;
	}
}

/*
 * All that there are. A writer may add some while this goes on, so not until there are
 * no more.
 */
static void drop_all(struct pose *pose)
{
	unsigned int left, length = pose->indio_dev->buffer->length;

	for (left = DIV_ROUND_UP(length, DROP_MAX); left; left--) {
		spin_lock_bh(&pose->team->stream_lock);
		drop_some(pose);
		spin_unlock_bh(&pose->team->stream_lock);
		cond_resched();
	}
}

/* Half a period behind when another exchange would have begun by a tick. */
static void start_repetition(struct pose *pose)
{
	u64 period_us = dxl_cycle_period_us(pose->team->bus);

	dxl_timer_start(&pose->timer, ktime_add_us(ktime_get(),
						   period_us + period_us / 2));
}

static void trip(struct pose *pose)
{
	unsigned int i;

	lockdep_assert_held(&pose->team->stream_lock);

	for (i = 0; i < pose->num_servos; i++)
		dxl_torque_event(pose->servos[i], TORQUE_TAKEN);
	set_state(pose, STREAM_TRIPPED);
}

/* Whether there has to be an exchange. */
static bool watch(struct pose *pose)
{
	lockdep_assert_held(&pose->team->stream_lock);

	switch (pose->team->stream) {
	case STREAM_IDLE:
		return false;
	case STREAM_TRIPPED:
		return true;
	default:
		if (ktime_get() < life_end(pose)) {
			dxl_timer_start(&pose->timer, life_end(pose));
			return false;
		}
		trip(pose);
		WRITE_ONCE(pose->stalled, true);
		return true;
	}
}

static void watchdog(struct dxl_timer *timer)
{
	struct pose *pose = container_of(timer, struct pose, timer);
	bool urgent;

	spin_lock_bh(&pose->team->stream_lock);
	urgent = watch(pose);
	spin_unlock_bh(&pose->team->stream_lock);

	if (urgent)
		dxl_cycle_urge(pose->team->bus);
}

/**
 * dxl_stream_allows_rebuild() - whether a pose device may be registered anew
 * @indio_dev: the pose device
 *
 * No stream begins any more if it may. If not, it is when the stream ends.
 *
 * Context: Process context. Sleeps.
 * Return: true if there is no stream
 */
bool dxl_stream_allows_rebuild(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);

	guard(mutex)(&pose->recovery);

	WRITE_ONCE(pose->team->stale, true);

	return state_of(pose) == STREAM_IDLE;
}

/**
 * dxl_stream_trip() - end the stream of a pose device, if there is one
 * @indio_dev: the pose device
 */
void dxl_stream_trip(struct iio_dev *indio_dev)
{
	struct pose *pose = iio_priv(indio_dev);
	enum dxl_stream_state state;

	spin_lock_bh(&pose->team->stream_lock);
	state = pose->team->stream;
	if (state != STREAM_IDLE)
		trip(pose);
	/* Whoever does that does not want it undone. */
	WRITE_ONCE(pose->stalled, false);
	spin_unlock_bh(&pose->team->stream_lock);

	if (state == STREAM_STREAMING || state == STREAM_RECOVERING)
		dev_warn(&indio_dev->dev,
			 "poses are sent no more: all joints are let go, until they recover\n");
	dxl_cycle_urge(pose->team->bus);
}

/* --- exchanges --- */

/* Another model has other registers there. */
static bool has_to_be_free(const struct dxl_servo *servo)
{
	enum dxl_torque torque = READ_ONCE(servo->torque);

	return (dxl_torque_is_taken(servo) || torque == TORQUE_RELAXED ||
		torque == TORQUE_FREE) &&
	       !READ_ONCE(servo->wrong_model);
}

static unsigned int torque_off_items(struct pose *pose, struct dxl_item *items)
{
	unsigned int i, count = 0;

	pose->byte = 0;
	for (i = 0; i < pose->num_servos; i++) {
		const struct dxl_servo *servo = pose->servos[i];

		if (has_to_be_free(servo))
			dxl_pose_register(&items[count++], servo,
					  SERVO_TORQUE_ENABLE, &pose->byte);
	}

	return count;
}

/* The pose that is due. */
static unsigned int take_pose(struct pose *pose, struct dxl_item *items)
{
	unsigned int count;

	if (!atomic_xchg(&pose->due, 0))
		return 0;

	if (iio_pop_from_buffer(pose->indio_dev->buffer, pose->sample)) {
		pose->underruns += pose->begun;
		return 0;
	}

	pose->begun = true;
	count = pose->stiffness ? dxl_stiffness_items(pose, items) :
				  dxl_pose_items(pose, items);
	/* One with stiffness may say nothing new to joints that are all free. */
	if (!count) {
		pose->poses += pose->stiffness;
		pose->dropped += !pose->stiffness;
		return 0;
	}
	pose->posing = true;
	pose->spoken = ktime_get();

	return count;
}

static unsigned int stream_items(struct pose *pose, struct dxl_item *items)
{
	unsigned int count = take_pose(pose, items);

	if (!count && pose->stiffness)
		count = dxl_stiffness_repeat(pose, items);

	return count ?: dxl_bus_watchdog_fill(pose, items);
}

static unsigned int recovery_items(struct pose *pose, struct dxl_item *items)
{
	unsigned int count = 0;

	/* What would wait till then would keep all that follow waiting. */
	if (pose->ramp.step == RAMP_RISE)
		count = take_pose(pose, items);
	else
		drop_some(pose);
	/* Those that hold the robot meanwhile must not think that the bus is gone. */
	count = count ?: dxl_bus_watchdog_fill(pose, items);
	count += dxl_ramp_fill(pose, items + count);
	if (pose->ramp.step == RAMP_OVER)
		set_state(pose, STREAM_STREAMING);

	return count;
}

static unsigned int tripped_items(struct pose *pose, struct dxl_item *items)
{
	drop_some(pose);
	atomic_set(&pose->due, 0);
	/* This one has begun, so the next is as far away as before. */
	start_repetition(pose);

	return torque_off_items(pose, items);
}

static unsigned int items_of_state(struct pose *pose, struct dxl_item *items)
{
	switch (pose->team->stream) {
	case STREAM_STREAMING:
		return stream_items(pose, items);
	case STREAM_TRIPPED:
		return tripped_items(pose, items);
	case STREAM_RECOVERING:
		return recovery_items(pose, items);
	default:
		return 0;
	}
}

static unsigned int stream_fill(struct dxl_output *output,
				struct dxl_item *items)
{
	struct pose *pose = container_of(output, struct pose, output);
	unsigned int count;

	spin_lock_bh(&pose->team->stream_lock);
	count = items_of_state(pose, items);
	spin_unlock_bh(&pose->team->stream_lock);

	return count;
}

/* A pose is in the first items. */
static void stream_sent(struct dxl_output *output, const struct dxl_item *items,
			unsigned int count)
{
	struct pose *pose = container_of(output, struct pose, output);

	spin_lock_bh(&pose->team->stream_lock);
	if (pose->posing) {
		if (items->status)
			pose->dropped++;
		else
			pose->poses++;
	}
	pose->posing = false;
	spin_unlock_bh(&pose->team->stream_lock);
}

/* A pose, and the torque limit as it rises. */
static unsigned int stream_plan(struct dxl_output *output,
				struct dxl_item *items)
{
	struct pose *pose = container_of(output, struct pose, output);
	unsigned int i, count = 2 * pose->count;

	if (!READ_ONCE(pose->open))
		return 0;

	for (i = 0; i < pose->count; i++) {
		struct pose_target *target = &pose->targets[i];

		items[i] = target->item;
		dxl_pose_register(&items[pose->count + i], target->servo,
				  SERVO_TORQUE_LIMIT, target->limit);
	}
	if (pose->stiffness)
		count += dxl_stiffness_plan(pose, items + count);

	return count;
}

/* --- begin and end --- */

static void start_watching(struct pose *pose)
{
	dxl_stream_live(pose);
	pose->spoken = ktime_get();
	dxl_timer_start(&pose->timer, life_end(pose));
}

static void stream_start(struct pose *pose)
{
	spin_lock_bh(&pose->team->stream_lock);
	atomic_set(&pose->due, 0);
	pose->begun = false;
	WRITE_ONCE(pose->stalled, false);
	start_watching(pose);
	if (pose->stiffness)
		dxl_stiffness_begin(pose);
	if (dxl_ramp_is_needed(pose)) {
		set_state(pose, STREAM_TRIPPED);
		start_repetition(pose);
	} else {
		set_state(pose, STREAM_STREAMING);
	}
	spin_unlock_bh(&pose->team->stream_lock);
}

static void stream_close(struct pose *pose)
{
	WRITE_ONCE(pose->open, false);
	dxl_cycle_update(pose->team->bus);
	dxl_cycle_put_stream(pose->team->bus);
}

/**
 * dxl_stream_begin() - the buffer is being enabled
 * @pose: the pose device
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EBUSY while the bus is under maintenance or the device is about to be
 * registered anew with other channels, -ENOSPC if the poses do not fit into the cycle, or
 * -ENOMEM
 */
int dxl_stream_begin(struct pose *pose)
{
	struct dxl_bus *bus = pose->team->bus;
	int ret;

	ret = dxl_cycle_get_stream(bus);
	if (ret)
		return ret;

	WRITE_ONCE(pose->open, true);
	ret = dxl_cycle_check(bus, pose->indio_dev->trig);
	if (ret) {
		stream_close(pose);
		return ret;
	}

	guard(mutex)(&pose->recovery);

	if (READ_ONCE(pose->team->stale)) {
		stream_close(pose);
		return -EBUSY;
	}

	dxl_bus_watchdog_arm(pose);
	dxl_patrol_prepare(pose);
	stream_start(pose);
	dxl_patrol_begin(pose);

	return 0;
}

/* A doubt that nobody has looked at yet is to outlive the stream. */
static void note_doubts(struct pose *pose)
{
	unsigned int i;

	lockdep_assert_held(&pose->team->stream_lock);

	for (i = 0; i < pose->count; i++)
		dxl_torque_now(pose->targets[i].servo);
}

/*
 * A joint whose torque was coming back is let go, one that nobody hears of is not.
 * Returns how many are, in the pose device's items.
 */
static unsigned int stream_stop(struct pose *pose)
{
	unsigned int count;

	spin_lock_bh(&pose->team->stream_lock);
	if (READ_ONCE(pose->taken))
		trip(pose);
	else if (pose->team->stream == STREAM_RECOVERING)
		dxl_ramp_stop(pose);
	count = torque_off_items(pose, pose->items);
	note_doubts(pose);
	set_state(pose, STREAM_IDLE);
	WRITE_ONCE(pose->auto_recover, false);
	spin_unlock_bh(&pose->team->stream_lock);

	return count;
}

/*
 * First all at once, which nobody acknowledges, then one by one. A torque limit is
 * restored only where that is acknowledged, else the joint would leap to its goal.
 */
static void let_go(struct pose *pose, unsigned int count)
{
	unsigned int i;

	if (!count)
		return;

	dxl_group_write_sync(pose->release, pose->items, count);
	for (i = 0; i < count; i++) {
		struct dxl_servo *servo = dxl_get_drvdata(pose->items[i].ddev);

		if (!dxl_servo_release(servo))
			dxl_ramp_restore(servo);
	}
}

/**
 * dxl_stream_end() - the buffer has been disabled
 * @pose: the pose device
 *
 * The joints hold the last pose, or stay free. If the device is being taken away
 * they are let go.
 *
 * Context: Process context. Sleeps.
 */
void dxl_stream_end(struct pose *pose)
{
	unsigned int count;

	guard(mutex)(&pose->recovery);

	count = stream_stop(pose);
	dxl_timer_cancel(&pose->timer);
	dxl_patrol_end(pose);
	/* A last pose must not come behind it, nor in the next stream. */
	dxl_cycle_flush(pose->team->bus);
	let_go(pose, count);
	if (pose->stiffness)
		dxl_stiffness_end(pose);
	drop_all(pose);
	dxl_bus_watchdog_disarm(pose);
	stream_close(pose);
	if (READ_ONCE(pose->team->stale) && !READ_ONCE(pose->taken))
		dxl_team_changed(pose->team);
	/* Who comes next, and knows of no stiffness, must not say 0. */
	dxl_team_set_stiffness(pose->team, false);
}

/* All joints, or some while the others go on. */
static bool may_recover(const struct pose *pose, enum dxl_stream_state state)
{
	if (state == STREAM_STREAMING)
		return dxl_ramp_is_needed(pose);

	return state == STREAM_TRIPPED;
}

/**
 * dxl_stream_recover() - give the torque back
 * @pose: the pose device
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EINVAL if nobody is to get it, -EAGAIN if the stream has tripped
 * meanwhile, or as dxl_ramp_survey()
 */
int dxl_stream_recover(struct pose *pose)
{
	enum dxl_stream_state state;
	int ret;

	guard(mutex)(&pose->recovery);

	state = state_of(pose);
	if (!may_recover(pose, state))
		return -EINVAL;

	/* The last pose must not be on its way any more, nor come when they have torque. */
	dxl_cycle_flush(pose->team->bus);
	ret = dxl_ramp_survey(pose);
	if (ret)
		return ret;

	dxl_bus_watchdog_arm(pose);
	if (state == STREAM_TRIPPED)
		drop_all(pose);

	spin_lock_bh(&pose->team->stream_lock);
	if (state_of(pose) == state) {
		dxl_ramp_begin(pose);
		set_state(pose, STREAM_RECOVERING);
		start_watching(pose);
	} else {
		ret = -EAGAIN;
	}
	spin_unlock_bh(&pose->team->stream_lock);

	return ret;
}

/**
 * dxl_stream_init() - prepare a pose device for being streamed to
 * @pose: the pose device, its team set
 */
void dxl_stream_init(struct pose *pose)
{
	unsigned int servos = list_count_nodes(&pose->team->servos);

	pose->output.max_items = (POSE_ITEMS + 1) * servos;
	pose->output.plan = stream_plan;
	pose->output.fill = stream_fill;
	pose->output.sent = stream_sent;
	INIT_WORK(&pose->tell, tell);
	INIT_WORK(&pose->resume, resume);
	dxl_patrol_init(pose);
	mutex_init(&pose->recovery);
	dxl_timer_setup(&pose->timer, pose->team->bus, watchdog);
}

/**
 * dxl_stream_set_stiffness() - whether the next stream's poses say how stiff each joint is
 * @pose: the pose device, which is registered anew if it changes
 * @stiffness: whether they do
 *
 * Context: Process context. Sleeps.
 * Return: 0, or -EBUSY while there is a stream
 */
int dxl_stream_set_stiffness(struct pose *pose, bool stiffness)
{
	guard(mutex)(&pose->recovery);

	if (state_of(pose) != STREAM_IDLE)
		return -EBUSY;

	dxl_team_set_stiffness(pose->team, stiffness);

	return 0;
}

/**
 * dxl_stream_set_watchdog() - for how long a stream may give no sign of life
 * @pose: the pose device
 * @ms: that is this, within what is possible
 *
 * The servos' own watchdogs go by it until a stream ends.
 *
 * Context: Process context. Sleeps.
 * Return: 0, or -EBUSY while there is a stream
 */
int dxl_stream_set_watchdog(struct pose *pose, unsigned int ms)
{
	guard(mutex)(&pose->recovery);

	if (state_of(pose) != STREAM_IDLE)
		return -EBUSY;

	WRITE_ONCE(pose->team->watchdog_ms, ms);

	return 0;
}

/* --- what others ask of it --- */

static bool is_moved(const struct dxl_servo *servo)
{
	return dxl_servo_in_stream(servo) && dxl_servo_takes_poses(servo);
}

/**
 * dxl_stream_forbids_goals() - whether a servo may get no goal of its own
 * @servo: the servo
 *
 * Return: true if a stream gives it its goals, or if it would switch its torque
 * on, which has been taken
 */
bool dxl_stream_forbids_goals(const struct dxl_servo *servo)
{
	return dxl_torque_is_taken(servo) || is_moved(servo);
}

/**
 * dxl_stream_lets_move() - a goal of its own is about to be sent to a servo
 * @servo: the servo
 *
 * Context: Any but hard interrupt.
 * Return: true if it may be; it is known to have been then
 */
bool dxl_stream_lets_move(struct dxl_servo *servo)
{
	bool may;

	spin_lock_bh(&servo->team->stream_lock);
	may = !dxl_stream_forbids_goals(servo) && !servo->letting_go;
	/* To others it gives no torque. */
	if (may && servo->model->protocol == DXL_PROTOCOL_1)
		dxl_torque_event(servo, TORQUE_MOVED);
	spin_unlock_bh(&servo->team->stream_lock);

	return may;
}

static bool is_shut_down(const struct dxl_servo *servo)
{
	return dxl_servo_in_stream(servo) &&
	       READ_ONCE(servo->torque) == TORQUE_SHUT_DOWN;
}

/**
 * dxl_stream_forbids_torque() - whether a servo's torque is a stream's business
 * @servo: the servo
 *
 * Return: true if it must not be switched on
 */
bool dxl_stream_forbids_torque(const struct dxl_servo *servo)
{
	enum dxl_stream_state state = READ_ONCE(servo->team->stream);

	return state == STREAM_TRIPPED || state == STREAM_RECOVERING ||
	       is_shut_down(servo);
}

/**
 * dxl_stream_forbids_limit() - whether a servo may get no torque limit of its own
 * @servo: the servo
 *
 * Return: true if a stream gives it that, or if it would undo a shutdown, which recovery
 * alone may
 */
bool dxl_stream_forbids_limit(const struct dxl_servo *servo)
{
	return is_shut_down(servo) ||
	       (is_moved(servo) && READ_ONCE(servo->team->stiffness));
}

/**
 * dxl_stream_lets_limit() - a torque limit of its own is about to be sent to a servo
 * @servo: the servo
 *
 * Context: Any.
 * Return: true if it may be
 */
bool dxl_stream_lets_limit(struct dxl_servo *servo)
{
	if (dxl_stream_forbids_limit(servo))
		return false;

	return !dxl_servo_in_stream(servo) || !dxl_doubt_lasts(servo);
}

/**
 * dxl_stream_torque_given() - somebody has switched a servo's torque on
 * @servo: the servo
 * @releases: how often it had been let go before that
 *
 * If the stream has tripped meanwhile, it is switched off again. If it has been let go
 * meanwhile, it has been already.
 */
void dxl_stream_torque_given(struct dxl_servo *servo, int releases)
{
	spin_lock_bh(&servo->team->stream_lock);
	if (!dxl_stream_forbids_torque(servo) && !servo->letting_go &&
	    atomic_read(&servo->releases) == releases)
		dxl_torque_event(servo, TORQUE_GIVEN);
	spin_unlock_bh(&servo->team->stream_lock);
}

/**
 * dxl_stream_release() - switch the torque of a servo off for good
 * @servo: the servo, to which poses do not go any more
 *
 * Context: Process context. Sleeps.
 * Return: 0 or as dxl_write()
 */
int dxl_stream_release(struct dxl_servo *servo)
{
	dxl_servo_release(servo);
	/* A pose that was on its way may have come behind it, and switched it on. */
	dxl_cycle_flush(servo->ddev->bus);

	return dxl_servo_release(servo);
}

/**
 * dxl_stream_let_go() - let a servo go by hand
 * @servo: the servo
 *
 * A stream gives it nothing any more, nor does anybody else before it is done.
 *
 * Context: Process context. Sleeps.
 * Return: 0 or as dxl_write()
 */
int dxl_stream_let_go(struct dxl_servo *servo)
{
	spinlock_t *lock = &servo->team->stream_lock;
	bool free;
	int ret;

	spin_lock_bh(lock);
	servo->letting_go++;
	dxl_torque_event(servo, TORQUE_LET_GO);
	spin_unlock_bh(lock);

	ret = dxl_stream_release(servo);

	spin_lock_bh(lock);
	servo->letting_go--;
	free = servo->torque == TORQUE_FREE;
	spin_unlock_bh(lock);

	if (!ret && free)
		dxl_ramp_restore(servo);

	return ret;
}
