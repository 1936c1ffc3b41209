// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a device has been found wrong with, and how that is told. */
#include "support.h"

#include "robot/fault.h"

#define SECOND ((int64_t)1000000000)

/* When this clock began, people's was at that. */
#define EPOCH (100 * SECOND)

static struct faults faults;

static void add(int64_t now, enum fault_level level, const char *text)
{
	const struct fault_time time = { .monotonic = now, .real = EPOCH + now };

	faults_add(&faults, &time, level, text);
}

static int setup(void **state)
{
	(void)state;
	faults = (struct faults){ 0 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	faults_free(&faults);
	return 0;
}

static void check(int64_t now, const char *expected)
{
	char text[512];

	faults_print(&faults, now, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void nothing_is_an_empty_text(void **state)
{
	(void)state;
	check(0, "");
}

static void the_newest_is_the_first(void **state)
{
	(void)state;
	add(2 * SECOND, FAULT_WARNING, "one");
	add(3 * SECOND + 4000000, FAULT_NOT_USABLE, "other");
	check(4 * SECOND, "103.004 7 other; 102.000 3 one");
}

static void the_same_again_is_newer(void **state)
{
	(void)state;
	add(2 * SECOND, FAULT_WARNING, "one");
	add(3 * SECOND, FAULT_WARNING, "other");
	add(4 * SECOND, FAULT_WARNING, "one");
	check(4 * SECOND, "104.000 3 one; 103.000 3 other");
}

/* So that nobody who asks twice is told of two. */
static void within_a_second_it_is_the_same(void **state)
{
	(void)state;
	add(2 * SECOND, FAULT_WARNING, "one");
	add(2 * SECOND + 1000000, FAULT_WARNING, "other");
	add(3 * SECOND - 1, FAULT_WARNING, "one");
	check(3 * SECOND, "102.001 3 other; 102.000 3 one");
	add(3 * SECOND, FAULT_WARNING, "one");
	check(3 * SECOND, "103.000 3 one; 102.001 3 other");
}

static void one_that_is_put_in_anothers_place_is_new(void **state)
{
	char text[8], printed[512];

	(void)state;
	for (int i = 0; i < 17; i++) {
		snprintf(text, sizeof(text), "e%02d", i);
		add(i, FAULT_ERROR, text);
	}
	faults_print(&faults, 20, printed, sizeof(printed));
	assert_non_null(strstr(printed, "e16"));
	assert_null(strstr(printed, "e00"));
}

/* nao-device-keys: only those of the last 30 seconds are kept. */
/* [key-12] */
static void after_thirty_seconds_it_is_gone(void **state)
{
	(void)state;
	add(1 * SECOND, FAULT_WARNING, "one");
	add(2 * SECOND, FAULT_WARNING, "other");
	check(31 * SECOND - 1, "102.000 3 other; 101.000 3 one");
	check(31 * SECOND, "102.000 3 other");
	check(32 * SECOND, "");
}

static void of_too_many_the_oldest_go(void **state)
{
	char text[8], printed[512];

	(void)state;
	for (int i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "e%02d", i);
		add(i * SECOND, FAULT_ERROR, text);
	}
	faults_print(&faults, 20 * SECOND, printed, sizeof(printed));
	assert_non_null(strstr(printed, "119.000 4 e19; 118.000 4 e18"));
	assert_non_null(strstr(printed, "104.000 4 e04"));
	assert_null(strstr(printed, "e03"));
}

/* Each is told whole, or not at all, but for the newest. */
static void what_does_not_fit_is_left_out(void **state)
{
	char text[16];

	(void)state;
	add(1 * SECOND, FAULT_ERROR, "ab");
	add(2 * SECOND, FAULT_ERROR, "cd");
	faults_print(&faults, 2 * SECOND, text, sizeof(text));
	assert_string_equal(text, "102.000 4 cd");
	faults_print(&faults, 2 * SECOND, text, 12);
	assert_string_equal(text, "102.000 4 c");
}

/* ---- words ---- */

static void check_words(const char *words, const char *expected)
{
	const struct fault_time time = { .monotonic = SECOND, .real = SECOND };

	faults_free(&faults);
	faults = (struct faults){ 0 };
	faults_add_words(&faults, &time, "HeadYaw", words);
	check(SECOND, expected);
}

/* nao-device-keys: the codes of a motor board, of each kind with all its bits. */
/* [mb-8] */
static void codes_of_motor_boards_have_their_names(void **state)
{
	(void)state;
	check_words("", "");
	check_words("no-motor motor-1 motor-2",
		    "1.000 5 HeadYaw: 19 ERROR_CURRENT_NO_MOTOR: Motor 1 ERROR, Motor 2 ERROR");
	check_words("temperature motor-1 motor-2",
		    "1.000 4 HeadYaw: 35 ERROR_TEMPERATURE: Motor 1, Motor 2");
	check_words("control-error motor-2",
		    "1.000 4 HeadYaw: 50 ERROR_ASSERV_ERROR_TOO_BIG_MOTOR: Motor 2");
	check_words("mre-no-data mre-1 mre-2 mre-3 mre-4",
		    "1.000 5 HeadYaw: 79 ERROR_MRE_ERROR_NO_DATA: MRE 1, MRE 2, MRE 3, MRE 4");
	check_words("mre-cordic-overflow mre-1", "1.000 5 HeadYaw: 81 ERROR_MRE_BAD_COF: MRE 1");
	check_words("mre-linearity mre-2", "1.000 3 HeadYaw: 98 ERROR_MRE_WARNING_BAD_LIN: MRE 2");
	check_words("mre-magnetic-field mre-3",
		    "1.000 3 HeadYaw: 116 ERROR_MRE_WARNING_BAD_MAG: MRE 3");
	check_words("mre-parity mre-4", "1.000 4 HeadYaw: 136 ERROR_MRE_ERROR_PARITY: MRE 4");
	check_words("mre-offset mre-1", "1.000 4 HeadYaw: 145 ERROR_MRE_BAD_OCF: MRE 1");
	check_words("com read-crc unfinished rcrc read-unfinished",
		    "1.000 2 HeadYaw: 175 ERROR COM: READ CRC ERROR, UNFINISHED, RCRC ERROR, "
		    "READ UNFINISHED");
	check_words("uart-spi spi-overflow parity framing overrun",
		    "1.000 2 HeadYaw: 191 ERROR_UART_SPI: SPI_SPIROV, PERR, FERR, OERR");
	check_words("current-limit motor-1",
		    "1.000 3 HeadYaw: 209 WARNING_CURRENT_LIMITATION: Motor 1");
	check_words("motor-1-stopped motor-no-data joint-no-data motor-other joint-other",
		    "1.000 6 HeadYaw: 239 ERROR_MOTOR1_NOT_ASSERV_BECAUSE_MRE: MRE motor NO DATA, "
		    "MRE joint NO DATA, MRE motor OTHER ISSUE, MRE joint OTHER ISSUE");
	check_words("motor-2-stopped motor-no-data",
		    "1.000 6 HeadYaw: 241 ERROR_MOTOR2_NOT_ASSERV_BECAUSE_MRE: MRE motor NO DATA");
}

static void other_servos_words_are_told_one_by_one(void **state)
{
	(void)state;
	check_words("voltage overheating",
		    "1.000 6 HeadYaw: overheating; 1.000 5 HeadYaw: voltage");
	check_words("something-new", "1.000 4 HeadYaw: something-new");
}

#define FAULT_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAULT_TEST(nothing_is_an_empty_text),
		FAULT_TEST(the_newest_is_the_first),
		FAULT_TEST(the_same_again_is_newer),
		FAULT_TEST(within_a_second_it_is_the_same),
		FAULT_TEST(one_that_is_put_in_anothers_place_is_new),
		FAULT_TEST(after_thirty_seconds_it_is_gone),
		FAULT_TEST(of_too_many_the_oldest_go),
		FAULT_TEST(what_does_not_fit_is_left_out),
		FAULT_TEST(codes_of_motor_boards_have_their_names),
		FAULT_TEST(other_servos_words_are_told_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
