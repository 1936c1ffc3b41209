// SPDX-License-Identifier: LGPL-2.1-or-later
/* Who may come to naohwd's sockets by its options. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_have_the_mode_that_is_given),
		cmocka_unit_test(who_may_only_read_does_not_come_to_lola),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
