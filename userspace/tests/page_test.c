// SPDX-License-Identifier: LGPL-2.1-or-later
/* Binary motion files: good ones, and each kind of damage. */
#include "support.h"

#define GOOD 1

struct fixture {
	unsigned char *pages;
	unsigned char *good;
};

/* Four pages; page 1 is a good one of two steps. */
static void make(struct fixture *f)
{
	f->pages = pages_new(4);
	f->good = f->pages + GOOD * PAGE_SIZE;
	page_plain(f->good, "greet", 2);
	page_position(f->good, 0, 5, 600);
	page_position(f->good, 1, 30, 0x9d00);
	page_times(f->good, 1, 50, 37);
	f->good[25] = 2;
	f->good[26] = 3;
}

static struct naohw_page load(struct fixture *f)
{
	struct naohw_motion *motion = pages_load(f->pages, 4);
	struct naohw_page page;

	assert_int_equal(naohw_motion_get_page(motion, GOOD, &page), 0);
	naohw_motion_free(motion);
	free(f->pages);
	return page;
}

static void reads_all_fields(void **state)
{
	struct naohw_motion *motion;
	struct naohw_page page;
	struct naohw_step step;
	struct fixture f;

	(void)state;
	make(&f);
	page_seal(f.good);
	motion = pages_load(f.pages, 4);
	assert_int_equal(naohw_motion_page_count(motion), 4);
	assert_int_equal(naohw_motion_is_text(motion), 0);
	assert_int_equal(naohw_motion_get_page(motion, GOOD, &page), 0);
	assert_int_equal(page.state, NAOHW_PAGE_GOOD);
	assert_string_equal(page.name, "greet");
	assert_int_equal(page.repeat, 1);
	assert_int_equal(page.steps, 2);
	assert_int_equal(page.next, 2);
	assert_int_equal(page.exit, 3);
	assert_int_equal(page.speed, 32);
	assert_int_equal(page.accel, 32);
	assert_int_equal(page.time_base, 1);
	assert_int_equal(page.softness[7], 0x55);
	assert_int_equal(naohw_motion_get_step(motion, GOOD, 0, &step), 0);
	assert_int_equal(step.position[5], 600);
	assert_int_equal(step.time, 125);
	assert_int_equal(naohw_motion_get_step(motion, GOOD, 1, &step), 0);
	assert_int_equal(step.position[30], 0x9d00);
	assert_int_equal(step.pause, 50);
	assert_int_equal(step.time, 37);
	assert_int_equal(naohw_motion_get_step(motion, GOOD, 2, &step), -EINVAL);
	assert_int_equal(naohw_motion_get_page(motion, 4, &page), -EINVAL);
	assert_int_equal(naohw_motion_get_page(motion, 0, &page), 0);
	assert_int_equal(page.state, NAOHW_PAGE_ERASED);
	naohw_motion_free(motion);
	free(f.pages);
}

static void wrong_checksum_is_damage(void **state)
{
	struct naohw_page page;
	struct naohw_error why;
	struct fixture f;

	(void)state;
	make(&f);
	page_seal(f.good);
	f.good[64 + 10]++;
	page = load(&f);
	assert_int_equal(page.state, NAOHW_PAGE_DAMAGED);
	snprintf(why.message, sizeof(why.message), "%s", page.why);
	assert_says(&why, "byte 543: checksum is 0x");
	assert_string_equal(page.name, "greet");
}

/* A page that is damaged in one byte, checksum right: @says names byte and reason. */
static void check_damage(unsigned int offset, unsigned char value, const char *says)
{
	struct naohw_page page;
	struct naohw_error why;
	struct fixture f;

	make(&f);
	f.good[offset] = value;
	page_seal(f.good);
	page = load(&f);
	assert_int_equal(page.state, NAOHW_PAGE_DAMAGED);
	assert_true(page.steps <= NAOHW_PAGE_STEPS);
	snprintf(why.message, sizeof(why.message), "%s", page.why);
	assert_says(&why, says);
}

static void wrong_values_are_damage(void **state)
{
	(void)state;
	check_damage(20, 8, "byte 532: 8 steps, expected 0 to 7");
	check_damage(20, 255, "byte 532: 255 steps");
	check_damage(16, 0x0b, "byte 528: schedule 0x0b");
	check_damage(16, 0xff, "byte 528: schedule 0xff");
	check_damage(22, 0, "byte 534: speed 0");
}

static void check_state(unsigned int offset, unsigned char value, enum naohw_page_state expected)
{
	struct fixture f;

	make(&f);
	f.good[offset] = value;
	page_seal(f.good);
	assert_int_equal(load(&f).state, expected);
}

static void empty_is_not_damage(void **state)
{
	struct fixture f;

	(void)state;
	check_state(15, 0, NAOHW_PAGE_EMPTY);
	check_state(20, 0, NAOHW_PAGE_EMPTY);
	check_state(15, 255, NAOHW_PAGE_GOOD);
	make(&f);
	memset(f.good, 0, PAGE_SIZE);
	assert_int_equal(load(&f).state, NAOHW_PAGE_EMPTY);
	make(&f);
	memset(f.good, 0xff, PAGE_SIZE);
	assert_int_equal(load(&f).state, NAOHW_PAGE_ERASED);
}

/* Its number stands for "none", so whatever is in it, it cannot be played. */
static void page_0_is_not_one_to_play(void **state)
{
	unsigned char *pages = pages_new(2);
	struct naohw_motion *motion;
	struct naohw_page page;

	(void)state;
	page_plain(pages, "zero", 2);
	page_seal(pages);
	motion = pages_load(pages, 2);
	assert_int_equal(naohw_motion_get_page(motion, 0, &page), 0);
	assert_int_equal(page.state, NAOHW_PAGE_ZERO);
	assert_string_equal(page.name, "zero");
	assert_int_equal(page.steps, 2);
	assert_int_equal(naohw_motion_page_ms(motion, 0, NULL, 0), -EINVAL);
	naohw_motion_free(motion);
	pages[64]++;
	motion = pages_load(pages, 2);
	assert_int_equal(naohw_motion_get_page(motion, 0, &page), 0);
	assert_int_equal(page.state, NAOHW_PAGE_DAMAGED);
	naohw_motion_free(motion);
	free(pages);
}

static void names_are_made_safe(void **state)
{
	static const struct {
		const char *raw;
		const char *shown;
	} cases[] = {
		{ "wow\n\0\0\0\0\0\0\0\0\0\0", "wow" },
		{ "b_get_up  \0\0\0\0", "b_get_up" },
		{ "exactly14chars", "exactly14chars" },
		{ "\033[2Jboo\0\0\0\0\0\0\0", "?[2Jboo" },
		{ "\xc7\xd1\xb1\xdb\0\0\0\0\0\0\0\0\0", "????" },
		{ "\0ghost\0\0\0\0\0\0\0", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		make(&f);
		memcpy(f.good, cases[i].raw, 14);
		page_seal(f.good);
		assert_string_equal(load(&f).name, cases[i].shown);
	}
}

static void check_refused(size_t size, int code, const char *says)
{
	unsigned char *data = calloc(1, size + 1);
	struct naohw_motion *motion;
	struct naohw_error err;

	assert_non_null(data);
	assert_int_equal(naohw_motion_load(temp_file(data, size), &motion, &err), code);
	assert_says(&err, says);
	free(data);
}

static void wrong_sizes_are_refused(void **state)
{
	(void)state;
	check_refused(0, -EINVAL, "the file is empty");
	check_refused(1, -EINVAL, "byte 1 ends it inside a page");
	check_refused(511, -EINVAL, "byte 511 ends it");
	check_refused(131073, -EINVAL, "byte 131073 ends it");
	check_refused(257 * 512, -EINVAL, "257 pages of 512 bytes, expected 1 to 256");
	check_refused(1024 * 1024 + 1, -EFBIG, "more than 1048576 bytes");
}

static void any_number_of_pages_loads(void **state)
{
	static const size_t counts[] = { 1, 2, 128, 255, 256 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		unsigned char *pages = pages_new(counts[i]);
		struct naohw_motion *motion = pages_load(pages, counts[i]);

		assert_int_equal(naohw_motion_page_count(motion), counts[i]);
		naohw_motion_free(motion);
		free(pages);
	}
}

static void missing_file_is_told(void **state)
{
	struct naohw_motion *motion;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_motion_load("/nowhere/x.bin", &motion, &err), -ENOENT);
	assert_says(&err, "/nowhere/x.bin: No such file");
	assert_int_equal(naohw_motion_load("/", &motion, NULL), -EISDIR);
}

static void pages_are_found(void **state)
{
	unsigned char *pages = pages_new(4);
	struct naohw_motion *motion;
	struct naohw_error err;

	(void)state;
	page_plain(pages + 512, "one", 1);
	page_plain(pages + 1024, "twin", 1);
	page_plain(pages + 1536, "twin", 1);
	for (size_t i = 1; i < 4; i++)
		page_seal(pages + i * PAGE_SIZE);
	motion = pages_load(pages, 4);
	assert_int_equal(naohw_motion_find_page(motion, "1", &err), 1);
	assert_int_equal(naohw_motion_find_page(motion, "003", &err), 3);
	assert_int_equal(naohw_motion_find_page(motion, "one", &err), 1);
	assert_int_equal(naohw_motion_find_page(motion, "twin", &err), -EINVAL);
	assert_says(&err, "pages 2 and 3 are both named");
	assert_int_equal(naohw_motion_find_page(motion, "0", &err), -ENOENT);
	assert_int_equal(naohw_motion_find_page(motion, "4", &err), -ENOENT);
	assert_says(&err, "has pages 1 to 3");
	assert_int_equal(naohw_motion_find_page(motion, "99999999999999999999", &err), -ENOENT);
	assert_int_equal(naohw_motion_find_page(motion, "", &err), -ENOENT);
	assert_int_equal(naohw_motion_find_page(motion, "three", NULL), -ENOENT);
	naohw_motion_free(motion);
	free(pages);
}

/* Whatever the bytes are: no crash, and nothing out of bounds comes out. */
static void random_pages_stay_in_bounds(void **state)
{
	unsigned char *pages = pages_new(4);
	unsigned int seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct naohw_motion *motion;
		struct naohw_page page;

		for (size_t i = 0; i < 4 * PAGE_SIZE; i++) {
			seed = seed * 1103515245u + 12345u;
			pages[i] = (unsigned char)(seed >> 16);
		}
		for (size_t i = 0; i < 4; i++)
			page_seal(pages + i * PAGE_SIZE);
		motion = pages_load(pages, 4);
		for (unsigned int i = 0; naohw_motion_get_page(motion, i, &page) == 0; i++) {
			assert_true(page.steps <= NAOHW_PAGE_STEPS);
			assert_true(strlen(page.name) <= 14);
		}
		naohw_motion_free(motion);
	}
	free(pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_fields),
		cmocka_unit_test(wrong_checksum_is_damage),
		cmocka_unit_test(wrong_values_are_damage),
		cmocka_unit_test(empty_is_not_damage),
		cmocka_unit_test(page_0_is_not_one_to_play),
		cmocka_unit_test(names_are_made_safe),
		cmocka_unit_test(wrong_sizes_are_refused),
		cmocka_unit_test(any_number_of_pages_loads),
		cmocka_unit_test(missing_file_is_told),
		cmocka_unit_test(pages_are_found),
		cmocka_unit_test(random_pages_stay_in_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
