// SPDX-License-Identifier: LGPL-2.1-or-later
/* Documentation/examples/shake.c: nothing moves that nobody watches, and what fails ends it. */
#include "support.h"

#include "example.h"
#include "fake_iio.h"

#define GOAL "HeadYaw out_angl0_raw="

/* After so many frames something goes wrong. */
#define GOOD_FRAMES 5

static struct outcome outcome;
static unsigned int frames;

static unsigned int goals(void)
{
	unsigned int count = 0;

	for (const char *at = outcome.log; (at = strstr(at, GOAL)); at += strlen(GOAL))
		count++;
	return count;
}

/* Nothing was written to the joint. */
static void assert_untouched(void)
{
	assert_null(strstr(outcome.log, "HeadYaw "));
}

static void assert_refused(void (*prepare)(void), const char *why)
{
	run_example(prepare, &outcome);
	assert_int_equal(outcome.status, 1);
	if (!strstr(outcome.said, why))
		fail_msg("said '%s', expected '%s'", outcome.said, why);
}

static void prepare_plain(void)
{
	prepare_head(PLAIN_ROBOT);
}

static void it_shakes_its_head(void **state)
{
	char *lease;

	(void)state;
	run_example(prepare_plain, &outcome);
	assert_string_equal(outcome.said, "");
	assert_int_equal(outcome.status, 0);
	assert_int_equal(goals(), 100);
	lease = strstr(outcome.log, "lease 0;");
	assert_non_null(lease);
	/* Before that was there, nothing was written to the joint. */
	*lease = '\0';
	assert_untouched();
}

static void prepare_nothing(void)
{
	prepare_plain();
	setenv("NAOHW_ROBOT", "/nonexistent.xml", 1);
}

static void without_a_description_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_nothing, "/nonexistent.xml");
	assert_untouched();
}

static void prepare_no_frames(void)
{
	fake_reset();
	fake_servo("HeadYaw");
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
}

static void without_frames_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_no_frames, "dxlN-state");
	assert_untouched();
}

static void prepare_knee(void)
{
	static const char *const knee[] = { "LKneePitch" };

	fake_reset();
	fake_servo(*knee);
	fake_state(0, knee, 1, 100);
	setenv("NAOHW_ROBOT", joint_robot(*knee, "0", "1", "0"), 1);
}

static void without_a_head_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_knee, "this robot has no head");
	assert_untouched();
}

static void prepare_busy(void)
{
	prepare_plain();
	fake_fail_lease(-EBUSY);
}

static void beside_another_it_moves_nothing(void **state)
{
	(void)state;
	assert_refused(prepare_busy, "another program");
	assert_untouched();
}

static void lapse_later(void)
{
	next_frame();
	if (++frames == GOOD_FRAMES)
		fake_fail_lease(-ETIMEDOUT);
}

static void prepare_lapse(void)
{
	prepare_plain();
	fake_on_frame(lapse_later);
}

static void when_it_is_let_go_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_lapse, "the kernel has let the joints go");
	assert_int_equal(goals(), GOOD_FRAMES - 1);
}

static void fail_later(void)
{
	if (++frames <= GOOD_FRAMES)
		next_frame();
	else
		fake_frame_error(0, -ENODEV);
}

static void prepare_loss(void)
{
	prepare_plain();
	fake_on_frame(fail_later);
}

static void when_the_bus_goes_it_ends(void **state)
{
	(void)state;
	assert_refused(prepare_loss, "dxl0-state");
	assert_int_equal(goals(), GOOD_FRAMES);
}

int __wrap_main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_shakes_its_head),
		cmocka_unit_test(without_a_description_it_ends),
		cmocka_unit_test(without_frames_it_ends),
		cmocka_unit_test(without_a_head_it_ends),
		cmocka_unit_test(beside_another_it_moves_nothing),
		cmocka_unit_test(when_it_is_let_go_it_ends),
		cmocka_unit_test(when_the_bus_goes_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
