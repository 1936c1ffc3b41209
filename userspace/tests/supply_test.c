// SPDX-License-Identifier: LGPL-2.1-or-later
/* A battery is found by its board's label, and tells what it knows. */
#include "support.h"

#include "io/supply.h"
#include "testbed.h"

static const char *add(const char *name, const char *current)
{
	const char *const attributes[] = {
		"current_now", current, "status", "Charging\n", "manufacturer", "SANYO\n", NULL,
	};

	return testbed_add("power_supply", name, NULL, attributes, NULL);
}

/* Opened by the label, which one is it? By its current. */
static double found(const char *label)
{
	struct supply supply;
	double value = 0;
	int ret = supply_open(&supply, label);

	if (ret < 0) {
		assert_int_equal(supply.dir, -1);
		return ret;
	}
	assert_int_equal(supply_read(&supply, "current_now", &value), 0);
	supply_close(&supply);
	return value;
}

static void a_label_is_all_before_the_device(void **state)
{
	(void)state;
	add("Battery-0-206", "1\n");
	add("Battery-2-0-207", "2\n");
	add("Battery", "3\n");
	add("Batter-0-208", "4\n");
	add("Battery-0-206-", "5\n");
	add("Battery-0-", "6\n");
	add("Battery--206", "7\n");
	add("1-005", "8\n");
	assert_near(found("Battery"), 1, 0);
	assert_near(found("Battery-2"), 2, 0);
	assert_near(found("Batter"), 4, 0);
	assert_near(found("1-005"), 8, 0);
	assert_near(found("Batt"), -ENODEV, 0);
	assert_near(found("1"), -ENODEV, 0);
	assert_near(found(""), -ENODEV, 0);
	assert_near(found("Battery-0"), -ENODEV, 0);
}

static void of_two_none_is_taken(void **state)
{
	(void)state;
	add("Battery-0-206", "1\n");
	add("Battery-1-206", "1\n");
	assert_near(found("Battery"), -ENOTUNIQ, 0);
}

static void properties_are_numbers_or_text(void **state)
{
	struct supply supply;
	char text[32];
	double value;

	(void)state;
	add("Battery-0-206", "-1500000\n");
	assert_int_equal(supply_open(&supply, "Battery"), 0);
	assert_int_equal(supply_read(&supply, "current_now", &value), 0);
	assert_near(value, -1500000, 0);
	assert_int_equal(supply_read(&supply, "status", &value), -EPROTO);
	assert_int_equal(supply_read_text(&supply, "status", text, sizeof(text)), 0);
	assert_string_equal(text, "Charging");
	assert_int_equal(supply_read_text(&supply, "manufacturer", text, 7), 0);
	assert_string_equal(text, "SANYO");
	assert_int_equal(supply_read_text(&supply, "manufacturer", text, 6), -EMSGSIZE);
	supply_close(&supply);
}

static void only_its_own_files_are_read(void **state)
{
	static const char *const names[] = { "", ".", "..", "../1-005/temp", "/etc/passwd" };
	struct supply supply;
	double value;

	(void)state;
	add("Battery-0-206", "1\n");
	assert_int_equal(supply_open(&supply, "Battery"), 0);
	assert_int_equal(supply_read(&supply, "charge_now", &value), -ENOENT);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(supply_read(&supply, names[i], &value), -EINVAL);
	supply_close(&supply);
}

static void files_may_say_anything(void **state)
{
	const char *path = add("Battery-0-206", "1\n");
	struct supply supply;
	char text[300];
	double value;

	(void)state;
	assert_int_equal(supply_open(&supply, "Battery"), 0);
	memset(text, '1', sizeof(text));
	testbed_write(path, "temp", text, sizeof(text));
	assert_int_equal(supply_read(&supply, "temp", &value), -EPROTO);
	testbed_put(path, "temp", "");
	assert_int_equal(supply_read(&supply, "temp", &value), -EPROTO);
	testbed_put(path, "temp", "inf\n");
	assert_int_equal(supply_read(&supply, "temp", &value), -EPROTO);
	supply_close(&supply);
}

static void what_takes_its_place_is_another(void **state)
{
	const char *path = add("Battery-0-206", "1\n");
	struct supply supply;
	double value;

	(void)state;
	assert_int_equal(supply_open(&supply, "Battery"), 0);
	testbed_remove(path);
	add("Battery-0-206", "2\n");
	assert_int_equal(supply_read(&supply, "current_now", &value), -ENODEV);
	supply_close(&supply);
	supply_close(&supply);
	assert_near(found("Battery"), 2, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, testbed_begin, testbed_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_label_is_all_before_the_device),
		TEST(of_two_none_is_taken),
		TEST(properties_are_numbers_or_text),
		TEST(only_its_own_files_are_read),
		TEST(files_may_say_anything),
		TEST(what_takes_its_place_is_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
