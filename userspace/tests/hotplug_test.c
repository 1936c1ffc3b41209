// SPDX-License-Identifier: LGPL-2.1-or-later
/* What comes and goes is told, and nothing else. */
#include "support.h"

#include <poll.h>

#include "io/hotplug.h"
#include "testbed.h"

static bool is_readable(const struct hotplug *hotplug)
{
	struct pollfd ready = { .fd = hotplug_descriptor(hotplug), .events = POLLIN };

	return poll(&ready, 1, 0) == 1;
}

static void assert_told(struct hotplug *hotplug, bool added, const char *subsystem,
			const char *name)
{
	struct hotplug_change change;

	assert_int_equal(hotplug_next(hotplug, &change), 1);
	assert_int_equal(change.added, added);
	assert_string_equal(change.subsystem, subsystem);
	assert_string_equal(change.name, name);
}

static const char *add(const char *subsystem, const char *name)
{
	const char *const none[] = { NULL };

	return testbed_add(subsystem, name, NULL, none, NULL);
}

static void all_five_are_told_of(void **state)
{
	static const char *const subsystems[] = { "leds", "input", "power_supply", "nvmem", "iio" };
	static const char *const names[] = { "a:b:c", "input3", "Battery-0-206", "0-200", "iio:device0" };
	struct hotplug hotplug;
	struct hotplug_change change;

	(void)state;
	assert_int_equal(hotplug_open(&hotplug), 0);
	assert_int_equal(hotplug_next(&hotplug, &change), 0);
	assert_false(is_readable(&hotplug));
	for (size_t i = 0; i < 5; i++) {
		add(subsystems[i], names[i]);
		assert_true(is_readable(&hotplug));
		assert_told(&hotplug, true, subsystems[i], names[i]);
		assert_int_equal(hotplug_next(&hotplug, &change), 0);
	}
	hotplug_close(&hotplug);
}

static void what_goes_is_told_in_order(void **state)
{
	struct hotplug hotplug;
	struct hotplug_change change;
	const char *path;

	(void)state;
	assert_int_equal(hotplug_open(&hotplug), 0);
	path = add("leds", "Ears:blue:left-36deg");
	testbed_remove(path);
	add("input", "event3");
	assert_told(&hotplug, true, "leds", "Ears:blue:left-36deg");
	assert_told(&hotplug, false, "leds", "Ears:blue:left-36deg");
	assert_told(&hotplug, true, "input", "event3");
	assert_int_equal(hotplug_next(&hotplug, &change), 0);
	hotplug_close(&hotplug);
}

static void other_news_are_none(void **state)
{
	struct hotplug hotplug;
	struct hotplug_change change;
	const char *path;

	(void)state;
	path = add("power_supply", "Battery-0-206");
	assert_int_equal(hotplug_open(&hotplug), 0);
	testbed_tell(path, "change");
	assert_int_equal(hotplug_next(&hotplug, &change), 0);
	testbed_tell(path, "change");
	testbed_remove(path);
	assert_told(&hotplug, false, "power_supply", "Battery-0-206");
	hotplug_close(&hotplug);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, testbed_begin, testbed_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_five_are_told_of),
		TEST(what_goes_is_told_in_order),
		TEST(other_news_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
