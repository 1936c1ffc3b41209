// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lines of a command file: each form that they may have, and what is told of those that they may not. */
#include "support.h"

#include <unistd.h>

#include "../naohw/lines.h"
#include "../naohw/order.h"

/* What "+TIME" is counted from */
#define NOW 1000

/* ---- a line ---- */

static const char *const updates[] = {
	[NAOHW_UPDATE_MERGE] = "Merge",
	[NAOHW_UPDATE_CLEAR_ALL] = "ClearAll",
	[NAOHW_UPDATE_CLEAR_AFTER] = "ClearAfter",
	[NAOHW_UPDATE_CLEAR_BEFORE] = "ClearBefore",
};

static void print_command(FILE *file, const struct naohw_command *command)
{
	assert_int_equal(command->importance, 0);
	if (command->time == NAOHW_TIME_NONE)
		fprintf(file, " %g", command->value);
	else
		fprintf(file, " %g@%lld", command->value, (long long)command->time);
}

static void print_lists(FILE *file, const struct order *order)
{
	fprintf(file, "%s %s %s", order->kind == ORDER_SET ? "set" : "each", order->name,
		updates[order->update]);
	for (size_t i = 0; i < order->lists; i++) {
		fprintf(file, i ? " /" : ":");
		for (size_t j = 0; j < order->count[i]; j++)
			print_command(file, &order->list[i][j]);
	}
}

/* What was understood, in one form for all ways to say it. */
static void print_order(FILE *file, const struct order *order)
{
	switch (order->kind) {
	case ORDER_NONE:
		fprintf(file, "nothing");
		return;
	case ORDER_SET:
	case ORDER_EACH:
		print_lists(file, order);
		return;
	case ORDER_ALIAS:
		fprintf(file, "alias %s:", order->name);
		for (size_t i = 0; i < order->member_count; i++)
			fprintf(file, " %s", order->members[i]);
		return;
	case ORDER_WAIT:
		fprintf(file, "wait %lld", (long long)order->time);
		return;
	}
	fail_msg("kind %d", (int)order->kind);
}

/* That, or what is wrong. */
static const char *reading_of(const char *line)
{
	static char text[8192];
	struct naohw_error err = { "" };
	struct order order;
	FILE *file = fmemopen(text, sizeof(text), "w");
	int ret = order_parse(&order, line, NOW, &err);

	assert_non_null(file);
	if (ret == 0) {
		print_order(file, &order);
		order_free(&order);
	} else {
		assert_int_equal(ret, -EINVAL);
		fprintf(file, "%s", err.message);
	}
	fclose(file);
	return text;
}

static const struct {
	const char *line;
	const char *reading;
} table[] = {
	{ "", "nothing" },
	{ " \t ", "nothing" },
	{ "# set X 1@5", "nothing" },
	/* set */
	{ "set X 0.5@1000", "set X ClearAll: 0.5@1000" },
	{ "\tset  X\t-.5@0 1e-3@20   ", "set X ClearAll: -0.5@0 0.001@20" },
	{ "set X 0.5@1000 # 1@2000", "set X ClearAll: 0.5@1000" },
	{ "set X 0.5@1000#", "set X ClearAll: 0.5@1000" },
	{ "set X 0.5", "set X ClearAll: 0.5" },
	{ "set X 0.5@+250 1@+0", "set X ClearAll: 0.5@1250 1@1000" },
	{ "set X 2@7 1@7", "set X ClearAll: 2@7 1@7" },
	{ "set X Merge 1@2", "set X Merge: 1@2" },
	{ "set X ClearAll 1@2", "set X ClearAll: 1@2" },
	{ "set X ClearAfter 1@2", "set X ClearAfter: 1@2" },
	{ "set X ClearBefore 1@2", "set X ClearBefore: 1@2" },
	{ "set X ClearAll", "set X ClearAll:" },
	{ "set X 1@1000000000", "set X ClearAll: 1@1000000000" },
	{ "set X 1@+999999000", "set X ClearAll: 1@1000000000" },
	{ "set Head*/[HP]*/Actuator 1@2", "set Head*/[HP]*/Actuator ClearAll: 1@2" },
	{ "set 12 1@2", "set 12 ClearAll: 1@2" },
	{ "set", "found the end of the line, expected the name of an actuator or an alias" },
	{ "set X", "found the end of the line, expected VALUE@TIME; only ClearAll may have none" },
	{ "set X # 1@2", "found the end of the line, expected VALUE@TIME; only ClearAll may have none" },
	{ "set X Merge",
	  "found the end of the line, expected VALUE@TIME; only ClearAll may have none" },
	{ "set X clearall 1@2",
	  "found \"clearall\", expected VALUE@TIME, Merge, ClearAll, ClearAfter or ClearBefore" },
	{ "set X nan@2",
	  "found \"nan@2\", expected VALUE@TIME, Merge, ClearAll, ClearAfter or ClearBefore" },
	{ "set X Merge inf@2",
	  "found \"inf@2\", expected VALUE@TIME, Merge, ClearAll, ClearAfter or ClearBefore" },
	{ "set X 1@2 nan@3", "found \"nan\", expected a number" },
	{ "set X 1e999@2", "found \"1e999\", expected a number" },
	{ "set X 1,5@2", "found \"1,5\", expected a number" },
	{ "set X 1rad@2", "found \"1rad\", expected a number" },
	{ "set X @2", "found \"\", expected a number" },
	{ "set X 1@", "found \"\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1@2@3",
	  "found \"2@3\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1@-2",
	  "found \"-2\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1@2.5",
	  "found \"2.5\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1@2s",
	  "found \"2s\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1@1000000001",
	  "found \"1000000001\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1@+999999001",
	  "found \"+999999001\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1@99999999999999999999",
	  "found \"99999999999999999999\", expected a time in ms, 0 to 1000000000, or +TIME from "
	  "here on" },
	{ "set X 1@++5",
	  "found \"++5\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "set X 1 2", "found 1 without a time, expected it alone, or as 1@TIME" },
	{ "set X 1@5 2", "found 2 without a time, expected it alone, or as 2@TIME" },
	{ "set X 1 @5", "found \"\", expected a number" },
	{ "set X 1@5 / 2@5", "found \"/\", expected VALUE@TIME; \"/\" is for mixed and separate" },
	/* mixed */
	{ "mixed A 1@2", "each A ClearAll: 1@2" },
	{ "mixed A 1@2 3@4 / 5 / 6@+7", "each A ClearAll: 1@2 3@4 / 5 / 6@1007" },
	{ "mixed A Merge 1@2 / 3@4", "each A Merge: 1@2 / 3@4" },
	{ "mixed A ClearAll 1@2 / / 3@4", "each A ClearAll: 1@2 / / 3@4" },
	{ "mixed A ClearAll /", "each A ClearAll: /" },
	{ "mixed A", "found the end of the line, expected VALUE@TIME; only ClearAll may have none" },
	{ "mixed A 1@2 /",
	  "found the end of the line, expected VALUE@TIME; only ClearAll may have none" },
	{ "mixed A 1@2 / / 3@4", "found \"/\", expected VALUE@TIME; only ClearAll may have none" },
	{ "mixed A 1@2/3@4",
	  "found \"2/3@4\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	/* separate */
	{ "separate A 10 : 1", "each A ClearAll: 1@10" },
	{ "separate A Merge 10 +20 : 1 2 / 3 4 / 5 6",
	  "each A Merge: 1@10 2@1020 / 3@10 4@1020 / 5@10 6@1020" },
	{ "separate A", "found the end of the line, expected TIME, in ms" },
	{ "separate A ClearAll", "found the end of the line, expected TIME, in ms" },
	{ "separate A : 1",
	  "found \":\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	{ "separate A 10", "found the end of the line, expected \":\" and values for these times" },
	{ "separate A 10 :", "found the end of the line, expected a number" },
	{ "separate A 10 20 : 1 / 2 3", "found \"/\", expected a number" },
	{ "separate A 10 20 : 1 2 3",
	  "found \"3\", expected \"/\" or the end: there is a value for each time" },
	{ "separate A 10 : 1 /", "found the end of the line, expected a number" },
	{ "separate A 10 : 1@20", "found \"1@20\", expected a number" },
	{ "separate A 10: 1",
	  "found \"10:\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	/* alias */
	{ "alias A X", "alias A: X" },
	{ "alias Arms/Left-2_a.b X Y Z*", "alias Arms/Left-2_a.b: X Y Z*" },
	{ "alias", "found the end of the line, expected the name of an alias" },
	{ "alias A", "found the end of the line, expected the names of its actuators" },
	{ "alias A* X", "found \"A*\", expected the name of an alias, 1 to 63 letters, digits, '_', "
			"'-', '.' and '/'" },
	{ "alias aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa X",
	  "alias aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: X" },
	{ "alias aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa X",
	  "found \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", expected the "
	  "name of an alias, 1 to 63 letters, digits, '_', '-', '.' and '/'" },
	/* wait */
	{ "wait 0", "wait 0" },
	{ "wait 5000", "wait 5000" },
	{ "wait +5000", "wait 6000" },
	{ "wait", "found the end of the line, expected TIME, in ms" },
	{ "wait 1 2", "found \"2\", expected nothing more" },
	{ "wait -1", "found \"-1\", expected a time in ms, 0 to 1000000000, or +TIME from here on" },
	/* anything else */
	{ "Set X 1@2", "found \"Set\", expected set, mixed, separate, alias or wait" },
	{ "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
	  "found \"abcdefghijklmnopqrstuvwxyzabcdefghijklmn\", expected set, mixed, separate, alias "
	  "or wait" },
};

static void each_line_has_its_reading(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *reading = reading_of(table[i].line);

		if (strcmp(reading, table[i].reading) != 0)
			fail_msg("\"%s\": \"%s\", expected \"%s\"", table[i].line, reading,
				 table[i].reading);
	}
}

/* So many commands for an actuator. */
static const char *set_of(size_t commands)
{
	static char line[8192];
	char *at = stpcpy(line, "set X");

	for (size_t i = 0; i < commands; i++)
		at += sprintf(at, " 1@%zu", i);
	return line;
}

static void there_are_up_to_512_commands(void **state)
{
	struct naohw_error err;
	struct order order;

	(void)state;
	assert_int_equal(order_parse(&order, set_of(512), 0, &err), 0);
	assert_int_equal(order.count[0], 512);
	order_free(&order);
	assert_string_equal(reading_of(set_of(513)),
			    "found 513 commands for an actuator, expected 512 at the most");
}

/* ---- lines ---- */

/* What comes in pieces of @size bytes: its lines, and "!" with what is wrong. */
static const char *lines_of(const char *text, size_t length, size_t size, bool is_stream)
{
	static char found[16384];
	char *at = found;
	struct lines lines;
	struct naohw_error err;
	char *line;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	lines_begin(&lines, ends[0], is_stream);
	*at = '\0';
	while (!lines_are_over(&lines)) {
		int ret = lines_take(&lines, &line, &err);

		if (ret < 0)
			at += sprintf(at, "%lu!%s|", lines.number, err.message);
		else if (ret > 0)
			at += sprintf(at, "%lu:%s|", lines.number, line);
		else if (length == 0 && ends[1] >= 0) {
			close(ends[1]);
			ends[1] = -1;
			assert_int_equal(lines_fill(&lines), 0);
		} else {
			size_t piece = size < length ? size : length;

			assert_int_equal(write(ends[1], text, piece), piece);
			text += piece;
			length -= piece;
			assert_int_equal(lines_fill(&lines), 0);
		}
	}
	close(ends[0]);
	return found;
}

static void assert_lines(const char *text, size_t length, bool is_stream, const char *expected)
{
	static const size_t sizes[] = { 1, 2, 7, 4096 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		assert_string_equal(lines_of(text, length, sizes[i], is_stream), expected);
}

#define LINES(text, is_stream, expected) assert_lines(text, sizeof(text) - 1, is_stream, expected)

static void lines_end_as_anywhere(void **state)
{
	(void)state;
	LINES("", false, "");
	LINES("a\nbc\n", false, "1:a|2:bc|");
	LINES("a\r\n\r\nb\n", false, "1:a|2:|3:b|");
	LINES("\xef\xbb\xbf" "a\n\xef\xbb\xbf\n", false, "1:a|2:\xef\xbb\xbf|");
	LINES("Gr\xc3\xbc\xc3\x9f" "e\tan alle\n", false, "1:Gr\xc3\xbc\xc3\x9f" "e\tan alle|");
}

static void the_last_line_of_a_file_may_lack_its_end(void **state)
{
	(void)state;
	LINES("a\nb", false, "1:a|2:b|");
	LINES("a\nb\r", false, "1:a|2:b|");
	LINES("a\nb", true, "1:a|2!found a line that does not end, and so may not be whole|");
	LINES("a\n", true, "1:a|");
}

static void what_is_no_text_is_no_line(void **state)
{
	(void)state;
	LINES("a\n\033[2J\nb\n", true, "1:a|2!found a control character, expected text|3:b|");
	LINES("a\0b\nc\n", true, "1!found a control character, expected text|2:c|");
	LINES("a\rb\n\x7f\n", true,
	      "1!found a control character, expected text|2!found a control character, expected "
	      "text|");
}

static char *put_many(char *at, size_t count, const char *end)
{
	memset(at, 'x', count);
	return stpcpy(at + count, end);
}

static void a_line_has_4096_bytes_at_the_most(void **state)
{
	static const char expected[] =
		"1!found a line of more than 4096 bytes, expected a shorter one|2:end|";
	char text[20000];
	size_t length;

	(void)state;
	stpcpy(put_many(text, 4096, "\r\n"), "end\n");
	length = strlen(text);
	assert_int_equal(strlen(lines_of(text, length, 4097, true)), strlen("1:|2:end|") + 4096);
	for (size_t size = 4097; size < 19000; size += 4999) {
		length = (size_t)(stpcpy(put_many(text, size, "\n"), "end\n") - text);
		assert_lines(text, length, true, expected);
		assert_lines(text, length, false, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_has_its_reading),
		cmocka_unit_test(there_are_up_to_512_commands),
		cmocka_unit_test(lines_end_as_anywhere),
		cmocka_unit_test(the_last_line_of_a_file_may_lack_its_end),
		cmocka_unit_test(what_is_no_text_is_no_line),
		cmocka_unit_test(a_line_has_4096_bytes_at_the_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
