// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the kernel registers anew is found by its name, when it and udev are done with it. */
#include "support.h"

#include <fcntl.h>
#include <unistd.h>

#include "io/anew.h"
#include "testbed.h"

#define GOAL "dxl0-goal"

int __wrap_faccessat(int dir, const char *file, int mode, int flags);

/* What may not be used yet */
static const char *denied;

int __wrap_faccessat(int dir, const char *file, int mode, int flags)
{
	(void)dir;
	assert_true(mode & W_OK);
	assert_int_equal(flags, AT_EACCESS);
	if (!denied || !strstr(file, denied))
		return 0;
	errno = EACCES;
	return -1;
}

static const char *add(const char *id, const char *name, const char *stiffness)
{
	const char *const files[] = {
		"name", name, "stiffness", stiffness, "stale", "0\n", "keep_alive", "", NULL,
	};
	const char *path = testbed_add("iio", id, NULL, files, id);

	testbed_put(path, "buffer/enable", "0\n");
	testbed_put(path, "scan_elements/out_count1_en", "0\n");
	return path;
}

static int setup(void **state)
{
	denied = NULL;
	return testbed_begin(state);
}

static void it_is_found_by_its_name(void **state)
{
	const char *path;

	(void)state;
	assert_int_equal(anew_look(GOAL, NULL, NULL), ANEW_NOT_THERE);
	assert_int_equal(anew_write(GOAL, "stiffness", "1"), -ENODEV);
	add("iio:device1", "dxl0-goals\n", "0\n");
	add("iio:device2", "dxl0-goa\n", "0\n");
	assert_int_equal(anew_look(GOAL, NULL, NULL), ANEW_NOT_THERE);
	path = add("iio:device3", GOAL "\n", "0\n");
	assert_int_equal(anew_look(GOAL, NULL, NULL), ANEW_READY);
	assert_int_equal(anew_write(GOAL, "stiffness", "1"), 0);
	assert_string_equal(testbed_get(path, "stiffness"), "1\n");
	testbed_remove(path);
	assert_int_equal(anew_look(GOAL, NULL, NULL), ANEW_NOT_THERE);
}

static void the_one_that_goes_is_none(void **state)
{
	const char *path = add("iio:device3", GOAL "\n", "0\n");

	(void)state;
	assert_int_equal(anew_look(GOAL, "stiffness", "1"), ANEW_NOT_THERE);
	assert_int_equal(anew_look(GOAL, "stiffness", "0"), ANEW_READY);
	testbed_put(path, "stale", "1\n");
	assert_int_equal(anew_look(GOAL, "stiffness", "0"), ANEW_NOT_THERE);
	assert_int_equal(anew_look(GOAL, NULL, NULL), ANEW_NOT_THERE);
}

static void udev_has_to_see_to_all_of_it(void **state)
{
	static const char *const files[] = { "/dev/iio:device3", "keep_alive", "enable",
					     "out_count1_en" };

	(void)state;
	add("iio:device3", GOAL "\n", "1\n");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		denied = files[i];
		assert_int_equal(anew_look(GOAL, "stiffness", "1"), ANEW_THERE);
	}
	/* That is nobody's. */
	denied = "uevent";
	assert_int_equal(anew_look(GOAL, "stiffness", "1"), ANEW_READY);
}

int main(void)
{
#define ANEW_TEST(test) cmocka_unit_test_setup_teardown(test, setup, testbed_end)
	const struct CMUnitTest tests[] = {
		ANEW_TEST(it_is_found_by_its_name),
		ANEW_TEST(the_one_that_goes_is_none),
		ANEW_TEST(udev_has_to_see_to_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
