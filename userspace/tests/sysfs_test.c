// SPDX-License-Identifier: LGPL-2.1-or-later
/* What is held by a directory is never what takes its place. */
#include "support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/holder.h"
#include "io/sysfs.h"

/* Of some file systems that are laid over others the kernel tells another number than stat(). */
static char path[] = "/dev/shm/naohw-sysfs-XXXXXX";
static int dir;

static void put(const char *file, const char *text)
{
	char full[64];
	FILE *out;

	snprintf(full, sizeof(full), "%s/%s", path, file);
	out = fopen(full, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void in_path(int (*call)(const char *), const char *file)
{
	char full[64];

	snprintf(full, sizeof(full), "%s/%s", path, file);
	assert_int_equal(call(full), 0);
}

static int make(const char *full)
{
	return mkdir(full, 0700);
}

static void fill(void)
{
	put("label", "HeadYaw\n");
	in_path(make, "buffer");
	put("buffer/enable", "0\n");
}

static void empty(void)
{
	in_path(unlink, "label");
	in_path(unlink, "buffer/enable");
	in_path(rmdir, "buffer");
	assert_int_equal(rmdir(path), 0);
}

static int setup(void **state)
{
	(void)state;
	strcpy(path + sizeof(path) - 7, "XXXXXX");
	assert_non_null(mkdtemp(path));
	fill();
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	close(dir);
	empty();
	return 0;
}

static void attributes_are_files(void **state)
{
	char text[32];

	(void)state;
	assert_int_equal(sysfs_read(dir, "label", text, sizeof(text)), 0);
	assert_string_equal(text, "HeadYaw");
	assert_int_equal(sysfs_read(dir, "label", text, 5), 0);
	assert_string_equal(text, "Head");
	assert_int_equal(sysfs_write(dir, "label", "HeadPit"), 0);
	assert_int_equal(sysfs_read(dir, "label", text, sizeof(text)), 0);
	assert_string_equal(text, "HeadPit");
}

static void another_is_not_taken_for_it(void **state)
{
	char text[32];

	(void)state;
	empty();
	assert_int_equal(mkdir(path, 0700), 0);
	fill();
	assert_int_equal(sysfs_read(dir, "label", text, sizeof(text)), -ENODEV);
	assert_int_equal(sysfs_write(dir, "label", "LKneePitch"), -ENODEV);
	assert_int_equal(sysfs_lock_buffer(dir), -ENODEV);
}

static void one_has_the_buffer(void **state)
{
	int lock = sysfs_lock_buffer(dir);

	(void)state;
	assert_true(lock >= 0);
	assert_int_equal(sysfs_lock_buffer(dir), -EBUSY);
	close(lock);
	lock = sysfs_lock_buffer(dir);
	assert_true(lock >= 0);
	close(lock);
}

static void who_has_the_buffer_is_named(void **state)
{
	struct naohw_error err = { "busy" };
	char expected[64];
	int lock;

	(void)state;
	assert_false(holder_tell_buffer(dir, &err));
	assert_string_equal(err.message, "busy");
	lock = sysfs_lock_buffer(dir);
	assert_true(holder_tell_buffer(dir, &err));
	snprintf(expected, sizeof(expected), "busy (sysfs_test, process %ld)", (long)getpid());
	assert_string_equal(err.message, expected);
	close(lock);
	assert_false(holder_tell_buffer(-1, &err));
}

static void check_bus(const char *file, int expected, unsigned int bus)
{
	char full[64];
	unsigned int number = 99;
	int at;

	snprintf(full, sizeof(full), "%s/%s", path, file);
	at = open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(at >= 0);
	assert_int_equal(sysfs_bus(at, &number), expected);
	if (expected == 0)
		assert_int_equal(number, bus);
	close(at);
}

static void a_bus_is_known_by_its_whole_name(void **state)
{
	static const char *const parts[] = { "dxl-uart", "dxl-uart/dxl7", "dxl-uart/dxl7/7-005",
					     "dxl-uart/dxl8x" };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		in_path(make, parts[i]);
	check_bus("dxl-uart/dxl7/7-005", 0, 7);
	check_bus("dxl-uart/dxl8x", -ENXIO, 0);
	check_bus("dxl-uart", -ENXIO, 0);
	for (size_t i = 0; i < 4; i++)
		in_path(rmdir, parts[i == 0 ? 3 : i == 3 ? 0 : 3 - i]);
}

static void what_is_not_there_is_told(void **state)
{
	(void)state;
	assert_int_equal(sysfs_open("iio:device4294967295"), -ENOENT);
}

int main(void)
{
#define SYSFS_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		SYSFS_TEST(attributes_are_files),
		SYSFS_TEST(another_is_not_taken_for_it),
		SYSFS_TEST(one_has_the_buffer),
		SYSFS_TEST(who_has_the_buffer_is_named),
		SYSFS_TEST(a_bus_is_known_by_its_whole_name),
		SYSFS_TEST(what_is_not_there_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
