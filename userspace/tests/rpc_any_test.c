// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Anything that clients may say, by chance: requests that are right, nearly right and wrong, alone,
 * in batches and in pieces, from clients that come and go as they like. Each request is answered
 * once, by the documentation's schema (rpc-schema-test); no client is let go for what it says; and
 * what clients have held is let go with them. NAOHW_SEQUENCES=N tries more.
 */
#include "rpc_bed.h"

#include <sys/socket.h>
#include <unistd.h>

#include "../naohwd/lease/table.h"
#include "../naohwd/rpc/server.h"
#include "seeds.h"

#define SEQUENCES 40
#define STEPS	  60
/* So many that in a cycle not all can have as much as one alone may */
#define CLIENTS 12
/* Of a client; answers are told from each other by them. */
#define IDS 512
/* Cycles in which all that waits is answered, and all that ends has ended */
#define PATIENCE 4000

static struct one {
	int fd;
	unsigned int asked; /* ids from 0 on */
	bool waits[IDS];
	unsigned int waiting;
	char *request[IDS];	   /* NULL: it was in a batch */
	unsigned int lease, watch; /* the last ones */
} clients[CLIENTS], *speaker;

/* ---- a text that grows ---- */

static char text[64 * 1024];
static size_t used;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text + used, sizeof(text) - used, format, args);
	va_end(args);
	assert_in_range(length, 0, sizeof(text) - used - 1);
	used += (size_t)length;
}

/* One of some texts, as it is */
#define ADD_ONE_OF(...)                                                     \
	do {                                                                \
		static const char *const given[] = { __VA_ARGS__ };         \
                                                                            \
		add("%s", given[chance(sizeof(given) / sizeof(given[0]))]); \
	} while (0)

/* Mostly one of those in ( ) */
#define ADD_MOSTLY(right, ...)                   \
	do {                                     \
		if (chance(12))                  \
			ADD_ONE_OF right;        \
		else                             \
			ADD_ONE_OF(__VA_ARGS__); \
	} while (0)

/* Nearly always of the length that is right. */
static void add_list(unsigned int length, void (*item)(void))
{
	unsigned int count = chance(20) ? length : chance(4);

	add("[");
	for (unsigned int i = 0; i < count; i++) {
		add("%s", i ? "," : "");
		item();
	}
	add("]");
}

/* ---- parameters ---- */

/* How much a request is about */
static unsigned int things, times;

static void add_anything(void)
{
	ADD_ONE_OF("true", "false", "null", "0", "-1", "1.5", "1e10", "-1e300",
		   "9223372036854775807", "18446744073709551616", "\"\"", "\"a\"", "\"\\u0000\"",
		   "\"\\ud83e\\udd16\"", "[]", "{}", "[[]]", "[null]", "{\"a\":[1,2]}", "[1,2,3,4]",
		   "\"HeadYaw\"");
}

static void add_number(void)
{
	ADD_MOSTLY(("0", "1", "0.25", "0.5"), "-0.0", "-1", "1e10", "-1e300", "5e-324");
}

static void add_time(void)
{
	ADD_MOSTLY(("0", "10", "50", "100", "200"), "-100", "null", "1.5", "9007199254740992",
		   "1e17");
}

static void add_command(void)
{
	add("[");
	add_number();
	add(",");
	add_time();
	add("]");
}

static void add_commands(void)
{
	add_list(times, add_command);
}

static void add_lists(void)
{
	add_list(things, add_commands);
}

static void add_times(void)
{
	add_list(times, add_time);
}

static void add_numbers(void)
{
	add_list(times, add_number);
}

static void add_rows(void)
{
	add_list(things, add_numbers);
}

static void add_begin(void)
{
	ADD_MOSTLY(("0", "20", "-50"), "\"now\"", "null");
}

static void add_end_time(void)
{
	ADD_MOSTLY(("100", "250", "1000"), "0", "true");
}

static void add_goal(void)
{
	ADD_MOSTLY(("0.1", "-0.2", "0"), "\"a\"", "null");
}

static void add_goals(void)
{
	add_list(things, add_goal);
}

static void add_name(void)
{
	ADD_MOSTLY(("\"" YAW_POSITION "\"", "\"" PITCH_POSITION "\"", "\"" YAW_HARDNESS "\"",
		    "\"" PITCH_HARDNESS "\"", "\"alias\"", "\"other\""),
		   "\"Nobody\"", "\"\"", "\"HeadYaw\"", "\"DCM/Time\"");
}

static void add_names(void)
{
	add_list(things, add_name);
}

static void add_alias(void)
{
	ADD_MOSTLY(("\"alias\"", "\"other\""), "\"Lease/Hold\"", "\"LoLA/Position\"", "\"\"",
		   "\"" YAW_POSITION "\"");
}

static void add_key(void)
{
	ADD_MOSTLY(("\"DCM/Time\"", "\"DCM/Lease/HeadYaw\"", "\"" BED_KEY(YAW_POSITION) "\"",
		    "\"" BED_KEY(PITCH_HARDNESS) "\""),
		   "\"Device/Nobody/Value\"", "\"\"");
}

static void add_keys(void)
{
	add_list(things, add_key);
}

static void add_flag(void)
{
	ADD_ONE_OF("true", "false");
}

static void add_update(void)
{
	ADD_MOSTLY(("\"merge\"", "\"clearAll\"", "\"clearAfter\"", "\"clearBefore\""), "\"clear\"");
}

static void add_base(void)
{
	ADD_MOSTLY(("\"now\"", "\"clock\""), "\"then\"");
}

static void add_pattern(void)
{
	ADD_MOSTLY(("\"*\"", "\"DCM/*\"", "\"*Yaw?Position*\""), "\"\"",
		   "\"********************\"");
}

static void add_limit(void)
{
	ADD_MOSTLY(("1", "7", "4096"), "4097", "0");
}

static void add_period(void)
{
	ADD_MOSTLY(("0", "10", "15", "3600000"), "3600001", "-1");
}

static void add_id(unsigned int last)
{
	if (chance(4))
		add("%u", last);
	else
		ADD_ONE_OF("0", "1", "4294967295", "4294967296");
}

static void add_lease(void)
{
	add_id(speaker->lease);
}

static void add_watch(void)
{
	add_id(speaker->watch);
}

/* Both joints, so that any pose may be of it */
static void add_all(void)
{
	add("[\"HeadYaw\",\"HeadPitch\"]");
}

static void add_rest(void)
{
	add("\"rest\"");
}

static void add_speed(void)
{
	ADD_MOSTLY(("1", "0.01", "100"), "0.001");
}

static void add_repeat(void)
{
	ADD_MOSTLY(("1", "2", "65535"), "65536");
}

static void add_end(void)
{
	ADD_MOSTLY(("\"hold\"", "\"soften\"", "\"free\""), "\"rest\"", "\"fall\"");
}

static void add_seconds(void)
{
	ADD_MOSTLY(("0", "0.1", "1"), "60", "61");
}

static void add_timeout(void)
{
	ADD_MOSTLY(("0.1", "1", "3600"), "0", "3601");
}

static void add_pose(void)
{
	ADD_MOSTLY(("{\"HeadYaw\":0}", "{\"HeadPitch\":0.5}"),
		   "{\"HeadPitch\":0.5,\"HeadYaw\":-1e10}", "{\"Nobody\":0}", "{}",
		   "{\"HeadYaw\":null}");
}

static void add_event(void)
{
	ADD_MOSTLY(("\"stream\"", "\"leases\"", "\"play\"", "\"diagnosis\""), "\"news\"");
}

static void add_events(void)
{
	add_list(things, add_event);
}

static void add_motion(void)
{
	ADD_ONE_OF("\"go\"", "\"\"", "\"../go\"");
}

static void add_page(void)
{
	ADD_MOSTLY(("1", "\"1\"", "\"go\""), "0", "256", "\"nobody\"");
}

static void add_motion_text(void)
{
	add("\"type=motion\\nversion=1.01\\n"
	    "enable=0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\\n"
	    "motor_type=0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\\n"
	    "page_begin\\nname=go\\n"
	    "compliance=5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5\\n"
	    "play_param=%s 0 1 1.0 32\\n",
	    chance(2) ? "1" : "0");
	add("step=512 %u 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 "
	    "512 512 512 512 512 0.000 0.400\\n%s\"",
	    500 + chance(60), chance(5) ? "page_end\\n" : "");
}

/* ---- requests ---- */

/* Of a method */
#define PARAMS_MAX 8

enum need { MAY, MUST };

static const struct wanted {
	const char *method;
	struct wanted_param {
		const char *name;
		enum need need;
		void (*add)(void);
	} params[PARAMS_MAX];
} wanted[] = {
	{ "createAlias", { { "alias", MUST, add_alias }, { "names", MUST, add_names } } },
	{ "describe", { { NULL } } },
	{ "flush", { { NULL } } },
	{ "get", { { "keys", MUST, add_keys } } },
	{ "lease",
	  { { "names", MUST, add_names },
	    { "end", MAY, add_end },
	    { "seconds", MAY, add_seconds },
	    { "exclusive", MAY, add_flag },
	    { "timeout", MAY, add_timeout } } },
	{ "lease",
	  { { "names", MUST, add_all },
	    { "end", MUST, add_rest },
	    { "seconds", MAY, add_seconds },
	    { "pose", MUST, add_pose } } },
	{ "leases", { { NULL } } },
	{ "limp", { { NULL } } },
	{ "list",
	  { { "pattern", MAY, add_pattern },
	    { "after", MAY, add_key },
	    { "limit", MAY, add_limit } } },
	{ "play",
	  { { "text", MUST, add_motion_text },
	    { "page", MUST, add_page },
	    { "speed", MAY, add_speed },
	    { "repeat", MAY, add_repeat },
	    { "head", MAY, add_flag },
	    { "stiff", MAY, add_flag },
	    { "stays", MAY, add_flag } } },
	{ "play", { { "motion", MUST, add_motion }, { "page", MUST, add_page } } },
	{ "recover", { { NULL } } },
	{ "rest", { { NULL } } },
	{ "release", { { "lease", MUST, add_lease } } },
	{ "removeAlias", { { "alias", MUST, add_alias } } },
	{ "revoke", { { "lease", MUST, add_lease } } },
	{ "set",
	  { { "name", MUST, add_name },
	    { "update", MAY, add_update },
	    { "base", MAY, add_base },
	    { "commands", MUST, add_commands } } },
	{ "setAlias",
	  { { "alias", MUST, add_alias },
	    { "update", MAY, add_update },
	    { "base", MAY, add_base },
	    { "commands", MUST, add_lists } } },
	{ "setAlias",
	  { { "alias", MUST, add_alias },
	    { "update", MAY, add_update },
	    { "times", MUST, add_times },
	    { "values", MUST, add_rows } } },
	{ "setStep",
	  { { "names", MUST, add_names },
	    { "base", MAY, add_base },
	    { "begin", MUST, add_begin },
	    { "end", MUST, add_end_time },
	    { "goals", MUST, add_goals } } },
	{ "stop", { { "halt", MAY, add_flag } } },
	{ "subscribe", { { "events", MUST, add_events } } },
	{ "unwatch", { { "watch", MUST, add_watch } } },
	{ "wakeUp", { { NULL } } },
	{ "diagnose", { { NULL } } },
	{ "watch",
	  { { "keys", MUST, add_keys },
	    { "period", MAY, add_period },
	    { "changes", MAY, add_flag } } },
};

/* Most are as they must be, so that what is asked for is often done. */
static void add_param(const struct wanted_param *param, const char **comma)
{
	if (param->need == MAY ? chance(2) : chance(40) == 0)
		return;
	add("%s\"%s\":", *comma, chance(80) ? param->name : "nobody");
	*comma = ",";
	if (chance(40))
		param->add();
	else
		add_anything();
}

static void add_params(const struct wanted *method)
{
	const char *comma = "";

	add("{");
	for (size_t i = 0; i < PARAMS_MAX && method->params[i].name; i++)
		add_param(&method->params[i], &comma);
	add("}");
}

static void add_request(struct one *one, bool is_alone)
{
	const struct wanted *method = &wanted[chance(sizeof(wanted) / sizeof(wanted[0]))];
	unsigned int id = one->asked;
	size_t begin = used;

	speaker = one;
	things = 1 + chance(3);
	times = 1 + chance(3);
	if (chance(8) == 0 || id == IDS) {
		add("{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":", method->method);
		add_params(method);
		add("}");
		return;
	}
	add("{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":", id, method->method);
	add_params(method);
	add("}");
	one->asked++;
	one->waits[id] = true;
	one->waiting++;
	if (is_alone)
		one->request[id] = strndup(text + begin, used - begin);
}

/* ---- answers ---- */

static void note_id(struct json_object *answer, const char *where, unsigned int *id)
{
	if (bed_at(answer, where))
		*id = (unsigned int)bed_number(answer, where);
}

static void take_answer(struct one *one, struct json_object *answer)
{
	struct json_object *asked, *id = bed_at(answer, "id");
	unsigned int number;

	note_id(answer, "result/lease", &one->lease);
	note_id(answer, "result/watch", &one->watch);
	/* Of garbage it is null. */
	if (!id)
		return;
	number = (unsigned int)json_object_get_int(id);
	assert_in_range(number, 0, one->asked - 1);
	if (!one->waits[number])
		fail_msg("%u is answered again: %s", number, json_object_to_json_string(answer));
	one->waits[number] = false;
	one->waiting--;
	if (!one->request[number])
		return;
	asked = json_tokener_parse(one->request[number]);
	bed_record(bed_text(asked, "method"), one->request[number],
		   json_object_to_json_string_ext(answer, JSON_C_TO_STRING_PLAIN));
	json_object_put(asked);
}

static void take_line(struct one *one, const char *line)
{
	struct json_object *json = json_tokener_parse(line);

	if (!json)
		fail_msg("no JSON: '%.200s'", line);
	if (json_object_is_type(json, json_type_array))
		for (size_t i = 0; i < json_object_array_length(json); i++)
			take_answer(one, json_object_array_get_idx(json, i));
	else if (!bed_at(json, "method"))
		take_answer(one, json);
	json_object_put(json);
}

static void hear(struct one *one)
{
	const char *line;

	while ((line = bed_hear(one->fd)))
		take_line(one, line);
}

/* ---- clients ---- */

static void leave(struct one *one)
{
	close(one->fd);
	for (unsigned int i = 0; i < one->asked; i++)
		free(one->request[i]);
	*one = (struct one){ .fd = -1 };
	bed_settle();
}

static void come(struct one *one)
{
	one->fd = bed_client();
}

/* All of it, or the beginning alone, whose rest comes with what is said next: a line of its own */
static void say(struct one *one)
{
	size_t half = chance(4) ? used : chance((unsigned int)used + 1);

	bed_send(one->fd, text, half);
	if (half < used && chance(2))
		bed_turns(1);
	bed_send(one->fd, text + half, used - half);
	used = 0;
}

static void say_one(struct one *one)
{
	if (chance(2))
		hear(one);
	add_request(one, true);
	add("\n");
	say(one);
}

/* More than what it may have done in a cycle */
static void say_too_much(struct one *one)
{
	for (unsigned int i = 0; i < 40; i++) {
		add_request(one, true);
		add("\n");
	}
	say(one);
}

static void all_say_too_much(void)
{
	for (int i = 0; i < CLIENTS; i++)
		if (clients[i].fd >= 0)
			say_too_much(&clients[i]);
}

static void say_batch(struct one *one)
{
	unsigned int count = 1 + chance(6);

	add("[");
	while (count--) {
		add_request(one, false);
		add(count ? "," : "]\n");
	}
	say(one);
}

/* A request whose end is missing, or is another's */
static void say_garbage(struct one *one)
{
	unsigned int asked = one->asked;

	add_request(one, false);
	/* What it is answered is nobody's. */
	if (one->asked != asked) {
		one->asked = asked;
		one->waits[asked] = false;
		one->waiting--;
	}
	used = chance((unsigned int)used);
	add("%s\n", chance(2) ? "" : "\xff\"}]");
	bed_send(one->fd, text, used);
	used = 0;
}

static void step(void)
{
	struct one *one = &clients[chance(CLIENTS)];

	if (one->fd < 0) {
		come(one);
		return;
	}
	switch (chance(16)) {
	case 0:
		leave(one);
		break;
	case 1:
		say_garbage(one);
		break;
	case 2:
	case 3:
		say_batch(one);
		break;
	case 4:
		if (chance(8) == 0)
			all_say_too_much();
		break;
	case 5:
		bed_turns(1 + chance(20));
		break;
	case 6:
	case 7:
		hear(one);
		break;
	default:
		say_one(one);
	}
}

/* ---- what holds ---- */

static void all_is_answered(struct one *one)
{
	for (unsigned int turns = 0; one->fd >= 0 && one->waiting; turns++) {
		if (turns == PATIENCE)
			fail_msg("%u requests have no answer", one->waiting);
		bed_turns(1);
		hear(one);
		if (bed_has_ended(one->fd))
			fail_msg("the daemon has let it go: %s", bed.said);
	}
}

static void nothing_is_held(void)
{
	for (unsigned int turns = 0; bed.leases->first || bed.leases->ended; turns++) {
		assert_true(turns < PATIENCE);
		bed_turns(1);
	}
	for (size_t i = 0; i < bed.leases->count; i++) {
		assert_int_equal(bed.leases->table[i].count, 0);
		assert_null(bed.leases->table[i].alone);
	}
}

static void anything(void)
{
	*bed.said = '\0';
	for (int i = 0; i < CLIENTS; i++)
		come(&clients[i]);
	for (int i = 0; i < STEPS; i++)
		step();
	for (int i = 0; i < CLIENTS; i++)
		all_is_answered(&clients[i]);
	for (int i = 0; i < CLIENTS; i++)
		if (clients[i].fd >= 0)
			leave(&clients[i]);
	bed_turns(2);
	assert_int_equal(bed.rpc->client_count, 0);
	(void)play_stop(bed.plays, true, &(struct naohw_error){ 0 });
	bed_turns(2);
	nothing_is_held();
}

static void whatever_is_said_is_answered_once_and_leaves_nothing_behind(void **state)
{
	const char *more = getenv("NAOHW_SEQUENCES");

	(void)state;
	each_seed(more ? (unsigned int)strtoul(more, NULL, 10) : SEQUENCES, anything);
}

static int teardown(void **state)
{
	seeds_teardown();
	for (int i = 0; i < CLIENTS; i++)
		if (clients[i].fd > 0)
			leave(&clients[i]);
	return bed_teardown(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			whatever_is_said_is_answered_once_and_leaves_nothing_behind, bed_setup,
			teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
