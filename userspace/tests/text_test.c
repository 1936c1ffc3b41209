// SPDX-License-Identifier: LGPL-2.1-or-later
/* RoboPlus text files: good ones, and each kind of fault with its line. */
#include "support.h"

#include "player/player.h"

#define SIX_512 "512 512 512 512 512 512 "
#define IDS_512 SIX_512 SIX_512 SIX_512 SIX_512
#define ONES	"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
#define ZEROS	"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
#define FIVES	"5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 "

#define HEAD	"type=motion\nversion=1.01\nenable=" ONES "1 0\nmotor_type=" ZEROS "0 0\n"
#define PAGE_A	"page_begin\nname=Hello\ncompliance=" FIVES "6 7\nplay_param=2 3 4 1.5 5\n"
#define STEP_A	"step=" IDS_512 "300 512 0.096 1.000\n"
#define END_A	"page_end\n"
#define GOOD	HEAD PAGE_A STEP_A END_A

static struct naohw_motion *load(const char *text)
{
	struct naohw_motion *motion;
	struct naohw_error err;

	if (naohw_motion_load(temp_text(text), &motion, &err) < 0)
		fail_msg("%s", err.message);
	return motion;
}

static void check_good(const char *text)
{
	struct naohw_motion *motion = load(text);
	const struct naohw_page *page = naohw_motion_page(motion, 1);

	assert_int_equal(naohw_motion_is_text(motion), 1);
	assert_int_equal(naohw_motion_page_count(motion), 2);
	assert_int_equal(naohw_page_get_state(page), NAOHW_PAGE_GOOD);
	assert_int_equal(naohw_page_number(page), 1);
	assert_string_equal(naohw_page_name(page), "Hello");
	assert_int_equal(naohw_page_next(page), 2);
	assert_int_equal(naohw_page_exit(page), 3);
	assert_int_equal(naohw_page_repeat(page), 4);
	assert_int_equal(naohw_page_speed(page), 21); /* floor(32 / 1.5) */
	assert_int_equal(naohw_page_accel(page), 5);
	assert_int_equal(naohw_page_is_time_base(page), 1);
	assert_int_equal(naohw_page_step_count(page), 1);
	assert_int_equal(naohw_page_softness(page, 0), 0x55);
	assert_int_equal(naohw_page_softness(page, 24), 0x66);
	assert_int_equal(naohw_page_softness(page, 25), 0x77);
	assert_int_equal(naohw_page_step_position(page, 0, 0), 512);
	assert_int_equal(naohw_page_step_position(page, 0, 24), 300);
	/* Not enabled, and no such column */
	assert_int_equal(naohw_page_step_position(page, 0, 25), NAOHW_POSITION_INVALID);
	assert_int_equal(naohw_page_step_position(page, 0, 26), NAOHW_POSITION_INVALID);
	assert_int_equal(naohw_page_step_pause(page, 0), 12);
	assert_int_equal(naohw_page_step_time(page, 0), 125);
	naohw_motion_free(motion);
}

static char *with_crlf(const char *text)
{
	char *out = malloc(2 * strlen(text) + 1), *at = out;

	assert_non_null(out);
	for (; *text; text++) {
		if (*text == '\n')
			*at++ = '\r';
		*at++ = *text;
	}
	*at = '\0';
	return out;
}

static void reads_all_forms(void **state)
{
	char *crlf = with_crlf("\xef\xbb\xbf" GOOD);

	(void)state;
	check_good(GOOD);
	check_good("\xef\xbb\xbf" GOOD);
	check_good(crlf);
	check_good("type=motion\nversion=1.0\nenable=" ONES "1 0\n" PAGE_A STEP_A END_A);
	check_good(HEAD "\n" PAGE_A STEP_A "page_end"); /* no last line end */
	free(crlf);
}

/* RoboPlus on a machine of another language; in the step, too. */
static void decimal_commas_are_points(void **state)
{
	char *text = strdup("type=motion\nversion=1,01\nenable=" ONES "1 0\nmotor_type=" ZEROS "0 0\n"
			    "page_begin\nname=A\ncompliance=" FIVES "5 5\nplay_param=0 0 1 1,5 32\n"
			    "step=" ZEROS "0 0 0,296 1,000\npage_end\n");
	const struct naohw_page *page;
	struct naohw_motion *motion;
	struct naohw_error err;

	(void)state;
	if (naohw_motion_load(temp_text(text), &motion, &err) < 0)
		fail_msg("%s", err.message);
	page = naohw_motion_page(motion, 1);
	assert_int_equal(naohw_page_speed(page), 21);
	assert_int_equal(naohw_page_step_pause(page, 0), 37);
	assert_int_equal(naohw_page_step_time(page, 0), 125);
	naohw_motion_free(motion);
	free(text);
}

static void check_fault(const char *text, const char *says)
{
	struct naohw_motion *motion;
	struct naohw_error err;

	assert_int_equal(naohw_motion_load(temp_text(text), &motion, &err), -EINVAL);
	assert_says(&err, says);
}

static void faults_name_their_line(void **state)
{
	(void)state;
	check_fault("type=task\n", ":1: found \"type=task\", expected type=motion");
	check_fault("type=motion\n", ":2: the file ends here, expected version=1.0");
	check_fault("type=motion\nversion=2.0\n", ":2: found \"version=2.0\"");
	check_fault("type=motion\nversion=1.01\nenable=" ONES "1\n", ":3: found");
	check_fault("type=motion\nversion=1.01\nenable=" ONES "1 0 0\n", ":3: found");
	check_fault("type=motion\nversion=1.01\nenable=" ONES "1 2\n", ":3: found");
	check_fault("type=motion\nversion=1.01\nenable=" ONES "1 0\npage_begin\n",
		    ":4: found \"page_begin\", expected motor_type=");
	check_fault(HEAD, ":5: the file ends here, expected page_begin");
	check_fault(HEAD "frob\n", ":5: found \"frob\", expected page_begin");
	check_fault(HEAD "page_begin\nnom=x\n", ":6: found \"nom=x\", expected name=");
	check_fault(HEAD "page_begin\nname=x\ncompliance=" FIVES "5 8\n", ":7: found");
	check_fault(HEAD PAGE_A STEP_A, ":10: the file ends here, expected step= or page_end");
	check_fault(HEAD PAGE_A STEP_A "page_begin\n", ":10: found \"page_begin\"");
	check_fault(GOOD "\033[2J\n", ":11: found \"?[2J\", expected page_begin");
}

static void a_checksum_as_text_is_named(void **state)
{
	(void)state;
	check_fault(GOOD "d5a3f\n", ":11: found \"d5a3f\", expected page_begin or two bytes of checksum, and "
				    "not a checksum as text: take out this line");
	check_fault(GOOD "0xd5a3", ":11: found \"0xd5a3\", expected page_begin or two bytes");
	check_fault(GOOD "54691\n" PAGE_A, ":11: found \"54691\", expected page_begin");
}

static void check_foreign(const void *bytes, size_t size, const char *says)
{
	unsigned char data[1024] = { 0 };
	struct naohw_motion *motion;
	struct naohw_error err;

	memcpy(data, bytes, size);
	/* Also where it has the length of pages */
	for (size_t length = 511; length <= 1024; length += 513) {
		assert_int_equal(naohw_motion_read("it", data, length, &motion, &err), -EINVAL);
		assert_says(&err, says);
	}
	for (size_t length = 1; length < size; length++)
		assert_true(naohw_motion_read("it", data, length, &motion, &err) < 0);
}

static void other_forms_are_named(void **state)
{
	(void)state;
	check_foreign("<?xml version=\"1.0\"?>", 21, "it: XML, as .mtnx files have it, expected the text form");
	check_foreign("\xef\xbb\xbf<Root>", 9, "it: XML");
	check_foreign("\xff\xfet\0y\0p\0", 8, "it: text in UTF-16, expected UTF-8: convert it with iconv");
	check_foreign("\xfe\xff\0t\0y\0p", 8, "it: text in UTF-16");
	check_foreign("t\0y\0p\0e\0=\0", 10, "-f UTF-16LE");
	check_foreign("\0t\0y\0p\0e\0=", 10, "-f UTF-16BE");
}

static void check_play_param(const char *values)
{
	char text[4096];

	snprintf(text, sizeof(text), HEAD "page_begin\nname=x\ncompliance=" FIVES
					  "5 5\nplay_param=%s\n" STEP_A END_A, values);
	check_fault(text, ":8: found \"play_param=");
}

static void play_param_is_bounded(void **state)
{
	(void)state;
	check_play_param("256 0 1 1.0 5");
	check_play_param("0 256 1 1.0 5");
	check_play_param("0 0 256 1.0 5");
	check_play_param("0 0 1 0.0 5");
	check_play_param("0 0 1 0.125 5");
	check_play_param("0 0 1 32.001 5");
	check_play_param("0 0 1 99999999999999999999 5");
	check_play_param("0 0 1 1.0 256");
	check_play_param("0 0 1 1.0");
	check_play_param("0 0 1 1.0 5 6");
	check_play_param("-1 0 1 1.0 5");
	check_play_param("0 0 1 1.0x 5");
	check_play_param("0 0 1 nan 5");
}

static void check_step(const char *motor, const char *step, const char *says)
{
	char text[4096];

	snprintf(text, sizeof(text), "type=motion\nversion=1.01\nenable=" ONES
				     "1 1\nmotor_type=" ZEROS "0 %s\n" PAGE_A "step=%s\n" END_A,
		 motor, step);
	if (says)
		check_fault(text, says);
	else
		naohw_motion_free(load(text));
}

static unsigned int speed_of(const char *rate)
{
	struct naohw_motion *motion;
	unsigned int speed;
	char text[4096];

	snprintf(text, sizeof(text), HEAD "page_begin\nname=x\ncompliance=" FIVES
					  "5 5\nplay_param=0 0 1 %s 5\n" STEP_A END_A, rate);
	motion = load(text);
	speed = naohw_page_speed(naohw_motion_page(motion, 1));
	naohw_motion_free(motion);
	return speed;
}

static void rates_are_cut_to_32nds(void **state)
{
	(void)state;
	assert_int_equal(speed_of("1.0"), 32);
	assert_int_equal(speed_of("1.2"), 26); /* 26.67 */
	assert_int_equal(speed_of("1.5"), 21);
	assert_int_equal(speed_of("2.1"), 15);
	assert_int_equal(speed_of("0.126"), 253);
	assert_int_equal(speed_of("32"), 1);
}

static void steps_are_bounded(void **state)
{
	(void)state;
	check_step("0", IDS_512 "512 1023 0 2.040", NULL);
	check_step("0", IDS_512 "512 1024 0 1", "expected 26 positions, 0 to 1023");
	check_step("1", IDS_512 "512 4095 0 1", NULL);
	check_step("1", IDS_512 "512 4096 0 1", ":9: found");
	check_step("0", IDS_512 "512 -1 0 1", ":9: found");
	check_step("0", IDS_512 "512 99999999999 0 1", ":9: found");
	check_step("0", IDS_512 "512 512 0 2.041", "in s, 0 to 2.040");
	check_step("0", IDS_512 "512 512 3 1", "in s, 0 to 2.040");
	check_step("0", IDS_512 "512 512 0", ":9: found");
	check_step("0", IDS_512 "512 512 0 1 1", ":9: found");
	check_step("0", IDS_512 "512", ":9: found");
	check_step("0", "", ":9: found");
}

static void eight_steps_are_refused(void **state)
{
	(void)state;
	naohw_motion_free(load(HEAD PAGE_A STEP_A STEP_A STEP_A STEP_A STEP_A STEP_A STEP_A END_A));
	check_fault(HEAD PAGE_A STEP_A STEP_A STEP_A STEP_A STEP_A STEP_A STEP_A STEP_A END_A,
		    ":16: found");
}

static char *many_pages(unsigned int count)
{
	size_t size = sizeof(HEAD) + count * (sizeof(PAGE_A) + sizeof(END_A));
	char *text = malloc(size), *at = text + sizeof(HEAD) - 1;

	assert_non_null(text);
	strcpy(text, HEAD);
	for (unsigned int i = 0; i < count; i++)
		at = stpcpy(at, PAGE_A END_A);
	return text;
}

static void page_numbers_end_at_255(void **state)
{
	char *fits = many_pages(255), *too_many = many_pages(256);
	struct naohw_motion *motion = load(fits);

	(void)state;
	assert_int_equal(naohw_motion_page_count(motion), 256);
	assert_int_equal(naohw_page_get_state(naohw_motion_page(motion, 255)), NAOHW_PAGE_EMPTY);
	naohw_motion_free(motion);
	check_fault(too_many, ":1280: found \"page_begin\", expected the end of the file");
	free(fits);
	free(too_many);
}

/* The file's text, the two bytes that RoboPlus ends it with, and what an editor puts there. */
static struct naohw_motion *load_sealed(const char *text, unsigned int spoil, const char *end)
{
	struct naohw_motion *motion;
	struct naohw_error err;
	char data[4096];
	size_t size = strlen(text);
	unsigned int sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += text[i] == '\r' ? 0 : (unsigned char)text[i];
	sum = (~sum & 0xffff) ^ spoil;
	memcpy(data, text, size);
	data[size++] = (char)(sum >> 8);
	data[size++] = (char)sum;
	memcpy(data + size, end, strlen(end));
	if (naohw_motion_load(temp_file(data, size + strlen(end)), &motion, &err) < 0)
		fail_msg("%s", err.message);
	return motion;
}

static void check_seal(const char *text, const char *end)
{
	struct naohw_motion *motion = load_sealed(text, 0, end);

	assert_null(naohw_motion_checksum_fault(motion));
	naohw_motion_free(motion);
}

/* The file's fault is none of its pages'. */
static void check_broken_seal(const char *text, unsigned int spoil, const char *end)
{
	struct naohw_motion *motion = load_sealed(text, spoil, end);
	const char *fault = naohw_motion_checksum_fault(motion);
	unsigned int at, found, expected;

	assert_non_null(fault);
	assert_int_equal(sscanf(fault, "byte %u: the file's checksum is 0x%x, expected 0x%x", &at,
				&found, &expected),
			 3);
	assert_int_equal(at, strlen(text));
	assert_int_equal(found, expected ^ spoil);
	assert_int_equal(naohw_page_get_state(naohw_motion_page(motion, 1)), NAOHW_PAGE_GOOD);
	naohw_motion_free(motion);
}

static void trailer_is_checked(void **state)
{
	char *crlf = with_crlf(GOOD);

	(void)state;
	check_seal(GOOD, "");
	check_seal("\xef\xbb\xbf" GOOD, "");
	check_seal(crlf, "");
	check_broken_seal(GOOD, 1, "");
	check_broken_seal(GOOD, 0x8000, "");
	free(crlf);
}

/* An editor that ends every file with a line end puts one behind the trailer. */
static void trailer_may_have_a_line_end(void **state)
{
	(void)state;
	check_seal(GOOD, "\n");
	check_seal(GOOD, "\r\n");
	check_broken_seal(GOOD, 1, "\n");
	check_broken_seal(GOOD, 1, "\r\n");
}

static void blanks_are_no_trailer(void **state)
{
	static const char *const ends[] = { "", "\n", "\n\n", "\r\n", " \n", "  ", "  \n", "  \r\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char text[4096];
		struct naohw_motion *motion;

		snprintf(text, sizeof(text), "%s%s", GOOD, ends[i]);
		motion = load(text);
		assert_null(naohw_motion_checksum_fault(motion));
		naohw_motion_free(motion);
	}
}

static void a_broken_seal_is_played_when_told(void **state)
{
	const struct servo_axis axis = ax12(1, "x");
	struct naohw_motion *motion = load_sealed(HEAD "page_begin\nname=x\ncompliance=" FIVES
						  "5 5\nplay_param=0 0 1 1.0 5\n" STEP_A END_A,
						  1, "");
	struct naohw_player *player;
	struct naohw_error err;

	(void)state;
	assert_int_equal(player_create_dry(motion, &axis, 1, &player, &err), 0);
	assert_int_equal(naohw_player_check(player, 1, &err), -EBADMSG);
	assert_says(&err, "the file's checksum is 0x");
	assert_says(&err, ", expected 0x");
	assert_int_equal(naohw_player_play(player, 1, &err), -EBADMSG);
	naohw_player_ignore_checksum(player);
	assert_int_equal(naohw_player_check(player, 1, &err), 0);
	assert_int_equal(naohw_player_play(player, 1, &err), 0);
	naohw_player_free(player);
	naohw_motion_free(motion);
}

/* Each shorter version of a good file: an error or fewer pages, never a crash. */
static void truncation_is_no_crash(void **state)
{
	const char text[] = GOOD;

	(void)state;
	for (size_t size = 0; size < sizeof(text) - 2; size++) {
		struct naohw_motion *motion;
		struct naohw_error err;

		assert_int_equal(naohw_motion_load(temp_file(text, size), &motion, &err), -EINVAL);
	}
}

static void nul_bytes_are_refused(void **state)
{
	char text[] = GOOD;
	struct naohw_motion *motion;
	struct naohw_error err;

	(void)state;
	*strstr(text, "512") = '\0';
	assert_int_equal(naohw_motion_load(temp_file(text, sizeof(text) - 1), &motion, &err),
			 -EINVAL);
	assert_says(&err, ":9: found \"step=?12");
}

/* Of ID 1, which counts to 1023 or to 4095; what its file says of ID 2 is of no matter. */
static int play_on(const struct servo_axis *axis, const char *text, struct naohw_error *err)
{
	struct naohw_motion *motion = load(text);
	struct naohw_player *player;
	int ret;

	assert_int_equal(player_create_dry(motion, axis, 1, &player, err), 0);
	ret = naohw_player_check(player, 1, err);
	naohw_player_free(player);
	naohw_motion_free(motion);
	return ret;
}

#define ALONE "page_begin\nname=Hello\ncompliance=" FIVES "6 7\nplay_param=0 0 1 1.0 5\n" STEP_A END_A
#define FOR(one)                                                                                   \
	"type=motion\nversion=1.01\nenable=" ONES "1 0\nmotor_type=0 " one " 1 "                   \
	"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" ALONE

static void files_are_for_servos_that_count_alike(void **state)
{
	struct servo_axis ten = ax12(1, "One"), twelve = ax12(1, "One");
	struct naohw_error err;

	(void)state;
	twelve.max = 4095;
	twelve.servo_scale = 2 * M_PI / 4096;
	twelve.servo_offset = -2048;
	assert_int_equal(play_on(&ten, FOR("0"), &err), 0);
	assert_int_equal(play_on(&twelve, FOR("1"), &err), 0);
	assert_int_equal(play_on(&twelve, FOR("0"), &err), -ENOTSUP);
	assert_says(&err, ":4: found motor_type 0 of ID 1, which is for servos that count to 1023, but One "
			  "(ID 1) counts to 4095");
	assert_int_equal(play_on(&ten, FOR("3"), &err), -ENOTSUP);
	assert_says(&err, ":4: found motor_type 3 of ID 1, which is for servos that count to 4095, but One "
			  "(ID 1) counts to 1023");
	assert_int_equal(play_on(&twelve, "type=motion\nversion=1.0\nenable=" ONES "1 0\n" ALONE, &err),
			 -ENOTSUP);
	assert_says(&err, ":2: found version 1.0, which is for servos that count to 1023");
	/* A NAO's motor counts from its zero both ways, and is spoken to as an MX-28. */
	twelve.min = -32768;
	twelve.max = 32767;
	twelve.servo_scale = 2 * M_PI / 65536;
	twelve.servo_offset = 0;
	assert_int_equal(play_on(&twelve, FOR("1"), &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_forms),
		cmocka_unit_test(faults_name_their_line),
		cmocka_unit_test(decimal_commas_are_points),
		cmocka_unit_test(a_checksum_as_text_is_named),
		cmocka_unit_test(other_forms_are_named),
		cmocka_unit_test(play_param_is_bounded),
		cmocka_unit_test(rates_are_cut_to_32nds),
		cmocka_unit_test(steps_are_bounded),
		cmocka_unit_test(eight_steps_are_refused),
		cmocka_unit_test(page_numbers_end_at_255),
		cmocka_unit_test(trailer_is_checked),
		cmocka_unit_test(trailer_may_have_a_line_end),
		cmocka_unit_test(blanks_are_no_trailer),
		cmocka_unit_test(a_broken_seal_is_played_when_told),
		cmocka_unit_test(files_are_for_servos_that_count_alike),
		cmocka_unit_test(truncation_is_no_crash),
		cmocka_unit_test(nul_bytes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
