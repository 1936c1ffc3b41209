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

static void it_stands_while_it_waves(void **state)
{
	const char *robot = *state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROBOT_TEST(it_stands_while_it_waves, "bioloid"),
		ROBOT_TEST(it_stands_while_it_waves, "darwin-op"),
		ROBOT_TEST(it_stands_while_it_waves, "op3"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
