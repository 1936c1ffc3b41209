// SPDX-License-Identifier: LGPL-2.1-or-later
/* What all rooms do alike. */
#include "base/base.h" /* before cmocka, which has a fail() of its own */

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_as_far_apart_as_they_differ),
		cmocka_unit_test(a_thread_is_small_and_hears_no_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
