// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a description has of the DCM: aliases, what they are of, and what is told of those that cannot
 * be made; and numbers, each of which can be saved.
 */
#include "support.h"

#include "dcm/described.h"
#include "dcm/preferences.h"

#define ALIAS(name, value)                                                                         \
	"<Preference memoryName='DCM/Alias/" name "' type='string' value='" value "'/>\n"

/* In order, as a DCM has them */
#define PITCH "HeadPitch/Position/Actuator"
#define HARD  "HeadYaw/Hardness/Actuator"
#define YAW   "HeadYaw/Position/Actuator"

static struct actuator list[] = {
	{ .name = PERIOD_NAME },
	{ .name = PITCH },
	{ .name = HARD },
	{ .name = YAW },
};
static const struct actuators actuators = {
	.list = list,
	.count = sizeof(list) / sizeof(list[0]),
};
static struct aliases aliases;
static const struct beat beat;
static struct naohw_error err;

static int setup(void **state)
{
	(void)state;
	memset(&aliases, 0, sizeof(aliases));
	return aliases_begin(&aliases, &beat);
}

static int teardown(void **state)
{
	(void)state;
	aliases_end(&aliases);
	return 0;
}

static int describe(const char *path)
{
	struct description *description;
	int ret;

	assert_int_equal(description_load(path, &installed_places, &description, &err), 0);
	ret = described_aliases(&aliases, &actuators, description, &err);
	description_free(description);
	return ret;
}

static const char *path_of(const char *preferences)
{
	char text[2048];

	snprintf(text, sizeof(text), "<ModulePreference>\n%s</ModulePreference>\n", preferences);
	return temp_text(text);
}

static void assert_made(const char *preferences)
{
	if (describe(path_of(preferences)) < 0)
		fail_msg("%s", err.message);
}

static void assert_alias(const char *name, const char *const *names)
{
	const struct alias *alias = alias_find(&aliases, name);
	size_t count = 0;

	assert_non_null(alias);
	for (; names[count]; count++) {
		assert_true(count < alias->count);
		assert_string_equal(alias->actuator[count]->name, names[count]);
	}
	assert_int_equal(alias->count, count);
}

#define ASSERT_ALIAS(name, ...) assert_alias(name, (const char *const[]){ __VA_ARGS__, NULL })

static void a_description_may_have_none(void **state)
{
	(void)state;
	assert_made("<Preference memoryName='DCM/SpeedMax' type='float' value='2'/>");
	assert_null(alias_find(&aliases, "SpeedMax"));
}

static void an_alias_has_its_actuators_in_order(void **state)
{
	(void)state;
	assert_made(ALIAS("Head", YAW "  Device/SubDeviceList/" PITCH "/Value ")
		    ALIAS("One/Two", "\n" PERIOD_NAME "\t" HARD));
	ASSERT_ALIAS("Head", YAW, PITCH);
	ASSERT_ALIAS("One/Two", PERIOD_NAME, HARD);
}

/* By name they come in another order than they are to be made. */
static void an_alias_may_be_of_others(void **state)
{
	(void)state;
	assert_made(ALIAS("A", "B " HARD) ALIAS("B", "C " YAW) ALIAS("C", PITCH) ALIAS("D", "B"));
	ASSERT_ALIAS("A", PITCH, YAW, HARD);
	ASSERT_ALIAS("B", PITCH, YAW);
	ASSERT_ALIAS("D", PITCH, YAW);
}

static void assert_refused(const char *preferences, int code, const char *why)
{
	const char *path = path_of(preferences);
	char expected[1024];

	assert_int_equal(describe(path), code);
	snprintf(expected, sizeof(expected), "%s:%s", path, why);
	assert_string_equal(err.message, expected);
}

static void one_of_what_is_not_there_is_refused(void **state)
{
	(void)state;
	assert_refused("\n" ALIAS("A", YAW " HeadYaw/Positoin/Actuator"), -ENOENT,
		       "3: DCM/Alias/A: no actuator or alias \"HeadYaw/Positoin/Actuator\", the "
		       "nearest is " YAW);
	assert_refused(ALIAS("A", "B") ALIAS("B", YAW " Frob"), -ENOENT,
		       "3: DCM/Alias/B: no actuator or alias \"Frob\"");
}

static void one_that_is_made_of_itself_is_refused(void **state)
{
	(void)state;
	assert_refused(ALIAS("A", YAW " A"), -EINVAL, "2: DCM/Alias/A: is made of itself");
	assert_refused(ALIAS("A", "B") ALIAS("B", "A"), -EINVAL, "2: DCM/Alias/A: is made of itself");
}

static void one_that_cannot_be_is_refused(void **state)
{
	(void)state;
	assert_refused(ALIAS("A", " "), -EINVAL,
		       "2: DCM/Alias/A: no names, expected those of actuators");
	assert_refused(ALIAS("A", YAW " " YAW), -EINVAL,
		       "2: DCM/Alias/A: A: " YAW " is in it twice");
	assert_refused(ALIAS("a+b", YAW), -EINVAL,
		       "2: DCM/Alias/a+b: \"a+b\": cannot be an alias, expected 1 to 63 letters, "
		       "digits, '_', '-', '.' and '/'");
	assert_refused(ALIAS("HeadYaw", PITCH), -EINVAL,
		       "2: DCM/Alias/HeadYaw: HeadYaw: cannot be an alias, a joint is called so");
	assert_refused(ALIAS("HeadPitch", HARD), -EINVAL,
		       "2: DCM/Alias/HeadPitch: HeadPitch: cannot be an alias, a joint is called so");
	assert_refused("<Preference memoryName='DCM/Alias/A' type='bool' value='true'/>", -EINVAL,
		       "2: DCM/Alias/A: value \"true\", expected a string with actuators");
}

/* What a person can save is what the DCM reads, and the other way around. */
static void each_number_is_known(void **state)
{
	struct dcm_preferences preferences;

	(void)state;
	assert_int_equal(dcm_name_count, offsetof(struct dcm_preferences, rules) / sizeof(preferences.speed_max));
	for (size_t i = 0; i < dcm_name_count; i++) {
		struct description *description;
		char text[256];

		snprintf(text, sizeof(text), "<Preference memoryName='%s' type='string' value='x'/>",
			 dcm_names[i]);
		assert_int_equal(description_load(path_of(text), &installed_places, &description,
						  &err), 0);
		assert_int_equal(dcm_preferences_read(&preferences, description, &err), -EINVAL);
		assert_says(&err, dcm_names[i]);
		description_free(description);
	}
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_description_may_have_none),
		TEST(an_alias_has_its_actuators_in_order),
		TEST(an_alias_may_be_of_others),
		TEST(one_of_what_is_not_there_is_refused),
		TEST(one_that_is_made_of_itself_is_refused),
		TEST(one_that_cannot_be_is_refused),
		TEST(each_number_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
