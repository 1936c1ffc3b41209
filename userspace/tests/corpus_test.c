// SPDX-License-Identifier: LGPL-2.1-or-later
/* Real motion files, where they are at hand, and the project's own. */
#include "support.h"

#include "player/player.h"

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
	const struct naohw_page *page;
	unsigned int count = 0;

	for (unsigned int i = 1; (page = naohw_motion_page(motion, i)); i++)
		count += naohw_page_get_state(page) == state;
	return count;
}

struct watch {
	unsigned int steps;
	long last_ms;
};

static void watch_step(void *data, const struct naohw_player *player)
{
	struct watch *watch = data;
	long elapsed = naohw_player_progress_elapsed_ms(player);

	watch->steps++;
	assert_in_range(naohw_player_progress_step(player), 1,
			naohw_page_step_count(naohw_player_progress_page(player)));
	assert_in_range(naohw_player_progress_pass(player), 1,
			naohw_player_progress_passes(player));
	assert_true(naohw_player_progress_step_ms(player) >= 8);
	assert_true(elapsed >= watch->last_ms);
	watch->last_ms = elapsed;
}

/* IDs 1 to @last: servos with @max. */
static struct naohw_player *dry_player(const struct naohw_motion *motion, unsigned int last,
				       int max)
{
	struct servo_axis axes[NAOHW_PAGE_IDS];
	struct naohw_player *player;

	for (unsigned int id = 1; id <= last; id++) {
		axes[id - 1] = ax12(id, "x");
		axes[id - 1].max = max;
	}
	assert_int_equal(player_create_dry(motion, axes, last, &player, NULL), 0);
	return player;
}

/* Every page that can be played ends, by itself or when told so; returns how many. */
static unsigned int play_all(const struct naohw_motion *motion, unsigned int last, int max)
{
	struct naohw_player *player = dry_player(motion, last, max);
	const struct naohw_page *page;
	unsigned int played = 0;

	naohw_player_set_max_ms(player, MAX_MS);
	for (unsigned int i = 1; (page = naohw_motion_page(motion, i)); i++) {
		struct watch watch = { 0 };
		struct naohw_error err;

		if (naohw_page_get_state(page) != NAOHW_PAGE_GOOD)
			continue;
		naohw_player_on_step(player, watch_step, &watch);
		if (naohw_player_play(player, i, &err) != 0)
			fail_msg("%s", err.message);
		assert_true(watch.steps >= naohw_page_step_count(page));
		played++;
	}
	naohw_player_free(player);
	return played;
}

static void bioloid_soccer(void **state)
{
	struct naohw_motion *motion = load_shared("bioloid-soccer.mtn");
	const struct naohw_page *page;
	unsigned int bravo;

	(void)state;
	assert_int_equal(naohw_motion_is_text(motion), 1);
	assert_null(naohw_motion_checksum_fault(motion));
	assert_int_equal(naohw_motion_page_count(motion), 256);
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 51);
	assert_int_equal(count_state(motion, NAOHW_PAGE_EMPTY), 204);
	assert_int_equal(count_state(motion, NAOHW_PAGE_DAMAGED), 0);
	assert_int_equal(naohw_motion_find_page(motion, "Bravo", &bravo, NULL), 0);
	assert_int_equal(bravo, 50);
	page = naohw_motion_page(motion, 3);
	assert_int_equal(naohw_page_next(page), 5);
	assert_int_equal(naohw_page_exit(page), 7);
	assert_int_equal(naohw_page_speed(page), 15); /* rate 2.1 */
	page = naohw_motion_page(motion, 1);
	assert_int_equal(naohw_page_step_position(page, 0, 1), 235);
	assert_int_equal(naohw_page_step_time(page, 0), 125);
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

	(void)state;
	assert_int_equal(naohw_motion_page_count(motion), 256);
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 55);
	assert_int_equal(count_state(motion, NAOHW_PAGE_DAMAGED), 0);
	assert_int_equal(naohw_page_get_state(naohw_motion_page(motion, 0)), NAOHW_PAGE_EMPTY);
	assert_int_equal(play_all(motion, 20, 4095), 55);
	naohw_motion_free(motion);
}

/* The garbage on ID 24 is no harm as long as there is no servo 24. */
static void op3_garbage(void **state)
{
	struct naohw_motion *motion = load_shared("op3-motion.bin");
	struct naohw_player *player = dry_player(motion, 24, 4095);
	unsigned int refused = 0;

	(void)state;
	for (unsigned int i = 1; i < naohw_motion_page_count(motion); i++)
		if (naohw_player_check(player, i, NULL) == -ERANGE)
			refused++;
	assert_true(refused > 0);
	naohw_player_free(player);
	naohw_motion_free(motion);
}

static int max_speed_of(const struct naohw_motion *motion, unsigned int number)
{
	const struct naohw_page *page = naohw_motion_page(motion, number);
	const struct motion_step *before = &naohw_motion_page(motion, 1)->step[0];
	double fastest = 0;

	for (unsigned int i = 0; i < page->step_count; i++) {
		const struct motion_step *step = &page->step[i];

		for (unsigned int id = 1; id <= 20; id++)
			fastest = fmax(fastest, abs(step->position[id] - before->position[id]) *
							(300.0 / 1024) / (step->time * 0.008));
		before = step;
	}
	return (int)fastest;
}

static void own_motion(void **state)
{
	static const char *const names[] = { "Stand", "Wave", "Bow" };
	struct naohw_motion *motion = load(OWN_MOTION);
	const struct motion_step *stand;

	(void)state;
	assert_int_equal(count_state(motion, NAOHW_PAGE_GOOD), 3);
	assert_int_equal(play_all(motion, 20, 1023), 3);
	stand = &naohw_motion_page(motion, 1)->step[0];
	for (unsigned int i = 0; i < 3; i++) {
		const struct naohw_page *page;
		unsigned int number;

		assert_int_equal(naohw_motion_find_page(motion, names[i], &number, NULL), 0);
		assert_int_equal(number, i + 1);
		page = naohw_motion_page(motion, number);
		/* Each ends as it stands, and an AX-12 does no more than 354 degrees a second. */
		assert_memory_equal(page->step[page->step_count - 1].position, stand->position,
				    sizeof(stand->position));
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
