// SPDX-License-Identifier: LGPL-2.1-or-later
/* Documentation/examples/feel.c: it says what there is, and of what there is not that it is absent. */
#include "support.h"

#include "example.h"

#include "fake_iio.h"

static struct outcome outcome;

static void prepare_plain(void)
{
	prepare_head(PLAIN_ROBOT);
}

static void it_says_what_there_is(void **state)
{
	(void)state;
	run_example(prepare_plain, &outcome);
	assert_int_equal(outcome.status, 0);
	/* In the middle an AX-12 is 0 rad; its head has one joint, and no sensors. */
	assert_int_equal(times_said(&outcome, "neck 0.00 nan rad, fresh\n"), 5);
	assert_int_equal(times_said(&outcome, "acceleration nan nan nan m/s2, absent\n"), 5);
	assert_int_equal(times_said(&outcome, "battery nan %, absent\n"), 5);
	assert_int_equal(times_said(&outcome, "front 0, middle 0, rear 0, absent\n"), 5);
	assert_null(strstr(outcome.log, "HeadYaw "));
}

static void prepare_nothing(void)
{
	prepare_plain();
	setenv("NAOHW_ROBOT", "/nonexistent.xml", 1);
}

static void without_a_description_it_ends(void **state)
{
	(void)state;
	run_example(prepare_nothing, &outcome);
	assert_int_equal(outcome.status, 1);
	assert_non_null(strstr(outcome.said, "/nonexistent.xml"));
}

static void go_away(void)
{
	fake_frame_error(0, -ENODEV);
}

static void prepare_gone(void)
{
	prepare_plain();
	fake_on_frame(go_away);
}

static void when_its_bus_is_gone_it_ends(void **state)
{
	(void)state;
	run_example(prepare_gone, &outcome);
	assert_int_equal(outcome.status, 1);
	assert_non_null(strstr(outcome.said, "dxl0-state"));
}

int __wrap_main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_what_there_is),
		cmocka_unit_test(without_a_description_it_ends),
		cmocka_unit_test(when_its_bus_is_gone_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
