// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Timed commands of one actuator: by example, as NAO's documentation tells of them, and held
 * against a model that does the same without a thought for time. NAOHW_SEQUENCES=N tries more.
 */
#include "support.h"

#include <math.h>

#include "dcm/queue.h"
#include "seeds.h"

#define SEQUENCES 20000
#define STEPS	  24
#define LIST	  12

static struct point room[NAOHW_COMMANDS_MAX];
static struct queue queue;

static int setup(void **state)
{
	(void)state;
	memset(&queue, 0, sizeof(queue));
	queue.point = room;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	seeds_teardown();
	return 0;
}

/* ---- by example ---- */

#define MERGE  NAOHW_UPDATE_MERGE
#define ALL    NAOHW_UPDATE_CLEAR_ALL
#define AFTER  NAOHW_UPDATE_CLEAR_AFTER
#define BEFORE NAOHW_UPDATE_CLEAR_BEFORE

/* A point that is none of a step */
struct pair {
	int64_t time;
	double level;
};

static int update(enum naohw_update how, const struct pair *pairs, size_t count, int64_t now,
		  double sent)
{
	const struct point from = { .time = now, .level = sent };
	struct point points[NAOHW_COMMANDS_MAX] = { 0 };

	for (size_t i = 0; i < count; i++) {
		points[i].time = pairs[i].time;
		points[i].level = pairs[i].level;
	}
	return queue_update(&queue, how, points, count, &from);
}

#define UPDATE(how, now, sent, ...)                                                                \
	do {                                                                                       \
		const struct pair given[] = { __VA_ARGS__ };                                       \
                                                                                                   \
		assert_int_equal(update(how, given, sizeof(given) / sizeof(given[0]), now, sent),    \
				 0);                                                               \
	} while (0)

static void check_times(const int64_t *times, size_t count)
{
	assert_int_equal(queue.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(queue.point[queue.first + i].time, times[i]);
}

#define CHECK_TIMES(...)                                                                           \
	do {                                                                                       \
		const int64_t times[] = { __VA_ARGS__ };                                           \
                                                                                                   \
		check_times(times, sizeof(times) / sizeof(times[0]));                              \
	} while (0)

/* [dcm-5] [dcm-6] */
static void a_line_goes_from_what_was_sent_to_each_command(void **state)
{
	(void)state;
	UPDATE(ALL, 1000, 10, { 1100, 20 }, { 1300, 0 });
	assert_near(queue_follow(&queue, 1000, 0), 10, 1e-12);
	assert_near(queue_follow(&queue, 1025, 0), 12.5, 1e-12);
	assert_near(queue_follow(&queue, 1100, 0), 20, 1e-12);
	assert_near(queue_follow(&queue, 1200, 0), 10, 1e-12);
	assert_near(queue_follow(&queue, 1299, 0), 0.1, 1e-12);
	assert_near(queue_follow(&queue, 1300, 0), 0, 1e-12);
	assert_near(queue_follow(&queue, 99999, 0), 0, 1e-12);
	assert_int_equal(queue.count, 0);
}

static void one_that_has_passed_is_now(void **state)
{
	(void)state;
	UPDATE(ALL, 1000, 10, { 400, 99 });
	assert_near(queue_follow(&queue, 1010, 0), 99, 1e-12);
}

static void of_several_that_have_passed_the_last_is_now(void **state)
{
	(void)state;
	UPDATE(ALL, 1000, 10, { 400, 99 }, { 900, 50 }, { 1110, 70 });
	assert_near(queue_follow(&queue, 1010, 0), 50 + 20 * 110 / 210.0, 1e-12);
}

/* [dcm-1] */
static void merge_keeps_all_and_the_new_one_of_a_time(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 0, { 100, 1 }, { 200, 2 }, { 300, 3 });
	UPDATE(MERGE, 0, 0, { 50, 5 }, { 200, 20 }, { 400, 4 });
	CHECK_TIMES(50, 100, 200, 300, 400);
	assert_near(queue.point[2].level, 20, 0);
}

/* [dcm-2] */
static void clear_all_keeps_none(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 0, { 100, 1 }, { 200, 2 });
	UPDATE(ALL, 0, 0, { 150, 7 });
	CHECK_TIMES(150);
}

static void clear_all_with_nothing_stays_where_it_was_sent(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 0, { 100, 10 });
	assert_near(queue_follow(&queue, 50, 0), 5, 1e-12);
	assert_int_equal(update(ALL, NULL, 0, 50, 5), 0);
	assert_near(queue_follow(&queue, 60, 0), 5, 1e-12);
	assert_near(queue_follow(&queue, 600, 0), 5, 1e-12);
}

/* [dcm-3] */
static void clear_after_drops_what_is_behind_the_first_new_one(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 0, { 100, 1 }, { 200, 2 }, { 300, 3 }, { 400, 4 });
	UPDATE(AFTER, 0, 0, { 250, 9 }, { 350, 8 });
	CHECK_TIMES(100, 200, 250, 350);
}

/* [dcm-4] */
static void clear_before_drops_what_is_before_the_last_new_one(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 0, { 100, 1 }, { 200, 2 }, { 300, 3 }, { 400, 4 });
	UPDATE(BEFORE, 0, 0, { 150, 9 }, { 250, 8 });
	CHECK_TIMES(150, 250, 300, 400);
}

static void what_comes_before_the_next_one_begins_where_it_was_sent(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 0, { 100, 100 });
	assert_near(queue_follow(&queue, 20, 0), 20, 1e-12);
	UPDATE(MERGE, 20, 20, { 60, 0 });
	assert_near(queue_follow(&queue, 40, 0), 10, 1e-12);
	assert_near(queue_follow(&queue, 80, 0), 50, 1e-12);
}

static void what_comes_behind_the_next_one_leaves_the_line_as_it_is(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 0, { 100, 100 });
	/* It has been held up at 3. */
	UPDATE(MERGE, 20, 3, { 200, 0 });
	assert_near(queue_follow(&queue, 50, 0), 50, 1e-12);
}

/* [dcm-9] */
static void there_is_room_for_512_and_no_more(void **state)
{
	struct point points[NAOHW_COMMANDS_MAX];
	const struct point from = { 0 };

	(void)state;
	for (size_t i = 0; i < NAOHW_COMMANDS_MAX; i++)
		points[i] = (struct point){ .time = (int64_t)i * 2, .level = 1 };
	assert_int_equal(queue_update(&queue, MERGE, points, NAOHW_COMMANDS_MAX, &from), 0);
	assert_int_equal(queue.count, NAOHW_COMMANDS_MAX);
	/* One of a time that is there already takes no room, another does. */
	UPDATE(MERGE, 0, 0, { 4, 5 });
	points[0] = (struct point){ .time = 3, .level = 9 };
	assert_int_equal(queue_update(&queue, MERGE, points, 1, &from), -ENOSPC);
	assert_int_equal(queue.count, NAOHW_COMMANDS_MAX);
	assert_near(queue.point[2].level, 5, 0);
	assert_int_equal(queue.point[1].time, 2);
	/* What has been reached has given its room back. */
	(void)queue_follow(&queue, 0, 0);
	assert_int_equal(queue_update(&queue, MERGE, points, 1, &from), 0);
}

/* [dcm-8] */
static void what_jumps_does_so_once_and_to_the_last_of_what_is_due(void **state)
{
	double level = -1;

	(void)state;
	UPDATE(ALL, 0, 0, { 100, 4 }, { 150, 12 }, { 400, 68 });
	assert_false(queue_fire(&queue, 99, &level));
	assert_true(queue_fire(&queue, 210, &level));
	assert_near(level, 12, 0);
	assert_false(queue_fire(&queue, 220, &level));
	assert_true(queue_fire(&queue, 400, &level));
	assert_near(level, 68, 0);
	assert_false(queue_fire(&queue, 9999, &level));
}

static void times_at_the_ends_are_times(void **state)
{
	(void)state;
	UPDATE(ALL, 0, 1, { INT64_MIN + 1, 7 }, { INT64_MAX, 9 });
	assert_near(queue_follow(&queue, 0, 0), 8, 1e-9);
	assert_true(isfinite(queue_follow(&queue, INT64_MAX - 1, 0)));
	assert_near(queue_follow(&queue, INT64_MAX, 0), 9, 0);
}

/* ---- a model ---- */

static struct model {
	struct point list[2 * NAOHW_COMMANDS_MAX]; /* in no order */
	size_t count;
	struct point from;
} model;

static struct point *model_next(void)
{
	struct point *next = NULL;

	for (size_t i = 0; i < model.count; i++)
		if (!next || model.list[i].time < next->time)
			next = &model.list[i];
	return next;
}

static void model_drop(struct point *point)
{
	*point = model.list[--model.count];
}

static bool model_keeps(enum naohw_update how, int64_t time, const struct point *points,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (points[i].time == time)
			return false;
	switch (how) {
	case MERGE:
		return true;
	case AFTER:
		return time <= points[0].time;
	case BEFORE:
		return time >= points[count - 1].time;
	default:
		return false;
	}
}

static void model_update(enum naohw_update how, const struct point *points, size_t count,
			 struct point from)
{
	struct point *next = model_next(), before = { 0 };
	bool had = next;

	if (had)
		before = *next;
	for (size_t i = model.count; i-- > 0;)
		if (!model_keeps(how, model.list[i].time, points, count))
			model_drop(&model.list[i]);
	for (size_t i = 0; i < count; i++)
		model.list[model.count++] = points[i];
	next = model_next();
	if (!had || !next || next->time != before.time || next->level != before.level)
		model.from = from;
}

static double model_follow(int64_t now)
{
	struct point *next;

	while ((next = model_next()) && next->time <= now) {
		model.from = *next;
		model_drop(next);
	}
	if (!next || now <= model.from.time)
		return model.from.level;
	return model.from.level + (next->level - model.from.level) *
					  (double)(now - model.from.time) /
					  (double)(next->time - model.from.time);
}

/* ---- and the two of them ---- */

static size_t any_list(struct point *points, int64_t now)
{
	size_t count = 1 + chance(LIST);
	int64_t time = now + (int64_t)chance(200) - 60;

	for (size_t i = 0; i < count; i++) {
		points[i] = (struct point){ .time = time, .level = chance(1000) };
		time += 1 + chance(20);
	}
	return count;
}

static void any_sequence(void)
{
	struct point points[LIST];
	int64_t now = chance(1000);
	double sent = 0;

	memset(&queue, 0, sizeof(queue));
	memset(&model, 0, sizeof(model));
	queue.point = room;
	for (unsigned int step = 0; step < STEPS; step++) {
		struct point from = { .time = now, .level = sent };
		enum naohw_update how = (enum naohw_update)chance(4);
		size_t count = any_list(points, now);

		if (chance(3) == 0) {
			if (how == ALL && chance(2))
				count = 0;
			assert_int_equal(queue_update(&queue, how, points, count, &from), 0);
			model_update(how, points, count, from);
		}
		now += chance(30);
		sent = queue_follow(&queue, now, 0);
		assert_near(sent, model_follow(now), 1e-9);
		assert_int_equal(queue.count, model.count);
		/* A rule has come between, as that of a limp joint. */
		if (chance(8) == 0) {
			from = (struct point){ .time = now, .level = chance(1000) };
			queue_restart(&queue, &from);
			model.from = from;
			sent = from.level;
		}
	}
}

static void any_sequence_is_that_of_a_model(void **state)
{
	const char *sequences = getenv("NAOHW_SEQUENCES");

	(void)state;
	each_seed(sequences ? (unsigned int)strtoul(sequences, NULL, 10) : SEQUENCES, any_sequence);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_line_goes_from_what_was_sent_to_each_command),
		TEST(one_that_has_passed_is_now),
		TEST(of_several_that_have_passed_the_last_is_now),
		TEST(merge_keeps_all_and_the_new_one_of_a_time),
		TEST(clear_all_keeps_none),
		TEST(clear_all_with_nothing_stays_where_it_was_sent),
		TEST(clear_after_drops_what_is_behind_the_first_new_one),
		TEST(clear_before_drops_what_is_before_the_last_new_one),
		TEST(what_comes_before_the_next_one_begins_where_it_was_sent),
		TEST(what_comes_behind_the_next_one_leaves_the_line_as_it_is),
		TEST(there_is_room_for_512_and_no_more),
		TEST(what_jumps_does_so_once_and_to_the_last_of_what_is_due),
		TEST(times_at_the_ends_are_times),
		TEST(any_sequence_is_that_of_a_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
