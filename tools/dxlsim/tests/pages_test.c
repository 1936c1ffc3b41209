// SPDX-License-Identifier: GPL-2.0-or-later
/* Robots with a body stand while they play the pages that this project ships for them. */
#include "cmocka_all.h"

#include "recital.h"

static struct naohw_motion *load(const char *robot)
{
	struct naohw_motion *motion;
	struct naohw_error error;
	char path[256];

	snprintf(path, sizeof(path), MOTIONS "/%s.mtn", robot);
	if (naohw_motion_load(path, &motion, &error) < 0)
		fail_msg("%s", error.message);

	return motion;
}

static void check(const char *robot)
{
	static const char *const pages[] = { "Stand", "Wave" };
	struct naohw_motion *motion = load(robot);
	struct naohw_error error;
	unsigned int number;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct recital recital;

		if (naohw_motion_find_page(motion, pages[i], &number, &error) < 0)
			fail_msg("%s", error.message);
		recital = recite(robot, motion, number, 20);
		if (!recital.stood)
			fail_msg("%s: falls in %s after %g s", robot, pages[i],
				 recital.seconds);
		assert_true(recital.seconds > 2);
	}
	naohw_motion_free(motion);
}

static void a_bioloid_stands_while_it_waves(void **state)
{
	(void)state;
	check("bioloid");
}

static void an_op_does(void **state)
{
	(void)state;
	check("darwin-op");
}

static void an_op3_does(void **state)
{
	(void)state;
	check("op3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bioloid_stands_while_it_waves),
		cmocka_unit_test(an_op_does),
		cmocka_unit_test(an_op3_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
