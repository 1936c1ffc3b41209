// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Aliases that change while a callback uses them. Locks are wrapped, so that the cycle goes on just
 * before a thread that changes one has its lock.
 */
#include <pthread.h>

#include "dcm_stage.h"
#include "fake_iio.h"

static const char *const names[] = { YAW_POSITION };

static bool is_preempted;
static const struct alias *seen;

int __real_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);

static bool is_of_aliases(const pthread_mutex_t *lock)
{
	return stage.host && lock == &stage.host->aliases.lock;
}

/* Some cycles end, and in the one after them a callback looks the alias up. */
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	if (is_preempted && is_of_aliases(lock)) {
		is_preempted = false;
		stage_cycles(3);
		seen = alias_find(&stage.host->aliases, "Head");
	}
	return __real_pthread_mutex_lock(lock);
}

static int setup(void **state)
{
	(void)state;
	stage_open("", NULL);
	stage_cycles(2);
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Head", names, 1, NULL, NULL), 0);
	is_preempted = true;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	is_preempted = false;
	stage_close();
	return 0;
}

/* In the same cycle somebody makes one more, which lets go what no cycle can see. */
static void it_is_still_there(void)
{
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Other", names, 1, NULL, NULL), 0);
	assert_int_equal(seen->count, 1);
	assert_string_equal(seen->name, "Head");
}

static void one_that_is_made_anew_stays_for_who_has_seen_it(void **state)
{
	(void)state;
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Head", names, 1, NULL, NULL), 0);
	it_is_still_there();
}

static void one_that_is_removed_stays_for_who_has_seen_it(void **state)
{
	(void)state;
	assert_int_equal(naohw_dcm_remove_alias(stage.dcm, "Head", NULL), 0);
	it_is_still_there();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_that_is_made_anew_stays_for_who_has_seen_it,
						setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_is_removed_stays_for_who_has_seen_it,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
