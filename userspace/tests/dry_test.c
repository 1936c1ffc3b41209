// SPDX-License-Identifier: LGPL-2.1-or-later
/* Players that move nothing, on the servos that a file suggests. */
#include "support.h"

#define SENT 64
#define MS   ((int64_t)1000000)

struct fixture {
	unsigned char *pages;
	unsigned char *page; /* page 1, of two steps */
	struct naohw_motion *motion;
	struct naohw_player *player;
	long sent[SENT]; /* when each step was */
	unsigned int count;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->pages = pages_new(3);
	f->page = f->pages + PAGE_SIZE;
	page_plain(f->page, "one", 2);
	page_position(f->page, 0, 1, 100);
	page_position(f->page, 0, 2, 200);
	page_position(f->page, 1, 1, 300);
	page_times(f->page, 0, 10, 100);
	page_plain(f->pages + 2 * PAGE_SIZE, "two", 1);
	page_position(f->pages + 2 * PAGE_SIZE, 0, 3, 400);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	naohw_player_free(f->player);
	naohw_motion_free(f->motion);
	free(f->pages);
	free(f);
	return 0;
}

static void ready(struct fixture *f)
{
	for (unsigned int i = 1; i < 3; i++)
		page_seal(f->pages + i * PAGE_SIZE);
	f->motion = pages_load(f->pages, 3);
	assert_int_equal(naohw_player_new_dry(f->motion, NULL, &f->player, NULL), 0);
}

static void take_step(void *data, const struct naohw_player *player)
{
	struct fixture *f = data;

	assert_true(f->count < SENT);
	f->sent[f->count++] = naohw_player_progress_elapsed_ms(player);
}

static void no_position_above_1023_is_an_ax12s(void **state)
{
	struct fixture *f = *state;

	page_position(f->page, 1, 1, 1023);
	ready(f);
	assert_string_equal(naohw_player_assumed_servo(f->player), "AX-12");
}

static void one_above_is_an_mx28s(void **state)
{
	struct fixture *f = *state;

	page_position(f->page, 1, 1, 1024);
	ready(f);
	assert_string_equal(naohw_player_assumed_servo(f->player), "MX-28");
	assert_int_equal(naohw_player_play(f->player, 1, NULL), 0);
}

static void garbage_and_flags_tell_nothing(void **state)
{
	struct fixture *f = *state;

	page_position(f->page, 0, 9, 0x9d00);
	page_position(f->page, 0, 10, NAOHW_POSITION_TORQUE_OFF);
	ready(f);
	assert_string_equal(naohw_player_assumed_servo(f->player), "AX-12");
	assert_int_equal(naohw_player_joint_count(f->player, 1), 2);
	assert_int_equal(naohw_player_play(f->player, 1, NULL), 0);
}

static void a_damaged_page_tells_nothing(void **state)
{
	struct fixture *f = *state;

	page_position(f->page, 1, 1, 1024);
	f->page[16] = 1; /* no schedule */
	ready(f);
	assert_string_equal(naohw_player_assumed_servo(f->player), "AX-12");
}

static void joints_are_those_of_the_first_step(void **state)
{
	struct fixture *f = *state;

	page_position(f->page, 1, 5, 300); /* in its second step only */
	ready(f);
	assert_int_equal(naohw_player_joint_count(f->player, 1), 2);
	assert_int_equal(naohw_player_joint_count(f->player, 2), 1);
	assert_int_equal(naohw_player_joint_count(f->player, 0), 0);
	assert_int_equal(naohw_player_joint_count(f->player, 3), 0);
}

static void keep_note(void *data, const char *text)
{
	struct naohw_error *note = data;

	snprintf(note->message, sizeof(note->message), "%s", text);
}

/* One player plays several pages, each with servos of its own. */
static void each_page_has_its_servos(void **state)
{
	struct naohw_error note = { "" };
	struct fixture *f = *state;

	page_position(f->page, 1, 5, 300);
	f->page[25] = 2;
	ready(f);
	naohw_player_on_note(f->player, keep_note, &note);
	assert_int_equal(naohw_player_play(f->player, 1, NULL), 0);
	assert_says(&note, "from page 1 (one) on, ignored: 3 5");
	note.message[0] = '\0';
	assert_int_equal(naohw_player_play(f->player, 2, NULL), 0);
	assert_string_equal(note.message, "");
}

static void its_clock_jumps(void **state)
{
	struct fixture *f = *state;

	ready(f);
	naohw_player_on_step(f->player, take_step, f);
	assert_int_equal(naohw_player_play(f->player, 1, NULL), 0);
	assert_int_equal(f->count, 2);
	assert_int_equal(f->sent[0], 0);
	assert_int_equal(f->sent[1], 880);
}

/* Each call is at the time that the one before has said. */
static void its_clock_jumps_in_steps(void **state)
{
	static const int64_t expected[] = { 880, 1880 };
	struct fixture *f = *state;
	int64_t due;

	ready(f);
	naohw_player_on_step(f->player, take_step, f);
	assert_int_equal(naohw_player_begin(f->player, 1, NULL), 0);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(naohw_player_step(f->player, &due, NULL), 0);
		assert_int_equal(due, expected[i] * MS);
	}
	assert_int_equal(naohw_player_step(f->player, &due, NULL), 0);
	assert_int_equal(due, INT64_MAX);
	assert_int_equal(naohw_player_get_state(f->player), NAOHW_PLAYER_DONE);
	assert_int_equal(f->count, 2);
	assert_int_equal(f->sent[1], 880);
}

/* What is asked for between two steps comes between them. */
static void a_halt_comes_before_the_next_step(void **state)
{
	struct fixture *f = *state;
	struct naohw_error err;
	int64_t due;

	ready(f);
	assert_int_equal(naohw_player_begin(f->player, 1, NULL), 0);
	assert_int_equal(naohw_player_step(f->player, &due, NULL), 0);
	naohw_player_halt(f->player);
	assert_int_equal(naohw_player_step(f->player, &due, NULL), 0);
	assert_int_equal(due, 100 * MS);
	assert_int_equal(naohw_player_step(f->player, &due, &err), -ECANCELED);
	assert_int_equal(naohw_player_progress_step(f->player), 1);
}

static void settling_takes_no_time(void **state)
{
	struct fixture *f = *state;

	ready(f);
	assert_int_equal(naohw_player_play(f->player, 1, NULL), 0);
	assert_int_equal(naohw_player_settle(f->player, 0, 1000, NULL), 0);
	assert_int_equal(naohw_player_arrival_joints(f->player), 2);
	assert_int_equal(naohw_player_arrival_ms(f->player), 0);
}

int main(void)
{
#define DRY_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		DRY_TEST(no_position_above_1023_is_an_ax12s),
		DRY_TEST(one_above_is_an_mx28s),
		DRY_TEST(garbage_and_flags_tell_nothing),
		DRY_TEST(a_damaged_page_tells_nothing),
		DRY_TEST(joints_are_those_of_the_first_step),
		DRY_TEST(each_page_has_its_servos),
		DRY_TEST(its_clock_jumps),
		DRY_TEST(its_clock_jumps_in_steps),
		DRY_TEST(a_halt_comes_before_the_next_step),
		DRY_TEST(settling_takes_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
