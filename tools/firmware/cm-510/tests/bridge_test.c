// SPDX-License-Identifier: GPL-2.0-or-later
/* The firmware as a bridge from a host to the bus, in virtual time */
#include "../../../dxlsim/tests/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "../../../dxlsim/tests/frame.h"
#include "../map.h"
#include "avr_talk.h"

#define PC_JACK		0x20
#define RADIO_JACK	0x40
#define JACKS		(PC_JACK | RADIO_JACK)

static uint8_t jacks(const struct avr_board *board)
{
	return board->ports['D' - 'A'] & JACKS;
}

static void servos_through_the_board(void **state)
{
	struct avr_board *board = *state;
	unsigned int i;

	for (i = 0; i < 20; i++)
		ask_servo(board);
}

/* Nobody but a host with a good packet for somebody else has the board drive the bus. */
static void opens_by_a_good_packet(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300];
	size_t len = frame(bytes, SERVO, PING, NULL, 0);

	bytes[len - 1] ^= 1;
	send_all(board, LINE_HOST, bytes, len);
	send_all(board, LINE_HOST, (uint8_t[]){ 0, 0xff, 0xff, 3, 0xff, 0x55 }, 6);
	avr_board_run(board, PATIENCE_US);
	send_packet(board, LINE_HOST, ID, PING, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_HOST, ID, 0, NULL, 0);
	hears_nothing(board, LINE_BUS);
	/* Closed it is the other way, too. */
	send_packet(board, LINE_BUS, SERVO, 0, NULL, 0);
	hears_nothing(board, LINE_HOST);
	ask_servo(board);
}

/* The first packet opens it, whatever else is on its way by then. */
static void opens_in_a_stream(void **state)
{
	static const size_t sizes[] = { 0, 3, 100, 1, 0, 40, 7, 200, 5 };
	struct avr_board *board = *state;
	uint8_t bytes[600], params[200] = { 0xff, 0xff, SERVO };
	size_t i, len = 0;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		len += frame(bytes + len, SERVO, WRITE, params, sizes[i]);
	send_all(board, LINE_HOST, bytes, len);
	avr_board_run(board, PATIENCE_US);
	hears(board, LINE_BUS, bytes, len);
	assert_int_equal(reads16(board, MAP_LOST_PACKETS), 0);
}

static void a_broken_line_closes_it(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300];

	ask_servo(board);
	avr_board_send_damaged(board, LINE_HOST, 0);
	avr_board_run(board, PATIENCE_US);
	/* What noise there may be stays where it is. */
	send_all(board, LINE_HOST, bytes, 0);
	send_all(board, LINE_HOST, (uint8_t[]){ 1, 2, 3, 0xff }, 4);
	avr_board_run(board, PATIENCE_US);
	hears_nothing(board, LINE_BUS);
	ask_servo(board);
}

/* The board is asked and told by the host as by the bus, and answers to whom has asked. */
static void the_board_itself(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], heard[300];
	size_t len;

	ask_servo(board);
	send_packet(board, LINE_HOST, ID, READ, (uint8_t[]){ 0, 3 }, 2);
	avr_board_run(board, 1000);
	hears_status(board, LINE_HOST, ID, 0, (uint8_t[]){ 0x10, 0x05, 2 }, 3);
	/* Servos have heard it, and it is not theirs. */
	assert_int_equal(avr_board_heard(board, LINE_BUS, heard, sizeof(heard)), 8);
	len = frame(bytes, 254, 0x83, (uint8_t[]){ 25, 1, SERVO, 1, ID, 0x11 }, 6);
	send_all(board, LINE_HOST, bytes, len);
	avr_board_run(board, 1000);
	hears(board, LINE_BUS, bytes, len);
	hears_nothing(board, LINE_HOST);
	assert_int_equal(board->ports[2] & 0x7f, 0x7f & ~0x11);
	/* Somebody else on the bus: the host hears what he says, and not what we answer. */
	send_packet(board, LINE_BUS, ID, PING, NULL, 0);
	avr_board_run(board, 1000);
	hears_status(board, LINE_BUS, ID, 0, NULL, 0);
	hears_status(board, LINE_HOST, ID, PING, NULL, 0);
}

/* A host's packet comes in an answer of a servo's, so many us before its end. */
static void wait_for_answer(struct avr_board *board, unsigned int us)
{
	struct avr_side *bus = &board->sides[LINE_BUS];
	uint8_t bytes[300], answer[300], params[60] = { 0 };
	size_t len = frame(bytes, SERVO, PING, NULL, 0);
	size_t answer_len = frame(answer, SERVO, 0, params, sizeof(params));
	avr_cycle_count_t came;

	avr_board_send(board, LINE_BUS, answer, answer_len);
	avr_board_run(board, answer_len * avr_byte_cycles(bus) / CYCLES_PER_US - us);
	send_all(board, LINE_HOST, bytes, len);
	while (!avr_board_quiet(board))
		avr_board_run(board, 10);
	came = bus->came;
	avr_board_run(board, 20000);
	assert_true(bus->said[bus->said_from].start > came);
	hears(board, LINE_BUS, bytes, len);
	hears(board, LINE_HOST, answer, answer_len);
}

/* What comes while the bus is not free waits for it: the end of an answer, and its silence. */
static void never_into_an_answer(void **state)
{
	struct avr_board *board = *state;

	ask_servo(board);
	wait_for_answer(board, 15);
	slows_down(board);
	ask_servo_slowly(board);
	wait_for_answer(board, 1500);
	wait_for_answer(board, 9000);
}

/* Long packets in both directions, as fast as the lines are */
static void long_packets(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], params[253];
	unsigned int i;
	size_t len;

	ask_servo(board);
	for (i = 0; i < sizeof(params); i++)
		params[i] = i;
	len = frame(bytes, SERVO, WRITE, params, sizeof(params));
	for (i = 0; i < 3; i++) {
		send_all(board, LINE_HOST, bytes, len);
		avr_board_run(board, 1000);
		hears(board, LINE_BUS, bytes, len);
		send_all(board, LINE_BUS, bytes, len);
		avr_board_run(board, 1000);
		hears(board, LINE_HOST, bytes, len);
	}
}

static void jacks_and_rates(void **state)
{
	struct avr_board *board = *state;

	assert_int_equal(jacks(board), RADIO_JACK);
	writes8(board, MAP_HOST_JACK, HOST_PC);
	writes8(board, MAP_HOST_BAUD, 34);
	/* From the next start on */
	ask_servo(board);
	avr_board_power_cycle(board);
	assert_int_equal(jacks(board), PC_JACK);
	board->sides[LINE_HOST].rate = 34;
	send_packet(board, LINE_HOST, ID, PING, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_HOST, ID, 0, NULL, 0);
	writes8(board, MAP_HOST_JACK, HOST_NONE);
	avr_board_power_cycle(board);
	assert_int_equal(jacks(board), 0);
	board->sides[LINE_HOST].rate = 34;
	send_packet(board, LINE_HOST, ID, PING, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	hears_nothing(board, LINE_HOST);
	/* Who has locked himself out holds START. */
	avr_board_restart(board);
	avr_board_pull_low(board, 'D', 0, true);
	avr_board_run(board, 5000);
	assert_int_equal(jacks(board), PC_JACK);
	board->sides[LINE_HOST].rate = 34;
	send_packet(board, LINE_HOST, 254, RESET, NULL, 0);
	avr_board_pull_low(board, 'D', 0, false);
	avr_board_run(board, PATIENCE_US);
	assert_int_equal(jacks(board), RADIO_JACK);
}

/* A host's rate holds from the next start on, and so does how long its answer waits. */
static void answers_at_the_rate_it_has(void **state)
{
	struct avr_board *board = *state;
	struct avr_side *host = &board->sides[LINE_HOST];
	size_t first = host->said_to;

	writes8(board, MAP_HOST_BAUD, 207);
	send_packet(board, LINE_HOST, ID, PING, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	assert_in_range(host->said[first].start - host->came, 20 * CYCLES_PER_US,
			500 * CYCLES_PER_US);
	hears_status(board, LINE_HOST, ID, 0, NULL, 0);
}

/* The answer has gone whole before the jack is begun anew. */
static void reset_by_the_host(void **state)
{
	struct avr_board *board = *state;

	writes8(board, MAP_HOST_BAUD, 9);
	avr_board_power_cycle(board);
	board->sides[LINE_HOST].rate = 9;
	send_packet(board, LINE_HOST, ID, RESET, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_HOST, ID, 0, NULL, 0);
	board->sides[LINE_HOST].rate = 1;
	ask_servo(board);
}

/* The host's answer goes as a whole, and what has been told holds, though bytes of the bus ran. */
static void reset_through_the_open_bridge(void **state)
{
	struct avr_board *board = *state;

	writes8(board, MAP_LED, 5);
	ask_servo(board);
	send_packet(board, LINE_HOST, ID, RESET, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_HOST, ID, 0, NULL, 0);
	hears_status(board, LINE_BUS, ID, RESET, NULL, 0);
	assert_int_equal(reads8(board, MAP_LED), 0);
	ask_servo(board);
}

/* What had no place at the host is not awaited. */
static void reset_that_is_too_long_to_go_on(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], params[253] = { 0 };

	writes8(board, MAP_HOST_BAUD, 34);
	avr_board_power_cycle(board);
	board->sides[LINE_HOST].rate = 34;
	send_packet(board, LINE_HOST, SERVO, PING, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	assert_int_equal(hears_packets(board, LINE_BUS), 1);
	send_all(board, LINE_BUS, bytes, frame(bytes, ID, RESET, params, sizeof(params)));
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_BUS, ID, 0, NULL, 0);
	hears_nothing(board, LINE_HOST);
	assert_int_equal(reads8(board, MAP_HOST_BAUD), 1);
}

static void rate_through_the_open_bridge(void **state)
{
	struct avr_board *board = *state;

	ask_servo(board);
	send_packet(board, LINE_HOST, ID, WRITE, (uint8_t[]){ MAP_BAUD, 3 }, 2);
	avr_board_run(board, PATIENCE_US);
	hears_status(board, LINE_HOST, ID, 0, NULL, 0);
	hears_status(board, LINE_BUS, ID, WRITE, (uint8_t[]){ MAP_BAUD, 3 }, 2);
	board->sides[LINE_BUS].rate = 3;
	assert_int_equal(reads8(board, MAP_BAUD), 3);
	hears_status(board, LINE_HOST, ID, READ, (uint8_t[]){ MAP_BAUD, 1 }, 2);
	ask_servo_slowly(board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(servos_through_the_board),
		BOARD_TEST(opens_by_a_good_packet),
		BOARD_TEST(opens_in_a_stream),
		BOARD_TEST(a_broken_line_closes_it),
		BOARD_TEST(the_board_itself),
		BOARD_TEST(never_into_an_answer),
		BOARD_TEST(long_packets),
		BOARD_TEST(jacks_and_rates),
		BOARD_TEST(answers_at_the_rate_it_has),
		BOARD_TEST(reset_by_the_host),
		BOARD_TEST(reset_through_the_open_bridge),
		BOARD_TEST(reset_that_is_too_long_to_go_on),
		BOARD_TEST(rate_through_the_open_bridge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
