// SPDX-License-Identifier: GPL-2.0
/*
 * A servo as poses move it: its goals in a sample, and as they go to it
 *
 * A sample has the same goals of a servo whatever its operating mode is: goal position and
 * goal speed or, where that has been asked for, each that any of its modes has. So a servo
 * that changes its mode changes no sample. What is sent are the goals of the mode, in as
 * few pieces as its registers allow; the others are ignored. A sample with the goals of all
 * modes can leave a goal out, by the number of which only the highest bit is set: the servo
 * keeps the goal that it has. A servo of whose mode all goals are left out is passed over, so
 * that a program that means a wheel never sends a joint anywhere.
 *
 * A target outlives its servo, which may come back, as long as a pose device has channels
 * for it. It is allocated and freed with the team's lock held, and its servo is changed with
 * that and, for who reads attributes of the pose device, @users. Exchanges look only at
 * targets of the line-up, see lineup.c, which all have one.
 *
 * Locks: where its goals are in a sample is laid down while there is no pose device; what they
 * are, and all else that exchanges use, is guarded by the team's stream_lock. What goes to a
 * servo is in its target's memory until the exchange has ended, so nothing else may be put
 * there before dxl_cycle_flush(); who only plans has memory of its own.
 */
#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/device.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "team.h"

/* In the order of their channels. */
static const enum dxl_servo_reg goal_regs[GOALS_MAX] = {
	SERVO_GOAL_POSITION, SERVO_GOAL_SPEED, SERVO_GOAL_VELOCITY,
	SERVO_GOAL_CURRENT, SERVO_GOAL_PWM
};

/* What poses have of servos if nobody has asked for more. */
#define PLAIN_GOALS	(BIT(SERVO_GOAL_POSITION) | BIT(SERVO_GOAL_SPEED))

/* --- which goals --- */

static u32 model_goals(const struct dxl_servo_model *model)
{
	const struct dxl_servo_mode *mode;
	u32 goals = 0;

	for (mode = model->series->modes; mode->name; mode++)
		goals |= mode->goals;

	return goals;
}

static u32 streamed_goals(unsigned int options)
{
	return options & POSE_ALL_GOALS ? U32_MAX : PLAIN_GOALS;
}

/**
 * dxl_target_goals() - by which of its registers poses move a servo in its present mode
 * @servo: the servo
 *
 * Return: the registers, as bits of &enum dxl_servo_reg
 */
u32 dxl_target_goals(const struct dxl_servo *servo)
{
	return READ_ONCE(servo->mode)->goals &
	       streamed_goals(READ_ONCE(servo->team->options));
}

/**
 * dxl_servo_takes_poses() - whether poses move a servo
 * @servo: the servo
 *
 * A pose in the steps of one model, or of no mode of its own, must not move it, nor may one
 * while nobody knows its mode. A limit to a speed moves nothing.
 *
 * Return: true if they do
 */
bool dxl_servo_takes_poses(const struct dxl_servo *servo)
{
	return !READ_ONCE(servo->wrong_model) && dxl_servo_mode_is_known(servo) &&
	       dxl_target_goals(servo) & ~BIT(SERVO_GOAL_SPEED);
}

/**
 * dxl_servo_has_limit() - whether the register of the torque limit is one
 * @servo: the servo
 *
 * Return: false if it is what drives the servo in its present mode
 */
bool dxl_servo_has_limit(const struct dxl_servo *servo)
{
	return !(READ_ONCE(servo->mode)->goals & BIT(SERVO_GOAL_PWM));
}

/**
 * dxl_servo_has_goal() - whether a servo has use for a goal in its present mode
 * @servo: the servo
 * @reg: the goal
 *
 * Return: false if it has none, or would do something else with it
 */
bool dxl_servo_has_goal(const struct dxl_servo *servo, enum dxl_servo_reg reg)
{
	u32 goals = READ_ONCE(servo->mode)->goals;

	switch (reg) {
	case SERVO_GOAL_POSITION:
	case SERVO_GOAL_PWM:
		return goals & BIT(reg);
	default:
		return true;
	}
}

/**
 * dxl_target_moves() - whether a servo gets goals now
 * @target: the servo
 *
 * One that is free, or may be, would be switched on by its goal.
 *
 * Context: Any, with the team's stream_lock held.
 * Return: true if it does
 */
bool dxl_target_moves(struct dxl_target *target)
{
	if (!dxl_servo_takes_poses(target->servo))
		return false;

	switch (dxl_torque_now(target->servo)) {
	case TORQUE_UNUSED:
	case TORQUE_STIFF:
	case TORQUE_RECOVERING:
		return true;
	default:
		return false;
	}
}

/**
 * dxl_target_is_meant() - whether the last pose has a goal of a servo's present mode
 * @target: the servo
 *
 * Context: Any, with the team's stream_lock held.
 * Return: false if it leaves out all that would move the servo
 */
bool dxl_target_is_meant(const struct dxl_target *target)
{
	return dxl_target_goals(target->servo) & target->given & ~BIT(SERVO_GOAL_SPEED);
}

/* --- samples --- */

/* Only a goal that can be negative, in any mode, has a sign in the sample. */
static bool is_signed(const struct dxl_servo_model *model, enum dxl_servo_reg reg)
{
	const struct dxl_servo_mode *mode;

	for (mode = model->series->modes; mode->name; mode++)
		if (dxl_model_range(model, mode, reg)[0] < 0)
			return true;

	return false;
}

static u32 sample_bits(const struct dxl_goal *goal, const u8 *sample)
{
	const u8 *raw = sample + goal->offset;

	return goal->field->size == 2 ? get_unaligned_le16(raw) :
					get_unaligned_le32(raw);
}

/* Where a sample has the goals of one mode, as always of NAO's motors, that is a goal. */
static bool is_left_out(const struct dxl_target *target, const struct dxl_goal *goal, u32 bits)
{
	return READ_ONCE(target->servo->team->options) & POSE_ALL_GOALS &&
	       bits == BIT(8 * goal->field->size - 1);
}

static int sample_value(const struct dxl_goal *goal, u32 bits)
{
	if (goal->is_signed)
		return sign_extend32(bits, 8 * goal->field->size - 1);

	return min_t(u32, bits, INT_MAX);
}

/**
 * dxl_target_take() - take the goals of a servo from a sample
 * @target: the servo
 * @sample: the sample
 *
 * Return: how many of them ask for something that is not of its mode
 */
unsigned int dxl_target_take(struct dxl_target *target, const u8 *sample)
{
	u32 goals = READ_ONCE(target->servo->mode)->goals;
	unsigned int i, ignored = 0;

	target->given = 0;
	for (i = 0; i < target->num_goals; i++) {
		struct dxl_goal *goal = &target->goals[i];
		u32 bits = sample_bits(goal, sample);

		if (is_left_out(target, goal, bits))
			continue;
		target->given |= BIT(goal->reg);
		goal->value = sample_value(goal, bits);
		ignored += goal->value && !(goals & BIT(goal->reg));
	}

	return ignored;
}

/**
 * dxl_target_set() - set all goals of a servo in place of those of a pose
 * @target: the servo
 * @value: what a goal is to be
 *
 * Context: Any, with the team's stream_lock held.
 */
void dxl_target_set(struct dxl_target *target,
		    int (*value)(const struct dxl_target *target, enum dxl_servo_reg reg))
{
	unsigned int i;

	target->given = U32_MAX;
	for (i = 0; i < target->num_goals; i++)
		target->goals[i].value = value(target, target->goals[i].reg);
}

static unsigned int place(unsigned int *end, unsigned int size)
{
	unsigned int at = ALIGN(*end, size);

	*end = at + size;

	return at;
}

static void sort_goal(struct dxl_target *target, struct dxl_goal *goal)
{
	unsigned int i = target->num_goals;

	for (; i && target->by_addr[i - 1]->field->addr > goal->field->addr; i--)
		target->by_addr[i] = target->by_addr[i - 1];
	target->by_addr[i] = goal;
}

static void add_goal(struct dxl_target *target, enum dxl_servo_reg reg, unsigned int *end)
{
	struct dxl_goal *goal = &target->goals[target->num_goals];
	const struct dxl_servo_field *field = &target->model->series->layout->fields[reg];

	*goal = (struct dxl_goal){
		.reg = reg,
		.field = field,
		.is_signed = is_signed(target->model, reg),
		.offset = place(end, field->size),
	};
	sort_goal(target, goal);
	target->num_goals++;
}

/**
 * dxl_target_place() - place what poses have of a servo in a sample, as IIO wants it
 * @target: the servo
 * @options: what they have
 * @end: end of the sample so far, and then with that
 */
void dxl_target_place(struct dxl_target *target, unsigned int options, unsigned int *end)
{
	u32 goals = model_goals(target->model) & streamed_goals(options);
	unsigned int i;

	target->num_goals = 0;
	for (i = 0; i < GOALS_MAX; i++)
		if (goals & BIT(goal_regs[i]))
			add_goal(target, goal_regs[i], end);

	if (options & POSE_STIFFNESS)
		target->stiffness_at = place(end, STIFFNESS_SIZE);
}

/* --- what goes to it --- */

/* Where the register of the torque limit drives it, the limit is one to that. */
static int pwm_max(const struct dxl_target *target)
{
	const struct dxl_servo *servo = target->servo;

	if (servo->torque == TORQUE_RECOVERING)
		return target->risen;

	return min(READ_ONCE(servo->limit), dxl_servo_layout(servo)->torque_max);
}

static int goal_value(const struct dxl_target *target, const struct dxl_goal *goal)
{
	const int *range = dxl_servo_range(target->servo, goal->reg);
	int value = clamp(goal->value, range[0], range[2]);

	if (goal->reg == SERVO_GOAL_PWM)
		value = clamp(value, -pwm_max(target), pwm_max(target));

	return value;
}

static u16 item_end(const struct dxl_item *item)
{
	return item->addr + item->len;
}

/* The last of @count items goes on with it, or there is one more. Returns how many. */
static unsigned int append(struct dxl_item *first, const struct dxl_servo_field *field,
			   int value, struct dxl_item *items, unsigned int count)
{
	struct dxl_item *last = count ? &items[count - 1] : NULL;
	u8 *at = last ? (u8 *)last->buf + last->len : first->buf;

	dxl_servo_encode(field, value, at);
	if (last && item_end(last) == field->addr) {
		last->len += field->size;
		return count;
	}

	items[count] = (struct dxl_item){
		.ddev = first->ddev,
		.addr = field->addr,
		.len = field->size,
		.buf = at,
	};

	return count + 1;
}

/**
 * dxl_target_limit_is_near() - whether the torque limit is a neighbour of its goals
 * @target: the servo
 *
 * Return: true if it can go with them
 */
bool dxl_target_limit_is_near(const struct dxl_target *target)
{
	const struct dxl_servo_field *limit = dxl_servo_field(target->servo, SERVO_TORQUE_LIMIT);
	u32 goals = dxl_target_goals(target->servo) & target->given;
	unsigned int i;

	for (i = 0; i < target->num_goals; i++) {
		const struct dxl_servo_field *field = target->goals[i].field;

		if (goals & BIT(target->goals[i].reg) &&
		    (field->addr + field->size == limit->addr ||
		     limit->addr + limit->size == field->addr))
			return true;
	}

	return false;
}

static unsigned int fill(struct dxl_target *target, u32 given, int limit, u8 *bytes,
			 struct dxl_item *items)
{
	const struct dxl_servo_field *field = dxl_servo_field(target->servo, SERVO_TORQUE_LIMIT);
	struct dxl_item first = { .ddev = target->servo->ddev, .buf = bytes };
	u32 goals = dxl_target_goals(target->servo) & given;
	unsigned int i, count = 0;

	for (i = 0; i < target->num_goals; i++) {
		const struct dxl_goal *goal = target->by_addr[i];

		if (!(goals & BIT(goal->reg)))
			continue;
		if (limit >= 0 && field->addr + field->size == goal->field->addr)
			count = append(&first, field, limit, items, count);
		count = append(&first, goal->field, goal_value(target, goal), items, count);
		if (limit >= 0 && item_end(&items[count - 1]) == field->addr)
			count = append(&first, field, limit, items, count);
	}

	return count;
}

/**
 * dxl_target_items() - the goals of a servo as they go to it
 * @target: the servo; nothing of that is under way
 * @limit: its torque limit, which is their neighbour and goes with them, or negative
 * @items: where to put them, %GOAL_ITEMS at most
 *
 * Return: number of items
 */
unsigned int dxl_target_items(struct dxl_target *target, int limit, struct dxl_item *items)
{
	return fill(target, target->given, limit, target->bytes, items);
}

/**
 * dxl_target_plan() - the same for who only wants to know how long that takes
 * @target: the servo
 * @items: where to put them, %GOAL_ITEMS at most
 *
 * Return: number of items
 */
unsigned int dxl_target_plan(struct dxl_target *target, struct dxl_item *items)
{
	return fill(target, U32_MAX, -1, target->plan, items);
}

/**
 * dxl_target_register() - a register as it goes to a servo
 * @item: where to put it
 * @servo: the servo
 * @reg: the register
 * @buf: what it holds
 */
void dxl_target_register(struct dxl_item *item, const struct dxl_servo *servo,
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

/* --- life --- */

/**
 * dxl_target_create() - allocate what poses have to know of a servo
 * @servo: the servo
 *
 * Return: the target, or NULL
 */
struct dxl_target *dxl_target_create(const struct dxl_servo *servo)
{
	struct dxl_target *target = kzalloc(sizeof(*target), GFP_KERNEL);

	if (!target)
		return NULL;

	target->model = servo->model;
	target->id = servo->ddev->id;
	target->label = kstrdup(dxl_servo_label(servo), GFP_KERNEL);
	if (!target->label) {
		kfree(target);
		return NULL;
	}

	return target;
}

/**
 * dxl_target_destroy() - take back dxl_target_create()
 * @target: the target
 */
void dxl_target_destroy(struct dxl_target *target)
{
	kfree(target->label);
	kfree(target);
}
