// SPDX-License-Identifier: LGPL-2.1-or-later
/* Binary motion files: good ones, and each kind of damage. */
#include "support.h"

#include <limits.h>

#define GOOD 1

struct fixture {
	unsigned char *pages;
	unsigned char *good;
	struct naohw_motion *motion;
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

static const struct naohw_page *load(struct fixture *f)
{
	f->motion = pages_load(f->pages, 4);
	return naohw_motion_page(f->motion, GOOD);
}

static void end(struct fixture *f)
{
	naohw_motion_free(f->motion);
	free(f->pages);
}

static enum naohw_page_state load_state(struct fixture *f)
{
	enum naohw_page_state state = naohw_page_get_state(load(f));

	end(f);
	return state;
}

static void reads_all_fields(void **state)
{
	const struct naohw_page *page;
	struct fixture f;

	(void)state;
	make(&f);
	page_seal(f.good);
	page = load(&f);
	assert_int_equal(naohw_motion_page_count(f.motion), 4);
	assert_int_equal(naohw_motion_is_text(f.motion), 0);
	assert_int_equal(naohw_page_number(page), GOOD);
	assert_int_equal(naohw_page_get_state(page), NAOHW_PAGE_GOOD);
	assert_null(naohw_page_fault(page));
	assert_string_equal(naohw_page_name(page), "greet");
	assert_int_equal(naohw_page_repeat(page), 1);
	assert_int_equal(naohw_page_step_count(page), 2);
	assert_int_equal(naohw_page_next(page), 2);
	assert_int_equal(naohw_page_exit(page), 3);
	assert_int_equal(naohw_page_speed(page), 32);
	assert_int_equal(naohw_page_accel(page), 32);
	assert_int_equal(naohw_page_is_time_base(page), 1);
	assert_int_equal(naohw_page_softness(page, 7), 0x55);
	assert_int_equal(naohw_page_step_position(page, 0, 5), 600);
	assert_int_equal(naohw_page_step_time(page, 0), 125);
	assert_int_equal(naohw_page_step_position(page, 1, 30), 0x9d00);
	assert_int_equal(naohw_page_step_pause(page, 1), 50);
	assert_int_equal(naohw_page_step_time(page, 1), 37);
	assert_int_equal(naohw_page_get_state(naohw_motion_page(f.motion, 0)), NAOHW_PAGE_ERASED);
	end(&f);
}

static void past_the_end_there_is_nothing(void **state)
{
	const struct naohw_page *page;
	struct fixture f;

	(void)state;
	make(&f);
	page_position(f.good, 2, 5, 600); /* in what would be its third step */
	page_seal(f.good);
	page = load(&f);
	assert_null(naohw_motion_page(f.motion, 4));
	assert_null(naohw_motion_page(f.motion, UINT_MAX));
	assert_int_equal(naohw_page_softness(page, NAOHW_PAGE_IDS), 0);
	assert_int_equal(naohw_page_step_position(page, 0, NAOHW_PAGE_IDS), NAOHW_POSITION_INVALID);
	assert_int_equal(naohw_page_step_position(page, 2, 5), NAOHW_POSITION_INVALID);
	assert_int_equal(naohw_page_step_position(page, 7, 5), NAOHW_POSITION_INVALID);
	assert_int_equal(naohw_page_step_pause(page, 2), 0);
	assert_int_equal(naohw_page_step_time(page, 2), 0);
	end(&f);
}

static void check_fault(const struct naohw_page *page, const char *says)
{
	struct naohw_error why;

	assert_int_equal(naohw_page_get_state(page), NAOHW_PAGE_DAMAGED);
	assert_non_null(naohw_page_fault(page));
	snprintf(why.message, sizeof(why.message), "%s", naohw_page_fault(page));
	assert_says(&why, says);
}

static void wrong_checksum_is_damage(void **state)
{
	const struct naohw_page *page;
	struct fixture f;
	long ms;

	(void)state;
	make(&f);
	page_seal(f.good);
	f.good[64 + 10]++;
	page = load(&f);
	check_fault(page, "byte 543: checksum is 0x");
	assert_string_equal(naohw_page_name(page), "greet");
	assert_int_equal(naohw_page_ms(page, &ms), -EINVAL);
	end(&f);
}

/* A page that is damaged in one byte, checksum right: @says names byte and reason. */
static void check_damage(unsigned int offset, unsigned char value, const char *says)
{
	const struct naohw_page *page;
	struct fixture f;

	make(&f);
	f.good[offset] = value;
	page_seal(f.good);
	page = load(&f);
	check_fault(page, says);
	assert_true(naohw_page_step_count(page) <= NAOHW_PAGE_STEPS);
	end(&f);
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
	assert_int_equal(load_state(&f), expected);
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
	assert_int_equal(load_state(&f), NAOHW_PAGE_EMPTY);
	make(&f);
	memset(f.good, 0xff, PAGE_SIZE);
	assert_int_equal(load_state(&f), NAOHW_PAGE_ERASED);
}

/* Its number stands for "none", so whatever is in it, it cannot be played. */
static void page_0_is_not_one_to_play(void **state)
{
	unsigned char *pages = pages_new(2);
	const struct naohw_page *page;
	struct naohw_motion *motion;
	long ms;

	(void)state;
	page_plain(pages, "zero", 2);
	page_seal(pages);
	motion = pages_load(pages, 2);
	page = naohw_motion_page(motion, 0);
	assert_int_equal(naohw_page_get_state(page), NAOHW_PAGE_ZERO);
	assert_string_equal(naohw_page_name(page), "zero");
	assert_int_equal(naohw_page_step_count(page), 2);
	assert_int_equal(naohw_page_ms(page, &ms), -EINVAL);
	naohw_motion_free(motion);
	pages[64]++;
	motion = pages_load(pages, 2);
	assert_int_equal(naohw_page_get_state(naohw_motion_page(motion, 0)), NAOHW_PAGE_DAMAGED);
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
		assert_string_equal(naohw_page_name(load(&f)), cases[i].shown);
		end(&f);
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

/* The page's number, or what was answered. */
static int find(const struct naohw_motion *motion, const char *text, struct naohw_error *err)
{
	unsigned int number;
	int ret = naohw_motion_find_page(motion, text, &number, err);

	return ret ? ret : (int)number;
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
	assert_int_equal(find(motion, "noe", &err), -ENOENT);
	assert_says(&err, "no page is named \"noe\", the nearest is one; \"naohw pages FILE\" shows");
	assert_int_equal(find(motion, "1", &err), 1);
	assert_int_equal(find(motion, "003", &err), 3);
	assert_int_equal(find(motion, "one", &err), 1);
	assert_int_equal(find(motion, "twin", &err), -EINVAL);
	assert_says(&err, "pages 2 and 3 are both named");
	assert_int_equal(find(motion, "0", &err), -ENOENT);
	assert_int_equal(find(motion, "4", &err), -ENOENT);
	assert_says(&err, "has pages 1 to 3");
	assert_int_equal(find(motion, "99999999999999999999", &err), -ENOENT);
	assert_int_equal(find(motion, "", &err), -ENOENT);
	assert_int_equal(find(motion, "three", NULL), -ENOENT);
	naohw_motion_free(motion);
	free(pages);
}

static void passes_have_a_length(void **state)
{
	const struct naohw_page *page;
	struct fixture f;
	long ms;

	(void)state;
	make(&f);
	page_seal(f.good);
	page = load(&f);
	assert_int_equal(naohw_page_ms(page, &ms), 0);
	assert_int_equal(ms, (125 + 50 + 37) * NAOHW_TICK_MS);
	end(&f);
	make(&f);
	f.good[16] = 0;
	page_position(f.good, 1, 5, 600 + 384);
	page_times(f.good, 1, 0, 128);
	page_seal(f.good);
	page = load(&f);
	assert_int_equal(naohw_page_ms(page, &ms), 0);
	/* One tick for the way that is not known, and 384 * 40 / (128 * 3) */
	assert_int_equal(ms, (1 + 40) * NAOHW_TICK_MS);
	end(&f);
}

/* Whatever the bytes are: no crash, and nothing out of bounds comes out. */
static void random_pages_stay_in_bounds(void **state)
{
	unsigned char *pages = pages_new(4);
	unsigned int seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		const struct naohw_page *page;
		struct naohw_motion *motion;

		for (size_t i = 0; i < 4 * PAGE_SIZE; i++) {
			seed = seed * 1103515245u + 12345u;
			pages[i] = (unsigned char)(seed >> 16);
		}
		for (size_t i = 0; i < 4; i++)
			page_seal(pages + i * PAGE_SIZE);
		motion = pages_load(pages, 4);
		for (unsigned int i = 0; (page = naohw_motion_page(motion, i)); i++) {
			assert_true(naohw_page_step_count(page) <= NAOHW_PAGE_STEPS);
			assert_true(strlen(naohw_page_name(page)) <= 14);
		}
		naohw_motion_free(motion);
	}
	free(pages);
}

static void a_file_in_memory_is_read_as_one_on_a_disk(void **state)
{
	unsigned char *pages = pages_new(2);
	struct naohw_motion *motion;
	struct naohw_error err;

	(void)state;
	page_plain(pages + PAGE_SIZE, "go", 1);
	page_seal(pages + PAGE_SIZE);
	assert_int_equal(naohw_motion_read("mine", pages, 2 * PAGE_SIZE, &motion, NULL), 0);
	free(pages);
	assert_string_equal(naohw_motion_path(motion), "mine");
	assert_string_equal(naohw_page_name(naohw_motion_page(motion, 1)), "go");
	naohw_motion_free(motion);
	assert_int_equal(naohw_motion_read("mine", "", 0, &motion, &err), -EINVAL);
	assert_ptr_equal(strstr(err.message, "mine: "), err.message);
	assert_int_equal(naohw_motion_read("mine", "", 1024 * 1024 + 1, &motion, &err), -EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_fields),
		cmocka_unit_test(a_file_in_memory_is_read_as_one_on_a_disk),
		cmocka_unit_test(past_the_end_there_is_nothing),
		cmocka_unit_test(wrong_checksum_is_damage),
		cmocka_unit_test(wrong_values_are_damage),
		cmocka_unit_test(empty_is_not_damage),
		cmocka_unit_test(page_0_is_not_one_to_play),
		cmocka_unit_test(names_are_made_safe),
		cmocka_unit_test(wrong_sizes_are_refused),
		cmocka_unit_test(any_number_of_pages_loads),
		cmocka_unit_test(missing_file_is_told),
		cmocka_unit_test(pages_are_found),
		cmocka_unit_test(passes_have_a_length),
		cmocka_unit_test(random_pages_stay_in_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
