// SPDX-License-Identifier: LGPL-2.1-or-later
/* What naohwd waits for when a bus has just appeared. */
#include "support.h"

#include <pthread.h>
#include <unistd.h>

#include "../naohwd/base/base.h"
#include "testbed.h"

#define MOST_MS 1500

static const char *const none[] = { NULL };
static int ends[2];

static int begin(void **state)
{
	assert_int_equal(pipe(ends), 0);
	return testbed_begin(state);
}

static int end(void **state)
{
	close(ends[0]);
	close(ends[1]);
	return testbed_end(state);
}

static void bind_driver(const char *path)
{
	assert_int_equal(symlink("../../../bus/dxl/drivers/dxl-servo", testbed_file(path, "driver")),
			 0);
}

static void a_bus_whose_devices_have_drivers_is_ready(void **state)
{
	struct naohw_error err;

	(void)state;
	testbed_add("dxl", "dxl0", NULL, none, NULL);
	bind_driver(testbed_add("dxl", "0-005", NULL, none, NULL));
	assert_int_equal(devices_wait(ends[0], MOST_MS, &err), 0);
}

static void a_machine_without_any_is_ready(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(devices_wait(ends[0], MOST_MS, &err), 0);
}

static void one_without_a_driver_is_named(void **state)
{
	struct naohw_error err;

	(void)state;
	bind_driver(testbed_add("dxl", "0-005", NULL, none, NULL));
	testbed_add("dxl", "0-006", NULL, none, NULL);
	assert_int_equal(devices_wait(ends[0], MOST_MS, &err), -ETIMEDOUT);
	assert_says(&err, "0-006 has no driver");
}

static void *bind_late(void *path)
{
	usleep(400000);
	bind_driver(path);
	return NULL;
}

static void one_that_comes_late_is_waited_for(void **state)
{
	const char *path = testbed_add("dxl", "0-005", NULL, none, NULL);
	struct naohw_error err;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, bind_late, (void *)path), 0);
	assert_int_equal(devices_wait(ends[0], MOST_MS, &err), 0);
	/* Else it would not be there yet. */
	assert_int_equal(unlink(testbed_file(path, "driver")), 0);
	pthread_join(thread, NULL);
}

static void who_is_to_end_does_not_wait(void **state)
{
	struct naohw_error err;

	(void)state;
	testbed_add("dxl", "0-005", NULL, none, NULL);
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(devices_wait(ends[0], MOST_MS, &err), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_bus_whose_devices_have_drivers_is_ready),
		TEST(a_machine_without_any_is_ready),
		TEST(one_without_a_driver_is_named),
		TEST(one_that_comes_late_is_waited_for),
		TEST(who_is_to_end_does_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
