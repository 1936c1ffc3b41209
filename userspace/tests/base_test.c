// SPDX-License-Identifier: LGPL-2.1-or-later
/* What all rooms do alike. */
#include "base/base.h" /* before cmocka, which has a fail() of its own */

#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include "support.h"

static void texts_are_as_far_apart_as_they_differ(void **state)
{
	char longest[TEXT_DISTANCE_MAX + 2];

	(void)state;
	assert_int_equal(text_distance("", ""), 0);
	assert_int_equal(text_distance("HeadYaw", "HeadYaw"), 0);
	assert_int_equal(text_distance("headyaw", "HeadYaw"), 0);
	assert_int_equal(text_distance("HeadYa", "HeadYaw"), 1);
	assert_int_equal(text_distance("HeadYaww", "HeadYaw"), 1);
	assert_int_equal(text_distance("HeadYew", "HeadYaw"), 1);
	assert_int_equal(text_distance("HeadYwa", "HeadYaw"), 1);
	assert_int_equal(text_distance("plya", "play"), 1);
	assert_int_equal(text_distance("aplyer", "player"), 2);
	assert_int_equal(text_distance("", "Yaw"), 3);
	assert_int_equal(text_distance("Pitch", "Yaw"), 5);
	assert_int_equal(text_distance("LElbowYaw", "RElbowRoll"), 5);
	memset(longest, 'x', sizeof(longest));
	longest[TEXT_DISTANCE_MAX] = '\0';
	assert_int_equal(text_distance(longest, ""), TEXT_DISTANCE_MAX);
	assert_int_equal(text_distance("", longest), TEXT_DISTANCE_MAX);
	longest[TEXT_DISTANCE_MAX] = 'x';
	longest[TEXT_DISTANCE_MAX + 1] = '\0';
	assert_true(text_distance(longest, "") == SIZE_MAX);
	assert_true(text_distance("", longest) == SIZE_MAX);
}

/* Characters of UTF-8 at the ends of what each length has, and what only looks like some. */
static void a_plain_text_shows_what_it_is(void **state)
{
	static const char *const plain[] = {
		"", "Nao 7~", "\u00a0", "Nao\u00e9", "\u07ff\u0800\uffff", "\U00010000\U0010ffff",
	};
	static const char *const others[][2] = {
		{ "a\nb", "a?b" },	     { "\x1b[2J", "?[2J" },
		{ "\x7f", "?" },	     { "Nao\xff", "Nao?" },
		{ "\x80\xbfx", "??x" },     { "\xc2\x9bx", "??x" },
		{ "\xc3", "?" },	     { "\xc3x", "?x" },
		{ "\xc1\xbf", "??" },	     { "\xe0\x9f\xbf", "???" },
		{ "\xed\xa0\x80", "???" },  { "\xe2\x82", "??" },
		{ "\xf0\x8f\xbf\xbf", "????" }, { "\xf4\x90\x80\x80", "????" },
		{ "\xf8\x88\x80\x80\x80", "?????" },
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		assert_true(text_is_plain(plain[i]));
		strcpy(text, plain[i]);
		text_make_plain(text);
		assert_string_equal(text, plain[i]);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_false(text_is_plain(others[i][0]));
		strcpy(text, others[i][0]);
		text_make_plain(text);
		assert_string_equal(text, others[i][1]);
	}
}

static void numbers_are_decimal(void **state)
{
	static const char *const numbers[] = { "0.5", "-1", "+2e3", ".5", "5.", "1E-3" };
	static const double values[] = { 0.5, -1, 2000, 0.5, 5, 0.001 };
	static const char *const others[] = {
		"",    " 0.5", "0.5 ", "0.5\n", "0x10", "0x1p3", "1e400", "inf", "nan", "-",
		"1,5", "1e",   "--1",  "1 2",	"e5",	"\t1",
	};
	double number;

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		assert_true(number_parse(numbers[i], &number));
		assert_near(number, values[i], 0);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (number_parse(others[i], &number))
			fail_msg("\"%s\" is %g", others[i], number);
}

struct seen {
	sigset_t blocked;
	size_t stack;
};

static void *look(void *data)
{
	struct seen *seen = data;
	pthread_attr_t attributes;

	pthread_sigmask(SIG_SETMASK, NULL, &seen->blocked);
	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &seen->stack);
		pthread_attr_destroy(&attributes);
	}
	return seen;
}

static void a_thread_is_small_and_hears_no_signal(void **state)
{
	static const int some[] = { SIGINT, SIGTERM, SIGCHLD, SIGUSR1, SIGALRM };
	struct seen seen = { .stack = 0 };
	sigset_t before, after;
	pthread_t thread;
	void *returned;

	(void)state;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	assert_int_equal(thread_begin(&thread, look, &seen), 0);
	assert_int_equal(pthread_join(thread, &returned), 0);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	assert_ptr_equal(returned, &seen);
	assert_in_range(seen.stack, 64 * 1024, 1024 * 1024);
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		assert_int_equal(sigismember(&seen.blocked, some[i]), 1);
		assert_int_equal(sigismember(&after, some[i]), sigismember(&before, some[i]));
	}
}

static void what_is_no_int_becomes_the_nearest(void **state)
{
	(void)state;
	assert_int_equal(number_to_int(0.5), 1);
	assert_int_equal(number_to_int(-1.4), -1);
	assert_int_equal(number_to_int(2147483647.4), INT_MAX);
	assert_int_equal(number_to_int(4294967296), INT_MAX);
	assert_int_equal(number_to_int(-1e300), INT_MIN);
	assert_int_equal(number_to_int(INFINITY), INT_MAX);
	assert_int_equal(number_to_int(NAN), 0);
}

static void check_print(double number, const char *expected)
{
	char text[64];

	assert_int_equal(number_print(text, sizeof(text), number), strlen(expected));
	assert_string_equal(text, expected);
}

static void whole_numbers_keep_all_their_digits(void **state)
{
	(void)state;
	check_print(0, "0");
	check_print(-0.0, "0");
	check_print(2147483647, "2147483647");
	check_print(-2147483648.0, "-2147483648");
	check_print(4294967295, "4294967295");
	check_print(9007199254740992, "9007199254740992");
	/* Beyond these a double does not know its last digits. */
	check_print(1e300, "1e+300");
}

static void check_fixed(double number, int digits, const char *expected)
{
	char text[64];

	number_write_fixed(text, sizeof(text), digits, number);
	assert_string_equal(text, expected);
}

static void no_zero_has_a_sign(void **state)
{
	(void)state;
	check_fixed(-0.0, 3, "0.000");
	check_fixed(-0.0004, 3, "0.000");
	check_fixed(-0.4, 0, "0");
	check_fixed(-0.0006, 3, "-0.001");
	check_fixed(-10, 1, "-10.0");
	check_fixed(0.05, 2, "0.05");
}

static void others_have_nine_digits_at_the_most(void **state)
{
	(void)state;
	check_print(0.1f, "0.100000001");
	check_print(0.1, "0.1");
	check_print(-1234567.891234, "-1234567.89");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_as_far_apart_as_they_differ),
		cmocka_unit_test(a_plain_text_shows_what_it_is),
		cmocka_unit_test(numbers_are_decimal),
		cmocka_unit_test(what_is_no_int_becomes_the_nearest),
		cmocka_unit_test(whole_numbers_keep_all_their_digits),
		cmocka_unit_test(no_zero_has_a_sign),
		cmocka_unit_test(others_have_nine_digits_at_the_most),
		cmocka_unit_test(a_thread_is_small_and_hears_no_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
