// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lines that are long or much to do: other clients are served in between. */
#include "rpc_bed.h"

#include <errno.h>
#include <math.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../naohwd/rpc/array.h"
#include "../naohwd/rpc/message.h"
#include "../naohwd/rpc/server.h"
#include "../naohwd/rpc/values.h"

#define DESCRIBE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"describe\"}"
/* Of a line so much, with a character's rest, is read in a turn. */
#define PIECE	 (16 * 1024 + 3)
#define PATIENCE 2000

/* ---- a line that grows ---- */

static char line[1024 * 1024];
static size_t used;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line + used, sizeof(line) - used, format, args);
	va_end(args);
	assert_in_range(length, 0, sizeof(line) - used - 1);
	used += (size_t)length;
}

/* So often, with commas between */
static void add_times(const char *what, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		add("%s%s", i ? "," : "", what);
}

static void begin_call(const char *method)
{
	used = 0;
	add("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{", method);
}

/* A parameter that no method has, so that the answer is short: it is read before that is said. */
static void make_many(const char *what, unsigned int count)
{
	begin_call("describe");
	add("\"x\":[");
	add_times(what, count);
	add("]}}\n");
}

/* ---- turn by turn ---- */

static struct {
	int other;	      /* a client that asks again as soon as it has its answer */
	unsigned int between; /* its answers since the first piece of the line was read */
	unsigned int behind;  /* turns since the last one was */
	size_t most;	      /* bytes that json-c has had in one turn */
	unsigned int turns;   /* in which it has had some */
	size_t in_cycles;     /* bytes that it has had otherwise */
} seen;

static void ask_other(void)
{
	assert_int_equal(send(seen.other, DESCRIBE "\n", sizeof(DESCRIBE), 0), sizeof(DESCRIBE));
}

static void note_end(void)
{
	if (bed.parsed > sizeof(DESCRIBE))
		seen.behind = 0;
}

static bool turn(void)
{
	bool is_one;

	bed.parsed = 0;
	is_one = loop_once(bed.loop, 0);
	seen.turns += bed.parsed > 0;
	seen.behind += is_one;
	if (bed.parsed > seen.most)
		seen.most = bed.parsed;
	note_end();
	return is_one;
}

static void cycle(void)
{
	bed.parsed = 0;
	bed_cycle();
	seen.in_cycles += bed.parsed;
	note_end();
}

static size_t send_some(size_t sent)
{
	ssize_t size = 0;

	if (sent < used)
		size = send(bed.fd, line + sent, used - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
	return size > 0 ? sent + (size_t)size : sent;
}

/* Bytes that are there to be read are not read by this: nothing has its turn by it. */
static bool is_answered(int client)
{
	char byte;

	return recv(client, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

static void serve_other(void)
{
	static char answer[64 * 1024];

	if (!is_answered(seen.other))
		return;
	assert_true(recv(seen.other, answer, sizeof(answer), 0) > 0);
	seen.between += seen.most > sizeof(DESCRIBE);
	ask_other();
}

/* Until nobody has anything to do in this cycle, or the line has its answer */
static size_t all_turns(size_t sent)
{
	bool is_one = true;

	while (is_one && !is_answered(bed.fd)) {
		sent = send_some(sent);
		is_one = turn();
		serve_other();
	}
	return sent;
}

/* Say it beside the other one. Return: its answer, which lives until the next one. */
static struct json_object *say_line(void)
{
	size_t sent = 0;

	memset(&seen, 0, sizeof(seen));
	seen.other = bed_client();
	ask_other();
	for (unsigned int cycles = 0; !is_answered(bed.fd); cycles++) {
		assert_true(cycles < PATIENCE);
		cycle();
		sent = all_turns(sent);
	}
	close(seen.other);
	bed_settle();
	return bed_read(bed.fd);
}

static void assert_result(struct json_object *answer)
{
	if (!bed_at(answer, "result"))
		fail_msg("%s", json_object_to_json_string(answer));
}

/* ---- pieces ---- */

static void a_long_line_is_read_in_pieces(void **state)
{
	(void)state;
	begin_call("describe");
	add("%*s}}\n", 600 * 1024, "");
	assert_result(say_line());
	assert_in_range(seen.most, 1, PIECE);
	assert_in_range(seen.between, 20, 1000);
	assert_int_equal(seen.in_cycles, 0);
}

/* What has more in it takes longer to read: by that, 197 arrays are a piece. */
static void a_piece_is_shorter_where_there_is_more_in_it(void **state)
{
	(void)state;
	make_many("[]", MESSAGE_NESTS_MAX - 3);
	assert_non_null(strstr(bed_text(say_line(), "error/message"), "x: describe has no such"));
	assert_in_range(seen.most, 1, 1000);
	assert_in_range(seen.turns, MESSAGE_NESTS_MAX / 200, 1000);
	assert_int_equal(seen.in_cycles, 0);
}

static void lines_keep_their_order(void **state)
{
	(void)state;
	begin_call("describe");
	add("%*s}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"describe\"}\n", 600 * 1024, "");
	assert_int_equal(bed_number(say_line(), "id"), 1);
	bed_turns(2);
	assert_int_equal(bed_number(bed_read(bed.fd), "id"), 2);
	assert_null(bed_hear(bed.fd));
}

static void the_last_one_needs_no_end(void **state)
{
	(void)state;
	begin_call("describe");
	add("%*s}}", 600 * 1024, "");
	bed_send(bed.fd, line, used);
	shutdown(bed.fd, SHUT_WR);
	bed_turns(10);
	assert_result(bed_read(bed.fd));
	assert_true(bed_has_ended(bed.fd));
}

/* Of a line a part has been read. */
static void a_client_may_go_in_the_middle(void **state)
{
	int client = bed_client();

	(void)state;
	make_many("[{\"a\":\"b\"}]", 1000);
	bed_turns(4);
	assert_int_equal(send(client, line, used, MSG_DONTWAIT), used);
	for (seen.turns = 0; seen.turns < 4;)
		assert_true(turn());
	close(client);
	bed_turns(10);
	assert_int_equal(bed.rpc->client_count, 1);
	assert_result(bed_call(bed.fd, "describe", "{}"));
}

/* But for the byte at which something is wrong */
static void assert_same(const char *answer, const char *expected)
{
	const char *byte = strstr(expected, "byte ");
	size_t length = byte ? (size_t)(byte - expected) : strlen(expected) + 1;

	if (strncmp(answer, expected, length) != 0)
		fail_msg("'%s', expected '%s'", answer, expected);
}

/* Whatever a piece ends in, behind blanks of which there are as many as it takes */
static void it_is_the_same_wherever_it_is_cut(void **state)
{
	static const char *const lines[] = {
		"{\"jsonrpc\":\"2.0\",\"id\":-12.5e+1,\"method\":\"none\"}  ",
		"{\"jsonrpc\":\"2.0\","
		"\"id\":\"\\ud83e\\udd16 \xc3\xa4\xe2\x82\xac\xf0\x9f\xa4\x96\","
		"\"method\":\"none\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":\"\\\\ud83e\",\"method\":\"none\",\"params\":"
		"{\"a\":[true,false,null,1]}}",
		"{\"jsonrpc\":\"2.0\",\"id\":\"\\udd16\\ud83e\",\"method\":\"none\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"none\"} {}",
		"[1,{\"a\":-Infinity}]",
		"[1,1e999]",
		"{\"id\":\"\xc3\"}",
		"-12",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char *whole;

		used = 0;
		add("%s\n", lines[i]);
		whole = strdup(json_object_to_json_string(say_line()));
		assert_non_null(whole);
		for (size_t cut = 1; cut < strlen(lines[i]); cut++) {
			used = 0;
			add("%*s%s\n", (int)(MESSAGE_WORK_PIECE - cut), "", lines[i]);
			bed_send(bed.fd, line, used);
			bed_turns(1);
			assert_same(json_object_to_json_string(bed_read(bed.fd)), whole);
		}
		free(whole);
	}
}

/* ---- what a line may have ---- */

static void assert_refused(const char *message)
{
	struct json_object *answer = say_line();

	assert_int_equal(bed_number(answer, "error/code"), -32700);
	assert_string_equal(bed_text(answer, "error/message"), message);
	assert_result(bed_call(bed.fd, "describe", "{}"));
}

#define EXPECTED "expected 8192, 24576 and 4096 at the most"

static void what_is_wrong_with_a_line_is_said(void **state)
{
	(void)state;
	make_many("[]", 8190);
	assert_refused("too much in a line: found 8193 arrays and objects, 8192 commas and 5 "
		       "colons, " EXPECTED);
	make_many("0", 24575);
	assert_refused("too much in a line: found 3 arrays and objects, 24577 commas and 5 "
		       "colons, " EXPECTED);
	make_many("\":::\"", 1364);
	assert_refused("too much in a line: found 3 arrays and objects, 1366 commas and 4097 "
		       "colons, " EXPECTED);
	used = 0;
	add("{\"a\":\"b\",}\n");
	assert_refused("no JSON: unexpected character at byte 9");
	used = 0;
	add("[\"\\ud83e\"]\n");
	assert_refused("no JSON: half of a surrogate pair before byte 4");
	used = 0;
	add("[1e999]\n");
	assert_refused("no JSON: a number that is not finite");
}

static void make_set_alias(const char *alias, unsigned int actuators, unsigned int commands)
{
	begin_call("setAlias");
	add("\"alias\":\"%s\",\"commands\":[", alias);
	for (unsigned int i = 0; i < actuators; i++) {
		add("%s[", i ? "," : "");
		add_times("[0.123456789,9999]", commands);
		add("]");
	}
	add("]}}\n");
}

/* One that is as much as one may be, but for its name; and of all actuators that there are */
static void the_greatest_call_has_room(void **state)
{
	(void)state;
	make_set_alias("none", 8, RPC_WORK_CALL_MAX / 8 - RPC_WORK_OF_ACTUATOR);
	assert_string_equal(bed_text(say_line(), "error/data/name"), "ENOENT");
	bed_result(bed.fd, "createAlias",
		   "{'alias':'all','names':['" YAW_POSITION "','" PITCH_POSITION "','" YAW_HARDNESS
		   "','" PITCH_HARDNESS "']}");
	make_set_alias("all", 4, NAOHW_COMMANDS_MAX);
	assert_result(say_line());
}

static void a_name_has_its_bound(void **state)
{
	char name[2001];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	begin_call("set");
	add("\"name\":\"%s\",\"commands\":[]}}\n", name);
	assert_string_equal(bed_text(say_line(), "error/message"),
			    "name: found a text of 2000 bytes, expected 1024 at the most");
	begin_call("get");
	add("\"keys\":[\"%s\",\"DCM/Time\"]}}\n", name);
	assert_string_equal(bed_text(say_line(), "error/message"),
			    "keys: found a text of 2000 bytes, expected 1024 at the most");
	name[1024] = '\0';
	begin_call("get");
	add("\"keys\":[\"%s\"]}}\n", name);
	assert_string_equal(bed_text(say_line(), "error/data/name"), "ENOENT");
}

static void add_get(unsigned int keys)
{
	add("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"get\",\"params\":{\"keys\":[");
	add_times("\"DCM/Time\"", keys);
	add("]}}");
}

/* Between its requests others are served, too. */
static void the_greatest_batch_has_room(void **state)
{
	struct json_object *answer;

	(void)state;
	used = 0;
	for (unsigned int i = 0; i < 16; i++) {
		add("%c", i ? ',' : '[');
		add_get(VALUES_KEYS_MAX);
	}
	add("]\n");
	answer = say_line();
	assert_int_equal(json_object_array_length(answer), 16);
	assert_non_null(bed_at(answer, "0/result"));
	assert_in_range(seen.behind, 15, 1000);
}

/* What moves joints together is not torn apart. */
static void small_requests_of_a_batch_are_one_turn(void **state)
{
	(void)state;
	used = 0;
	add("[");
	add_times("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"set\",\"params\":"
		  "{\"name\":\"" YAW_POSITION "\",\"commands\":[[0,9]]}}",
		  60);
	add("]\n");
	assert_int_equal(json_object_array_length(say_line()), 60);
	assert_int_equal(seen.behind, 0);
}

/* ---- what is answered ---- */

/* Of a value each is a text from the beginning, and none is an object that becomes one. */
static void many_values_are_no_objects(void **state)
{
	struct json_object *result;

	(void)state;
	used = 0;
	add_get(VALUES_KEYS_MAX);
	add("\n");
	bed.members = 0;
	bed_send(bed.fd, line, used);
	bed_turns(2);
	assert_in_range(bed.members, 1, 10);
	result = bed_read(bed.fd);
	assert_int_equal(json_object_array_length(bed_at(result, "result/values")),
			 VALUES_KEYS_MAX);
	bed.members = 0;
	assert_result(bed_call(bed.fd, "list", "{}"));
	assert_in_range(bed.members, 1, 10);
}

static const char *value_text_of(const struct naohw_value *value)
{
	static char text[512];
	struct json_object *array = array_new();

	assert_non_null(array);
	value_add(array, "a", value);
	snprintf(text, sizeof(text), "%s",
		 json_object_to_json_string_ext(array, JSON_C_TO_STRING_PLAIN));
	json_object_put(array);
	return text;
}

static void assert_value(const struct naohw_value *value, struct json_object *expected)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "[{\"key\":\"a\",\"value\":%s,\"state\":\"fresh\",\"time\":-7}]",
		 json_object_to_json_string_ext(expected, JSON_C_TO_STRING_PLAIN |
								  JSON_C_TO_STRING_NOSLASHESCAPE));
	assert_string_equal(value_text_of(value), text);
	json_object_put(expected);
}

/* As json-c would, which has all digits of a number and escapes what a text must not have. */
static void values_are_as_json_has_them(void **state)
{
	static const double numbers[] = { 0,	 -0.0, 10,   0.1,  -1.5, 1e16,	 123456789012.5,
					  1e300, 1e17, 1e-7, 0.3f, 1,	 5e-324, HUGE_VAL };
	static const char *const texts[] = { "", "a/b", "\"\\", "\xc3\xa4", "\n\t\x01\xff" };
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = -7 };

	(void)state;
	value.type = NAOHW_KEY_FLOAT;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		value.number = numbers[i];
		/* A zero has no sign. */
		assert_value(&value, isfinite(numbers[i]) ?
					     json_object_new_double(numbers[i] + 0.0) :
					     NULL);
	}
	value.type = NAOHW_KEY_STRING;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(value.text, sizeof(value.text), "%s", texts[i]);
		assert_value(&value, value_text(texts[i]));
	}
	value.type = NAOHW_KEY_INT;
	value.integer = INT64_MIN;
	assert_value(&value, json_object_new_int64(INT64_MIN));
	value.type = NAOHW_KEY_BOOL;
	assert_value(&value, json_object_new_boolean(true));
}

/* ---- what waits ---- */

/* It has had what its line and its call take, and is given the keys that it waits for. */
static void a_line_that_waits_takes_nothing_twice(void **state)
{
	struct budget *budgets = bed.rpc->budgets;

	(void)state;
	budgets[THING_KEYS] = (struct budget){ .cycle = VALUES_KEYS_CYCLE, .left = -1 };
	bed_say(bed.fd, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"get\","
			"\"params\":{\"keys\":[\"DCM/Time\"]}}");
	assert_null(bed_hear(bed.fd));
	bed_turns(1);
	assert_result(bed_read(bed.fd));
	assert_int_equal(budgets[THING_CALLS].left, RPC_CALLS_CYCLE);
	assert_int_equal(budgets[THING_LINES].left, RPC_LINES_CYCLE);
	assert_int_equal(budgets[THING_KEYS].left, VALUES_KEYS_CYCLE - 2);
}

int main(void)
{
#define LINE_TEST(test) cmocka_unit_test_setup_teardown(test, bed_setup_client, bed_teardown_client)
	const struct CMUnitTest tests[] = {
		LINE_TEST(a_long_line_is_read_in_pieces),
		LINE_TEST(a_piece_is_shorter_where_there_is_more_in_it),
		LINE_TEST(lines_keep_their_order),
		LINE_TEST(the_last_one_needs_no_end),
		LINE_TEST(a_client_may_go_in_the_middle),
		LINE_TEST(it_is_the_same_wherever_it_is_cut),
		LINE_TEST(what_is_wrong_with_a_line_is_said),
		LINE_TEST(the_greatest_call_has_room),
		LINE_TEST(a_name_has_its_bound),
		LINE_TEST(the_greatest_batch_has_room),
		LINE_TEST(small_requests_of_a_batch_are_one_turn),
		LINE_TEST(many_values_are_no_objects),
		LINE_TEST(values_are_as_json_has_them),
		LINE_TEST(a_line_that_waits_takes_nothing_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
