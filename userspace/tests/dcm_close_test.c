// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A DCM that is closed while other threads wait for its cycle. Those that have been woken are slow
 * to go on: they find themselves in what was closed meanwhile.
 */
#include <pthread.h>

#include "dcm_stage.h"

#define WAITERS	  4
#define PREEMPTED 100000 /* us */
#define PATIENCE  10000  /* ms */

static _Thread_local bool is_waiter;
static atomic_uint asleep;
/* Nor does a waiter end before the test lets it, so that the DCM is there as long. */
static atomic_bool is_kept;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/* The library's are of futexes, and have all six arguments. */
long __wrap_syscall(long number, ...)
{
	long argument[6], ret;
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	asleep += is_waiter;
	ret = __real_syscall(number, argument[0], argument[1], argument[2], argument[3],
			     argument[4], argument[5]);
	if (is_waiter)
		usleep(PREEMPTED);
	for (int left = PATIENCE; is_waiter && is_kept && left; left--)
		usleep(1000);
	return ret;
}

static void *wait_in_vain(void *data)
{
	uint64_t cycle = UINT64_MAX - 1;
	struct naohw_error err = { "" };
	int ret;

	is_waiter = true;
	ret = naohw_dcm_wait(data, &cycle, PATIENCE, &err);
	is_waiter = false;
	return (void *)(intptr_t)ret;
}

static void *flush_in_vain(void *data)
{
	int ret;

	is_waiter = true;
	ret = naohw_dcm_flush(data, NULL);
	is_waiter = false;
	return (void *)(intptr_t)ret;
}

static int setup(void **state)
{
	(void)state;
	asleep = 0;
	stage_open("", NULL);
	stage_cycles(2);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(stage.robot);
	return 0;
}

static void close_under(void *(*wait)(void *dcm))
{
	pthread_t waiter[WAITERS];
	void *ret;

	for (unsigned int i = 0; i < WAITERS; i++)
		assert_int_equal(pthread_create(&waiter[i], NULL, wait, stage.dcm), 0);
	UNTIL(asleep >= WAITERS, (void)0);
	stage.now = 0;
	stage_end();
	for (unsigned int i = 0; i < WAITERS; i++) {
		pthread_join(waiter[i], &ret);
		assert_int_equal((intptr_t)ret, -ESHUTDOWN);
	}
}

static void closing_ends_who_waits_for_a_cycle(void **state)
{
	(void)state;
	close_under(wait_in_vain);
}

static void closing_ends_who_flushes(void **state)
{
	(void)state;
	close_under(flush_in_vain);
}

static void *close_it(void *data)
{
	stage_end();
	return data;
}

/* And changes nothing: none of them has anything to look at when it is over. */
static void what_begins_while_it_closes_is_refused(void **state)
{
	struct naohw_dcm *dcm = stage.dcm;
	pthread_t waiter, closer;
	int actuators, taken, text;
	enum naohw_stream stream;
	struct naohw_error err;
	uint64_t ticket;

	(void)state;
	stage_set(YAW_POSITION, 0.1, 0);
	is_kept = true;
	assert_int_equal(pthread_create(&waiter, NULL, wait_in_vain, dcm), 0);
	UNTIL(asleep >= 1, (void)0);
	stage.now = 0;
	assert_int_equal(pthread_create(&closer, NULL, close_it, NULL), 0);
	UNTIL(usage_is_forbidden(&dcm->usage), (void)0);
	stream = naohw_dcm_get_stream(dcm);
	actuators = naohw_dcm_get_actuators(dcm, YAW_POSITION, NULL, 0);
	ticket = naohw_dcm_ticket(dcm);
	taken = naohw_dcm_has_taken(dcm, 0, &err);
	text = naohw_dcm_set_text(dcm, "DCM/Text", "x");
	is_kept = false;
	pthread_join(closer, NULL);
	pthread_join(waiter, NULL);
	assert_int_equal(stream, NAOHW_STREAM_TRIPPED);
	assert_int_equal(actuators, -ESHUTDOWN);
	assert_int_equal(ticket, 0);
	assert_int_equal(taken, -ESHUTDOWN);
	assert_says(&err, "the DCM is being closed");
	assert_int_equal(text, -ESHUTDOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(closing_ends_who_waits_for_a_cycle, setup,
						teardown),
		cmocka_unit_test_setup_teardown(closing_ends_who_flushes, setup, teardown),
		cmocka_unit_test_setup_teardown(what_begins_while_it_closes_is_refused, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
