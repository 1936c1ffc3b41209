// SPDX-License-Identifier: GPL-2.0-or-later
/* Scenario files: what is one, and what is carried out when. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "../control/control.h"
#include "harness.h"

#define CM730		200
#define FOOT		111
#define PATH		"/tmp/dxlsim-scenario-XXXXXX"

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_ax12, 1);
	rig_add(rig, &model_cm730, CM730);
	rig_add(rig, &model_fsr, FOOT);
	rig_write8(rig, CM730, 24, 1);
	rig_wait(rig, 1);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	struct rig *rig = *state;

	scenario_stop(&rig->control);
	rig_free(rig);

	return 0;
}

/* What is said of a file with these bytes, behind its name; or it is played. */
static void played_of(struct rig *rig, const char *bytes, size_t len,
		      char said[256])
{
	char path[] = PATH, *reason = NULL;
	int fd = mkstemp(path);
	struct scenario *scenario;
	size_t size;
	FILE *err = open_memstream(&reason, &size);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
	scenario = scenario_load(path, err);
	unlink(path);
	fclose(err);
	if (scenario) {
		scenario_start(&rig->control, scenario, rig->now);
	} else {
		assert_int_equal(strncmp(reason, path, strlen(path)), 0);
		snprintf(said, 256, "%s", reason + strlen(path));
	}
	assert_int_equal(size != 0, !scenario);
	free(reason);
}

static void play(struct rig *rig, const char *text)
{
	char said[256] = "";

	played_of(rig, text, strlen(text), said);
	assert_string_equal(said, "");
}

static void refused(struct rig *rig, const char *text, const char *expected)
{
	char said[256] = "";

	played_of(rig, text, strlen(text), said);
	assert_string_equal(said, expected);
	assert_null(rig->control.scenario);
}

/* Time passes, in one piece. */
static void pass(struct rig *rig, double seconds)
{
	rig_wait(rig, seconds);
	scenario_play(&rig->control, rig->now);
}

/* --- what is carried out --- */

static void each_at_its_time(void **state)
{
	struct rig *rig = *state;
	nsec_t start = rig->now;

	play(rig, "at 0.5 press 200 start\n"
		  "at 2 release 200 start");
	assert_int_equal(scenario_due(&rig->control), start + NSEC_PER_SEC / 2);
	pass(rig, 0.499999);
	assert_int_equal(rig_read8(rig, CM730, 30), 0);
	rig->now = scenario_due(&rig->control);
	pass(rig, 0);
	assert_int_equal(rig_read8(rig, CM730, 30), 2);
	assert_int_equal(scenario_due(&rig->control), start + 2 * NSEC_PER_SEC);
	told(rig, "scenario", "steps 2\ndone 1\nfailed 0\nok\n");
	pass(rig, 10);
	assert_int_equal(rig_read8(rig, CM730, 30), 0);
	assert_true(scenario_due(&rig->control) == NSEC_NEVER);
	told(rig, "scenario", "steps 2\ndone 2\nfailed 0\nok\n");
}

/* However late it is seen that they are due. */
static void several_at_their_own_times(void **state)
{
	struct rig *rig = *state;

	play(rig, "at 1 lean 0 10 1000\n"
		  "after 0.5 lean 0 20 1000\n"
		  "after 0.25 lean 0 20 1000\n"
		  "at 1.75 lean 20 0 1000\n");
	pass(rig, 2);
	/* From 8.75, where all of them have left it, a quarter of the way. */
	told(rig, "pose", "5 6.5625\nok\n");
}

static void begins_with_the_start(void **state)
{
	struct rig *rig = *state;

	play(rig, "after 0 lean 5 0\n");
	pass(rig, 0);
	told(rig, "pose", "5 0\nok\n");
	play(rig, "");
	pass(rig, 1);
	told(rig, "scenario", "steps 0\ndone 0\nfailed 0\nok\n");
}

static void blanks_and_comments(void **state)
{
	struct rig *rig = *state;

	play(rig, "# a comment\n"
		  "\n"
		  "  \t \n"
		  "\t at   1 \t lean 0 10 # forward\r\n"
		  "   # at 2 nonsense\n"
		  "#at 3 nonsense\n"
		  "at +1.0 lean 10 0");
	pass(rig, 0.9);
	told(rig, "pose", "0 0\nok\n");
	pass(rig, 0.1);
	told(rig, "pose", "10 0\nok\n");
}

/* What fails is told of and counted, and the others are carried out. */
static void one_that_fails(void **state)
{
	struct rig *rig = *state;

	play(rig, "at 1 press 9 start\n"
		  "at 1 lean 0 300\n"
		  "at 1 lean 0 30\n"
		  "at 3 drop 101\n");
	pass(rig, 2);
	told(rig, "pose", "0 30\nok\n");
	told(rig, "scenario", "steps 4\ndone 3\nfailed 2\nok\n");
	pass(rig, 1);
	told(rig, "scenario", "steps 4\ndone 4\nfailed 3\nok\n");
}

static void a_new_one_takes_the_old_ones_place(void **state)
{
	struct rig *rig = *state;

	play(rig, "at 1 lean 0 10\nat 2 lean 0 20\n");
	pass(rig, 1);
	play(rig, "at 3 lean 10 0\n");
	pass(rig, 2);
	told(rig, "pose", "0 10\nok\n");
	told(rig, "scenario", "steps 1\ndone 0\nfailed 0\nok\n");
	pass(rig, 1);
	told(rig, "pose", "10 0\nok\n");
}

/* Power comes and goes with it as with any command. */
static void the_supply_follows(void **state)
{
	struct rig *rig = *state;

	play(rig, "at 1 power-cycle 200\n");
	assert_int_equal(rig_ping(rig, 1).id, 1);
	pass(rig, 5);
	assert_int_equal(rig_ping(rig, 1).id, -1);
}

/* --- on the control socket --- */

static void by_command(void **state)
{
	struct rig *rig = *state;

	told(rig, "scenario", "steps 0\ndone 0\nfailed 0\nok\n");
	order(rig, "scenario " SCENARIOS "/fall.scenario");
	pass(rig, 2.5);
	told(rig, "pose", "0 10\nok\n");
	order(rig, "scenario stop");
	told(rig, "scenario", "steps 0\ndone 0\nfailed 0\nok\n");
	pass(rig, 10);
	told(rig, "pose", "0 10\nok\n");
	order(rig, "scenario stop");
	/* What is no scenario leaves the one that is played alone. */
	order(rig, "scenario " SCENARIOS "/fall.scenario");
	told(rig, "scenario /nowhere",
	     "error: /nowhere: No such file or directory\n");
	told(rig, "scenario /", "error: /: Is a directory\n");
	told(rig, "scenario " SCENARIOS "/../meson.build",
	     "error: " SCENARIOS "/../meson.build:2: \"cc\" is unknown, expected at or after\n");
	told(rig, "scenario", "steps 6\ndone 0\nfailed 0\nok\n");
}

static void the_example(void **state)
{
	struct rig *rig = *state;

	order(rig, "scenario " SCENARIOS "/fall.scenario");
	pass(rig, 1.1);
	assert_int_equal(rig_read8(rig, CM730, 30), 2);
	assert_int_equal(rig_read8(rig, FOOT, 35), 127);
	pass(rig, 2.2);
	assert_int_equal(rig_read8(rig, CM730, 30), 0);
	/* It turns forward, and falls. */
	assert_in_range(rig_read16(rig, CM730, 40), 536, 1023);
	pass(rig, 1);
	told(rig, "pose", "0 90\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 46), 384);
	assert_int_equal(rig_read8(rig, FOOT, 35), 255);
	pass(rig, 3);
	told(rig, "pose", "0 0\nok\n");
	told(rig, "scenario", "steps 6\ndone 6\nfailed 0\nok\n");
}

static void pushes(void **state)
{
	struct rig *rig = *state;

	order(rig, "scenario " SCENARIOS "/push.scenario");
	pass(rig, 12.9);
	told(rig, "pose", "0 0\nok\n");
	pass(rig, 5);
	told(rig, "pose", "0 90\nok\n");
	told(rig, "scenario", "steps 5\ndone 5\nfailed 0\nok\n");
}

/* --- what is none --- */

static void wrong_times(void **state)
{
	struct rig *rig = *state;

	refused(rig, "upright\n", ":1: \"upright\" is unknown, expected at or after\n");
	refused(rig, "# so\n\nin 5 upright\n",
		":3: \"in\" is unknown, expected at or after\n");
	refused(rig, "at\n", ":1: time is \"\", expected seconds from 0 to 1000000\n");
	refused(rig, "at soon upright\n",
		":1: time is \"soon\", expected seconds from 0 to 1000000\n");
	refused(rig, "at 1s upright\n",
		":1: time is \"1s\", expected seconds from 0 to 1000000\n");
	refused(rig, "after -1 upright\n",
		":1: time is \"-1\", expected seconds from 0 to 1000000\n");
	refused(rig, "at nan upright\n",
		":1: time is \"nan\", expected seconds from 0 to 1000000\n");
	refused(rig, "at 1000001 upright\n",
		":1: time is \"1000001\", expected seconds from 0 to 1000000\n");
	refused(rig, "at 2.5 upright\n\nat 2.25 upright\n",
		":3: time is \"2.25\", expected 2.5 or more, the time of line 1\n");
	refused(rig, "at 2 upright\nafter 0.5 upright\nat 2.4 upright\n",
		":3: time is \"2.4\", expected 2.5 or more, the time of line 2\n");
}

static void wrong_commands(void **state)
{
	struct rig *rig = *state;

	refused(rig, "at 1\n", ":1: a command is missing behind the time\n");
	refused(rig, "at 1 # upright\n", ":1: a command is missing behind the time\n");
	refused(rig, "at 1 upright\nat 2 jump\n",
		":2: \"jump\" is no command, try help\n");
	refused(rig, "at 1 lean 0\n",
		":1: 1 argument, expected: lean ROLL PITCH [MS]\n");
	refused(rig, "at 1 drop\n",
		":1: 0 arguments, expected: drop PERCENT|on|off|next N [VALUE] [id ID]\n");
	refused(rig, "at 1 get 1 id\n",
		":1: \"get\" changes nothing, expected a command that does\n");
	refused(rig, "at 1 quit\n",
		":1: \"quit\" changes nothing, expected a command that does\n");
	refused(rig, "at 1 scenario stop\n",
		":1: \"scenario\" changes nothing, expected a command that does\n");
}

static void what_is_no_text(void **state)
{
	struct rig *rig = *state;
	char said[256] = "", line[2000];

	played_of(rig, "at 1 upright\nat 2\0 upright\n", 27, said);
	assert_string_equal(said, ":2: line is not text\n");
	refused(rig, "at 1 upright \x01\n", ":1: line is not text\n");
	memset(line, 'x', sizeof(line));
	memcpy(line, "at 1 ", 5);
	line[sizeof(line) - 1] = '\0';
	refused(rig, line, ":1: line of 1994 characters, at most 511 are possible\n");
}

/* Nothing of a file is carried out as long as there is something against it. */
static void all_or_nothing(void **state)
{
	struct rig *rig = *state;

	refused(rig, "at 0 lean 0 10\nat 0 jump\n",
		":2: \"jump\" is no command, try help\n");
	pass(rig, 1);
	told(rig, "pose", "0 0\nok\n");
}

static void noise(void **state)
{
	static const char *const words[] = {
		"at", "after", "0", "0.001", "-1", "1e9", "#", "\n", "\n", "\r",
		"\t", "lean", "upright", "push", "left", "5N", "press", "200",
		"start", "scenario", "stop", "\x80", "reset", "power-cycle",
		"battery", "50", "drop", "on",
	};
	struct rig *rig = *state;
	uint64_t seed = 3;
	int i, n;

	for (i = 0; i < 3000; i++) {
		char text[512] = "", said[256] = "";

		for (n = random_below(&seed, 30); n > 0; n--) {
			strcat(text, words[random_below(&seed, sizeof(words) /
							sizeof(words[0]))]);
			strcat(text, " ");
		}
		/* Either it is played, or one line says why not. */
		played_of(rig, text, strlen(text), said);
		if (*said)
			assert_ptr_equal(strchr(said, '\n'),
					 said + strlen(said) - 1);
		pass(rig, 0.01);
	}
}

#define SCENARIO_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO_TEST(each_at_its_time),
		SCENARIO_TEST(several_at_their_own_times),
		SCENARIO_TEST(begins_with_the_start),
		SCENARIO_TEST(blanks_and_comments),
		SCENARIO_TEST(one_that_fails),
		SCENARIO_TEST(a_new_one_takes_the_old_ones_place),
		SCENARIO_TEST(the_supply_follows),
		SCENARIO_TEST(by_command),
		SCENARIO_TEST(the_example),
		SCENARIO_TEST(pushes),
		SCENARIO_TEST(wrong_times),
		SCENARIO_TEST(wrong_commands),
		SCENARIO_TEST(what_is_no_text),
		SCENARIO_TEST(all_or_nothing),
		SCENARIO_TEST(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
