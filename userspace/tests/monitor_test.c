// SPDX-License-Identifier: LGPL-2.1-or-later
/* Documentation/examples/monitor.c: it shows what frames have, and ends when they do. */
#include "support.h"

#include "example.h"

#include <pthread.h>
#include <semaphore.h>

#include "fake_iio.h"

#define YAW   "Device/SubDeviceList/HeadYaw/Position/Sensor/Value "
#define PITCH "Device/SubDeviceList/HeadPitch/Position/Sensor/Value "

static struct outcome outcome;

/* Its loop asks for a frame, and has it when the other thread sleeps, or ends. */
static sem_t asked, wanted;
static unsigned int frames;

static void frame_when_wanted(void)
{
	sem_post(&asked);
	sem_wait(&wanted);
	next_frame();
}

/* It lasts until one more frame has been published. */
unsigned int __wrap_sleep(unsigned int seconds);
unsigned int __wrap_sleep(unsigned int seconds)
{
	(void)seconds;
	sem_wait(&asked);
	sem_post(&wanted);
	sem_wait(&asked);
	sem_post(&asked);
	return 0;
}

int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result)
{
	sem_post(&wanted);
	return __real_pthread_join(thread, result);
}

static void prepare_plain(void)
{
	sem_init(&asked, 0, 0);
	sem_init(&wanted, 0, 0);
	prepare_head(PLAIN_ROBOT);
	fake_on_frame(frame_when_wanted);
}

static void it_looks_five_times(void **state)
{
	(void)state;
	run_example(prepare_plain, &outcome);
	assert_int_equal(outcome.status, 0);
	/* In the middle an AX-12 is 0 rad. */
	assert_int_equal(times_said(&outcome, YAW "0.000 fresh\n"), 5);
	assert_int_equal(times_said(&outcome, PITCH "nan absent\n"), 5);
	assert_int_equal(times_said(&outcome, "\n"), 5 * 20);
	assert_null(strstr(outcome.log, "HeadYaw "));
}

static void prepare_no_frames(void)
{
	fake_reset();
	fake_servo("HeadYaw");
	setenv("NAOHW_ROBOT", PLAIN_ROBOT, 1);
}

static void without_frames_it_ends(void **state)
{
	(void)state;
	run_example(prepare_no_frames, &outcome);
	assert_int_equal(outcome.status, 1);
	assert_non_null(strstr(outcome.said, "dxlN-state"));
}

static void lose_later(void)
{
	frame_when_wanted();
	if (++frames == 2)
		fake_frame_error(0, -ENODEV);
}

static void prepare_loss(void)
{
	prepare_plain();
	fake_on_frame(lose_later);
}

static void when_the_bus_goes_it_ends(void **state)
{
	(void)state;
	run_example(prepare_loss, &outcome);
	assert_int_equal(outcome.status, 1);
	assert_non_null(strstr(outcome.said, "dxl0-state"));
}

int __wrap_main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_looks_five_times),
		cmocka_unit_test(without_frames_it_ends),
		cmocka_unit_test(when_the_bus_goes_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
