// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers of a description that no body can have: where they stand, and what is expected. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../physique_load.h"

static char *text_of(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(file);
	assert_true(getdelim(&text, &size, '\0', file) > 0);
	fclose(file);

	return text;
}

/* The first @name behind the array @part; in front of its value. */
static char *find(char *text, const char *part, const char *name)
{
	char begin[64], *at;

	snprintf(begin, sizeof(begin), "<Preference name=\"%s\" type=\"array\"", part);
	at = strstr(strstr(text, "memoryName=\"Device/Body\""), begin);
	assert_non_null(at);
	snprintf(begin, sizeof(begin), "<Preference name=\"%s\" type=\"float\" value=\"", name);
	at = strstr(at, begin);
	assert_non_null(at);

	return at + strlen(begin);
}

static unsigned int line_of(const char *text, const char *at)
{
	unsigned int line = 1;

	for (; text < at; text++)
		line += *text == '\n';

	return line;
}

/* The robot with that value, as a file. Its line. */
static unsigned int write_with(char *path, const char *robot, const char *part,
			       const char *name, const char *value)
{
	char *text = text_of(robot), *at = find(text, part, name);
	FILE *file = fdopen(mkstemps(path, strlen(".xml")), "w");
	unsigned int line = line_of(text, at);

	assert_non_null(file);
	fprintf(file, "%.*s%s%s", (int)(at - text), text, value, strchr(at, '"'));
	assert_int_equal(fclose(file), 0);
	free(text);

	return line;
}

static void refused(const char *robot, const char *part, const char *name,
		    const char *value, const char *expected)
{
	char path[] = "/tmp/physique-XXXXXX.xml", *said = NULL, whole[256];
	unsigned int line = write_with(path, robot, part, name, value);
	struct physique *physique;
	size_t size;
	FILE *err = open_memstream(&said, &size);

	physique = physique_load(path, err);
	fclose(err);
	unlink(path);
	snprintf(whole, sizeof(whole), "dxlsim: %s:%u: Device/Body/%s/%s is %s, expected %s\n",
		 path, line, part, name, value, expected);
	assert_string_equal(said, whole);
	assert_null(physique);
	free(said);
}

static void what_no_body_has_is_refused(void **state)
{
	static const struct {
		const char *robot;
		const char *part;
		const char *name;
		const char *value;
		const char *expected;
	} cases[] = {
		{ ROBOTS "/bioloid.xml", "Torso", "Mass", "0", "0.0001 to 100" },
		{ ROBOTS "/bioloid.xml", "Torso", "Mass", "-1", "0.0001 to 100" },
		{ ROBOTS "/bioloid.xml", "Foot", "Mass", "1e10", "0.0001 to 100" },
		{ ROBOTS "/bioloid.xml", "Torso", "HighZ", "-0.2", "at least 1 mm beyond LowZ" },
		{ ROBOTS "/bioloid.xml", "Foot", "HighX", "-0.045", "at least 1 mm beyond LowX" },
		{ ROBOTS "/bioloid.xml", "Thigh", "Length", "-0.07", "0 to 10" },
		{ ROBOTS "/bioloid.xml", "Foot", "Height", "-0.1", "0 to 10" },
		{ ROBOTS "/bioloid.xml", "Torso", "HipOffsetY", "1e10", "-10 to 10" },
		{ ROBOTS "/op3.xml", "Torso", "InertiaX", "0", "1e-09 to 100" },
		{ ROBOTS "/op3.xml", "Torso", "InertiaX", "1", "no more than the other two together" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused(cases[i].robot, cases[i].part, cases[i].name, cases[i].value,
			cases[i].expected);
}

/* A Bioloid's left knee, whose numbers are in lines of their own then. */
static void knee_refused(const char *gain, const char *most, const char *expected)
{
	static const char plain[] = "<Preference name=\"Sensor\" type=\"array\">&same_minus_22;";
	char path[] = "/tmp/physique-XXXXXX.xml", *said = NULL, whole[256];
	char *text = text_of(ROBOTS "/bioloid.xml"), *at = strstr(text, plain);
	FILE *file = fdopen(mkstemps(path, strlen(".xml")), "w"), *err;
	size_t size;

	assert_non_null(at);
	fprintf(file,
		"%.*s<Preference name=\"Sensor\" type=\"array\">\n"
		"<Preference name=\"Gain\" type=\"float\" value=\"%s\"/>\n"
		"<Preference name=\"Offset\" type=\"float\" value=\"0\"/>\n"
		"<Preference name=\"Min\" type=\"float\" value=\"-1\"/>\n"
		"<Preference name=\"Max\" type=\"float\" value=\"%s\"/>%s",
		(int)(at - text), text, gain, most, at + strlen(plain));
	assert_int_equal(fclose(file), 0);
	err = open_memstream(&said, &size);
	assert_null(physique_load(path, err));
	fclose(err);
	unlink(path);
	snprintf(whole, sizeof(whole),
		 "dxlsim: %s:%u: Device/SubDeviceList/LKneePitch/Position/Sensor/%s\n", path,
		 line_of(text, at) + (strstr(expected, "Gain") ? 1 : 4), expected);
	assert_string_equal(said, whole);
	free(said);
	free(text);
}

static void a_joint_that_cannot_turn_is_refused(void **state)
{
	(void)state;
	knee_refused("0", "1", "Gain is 0, expected anything but 0");
	knee_refused("0.005", "-2", "Max is -2, expected no less than Min");
}

static void each_robot_of_ours_can_be(void **state)
{
	static const char *const robots[] = {
		"bioloid", "bioloid-premium", "bioloid-premium-accel", "darwin-op", "op3",
		"nao-h21-v33", "nao-h25-v32", "nao-h25-v33", "nao-h25-v40",
	};
	char path[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(robots) / sizeof(robots[0]); i++) {
		struct physique *physique;

		snprintf(path, sizeof(path), ROBOTS "/%s.xml", robots[i]);
		physique = physique_load(path, stderr);
		assert_non_null(physique);
		free(physique);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_no_body_has_is_refused),
		cmocka_unit_test(a_joint_that_cannot_turn_is_refused),
		cmocka_unit_test(each_robot_of_ours_can_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
