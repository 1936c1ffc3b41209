// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a command that only reads has a robot's values from. */
#include "naohwd_bed.h"

#include <errno.h>

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

#define ORIGIN_TEST(name)                                                                          \
	cmocka_unit_test_setup_teardown(name, naohwd_bed_setup, naohwd_bed_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ORIGIN_TEST(without_a_naohwd_it_is_frames),
		ORIGIN_TEST(with_one_it_is_its_store),
		ORIGIN_TEST(where_neither_is_to_be_had_that_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
