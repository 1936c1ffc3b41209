// SPDX-License-Identifier: GPL-2.0-or-later
/* Robots with a body stand while they play the pages that this project ships for them. */
#include "cmocka_all.h"

#include "../../../userspace/libnaohw/motion/motion.h"
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
		if (*recital.refusal.message)
			fail_msg("%s: %s: %s", robot, pages[i],
				 recital.refusal.message);
		if (!recital.stood)
			fail_msg("%s: falls in %s after %g s", robot, pages[i],
				 recital.seconds);
		assert_true(recital.seconds > 2);
	}
	naohw_motion_free(motion);
}

/* Of a Bioloid; the other one turns the other way. */
#define R_ANKLE_PITCH	15
#define L_ANKLE_PITCH	16

static void who_falls_plays_no_more(void **state)
{
	struct naohw_motion *motion = load("bioloid");
	struct naohw_error error;
	struct motion_step *step;
	struct recital recital;
	unsigned int number;

	(void)state;
	assert_true(naohw_motion_find_page(motion, "Wave", &number, &error) >= 0);
	step = &motion->page[number].step[1];
	step->position[R_ANKLE_PITCH] = 712;
	step->position[L_ANKLE_PITCH] = 312;
	recital = recite("bioloid", motion, number, 20);
	assert_true(recital.began && !recital.stood && !*recital.refusal.message);
	assert_true(recital.lean >= 40 && recital.seconds < 5);
	naohw_motion_free(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROBOT_TEST(it_stands_while_it_waves, "bioloid"),
		ROBOT_TEST(it_stands_while_it_waves, "darwin-op"),
		ROBOT_TEST(it_stands_while_it_waves, "op3"),
		cmocka_unit_test(who_falls_plays_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
