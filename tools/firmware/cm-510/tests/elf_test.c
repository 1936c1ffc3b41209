// SPDX-License-Identifier: GPL-2.0-or-later
/* The firmware itself, in virtual time: the cases, and the bus. */
#include "../../../dxlsim/tests/cmocka_all.h"

#include <string.h>

#include "../../../dxlsim/tests/frame.h"
#include "avr_talk.h"
#include "cases.h"

#define UBRR0L		0xc4
#define UBRR1L		0xcc

/* --- the cases, at both lines --- */

static void renew(void *board)
{
	avr_board_renew(board);
}

/* Whoever is at its jack has the rate that it begins with. */
static void power_cycle(void *param)
{
	struct avr_board *board = param;

	avr_board_power_cycle(board);
	board->sides[LINE_HOST].rate = board->avr->data[UBRR1L];
}

static void send_bus(void *board, const uint8_t *bytes, size_t len)
{
	send_all(board, LINE_BUS, bytes, len);
	avr_board_run(board, PATIENCE_US);
}

static size_t heard_bus(void *board, uint8_t *bytes, size_t size)
{
	return avr_board_heard(board, LINE_BUS, bytes, size);
}

static void send_host(void *board, const uint8_t *bytes, size_t len)
{
	send_all(board, LINE_HOST, bytes, len);
	avr_board_run(board, PATIENCE_US);
}

static size_t heard_host(void *board, uint8_t *bytes, size_t size)
{
	return avr_board_heard(board, LINE_HOST, bytes, size);
}

static void cases_on_the_bus(void **state)
{
	testcases_run(&(struct board_under_test){ renew, power_cycle, send_bus, heard_bus },
		      *state);
	hears_nothing(*state, LINE_HOST);
}

static void cases_of_the_host(void **state)
{
	testcases_run(&(struct board_under_test){ renew, power_cycle, send_host, heard_host },
		      *state);
}

/* --- times --- */

/* Cycles from the end of what was sent to the first byte of the answer */
static avr_cycle_count_t latency(struct avr_board *board, uint8_t instruction,
				 const uint8_t *params, size_t len)
{
	struct avr_side *bus = &board->sides[LINE_BUS];
	size_t first = bus->said_to;
	uint8_t bytes[300];

	avr_board_run(board, PATIENCE_US);
	send_packet(board, LINE_BUS, ID, instruction, params, len);
	avr_board_run(board, PATIENCE_US);
	assert_true(bus->said_to > first);
	avr_board_heard(board, LINE_BUS, bytes, sizeof(bytes));
	assert_true(bus->said[first].start > bus->came);

	return bus->said[first].start - bus->came;
}

static void check_latency(struct avr_board *board, const char *what, uint8_t instruction,
			  const uint8_t *params, size_t len)
{
	avr_cycle_count_t least = (avr_cycle_count_t)-1, most = 0;
	unsigned int i;

	/* At any moment of what else it does */
	for (i = 0; i < 40; i++) {
		avr_cycle_count_t cycles;

		avr_board_run(board, 37 * i);
		cycles = latency(board, instruction, params, len);
		least = cycles < least ? cycles : least;
		most = cycles > most ? cycles : most;
	}
	print_message("# %s: first byte after %.1f to %.1f us\n", what,
		      (double)least / CYCLES_PER_US, (double)most / CYCLES_PER_US);
	assert_in_range(least, 20 * CYCLES_PER_US, 500 * CYCLES_PER_US);
	assert_in_range(most, 20 * CYCLES_PER_US, 500 * CYCLES_PER_US);
}

static void answers_in_time(void **state)
{
	check_latency(*state, "PING", PING, NULL, 0);
	check_latency(*state, "READ of 46", READ, (uint8_t[]){ 0, 46 }, 2);
	check_latency(*state, "WRITE of 5", WRITE, (uint8_t[]){ 25, 3, 0, 0, 184, 1 }, 6);
}

static void return_delay_time(void **state)
{
	struct avr_board *board = *state;

	writes8(board, 5, 100);
	assert_in_range(latency(board, PING, NULL, 0), 220 * CYCLES_PER_US, 300 * CYCLES_PER_US);
	writes8(board, 5, 254);
	assert_in_range(latency(board, PING, NULL, 0), 528 * CYCLES_PER_US, 600 * CYCLES_PER_US);
}

/* Its bytes follow each other without a gap, and the line is free right after the last. */
static void lets_go_of_the_line(void **state)
{
	struct avr_board *board = *state;
	struct avr_side *bus = &board->sides[LINE_BUS];
	uint8_t heard[100];
	size_t len, i;

	send_packet(board, LINE_BUS, ID, READ, (uint8_t[]){ 0, 46 }, 2);
	avr_board_run(board, PATIENCE_US);
	len = bus->said_to - bus->said_from;
	assert_int_equal(len, 52);
	/* simavr asks for the next when a byte has gone, and an AVR when that begins to go. */
	for (i = 1; i < len; i++)
		assert_in_range(bus->said[i].start - bus->said[i - 1].start, 1,
				avr_byte_cycles(bus) + 50);
	assert_in_range(board->turned - bus->said[len - 1].start, avr_byte_cycles(bus) - 50,
			avr_byte_cycles(bus) + 5 * CYCLES_PER_US);
	assert_int_equal(avr_board_heard(board, LINE_BUS, heard, sizeof(heard)), 52);
}

/* A master that has given up and asks anew gets the answer to that alone. */
static void never_while_others_talk(void **state)
{
	struct avr_board *board = *state;
	const uint8_t other[] = { 0xff, 0xff, 3, 4, 2, 36, 8, 0xca };
	struct avr_side *bus = &board->sides[LINE_BUS];
	uint8_t bytes[20];

	writes8(board, 5, 100);
	send_all(board, LINE_BUS, bytes, frame(bytes, ID, PING, NULL, 0));
	avr_board_run(board, 50);
	send_all(board, LINE_BUS, other, sizeof(other));
	avr_board_run(board, PATIENCE_US);
	hears_nothing(board, LINE_BUS);
	send_all(board, LINE_BUS, bytes, frame(bytes, ID, PING, NULL, 0));
	avr_board_run(board, PATIENCE_US);
	assert_int_equal(bus->said_to - bus->said_from, 6);
	hears_status(board, LINE_BUS, ID, 0, NULL, 0);
}

/* Two instructions one behind the other: there is no silence in which to answer the first. */
static void never_at_a_slow_rate_either(void **state)
{
	static const uint8_t rates[] = { 1, 3, 9, 16, 34 };
	struct avr_board *board = *state;
	uint8_t bytes[20];
	size_t i, len;

	for (i = 0; i < sizeof(rates); i++) {
		writes8(board, 4, rates[i]);
		board->sides[LINE_BUS].rate = rates[i];
		len = frame(bytes, ID, PING, NULL, 0);
		len += frame(bytes + len, 3, PING, NULL, 0);
		send_all(board, LINE_BUS, bytes, len);
		avr_board_run(board, 100000);
		hears_nothing(board, LINE_BUS);
	}
}

static void every_rate(void **state)
{
	struct avr_board *board = *state;
	uint8_t rate;

	for (rate = 1; rate <= 254; rate++) {
		/* The answer has the old rate; simavr takes a byte that is on its way for new. */
		writes8(board, 4, rate);
		board->sides[LINE_BUS].rate = rate;
		send_packet(board, LINE_BUS, ID, READ, (uint8_t[]){ 3, 2 }, 2);
		avr_board_run(board, 100000);
		hears_status(board, LINE_BUS, ID, 0, (uint8_t[]){ ID, rate }, 2);
		assert_int_equal(board->avr->data[UBRR0L], rate);
	}
	/* What has another rate is not understood, and does no harm. */
	avr_board_power_cycle(board);
	board->sides[LINE_BUS].rate = 254;
	send_packet(board, LINE_BUS, ID, PING, NULL, 0);
	avr_board_run(board, 100000);
	hears_status(board, LINE_BUS, ID, 0, NULL, 0);
}

/* --- a bus full of others --- */

/* Nothing of theirs is answered, all is heard, and the ports are looked at meanwhile. */
static void hears_on_a_full_bus(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], params[20] = { 0 };
	unsigned int round, id;

	avr_board_pull_low(board, 'E', 4, true);
	for (round = 0; round < 10; round++) {
		for (id = 1; id <= 20; id++) {
			size_t len = frame(bytes, id, 0, params, 1 + id % 20);

			avr_board_send(board, LINE_BUS, bytes, len);
		}
		send_all(board, LINE_BUS, bytes,
			 frame(bytes, ID, READ, (uint8_t[]){ 25, 1 }, 2));
		avr_board_run(board, 300);
		hears_status(board, LINE_BUS, ID, 0, (uint8_t[]){ round }, 1);
		avr_board_send(board, LINE_BUS, bytes,
			       frame(bytes, 254, WRITE, (uint8_t[]){ 25, round + 1 }, 2));
	}
	send_packet(board, LINE_BUS, ID, READ, (uint8_t[]){ 30, 1 }, 2);
	avr_board_run(board, 300);
	hears_status(board, LINE_BUS, ID, 0, (uint8_t[]){ 0x10 }, 1);
}

static void longest_without_interrupts(void **state)
{
	struct avr_board *board = *state;

	board->measured = true;
	hears_on_a_full_bus(state);
	send_packet(board, LINE_HOST, 1, PING, NULL, 0);
	avr_board_run(board, 1000);
	hears_status(board, LINE_BUS, 1, PING, NULL, 0);
	send_packet(board, LINE_BUS, 1, 0, NULL, 0);
	writes8(board, 5, 9);
	send_packet(board, LINE_HOST, ID, READ, (uint8_t[]){ 0, 46 }, 2);
	avr_board_run(board, PATIENCE_US);
	print_message("# interrupts are off for %u cycles at most, of %u a byte has\n",
		      (unsigned int)board->longest, 160);
	/* Two bytes wait in the receiver, and a third comes meanwhile. */
	assert_in_range(board->longest, 1, 160);
	avr_board_renew(board);
}

/* --- what is no packet --- */

static void damaged_bytes(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[20];
	size_t len = frame(bytes, ID, PING, NULL, 0), i;

	for (i = 0; i < 5; i++)
		avr_board_send_damaged(board, LINE_BUS, 0);
	avr_board_send(board, LINE_BUS, bytes, 4);
	avr_board_send_damaged(board, LINE_BUS, 0);
	avr_board_run(board, 300);
	hears_nothing(board, LINE_BUS);
	send_all(board, LINE_BUS, bytes, len);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_BUS, ID, 0, NULL, 0);
}

static void any_bytes(void **state)
{
	struct avr_board *board = *state;
	uint32_t seed = 20;
	uint8_t byte;
	size_t i;

	for (i = 0; i < 20000; i++) {
		seed = seed * 1664525 + 1013904223;
		/* Neither its ID nor that of all: it is to be as it is afterwards. */
		byte = seed >> 28 > 5 ? 0xff : (seed >> 16) % 200;
		avr_board_send(board, LINE_BUS, &byte, 1);
		avr_board_send(board, LINE_HOST, &byte, i % 7 == 0);
		avr_board_run(board, 11);
	}
	avr_board_power_cycle(board);
	send_packet(board, LINE_BUS, ID, READ, (uint8_t[]){ 3, 5 }, 2);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_BUS, ID, 0, (uint8_t[]){ 200, 1, 0, 2, 1 }, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(cases_on_the_bus),
		BOARD_TEST(cases_of_the_host),
		BOARD_TEST(answers_in_time),
		BOARD_TEST(return_delay_time),
		BOARD_TEST(lets_go_of_the_line),
		BOARD_TEST(never_while_others_talk),
		BOARD_TEST(never_at_a_slow_rate_either),
		BOARD_TEST(every_rate),
		BOARD_TEST(hears_on_a_full_bus),
		BOARD_TEST(longest_without_interrupts),
		BOARD_TEST(damaged_bytes),
		BOARD_TEST(any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
