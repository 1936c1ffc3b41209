// SPDX-License-Identifier: GPL-2.0-or-later
/* What the bridge carries, and what becomes of more than that, in virtual time */
#include "../../../dxlsim/tests/cmocka_all.h"

#include <string.h>

#include "../../../dxlsim/tests/frame.h"
#include "../map.h"
#include "avr_talk.h"

/* At 1 Mbaud */
#define CYCLES_PER_BYTE	160

/* --- what a byte costs --- */

/* From the end of the first byte on one line to its start on the other */
static avr_cycle_count_t passage(struct avr_board *board, enum avr_line from, enum avr_line to)
{
	struct avr_side *heard = &board->sides[to];
	size_t first = heard->said_to;
	uint8_t bytes[20];

	avr_board_run(board, PATIENCE_US);
	avr_board_send(board, from, (uint8_t[]){ 0xff }, 1);
	avr_board_run(board, 100);
	assert_int_equal(heard->said_to, first + 1);
	avr_board_heard(board, to, bytes, sizeof(bytes));

	return heard->said[first].start - board->sides[from].came;
}

static void costs(void **state)
{
	struct avr_board *board = *state;
	avr_cycle_count_t there, back;

	ask_servo(board);
	there = passage(board, LINE_HOST, LINE_BUS);
	back = passage(board, LINE_BUS, LINE_HOST);
	print_message("# a byte is late by %.1f us there and %.1f us back, and its own 10\n",
		      (double)there / CYCLES_PER_US, (double)back / CYCLES_PER_US);
	assert_in_range(there, 1, 8 * CYCLES_PER_US);
	assert_in_range(back, 1, 8 * CYCLES_PER_US);
}

/* From the end of a packet on one line to its start on the other */
static avr_cycle_count_t passage_whole(struct avr_board *board, enum avr_line from,
				       enum avr_line to)
{
	struct avr_side *heard = &board->sides[to];
	avr_cycle_count_t most = 0, cycles;
	unsigned int i;

	/* At any moment of what else it does */
	for (i = 0; i < 40; i++) {
		size_t first = heard->said_to;

		avr_board_run(board, PATIENCE_US + 37 * i);
		send_packet(board, from, SERVO, PING, NULL, 0);
		avr_board_run(board, 5000);
		assert_int_equal(hears_packets(board, to), 1);
		cycles = heard->said[first].start - board->sides[from].came;
		most = cycles > most ? cycles : most;
	}

	return most;
}

static void costs_at_two_rates(void **state)
{
	struct avr_board *board = *state;
	avr_cycle_count_t there, back;

	writes8(board, MAP_HOST_BAUD, 34);
	avr_board_power_cycle(board);
	board->sides[LINE_HOST].rate = 34;
	there = passage_whole(board, LINE_HOST, LINE_BUS);
	back = passage_whole(board, LINE_BUS, LINE_HOST);
	print_message("# a whole packet waits %.0f us there and %.0f us back, at most\n",
		      (double)there / CYCLES_PER_US, (double)back / CYCLES_PER_US);
	assert_in_range(there, 1, 200 * CYCLES_PER_US);
	assert_in_range(back, 1, 200 * CYCLES_PER_US);
}

/* Cycles of all interrupts for each byte of what comes on a line */
static unsigned int cycles_a_byte(struct avr_board *board, enum avr_line line,
				  const uint8_t *bytes, size_t len)
{
	board->measured = true;
	board->interrupts = 0;
	send_all(board, line, bytes, len);
	board->measured = false;
	avr_board_run(board, 10000);

	return board->interrupts / len;
}

/* The same of a packet that goes on to the other line, whole and behind all else */
static unsigned int passing_cycles(struct avr_board *board, enum avr_line line)
{
	struct avr_side *to = &board->sides[line == LINE_HOST ? LINE_BUS : LINE_HOST];
	uint8_t bytes[300], params[200] = { 0 };
	size_t len = frame(bytes, SERVO, WRITE, params, sizeof(params)), first = to->said_to;
	unsigned int cycles = cycles_a_byte(board, line, bytes, len);

	assert_true(to->said_to >= first + len);
	to->said_from = to->said_to - len;
	hears(board, line == LINE_HOST ? LINE_BUS : LINE_HOST, bytes, len);

	return cycles;
}

/* A byte that waits must not cost more than it has, or the line never catches up. */
static void bytes_in_their_time(void **state)
{
	struct avr_board *board = *state;
	unsigned int shut, there, back, waiting, beside;
	uint8_t bytes[300], params[200] = { 0 };

	shut = cycles_a_byte(board, LINE_BUS, bytes,
			     frame(bytes, SERVO, WRITE, params, sizeof(params)));
	ask_servo(board);
	there = passing_cycles(board, LINE_HOST);
	back = passing_cycles(board, LINE_BUS);
	/* A packet that begins while a servo's answer ends: it waits in the ring. */
	avr_board_send(board, LINE_BUS, bytes, frame(bytes, SERVO, 0, NULL, 0));
	avr_board_run(board, 50);
	waiting = passing_cycles(board, LINE_HOST);
	/* And one of a servo's that comes while the board's own answer goes to the host */
	send_packet(board, LINE_HOST, ID, READ, (uint8_t[]){ 0, 46 }, 2);
	avr_board_run(board, 200);
	beside = cycles_a_byte(board, LINE_BUS, bytes, frame(bytes, SERVO, 0, params, 20));
	print_message("# a byte costs %u cycles, %u there, %u back, %u waiting, %u beside an answer\n",
		      shut, there, back, waiting, beside);
	assert_in_range(shut, 1, CYCLES_PER_BYTE - 1);
	assert_in_range(there, 1, CYCLES_PER_BYTE - 1);
	assert_in_range(back, 1, CYCLES_PER_BYTE - 1);
	assert_in_range(waiting, 1, CYCLES_PER_BYTE - 1);
	assert_in_range(beside, 1, CYCLES_PER_BYTE - 1);
}

/* --- more than it carries: whole packets, or none, and they are counted --- */

/* There is no time for each byte of both lines at once: the bus' are not the ones that suffer. */
static void a_host_that_does_not_wait(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], answer[300], params[60] = { 0 };
	size_t answer_len = frame(answer, SERVO, 0, params, sizeof(params));

	ask_servo(board);
	avr_board_send(board, LINE_BUS, answer, answer_len);
	avr_board_run(board, 200);
	send_all(board, LINE_HOST, bytes, frame(bytes, SERVO, WRITE, params, 20));
	avr_board_run(board, 2000);
	hears(board, LINE_HOST, answer, answer_len);
	assert_int_equal(board->sides[LINE_BUS].usart.overruns, 0);
	assert_in_range(board->sides[LINE_HOST].usart.overruns, 1, 20);
	hears_nothing(board, LINE_BUS);
	assert_int_equal(reads16(board, MAP_LOST_PACKETS), 1);
	/* The host has heard that instruction. */
	hears_status(board, LINE_HOST, ID, READ, (uint8_t[]){ MAP_LOST_PACKETS, 2 }, 2);
	ask_servo(board);
	board->sides[LINE_HOST].usart.overruns = 0;
}

/* The goals of 20 servos, some times one behind the other, and then one for our lights */
static void goals_without_a_pause(struct avr_board *board, unsigned int most)
{
	uint8_t bytes[300], heard[LINE_BYTES], goals[102] = { 30, 4 };
	unsigned int times, i;
	size_t len;

	for (i = 0; i < 20; i++)
		goals[2 + 5 * i] = i + 1;
	ask_servo(board);
	for (times = 1; times <= most; times += 3) {
		for (i = 0; i < times; i++)
			avr_board_send(board, LINE_HOST, bytes,
				       frame(bytes, 254, 0x83, goals, sizeof(goals)));
		len = frame(bytes, 254, 0x83, (uint8_t[]){ MAP_LED, 1, ID, times }, 4);
		send_all(board, LINE_HOST, bytes, len);
		avr_board_run(board, 2000);
		assert_int_equal(avr_board_heard(board, LINE_BUS, heard, sizeof(heard)),
				 times * 108 + len);
		assert_int_equal(board->ports[2] & 0x7f, 0x7f & ~times);
		send_packet(board, LINE_HOST, ID, READ, (uint8_t[]){ MAP_LOST_PACKETS, 2 }, 2);
		avr_board_run(board, 500);
		hears_status(board, LINE_HOST, ID, 0, (uint8_t[]){ 0, 0 }, 2);
		avr_board_heard(board, LINE_BUS, heard, sizeof(heard));
	}
}

static void a_host_without_a_pause(void **state)
{
	goals_without_a_pause(*state, 40);
}

/* Its clock is not the board's: a byte has 1 % more or less. */
static void a_slower_host(void **state)
{
	struct avr_board *board = *state;

	board->sides[LINE_HOST].skew = 2;
	goals_without_a_pause(board, 40);
}

/* Each byte of its waits. After some thousand the board itself misses one, and the bus does not. */
static void a_faster_host(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], params[102] = { 30, 4 };
	unsigned int i;

	board->sides[LINE_HOST].skew = -2;
	goals_without_a_pause(board, 19);
	for (i = 0; i < 70; i++)
		avr_board_send(board, LINE_HOST, bytes,
			       frame(bytes, 254, 0x83, params, sizeof(params)));
	while (!avr_board_quiet(board))
		avr_board_run(board, 10);
	avr_board_run(board, 5000);
	assert_int_equal(hears_packets(board, LINE_BUS), 70);
	ask_servo(board);
}

/* At one rate, where others have the bus for so long that the host's packets have no place */
static void no_place(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], params[110] = { 0 };
	unsigned int got, i;

	slows_down(board);
	ask_servo_slowly(board);
	for (i = 0; i < 6; i++)
		avr_board_send(board, LINE_BUS, bytes,
			       frame(bytes, SERVO, 0, params, sizeof(params)));
	avr_board_run(board, 2000);
	for (i = 0; i < 4; i++)
		avr_board_send(board, LINE_HOST, bytes,
			       frame(bytes, SERVO, WRITE, params, sizeof(params) - i));
	avr_board_run(board, 400000);
	assert_int_equal(hears_packets(board, LINE_HOST), 6);
	got = hears_packets(board, LINE_BUS);
	assert_in_range(got, 2, 3);
	assert_int_equal(reads16(board, MAP_LOST_PACKETS), 4 - got);
}

/* A bus whose clock is faster than the board's, for as long as no robot has something to say */
static void a_faster_bus(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], params[110] = { 0 };
	unsigned int got, i;

	ask_servo(board);
	board->sides[LINE_BUS].skew = -2;
	for (i = 0; i < 400; i++)
		avr_board_send(board, LINE_BUS, bytes,
			       frame(bytes, SERVO, 0, params, sizeof(params)));
	avr_board_run(board, 500000);
	got = hears_packets(board, LINE_HOST);
	assert_in_range(got, 300, 399);
	assert_int_equal(reads16(board, MAP_LOST_PACKETS), 400 - got);
}

/* A full bus of 1 Mbaud is more than the PC jack has. */
static void slow_jack(void **state)
{
	struct avr_board *board = *state;
	unsigned int count, got, lost = 0, i;
	uint8_t bytes[300], params[8] = { 0 };

	writes8(board, MAP_HOST_BAUD, 34);
	avr_board_power_cycle(board);
	board->sides[LINE_HOST].rate = 34;
	ask_servo_slowly(board);
	for (count = 5; count <= 100; count *= 2) {
		for (i = 0; i < count; i++)
			avr_board_send(board, LINE_BUS, bytes,
				       frame(bytes, i + 1, 0, params, sizeof(params)));
		avr_board_run(board, 100000);
		got = hears_packets(board, LINE_HOST);
		assert_in_range(got, count < 18 ? count : 18, count);
		lost += count - got;
		assert_int_equal(reads16(board, MAP_LOST_PACKETS), lost);
		/* That was an instruction and an answer, of which the host hears the former. */
		avr_board_run(board, PATIENCE_US);
		hears_status(board, LINE_HOST, ID, READ, (uint8_t[]){ MAP_LOST_PACKETS, 2 }, 2);
	}
	assert_in_range(lost, 1, 1000);
}

/* And a host of 1 Mbaud more than a slow bus */
static void slow_bus(void **state)
{
	struct avr_board *board = *state;
	unsigned int got, i;
	uint8_t bytes[300], params[8] = { 0 };

	writes8(board, MAP_BAUD, 34);
	board->sides[LINE_BUS].rate = 34;
	for (i = 0; i < 50; i++)
		avr_board_send(board, LINE_HOST, bytes,
			       frame(bytes, i + 1, WRITE, params, sizeof(params)));
	avr_board_run(board, 200000);
	got = hears_packets(board, LINE_BUS);
	assert_in_range(got, 18, 40);
	assert_int_equal(reads16(board, MAP_LOST_PACKETS), 50 - got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(costs),
		BOARD_TEST(costs_at_two_rates),
		BOARD_TEST(bytes_in_their_time),
		BOARD_TEST(a_host_that_does_not_wait),
		BOARD_TEST(a_host_without_a_pause),
		BOARD_TEST(a_slower_host),
		BOARD_TEST(a_faster_host),
		BOARD_TEST(no_place),
		BOARD_TEST(a_faster_bus),
		BOARD_TEST(slow_jack),
		BOARD_TEST(slow_bus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
