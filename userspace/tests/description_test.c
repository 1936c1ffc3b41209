// SPDX-License-Identifier: LGPL-2.1-or-later
/* Device.xml: what is read, and what is refused with which words. */
#include "support.h"

#include "description/description.h"

#define OPEN  "<ModulePreference name=\"x\">\n"
#define CLOSE "</ModulePreference>\n"
#define KEY(name) "memoryName=\"Device/SubDeviceList/" name "\" "

static struct description *load(const char *text)
{
	struct description *d;
	struct naohw_error err;

	if (description_load(temp_text(text), &installed_places, &d, &err) < 0)
		fail_msg("%s", err.message);
	return d;
}

static const struct preference *find(const struct description *d, const char *prefix,
				     const char *name)
{
	const struct preference *found = description_find(d, prefix, name);

	if (!found)
		fail_msg("no %s/%s", prefix, name);
	return found;
}

static void reads_flat_and_nested(void **state)
{
	struct description *d = load(
		"<?xml version=\"1.0\"?>\n"
		"<ModulePreference name=\"x\" xmlns=\"http://www.aldebaran-robotics.com/ns/"
		"ALPreference\">\n"
		"<Preference name=\"a\" " KEY("Head/Gain") "type=\"float\" value=\"0.5\"/>\n"
		"<Preference name=\"Head\" " KEY("Head") "type=\"array\">\n"
		"<Preference name=\"Type\" type=\"string\" value=\"Joint\"/>\n"
		"<Preference name=\"Sub\" type=\"array\"><!-- deeper -->\n"
		"<Preference name=\"N\" type=\"int\" value=\"-3\"/></Preference>\n"
		"</Preference>\n" CLOSE);

	(void)state;
	assert_int_equal(d->count, 3);
	assert_near(find(d, KEY_PREFIX "Head", "Gain")->number, 0.5, 0);
	assert_string_equal(find(d, KEY_PREFIX "Head", "Type")->text, "Joint");
	assert_near(find(d, KEY_PREFIX "Head/Sub", "N")->number, -3, 0);
	assert_int_equal(find(d, KEY_PREFIX "Head/Sub", "N")->type, NAOHW_KEY_INT);
	assert_int_equal(find(d, KEY_PREFIX "Head/Sub", "N")->line, 7);
	assert_null(description_find(d, KEY_PREFIX "Head", "N"));
	assert_ptr_equal(description_inherit(d, KEY_PREFIX "Head/Sub", "Type"),
			 find(d, KEY_PREFIX "Head", "Type"));
	description_free(d);
}

static void later_entries_overwrite(void **state)
{
	struct description *d = load(
		OPEN "<Preference " KEY("H/Max") "type=\"float\" value=\"1\"/>\n"
		     "<Preference " KEY("H/Min") "type=\"float\" value=\"0\"/>\n"
		     "<Preference " KEY("H/Max") "type=\"float\" value=\"2\"/>\n"
		     "<Preference " KEY("H/Max") "type=\"float\" value=\"3\"/>\n" CLOSE);

	(void)state;
	assert_int_equal(d->count, 2);
	assert_near(find(d, KEY_PREFIX "H", "Max")->number, 3, 0);
	description_free(d);
}

static void a_loop_has_preferences_too(void **state)
{
	struct description *d = load(
		OPEN "<Preference name=\"DCM\" memoryName=\"DCM/Sub\" type=\"array\">\n"
		     "<Preference name=\"TargetCycleTime\" type=\"int\" value=\"10\"/>\n"
		     "</Preference>\n"
		     "<Preference memoryName=\"DCM/Time\" type=\"int\" value=\"3\"/>\n" CLOSE);

	(void)state;
	assert_int_equal(d->count, 2);
	assert_near(find(d, DCM_PREFIX "Sub", "TargetCycleTime")->number, 10, 0);
	assert_near(find(d, "DCM", "Time")->number, 3, 0);
	description_free(d);
}

static void entities_are_templates(void **state)
{
	struct description *d = load(
		"<!DOCTYPE ModulePreference [\n"
		"<!ENTITY gain '<Preference name=\"Gain\" type=\"float\" value=\"2\"/>'>\n"
		"<!ENTITY joint '\n\n<Preference name=\"Sensor\" type=\"array\">&gain;"
		"</Preference>'>\n"
		"]>\n" OPEN
		"<Preference " KEY("A") "type=\"array\">&joint;</Preference>\n"
		"<Preference " KEY("B") "type=\"array\">&joint;<Preference name=\"Sensor\" "
		"type=\"array\"><Preference name=\"Gain\" type=\"float\" value=\"4\"/>"
		"</Preference></Preference>\n" CLOSE);

	(void)state;
	assert_near(find(d, KEY_PREFIX "A/Sensor", "Gain")->number, 2, 0);
	assert_near(find(d, KEY_PREFIX "B/Sensor", "Gain")->number, 4, 0);
	/* The line is where the entity is used: that is where a reader looks. */
	assert_int_equal(find(d, KEY_PREFIX "A/Sensor", "Gain")->line, 8);
	description_free(d);
}

static void check_fault(const char *text, const char *says)
{
	struct description *d;
	struct naohw_error err;

	assert_int_equal(description_load(temp_text(text), &installed_places, &d, &err), -EINVAL);
	assert_says(&err, says);
}

static void faults_name_their_line(void **state)
{
	(void)state;
	check_fault("", ":1: Document is empty");
	check_fault("<a>\n<b>\n</a>\n", ":3: Opening and ending tag mismatch");
	check_fault("<Robot/>\n", ":1: element <Robot>, expected <ModulePreference>");
	check_fault(OPEN "<Pref/>\n" CLOSE, ":2: element <Pref>, expected <Preference>");
	check_fault(OPEN "<Preference type=\"int\" value=\"1\"/>\n" CLOSE,
		    ":2: a Preference without a key");
	check_fault(OPEN "<Preference name=\"x\" type=\"int\" value=\"1\"/>\n" CLOSE,
		    ":2: a Preference without a key");
	check_fault(OPEN "\n<Preference memoryName=\"HAL/Time\" type=\"int\" value=\"1\"/>\n" CLOSE,
		    ":3: key \"HAL/Time\", expected \"Device/...\", \"RobotConfig/...\" or "
		    "\"DCM/...\"");
	check_fault(OPEN "<Preference " KEY("H/Max") "value=\"1\"/>\n" CLOSE,
		    ":2: Device/SubDeviceList/H/Max: no type attribute");
	check_fault(OPEN "<Preference " KEY("H/Max") "type=\"float\"/>\n" CLOSE,
		    ":2: Device/SubDeviceList/H/Max: no value attribute");
	check_fault(OPEN "<Preference " KEY("H/Max") "type=\"double\" value=\"1\"/>\n" CLOSE,
		    "type \"double\", expected float, int, string, bool or array");
	check_fault(OPEN "<Preference " KEY("H/Max") "type=\"float\" value=\"1,5\"/>\n" CLOSE,
		    ":2: Device/SubDeviceList/H/Max: value \"1,5\", expected a number");
	check_fault(OPEN "<Preference " KEY("H/Max") "type=\"float\" value=\"\"/>\n" CLOSE,
		    "expected a number");
	check_fault(OPEN "<Preference " KEY("H/Max") "type=\"float\" value=\"nan\"/>\n" CLOSE,
		    "expected a number");
	check_fault(OPEN "<Preference " KEY("H/Max") "type=\"float\" value=\"1e999\"/>\n" CLOSE,
		    "expected a number");
	check_fault(OPEN "<Preference " KEY("H/N") "type=\"int\" value=\"1.5\"/>\n" CLOSE,
		    "expected a whole number");
}

static void a_missing_file_is_told(void **state)
{
	struct description *d;
	struct naohw_error err;

	(void)state;
	assert_int_equal(description_load("/nowhere/Device.xml", &installed_places, &d, &err), -ENOENT);
	assert_says(&err, "/nowhere/Device.xml: No such file");
}

static void nothing_outside_is_read(void **state)
{
	(void)state;
	check_fault("<!DOCTYPE ModulePreference [<!ENTITY e SYSTEM \"/etc/passwd\">]>\n" OPEN
		    "<Preference " KEY("H") "type=\"array\">&e;</Preference>\n" CLOSE,
		    ":3: entity \"e\" is not defined inside of this file");
}

static void nesting_has_an_end(void **state)
{
	char text[4096] = OPEN "<Preference " KEY("H") "type=\"array\">";

	(void)state;
	for (int i = 0; i < 20; i++)
		strcat(text, "<Preference name=\"a\" type=\"array\">");
	for (int i = 0; i < 21; i++)
		strcat(text, "</Preference>");
	strcat(text, CLOSE);
	check_fault(text, "arrays nested deeper than 16");
}

/* Entities that each hold ten of the one before, the last used three times. */
static void make_bomb(char *text, size_t size, int levels)
{
	snprintf(text, size,
		 "<!DOCTYPE ModulePreference [\n"
		 "<!ENTITY e0 '<Preference name=\"n\" type=\"int\" value=\"1\"/>'>\n");
	for (int i = 1; i <= levels; i++) {
		size_t used = strlen(text);

		snprintf(text + used, size - used,
			 "<!ENTITY e%d '&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;'>\n", i,
			 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	}
	snprintf(text + strlen(text), size - strlen(text),
		 "]>\n" OPEN "<Preference " KEY("H") "type=\"array\">&e%d;&e%d;&e%d;</Preference>\n"
		 CLOSE, levels, levels, levels);
}

static void entity_bombs_are_refused(void **state)
{
	struct description *d;
	struct naohw_error err;
	char text[8192];

	(void)state;
	make_bomb(text, sizeof(text), 9);
	assert_int_equal(description_load(temp_text(text), &installed_places, &d, &err), -EINVAL);
	make_bomb(text, sizeof(text), 1);
	description_free(load(text));
}

/* Each tag would have all of them, and libxml compares these with one another. */
static void attributes_are_not_declared(void **state)
{
	char *text = malloc(65536), *at = stpcpy(text, "<!DOCTYPE ModulePreference [\n");

	(void)state;
	for (int i = 0; i < 1000; i++)
		at += sprintf(at, "<!ATTLIST Preference a%d CDATA ''>\n", i);
	at = stpcpy(at, "]>\n" OPEN "<Preference " KEY("n") "type=\"int\" value=\"1\"/>\n" CLOSE);
	check_fault(text, ":2: <!ATTLIST Preference ...>, expected no declarations of attributes");
	free(text);
	/* Whatever is said of it */
	check_fault("<!DOCTYPE ModulePreference [<!ATTLIST Preference type (int|bool) #IMPLIED>]>\n"
		    OPEN CLOSE,
		    ":1: <!ATTLIST Preference ...>, expected no declarations of attributes");
}

static void preferences_are_counted(void **state)
{
	static const char one[] = "<Preference " KEY("n") "type=\"int\" value=\"1\"/>\n";
	char *text = malloc(sizeof(OPEN) + 20001 * sizeof(one) + sizeof(CLOSE));
	char *at = stpcpy(text, OPEN);

	(void)state;
	for (int i = 0; i < 20001; i++)
		at = stpcpy(at, one);
	strcpy(at, CLOSE);
	check_fault(text, ":20002: ");
	check_fault(text, "more than 20000 Preferences");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_flat_and_nested),
		cmocka_unit_test(later_entries_overwrite),
		cmocka_unit_test(a_loop_has_preferences_too),
		cmocka_unit_test(entities_are_templates),
		cmocka_unit_test(faults_name_their_line),
		cmocka_unit_test(a_missing_file_is_told),
		cmocka_unit_test(nothing_outside_is_read),
		cmocka_unit_test(nesting_has_an_end),
		cmocka_unit_test(entity_bombs_are_refused),
		cmocka_unit_test(attributes_are_not_declared),
		cmocka_unit_test(preferences_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
