// SPDX-License-Identifier: LGPL-2.1-or-later
/* Who may come to naohwd's sockets by its options, and what becomes of joints then. */
#include "support.h"

#include <getopt.h>

#include "../naohwd/options.h"

#define READ_ONLY "--read-only-others"

static struct options options;

/* @mode: NULL: none is given. */
static void read_options(const char *others, const char *mode)
{
	char *argv[16] = { "naohwd", "--socket", "rpc", "--lola", "a", "--lola", "b" };
	int argc = 7;

	if (others)
		argv[argc++] = (char *)others;
	if (mode) {
		argv[argc++] = "--mode";
		argv[argc++] = (char *)mode;
	}
	/* From the beginning, again */
	optind = 0;
	assert_int_equal(options_read(&options, argc, argv), OPTIONS_RUN);
}

static void assert_modes(mode_t rpc, mode_t lola)
{
	assert_int_equal(options.rpc.listen.mode, rpc);
	assert_int_equal(options.lolas, 2);
	assert_int_equal(options.lola[0].mode, lola);
	assert_int_equal(options.lola[1].mode, lola);
}

static void all_have_the_mode_that_is_given(void **state)
{
	(void)state;
	read_options(NULL, NULL);
	assert_modes(0660, 0660);
	read_options(NULL, "666");
	assert_modes(0666, 0666);
}

/* By LoLA they would do more than read. */
static void who_may_only_read_does_not_come_to_lola(void **state)
{
	(void)state;
	read_options(READ_ONLY, NULL);
	assert_modes(0666, 0660);
	read_options(READ_ONLY, "666");
	assert_modes(0666, 0664);
	read_options(READ_ONLY, "777");
	assert_modes(0777, 0775);
	read_options(READ_ONLY, "600");
	assert_modes(0600, 0600);
}

static enum options_result read_end(const char *end)
{
	char *argv[] = { "naohwd", "--lola-end", (char *)end, NULL };

	optind = 0;
	return options_read(&options, end ? 3 : 1, argv);
}

static void assert_end(const char *text, enum lease_end how, double seconds)
{
	assert_int_equal(read_end(text), OPTIONS_RUN);
	assert_int_equal(options.lola_end.how, how);
	if (how == LEASE_SOFTEN)
		assert_near(options.lola_end.seconds, seconds, 0);
}

static void joints_of_lola_end_as_is_said(void **state)
{
	static const char *const bad[] = { "",		"rest",	     "soft",	    "softens",
					   "soften=",	"soften=-1", "soften=nan",  "soften=inf",
					   "soften=61", "soften=1s", "soften=1e10", "hold=1",
					   "free " };

	(void)state;
	assert_end(NULL, LEASE_SOFTEN, 3);
	assert_end("soften", LEASE_SOFTEN, 3);
	assert_end("soften=0.5", LEASE_SOFTEN, 0.5);
	assert_end("soften=0", LEASE_SOFTEN, 0);
	assert_end("soften=60", LEASE_SOFTEN, 60);
	assert_end("hold", LEASE_HOLD, 0);
	assert_end("free", LEASE_FREE, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (read_end(bad[i]) != OPTIONS_WRONG)
			fail_msg("'%s' was taken", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_have_the_mode_that_is_given),
		cmocka_unit_test(who_may_only_read_does_not_come_to_lola),
		cmocka_unit_test(joints_of_lola_end_as_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
