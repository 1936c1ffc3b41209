// SPDX-License-Identifier: GPL-2.0-or-later
/* The control commands, line by line. */
#include "cmocka_all.h"

#include <string.h>

#include "../base/base.h"
#include "../control/control.h"
#include "harness.h"

static int set_up(void **state)
{
	struct desk *desk = desk_new();

	rig_add(desk->rig, &model_ax12, 1);
	rig_add(desk->rig, &model_mx28, 2);
	*state = desk;

	return 0;
}

static int tear_down(void **state)
{
	desk_free(*state);

	return 0;
}

/* Every answer ends in one line that says how it went. */
static bool failed(struct desk *desk, const char *line)
{
	const char *answer = say(desk, line);
	size_t len = strlen(answer);

	assert_true(len >= 3);
	if (!strcmp(answer + len - 3, "ok\n"))
		return false;
	assert_int_equal(strncmp(answer, "error: ", 7), 0);
	assert_ptr_equal(strchr(answer, '\n'), answer + len - 1);

	return true;
}

static void lists_and_values(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "list"),
			    "1 Joint1 AX-12 512 512 0 -\n"
			    "2 Joint2 MX-28 2048 2048 0 -\nok\n");
	assert_string_equal(say(desk, "get 1 present_position"), "512\nok\n");
	assert_string_equal(say(desk, "get 1 position"), "512\nok\n");
	assert_string_equal(say(desk, "get Joint2 goal"), "2048\nok\n");
	assert_string_equal(say(desk, "get 2 model_number"), "29\nok\n");
	assert_string_equal(say(desk, "  get \t 2   id \r"), "2\nok\n");
	assert_true(strstr(say(desk, "help"), "drop PERCENT|on") != NULL);
}

static void reads_and_writes(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "read 1 3 3"), "1 1 250\nok\n");
	assert_string_equal(say(desk, "write 1 30 0x58 2"), "ok\n");
	assert_string_equal(say(desk, "get 1 goal"), "600\nok\n");
	/* What no instruction could: measurements and the locked. */
	assert_string_equal(say(desk, "write 1 47 1"), "ok\n");
	assert_string_equal(say(desk, "write Joint1 36 100 0"), "ok\n");
	assert_string_equal(say(desk, "get 1 position"), "100\nok\n");
	assert_string_equal(say(desk, "write 1 43 66"), "ok\n");
	assert_int_equal(rig_read8(desk->rig, 1, 43), 66);
	assert_string_equal(say(desk, "write 1 11 50"), "ok\n");
	assert_string_equal(say(desk, "get 1 temperature_limit"), "50\nok\n");
	assert_string_equal(say(desk, "write 1 2 36"), "ok\n");
	assert_int_equal(rig_read8(desk->rig, 1, 2), 36);
}

static void silence_and_power(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "silence Joint1"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, -1);
	assert_true(strstr(say(desk, "list"), "512 0 silenced\n") != NULL);
	assert_string_equal(say(desk, "silence all"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 2).id, -1);
	assert_string_equal(say(desk, "unsilence 1"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, 1);
	assert_string_equal(say(desk, "unsilence all"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 2).id, 2);
	assert_true(strstr(say(desk, "stats"), "\nsilenced 2\n") != NULL);

	rig_write8(desk->rig, 1, 25, 1);
	rig_write8(desk->rig, 2, 25, 1);
	assert_string_equal(say(desk, "power-cycle 1"), "ok\n");
	rig_wait(desk->rig, 10);
	assert_int_equal(rig_read8(desk->rig, 1, 25), 0);
	assert_int_equal(rig_read8(desk->rig, 2, 25), 1);
	assert_string_equal(say(desk, "power-cycle"), "ok\n");
	rig_wait(desk->rig, 10);
	assert_int_equal(rig_read8(desk->rig, 2, 25), 0);
}

static void faults_and_counts(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "drop 100"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, -1);
	assert_string_equal(say(desk, "drop 0"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, 1);
	assert_string_equal(say(desk, "corrupt 12.5"), "ok\n");
	assert_int_equal(desk->rig->bus.faults.setting[fault_find("corrupt")]
			 [FAULT_ANY_ID].share,
			 FAULT_SCALE / 8);
	assert_string_equal(say(desk, "seed 0x10"), "ok\n");
	assert_string_equal(say(desk, "corrupt 0"), "ok\n");
	assert_true(strstr(say(desk, "stats"), "rx_packets 2\nrx_ping 2\n") != NULL);
	assert_true(strstr(say(desk, "stats"), "\ndropped 1\n") != NULL);
	assert_true(strstr(say(desk, "stats"), "\ntx_packets 1\n") != NULL);
	assert_string_equal(say(desk, "stats reset"), "ok\n");
	assert_true(strstr(say(desk, "stats"), "\ndropped 0\n") != NULL);
	assert_string_equal(say(desk, "baud 500000"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, -1);
}

static struct fault_setting *setting(struct desk *desk, const char *fault,
				     unsigned int id)
{
	return &desk->rig->bus.faults.setting[fault_find(fault)][id];
}

static void faults_of_all_sorts(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "late 50 us 2000"), "ok\n");
	assert_int_equal(setting(desk, "late", FAULT_ANY_ID)->share,
			 FAULT_SCALE / 2);
	assert_int_equal(setting(desk, "late", FAULT_ANY_ID)->value, 2000);
	assert_string_equal(say(desk, "late off"), "ok\n");
	assert_int_equal(setting(desk, "late", FAULT_ANY_ID)->share, 0);
	assert_string_equal(say(desk, "truncate next 3 id Joint2"), "ok\n");
	assert_int_equal(setting(desk, "truncate", 2)->next, 3);
	assert_string_equal(say(desk, "garbage 1.5 id 7 bytes 2"), "ok\n");
	assert_int_equal(setting(desk, "garbage", 7)->value, 2);
	assert_string_equal(say(desk, "echo on"), "ok\n");
	assert_true(faults_always(&desk->rig->bus.faults, "echo"));
	assert_string_equal(say(desk, "calm"), "ok\n");
	assert_false(faults_always(&desk->rig->bus.faults, "echo"));
	assert_int_equal(setting(desk, "garbage", 7)->share, 0);

	/* Of a request that is hit the next is the one after. */
	assert_string_equal(say(desk, "drop next 1"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, -1);
	assert_int_equal(rig_ping(desk->rig, 1).id, 1);
	assert_true(strstr(say(desk, "stats 1"), "\ndropped 1\n") != NULL);
	assert_true(strstr(say(desk, "stats Joint1"), "\ntx_packets 1\n") != NULL);
	assert_true(strstr(say(desk, "stats 2"), "\ntx_packets 0\n") != NULL);
	assert_true(strstr(say(desk, "stats all"), "\n1 tx_packets 1\n") != NULL);
	assert_true(strstr(say(desk, "stats all"), "\n2 tx_packets 0\n") != NULL);
	assert_true(strstr(say(desk, "stats"), "\ndelivered_bytes 6\n") != NULL);
}

static void devices_that_fail(void **state)
{
	struct desk *desk = *state;
	struct rig *rig = desk->rig;

	assert_string_equal(say(desk, "deaf Joint1 20"), "ok\n");
	assert_int_equal(rig_ping(rig, 1).id, -1);
	rig_wait(rig, 0.02);
	assert_int_equal(rig_ping(rig, 1).id, 1);

	rig_write8(rig, 1, 25, 1);
	assert_string_equal(say(desk, "reset 1"), "ok\n");
	assert_int_equal(rig_ping(rig, 1).id, -1);
	rig_wait(rig, 10);
	assert_int_equal(rig_read8(rig, 1, 25), 0);

	assert_string_equal(say(desk, "twin 1"), "ok\n");
	assert_true(strstr(say(desk, "list"), "1 Joint1~ AX-12 ") != NULL);
	rig_send(rig, 1, 1, NULL, 0);
	assert_int_equal(rig_reply(rig).id, 1);
	assert_int_equal(rig_reply(rig).id, 1);
	assert_string_equal(say(desk, "untwin 1"), "ok\n");
	assert_int_equal(rig_ping(rig, 1).id, 1);
}

static void the_adapter_is_pulled(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "unplug"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, -1);
	assert_true(strstr(say(desk, "stats"), "\nunplugged_bytes 6\n") != NULL);
	assert_string_equal(say(desk, "plug"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, 1);
	assert_string_equal(say(desk, "unplug 50"), "ok\n");
	assert_int_equal(rig_ping(desk->rig, 1).id, -1);
	rig_wait(desk->rig, 0.05);
	assert_int_equal(rig_ping(desk->rig, 1).id, 1);
}

static void words_of_nobody(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "say 255 0xff 9 2 0 0xf4"), "ok\n");
	assert_int_equal(rig_reply(desk->rig).id, 9);
	desk->rig->bus.wire_time = true;
	rig_send(desk->rig, 1, 1, NULL, 0);
	/* Into the answer, which takes 500 us and a bit to come. */
	desk->rig->now += 580000;
	assert_string_equal(say(desk, "say 0"), "ok\n");
	rig_run(desk->rig);
	assert_int_equal(desk->rig->len, 6);
	assert_int_equal(bus_count(&desk->rig->bus, COUNT_GOOD), 0);
	assert_int_equal(bus_count(&desk->rig->bus, COUNT_COLLISIONS), 2);
}

/* As many as there is room for, and they all go again. */
static void many_twins(void **state)
{
	struct desk *desk = *state;
	int i, n = 0;

	for (i = 0; i < 2 * BUS_DEVICES_MAX; i++)
		n += !failed(desk, "twin 2");
	assert_int_equal(n, BUS_DEVICES_MAX - 2);
	assert_string_equal(say(desk, "untwin 2"), "ok\n");
	assert_int_equal(desk->rig->bus.device_count, 2);
}

static void quit_hangs_up(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "quit"), "ok\n");
	assert_false(desk->stayed);
	assert_string_equal(say(desk, ""), "ok\n");
	assert_true(desk->stayed);
}

static void junk_gets_an_error(void **state)
{
	static const char *const junk[] = {
		"nonsense", "get", "get 1", "get 1 nothing", "get 3 id",
		"get -1 id", "get 1 id more", "read 1 0", "read 1 50 1",
		"read 1 0 0", "read 1 49 2", "read 1 x 1", "read 1 0 1x",
		"read 1 0 -1", "read 1 0 99999999999999999999", "write 1 30",
		"write 1 49 1 1", "write 1 30 256", "write 1 30 -1",
		"write 1 30 1 2 three", "silence", "silence 9", "silence none",
		"power-cycle 1 2", "drop", "drop x", "drop 101", "drop -1",
		"drop nan", "drop 1e9", "corrupt 5%", "seed", "seed x",
		"seed -1", "seed 99999999999999999999", "stats everything",
		"trace", "trace maybe", "baud 0", "baud 99999999999",
		"help me", "quit now", "LIST", "list\x01", "\x80\xff",
		"0 0 0 0", "%s%n", "drop 0x", "fault 5",
		"drop next", "drop next x", "drop next -1", "drop 5 us 3",
		"drop 5 id", "drop 5 id 255", "drop 5 id none", "late 5 us",
		"late 5 us 0", "late 5 us 99999999", "late 5 ms 3", "late 5 5",
		"drop 5 id 1 id 2 id", "drop next 1 2", "echo maybe", "deaf 1",
		"deaf 9 5", "deaf 1 x", "reset", "reset 9", "twin", "twin 9",
		"untwin 9", "unplug x", "say", "say 256", "say x", "unplug 99999999", "plug in",
		"calm down", "scenario now stop", "push", "push left", "lockstep maybe", "torque 3", "goals -1", "stats 255", "stats -1", "list all",
	};
	struct desk *desk = *state;
	size_t i;

	for (i = 0; i < sizeof(junk) / sizeof(junk[0]); i++) {
		if (!failed(desk, junk[i]))
			fail_msg("taken: %s", junk[i]);
		assert_true(desk->stayed);
	}
	assert_int_equal(rig_ping(desk->rig, 1).id, 1);
}

static void long_lines(void **state)
{
	struct desk *desk = *state;
	char line[2 * CONTROL_LINE_MAX];
	size_t len;

	memset(line, '1', sizeof(line));
	for (len = 1; len < sizeof(line); len += 7) {
		line[len] = '\0';
		assert_true(failed(desk, line));
		line[len] = '1';
	}
	/* As many words as a line can hold. */
	for (len = 0; len < CONTROL_LINE_MAX - 1; len++)
		line[len] = len & 1 ? ' ' : '1';
	line[len] = '\0';
	assert_true(failed(desk, line));
}

static void noise(void **state)
{
	static const char *const words[] = {
		"get", "read", "write", "1", "2", "0", "all", "Joint1", "30",
		"255", "silence", "drop", "seed", "-", "\x7f", "present_load",
		"power-cycle", "unsilence", "49", "73", "128", "list", "twin",
		"untwin", "late", "next", "us", "id", "5", "deaf", "reset",
		"unplug", "plug", "stats", "echo", "on", "off", "garbage",
		"lockstep", "torque", "goals",
	};
	struct desk *desk = *state;
	uint64_t seed = 11;
	int i, n;

	for (i = 0; i < 20000; i++) {
		char line[CONTROL_LINE_MAX] = "";

		for (n = random_below(&seed, 7); n > 0; n--) {
			strcat(line, words[random_below(&seed, sizeof(words) /
							sizeof(words[0]))]);
			strcat(line, " ");
		}
		failed(desk, line);
	}
}

#define CONTROL_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONTROL_TEST(lists_and_values),
		CONTROL_TEST(reads_and_writes),
		CONTROL_TEST(silence_and_power),
		CONTROL_TEST(faults_and_counts),
		CONTROL_TEST(faults_of_all_sorts),
		CONTROL_TEST(devices_that_fail),
		CONTROL_TEST(the_adapter_is_pulled),
		CONTROL_TEST(words_of_nobody),
		CONTROL_TEST(many_twins),
		CONTROL_TEST(quit_hangs_up),
		CONTROL_TEST(junk_gets_an_error),
		CONTROL_TEST(long_lines),
		CONTROL_TEST(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
