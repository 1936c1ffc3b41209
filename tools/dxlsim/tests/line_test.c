// SPDX-License-Identifier: GPL-2.0-or-later
/* The line by itself: order, time, and what becomes of two at once. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../bus/bus.h"

#define BYTE	10	/* how long a byte takes here */

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct line));

	return 0;
}

static int tear_down(void **state)
{
	free(*state);

	return 0;
}

static struct clash say(struct line *line, u16 talk, nsec_t start, u8 value)
{
	struct line_byte byte = { .start = start, .end = start + BYTE,
				  .talk = talk, .packet = talk, .value = value };

	return line_put(line, &byte);
}

static void say_all(struct line *line, u16 talk, nsec_t start, const char *text)
{
	for (; *text; text++, start += BYTE)
		say(line, talk, start, *text);
}

static const char *take(struct line *line, nsec_t now)
{
	static u8 bytes[LINE_BYTES + 1];

	bytes[line_take(line, now, bytes)] = '\0';

	return (const char *)bytes;
}

static void bytes_come_when_the_last_has_passed(void **state)
{
	struct line *line = *state;

	say_all(line, line_talk(line, 0, 1), 100, "abc");
	assert_int_equal(line_due(line), 130);
	assert_string_equal(take(line, 129), "");
	assert_string_equal(take(line, 130), "abc");
	assert_int_equal(line_due(line), NSEC_NEVER);
	assert_string_equal(take(line, 1000), "");
}

static void a_pause_and_another_packet_divide(void **state)
{
	struct line *line = *state;
	u16 talk = line_talk(line, 0, 1);

	say_all(line, talk, 100, "ab");
	say_all(line, talk, 121, "c");
	say_all(line, line_talk(line, 0, 1), 131, "d");
	assert_int_equal(line_due(line), 120);
	assert_string_equal(take(line, 500), "ab");
	assert_int_equal(line_due(line), 131);
	assert_string_equal(take(line, 500), "c");
	assert_string_equal(take(line, 500), "d");
}

static void no_more_than_a_fifo_at_a_time(void **state)
{
	struct line *line = *state;
	u16 talk = line_talk(line, 0, 1);
	int i;

	for (i = 0; i < 150; i++)
		say(line, talk, i * BYTE, 'x');
	assert_int_equal(line_due(line), LINE_FIFO * BYTE);
	assert_int_equal(strlen(take(line, 5000)), LINE_FIFO);
	assert_int_equal(strlen(take(line, 5000)), LINE_FIFO);
	assert_int_equal(strlen(take(line, 5000)), 150 - 2 * LINE_FIFO);
}

/* On a slow line a FIFO is emptied before it is full. */
static void no_longer_than_a_while(void **state)
{
	struct line *line = *state;
	struct line_byte byte = { .end = 0, .value = 'x' };
	u8 bytes[LINE_BYTES];
	int i;

	for (i = 0; i < 20; i++) {
		byte.start = byte.end;
		byte.end += 200 * NSEC_PER_USEC;
		line_put(line, &byte);
	}
	assert_int_equal(line_due(line), 800 * NSEC_PER_USEC);
	assert_int_equal(line_take(line, 1 * NSEC_PER_SEC, bytes), 4);
}

static void later_ones_may_come_first(void **state)
{
	struct line *line = *state;

	say_all(line, line_talk(line, 0, 1), 500, "late");
	say_all(line, line_talk(line, 1, 2), 100, "soon");
	assert_int_equal(line_due(line), 140);
	assert_string_equal(take(line, 1000), "soon");
	assert_string_equal(take(line, 1000), "late");
}

static void two_at_once_are_neither(void **state)
{
	struct line *line = *state;
	u16 first = line_talk(line, 0, 1), second = line_talk(line, 1, 2);
	struct clash clash;

	say(line, first, 100, 0x0f);
	clash = say(line, second, 104, 0x35);
	assert_int_equal(clash.count, 1);
	assert_int_equal(clash.talk[0], first);
	assert_int_equal(clash.value, 0x05);
	assert_true(line->talk[first].damaged);
	assert_true(line->talk[second].damaged);
	/* One byte is heard, not two. */
	assert_string_equal(take(line, 1000), "\x05");
	assert_string_equal(take(line, 1000), "");
}

static void a_byte_between_two_harms_both(void **state)
{
	struct line *line = *state;
	u16 first = line_talk(line, 0, 1);
	struct clash clash;

	say(line, first, 100, 0xff);
	say(line, first, 110, 0xff);
	clash = say(line, line_talk(line, 1, 2), 105, 0x55);
	assert_int_equal(clash.count, 2);
	assert_string_equal(take(line, 1000), "\x55\x55");
}

static void what_touches_does_not_meet(void **state)
{
	struct line *line = *state;

	say(line, line_talk(line, 0, 1), 100, 'a');
	assert_int_equal(say(line, line_talk(line, 1, 2), 110, 'c').count, 0);
	assert_int_equal(say(line, line_talk(line, 1, 2), 90, 'b').count, 0);
	assert_string_equal(take(line, 1000), "b");
	assert_string_equal(take(line, 1000), "a");
	assert_string_equal(take(line, 1000), "c");
}

/* Two devices that say the same in the same moment are as one. */
static void the_same_at_once_is_heard(void **state)
{
	struct line *line = *state;
	u16 first = line_talk(line, 0, 1);

	say_all(line, first, 100, "same");
	say_all(line, line_talk(line, 1, 1), 100, "same");
	assert_false(line->talk[first].damaged);
	assert_string_equal(take(line, 1000), "same");
	assert_string_equal(take(line, 1000), "");
}

static void without_time_nothing_meets(void **state)
{
	struct line *line = *state;
	struct line_byte byte = { .start = 5, .end = 5, .value = 'a' };

	for (byte.value = 'a'; byte.value < 'a' + 20; byte.value++)
		assert_int_equal(line_put(line, &byte).count, 0);
	assert_string_equal(take(line, 5), "abcdefghijklmnopqrst");
}

static void hidden_bytes_are_for_the_others(void **state)
{
	struct line *line = *state;
	u16 host = line_talk(line, TALKER_HOST, 255);
	struct line_byte byte = { .start = 100, .end = 110, .talk = host,
				  .packet = 99, .value = 'h', .hidden = true };

	line_put(line, &byte);
	assert_int_equal(line_due(line), NSEC_NEVER);
	say_all(line, line_talk(line, 0, 1), 110, "ab");
	assert_int_equal(line_quiet(line, 110), 0);
	assert_string_equal(take(line, 1000), "ab");
	line_put(line, &byte);
	line_show(line, host);
	assert_string_equal(take(line, 1000), "h");
}

static void what_has_passed_can_be_forgotten(void **state)
{
	struct line *line = *state;
	struct line_byte byte = { .start = 100, .end = 110, .hidden = true };

	line_put(line, &byte);
	line_prune(line, 109);
	assert_int_equal(line->count, 1);
	line_prune(line, 110);
	assert_int_equal(line->count, 0);
	assert_int_equal(line_quiet(line, 200), 90);
}

static void silence_is_measured_from_the_last_byte(void **state)
{
	struct line *line = *state;
	u16 talk = line_talk(line, 0, 1);

	assert_int_equal(line_quiet(line, 50), 50);
	say_all(line, talk, 100, "ab");
	say_all(line, talk, 900, "late");
	assert_int_equal(line_quiet(line, 150), 30);
	assert_int_equal(line_quiet(line, 119), 0);
	take(line, 200);
	assert_int_equal(line_quiet(line, 220), 100);
}

static void one_that_is_cut_off(void **state)
{
	struct line *line = *state;
	u16 talk = line_talk(line, 7, 1);

	say_all(line, talk, 100, "abcdef");
	say_all(line, line_talk(line, 8, 2), 200, "other");
	assert_int_equal(line_cut(line, 7, 125), 3);
	assert_true(line->talk[talk].damaged);
	assert_string_equal(take(line, 1000), "abc");
	assert_string_equal(take(line, 1000), "other");
}

/* Whatever is said when: bytes come in order, none twice, none from nowhere. */
static void noise(void **state)
{
	struct line *line = *state;
	uint64_t seed = 9;
	u8 bytes[LINE_BYTES];
	int round, put = 0, lost = 0, got = 0;

	for (round = 0; round < 20000; round++) {
		struct line_byte byte = {
			.start = round * 5 + random_below(&seed, 400),
			.talk = line_talk(line, round & 7, 1),
			.packet = round / 10, .value = 1,
		};
		nsec_t due;

		byte.end = byte.start + 1 + random_below(&seed, 20);
		if (line_put(line, &byte).count)
			lost++;
		put++;
		due = line_due(line);
		if (due <= (nsec_t)round * 5)
			got += line_take(line, round * 5, bytes);
		assert_true(line->count < 500);
	}
	got += line->count;
	assert_int_equal(got + lost, put);
	for (round = 1; round < (int)line->count; round++)
		assert_true(line->byte[(line->head + round - 1) % LINE_BYTES].end <=
			    line->byte[(line->head + round) % LINE_BYTES].start);
}

#define LINE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LINE_TEST(bytes_come_when_the_last_has_passed),
		LINE_TEST(a_pause_and_another_packet_divide),
		LINE_TEST(no_more_than_a_fifo_at_a_time),
		LINE_TEST(no_longer_than_a_while),
		LINE_TEST(later_ones_may_come_first),
		LINE_TEST(two_at_once_are_neither),
		LINE_TEST(a_byte_between_two_harms_both),
		LINE_TEST(what_touches_does_not_meet),
		LINE_TEST(the_same_at_once_is_heard),
		LINE_TEST(without_time_nothing_meets),
		LINE_TEST(hidden_bytes_are_for_the_others),
		LINE_TEST(what_has_passed_can_be_forgotten),
		LINE_TEST(silence_is_measured_from_the_last_byte),
		LINE_TEST(one_that_is_cut_off),
		LINE_TEST(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
