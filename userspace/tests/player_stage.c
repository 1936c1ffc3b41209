// SPDX-License-Identifier: LGPL-2.1-or-later
#include "player_stage.h"

#include "player/player.h"

static int64_t stage_now(void *data)
{
	return ((struct stage *)data)->time;
}

static void stage_sleep(void *data, int64_t deadline)
{
	struct stage *stage = data;

	assert_true(deadline > stage->time);
	stage->sleeps++;
	stage->time = deadline;
	if (stage->halt_after && deadline >= stage->halt_after)
		naohw_player_halt(stage->player);
	if (stage->stop_after && deadline >= stage->stop_after)
		naohw_player_stop(stage->player);
	if (stage->stall_at && deadline >= stage->stall_at) {
		stage->time += 1000 * MS;
		stage->stall_at = 0;
	}
}

static int stage_present(void *data, size_t axis, int *counts, struct naohw_error *err)
{
	struct stage *stage = data;

	assert_true(axis < AXES);
	if (err)
		snprintf(err->message, sizeof(err->message), "axis %zu is silent", axis);
	if (stage->fail_reads && stage->fail_reads--)
		return -ETIMEDOUT;
	if (stage->present_error[axis])
		return stage->present_error[axis];
	*counts = stage->present[axis];
	return 0;
}

static int stage_goal(void *data, size_t axis)
{
	const struct stage *stage = data;

	return stage->on_way[axis] ? stage->on_way[axis] : stage->goal[axis];
}

static void stage_set(void *data, size_t axis, int goal)
{
	struct stage *stage = data;

	assert_true(goal >= 0 && goal <= 1023);
	stage->goal[axis] = goal;
}

static int stage_push(void *data, int64_t begin, int64_t end, struct naohw_error *err)
{
	struct stage *stage = data;
	struct move *move = &stage->moves[stage->count];

	assert_true(begin < end);
	assert_true(stage->count < MOVES);
	if (stage->push_error_at && stage->count + 1 == stage->push_error_at) {
		if (err)
			snprintf(err->message, sizeof(err->message), "the bus is gone");
		return -EIO;
	}
	stage->count++;
	move->time = stage->time;
	move->took = end - begin;
	memcpy(move->goal, stage->goal, sizeof(move->goal));
	if (stage->count == stage->stop_at)
		naohw_player_stop(stage->player);
	if (stage->count == stage->halt_at)
		naohw_player_halt(stage->player);
	return 0;
}

static int stage_check(void *data, struct naohw_error *err)
{
	const struct stage *stage = data;

	if (err)
		snprintf(err->message, sizeof(err->message), "the torque is gone");
	return stage->check_error;
}

static const struct player_sink stage_sink = {
	.now = stage_now,
	.sleep = stage_sleep,
	.present = stage_present,
	.goal = stage_goal,
	.set = stage_set,
	.push = stage_push,
	.check = stage_check,
};

unsigned char *stage_page(struct stage *stage, unsigned int number)
{
	return stage->pages + number * PAGE_SIZE;
}

static void make_pages(struct stage *stage)
{
	stage->pages = pages_new(8);
	for (unsigned int i = 1; i < 5; i++) {
		page_plain(stage_page(stage, i), "page", 1);
		page_position(stage_page(stage, i), 0, 1, 100 * i);
		page_times(stage_page(stage, i), 0, 0, 100);
		stage_page(stage, i)[26] = 4;
	}
	stage_page(stage, 1)[20] = 2;
	page_position(stage_page(stage, 1), 1, 1, 200);
	page_times(stage_page(stage, 1), 0, 10, 100);
	page_times(stage_page(stage, 1), 1, 10, 100);
	stage_page(stage, 2)[25] = 3;
	stage_page(stage, 3)[25] = 2;
	page_position(stage_page(stage, 4), 0, 1, 512);
	stage_page(stage, 4)[26] = 0;
}

int stage_setup(void **state)
{
	struct stage *stage = calloc(1, sizeof(*stage));

	assert_non_null(stage);
	for (unsigned int i = 0; i < AXES; i++)
		stage->goal[i] = stage->present[i] = 512;
	make_pages(stage);
	*state = stage;
	return 0;
}

int stage_teardown(void **state)
{
	struct stage *stage = *state;

	naohw_player_free(stage->player);
	naohw_motion_free(stage->motion);
	free(stage->pages);
	free(stage);
	return 0;
}

void stage_ready(struct stage *stage)
{
	const struct servo_axis axes[AXES] = { ax12(1, "One"), ax12(2, "Two"), ax12(3, "Three") };
	struct naohw_error err;

	for (unsigned int i = 0; i < 8; i++)
		if (stage_page(stage, i)[15] != 0xff)
			page_seal(stage_page(stage, i));
	stage->motion = pages_load(stage->pages, 8);
	assert_int_equal(player_create(stage->motion, axes, AXES, &stage_sink, stage, &stage->player,
				       &err),
			 0);
}

void stage_note(void *data, const char *text)
{
	struct stage *stage = data;

	stage->notes++;
	snprintf(stage->note, sizeof(stage->note), "%s", text);
}

void stage_check_goals(const struct stage *stage, const int *goals, unsigned int count)
{
	assert_int_equal(stage->count, count);
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(stage->moves[i].goal[0], goals[i]);
}
