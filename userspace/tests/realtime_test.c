// SPDX-License-Identifier: LGPL-2.1-or-later
/* What real time asks the kernel for, and what it says when the kernel refuses. */
#include "support.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>

/* What the kernel answers, and what it was asked. */
static int refusal;
static int asked_flags;
static int asked_policy;
static int asked_priority;

static int answer(void)
{
	errno = refusal;
	return refusal ? -1 : 0;
}

int __wrap_mlockall(int flags);
int __wrap_mlockall(int flags)
{
	asked_flags = flags;
	return answer();
}

int __wrap_sched_setscheduler(pid_t thread, int policy, const struct sched_param *param);
int __wrap_sched_setscheduler(pid_t thread, int policy, const struct sched_param *param)
{
	assert_int_equal(thread, 0);
	asked_policy = policy;
	asked_priority = param->sched_priority;
	return answer();
}

static int setup(void **state)
{
	(void)state;
	refusal = asked_flags = asked_policy = asked_priority = 0;
	return 0;
}

static void a_priority_is_had(void **state)
{
	(void)state;
	assert_int_equal(naohw_realtime_schedule(1, NULL), 0);
	assert_int_equal(asked_priority, 1);
	assert_int_equal(naohw_realtime_schedule(99, NULL), 0);
	assert_int_equal(asked_priority, 99);
	assert_int_equal(asked_policy, SCHED_FIFO | SCHED_RESET_ON_FORK);
	assert_int_equal(asked_flags, 0);
}

static void a_priority_is_refused(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	refusal = EPERM;
	assert_int_equal(naohw_realtime_schedule(10, &err), -EPERM);
	assert_says(&err, "no real-time priority 10: ");
}

static void there_are_99_priorities(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	assert_int_equal(naohw_realtime_schedule(0, &err), -EINVAL);
	assert_says(&err, "real-time priority 0, expected 1 to 99");
	assert_int_equal(naohw_realtime_schedule(100, NULL), -EINVAL);
	assert_int_equal(asked_policy, 0);
}

static void memory_is_locked(void **state)
{
	(void)state;
	assert_int_equal(naohw_realtime_lock(NULL), 0);
	assert_int_equal(asked_flags, MCL_CURRENT | MCL_FUTURE);
	assert_int_equal(asked_policy, 0);
}

static void memory_is_not_locked(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	refusal = ENOMEM;
	assert_int_equal(naohw_realtime_lock(&err), -ENOMEM);
	assert_says(&err, "memory cannot be locked: ");
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup(test, setup)
	const struct CMUnitTest tests[] = {
		TEST(a_priority_is_had),
		TEST(a_priority_is_refused),
		TEST(there_are_99_priorities),
		TEST(memory_is_locked),
		TEST(memory_is_not_locked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
