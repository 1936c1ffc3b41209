// SPDX-License-Identifier: GPL-2.0-or-later
/* The command's recordings: what becomes of the file that was there. */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "../naohw/record.h"

struct place {
	char directory[64];
	char path[80];
	char temporary[96];
	unsigned char *pages;
	struct naohw_motion *motion;
	struct naohw_player *player;
};

static int setup(void **state)
{
	const struct naohw_axis axis = ax12(1, "One");
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	strcpy(place->directory, "/tmp/naohw-record-XXXXXX");
	assert_non_null(mkdtemp(place->directory));
	snprintf(place->path, sizeof(place->path), "%s/r.csv", place->directory);
	snprintf(place->temporary, sizeof(place->temporary), "%s.new", place->path);
	place->pages = pages_new(2);
	place->motion = pages_load(place->pages, 2);
	assert_int_equal(naohw_player_new_dry(place->motion, &axis, 1, NULL, &place->player), 0);
	*state = place;
	return 0;
}

static int teardown(void **state)
{
	struct place *place = *state;

	naohw_player_free(place->player);
	naohw_motion_free(place->motion);
	free(place->pages);
	unlink(place->path);
	unlink(place->temporary);
	rmdir(place->directory);
	free(place);
	return 0;
}

static void write_old(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs("old\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void check_first_line(const char *path, const char *expected)
{
	char line[128] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	assert_string_equal(line, expected);
}

static struct record *open_record(const struct place *place, const char *path)
{
	return record_open(path, naohw_motion_path(place->motion), place->player);
}

static void the_old_file_stays_until_the_new_is_whole(void **state)
{
	struct place *place = *state;
	struct record *record;

	write_old(place->path);
	record = open_record(place, place->path);
	assert_non_null(record);
	record_some(record, 1000);
	check_first_line(place->path, "old\n");
	assert_int_equal(record_close(record), 0);
	check_first_line(place->path, "time_s,One.goal,One.present\n");
	assert_int_not_equal(access(place->temporary, F_OK), 0);
}

static void a_link_stays_a_link(void **state)
{
	struct place *place = *state;
	char link[96];
	struct stat found;

	snprintf(link, sizeof(link), "%s/link", place->directory);
	write_old(place->path);
	assert_int_equal(symlink(place->path, link), 0);
	assert_int_equal(record_close(open_record(place, link)), 0);
	assert_int_equal(lstat(link, &found), 0);
	assert_true(S_ISLNK(found.st_mode));
	unlink(link);
	check_first_line(place->path, "time_s,One.goal,One.present\n");
}

static void a_device_is_not_replaced(void **state)
{
	struct stat found;

	assert_int_equal(record_close(open_record(*state, "/dev/null")), 0);
	assert_int_equal(stat("/dev/null", &found), 0);
	assert_true(S_ISCHR(found.st_mode));
}

static void the_motion_file_is_refused(void **state)
{
	struct place *place = *state;
	const char *motion = naohw_motion_path(place->motion);
	struct stat found;

	assert_int_equal(symlink(motion, place->path), 0);
	assert_null(open_record(place, motion));
	assert_null(open_record(place, place->path));
	assert_int_equal(stat(motion, &found), 0);
	assert_int_equal(found.st_size, 2 * PAGE_SIZE);
}

int main(void)
{
#define RECORD_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		RECORD_TEST(the_old_file_stays_until_the_new_is_whole),
		RECORD_TEST(a_link_stays_a_link),
		RECORD_TEST(a_device_is_not_replaced),
		RECORD_TEST(the_motion_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
