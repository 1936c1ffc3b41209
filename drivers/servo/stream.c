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
 * A person can let the joints go as well, see dxl_stream_let_all_go(). Neither poses nor single
 * writes give them torque then, until a program asks for a recovery and that begins.
 *
 * Who has goals written one by one can hold a lease, see lease.c, which is watched in the
 * same way: when it lapses all joints are let go. Where there is a stream, that is what is
 * watched, and a lease holds on behind it.
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
#include <linux/iio/iio.h>
#include <linux/lockdep.h>

#include "pose.h"

static const char * const state_names[] = {
	[STREAM_IDLE] = "idle",
	[STREAM_LEASED] = "leased",
	[STREAM_LAPSED] = "lapsed",
	[STREAM_STREAMING] = "streaming",
	[STREAM_TRIPPED] = "tripped",
	[STREAM_RECOVERING] = "recovering",
};

static enum dxl_stream_state state_of(const struct dxl_team *team)
{
	return READ_ONCE(team->stream);
}

/**
 * dxl_stream_state_name() - word for what a stream is doing
 * @team: the team
 *
 * Return: the word
 */
const char *dxl_stream_state_name(const struct dxl_team *team)
{
	return state_names[state_of(team)];
}

static void set_state(struct dxl_team *team, enum dxl_stream_state state)
{
	lockdep_assert_held(&team->stream_lock);

	WRITE_ONCE(team->stream, state);
	schedule_work(&team->tell);
}

static void tell(struct work_struct *work)
{
	struct dxl_team *team = container_of(work, struct dxl_team, tell);

	guard(mutex)(&team->lock);

	if (team->pose)
		dxl_pose_tell(team->pose, "stream_state", "DXL_STREAM",
			      dxl_stream_state_name(team));
}

/* --- life --- */

static void be_alive(struct dxl_team *team)
{
	atomic64_set(&team->alive, ktime_get());
}

/**
 * dxl_stream_live() - the application gives a sign of life
 * @team: the team
 *
 * It is one of a stream, and of nothing else.
 *
 * Context: Any but hard interrupt.
 */
void dxl_stream_live(struct dxl_team *team)
{
	if (!dxl_stream_is_open(state_of(team)))
		return;

	be_alive(team);
	if (READ_ONCE(team->auto_recover) && READ_ONCE(team->stalled) &&
	    state_of(team) == STREAM_TRIPPED)
		schedule_work(&team->resume);
}

/* When the last sign of life is too long ago. */
static ktime_t life_end(const struct dxl_team *team)
{
	return ktime_add_ms(atomic64_read(&team->alive),
			    READ_ONCE(team->watchdog_ms));
}

static void start_watching(struct dxl_team *team)
{
	be_alive(team);
	team->spoken = ktime_get();
	dxl_timer_start(&team->timer, life_end(team));
}

/* --- the end of it --- */

/* Half a period behind when another exchange would have begun by a tick. */
static void start_repetition(struct dxl_team *team)
{
	u64 period_us = dxl_cycle_period_us(team->bus);

	dxl_timer_start(&team->timer, ktime_add_us(ktime_get(),
						   period_us + period_us / 2));
}

/* It is free by somebody's hand, as poses with stiffness have left it. */
static bool has_none_to_take(const struct dxl_servo *servo)
{
	return servo->torque == TORQUE_RELAXED && READ_ONCE(servo->by_hand);
}

static void take_all(struct dxl_team *team)
{
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	for (i = 0; i < team->count; i++)
		if (!has_none_to_take(team->targets[i]->servo))
			dxl_torque_event(team->targets[i]->servo, TORQUE_TAKEN);
}

static void trip(struct dxl_team *team)
{
	bool open = dxl_stream_is_open(team->stream);

	take_all(team);
	set_state(team, open ? STREAM_TRIPPED : STREAM_LAPSED);
}

/* Whether there has to be an exchange. */
static bool watch(struct dxl_team *team)
{
	lockdep_assert_held(&team->stream_lock);

	switch (team->stream) {
	case STREAM_IDLE:
		return false;
	case STREAM_LAPSED:
	case STREAM_TRIPPED:
		return true;
	default:
		if (ktime_get() < life_end(team)) {
			dxl_timer_start(&team->timer, life_end(team));
			return false;
		}
		trip(team);
		WRITE_ONCE(team->stalled, true);
		return true;
	}
}

static void watchdog(struct dxl_timer *timer)
{
	struct dxl_team *team = container_of(timer, struct dxl_team, timer);
	bool urgent;

	spin_lock_bh(&team->stream_lock);
	urgent = watch(team);
	spin_unlock_bh(&team->stream_lock);

	if (urgent)
		dxl_cycle_urge(team->bus);
}

/**
 * dxl_stream_trip() - let all joints of a team go that somebody watches
 * @team: the team
 *
 * Context: Process context.
 */
void dxl_stream_trip(struct dxl_team *team)
{
	enum dxl_stream_state state;

	spin_lock_bh(&team->stream_lock);
	state = team->stream;
	if (state != STREAM_IDLE)
		trip(team);
	/* Whoever does that does not want it undone. */
	WRITE_ONCE(team->stalled, false);
	spin_unlock_bh(&team->stream_lock);

	if (state == STREAM_STREAMING || state == STREAM_RECOVERING)
		dev_warn(dxl_bus_dev(team->bus),
			 "no more poses: all joints are let go until 1 is written to recover\n");
	dxl_cycle_urge(team->bus);
}

/* --- exchanges --- */

/* Another model has other registers there. */
static bool has_to_be_free(const struct dxl_servo *servo)
{
	return dxl_torque_is_off(servo) && !READ_ONCE(servo->wrong_model);
}

static unsigned int torque_off_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;

	team->byte = 0;
	for (i = 0; i < team->count; i++) {
		const struct dxl_servo *servo = team->targets[i]->servo;

		if (has_to_be_free(servo))
			dxl_target_register(&items[count++], servo,
					    SERVO_TORQUE_ENABLE, &team->byte);
	}

	return count;
}

static unsigned int pose_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;

	for (i = 0; i < team->count; i++) {
		struct dxl_target *target = team->targets[i];

		if (!dxl_target_is_meant(target) || !dxl_target_moves(target))
			continue;

		dxl_torque_event(target->servo, TORQUE_MOVED);
		count += dxl_target_items(target, -1, &items[count]);
	}

	return count;
}

/* The pose that is due. */
static unsigned int take_pose(struct dxl_team *team, struct dxl_item *items)
{
	struct pose *pose = team->pose;
	bool stiffness = pose->options & POSE_STIFFNESS;
	unsigned int count;

	if (!dxl_pose_take(pose))
		return 0;

	count = stiffness ? dxl_stiffness_items(pose, items) : pose_items(team, items);
	/* One with stiffness may say nothing new to joints that are all free. */
	if (!count) {
		pose->poses += stiffness;
		pose->dropped += !stiffness;
		return 0;
	}
	pose->posing = true;
	team->spoken = ktime_get();

	return count;
}

static unsigned int stream_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int count = take_pose(team, items);

	if (!count && team->pose->options & POSE_STIFFNESS && team->pose->begun)
		count = dxl_stiffness_repeat(team, items);

	return count ?: dxl_bus_watchdog_fill(team, items);
}

static unsigned int recovery_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int count = 0;

	/* What would wait till then would keep all that follow waiting. */
	if (team->ramp.step == RAMP_RISE)
		count = take_pose(team, items);
	else
		dxl_pose_drop_some(team->pose);
	/* Those that hold the robot meanwhile must not think that the bus is gone. */
	count = count ?: dxl_bus_watchdog_fill(team, items);
	count += dxl_ramp_fill(team, items + count);
	if (team->ramp.step == RAMP_OVER)
		set_state(team, STREAM_STREAMING);

	return count;
}

static unsigned int lapsed_items(struct dxl_team *team, struct dxl_item *items)
{
	/* This one has begun, so the next is as far away as before. */
	start_repetition(team);

	return torque_off_items(team, items);
}

static unsigned int tripped_items(struct dxl_team *team, struct dxl_item *items)
{
	dxl_pose_drop_some(team->pose);
	atomic_set(&team->pose->due, 0);

	return lapsed_items(team, items);
}

static unsigned int items_of_state(struct dxl_team *team, struct dxl_item *items)
{
	switch (team->stream) {
	case STREAM_LAPSED:
		return lapsed_items(team, items);
	case STREAM_STREAMING:
		return stream_items(team, items);
	case STREAM_TRIPPED:
		return tripped_items(team, items);
	case STREAM_RECOVERING:
		return recovery_items(team, items);
	default:
		return 0;
	}
}

static unsigned int stream_fill(struct dxl_output *output,
				struct dxl_item *items)
{
	struct dxl_team *team = container_of(output, struct dxl_team, output);
	unsigned int count;

	spin_lock_bh(&team->stream_lock);
	count = items_of_state(team, items);
	spin_unlock_bh(&team->stream_lock);

	return count;
}

/* A pose is in the first items. It does not outlive its device. */
static void note_pose(struct pose *pose, bool failed)
{
	if (!pose || !pose->posing)
		return;

	if (failed)
		pose->dropped++;
	else
		pose->poses++;
	pose->posing = false;
}

static void stream_sent(struct dxl_output *output, const struct dxl_item *items,
			unsigned int count)
{
	struct dxl_team *team = container_of(output, struct dxl_team, output);

	spin_lock_bh(&team->stream_lock);
	note_pose(team->pose, items->status);
	spin_unlock_bh(&team->stream_lock);
}

/* A pose, and the torque limit as it rises. */
static unsigned int longest_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;
	struct dxl_target *target;

	for (i = 0; i < team->count; i++) {
		target = team->targets[i];
		if (dxl_servo_takes_poses(target->servo))
			count += dxl_target_plan(target, &items[count]);
	}

	for (i = 0; i < team->count; i++) {
		target = team->targets[i];
		if (dxl_servo_takes_poses(target->servo))
			dxl_target_register(&items[count++], target->servo,
					    SERVO_TORQUE_LIMIT, target->limit);
	}

	return count;
}

static unsigned int stream_plan(struct dxl_output *output,
				struct dxl_item *items)
{
	struct dxl_team *team = container_of(output, struct dxl_team, output);
	unsigned int count = 0;

	spin_lock_bh(&team->stream_lock);
	if (team->pose && READ_ONCE(team->pose->open)) {
		count = longest_items(team, items);
		if (team->pose->options & POSE_STIFFNESS)
			count += dxl_stiffness_plan(team, items + count);
	}
	spin_unlock_bh(&team->stream_lock);

	return count;
}

/* --- begin --- */

static void stream_start(struct pose *pose)
{
	struct dxl_team *team = pose->team;

	spin_lock_bh(&team->stream_lock);
	atomic_set(&pose->due, 0);
	pose->begun = false;
	WRITE_ONCE(team->stalled, false);
	start_watching(team);
	if (pose->options & POSE_STIFFNESS)
		dxl_stiffness_begin(team);
	if (team->limp || dxl_ramp_is_needed(team)) {
		set_state(team, STREAM_TRIPPED);
		start_repetition(team);
	} else {
		set_state(team, STREAM_STREAMING);
	}
	spin_unlock_bh(&team->stream_lock);
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
	struct dxl_team *team = pose->team;
	int ret;

	ret = dxl_cycle_get_stream(team->bus);
	if (ret)
		return ret;

	WRITE_ONCE(pose->open, true);
	ret = dxl_cycle_check(team->bus, pose->indio_dev->trig);
	if (ret) {
		stream_close(pose);
		return ret;
	}

	guard(mutex)(&team->recovery);

	if (READ_ONCE(team->stale)) {
		stream_close(pose);
		return -EBUSY;
	}

	dxl_bus_watchdog_arm(team);
	stream_start(pose);
	/* A doubt is looked into only if there is a stream, and no pose goes out before. */
	dxl_patrol_prepare(team);
	dxl_patrol_begin(team);

	return 0;
}

/* --- end --- */

/* A doubt that nobody has looked at yet is to outlive the stream. */
static void note_doubts(struct dxl_team *team)
{
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	for (i = 0; i < team->count; i++)
		if (dxl_servo_takes_poses(team->targets[i]->servo))
			dxl_torque_now(team->targets[i]->servo);
}

/* Where nothing but a program's end would end a motion. */
static bool is_wheel(const struct dxl_servo *servo)
{
	return !READ_ONCE(servo->mode)->position_range && dxl_servo_takes_poses(servo);
}

/* A servo may turn on though it is not heard, or its mode is not known: it may be a wheel. */
static bool may_turn_unheard(struct dxl_servo *servo)
{
	bool known = dxl_servo_mode_is_known(servo);
	enum dxl_torque torque;

	/* A doubt about others is no business of the stream. */
	if (known && !is_wheel(servo))
		return false;
	torque = dxl_torque_now(servo);

	return torque == TORQUE_DOUBTED || (!known && torque == TORQUE_STIFF);
}

static void take_from_unheard_wheels(struct dxl_team *team)
{
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	for (i = 0; i < team->count; i++)
		if (may_turn_unheard(team->targets[i]->servo))
			dxl_torque_event(team->targets[i]->servo, TORQUE_TAKEN);
}

static int no_motion(const struct dxl_target *target, enum dxl_servo_reg reg)
{
	return 0;
}

/* Nothing of what goes to them is under way any more. Returns how many items it is. */
static unsigned int wheel_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;

	spin_lock_bh(&team->stream_lock);
	for (i = 0; i < team->count; i++) {
		struct dxl_target *target = team->targets[i];

		if (!is_wheel(target->servo) || !dxl_target_moves(target))
			continue;
		dxl_target_set(target, no_motion);
		count += dxl_target_items(target, -1, &items[count]);
	}
	spin_unlock_bh(&team->stream_lock);

	return count;
}

/*
 * A joint whose torque was coming back is let go, one that nobody hears of is not.
 * Returns how many are, in the team's items.
 */
static unsigned int stream_stop(struct pose *pose)
{
	struct dxl_team *team = pose->team;
	unsigned int count;

	spin_lock_bh(&team->stream_lock);
	if (READ_ONCE(pose->taken))
		trip(team);
	else if (team->stream == STREAM_RECOVERING)
		dxl_ramp_stop(team);
	take_from_unheard_wheels(team);
	count = torque_off_items(team, team->items);
	note_doubts(team);
	set_state(team, team->leased ? STREAM_LEASED : STREAM_IDLE);
	WRITE_ONCE(team->auto_recover, false);
	if (team->leased)
		start_watching(team);
	spin_unlock_bh(&team->stream_lock);

	return count;
}

/* All at once, before anything else; no servo acknowledges it. */
static void tell_all(struct dxl_team *team, unsigned int count)
{
	if (count)
		dxl_group_write_sync(team->release, team->items, count);
}

/*
 * Then one by one. A torque limit is restored only where the release is acknowledged, else the
 * joint would leap to its goal.
 */
static void let_go(const struct dxl_item *items, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct dxl_servo *servo = dxl_get_drvdata(items[i].ddev);

		if (!dxl_servo_release(servo))
			dxl_ramp_restore(servo);
	}
}

static void let_all_go(struct dxl_team *team, unsigned int count)
{
	tell_all(team, count);
	let_go(team->items, count);
}

/* A pose that was on its way may come behind the first one, and switch some on. */
static void let_all_go_for_good(struct dxl_team *team, unsigned int count)
{
	let_all_go(team, count);
	dxl_cycle_flush(team->bus);
	let_all_go(team, count);
}

static void stand_still(const struct dxl_item *items, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		const struct dxl_item *item = &items[i];
		struct dxl_servo *servo = dxl_get_drvdata(item->ddev);

		if (!dxl_write(item->ddev, item->addr, item->buf, item->len))
			continue;
		dxl_torque_tell(servo, TORQUE_TAKEN);
		dxl_servo_release(servo);
	}
}

/**
 * dxl_stream_end() - the buffer has been disabled
 * @pose: the pose device
 *
 * The joints hold the last pose, or stay free; what turns without an end is stopped. If
 * the device is being taken away they are let go.
 *
 * Context: Process context. Sleeps.
 */
void dxl_stream_end(struct pose *pose)
{
	struct dxl_team *team = pose->team;
	unsigned int count, wheels;

	/* A recovery that asks and tells servos keeps the wheels turning. */
	WRITE_ONCE(team->ending, true);
	guard(mutex)(&team->recovery);
	WRITE_ONCE(team->ending, false);

	count = stream_stop(pose);
	if (state_of(team) == STREAM_IDLE)
		dxl_timer_cancel(&team->timer);
	/* A last pose must not come behind it, nor in the next stream. */
	dxl_cycle_flush(team->bus);
	wheels = wheel_items(team, team->items + count);
	tell_all(team, count + wheels);
	stand_still(team->items + count, wheels);
	let_go(team->items, count);
	/* It may wait for the answer of a servo, and for others who use the bus. */
	dxl_patrol_end(team);
	if (pose->options & POSE_STIFFNESS)
		dxl_stiffness_end(team);
	dxl_pose_drop_all(pose);
	dxl_bus_watchdog_disarm(team);
	stream_close(pose);
	if (READ_ONCE(team->stale) && !READ_ONCE(pose->taken))
		dxl_team_changed(team);
	/* Who comes next, and knows of no stiffness, must not say 0. */
	dxl_team_set_options(team, 0);
}

/* --- recovery --- */

/* All joints, or some while the others go on. */
static bool may_recover(const struct dxl_team *team, enum dxl_stream_state state)
{
	if (state == STREAM_STREAMING)
		return dxl_ramp_is_needed(team);

	return state == STREAM_TRIPPED;
}

/*
 * @limps: how often all were let go before; what a later one has let go stays so. So does all if no
 * joint recovers, as when the servos have no supply: nobody expects torque when that comes.
 */
static int recover(struct dxl_team *team, unsigned int limps)
{
	enum dxl_stream_state state;
	int ret;

	guard(mutex)(&team->recovery);

	state = state_of(team);
	if (!may_recover(team, state))
		return -EINVAL;

	/* The last pose must not be on its way any more, nor come when they have torque. */
	dxl_cycle_flush(team->bus);
	ret = dxl_ramp_survey(team);
	if (ret)
		return ret;

	dxl_bus_watchdog_arm(team);
	if (state == STREAM_TRIPPED)
		dxl_pose_drop_all(team->pose);

	spin_lock_bh(&team->stream_lock);
	if (state_of(team) == state && team->limps == limps) {
		WRITE_ONCE(team->limp, false);
		dxl_ramp_begin(team);
		set_state(team, STREAM_RECOVERING);
		start_watching(team);
	} else {
		ret = -EAGAIN;
	}
	spin_unlock_bh(&team->stream_lock);

	return ret;
}

/**
 * dxl_stream_recover() - give the torque back
 * @team: the team
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EINVAL if no joint is to get it, -EAGAIN if the stream has tripped, ends or has
 * its joints let go meanwhile, or as dxl_ramp_survey()
 */
int dxl_stream_recover(struct dxl_team *team)
{
	return recover(team, READ_ONCE(team->limps));
}

/*
 * Joints that a person has let go recover only when a person asks for it. If the recovery fails,
 * the next sign of life is the next try.
 */
static void resume(struct work_struct *work)
{
	struct dxl_team *team = container_of(work, struct dxl_team, resume);
	unsigned int limps;
	bool limp;

	spin_lock_bh(&team->stream_lock);
	limps = team->limps;
	limp = team->limp;
	spin_unlock_bh(&team->stream_lock);
	if (!limp)
		recover(team, limps);
}

/**
 * dxl_stream_set_auto_recover() - whether a stream that has stalled recovers by itself
 * @team: the team
 * @by_itself: it does, when it goes on
 *
 * It is a wish of the program that streams, so it ends with the stream.
 *
 * Context: Process context.
 * Return: 0, or -EINVAL if there is no stream
 */
int dxl_stream_set_auto_recover(struct dxl_team *team, bool by_itself)
{
	bool open;

	spin_lock_bh(&team->stream_lock);
	open = dxl_stream_is_open(team->stream);
	if (open)
		WRITE_ONCE(team->auto_recover, by_itself);
	spin_unlock_bh(&team->stream_lock);

	return open ? 0 : -EINVAL;
}

/* --- all joints, by hand --- */

/* Return: what watches over them. */
static enum dxl_stream_state be_limp(struct dxl_team *team)
{
	enum dxl_stream_state state;

	spin_lock_bh(&team->stream_lock);
	state = team->stream;
	team->limps++;
	WRITE_ONCE(team->limp, true);
	/* Whoever does that does not want it undone. */
	WRITE_ONCE(team->stalled, false);
	if (state == STREAM_IDLE)
		take_all(team);
	else
		trip(team);
	spin_unlock_bh(&team->stream_lock);

	return state;
}

/**
 * dxl_stream_let_all_go() - let all joints of a team go, until somebody recovers them
 * @team: the team
 *
 * A stream trips, and a lease lapses: the servos are told in every period then. Where there is
 * neither they are told twice.
 *
 * Context: Process context. Sleeps.
 */
void dxl_stream_let_all_go(struct dxl_team *team)
{
	enum dxl_stream_state state = be_limp(team);
	unsigned int count;

	dev_info(dxl_bus_dev(team->bus),
		 "all joints are let go by hand, until they recover\n");
	/* Without @recovery: a recovery that is under way must not hold this up. */
	if (state != STREAM_IDLE) {
		dxl_cycle_urge(team->bus);
		return;
	}

	guard(mutex)(&team->recovery);

	spin_lock_bh(&team->stream_lock);
	count = torque_off_items(team, team->items);
	spin_unlock_bh(&team->stream_lock);
	let_all_go_for_good(team, count);
}

/**
 * dxl_stream_lift_limp() - joints that dxl_stream_let_all_go() has let go may get torque
 * @team: the team
 *
 * That gives them none: a recovery does, or where there is no stream a hand.
 *
 * Context: Process context.
 */
void dxl_stream_lift_limp(struct dxl_team *team)
{
	spin_lock_bh(&team->stream_lock);
	WRITE_ONCE(team->limp, false);
	spin_unlock_bh(&team->stream_lock);
}

/* --- leases --- */

/**
 * dxl_stream_lease() - somebody watches who has goals written one by one
 * @team: the team
 *
 * Nobody gets the bus for himself meanwhile, as torque could not be taken then. And who comes
 * while poses are streamed must not take the torque from them when he goes.
 *
 * Context: Process context. Sleeps.
 * Return: 0; -EBUSY if there is a stream, or somebody has the bus for himself; or -ENOMEM if
 * not all joints could be let go
 */
int dxl_stream_lease(struct dxl_team *team)
{
	int ret;

	guard(mutex)(&team->recovery);

	if (dxl_stream_is_open(state_of(team)))
		return -EBUSY;
	if (team->incomplete)
		return -ENOMEM;
	ret = dxl_cycle_get_stream(team->bus);
	if (ret)
		return ret;

	spin_lock_bh(&team->stream_lock);
	team->leased = true;
	set_state(team, STREAM_LEASED);
	start_watching(team);
	spin_unlock_bh(&team->stream_lock);

	return 0;
}

/**
 * dxl_stream_renew() - he gives a sign of life
 * @team: the team
 *
 * It is none of a stream that there is, which another program may have.
 *
 * Context: Process context.
 * Return: 0, or -ETIMEDOUT if it comes too late: the joints have been let go
 */
int dxl_stream_renew(struct dxl_team *team)
{
	bool lapsed;

	spin_lock_bh(&team->stream_lock);
	if (team->stream == STREAM_LEASED)
		be_alive(team);
	lapsed = team->stream == STREAM_LAPSED;
	if (lapsed) {
		set_state(team, STREAM_LEASED);
		start_watching(team);
	}
	spin_unlock_bh(&team->stream_lock);

	return lapsed ? -ETIMEDOUT : 0;
}

/**
 * dxl_stream_end_lease() - he does so no longer
 * @team: the team
 *
 * All joints are let go. A stream that there is trips.
 *
 * Context: Process context. Sleeps.
 */
void dxl_stream_end_lease(struct dxl_team *team)
{
	unsigned int count;

	guard(mutex)(&team->recovery);

	spin_lock_bh(&team->stream_lock);
	team->leased = false;
	trip(team);
	WRITE_ONCE(team->stalled, false);
	if (team->stream == STREAM_LAPSED)
		set_state(team, STREAM_IDLE);
	count = torque_off_items(team, team->items);
	spin_unlock_bh(&team->stream_lock);

	if (state_of(team) == STREAM_IDLE)
		dxl_timer_cancel(&team->timer);
	let_all_go_for_good(team, count);
	dxl_cycle_put_stream(team->bus);
}

/* --- life of a team --- */

/**
 * dxl_stream_init() - prepare a team for being moved
 * @team: the team, its bus set
 */
void dxl_stream_init(struct dxl_team *team)
{
	team->output.plan = stream_plan;
	team->output.fill = stream_fill;
	team->output.sent = stream_sent;
	spin_lock_init(&team->stream_lock);
	INIT_WORK(&team->tell, tell);
	INIT_WORK(&team->resume, resume);
	dxl_patrol_init(team);
	mutex_init(&team->recovery);
	dxl_timer_setup(&team->timer, team->bus, watchdog);
}

/**
 * dxl_stream_exit() - take back dxl_stream_init()
 * @team: the team, without a pose device or a servo
 *
 * Context: Process context. Sleeps.
 */
void dxl_stream_exit(struct dxl_team *team)
{
	bool leased;

	spin_lock_bh(&team->stream_lock);
	leased = team->leased;
	team->leased = false;
	set_state(team, STREAM_IDLE);
	spin_unlock_bh(&team->stream_lock);

	/* An exchange starts the timer, and neither starts the other any more. */
	dxl_lineup_drop(team);
	dxl_timer_cancel(&team->timer);
	if (leased)
		dxl_cycle_put_stream(team->bus);
	disable_work_sync(&team->resume);
	disable_work_sync(&team->tell);
	mutex_destroy(&team->recovery);
}

/**
 * dxl_stream_set_option() - what the next stream's poses have
 * @team: the team, whose pose device is registered anew if that changes
 * @option: one of the options
 * @on: whether they have it
 *
 * Context: Process context. Sleeps.
 * Return: 0, or -EBUSY while there is a stream
 */
int dxl_stream_set_option(struct dxl_team *team, unsigned int option, bool on)
{
	unsigned int options;

	guard(mutex)(&team->recovery);

	if (dxl_stream_is_open(state_of(team)))
		return -EBUSY;

	options = READ_ONCE(team->options);
	dxl_team_set_options(team, on ? options | option : options & ~option);

	return 0;
}

/**
 * dxl_stream_set_watchdog() - for how long whoever moves the joints may give no sign of life
 * @team: the team
 * @ms: that is this, within what is possible
 *
 * The servos' own watchdogs go by it until a stream ends.
 *
 * Context: Process context. Sleeps.
 * Return: 0, or -EBUSY while there is a stream or a lease
 */
int dxl_stream_set_watchdog(struct dxl_team *team, unsigned int ms)
{
	guard(mutex)(&team->recovery);

	if (state_of(team) != STREAM_IDLE)
		return -EBUSY;

	WRITE_ONCE(team->watchdog_ms, ms);

	return 0;
}
