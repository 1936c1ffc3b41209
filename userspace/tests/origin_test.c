// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a command that only reads has a robot's values from. */
#include "naohwd_bed.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../naohw/cli.h"
#include "../naohw/origin.h"
#include "fake_iio.h"

static struct origin origin;

static int open_origin(struct naohw_error *err)
{
	const struct frame_options options = { .depth = 16 };

	return origin_open(&origin, stage.robot, &options, err);
}

static void without_a_naohwd_it_is_frames(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	if (open_origin(&err) < 0)
		fail_msg("%s", err.message);
	assert_null(origin.dcm);
	assert_non_null(origin.frame);
	assert_int_equal(fake_depth("dxl0-state"), 16);
	origin_close(&origin);
	assert_null(origin.frame);
	origin_close(&origin);
}

static void with_one_it_is_its_store(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	naohwd_bed_begin(0);
	if (open_origin(&err) < 0)
		fail_msg("%s", err.message);
	assert_null(origin.frame);
	assert_non_null(naohw_dcm_store(origin.dcm));
	origin_close(&origin);
	assert_null(origin.dcm);
}

static void where_neither_is_to_be_had_that_is_told(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	fake_take("dxl0-state");
	assert_int_equal(open_origin(&err), -EBUSY);
	assert_says(&err, "dxl0-state: another program reads the frames");
	assert_null(origin.dcm);
	assert_null(origin.frame);
}

/* What a command prints, with what it complains of. */
static const char *printed(int (*command)(const struct cli *), const char *operand)
{
	static char text[4096];
	char *argv[] = { (char *)"command", (char *)"-n", (char *)"1", (char *)operand, NULL };
	struct cli cli = { .robot = naohw_robot_path(stage.robot) };
	int to = memfd_create("printed", MFD_CLOEXEC), saved[2];
	ssize_t size;

	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		saved[i] = dup(i + 1);
		dup2(to, i + 1);
	}
	assert_true(line_take(&cli.line, operand ? 4 : 3, argv));
	(void)command(&cli);
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		dup2(saved[i], i + 1);
		close(saved[i]);
	}
	size = pread(to, text, sizeof(text) - 1, 0);
	close(to);
	assert_true(size >= 0);
	text[size] = '\0';
	return text;
}

/* Neither is the bus asked, nor is it an error that naohwd has the frames. */
static void watch_has_a_table_from_its_store(void **state)
{
	const char *table;

	(void)state;
	naohwd_bed_begin(0);
	fake_take("dxl0-state");
	for (size_t i = 0; i < 2; i++)
		fake_fail(naohw_joint_label(stage.robot, i), "in_angl0_raw", -EIO);
	table = printed(cmd_watch, NULL);
	assert_null(strstr(table, "naohw watch:"));
	assert_non_null(strstr(table, "\nHeadYaw "));
	assert_non_null(strstr(table, " stiff\n"));
}

static void get_knows_its_own_keys(void **state)
{
	(void)state;
	assert_non_null(strstr(printed(cmd_get, "DCM/Lease/HeadYaw"),
			       "DCM/Lease/HeadYaw: the description has no such key, and no naohwd has "
			       "the robot\n"));
	naohwd_bed_begin(0);
	assert_string_equal(printed(cmd_get, "DCM/Lease/HeadYaw"), "\n");
	assert_string_equal(printed(cmd_get, "DCM/Stream"), "running\n");
	assert_string_equal(printed(cmd_get, "DCM/Lease/*"),
			    "DCM/Lease/HeadPitch \nDCM/Lease/HeadYaw \n");
	assert_non_null(strstr(printed(cmd_get, "DCM/Laese/HeadYaw"), "no such key"));
}

#define ORIGIN_TEST(name)                                                                          \
	cmocka_unit_test_setup_teardown(name, naohwd_bed_setup, naohwd_bed_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ORIGIN_TEST(without_a_naohwd_it_is_frames),
		ORIGIN_TEST(with_one_it_is_its_store),
		ORIGIN_TEST(watch_has_a_table_from_its_store),
		ORIGIN_TEST(get_knows_its_own_keys),
		ORIGIN_TEST(where_neither_is_to_be_had_that_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
