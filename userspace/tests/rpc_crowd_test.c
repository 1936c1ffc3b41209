// SPDX-License-Identifier: GPL-2.0-or-later
/* Clients that want as much as they can have, and one among them that wants little. */
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../naohwd/lease/table.h"
#include "../naohwd/rpc/message.h"
#include "../naohwd/rpc/server.h"
#include "rpc_bed.h"

#define YAW_POSITION "HeadYaw/Position/Actuator"
#define YAW_HARDNESS "HeadYaw/Hardness/Actuator"
#define GREEDY	     7
#define CYCLES	     60

static int greedy[GREEDY];

static int setup(void **state)
{
	int ret = bed_setup_client(state);

	for (int i = 0; i < GREEDY; i++)
		greedy[i] = bed_client();
	bed_turns(1);
	return ret;
}

static int teardown(void **state)
{
	for (int i = 0; i < GREEDY; i++)
		close(greedy[i]);
	return bed_teardown_client(state);
}

/* A list of a key, so often */
static const char *keys(unsigned int count)
{
	static char params[64 * 1024];
	char *end = params + sprintf(params, "{'keys':['DCM/Time'");

	while (--count)
		end += sprintf(end, ",'DCM/Time'");
	strcpy(end, "]}");
	return params;
}

static unsigned int heard(int client)
{
	unsigned int count = 0;

	while (bed_hear(client))
		count++;
	return count;
}

/* ---- what is told ---- */

static void greedy_watch(void)
{
	for (int i = 0; i < GREEDY; i++)
		for (int k = 0; k < 2; k++) {
			bed_result(greedy[i], "watch", keys(1024));
			bed_turns(8);
			(void)heard(greedy[i]);
		}
}

static void greedy_hear(void)
{
	for (int i = 0; i < GREEDY; i++)
		(void)heard(greedy[i]);
}

/* A little more than its share: of eight clients one has 256 keys of 2048. */
static void who_watches_more_than_his_share_is_told_every_second_time(void **state)
{
	unsigned int told = 0;

	(void)state;
	greedy_watch();
	bed_result(bed.fd, "watch", keys(260));
	bed_turns(1);
	for (int cycle = 0; cycle < CYCLES; cycle++) {
		bed_turns(1);
		greedy_hear();
		told += heard(bed.fd);
	}
	assert_in_range(told, CYCLES / 3, CYCLES);
}

/* Of two programs one has many clients: the other has half of what there is. */
static void many_clients_of_a_program_have_no_more_than_one(void **state)
{
	unsigned int told = 0;
	int other;

	(void)state;
	greedy_watch();
	bed.pid = 1;
	other = bed_client();
	bed_result(other, "watch", keys(1000));
	bed_turns(2);
	(void)heard(other);
	for (int cycle = 0; cycle < CYCLES; cycle++) {
		bed_turns(1);
		greedy_hear();
		told += heard(other);
	}
	assert_int_equal(told, CYCLES);
	close(other);
}

/* ---- what is left for the cycle ---- */

/* A request of so many commands for one actuator */
static size_t write_set(char *line, unsigned int commands)
{
	char *end = line + sprintf(line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"set\","
					 "\"params\":{\"name\":\"" YAW_POSITION
					 "\",\"update\":\"merge\",\"commands\":[[0,9999]");

	while (--commands)
		end += sprintf(end, ",[0,9999]");
	strcpy(end, "]}}\n");
	return strlen(line);
}

static void send_as_many_as_go(int client, const char *line, size_t length)
{
	while (send(client, line, length, MSG_DONTWAIT) == (ssize_t)length)
		;
}

/* 290 are more than 256 of 2048. */
static void who_sets_more_than_his_share_waits_for_that_alone(void **state)
{
	static char much[8192], little[8192];
	size_t much_length = write_set(much, NAOHW_COMMANDS_MAX);
	size_t little_length = write_set(little, 290);
	unsigned int done[GREEDY] = { 0 }, own = 0;

	(void)state;
	for (int cycle = 0; cycle < CYCLES; cycle++) {
		for (int i = 0; i < GREEDY; i++)
			send_as_many_as_go(greedy[i], much, much_length);
		send_as_many_as_go(bed.fd, little, little_length);
		bed_settle();
		bed_turns(1);
		for (int i = 0; i < GREEDY; i++)
			done[i] += heard(greedy[i]);
		own += heard(bed.fd);
	}
	assert_in_range(own, CYCLES / 3, 2 * CYCLES);
	for (int i = 0; i < GREEDY; i++)
		assert_in_range(done[i], CYCLES / 4, CYCLES);
}

/* As it would make that cycle longer, however few do so */
static void a_set_that_is_more_than_a_cycle_takes_is_refused(void **state)
{
	static char params[64 * 1024];
	char *end = params + sprintf(params, "{'alias':'none','times':[1");

	(void)state;
	for (int i = 2; i <= NAOHW_COMMANDS_MAX; i++)
		end += sprintf(end, ",%d", i);
	end += sprintf(end, "],'values':[");
	for (int row = 0; row < 9; row++) {
		end += sprintf(end, "%s[0", row ? "," : "");
		for (int i = 1; i < NAOHW_COMMANDS_MAX; i++)
			end += sprintf(end, ",0");
		end += sprintf(end, "]");
	}
	strcpy(end, "]}");
	bed_assert_fails(bed.fd, "setAlias", params, -32000, E2BIG, "4608 commands for 9");
}

/* ---- leases ---- */

static unsigned int ends_waiting(void)
{
	unsigned int count = 0;

	for (const struct leasehold *lease = bed.leases->ended; lease; lease = lease->next)
		count++;
	return count;
}

/* It comes, takes a lease, and goes before it is answered. */
static void churn(void)
{
	for (int i = 0; i < 100; i++) {
		int other = bed_client();

		bed_say(other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"lease\","
			       "\"params\":{\"names\":[\"HeadPitch\"]}}");
		close(other);
		bed_settle();
	}
	bed_turns(1);
}

static void who_takes_leases_without_end_delays_no_other_end(void **state)
{
	int other = bed_client(), cycles;

	(void)state;
	bed_result(other, "set", "{'name':'" YAW_HARDNESS "','commands':[[1,0]]}");
	bed_turns(2);
	bed_result(other, "lease", "{'names':['HeadYaw'],'end':'free'}");
	for (cycles = 0; cycles < 5; cycles++)
		churn();
	close(other);
	for (cycles = 0; cycles < 10 && stage_stiffness(YAW); cycles++)
		churn();
	assert_in_range(cycles, 1, 4);
	assert_in_range(ends_waiting(), 0, LEASES_MAX);
	bed_result(bed.fd, "set", "{'name':'" YAW_POSITION "','commands':[[0,10]]}");
}

/* Two actuators, of which each has two commands then. */
static void a_lease_is_charged_with_its_end(void **state)
{
	const long *left = &bed.rpc->budgets[THING_WORK].left, before = *left;

	(void)state;
	bed_result(bed.fd, "lease",
		   "{'names':['HeadYaw','HeadYaw'],'end':'rest',"
		   "'pose':{'HeadYaw':0}}");
	assert_int_equal(*left, before - 2 * (RPC_WORK_OF_ACTUATOR + 2));
}

/* ---- memory ---- */

/* Lines that do not end, of so many that they take all that there is */
static void hoard(int *clients, size_t count)
{
	char *text = malloc(LINES_LONGEST);

	assert_non_null(text);
	memset(text, ' ', LINES_LONGEST);
	for (size_t at = 0; at < LINES_LONGEST; at += LINES_LONGEST / 16) {
		for (size_t i = 0; i < count; i++)
			(void)!send(clients[i], text, LINES_LONGEST / 16,
				    MSG_DONTWAIT | MSG_NOSIGNAL);
		bed_turns(2);
	}
	free(text);
}

static void who_hoards_is_let_go_and_nobody_else(void **state)
{
	static char line[40 * 1024 + 1];
	int clients[17], ended = 0;

	(void)state;
	for (int i = 0; i < 17; i++)
		clients[i] = bed_client();
	bed_result(bed.fd, "watch", keys(200));
	hoard(clients, 17);
	(void)heard(bed.fd);
	memset(line, ' ', sizeof(line));
	memcpy(line + sizeof(line) - sizeof("x"), "x", sizeof("x"));
	bed_say(greedy[0], line);
	bed_turns(3);
	assert_non_null(strstr(bed_hear(greedy[0]), "-32700"));
	/* It does not read for so long that what it is told stays here. */
	bed_turns(100);
	assert_false(bed_has_ended(greedy[0]));
	for (int i = 0; i < 17; i++) {
		ended += bed_has_ended(clients[i]);
		close(clients[i]);
	}
	assert_in_range(ended, 1, 3);
	assert_non_null(bed_hear(bed.fd));
	bed_turns(1);
	bed_assert_said("is let go: its lines and answers are the most where all");
}

/* ---- calls ---- */

static void many_calls_are_of_several_cycles(void **state)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"leases\"}\n";
	unsigned int now, all = 0, cycles = 0;
	int clients[90];

	(void)state;
	for (int i = 0; i < 90; i++)
		clients[i] = bed_client();
	bed_turns(1);
	for (int i = 0; i < 90; i++)
		bed_send(clients[i], line, sizeof(line) - 1);
	for (; all < 90; cycles++) {
		assert_in_range(cycles, 0, 20);
		now = 0;
		for (int i = 0; i < 90; i++)
			now += heard(clients[i]);
		/* At 16 each, by what is left of a cycle as well */
		assert_in_range(now, 0, 2 * RPC_CALLS_CYCLE / 16 + 1);
		all += now;
		bed_turns(1);
	}
	for (int i = 0; i < 90; i++)
		close(clients[i]);
}

/* ---- lines ---- */

#define MANY 90

/* Clients of one program, which send one line again and again, and one of another program */
static void assert_served_beside(const char *line, size_t most_a_cycle)
{
	size_t length = strlen(line);
	int clients[MANY], other;
	unsigned int now;

	bed.pid = 1;
	for (int i = 0; i < MANY; i++)
		clients[i] = bed_client();
	bed.pid = 2;
	other = bed_client();
	bed_turns(1);
	for (int cycle = 0; cycle < 10; cycle++) {
		for (int i = 0; i < MANY; i++)
			send_as_many_as_go(clients[i], line, length);
		bed_say(other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"describe\"}");
		bed_turns(1);
		assert_int_equal(heard(other), 1);
		now = 0;
		for (int i = 0; i < MANY; i++)
			now += heard(clients[i]);
		assert_in_range(now, cycle ? 1 : 0, most_a_cycle);
	}
	for (int i = 0; i < MANY; i++)
		close(clients[i]);
	close(other);
}

/* 1000 objects, which take half a millisecond; of two cycles, and by what is left of one */
static void lines_of_much_are_of_several_cycles(void **state)
{
	static char line[4 * 1024];
	char *end = line + sprintf(line, "[{}");

	(void)state;
	for (int i = 1; i < 1000; i++)
		end += sprintf(end, ",{}");
	strcpy(end, "]\n");
	assert_served_beside(line, 3 * RPC_LINES_CYCLE / message_work(line, strlen(line)) + 1);
}

static void so_are_lines_of_nothing(void **state)
{
	(void)state;
	assert_served_beside("x\n", 3 * RPC_LINES_CYCLE / MESSAGE_WORK_OF_LINE);
}

int main(void)
{
#define CROWD_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		CROWD_TEST(who_watches_more_than_his_share_is_told_every_second_time),
		CROWD_TEST(many_clients_of_a_program_have_no_more_than_one),
		CROWD_TEST(who_sets_more_than_his_share_waits_for_that_alone),
		CROWD_TEST(a_set_that_is_more_than_a_cycle_takes_is_refused),
		CROWD_TEST(who_takes_leases_without_end_delays_no_other_end),
		CROWD_TEST(a_lease_is_charged_with_its_end),
		CROWD_TEST(who_hoards_is_let_go_and_nobody_else),
		CROWD_TEST(many_calls_are_of_several_cycles),
		CROWD_TEST(lines_of_much_are_of_several_cycles),
		CROWD_TEST(so_are_lines_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
