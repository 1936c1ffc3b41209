// SPDX-License-Identifier: GPL-2.0-or-later
/* The control commands for boards, and what the others make of them. */
#include "cmocka_all.h"

#include <string.h>

#include "../base/base.h"
#include "../control/control.h"
#include "harness.h"

static int set_up(void **state)
{
	struct desk *desk = desk_new();

	rig_add(desk->rig, &model_ax12, 1);
	rig_add(desk->rig, &model_cm730, 200);
	rig_add(desk->rig, &model_fsr, 111);
	rig_add(desk->rig, &model_opencr, 202);
	rig_add(desk->rig, &model_cm510, 210);
	*state = desk;

	return 0;
}

static int tear_down(void **state)
{
	desk_free(*state);

	return 0;
}

static void lists_boards(void **state)
{
	struct desk *desk = *state;

	say(desk, "silence 210");
	assert_string_equal(say(desk, "list"),
			    "1 Joint1 AX-12 512 512 0 unsupplied\n"
			    "200 Joint200 CM-730 - - - -\n"
			    "111 Joint111 FSR - - - unsupplied\n"
			    "202 Joint202 OpenCR - - - -\n"
			    "210 Joint210 CM-510 - - - silenced\nok\n");
	say(desk, "write 200 24 1");
	assert_true(strstr(say(desk, "list"), "AX-12 512 512 0 -\n") != NULL);
}

static void reads_back_what_a_master_writes(void **state)
{
	struct desk *desk = *state;

	rig_write8(desk->rig, 200, 25, 5);
	rig_write16(desk->rig, 200, 26, 31);
	rig_write8(desk->rig, 200, 24, 1);
	rig_write16(desk->rig, 210, 28, 440);
	rig_set2(desk->rig, 202, 26, 2, 992);
	assert_string_equal(say(desk, "get 200 led_panel"), "5\nok\n");
	assert_string_equal(say(desk, "get 200 led_5"), "31\nok\n");
	assert_string_equal(say(desk, "get 200 dynamixel_power"), "1\nok\n");
	assert_string_equal(say(desk, "get 210 buzzer"), "440\nok\n");
	assert_string_equal(say(desk, "get 202 led_rgb"), "992\nok\n");
	assert_string_equal(say(desk, "read 210 28 2"), "184 1\nok\n");
}

static void sets_and_tells(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "senses 111"),
			    "fsr_1 0 N\nfsr_2 0 N\nfsr_3 0 N\nfsr_4 0 N\n"
			    "present_voltage 11.1 V\nok\n");
	assert_string_equal(say(desk, "set Joint111 fsr_2 12.5"), "ok\n");
	assert_string_equal(say(desk, "set 111 fsr_4 raw 1000"), "ok\n");
	assert_string_equal(say(desk, "senses 111"),
			    "fsr_1 0 N\nfsr_2 12.5 N\nfsr_3 0 N\nfsr_4 1 N\n"
			    "present_voltage 11.1 V\nok\n");
	assert_string_equal(say(desk, "get 111 fsr_2"), "12500\nok\n");
	assert_string_equal(say(desk, "set 210 voltage 7.4"), "ok\n");
	assert_string_equal(say(desk, "get 210 voltage"), "74\nok\n");
	assert_string_equal(say(desk, "set 202 yaw -0x10"), "ok\n");
	assert_string_equal(say(desk, "get 202 yaw"), "-160\nok\n");
	assert_string_equal(say(desk, "set 202 gyro_x raw -32768"), "ok\n");
	assert_string_equal(say(desk, "get 202 gyro_x"), "-32768\nok\n");
	assert_string_equal(say(desk, "senses 210"),
			    "present_voltage 7.4 V\nport_1 0 V\nport_2 0 V\n"
			    "port_3 0 degrees/s\nport_4 0 degrees/s\n"
			    "port_5 0 mm\nport_6 0 V\nsounds 0 sounds\nok\n");
	assert_string_equal(say(desk, "press 210 up"), "ok\n");
	assert_string_equal(say(desk, "get 210 button"), "16\nok\n");
	assert_string_equal(say(desk, "release 210 up"), "ok\n");
	assert_string_equal(say(desk, "get 210 button"), "0\nok\n");
	assert_true(strstr(say(desk, "help"), "\nset ID NAME VALUE|raw N: ") !=
		    NULL);
}

static void an_obstacle(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "obstacle front 300mm"), "ok\n");
	assert_int_equal(rig_read16(desk->rig, 210, 40), 175);
	assert_string_equal(say(desk, "obstacle front 0.45m"), "ok\n");
	assert_int_equal(rig_read16(desk->rig, 210, 40), 133);
	/* Out of its sight, and nearer than it can tell */
	assert_string_equal(say(desk, "obstacle front 2m"), "ok\n");
	assert_int_equal(rig_read16(desk->rig, 210, 40), 0);
	assert_string_equal(say(desk, "obstacle front 20mm"), "ok\n");
	assert_int_equal(rig_read16(desk->rig, 210, 40), 625);
	/* The nearest of several. */
	assert_string_equal(say(desk, "obstacle front 0.5m 350mm 0.4m"), "ok\n");
	assert_int_equal(rig_read16(desk->rig, 210, 40), 163);
	assert_string_equal(say(desk, "obstacle front none"), "ok\n");
	assert_int_equal(rig_read16(desk->rig, 210, 40), 0);
	/* All that look ahead see the same, and nothing else does. */
	rig_add(desk->rig, &model_cm510, 211);
	assert_string_equal(say(desk, "obstacle front 200mm"), "ok\n");
	assert_string_equal(say(desk, "get 210 port_5"), "245\nok\n");
	assert_string_equal(say(desk, "get 211 port_5"), "245\nok\n");
	assert_string_equal(say(desk, "get 210 port_1"), "0\nok\n");
}

static void an_obstacle_that_nobody_sees(void **state)
{
	struct desk *desk = desk_new();

	(void)state;
	rig_add(desk->rig, &model_cm730, 200);
	assert_string_equal(say(desk, "obstacle front 300mm"),
			    "error: no device has a sensor for distances\n");
	desk_free(desk);
}

static void a_board_that_senses_nothing(void **state)
{
	struct desk *desk = desk_new();

	(void)state;
	rig_add(desk->rig, &model_nao_face, 204);
	assert_string_equal(say(desk, "set 204 model_number 1"),
			    "error: model_number cannot be set, nor anything else that the NAO-face-board has\n");
	desk_free(desk);
}

static void nonsense_is_refused(void **state)
{
	static const char *const refused[][2] = {
		{ "set 1 voltage 12", "the AX-12 is no board" },
		{ "senses 1", "the AX-12 is no board" },
		{ "press 1 start", "the AX-12 is no board" },
		{ "set 9 gyro_x 1", "no device has the ID or label \"9\"" },
		{ "set 200 gyro_w 1", "the CM-730 has no field \"gyro_w\"" },
		{ "set 200 led_5 1",
		  "led_5 is nothing that the CM-730 senses, try: write 200 26 BYTE..." },
		{ "set Joint210 button 1",
		  "the buttons of the CM-510 are held, try: press Joint210 BUTTON" },
		{ "set 111 fsr_x 1",
		  "fsr_x is nothing that the FSR senses, try: senses 111" },
		{ "set 200 gyro_x fast",
		  "gyro_x is \"fast\", expected degrees/s from -1000000 to 1000000" },
		{ "set 200 gyro_x 1e7",
		  "gyro_x is \"1e7\", expected degrees/s from -1000000 to 1000000" },
		{ "set 200 gyro_x nan",
		  "gyro_x is \"nan\", expected degrees/s from -1000000 to 1000000" },
		{ "set 200 gyro_x 1x",
		  "gyro_x is \"1x\", expected degrees/s from -1000000 to 1000000" },
		{ "set 111 fsr_1 -1",
		  "fsr_1 is \"-1\", expected N from 0 to 1000000" },
		{ "set 210 port_5 -5",
		  "port_5 is \"-5\", expected mm from 0 to 1000000" },
		{ "set 200 voltage -1",
		  "voltage is \"-1\", expected V from 0 to 1000000" },
		{ "set 200 gyro_x raw 1024",
		  "gyro_x is \"1024\", expected a count of 0 to 1023" },
		{ "set 200 gyro_x raw -1",
		  "gyro_x is \"-1\", expected a count of 0 to 1023" },
		{ "set 202 roll raw 40000",
		  "roll is \"40000\", expected a count of -32768 to 32767" },
		{ "set 111 fsr_1 raw 492", "the FSR never shows 492 as fsr_1" },
		{ "set 210 port_5 raw 69",
		  "the CM-510 never shows 69 as port_5" },
		{ "set 210 port_3 raw 456",
		  "port_3 is \"456\", expected a count of 45 to 455" },
		{ "set 200 gyro_x raw 1.5",
		  "gyro_x is \"1.5\", expected a count of 0 to 1023" },
		{ "set 200 gyro_x raw", "a count is missing behind \"raw\"" },
		{ "set 200 gyro_x 1 2", "expected one value, or raw and a count" },
		{ "set 200 gyro_x",
		  "2 arguments, expected: set ID NAME VALUE|raw N" },
		{ "obstacle front 300",
		  "distance is \"300\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front 0m",
		  "distance is \"0m\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front -1mm",
		  "distance is \"-1mm\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front 1km",
		  "distance is \"1km\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front mm",
		  "distance is \"mm\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front nanm",
		  "distance is \"nanm\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front 2000m",
		  "distance is \"2000m\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front far",
		  "distance is \"far\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle behind 1m",
		  "\"behind\" is unknown, expected front, left or right" },
		{ "obstacle left 1m",
		  "no device has a sensor for distances at its sides" },
		{ "obstacle front 1m none",
		  "distance is \"none\", expected one like 300mm or 0.3m, or none" },
		{ "obstacle front",
		  "1 argument, expected: obstacle front|left|right DISTANCE...|none" },
		{ "obstacle front 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 11m",
		  "12 arguments, expected: obstacle front|left|right DISTANCE...|none" },
		{ "press 200 up",
		  "the CM-730 has no button \"up\", it has: mode, start" },
		{ "release 210 mode",
		  "the CM-510 has no button \"mode\", it has: start, up, down, left, right" },
		{ "press 111 start", "the FSR has no buttons" },
		{ "press 210", "1 argument, expected: press ID BUTTON" },
		{ "torque 200", "the CM-730 has no motor" },
		{ "goals Joint210", "the CM-510 has no motor" },
		{ "get 200 position", "the CM-730 has no field \"position\"" },
		{ "read 210 42 5",
		  "5 bytes from address 42, the table of the CM-510 has 46" },
	};
	struct desk *desk = *state;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char expected[200];

		snprintf(expected, sizeof(expected), "error: %s\n",
			 refused[i][1]);
		assert_string_equal(say(desk, refused[i][0]), expected);
	}
	assert_string_equal(say(desk, "get 200 gyro_x"), "512\nok\n");
	assert_string_equal(say(desk, "get 210 port_5"), "0\nok\n");
	assert_string_equal(say(desk, "get 210 button"), "0\nok\n");
}

/* Commands for joints pass the boards over. */
static void joints_only(void **state)
{
	struct desk *desk = *state;

	assert_string_equal(say(desk, "goals all"), "1 0 0 0 0 0 0\nok\n");
	assert_string_equal(say(desk, "torque all"), "1 0 0\nok\n");
	assert_string_equal(say(desk, "lockstep 100"), "ok\n");
	assert_string_equal(say(desk, "get 200 gyro_x"), "512\nok\n");
}

static void noise(void **state)
{
	static const char *const words[] = {
		"set", "press", "release", "senses", "get", "1", "200", "111",
		"202", "210", "gyro_x", "fsr_1", "port_5", "voltage", "roll",
		"raw", "-1", "0.5", "1e300", "-", "all", "start", "write", "24",
		"list", "power-cycle", "reset", "twin", "untwin", "lean", "lie", "fall",
		"upright", "pose", "face", "right", "obstacle", "front", "3m", "battery", "50",
		"charge", "off", "push", "5N", "for", "100N", "203", "64", "68", "left", "none",
	};
	struct desk *desk = *state;
	uint64_t seed = 5;
	int i, n;

	rig_add(desk->rig, &model_nao_us, 203);
	for (i = 0; i < 20000; i++) {
		char line[CONTROL_LINE_MAX] = "";
		const char *answer;

		for (n = random_below(&seed, 6); n > 0; n--) {
			strcat(line, words[random_below(&seed, sizeof(words) /
							sizeof(words[0]))]);
			strcat(line, " ");
		}
		answer = say(desk, line);
		assert_true(!strncmp(answer, "error: ", 7) ||
			    !strcmp(answer + strlen(answer) - 3, "ok\n"));
		desk->rig->now += NSEC_PER_MSEC;
		battery_play(&desk->rig->bus, desk->rig->now);
	}
}

#define CALL_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CALL_TEST(lists_boards),
		CALL_TEST(reads_back_what_a_master_writes),
		CALL_TEST(sets_and_tells),
		CALL_TEST(an_obstacle),
		cmocka_unit_test(an_obstacle_that_nobody_sees),
		cmocka_unit_test(a_board_that_senses_nothing),
		CALL_TEST(nonsense_is_refused),
		CALL_TEST(joints_only),
		CALL_TEST(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
