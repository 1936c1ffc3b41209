// SPDX-License-Identifier: GPL-2.0-or-later
/* Who talks when two want to, in virtual time */
#include "../../../dxlsim/tests/cmocka_all.h"

#include <string.h>

#include "../../../dxlsim/tests/frame.h"
#include "../map.h"
#include "avr_talk.h"

/* Bytes of the answer to a READ of all */
#define ANSWER		52

/* A servo begins before the first byte of the host's is there: the bus is his. */
static void a_servo_that_is_first(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], answer[20];
	size_t answer_len = frame(answer, SERVO, 0, NULL, 0), len;
	unsigned int us, lost = 0, got = 0;

	ask_servo(board);
	for (us = 1; us < 10; us++) {
		len = frame(bytes, SERVO + 1, PING, NULL, 0);
		avr_board_send(board, LINE_HOST, bytes, len);
		avr_board_run(board, us);
		send_all(board, LINE_BUS, answer, answer_len);
		avr_board_run(board, 2000);
		hears(board, LINE_HOST, answer, answer_len);
		got += hears_packets(board, LINE_BUS);
		lost += board->sides[LINE_HOST].usart.overruns > 0;
		board->sides[LINE_HOST].usart.overruns = 0;
		ask_servo(board);
	}
	assert_int_equal(got + lost, us - 1);
	assert_int_equal(reads16(board, MAP_LOST_PACKETS), lost);
}

/* A second master asks the board on the bus, and the host goes on meanwhile: what goes is whole. */
static void two_masters(void **state)
{
	struct avr_board *board = *state;
	struct avr_side *bus = &board->sides[LINE_BUS];
	uint8_t bytes[300], heard[300], params[60] = { 0 };
	unsigned int us, said, answered = 0, got = 0;

	ask_servo(board);
	for (us = 0; us < 900; us += 3) {
		size_t len = frame(bytes, SERVO, WRITE, params, sizeof(params));

		send_packet(board, LINE_BUS, ID, READ, (uint8_t[]){ 0, 46 }, 2);
		avr_board_run(board, us);
		send_all(board, LINE_HOST, bytes, len);
		avr_board_run(board, 3000);
		said = bus->said_to - bus->said_from;
		answered += said == ANSWER || said == ANSWER + len;
		got += hears_packets(board, LINE_BUS);
		avr_board_heard(board, LINE_HOST, heard, sizeof(heard));
	}
	print_message("# of 300 the board has answered %u, and %u of the host's went on\n", answered,
		      got);
	assert_in_range(answered, 250, 300);
	assert_in_range(got, 100, 300);
	board->sides[LINE_HOST].usart.overruns = 0;
}

/* What the board answers the host comes whole, whatever a servo says meanwhile. */
static void two_answers(void **state)
{
	struct avr_board *board = *state;
	uint8_t bytes[300], heard[300], params[20] = { 0 };
	unsigned int us;

	ask_servo(board);
	for (us = 100; us < 800; us += 70) {
		size_t len = frame(bytes, SERVO, 0, params, sizeof(params));

		send_packet(board, LINE_HOST, ID, READ, (uint8_t[]){ 0, 46 }, 2);
		avr_board_run(board, us);
		send_all(board, LINE_BUS, bytes, len);
		avr_board_run(board, 2000);
		assert_int_equal(avr_board_heard(board, LINE_HOST, heard, sizeof(heard)),
				 ANSWER + len);
		assert_true(!memcmp(heard, bytes, len) || !memcmp(heard + ANSWER, bytes, len));
		avr_board_heard(board, LINE_BUS, heard, sizeof(heard));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(a_servo_that_is_first),
		BOARD_TEST(two_masters),
		BOARD_TEST(two_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
