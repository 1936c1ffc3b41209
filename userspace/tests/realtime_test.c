// SPDX-License-Identifier: LGPL-2.1-or-later
/* What real time asks the kernel for, and what it says when the kernel refuses. */
#include "support.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the kernel answers, and what it was asked. */
static int refusal;
static int asked_flags[4];
static size_t calls, refused_from;
static const void *looked_at;
static size_t locked;
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
	assert_true(calls < sizeof(asked_flags) / sizeof(*asked_flags));
	asked_flags[calls++] = flags;
	return calls > refused_from ? answer() : 0;
}

int __wrap_mlock(const void *start, size_t size);
int __wrap_mlock(const void *start, size_t size)
{
	if (start <= looked_at && (const char *)looked_at < (const char *)start + size)
		locked = size;
	return 0;
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
	refusal = asked_policy = asked_priority = 0;
	calls = refused_from = 0;
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
	assert_int_equal(calls, 0);
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
	assert_int_equal(calls, 2);
	assert_int_equal(asked_flags[0], MCL_CURRENT | MCL_ONFAULT);
	assert_int_equal(asked_flags[1], MCL_FUTURE);
	assert_int_equal(asked_policy, 0);
}

/* How much is locked with a mapping of a file, or of none, of that size? */
static size_t locked_of(size_t size, int access, int kind)
{
	bool is_file = !(kind & MAP_ANONYMOUS);
	int fd = is_file ? memfd_create("mapped", MFD_CLOEXEC) : -1;
	void *mapped;

	assert_true(!is_file || ftruncate(fd, (off_t)size) == 0);
	mapped = mmap(NULL, size, access, kind, fd, 0);
	assert_ptr_not_equal(mapped, MAP_FAILED);
	looked_at = mapped;
	calls = 0;
	locked = 0;
	assert_int_equal(naohw_realtime_lock(NULL), 0);
	assert_int_equal(munmap(mapped, size), 0);
	if (is_file)
		close(fd);
	return locked;
}

static void pages_are_there(void **state)
{
	const size_t large = 4 * 1024 * 1024, small = large - 4096;

	(void)state;
	assert_in_range(locked_of(small, PROT_READ, MAP_PRIVATE), small, SIZE_MAX);
	assert_in_range(locked_of(large, PROT_READ, MAP_SHARED), large, SIZE_MAX);
	assert_in_range(locked_of(large, PROT_READ | PROT_EXEC, MAP_PRIVATE), large, SIZE_MAX);
	assert_in_range(locked_of(large, PROT_READ | PROT_WRITE, MAP_PRIVATE), large, SIZE_MAX);
	assert_in_range(locked_of(large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS),
			large, SIZE_MAX);
}

static void tables_are_when_they_are_read(void **state)
{
	(void)state;
	assert_int_equal(locked_of(4 * 1024 * 1024, PROT_READ, MAP_PRIVATE), 0);
}

static void what_nobody_may_use_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(locked_of(4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS), 0);
}

static void memory_is_not_locked(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	refusal = ENOMEM;
	assert_int_equal(naohw_realtime_lock(&err), -ENOMEM);
	assert_says(&err, "memory cannot be locked: ");
	refused_from = calls + 1;
	assert_int_equal(naohw_realtime_lock(&err), -ENOMEM);
	assert_int_equal(calls, 3);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup(test, setup)
	const struct CMUnitTest tests[] = {
		TEST(a_priority_is_had),
		TEST(a_priority_is_refused),
		TEST(there_are_99_priorities),
		TEST(memory_is_locked),
		TEST(pages_are_there),
		TEST(tables_are_when_they_are_read),
		TEST(what_nobody_may_use_is_left_alone),
		TEST(memory_is_not_locked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
