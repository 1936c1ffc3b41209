// SPDX-License-Identifier: LGPL-2.1-or-later
/* The player stepped by a loop that is not its own: the clock is the test's. */
#include "player_stage.h"

#include "player/player.h"

static enum naohw_player_state state_of(const struct stage *stage)
{
	return naohw_player_get_state(stage->player);
}

static void begin(struct stage *stage, unsigned int page)
{
	struct naohw_error err;

	if (naohw_player_begin(stage->player, page, &err) < 0)
		fail_msg("%s", err.message);
}

/* Returns when to come again. */
static int64_t step(struct stage *stage)
{
	struct naohw_error err;
	int64_t due = -1;

	if (naohw_player_step(stage->player, &due, &err) < 0)
		fail_msg("%s", err.message);
	return due;
}

/* As an event loop does: it waits for what is due, and is in no sleep of the player's. */
static int step_to_the_end(struct stage *stage, struct naohw_error *err)
{
	enum naohw_player_state began = state_of(stage);
	unsigned int sleeps = stage->sleeps;
	int64_t due;
	int ret = 0;

	while (state_of(stage) == began) {
		ret = naohw_player_step(stage->player, &due, err);
		if (ret < 0 || due == INT64_MAX)
			break;
		assert_true(due >= stage->time);
		stage->time = due;
	}
	assert_int_equal(stage->sleeps, sleeps);
	return ret;
}

static void start_again(struct stage *stage)
{
	stage->count = 0;
	stage->time = 0;
	for (unsigned int i = 0; i < AXES; i++)
		stage->goal[i] = 512;
}

static void check_alike(struct stage *stage, unsigned int page, enum naohw_player_state end)
{
	struct move played[MOVES];
	struct naohw_error err;
	unsigned int count;
	int64_t time;

	assert_int_equal(naohw_player_play(stage->player, page, &err), 0);
	assert_int_equal(state_of(stage), end);
	memcpy(played, stage->moves, sizeof(played));
	count = stage->count;
	time = stage->time;
	start_again(stage);
	begin(stage, page);
	assert_int_equal(step_to_the_end(stage, &err), 0);
	assert_int_equal(state_of(stage), end);
	assert_int_equal(stage->count, count);
	assert_memory_equal(stage->moves, played, count * sizeof(played[0]));
	assert_int_equal(stage->time, time);
}

static void steps_do_what_play_does(void **state)
{
	struct stage *stage = *state;

	stage_page(stage, 1)[15] = 3;
	stage_page(stage, 1)[25] = 4;
	stage_ready(stage);
	check_alike(stage, 1, NAOHW_PLAYER_DONE);
	assert_int_equal(stage->count, 7);
}

static void steps_stop_as_play_does(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	naohw_player_set_max_ms(stage->player, 2000);
	check_alike(stage, 2, NAOHW_PLAYER_STOPPED);
	assert_int_equal(stage->count, 4);
}

static void a_play_begins_with_its_first_step(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_IDLE);
	begin(stage, 1);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_PLAYING);
	assert_int_equal(naohw_player_progress_step(stage->player), 0);
	assert_int_equal(stage->count, 0);
	assert_int_equal(step(stage), 880 * MS);
	assert_int_equal(naohw_player_progress_step(stage->player), 1);
	assert_int_equal(naohw_player_progress_step_ms(stage->player), 800);
	assert_int_equal(naohw_player_progress_pause_ms(stage->player), 80);
	assert_int_equal(stage->count, 1);
}

static void who_comes_early_does_nothing(void **state)
{
	static const int goals[] = { 100 };
	struct stage *stage = *state;

	stage_ready(stage);
	begin(stage, 1);
	for (int64_t ms = 0; ms < 880; ms += 10) {
		stage->time = ms * MS;
		assert_int_equal(step(stage), 880 * MS);
	}
	stage_check_goals(stage, goals, 1);
	stage->time = 880 * MS;
	step(stage);
	assert_int_equal(stage->count, 2);
}

/* A little late is caught up, each with the next call. */
static void who_comes_a_little_late_catches_up(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	begin(stage, 1);
	step(stage);
	stage->time = (880 + 40) * MS;
	assert_int_equal(step(stage), 1760 * MS);
	assert_int_equal(T(&stage->moves[1]), 920);
	assert_int_equal(stage->notes, 0);
}

static void who_comes_late_has_the_rest_later(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	naohw_player_on_note(stage->player, stage_note, stage);
	begin(stage, 1);
	step(stage);
	stage->time = (880 + 300) * MS;
	assert_int_equal(step(stage), (1760 + 300) * MS);
	assert_int_equal(stage->count, 2);
	assert_int_equal(stage->notes, 1);
	assert_non_null(strstr(stage->note, "the machine stalled for 300 ms"));
}

static void the_end_is_told(void **state)
{
	struct naohw_error err;
	struct stage *stage = *state;
	int64_t due;

	stage_ready(stage);
	begin(stage, 4);
	stage->time = step(stage);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_PLAYING);
	assert_int_equal(step(stage), INT64_MAX);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_DONE);
	assert_int_equal(naohw_player_step(stage->player, &due, &err), -EINVAL);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_DONE);
	assert_int_equal(naohw_page_number(naohw_player_progress_page(stage->player)), 4);
}

static void what_was_not_begun_cannot_go_on(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;
	int64_t due;

	stage_ready(stage);
	assert_null(naohw_player_progress_page(stage->player));
	assert_int_equal(naohw_player_step(stage->player, &due, &err), -EINVAL);
	assert_says(&err, "nothing has been begun");
	assert_int_equal(naohw_player_begin(stage->player, 6, &err), -ENODATA);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_IDLE);
	assert_int_equal(naohw_player_step(stage->player, &due, &err), -EINVAL);
	assert_int_equal(stage->count, 0);
}

static void check_is_busy(struct stage *stage)
{
	struct naohw_error err;

	assert_int_equal(naohw_player_begin(stage->player, 4, &err), -EBUSY);
	assert_says(&err, "at work");
	assert_int_equal(naohw_player_play(stage->player, 4, &err), -EBUSY);
	assert_int_equal(naohw_player_begin_settle(stage->player, 2, 1000, &err), -EBUSY);
	assert_int_equal(naohw_player_settle(stage->player, 2, 1000, &err), -EBUSY);
	assert_int_equal(naohw_player_check(stage->player, 4, &err), -EBUSY);
}

/* And who tries that does not undo what was asked of the one that is on its way. */
static void one_play_at_a_time(void **state)
{
	static const int goals[] = { 100, 200, 512 };
	struct stage *stage = *state;
	struct naohw_error err;

	stage_page(stage, 1)[15] = 50;
	stage_ready(stage);
	begin(stage, 1);
	check_is_busy(stage);
	step(stage);
	naohw_player_stop(stage->player);
	check_is_busy(stage);
	assert_int_equal(step_to_the_end(stage, &err), 0);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_STOPPED);
	stage_check_goals(stage, goals, 3);
	assert_int_equal(naohw_player_begin_settle(stage->player, 2, 1000, &err), 0);
	check_is_busy(stage);
}

static void begin_another(void *data, const char *text)
{
	struct stage *stage = data;

	stage_note(data, text);
	assert_int_equal(naohw_player_begin(stage->player, 4, NULL), -EBUSY);
}

static void a_note_begins_no_other_play(void **state)
{
	struct stage *stage = *state;

	stage->present_error[1] = -ETIMEDOUT;
	stage_ready(stage);
	naohw_player_on_note(stage->player, begin_another, stage);
	begin(stage, 1);
	assert_int_equal(stage->notes, 1);
	step(stage);
	assert_int_equal(stage->moves[0].goal[0], 100);
}

static void a_halt_between_steps_holds_at_once(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;
	int64_t due;

	stage_ready(stage);
	begin(stage, 1);
	step(stage);
	stage->present[0] = 444;
	stage->time = 300 * MS;
	naohw_player_halt(stage->player);
	assert_int_equal(step(stage), 400 * MS);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_PLAYING);
	assert_int_equal(stage->moves[1].goal[0], 444);
	/* Not at once, whatever is asked for meanwhile */
	naohw_player_halt(stage->player);
	assert_int_equal(step(stage), 400 * MS);
	assert_int_equal(stage->count, 2);
	stage->time = 400 * MS;
	assert_int_equal(naohw_player_step(stage->player, &due, &err), -ECANCELED);
	assert_says(&err, "halted; the joints hold where they are");
	assert_int_equal(stage->count, 2);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_IDLE);
	/* That was for this one. */
	begin(stage, 4);
	assert_int_equal(step_to_the_end(stage, &err), 0);
}

static void a_failed_push_ends_it(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	stage->push_error_at = 2;
	begin(stage, 1);
	assert_int_equal(step_to_the_end(stage, &err), -EIO);
	assert_says(&err, "the bus is gone");
	assert_int_equal(state_of(stage), NAOHW_PLAYER_IDLE);
	stage->push_error_at = 0;
	begin(stage, 4);
	assert_int_equal(step_to_the_end(stage, &err), 0);
}

static void the_tempo_holds_from_the_next_step_on(void **state)
{
	struct stage *stage = *state;

	stage_ready(stage);
	begin(stage, 1);
	assert_int_equal(step(stage), 880 * MS);
	naohw_player_set_speed(stage->player, 2, NULL);
	stage->time = 880 * MS;
	assert_int_equal(step(stage), (880 + 440) * MS);
}

static void play_page_1(struct stage *stage)
{
	assert_int_equal(naohw_player_play(stage->player, 1, NULL), 0);
}

static void joints_settle_step_by_step(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;
	int64_t began;

	stage_ready(stage);
	play_page_1(stage);
	began = stage->time;
	stage->present[0] = 150;
	assert_int_equal(naohw_player_begin_settle(stage->player, 2, 1000, &err), 0);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_SETTLING);
	assert_int_equal(step(stage), began + 40 * MS);
	assert_int_equal(naohw_player_arrival_off(stage->player), 1);
	assert_int_equal(naohw_player_arrival_worst(stage->player), 50);
	stage->time = began + 40 * MS;
	stage->present[0] = 199;
	assert_int_equal(step(stage), INT64_MAX);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_DONE);
	assert_int_equal(naohw_player_arrival_off(stage->player), 0);
	assert_int_equal(naohw_player_arrival_ms(stage->player), 40);
}

static void settling_has_an_end(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;
	int64_t began;

	stage_ready(stage);
	play_page_1(stage);
	began = stage->time;
	stage->present[0] = 150;
	assert_int_equal(naohw_player_begin_settle(stage->player, 2, 1000, &err), 0);
	assert_int_equal(step_to_the_end(stage, &err), -ETIMEDOUT);
	assert_int_equal((stage->time - began) / MS, 1000);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_IDLE);
}

static void a_halt_while_settling_holds(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;

	stage_ready(stage);
	play_page_1(stage);
	stage->present[0] = 150;
	assert_int_equal(naohw_player_begin_settle(stage->player, 2, 1000, &err), 0);
	step(stage);
	naohw_player_halt(stage->player);
	assert_int_equal(step_to_the_end(stage, &err), -ECANCELED);
	assert_says(&err, "halted; joints that were on their way hold where they are");
	assert_int_equal(stage->moves[stage->count - 1].goal[0], 150);
}

/* There is nothing left to be held. */
static void a_halt_when_all_have_arrived_is_late(void **state)
{
	struct stage *stage = *state;
	struct naohw_error err;
	unsigned int pushes;

	stage_ready(stage);
	play_page_1(stage);
	stage->present[0] = 200;
	pushes = stage->count;
	assert_int_equal(naohw_player_begin_settle(stage->player, 2, 1000, &err), 0);
	naohw_player_halt(stage->player);
	assert_int_equal(step(stage), INT64_MAX);
	assert_int_equal(state_of(stage), NAOHW_PLAYER_DONE);
	assert_int_equal(stage->count, pushes);
}

int main(void)
{
#define STAGE_TEST(test) cmocka_unit_test_setup_teardown(test, stage_setup, stage_teardown)
	const struct CMUnitTest tests[] = {
		STAGE_TEST(steps_do_what_play_does),
		STAGE_TEST(steps_stop_as_play_does),
		STAGE_TEST(a_play_begins_with_its_first_step),
		STAGE_TEST(who_comes_early_does_nothing),
		STAGE_TEST(who_comes_a_little_late_catches_up),
		STAGE_TEST(who_comes_late_has_the_rest_later),
		STAGE_TEST(the_end_is_told),
		STAGE_TEST(what_was_not_begun_cannot_go_on),
		STAGE_TEST(one_play_at_a_time),
		STAGE_TEST(a_note_begins_no_other_play),
		STAGE_TEST(a_halt_between_steps_holds_at_once),
		STAGE_TEST(a_failed_push_ends_it),
		STAGE_TEST(the_tempo_holds_from_the_next_step_on),
		STAGE_TEST(joints_settle_step_by_step),
		STAGE_TEST(settling_has_an_end),
		STAGE_TEST(a_halt_while_settling_holds),
		STAGE_TEST(a_halt_when_all_have_arrived_is_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
