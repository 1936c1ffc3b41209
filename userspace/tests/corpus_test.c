// SPDX-License-Identifier: LGPL-2.1-or-later
/* Real motion files, where they are at hand, and the project's own. */
#include "support.h"

#include "motion/player.h"

#define MAX_MS 60000

static struct naohw_motion *load(const char *path)
{
	struct naohw_motion *motion;
	struct naohw_error err;

	if (naohw_motion_load(path, &motion, &err) < 0)
		fail_msg("%s", err.message);
	return motion;
}

static struct naohw_motion *load_shared(const char *name)
{
	const char *path = shared_file(name);

	if (!path) {
		print_message("%s is not there\n", name);
		skip();
	}
	return load(path);
}

static unsigned int count_state(const struct naohw_motion *motion, enum naohw_page_state state)
{
	struct naohw_page page;
	unsigned int count = 0;

	for (unsigned int i = 1; naohw_motion_get_page(motion, i, &page) == 0; i++)
		count += page.state == state;
	return count;
}

struct watch {
	unsigned int steps;
	long last_ms;
};

static void watch_step(void *data, const struct naohw_progress *progress)
{
	struct watch *watch = data;

	watch->steps++;
	assert_in_range(progress->step, 1, progress->steps);
	assert_in_range(progress->pass, 1, progress->passes);
	assert_true(progress->step_ms >= 8);
	assert_true(progress->elapsed_ms >= watch->last_ms);
	watch->last_ms = progress->elapsed_ms;
}

/* IDs 1 to @last: servos with @max. */
static struct naohw_player *dry_player(const struct naohw_motion *motion, unsigned int last,
				       int max)
{
	struct naohw_axis axes[NAOHW_PAGE_IDS];
	struct naohw_player *player;

	for (unsigned int id = 1; id <= last; id++) {
		axes[id - 1] = ax12(id, "x");
		axes[id - 1].max = max;
	}
	assert_int_equal(naohw_player_new_dry(motion, axes, last, &player, NULL), 0);
	return player;
}

/* Every page that can be played ends, by itself or when told so; returns how many. */
static unsigned int play_all(const struct naohw_motion *motion, unsigned int last, int max)
{
	struct naohw_player *player = dry_player(motion, last, max);
	struct naohw_page page;
	unsigned int played = 0;

	for (unsigned int i = 1; naohw_motion_get_page(motion, i, &page) == 0; i++) {
		struct watch watch = { 0 };
		const struct naohw_play_options options = {
			.data = &watch,
			.step = watch_step,
			.max_ms = MAX_MS,
		};
		struct naohw_error err;
		int ret;

		if (page.state != NAOHW_PAGE_GOOD)
			continue;
		ret = naohw_player_play(player, i, &options, &err);
		if (ret < 0)
			fail_msg("%s", err.message);
		assert_true(watch.steps >= page.steps);
		played++;
	}
	naohw_player_free(player);
	return played;
}

static void bioloid_soccer(void **state)
{
	struct naohw_motion *motion = load_shared("bioloid-soccer.mtn");
	struct naohw_page page;
	struct naohw_step step;

	(void)state;
	assert_int_equal(naohw_motion_is_text(motion), 1);
	assert_null(naohw_motion_checksum_fault(motion));
	assert_int_equal(naohw_motion_page_count(motion), 256);
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 51);
	assert_int_equal(count_state(motion, NAOHW_PAGE_EMPTY), 204);
	assert_int_equal(count_state(motion, NAOHW_PAGE_DAMAGED), 0);
	assert_int_equal(naohw_motion_find_page(motion, "Bravo", NULL), 50);
	assert_int_equal(naohw_motion_get_page(motion, 3, &page), 0);
	assert_int_equal(page.next, 5);
	assert_int_equal(page.exit, 7);
	assert_int_equal(page.speed, 15); /* rate 2.1 */
	assert_int_equal(naohw_motion_get_step(motion, 1, 0, &step), 0);
	assert_int_equal(step.position[1], 235);
	assert_int_equal(step.time, 125);
	assert_int_equal(play_all(motion, 18, 1023), 51);
	naohw_motion_free(motion);
}

/* One bit of the real file changed: its own checksum tells, though not of which page. */
static void bioloid_soccer_spoilt(void **state)
{
	const char *path = shared_file("bioloid-soccer.mtn");
	static char data[100000];
	struct naohw_motion *motion;
	size_t size;
	FILE *file;

	(void)state;
	if (!path)
		skip();
	file = fopen(path, "rb");
	assert_non_null(file);
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	*(strstr(data, "step=512 235") + 9) ^= 1; /* 235 becomes 335 */
	motion = load(temp_file(data, size));
	assert_non_null(naohw_motion_checksum_fault(motion));
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 51);
	assert_int_equal(count_state(motion, NAOHW_PAGE_EMPTY), 204);
	naohw_motion_free(motion);
}

static void hros1(void **state)
{
	struct naohw_motion *motion = load_shared("hros1-motion.bin");

	(void)state;
	assert_int_equal(naohw_motion_page_count(motion), 256);
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 21);
	assert_int_equal(count_state(motion, NAOHW_PAGE_DAMAGED), 0);
	assert_int_equal(play_all(motion, 20, 4095), 21);
	naohw_motion_free(motion);
}

static void op3(void **state)
{
	struct naohw_motion *motion = load_shared("op3-motion.bin");
	struct naohw_page page;

	(void)state;
	assert_int_equal(naohw_motion_page_count(motion), 256);
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 55);
	assert_int_equal(count_state(motion, NAOHW_PAGE_DAMAGED), 0);
	assert_int_equal(naohw_motion_get_page(motion, 0, &page), 0);
	assert_int_equal(page.state, NAOHW_PAGE_EMPTY);
	assert_int_equal(play_all(motion, 20, 4095), 55);
	naohw_motion_free(motion);
}

/* The garbage on ID 24 is no harm as long as there is no servo 24. */
static void op3_garbage(void **state)
{
	struct naohw_motion *motion = load_shared("op3-motion.bin");
	struct naohw_player *player = dry_player(motion, 24, 4095);
	struct naohw_page page;
	unsigned int refused = 0;

	(void)state;
	for (unsigned int i = 1; naohw_motion_get_page(motion, i, &page) == 0; i++)
		if (naohw_player_check(player, i, NULL) == -ERANGE)
			refused++;
	assert_true(refused > 0);
	naohw_player_free(player);
	naohw_motion_free(motion);
}

static int max_speed_of(const struct naohw_motion *motion, unsigned int number)
{
	struct naohw_step before, step;
	struct naohw_page page;
	double fastest = 0;

	assert_int_equal(naohw_motion_get_page(motion, number, &page), 0);
	assert_int_equal(naohw_motion_get_step(motion, 1, 0, &before), 0);
	for (unsigned int i = 0; i < page.steps; i++) {
		assert_int_equal(naohw_motion_get_step(motion, number, i, &step), 0);
		for (unsigned int id = 1; id <= 20; id++)
			fastest = fmax(fastest, abs(step.position[id] - before.position[id]) *
							(300.0 / 1024) / (step.time * 0.008));
		before = step;
	}
	return (int)fastest;
}

static void own_motion(void **state)
{
	static const char *const names[] = { "Stand", "Wave", "Bow" };
	struct naohw_motion *motion = load(OWN_MOTION);
	struct naohw_step stand, last;
	struct naohw_page page;

	(void)state;
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 3);
	assert_int_equal(play_all(motion, 20, 1023), 3);
	assert_int_equal(naohw_motion_get_step(motion, 1, 0, &stand), 0);
	for (unsigned int i = 0; i < 3; i++) {
		unsigned int number =
			(unsigned int)naohw_motion_find_page(motion, names[i], NULL);

		assert_int_equal(number, i + 1);
		assert_int_equal(naohw_motion_get_page(motion, number, &page), 0);
		assert_int_equal(naohw_motion_get_step(motion, number, page.steps - 1, &last), 0);
		/* Each ends as it stands, and an AX-12 does no more than 354 degrees a second. */
		assert_memory_equal(last.position, stand.position, sizeof(stand.position));
		assert_in_range(max_speed_of(motion, number), 0, 300);
	}
	naohw_motion_free(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bioloid_soccer),
		cmocka_unit_test(bioloid_soccer_spoilt),
		cmocka_unit_test(hros1),
		cmocka_unit_test(op3),
		cmocka_unit_test(op3_garbage),
		cmocka_unit_test(own_motion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
