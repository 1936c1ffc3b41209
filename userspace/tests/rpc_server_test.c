// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * JSON-RPC's server: lines and what is wrong with them, and clients that are slow, hostile or many.
 */
#include "rpc_bed.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../naohwd/rpc/server.h"
#include "../naohwd/rpc/values.h"

#define DESCRIBE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"describe\"}"
#define LONGEST	 (1024 * 1024)
#define STORE	 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"store\"}\n"

static void assert_serves(int client)
{
	assert_string_equal(bed_text(bed_result(client, "describe", "{}"), "stream"), "running");
}

static void assert_error(const char *line, int code, const char *message)
{
	struct json_object *answer = bed_ask(bed.fd, line);

	assert_int_equal(bed_number(answer, "error/code"), code);
	if (!strstr(bed_text(answer, "error/message"), message))
		fail_msg("%s", bed_text(answer, "error/message"));
}

/* ---- JSON-RPC ---- */

static void what_is_no_json_is_said_and_the_next_line_counts(void **state)
{
	static const char *const bad[] = {
		"",
		"{",
		"GET / HTTP/1.1",
		"{\"jsonrpc\":\"2.0\",\"id\":1",
		"{} {}",
		"{}]",
		"'a'",
		"[1,]",
		"\"\xff\"",
		"{\"a\":01}",
		"[[[[[[[[[1]]]]]]]]]",
		"// {}",
		"NaN",
		"[1,{\"a\":-Infinity}]",
		"1e999",
		"nul",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct json_object *answer = bed_ask(bed.fd, bad[i]);

		if (bed_number(answer, "error/code") != -32700)
			fail_msg("%s: %s", bad[i], json_object_to_json_string(answer));
		assert_true(json_object_object_get_ex(answer, "id", NULL));
		assert_null(bed_at(answer, "id"));
	}
	bed_send(bed.fd, "{}\0{}\n", 6);
	assert_int_equal(bed_number(bed_read(bed.fd), "error/code"), -32700);
	assert_serves(bed.fd);
}

static void what_is_no_request_is_said(void **state)
{
	(void)state;
	assert_error("1", -32600, "a request is an object");
	assert_error("null", -32600, "a request is an object");
	assert_error("{}", -32600, "jsonrpc");
	assert_error("{\"jsonrpc\":2.0,\"id\":1,\"method\":\"describe\"}", -32600, "jsonrpc");
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":1}", -32600, "method");
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"describe\"}", -32600, "id");
	/* It comes back as it was written, however long that is. */
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":1.0000000000000000000000000000000000000000"
		     "0000000000000000000000001,\"method\":\"describe\"}",
		     -32600, "id: expected a number or a text, of 64 bytes");
	/* Nor is it known of these two whether they were others. */
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":18446744073709551615,\"method\":\"describe\"}",
		     -32600, "and a whole number from -2^63+1 to 2^64-2");
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":-9223372036854775808,\"method\":\"describe\"}",
		     -32600, "and a whole number from -2^63+1 to 2^64-2");
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"describe\",\"params\":[]}", -32600,
		     "params");
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nod\"}", -32601,
		     "nod: no such method");
	assert_error("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"describe\",\"params\":{\"a\":1}}",
		     -32602, "a: describe has no such parameter");
	assert_error("[]", -32600, "a batch has 1 to 64");
	assert_serves(bed.fd);
}

static void ids_come_back(void **state)
{
	static const char *const ids[] = {
		"0",
		"-7",
		"1.5",
		"9223372036854775808",
		"-9223372036854775807",
		"\"a\\u00e4\\n\"",
		"\"\\ud83e\\udd16\"",
		"\"\\\\ud83e\"",
		"null",
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct json_object *answer, *id = json_tokener_parse(ids[i]);

		snprintf(line, sizeof(line),
			 "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"describe\"}", ids[i]);
		answer = bed_ask(bed.fd, line);
		assert_non_null(bed_at(answer, "result"));
		assert_true(json_object_equal(id, bed_at(answer, "id")));
		json_object_put(id);
	}
	/* Without one nothing is answered, whatever is wrong. */
	bed_say(bed.fd, "{\"jsonrpc\":\"2.0\",\"method\":\"describe\"}");
	bed_say(bed.fd, "{\"jsonrpc\":\"2.0\",\"method\":\"nod\"}");
	assert_null(bed_hear(bed.fd));
}

/* Rather than as another one, which is that of no request */
static void an_id_that_cannot_come_back_is_refused(void **state)
{
	static const char *const ids[] = {
		"123456789012345678901234567890",
		"-123456789012345678901234567890",
		"\"\\ud83e\"",
		"\"\\udd16\\ud83e\"",
		"\"\\ud83ea\"",
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct json_object *answer;

		snprintf(line, sizeof(line),
			 "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"describe\"}", ids[i]);
		answer = bed_ask(bed.fd, line);
		if (!bed_at(answer, "error"))
			fail_msg("%s: %s", ids[i], json_object_to_json_string(answer));
		assert_null(bed_at(answer, "id"));
	}
}

static void a_batch_is_answered_in_one_line(void **state)
{
	struct json_object *answer =
		bed_ask(bed.fd, "[" DESCRIBE
				",1,{\"jsonrpc\":\"2.0\",\"method\":\"describe\"}," DESCRIBE "]");

	(void)state;
	assert_int_equal(json_object_array_length(answer), 3);
	assert_non_null(bed_at(answer, "0/result"));
	assert_int_equal(bed_number(answer, "1/error/code"), -32600);
	assert_non_null(bed_at(answer, "2/result"));
	bed_say(bed.fd, "[{\"jsonrpc\":\"2.0\",\"method\":\"describe\"}]");
	assert_null(bed_hear(bed.fd));
}

/* Repeat a request as a batch. */
static struct json_object *ask_often(const char *request, unsigned int count)
{
	static char line[128 * 1024];
	size_t used = 0;

	for (unsigned int i = 0; i < count; i++)
		used += (size_t)sprintf(line + used, "%c%s", i ? ',' : '[', request);
	strcpy(line + used, "]");
	bed_say(bed.fd, line);
	/* It may be more than what is read in one cycle. */
	bed_turns(3);
	return bed_read(bed.fd);
}

static void a_batch_has_its_bounds(void **state)
{
	struct json_object *answer = ask_often(DESCRIBE, 64);

	(void)state;
	for (size_t i = 0; i < 64; i++)
		assert_non_null(bed_at(json_object_array_get_idx(answer, i), "result"));
	bed_turns(1);
	assert_int_equal(bed_number(ask_often(DESCRIBE, 65), "error/code"), -32600);
	bed_turns(1);
	answer = ask_often("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\"}", 64);
	assert_int_equal(json_object_array_length(answer), 64);
	assert_non_null(bed_at(answer, "3/result"));
	assert_string_equal(bed_text(answer, "4/error/data/name"), "E2BIG");
	assert_string_equal(bed_text(answer, "63/error/data/name"), "E2BIG");
}

static void it_has_no_more_keys_than_a_cycle(void **state)
{
	char request[16 * 1024] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"get\",\"params\":{\"keys\":[\"DCM/Time\"";
	struct json_object *answer;
	size_t used = strlen(request);

	(void)state;
	for (int i = 1; i < 1024; i++)
		used += (size_t)sprintf(request + used, ",\"DCM/Time\"");
	strcpy(request + used, "]}}");
	answer = ask_often(request, 9);
	/* Its share, and what was left by the cycle before */
	assert_non_null(bed_at(answer, "3/result"));
	assert_string_equal(bed_text(answer, "4/error/data/name"), "EAGAIN");
	assert_string_equal(bed_text(answer, "8/error/data/name"), "EAGAIN");
}

/* ---- lines ---- */

static void a_line_may_come_in_pieces(void **state)
{
	static const char line[] = DESCRIBE "\n" DESCRIBE "\r\n";

	(void)state;
	for (size_t i = 0; i < sizeof(line) - 1; i++) {
		assert_null(bed_hear(bed.fd));
		bed_send(bed.fd, line + i, 1);
		if (line[i] == '\n')
			assert_non_null(bed_at(bed_read(bed.fd), "result"));
	}
}

static char *blanks(size_t length)
{
	char *text = malloc(length + 1);

	assert_non_null(text);
	memset(text, ' ', length);
	text[length] = '\0';
	return text;
}

static void the_longest_line_is_taken(void **state)
{
	char *text = blanks(LONGEST);

	(void)state;
	memcpy(text + LONGEST - strlen(DESCRIBE), DESCRIBE, strlen(DESCRIBE));
	bed_say(bed.fd, text);
	bed_turns(20);
	assert_non_null(bed_at(bed_read(bed.fd), "result"));
	bed_turns(1);
	assert_serves(bed.fd);
	free(text);
}

static void one_that_is_longer_ends_the_connection(void **state)
{
	char *text = blanks(LONGEST + 1);

	(void)state;
	bed_send(bed.fd, text, LONGEST + 1);
	bed_turns(20);
	assert_int_equal(bed_number(bed_read(bed.fd), "error/code"), -32700);
	assert_true(bed_has_ended(bed.fd));
	free(text);
}

static void a_line_of_too_much_is_refused(void **state)
{
	char *text = blanks(LONGEST);

	(void)state;
	for (size_t i = 0; i < LONGEST; i += 3)
		memcpy(text + i, "[],", i + 3 > LONGEST ? LONGEST - i : 3);
	text[0] = '[';
	bed_say(bed.fd, text);
	bed_turns(20);
	assert_int_equal(bed_number(bed_read(bed.fd), "error/code"), -32700);
	bed_turns(1);
	assert_serves(bed.fd);
	free(text);
}

/* ---- the end of what a client says ---- */

#define FLUSH "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"flush\"}"

/* As a shell's pipe into socat does. */
static void who_says_no_more_has_its_answers(void **state)
{
	(void)state;
	bed_say(bed.fd, FLUSH);
	shutdown(bed.fd, SHUT_WR);
	bed_turns(3);
	assert_non_null(bed_at(bed_read(bed.fd), "result"));
	assert_true(bed_has_ended(bed.fd));
	assert_int_equal(bed.rpc->client_count, 0);
}

/* More than is done in a cycle, and than the socket takes of answers */
static void however_many_they_are(void **state)
{
	unsigned int heard = 0;

	(void)state;
	for (unsigned int i = 0; i < 200; i++)
		bed_say(bed.fd, DESCRIBE);
	shutdown(bed.fd, SHUT_WR);
	for (unsigned int i = 0; i < 2000 && heard < 200; i++) {
		bed_turns(1);
		while (bed_hear(bed.fd))
			heard++;
	}
	assert_int_equal(heard, 200);
	bed_turns(1);
	assert_true(bed_has_ended(bed.fd));
}

static void a_last_line_needs_no_end(void **state)
{
	(void)state;
	bed_send(bed.fd, DESCRIBE "\n" FLUSH, strlen(DESCRIBE "\n" FLUSH));
	shutdown(bed.fd, SHUT_WR);
	bed_turns(3);
	assert_non_null(bed_at(bed_read(bed.fd), "result/joints"));
	assert_non_null(bed_at(bed_read(bed.fd), "result"));
	assert_true(bed_has_ended(bed.fd));
}

/* Half a line, as of a program that dies, is told of as any that is no JSON. */
static void half_a_line_is_told_of(void **state)
{
	(void)state;
	bed_send(bed.fd, "{\"jsonrpc\":", 11);
	shutdown(bed.fd, SHUT_WR);
	bed_turns(1);
	assert_int_equal(bed_number(bed_read(bed.fd), "error/code"), -32700);
	assert_true(bed_has_ended(bed.fd));
}

/* It may still read, and so the kernel tells of no end of it: nothing is to go on for ever. */
static void who_says_no_more_and_reads_nothing_costs_nothing(void **state)
{
	unsigned int turns = 0;

	(void)state;
	bed_say(bed.fd, FLUSH);
	shutdown(bed.fd, SHUT_WR);
	while (turns < 100 && loop_once(bed.loop, 0))
		turns++;
	assert_in_range(turns, 0, 10);
}

/* ---- clients ---- */

static void one_that_never_reads_stops_itself_alone(void **state)
{
	int other = bed_client();
	unsigned int sent = 0;

	(void)state;
	/* It writes until it would wait. */
	for (unsigned int i = 0; i < 5000; i++) {
		if (send(bed.fd, DESCRIBE "\n", sizeof(DESCRIBE), MSG_DONTWAIT) == sizeof(DESCRIBE))
			sent++;
		bed_turns(i % 10 == 0);
	}
	assert_in_range(sent, 100, 4999);
	assert_serves(other);
	/* When it reads at last, it has its answers. */
	for (unsigned int i = 0, heard = 0; heard < sent; i++) {
		assert_true(i < 1000);
		while (bed_hear(bed.fd))
			heard++;
		bed_turns(1);
	}
	close(other);
}

static void one_that_sends_as_fast_as_it_can_has_its_turns(void **state)
{
	int other = bed_client();
	unsigned int heard = 0;

	(void)state;
	for (unsigned int i = 0; i < 150; i++)
		assert_int_equal(send(bed.fd, DESCRIBE "\n", sizeof(DESCRIBE), MSG_DONTWAIT),
				 sizeof(DESCRIBE));
	bed_settle();
	while (bed_hear(bed.fd))
		heard++;
	assert_in_range(heard, 30, 64);
	assert_serves(other);
	for (int i = 0; i < 10; i++) {
		bed_turns(1);
		while (bed_hear(bed.fd))
			heard++;
	}
	assert_int_equal(heard, 150);
	close(other);
}

/* What the server keeps of it */
static const struct client *only_client(void)
{
	assert_int_equal(bed.rpc->client_count, 1);
	return bed.rpc->clients;
}

static void no_more_than_an_answer_waits_for_it(void **state)
{
	const struct client *client = only_client();
	char lines[100 * sizeof(DESCRIBE) + 1] = "";

	(void)state;
	for (unsigned int i = 0; i < 100; i++)
		strcat(lines, DESCRIBE "\n");
	for (unsigned int i = 0; i < 100; i++) {
		(void)send(bed.fd, lines, strlen(lines), MSG_DONTWAIT);
		bed_turns(1);
	}
	assert_in_range(client->output.end - client->output.begin, 0, 1024);
	assert_in_range(client->lines.end - client->lines.begin, 0, 2 * LINES_CHUNK);
}

static void no_more_than_some_lines_wait_for_their_cycle(void **state)
{
	const struct client *client = only_client();
	static char lines[128 * 1024];

	(void)state;
	memset(lines, '\n', sizeof(lines));
	for (int i = 0; i < 50; i++) {
		(void)send(bed.fd, lines, sizeof(lines), MSG_DONTWAIT);
		bed_turns(1);
		assert_in_range(client->lines.end - client->lines.begin, 0, 2 * LINES_CHUNK);
		while (bed_hear(bed.fd))
			;
	}
}

/* One turn of the loop is not a whole cycle's. */
static void others_have_turns_in_between(void **state)
{
	char lines[30 * sizeof(DESCRIBE) + 1] = "";
	unsigned int turns = 0;

	(void)state;
	for (unsigned int i = 0; i < 30; i++)
		strcat(lines, DESCRIBE "\n");
	assert_int_equal(send(bed.fd, lines, strlen(lines), MSG_DONTWAIT), strlen(lines));
	while (loop_once(bed.loop, 0))
		turns++;
	assert_in_range(turns, 7, 12);
	for (unsigned int i = 0; i < 30; i++)
		assert_non_null(bed_hear(bed.fd));
}

static void a_hundred_are_served(void **state)
{
	int clients[100];

	(void)state;
	for (int i = 0; i < 100; i++)
		clients[i] = bed_client();
	for (int i = 0; i < 100; i++)
		assert_serves(clients[i]);
	for (int i = 0; i < 100; i++)
		close(clients[i]);
	bed_settle();
	assert_serves(bed.fd);
}

static void too_many_are_refused(void **state)
{
	int clients[127], last;

	(void)state;
	for (int i = 0; i < 127; i++) {
		bed.pid = i < 100 ? 0 : getppid();
		clients[i] = bed_client();
	}
	assert_serves(clients[126]);
	last = bed_client();
	assert_string_equal(bed_text(bed_read(last), "error/data/name"), "ENFILE");
	assert_true(bed_has_ended(last));
	bed_assert_said("no more can come in: clients 128");
	close(last);
	close(clients[0]);
	bed_settle();
	last = bed_client();
	assert_serves(last);
	close(last);
	for (int i = 1; i < 127; i++)
		close(clients[i]);
}

/* Who comes and goes again and again, at a door that is full, does not fill the journal. */
static void that_it_is_full_is_said_once_in_a_while(void **state)
{
	int clients[111], last;

	(void)state;
	for (int i = 0; i < 111; i++)
		clients[i] = bed_client();
	for (int i = 0; i < 20; i++) {
		last = bed_client();
		assert_string_equal(bed_text(bed_read(last), "error/data/name"), "ENFILE");
		close(last);
		close(clients[0]);
		bed_settle();
		clients[0] = bed_client();
		if (i == 0)
			bed_assert_said("no more can come in: clients 112");
	}
	assert_string_equal(bed.said, "");
	stage_cycles(6000);
	close(bed_client());
	bed_settle();
	bed_assert_said("no more can come in: clients 112, refused since this was said last 19");
	for (int i = 0; i < 111; i++)
		close(clients[i]);
}

static void one_program_does_not_take_all_places(void **state)
{
	int clients[112], other;

	(void)state;
	for (int i = 0; i < 111; i++)
		clients[i] = bed_client();
	assert_serves(clients[110]);
	clients[111] = bed_client();
	assert_string_equal(bed_text(bed_read(clients[111]), "error/data/name"), "ENFILE");
	bed.pid = getppid();
	other = bed_client();
	assert_serves(other);
	close(other);
	for (int i = 0; i < 112; i++)
		close(clients[i]);
}

/* One that has had the store, and has gone without reading it, but has not closed its end */
static int gone(void)
{
	int fd = bed_client();

	bed_send(fd, STORE, strlen(STORE));
	bed_settle();
	assert_int_equal(shutdown(fd, SHUT_WR), 0);
	bed_settle();
	return fd;
}

/* The kernel passes no more of them when there are as many as naohwd may have open. */
static void a_store_that_nobody_reads_keeps_a_place(void **state)
{
	int clients[112];

	(void)state;
	for (int i = 0; i < 111; i++)
		clients[i] = gone();
	assert_int_equal(bed.rpc->client_count, 1);
	clients[111] = bed_client();
	assert_string_equal(bed_text(bed_read(clients[111]), "error/data/name"), "ENFILE");
	bed_assert_said("no more can come in: clients 1, stores left unread 111");
	close(clients[111]);
	/* It is read; or there is nobody to do so. */
	assert_non_null(bed_hear(clients[0]));
	close(clients[0]);
	clients[0] = gone();
	assert_int_equal(bed.rpc->unread.count, 111);
	close(clients[1]);
	clients[1] = gone();
	assert_int_equal(bed.rpc->unread.count, 111);
	for (int i = 0; i < 111; i++)
		close(clients[i]);
}

static void send_with(int fd, int passed)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .header = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec place = { " ", 1 };
	struct msghdr message = { .msg_iov = &place,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.header), &passed, sizeof(passed));
	assert_int_equal(sendmsg(fd, &message, 0), 1);
}

/* Behind a line that is too long and not read to its end, so that nobody but naohwd has it. */
static void who_passes_naohwd_his_own_end_keeps_no_place(void **state)
{
	char *text = blanks(LONGEST);
	int fd = bed_client();

	(void)state;
	bed_send(fd, STORE, strlen(STORE));
	bed_send(fd, text, LONGEST);
	bed_turns(20);
	assert_int_equal(bed.rpc->client_count, 2);
	assert_int_equal(send(fd, text, LONGEST / 16, MSG_NOSIGNAL), LONGEST / 16);
	send_with(fd, fd);
	close(fd);
	bed_turns(2);
	assert_int_equal(bed.rpc->client_count, 1);
	unread_look(&bed.rpc->unread);
	assert_int_equal(bed.rpc->unread.count, 0);
	free(text);
}

/* What is kept of lines that do not end */
static size_t kept(void)
{
	size_t size = 0;

	for (const struct client *client = bed.rpc->clients; client; client = client->next)
		size += client->lines.size;
	return size;
}

static void many_long_lines_do_not_take_all_memory(void **state)
{
	char *text = blanks(LONGEST);
	int clients[40], refused = 0;

	(void)state;
	for (int i = 0; i < 40; i++)
		clients[i] = bed_client();
	for (size_t at = 0; at < LONGEST; at += LONGEST / 16) {
		for (int i = 0; i < 40; i++)
			(void)!send(clients[i], text, LONGEST / 16, MSG_DONTWAIT | MSG_NOSIGNAL);
		bed_turns(2);
		assert_in_range(kept(), 0, CLIENTS_BYTES_MAX);
	}
	assert_serves(bed.fd);
	for (int i = 0; i < 40; i++) {
		refused += bed_has_ended(clients[i]);
		close(clients[i]);
	}
	assert_in_range(refused, 20, 40);
	bed_turns(1);
	/* And when they have gone there is room again. */
	memcpy(text + LONGEST - strlen(DESCRIBE), DESCRIBE, strlen(DESCRIBE));
	bed_say(bed.fd, text);
	bed_turns(20);
	assert_non_null(bed_at(bed_read(bed.fd), "result"));
	assert_in_range(kept(), 0, LINES_ROOM);
	free(text);
}

static void they_may_go_at_any_time(void **state)
{
	static const char *const bytes[] = {
		"",	  "{",
		DESCRIBE, DESCRIBE "\n",
		"x\nx\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"flush\"}\n"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		int client = bed_client();

		if (*bytes[i])
			bed_send(client, bytes[i], strlen(bytes[i]));
		close(client);
		bed_turns(2);
	}
	assert_serves(bed.fd);
}

/* ---- how much there is to be done ---- */

/* A call that leaves much more than its line has. */
static char *much_work(void)
{
	char *text = malloc(8192), *end = text;

	assert_non_null(text);
	end += sprintf(end, "{\"jsonrpc\":\"2.0\",\"method\":\"set\",\"params\":{\"name\":\"all\","
			    "\"update\":\"merge\",\"commands\":[[0,9999]");
	for (int i = 1; i < NAOHW_COMMANDS_MAX; i++)
		end += sprintf(end, ",[0,9999]");
	strcpy(end, "]}}\n");
	return text;
}

static void make_alias(void)
{
	bed_result(bed.fd, "createAlias",
		   "{'alias':'all','names':['" YAW_POSITION "','" PITCH_POSITION "','" YAW_HARDNESS
		   "','" PITCH_HARDNESS "']}");
}

static unsigned int work_waiting(void)
{
	return atomic_load(&stage.host->mailbox.work);
}

/* Each of them sends as much as is read from it, for so many cycles. */
static void overwork(const int *clients, size_t count, unsigned int cycles)
{
	char *text = much_work();
	size_t length = strlen(text);

	make_alias();
	while (cycles--) {
		for (size_t i = 0; i < count; i++)
			while (send(clients[i], text, length, MSG_DONTWAIT) == (ssize_t)length)
				;
		bed_settle();
		assert_in_range(work_waiting(), 0, RPC_WORK_CALL_MAX);
		bed_turns(1);
	}
	free(text);
}

static void one_leaves_less_than_a_cycle_takes(void **state)
{
	int other = bed_client();

	(void)state;
	overwork(&other, 1, 40);
	assert_in_range(work_waiting(), 0, 3 * RPC_WORK_CYCLE);
	bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[[0,10]]}");
	close(other);
}

static void all_together_leave_room_for_what_is_no_call(void **state)
{
	int clients[30];

	(void)state;
	for (size_t i = 0; i < 30; i++)
		clients[i] = bed_client();
	overwork(clients, 30, 20);
	/* The other half of a cycle's is for others. */
	assert_in_range(work_waiting(), 0, MAILBOX_WORK_CYCLE);
	stage_set(YAW_POSITION, 0.1, 10);
	bed_turns(1);
	/* And who wants little has it at once. */
	for (unsigned int i = 0; i < 40; i++) {
		bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[[0,10]]}");
		bed_turns(1);
	}
	for (size_t i = 0; i < 30; i++)
		close(clients[i]);
	/* What they had sent is still done. */
	for (unsigned int i = 0; work_waiting(); i++) {
		assert_true(i < 1000);
		bed_turns(1);
	}
	bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[[0,10]]}");
}

/* Of this cycle, by all clients */
static long work_taken(void)
{
	return RPC_WORK_CYCLE - bed.rpc->budgets[THING_WORK].left;
}

/* As the DCM counts it, too */
static void work_is_what_a_call_leaves(void **state)
{
	static const char *const params[] = {
		"{'alias':'all','times':[1,2,3],'values':[[0,0,0],[0,0,0],[0,0,0],[0,0,0]]}",
		"{'alias':'all','commands':[[[0,1]],[[0,1],[0,2]],[],[]]}",
	};

	(void)state;
	assert_int_equal(2 * RPC_WORK_CYCLE, MAILBOX_WORK_CYCLE);
	make_alias();
	for (size_t i = 0; i < 2; i++) {
		bed_turns(1);
		bed_result(bed.fd, "setAlias", params[i]);
		assert_int_equal(work_waiting(), i ? 35 : 44);
		assert_int_equal(work_taken(), work_waiting());
	}
	bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[[0,10]]}");
	assert_int_equal(work_taken(), work_waiting());
}

/* Its answer is there. Otherwise it waits for a cycle. */
static bool is_answered(int client)
{
	const char *line = bed_hear(client);

	assert_true(!line || strstr(line, "\"result\""));
	return line;
}

/* All at once: none of them is refused, and no cycle is longer by them. */
static void many_that_list_have_theirs_in_turn(void **state)
{
	const unsigned int keys = (unsigned int)naohw_store_slot_count(naohw_dcm_store(stage.dcm));
	unsigned int heard = 0, cycles = 0, now;
	int clients[90];

	(void)state;
	for (int i = 0; i < 90; i++)
		clients[i] = bed_client();
	bed_turns(1);
	for (int i = 0; i < 90; i++)
		bed_say(clients[i], "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\"}");
	do {
		now = 0;
		for (int i = 0; i < 90; i++)
			now += is_answered(clients[i]);
		assert_in_range(now, 0, 2 * VALUES_KEYS_CYCLE / keys + 1);
		/* Who does not ask for keys has not to wait. */
		assert_serves(bed.fd);
		bed_turns(1);
		heard += now;
		cycles++;
	} while (heard < 90);
	assert_in_range(cycles, 2, 20);
	for (int i = 0; i < 90; i++)
		close(clients[i]);
}

static void one_that_waits_for_its_cycle_may_go(void **state)
{
	int other = bed_client();

	(void)state;
	bed.rpc->budgets[THING_KEYS] = (struct budget){ .cycle = 1, .left = -4 };
	bed_say(other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\"}");
	bed_say(other, DESCRIBE);
	bed_turns(3);
	assert_false(is_answered(other));
	close(other);
	bed_turns(2);
	assert_int_equal(bed.rpc->client_count, 1);
	assert_serves(bed.fd);
}

/* ---- who may do what ---- */

/* Who connects from now on is of these groups, and there others may only read. */
static void come_as(gid_t gid, gid_t other_gid)
{
	bed.settings.others_only_read = true;
	bed.is_stranger = true;
	bed.gid = gid;
	bed.other_gid = other_gid;
	bed_serve_anew();
	close(bed.fd);
	bed.fd = bed_client();
}

static void who_is_in_the_group_may_write(void **state)
{
	(void)state;
	come_as(getegid(), 4712);
	bed_result(bed.fd, "recover", "{}");
	come_as(4712, getegid());
	bed_result(bed.fd, "recover", "{}");
	bed.is_stranger = false;
	bed_serve_anew();
	close(bed.fd);
	bed.fd = bed_client();
	/* Its own user is trusted, too. */
	bed_result(bed.fd, "recover", "{}");
}

static void who_only_reads_moves_nothing(void **state)
{
	static const struct {
		const char *method;
		const char *params;
	} writing[] = {
		{ "set", "{'name':'a','commands':[[1,0]]}" },
		{ "setAlias", "{'alias':'a','commands':[[[1,0]]]}" },
		{ "setStep", "{'names':['a'],'begin':0,'end':9,'goals':[1]}" },
		{ "createAlias", "{'alias':'a','names':['b']}" },
		{ "removeAlias", "{'alias':'a'}" },
		{ "recover", "{}" },
		{ "rest", "{}" },
		{ "wakeUp", "{}" },
		{ "diagnose", "{}" },
		{ "lease", "{'names':['HeadYaw']}" },
		{ "release", "{'lease':1}" },
		{ "revoke", "{'lease':1}" },
	};

	(void)state;
	come_as(4711, 4712);
	assert_serves(bed.fd);
	for (size_t i = 0; i < sizeof(writing) / sizeof(writing[0]); i++) {
		bed_assert_fails(bed.fd, writing[i].method, writing[i].params, -32000, EACCES,
				 "you may only read");
		/* All of them are too many for one cycle. */
		bed_turns(1);
	}
	/* Where nobody has said so, who can connect is trusted. */
	bed.settings.others_only_read = false;
	bed_serve_anew();
	close(bed.fd);
	bed.fd = bed_client();
	bed_result(bed.fd, "recover", "{}");
}

static void who_only_reads_keeps_nobody_out(void **state)
{
	int clients[96];

	(void)state;
	come_as(4711, 4712);
	for (int i = 0; i < 95; i++)
		clients[i] = bed_client();
	assert_serves(clients[94]);
	clients[95] = bed_client();
	assert_string_equal(bed_text(bed_read(clients[95]), "error/data/name"), "ENFILE");
	close(clients[95]);
	bed.is_stranger = false;
	clients[95] = bed_client();
	bed_result(clients[95], "recover", "{}");
	for (int i = 0; i < 96; i++)
		close(clients[i]);
}

/* ---- those who may only read, beside one who moves the robot ---- */

#define READERS 20

static struct reader {
	pid_t pid;
	int fd;
} readers[READERS];

/* Each is a program of its own, of another user. */
static void add_readers(void)
{
	bed.settings.others_only_read = true;
	bed_serve_anew();
	bed.is_stranger = true;
	bed.gid = bed.other_gid = 4712;
	for (size_t i = 0; i < READERS; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			/* A test that fails leaves none of them. */
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
		bed.pid = pid;
		readers[i] = (struct reader){ pid, bed_client() };
	}
	bed.pid = 0;
	bed.is_stranger = false;
}

static void remove_readers(void)
{
	for (size_t i = 0; i < READERS; i++) {
		assert_int_equal(kill(readers[i].pid, SIGKILL), 0);
		assert_int_equal(waitpid(readers[i].pid, NULL, 0), readers[i].pid);
		close(readers[i].fd);
	}
}

/* However many programs they are */
static void they_have_half_of_a_cycle_together(void **state)
{
	const struct client *client;
	int writer;

	(void)state;
	add_readers();
	writer = bed_client();
	bed_turns(1);
	for (client = bed.rpc->clients; client; client = client->next)
		assert_int_equal(client->portions[THING_LINES].share,
				 RPC_LINES_CYCLE / 2 / (client->may_write ? 1 : READERS));
	remove_readers();
	close(writer);
}

static bool can_read(int fd)
{
	return recv(fd, &(char){ 0 }, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

static unsigned int readers_told(void)
{
	unsigned int count = 0;

	for (size_t i = 0; i < READERS; i++)
		count += can_read(readers[i].fd);
	return count;
}

static void they_have_the_turns_of_one_client(void **state)
{
	unsigned int turns = 0;
	int writer;

	(void)state;
	add_readers();
	writer = bed_client();
	bed_turns(1);
	for (size_t i = 0; i < READERS; i++)
		assert_true(send(readers[i].fd, DESCRIBE "\n", sizeof(DESCRIBE), 0) > 0);
	assert_true(send(writer, DESCRIBE "\n", sizeof(DESCRIBE), 0) > 0);
	do
		turns += (unsigned int)loop_once(bed.loop, 0);
	while (!can_read(writer) && turns < READERS);
	assert_in_range(turns, 1, 3);
	remove_readers();
	close(writer);
}

/* And not all at once when a cycle ends. */
static void so_they_have_for_what_they_watch(void **state)
{
	unsigned int turns = 0;
	int writer;

	(void)state;
	add_readers();
	for (size_t i = 0; i < READERS; i++)
		bed_result(readers[i].fd, "watch", "{'keys':['DCM/Time']}");
	writer = bed_client();
	bed_cycle();
	assert_int_equal(readers_told(), 0);
	assert_true(send(writer, DESCRIBE "\n", sizeof(DESCRIBE), 0) > 0);
	do
		turns += (unsigned int)loop_once(bed.loop, 0);
	while (!can_read(writer) && turns < READERS);
	assert_in_range(turns, 1, 3);
	bed_settle();
	assert_int_equal(readers_told(), READERS);
	remove_readers();
	close(writer);
}

int main(void)
{
#define SERVER_TEST(test) \
	cmocka_unit_test_setup_teardown(test, bed_setup_client, bed_teardown_client)
	const struct CMUnitTest tests[] = {
		SERVER_TEST(what_is_no_json_is_said_and_the_next_line_counts),
		SERVER_TEST(what_is_no_request_is_said),
		SERVER_TEST(ids_come_back),
		SERVER_TEST(an_id_that_cannot_come_back_is_refused),
		SERVER_TEST(a_batch_is_answered_in_one_line),
		SERVER_TEST(a_batch_has_its_bounds),
		SERVER_TEST(it_has_no_more_keys_than_a_cycle),
		SERVER_TEST(a_line_may_come_in_pieces),
		SERVER_TEST(the_longest_line_is_taken),
		SERVER_TEST(one_that_is_longer_ends_the_connection),
		SERVER_TEST(a_line_of_too_much_is_refused),
		SERVER_TEST(who_says_no_more_has_its_answers),
		SERVER_TEST(however_many_they_are),
		SERVER_TEST(a_last_line_needs_no_end),
		SERVER_TEST(half_a_line_is_told_of),
		SERVER_TEST(who_says_no_more_and_reads_nothing_costs_nothing),
		SERVER_TEST(one_that_never_reads_stops_itself_alone),
		SERVER_TEST(one_that_sends_as_fast_as_it_can_has_its_turns),
		SERVER_TEST(no_more_than_an_answer_waits_for_it),
		SERVER_TEST(no_more_than_some_lines_wait_for_their_cycle),
		SERVER_TEST(others_have_turns_in_between),
		SERVER_TEST(a_hundred_are_served),
		SERVER_TEST(too_many_are_refused),
		SERVER_TEST(that_it_is_full_is_said_once_in_a_while),
		SERVER_TEST(one_program_does_not_take_all_places),
		SERVER_TEST(a_store_that_nobody_reads_keeps_a_place),
		SERVER_TEST(who_passes_naohwd_his_own_end_keeps_no_place),
		SERVER_TEST(many_long_lines_do_not_take_all_memory),
		SERVER_TEST(they_may_go_at_any_time),
		SERVER_TEST(one_leaves_less_than_a_cycle_takes),
		SERVER_TEST(all_together_leave_room_for_what_is_no_call),
		SERVER_TEST(work_is_what_a_call_leaves),
		SERVER_TEST(many_that_list_have_theirs_in_turn),
		SERVER_TEST(one_that_waits_for_its_cycle_may_go),
		SERVER_TEST(who_is_in_the_group_may_write),
		SERVER_TEST(who_only_reads_moves_nothing),
		SERVER_TEST(who_only_reads_keeps_nobody_out),
		SERVER_TEST(they_have_half_of_a_cycle_together),
		SERVER_TEST(they_have_the_turns_of_one_client),
		SERVER_TEST(so_they_have_for_what_they_watch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
