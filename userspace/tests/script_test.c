// SPDX-License-Identifier: LGPL-2.1-or-later
/* Command files: to whom their lines go, by what a description says of actuators and aliases. */
#include "support.h"

#include <dirent.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../naohw/script.h"
#include "fake_iio.h"

#define ACTUATOR(name)                                                                             \
	"<Preference memoryName='Device/SubDeviceList/" name                                       \
	"/Actuator' name='x' type='array'>"                                                        \
	"<Preference name='Channel' type='string' value='out_angl0'/>"                             \
	"<Preference name='Min' type='float' value='-2'/>"                                         \
	"<Preference name='Max' type='float' value='2'/></Preference>\n"
#define ALIAS(name, value)                                                                         \
	"<Preference memoryName='DCM/Alias/" name "' type='string' value='" value "'/>\n"
#define ROBOT(aliases)                                                                             \
	"<ModulePreference>\n"                                                                     \
	ACTUATOR("HeadYaw/Position")                                                               \
	ACTUATOR("HeadYaw/Hardness")                                                               \
	ACTUATOR("HeadPitch/Position")                                                             \
	ACTUATOR("US")                                                                             \
	"<Preference memoryName='Device/SubDeviceList/HeadYaw/Position/Sensor/Min' type='float' "  \
	"value='-2'/>\n" aliases "</ModulePreference>\n"

static struct actors actors;

static void load(const char *text)
{
	struct naohw_error err;

	if (actors_load(&actors, temp_text(text), NULL, &err) < 0)
		fail_msg("%s", err.message);
}

static int teardown(void **state)
{
	(void)state;
	actors_free(&actors);
	return 0;
}

/* Whom it stands for, with blanks between them; or what is wrong. */
static const char *cast_of(const char *name)
{
	static char text[4096];
	struct naohw_error err;
	struct cast cast;

	*text = '\0';
	if (actors_find(&actors, name, &cast, &err) < 0)
		return strcpy(text, err.message);
	for (size_t i = 0; i < cast.count; i++)
		sprintf(text + strlen(text), "%s%s", i ? " " : "", cast.actuator[i]);
	free(cast.actuator);
	return text;
}

#define YAW   "HeadYaw/Position/Actuator"
#define HARD  "HeadYaw/Hardness/Actuator"
#define PITCH "HeadPitch/Position/Actuator"

#define UNKNOWN_BUT(name, nearest)                                                                 \
	"found \"" name "\", expected an actuator or an alias" nearest                               \
	"; \"naohw list --keys\" and \"naohw alias\" show them"
#define UNKNOWN(name) UNKNOWN_BUT(name, "")
#define NEAREST(name) ", the nearest is " name

/* ---- names ---- */

static void an_actuator_is_named_as_people_do(void **state)
{
	(void)state;
	load(ROBOT(""));
	assert_string_equal(cast_of(YAW), YAW);
	assert_string_equal(cast_of("Device/SubDeviceList/" YAW), YAW);
	assert_string_equal(cast_of(YAW "/Value"), YAW);
	assert_string_equal(cast_of("Device/SubDeviceList/" YAW "/Value"), YAW);
	assert_string_equal(cast_of("HeadYaw"), YAW);
	assert_string_equal(cast_of("HeadYaw/Position"), YAW);
	assert_string_equal(cast_of("HeadYaw/Hardness"), HARD);
	assert_string_equal(cast_of("US"), "US/Actuator");
	assert_string_equal(cast_of("DCM/TargetCycleTime"), "DCM/TargetCycleTime");
	assert_string_equal(cast_of("HeadYaw/Position/Sensor"),
			    UNKNOWN_BUT("HeadYaw/Position/Sensor", NEAREST(YAW)));
	assert_string_equal(cast_of("HedYwa"), UNKNOWN_BUT("HedYwa", NEAREST(YAW)));
	assert_string_equal(cast_of("Head"), UNKNOWN("Head"));
	assert_string_equal(cast_of(""), UNKNOWN(""));
	assert_string_equal(cast_of("/Value"), UNKNOWN("/Value"));
}

static void a_pattern_is_all_that_it_matches(void **state)
{
	(void)state;
	load(ROBOT(""));
	assert_string_equal(cast_of("*/Position/Actuator"), PITCH " " YAW);
	assert_string_equal(cast_of("HeadYaw/*"), HARD " " YAW);
	assert_string_equal(cast_of("Device/SubDeviceList/Head?a[v-z]/Position/Actuator/Value"), YAW);
	assert_string_equal(cast_of("*/*"), PITCH " " HARD " " YAW " US/Actuator");
	assert_string_equal(cast_of("*/Hardness"), HARD);
	/* Without a slash it is of joints. */
	assert_string_equal(cast_of("*"), PITCH " " YAW);
	assert_string_equal(cast_of("Head?aw"), YAW);
	assert_string_equal(cast_of("*/Sensor"), UNKNOWN("*/Sensor"));
}

static void a_name_of_any_length_is_unknown(void **state)
{
	char name[4096] = "";

	(void)state;
	load(ROBOT(""));
	memset(name, 'x', sizeof(name) - 1);
	assert_memory_equal(cast_of(name), "found \"xxx", 10);
	*name = '*';
	assert_memory_equal(cast_of(name), "found \"*xx", 10);
}

/* ---- aliases of the description ---- */

static void aliases_are_made_whatever_their_order(void **state)
{
	(void)state;
	load(ROBOT(ALIAS("All", "Head " HARD) ALIAS("Head", " " PITCH "\n" YAW " ")));
	assert_string_equal(cast_of("Head"), PITCH " " YAW);
	assert_string_equal(cast_of("All"), PITCH " " YAW " " HARD);
	assert_string_equal(cast_of("HeadYaw"), YAW);
}

static void assert_no_aliases(const char *text, const char *why)
{
	const char *path = temp_text(text);
	struct naohw_error err;
	char expected[1024];

	snprintf(expected, sizeof(expected), "%s:%s", path, why);
	assert_true(actors_load(&actors, path, NULL, &err) < 0);
	assert_string_equal(err.message, expected);
}

static void a_bad_alias_is_told_with_its_line(void **state)
{
	(void)state;
	assert_no_aliases(ROBOT(ALIAS("Head", YAW " Frob")),
			  "7: DCM/Alias/Head: " UNKNOWN("Frob"));
	/* Who says the one would move the other. */
	assert_no_aliases(ROBOT(ALIAS("HeadYaw", PITCH)),
			  "7: DCM/Alias/HeadYaw: found \"HeadYaw\", expected a name that no "
			  "actuator has");
	/* What people alone may write the library would not take. */
	assert_no_aliases(ROBOT(ALIAS("Head", "HeadYaw")),
			  "7: DCM/Alias/Head: " UNKNOWN_BUT("HeadYaw", NEAREST(YAW)));
	assert_no_aliases(ROBOT(ALIAS("Head", "*/Actuator")),
			  "7: DCM/Alias/Head: " UNKNOWN("*/Actuator"));
	assert_no_aliases(ROBOT(ALIAS("A", "B") ALIAS("B", "C") ALIAS("C", YAW " A")),
			  "7: DCM/Alias/A: is made of itself");
	assert_no_aliases(ROBOT(ALIAS("Head", " ")),
			  "7: DCM/Alias/Head: found nothing, expected actuators");
	assert_no_aliases(ROBOT(ALIAS("A", YAW) ALIAS("B", "A " YAW)),
			  "8: DCM/Alias/B: found " YAW " a second time, expected each once");
	assert_no_aliases(ROBOT(ALIAS("a b", YAW)),
			  "7: DCM/Alias/a b: found \"a b\", expected the name of an alias, 1 to 63 "
			  "letters, digits, '_', '-', '.' and '/'");
	assert_no_aliases(ROBOT(ALIAS(YAW, PITCH)), "7: DCM/Alias/" YAW ": found \"" YAW
						    "\", expected a name that no actuator has");
	assert_no_aliases(ROBOT("<Preference memoryName='DCM/Alias/A' type='int' value='3'/>\n"),
			  "7: DCM/Alias/A: found \"3\", expected a string with actuators");
}

/* ---- lines ---- */

static struct script script;

static int script_teardown(void **state)
{
	script_free(&script);
	return teardown(state);
}

/* 0, or what is wrong. */
static int read_text(const char *text, struct naohw_error *err)
{
	int fd = memfd_create("script", MFD_CLOEXEC);
	int ret;

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	ret = script_read(&script, fd, "walk", false, &actors, err);
	close(fd);
	return ret;
}

static void assert_read(const char *text)
{
	struct naohw_error err;

	if (read_text(text, &err) < 0)
		fail_msg("%s", err.message);
}

static void assert_refused(const char *text, const char *why)
{
	struct naohw_error err = { "" };

	assert_true(read_text(text, &err) < 0);
	assert_string_equal(err.message, why);
	assert_int_equal(script.count, 0);
}

static void lines_go_to_their_actuators(void **state)
{
	(void)state;
	load(ROBOT(ALIAS("Head", YAW " " PITCH)));
	assert_read("# head\n\nset Head 1@5\nset US 68@3000\nseparate Head 1 2 : 3 4 / 5 6\n");
	assert_int_equal(script.count, 3);
	assert_int_equal(script.end, 3000);
	assert_int_equal(script.step[0].line, 3);
	assert_int_equal(script.step[0].cast.count, 2);
	assert_string_equal(script.step[0].cast.actuator[0], YAW);
	assert_string_equal(script.step[0].cast.actuator[1], PITCH);
	assert_string_equal(script.step[1].cast.actuator[0], "US/Actuator");
	assert_int_equal(script.step[2].line, 5);
}

/* A name stands for what it is then. */
static void an_alias_may_change_its_actuators(void **state)
{
	(void)state;
	load(ROBOT(ALIAS("Head", YAW " " PITCH) ALIAS("All", "Head US/Actuator")));
	assert_read("set Head 1@5\nalias Head HeadYaw\nset Head 1@5\nset All 1@5\n"
		    "alias All All HeadYaw/Hardness\nset All 0\n");
	assert_int_equal(script.step[0].cast.count, 2);
	assert_int_equal(script.step[2].cast.count, 1);
	assert_int_equal(script.step[3].cast.count, 3);
	assert_int_equal(script.step[5].cast.count, 4);
	assert_string_equal(script.step[5].cast.actuator[3], HARD);
}

static void times_are_counted_from_waits(void **state)
{
	(void)state;
	load(ROBOT(""));
	assert_read("set HeadYaw 1@+5\nwait 100\nset HeadYaw 1@+5 1@7\nwait +50\nwait 20\n"
		    "set HeadYaw 1@+5\n");
	assert_int_equal(script.step[0].order.list[0][0].time, 5);
	assert_int_equal(script.step[2].order.list[0][0].time, 105);
	assert_int_equal(script.step[2].order.list[0][1].time, 7);
	assert_int_equal(script.step[3].order.time, 150);
	/* A wait for what has been waited for takes no time. */
	assert_int_equal(script.step[5].order.list[0][0].time, 155);
	assert_int_equal(script.end, 155);
}

static void what_is_wrong_has_its_line(void **state)
{
	(void)state;
	load(ROBOT(ALIAS("Head", YAW " " PITCH)));
	assert_refused("set Head 1@5\n\nset Neck 1@5\n", "walk:3: " UNKNOWN("Neck"));
	assert_refused("set Head x\n",
		       "walk:1: found \"x\", expected VALUE@TIME, Merge, ClearAll, ClearAfter or "
		       "ClearBefore");
	assert_refused("wait 1\nmixed Head 1@5\n",
		       "walk:2: found lists for 1 actuators, expected 2, one for each of Head");
	assert_refused("separate Head 5 : 1 / 2 / 3\n",
		       "walk:1: found lists for 3 actuators, expected 2, one for each of Head");
	assert_refused("alias A Head HeadYaw\n",
		       "walk:1: found " YAW " a second time, expected each once");
	assert_refused("alias A A\n", "walk:1: " UNKNOWN("A"));
	assert_refused("alias " YAW " US\n",
		       "walk:1: found \"" YAW "\", expected a name that no actuator has");
	assert_refused("set Head 1@5\n\033\n", "walk:2: found a control character, expected text");
}

static void what_has_failed_leaves_aliases_as_they_were(void **state)
{
	(void)state;
	load(ROBOT(ALIAS("Head", YAW " " PITCH)));
	assert_refused("alias Head US Neck\n", "walk:1: " UNKNOWN("Neck"));
	assert_string_equal(cast_of("Head"), YAW " " PITCH);
}

static void a_file_has_1_mib_at_the_most(void **state)
{
	size_t size = SCRIPT_MAX + 1;
	char *text = malloc(size + 1);

	(void)state;
	load(ROBOT(""));
	memset(text, '#', size);
	for (size_t i = 0; i < size; i += 1000)
		text[i] = '\n';
	text[size] = '\0';
	text[SCRIPT_MAX] = '\0';
	assert_read(text);
	script_free(&script);
	text[SCRIPT_MAX] = '#';
	assert_true(read_text(text, &(struct naohw_error){ "" }) == -EFBIG);
	free(text);
}

/* ---- the robots that are installed ---- */

/* What a DCM can be told is what can be set, but for texts that boards keep. */
static void assert_same_actuators(const struct naohw_robot *robot)
{
	size_t found = 1; /* the period is no key of a robot */
	struct naohw_key *key;

	for (size_t i = 0; (key = naohw_robot_key_at(robot, i)); i++) {
		const char *name = naohw_key_name(key);

		if (!naohw_key_is_writable(key) || !strstr(name, "/Actuator/Value"))
			continue;
		if (!actors_actuator(&actors, name))
			fail_msg("%s: is no actuator", name);
		found++;
	}
	assert_int_equal(actors.actuators, found);
}

static void actuators_are_those_of_the_robot(void **state)
{
	DIR *directory = opendir(ROBOTS_DIR);
	const struct dirent *entry;

	(void)state;
	assert_non_null(directory);
	while ((entry = readdir(directory))) {
		struct naohw_robot *robot;
		struct naohw_error err;
		char path[512];

		if (*entry->d_name == '.')
			continue;
		snprintf(path, sizeof(path), ROBOTS_DIR "/%s", entry->d_name);
		fake_reset();
		if (naohw_robot_open(path, NULL, &robot, &err) < 0 ||
		    actors_load(&actors, path, NULL, &err) < 0)
			fail_msg("%s", err.message);
		assert_true(actors.actuators > 1);
		assert_same_actuators(robot);
		naohw_robot_close(robot);
		actors_free(&actors);
	}
	closedir(directory);
}

#define TEST(function)	 cmocka_unit_test_teardown(function, teardown)
#define SCRIPT(function) cmocka_unit_test_teardown(function, script_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_actuator_is_named_as_people_do),
		TEST(a_pattern_is_all_that_it_matches),
		TEST(a_name_of_any_length_is_unknown),
		TEST(aliases_are_made_whatever_their_order),
		TEST(a_bad_alias_is_told_with_its_line),
		SCRIPT(lines_go_to_their_actuators),
		SCRIPT(an_alias_may_change_its_actuators),
		SCRIPT(times_are_counted_from_waits),
		SCRIPT(what_is_wrong_has_its_line),
		SCRIPT(what_has_failed_leaves_aliases_as_they_were),
		SCRIPT(a_file_has_1_mib_at_the_most),
		TEST(actuators_are_those_of_the_robot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
