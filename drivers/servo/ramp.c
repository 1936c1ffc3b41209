// SPDX-License-Identifier: GPL-2.0
/*
 * How torque comes back to joints that have been let go
 *
 * Each servo is asked where its joint is and what its torque limit is. Then, one
 * exchange each: its torque limit becomes 0, its goal where it is, its torque is
 * switched on. None of it is acknowledged, so all of it is done twice. After that
 * the torque limit rises to what it was, a little with each exchange, while poses
 * are sent again. A joint thus is pulled to a pose that is far away, but slowly, and
 * by hand it can be held.
 *
 * What turns without an end is told to stand still before, in place of the goal. A servo
 * that does not answer, or that poses do not move in its mode, stays
 * free. So does one that is found to have lost its torque meanwhile, or that is lost at
 * the end; as nobody knows of its torque then it is told to let go. One that is in doubt
 * is waited for. One that has shut itself down and left a torque limit of 0 gets the one
 * that was asked for, or else that with which it starts; one that does nothing before it
 * is restarted stays as it is.
 *
 * A ramp that does not come to its end leaves a torque limit that is too low, so
 * what it was is remembered, and restored when the stream ends. A servo that does
 * not answer then keeps the low one, and the next recovery restores it.
 */
#include <linux/array_size.h>
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>

#include "team.h"

/* As long as NAO's own device communication manager takes for it. */
#define RAMP_MS		2000

/* How often a servo is asked that does not answer. */
#define TRIES		3

/* --- before --- */

static const enum dxl_servo_reg survey_regs[] = {
	SERVO_TORQUE_LIMIT, SERVO_GOAL_SPEED, SERVO_POSITION
};

static u16 survey_start(const struct dxl_servo *servo)
{
	u16 start = U16_MAX;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(survey_regs); i++)
		start = min(start, dxl_servo_field(servo, survey_regs[i])->addr);

	return start;
}

/* One read has all of them, and what is between. */
static void survey_item(struct dxl_target *target, struct dxl_item *item)
{
	const struct dxl_servo_field *last = dxl_servo_field(target->servo,
							     SERVO_POSITION);
	u16 start = survey_start(target->servo);

	*item = (struct dxl_item){
		.ddev = target->servo->ddev,
		.addr = start,
		.len = last->addr + last->size - start,
		.buf = target->survey,
	};
}

static int surveyed(const struct dxl_target *target, enum dxl_servo_reg reg)
{
	const struct dxl_servo_field *field = dxl_servo_field(target->servo,
							      reg);
	u16 start = survey_start(target->servo);

	return dxl_servo_decode(field, target->survey + field->addr - start);
}

static bool is_to_recover(const struct dxl_servo *servo)
{
	return dxl_torque_is_taken(servo) && !READ_ONCE(servo->by_hand) &&
	       dxl_servo_takes_poses(servo) && !dxl_doubt_lasts(servo);
}

/**
 * dxl_ramp_is_needed() - whether there is a joint that poses should move and may not
 * @team: the team
 *
 * Return: true if there is one whose servo answers
 */
bool dxl_ramp_is_needed(const struct dxl_team *team)
{
	unsigned int i;

	for (i = 0; i < team->count; i++)
		if (is_to_recover(team->targets[i]->servo))
			return true;

	return false;
}

/* Whether it is not going to do anything, or a negative errno if it does not say. */
static int is_down(const struct dxl_servo *servo)
{
	if (dxl_servo_layout(servo)->shutdown == SHUTDOWN_RESTART)
		return dxl_doubt_needs_restart(servo);

	return READ_ONCE(servo->torque) == TORQUE_SHUT_DOWN &&
	       READ_ONCE(servo->ddev->alerts) & DXL1_ERR_OVERHEAT;
}

/*
 * What the torque limit is to rise to. What is there after a ramp without an end is not
 * it, nor is what is there after a loss of power, nor what a shutdown has left.
 */
static int find_full(struct dxl_target *target)
{
	const struct dxl_servo *servo = target->servo;
	int asked = READ_ONCE(servo->limit);

	if (!dxl_servo_has_limit(servo)) {
		target->full = min(asked, dxl_servo_layout(servo)->torque_max);
		return 0;
	}

	target->full = min(surveyed(target, SERVO_TORQUE_LIMIT), asked);
	if (READ_ONCE(servo->restore) >= 0)
		target->full = READ_ONCE(servo->restore);
	if (target->full || !asked || dxl_servo_layout(servo)->shutdown != SHUTDOWN_LIMIT)
		return 0;

	target->full = asked;

	return asked == INT_MAX ?
	       dxl_servo_read_anyway(servo, SERVO_MAX_TORQUE, &target->full) : 0;
}

static void note_answers(struct dxl_team *team, unsigned int count)
{
	struct dxl_target *target;
	unsigned int i, k = 0;

	/* Both are by rising ID. */
	for (i = 0; i < count; i++) {
		while (team->targets[k]->servo->ddev != team->items[i].ddev)
			k++;
		target = team->targets[k];
		if (team->items[i].status)
			continue;
		target->down = is_down(target->servo) > 0;
		target->ramping = !target->down && !find_full(target);
	}
}

/* Ask those that have not answered yet. Returns how many are asked. */
static int survey_rest(struct dxl_team *team)
{
	unsigned int i, count = 0;
	int ret;

	for (i = 0; i < team->count; i++) {
		struct dxl_target *target = team->targets[i];

		if (!target->ramping && !target->down &&
		    is_to_recover(target->servo))
			survey_item(target, &team->items[count++]);
	}
	if (!count)
		return 0;

	ret = dxl_group_read_sync(team->survey, team->items, count);
	if (ret)
		return ret;

	note_answers(team, count);

	return count;
}

/* Whether its torque should come back and does not. */
static bool stays_free(const struct dxl_target *target)
{
	const struct dxl_servo *servo = target->servo;

	if (target->down) {
		dev_warn(&servo->ddev->dev,
			 "has shut itself down; its joint stays free until the servo is %s\n",
			 dxl_servo_layout(servo)->shutdown == SHUTDOWN_RESTART ?
			 "rebooted" : "cool");
		return true;
	}
	if (READ_ONCE(servo->by_hand) ||
	    !(dxl_torque_is_taken(servo) || dxl_doubt_lasts(servo)))
		return false;
	dev_warn(&servo->ddev->dev, "does not answer; its joint stays free\n");

	return true;
}

/*
 * Whether there will be a joint that gets poses and got none before. Where the stream has
 * tripped that is any that has torque. It goes on as well if all joints were let go one by one,
 * by hand: then there is no torque that could come back.
 */
static bool any_left(const struct dxl_team *team)
{
	bool tripped = READ_ONCE(team->stream) == STREAM_TRIPPED;
	bool any = false, failed = false;
	unsigned int i;

	for (i = 0; i < team->count; i++) {
		const struct dxl_target *target = team->targets[i];

		if (!dxl_servo_takes_poses(target->servo))
			continue;
		if (target->ramping)
			any = true;
		else if (stays_free(target))
			failed = true;
		else if (tripped && !READ_ONCE(target->servo->by_hand))
			any = true;
	}

	return any || (tripped && !failed);
}

/**
 * dxl_ramp_survey() - ask where the limp joints of a team are
 * @team: the team
 *
 * Context: Process context. Sleeps.
 * Return: 0; -EIO if joints should recover and none can; or as dxl_group_read()
 */
int dxl_ramp_survey(struct dxl_team *team)
{
	unsigned int i;
	int left;

	for (i = 0; i < team->count; i++) {
		team->targets[i]->ramping = false;
		team->targets[i]->down = false;
	}

	for (i = 0; i < TRIES; i++) {
		if (READ_ONCE(team->ending))
			return -EAGAIN;
		left = survey_rest(team);
		if (left < 0)
			return left;
		if (!left)
			break;
	}

	return any_left(team) ? 0 : -EIO;
}

/* --- meanwhile --- */

/*
 * A joint is to stay where it is, and what turns without an end is to stand still. It may be
 * in another mode when that is sent, so this goes by the goal.
 */
static int aim_of(const struct dxl_target *target, enum dxl_servo_reg reg)
{
	switch (reg) {
	case SERVO_GOAL_POSITION:
		return surveyed(target, SERVO_POSITION);
	case SERVO_GOAL_SPEED:
		return surveyed(target, reg);
	case SERVO_GOAL_CURRENT:
		/* It is a limit to the way then. */
		return READ_ONCE(target->servo->mode)->position_range ?
		       surveyed(target, reg) : 0;
	default:
		return 0;
	}
}

/**
 * dxl_ramp_begin() - from here on exchanges bring the torque back
 * @team: the team, surveyed
 */
void dxl_ramp_begin(struct dxl_team *team)
{
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	team->ramp = (struct pose_ramp){ .step = RAMP_SOFTEN };
	for (i = 0; i < team->count; i++) {
		struct dxl_target *target = team->targets[i];
		struct dxl_servo *servo = target->servo;

		if (!target->ramping)
			continue;
		/* Somebody may have asked for less since the survey. */
		WRITE_ONCE(servo->restore, min(target->full, READ_ONCE(servo->limit)));
		dxl_torque_event(servo, TORQUE_RECOVERS);
		dxl_target_set(target, aim_of);
	}
}

/* Who has been without power has nothing of what he had got, and must not get the rest. */
static bool is_ramping(const struct dxl_target *target)
{
	return dxl_torque_now(target->servo) == TORQUE_RECOVERING;
}

/* @share of the torque limit that there was before, of RAMP_MS. */
static unsigned int limit_items(struct dxl_team *team, struct dxl_item *items,
				unsigned int share)
{
	unsigned int i, count = 0;

	for (i = 0; i < team->count; i++) {
		struct dxl_target *target = team->targets[i];

		if (!is_ramping(target))
			continue;
		target->risen = target->servo->restore * (int)share / RAMP_MS;
		if (!dxl_servo_has_limit(target->servo))
			continue;
		dxl_servo_encode(dxl_servo_field(target->servo, SERVO_TORQUE_LIMIT),
				 target->risen, target->limit);
		dxl_target_register(&items[count++], target->servo,
				    SERVO_TORQUE_LIMIT, target->limit);
	}

	return count;
}

static unsigned int aim_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;

	for (i = 0; i < team->count; i++)
		if (is_ramping(team->targets[i]))
			count += dxl_target_items(team->targets[i], -1, &items[count]);

	return count;
}

static unsigned int torque_on_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;

	team->byte = 1;
	for (i = 0; i < team->count; i++)
		if (is_ramping(team->targets[i]))
			dxl_target_register(&items[count++], team->targets[i]->servo,
					    SERVO_TORQUE_ENABLE, &team->byte);

	return count;
}

static bool is_lost(const struct dxl_target *target)
{
	return READ_ONCE(target->servo->ddev->state) == DXL_LOST;
}

/* It is going to be asked, or lost. */
static bool any_in_doubt(const struct dxl_team *team)
{
	unsigned int i;

	for (i = 0; i < team->count; i++) {
		const struct dxl_target *target = team->targets[i];

		if (dxl_torque_now(target->servo) == TORQUE_RECOVERING_DOUBTED &&
		    !is_lost(target))
			return true;
	}

	return false;
}

/* What has been lost on the way may hold its joint all the same. */
static unsigned int give_up_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int i, count = 0;

	team->byte = 0;
	for (i = 0; i < team->count; i++) {
		const struct dxl_target *target = team->targets[i];
		struct dxl_servo *servo = target->servo;

		if (!target->ramping)
			continue;
		if (is_lost(target))
			dxl_torque_event(servo, TORQUE_TAKEN);
		if (dxl_torque_is_taken(servo) && !READ_ONCE(servo->wrong_model))
			dxl_target_register(&items[count++], servo,
					    SERVO_TORQUE_ENABLE, &team->byte);
	}

	return count;
}

static void end_ramp(struct dxl_team *team)
{
	unsigned int i;

	team->ramp.step = RAMP_OVER;
	for (i = 0; i < team->count; i++) {
		struct dxl_target *target = team->targets[i];
		struct dxl_servo *servo = target->servo;

		if (!target->ramping)
			continue;
		if (servo->torque == TORQUE_TRIPPED)
			dev_warn(&servo->ddev->dev,
				 "was lost while it recovered; its joint stays free\n");
		if (servo->torque == TORQUE_RECOVERING)
			WRITE_ONCE(servo->restore, -1);
		dxl_torque_event(servo, TORQUE_RECOVERED);
		target->ramping = false;
	}
}

static unsigned int last_items(struct dxl_team *team, struct dxl_item *items)
{
	unsigned int count;

	if (any_in_doubt(team)) {
		team->ramp.rounds = 0;
		return 0;
	}

	count = give_up_items(team, items);
	if (++team->ramp.rounds == ROUNDS)
		end_ramp(team);

	return count;
}

static unsigned int rise_items(struct dxl_team *team, struct dxl_item *items)
{
	s64 ms = ktime_ms_delta(ktime_get(), team->ramp.began);
	unsigned int count, share = min(ms, RAMP_MS);

	count = limit_items(team, items, share);
	if (share == RAMP_MS)
		count += last_items(team, items + count);

	return count;
}

static void next_round(struct dxl_team *team)
{
	struct pose_ramp *ramp = &team->ramp;

	ramp->step = RAMP_SOFTEN;
	if (++ramp->rounds < ROUNDS)
		return;

	ramp->step = RAMP_RISE;
	ramp->rounds = 0;
	ramp->began = ktime_get();
}

/**
 * dxl_ramp_fill() - what brings the torque back in an exchange
 * @team: the team, recovering
 * @items: where to put it
 *
 * Return: number of items
 */
unsigned int dxl_ramp_fill(struct dxl_team *team, struct dxl_item *items)
{
	switch (team->ramp.step) {
	case RAMP_SOFTEN:
		team->ramp.step = RAMP_AIM;
		return limit_items(team, items, 0);
	case RAMP_AIM:
		team->ramp.step = RAMP_HOLD;
		return aim_items(team, items);
	case RAMP_HOLD:
		next_round(team);
		return torque_on_items(team, items);
	case RAMP_RISE:
		return rise_items(team, items);
	default:
		return 0;
	}
}

/* --- afterwards --- */

/**
 * dxl_ramp_stop() - joints whose torque is coming back are to be let go
 * @team: the team, recovering
 */
void dxl_ramp_stop(struct dxl_team *team)
{
	unsigned int i;

	lockdep_assert_held(&team->stream_lock);

	for (i = 0; i < team->count; i++)
		if (team->targets[i]->ramping)
			dxl_torque_event(team->targets[i]->servo, TORQUE_TAKEN);
}

static void note_limit(struct dxl_servo *servo, int limit)
{
	lockdep_assert_held(&servo->team->stream_lock);

	WRITE_ONCE(servo->limit, limit);
	if (servo->restore >= 0)
		WRITE_ONCE(servo->restore, limit);
}

/**
 * dxl_ramp_takes_limit() - somebody asks for another torque limit
 * @servo: the servo
 * @limit: the torque limit
 *
 * Context: Process context.
 * Return: true if a ramp that is under way ends at it, so that it must not be written
 */
bool dxl_ramp_takes_limit(struct dxl_servo *servo, int limit)
{
	bool rises;

	spin_lock_bh(&servo->team->stream_lock);
	rises = servo->torque == TORQUE_RECOVERING ||
		servo->torque == TORQUE_RECOVERING_DOUBTED;
	if (rises)
		note_limit(servo, limit);
	spin_unlock_bh(&servo->team->stream_lock);

	return rises;
}

/**
 * dxl_ramp_note_limit() - a servo has got another torque limit
 * @servo: the servo
 * @limit: the torque limit, at which ramps end that are to come
 *
 * Context: Process context.
 */
void dxl_ramp_note_limit(struct dxl_servo *servo, int limit)
{
	spin_lock_bh(&servo->team->stream_lock);
	note_limit(servo, limit);
	spin_unlock_bh(&servo->team->stream_lock);
}

/**
 * dxl_ramp_restore() - set back a torque limit that a ramp has left too low
 * @servo: the servo, whose torque is off for sure
 *
 * Context: Process context. Sleeps.
 */
void dxl_ramp_restore(struct dxl_servo *servo)
{
	int limit = READ_ONCE(servo->restore);

	if (limit < 0)
		return;
	if (!dxl_servo_has_limit(servo) ||
	    !dxl_servo_write_anyway(servo, SERVO_TORQUE_LIMIT, limit))
		WRITE_ONCE(servo->restore, -1);
}
