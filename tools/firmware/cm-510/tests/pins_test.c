// SPDX-License-Identifier: GPL-2.0-or-later
/* The firmware and the board's pins, in virtual time */
#include "../../../dxlsim/tests/cmocka_all.h"

#include <stdlib.h>

#include "../map.h"
#include "avr_talk.h"

static void lights(void **state)
{
	struct avr_board *board = *state;
	unsigned int bit;

	assert_int_equal(board->ports[2] & 0x7f, 0x7f);
	for (bit = 0; bit < 7; bit++) {
		writes8(board, MAP_LED, 1 << bit);
		assert_int_equal(board->ports[2] & 0x7f, 0x7f & ~(1 << bit));
	}
	writes8(board, MAP_LED, 0x7f);
	assert_int_equal(board->ports[2] & 0x7f, 0);
	/* PC0 to PC6 are driven. */
	assert_int_equal(board->avr->data[0x27], 0x7f);
	send_packet(board, LINE_BUS, ID, RESET, NULL, 0);
	avr_board_run(board, PATIENCE_US);
	assert_int_equal(board->ports[2] & 0x7f, 0x7f);
}

static void plays(struct avr_board *board, unsigned int hertz)
{
	unsigned int slack = hertz / 500 + 1;
	uint8_t bytes[100];

	send_packet(board, LINE_BUS, ID, WRITE,
		    (uint8_t[]){ MAP_BUZZER, hertz & 255, hertz >> 8 }, 3);
	avr_board_run(board, 1000);
	avr_board_heard(board, LINE_BUS, bytes, sizeof(bytes));
	board->edges = 0;
	avr_board_run(board, 1000000);
	/* Two edges a period; 65535 Hz are 122.07 cycles a half, of which there are 122. */
	assert_in_range(board->edges + slack, 2 * hertz, 2 * hertz + 2 * slack);
}

static void buzzer(void **state)
{
	struct avr_board *board = *state;

	board->edges = 0;
	avr_board_run(board, PATIENCE_US);
	assert_int_equal(board->edges, 0);
	plays(board, 440);
	plays(board, 1);
	plays(board, 100);
	plays(board, 16);
	plays(board, 4186);
	plays(board, 20000);
	plays(board, 65535);
	plays(board, 0);
	assert_int_equal(board->edges, 0);
	/* And is not left driven, whatever the tone ended with. */
	assert_int_equal(board->ports[1] & 0x20, 0);
}

static void buttons(void **state)
{
	static const struct {
		char port;
		uint8_t pin, bit;
	} rows[] = {
		{ 'D', 0, BUTTON_START }, { 'E', 4, BUTTON_UP }, { 'E', 5, BUTTON_DOWN },
		{ 'E', 6, BUTTON_LEFT }, { 'E', 7, BUTTON_RIGHT },
	};
	struct avr_board *board = *state;
	size_t i;

	assert_int_equal(reads8(board, MAP_BUTTON), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		avr_board_pull_low(board, rows[i].port, rows[i].pin, true);
		avr_board_run(board, 6000);
		assert_int_equal(reads8(board, MAP_BUTTON), 0);
		avr_board_run(board, 6000);
		assert_int_equal(reads8(board, MAP_BUTTON), rows[i].bit);
		avr_board_pull_low(board, rows[i].port, rows[i].pin, false);
		avr_board_run(board, 6000);
		assert_int_equal(reads8(board, MAP_BUTTON), rows[i].bit);
		avr_board_run(board, 6000);
		assert_int_equal(reads8(board, MAP_BUTTON), 0);
	}
}

static void buttons_bounce(void **state)
{
	struct avr_board *board = *state;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		avr_board_pull_low(board, 'E', 4, i % 2);
		avr_board_run(board, 4000);
		assert_int_equal(reads8(board, MAP_BUTTON), 0);
	}
	avr_board_run(board, 12000);
	assert_int_equal(reads8(board, MAP_BUTTON), BUTTON_UP);
}

static void ports_and_battery(void **state)
{
	struct avr_board *board = *state;
	unsigned int port;

	for (port = 1; port <= MAP_PORTS; port++)
		avr_board_voltage(board, port, 500 * port);
	/* 11.1 V by the divider */
	avr_board_voltage(board, 0, 2775);
	avr_board_run(board, 5000);
	for (port = 1; port <= MAP_PORTS; port++)
		assert_in_range(reads16(board, MAP_PORT_1 + 2 * (port - 1)),
				1024 * port / 10 - 1, 1024 * port / 10 + 1);
	assert_int_equal(reads8(board, MAP_VOLTAGE), 111);
	avr_board_voltage(board, 0, 2400);
	avr_board_voltage(board, 5, 5000);
	avr_board_run(board, 5000);
	assert_int_equal(reads8(board, MAP_VOLTAGE), 96);
	assert_int_equal(reads16(board, MAP_PORT_1 + 8), 1023);
}

/* What lights up by a port's OUT has been lit for a while when it is measured. */
static void port_outputs(void **state)
{
	struct avr_board *board = *state;
	unsigned int port;

	for (port = 1; port <= MAP_PORTS; port++)
		board->outs[port] = 500 + 500 * port;
	avr_board_run(board, 5000);
	for (port = 1; port <= MAP_PORTS; port++)
		assert_in_range(reads16(board, MAP_PORT_1 + 2 * (port - 1)), 19, 21);
	/* Ports 1, 3 and 6 */
	writes8(board, MAP_PORT_OUTPUT, 0x25);
	avr_board_run(board, 5000);
	for (port = 1; port <= MAP_PORTS; port++) {
		unsigned int count = 0x25 & 1 << (port - 1) ? 102 + 102 * port : 20;

		assert_in_range(reads16(board, MAP_PORT_1 + 2 * (port - 1)), count - 3, count + 4);
	}
	assert_int_equal(board->outs_seen, 0x25);
	writes8(board, MAP_PORT_OUTPUT, 0);
	avr_board_run(board, 5000);
	assert_int_equal(board->ports[0], 0xfc);
	assert_in_range(reads16(board, MAP_PORT_1), 19, 21);
}

static void sounds(void **state)
{
	struct avr_board *board = *state;
	unsigned int i;

	avr_board_run(board, 200000);
	assert_int_equal(reads16(board, MAP_SOUNDS), 0);
	/* A sound is many waves. */
	for (i = 0; i < 50; i++) {
		avr_board_pull_low(board, 'D', 1, i % 2);
		avr_board_run(board, 3000);
	}
	avr_board_pull_low(board, 'D', 1, false);
	assert_int_equal(reads16(board, MAP_SOUNDS), 1);
	avr_board_run(board, 80000);
	avr_board_pull_low(board, 'D', 1, true);
	avr_board_run(board, 2000);
	avr_board_pull_low(board, 'D', 1, false);
	assert_int_equal(reads16(board, MAP_SOUNDS), 1);
	avr_board_run(board, 120000);
	avr_board_pull_low(board, 'D', 1, true);
	avr_board_run(board, 2000);
	assert_int_equal(reads16(board, MAP_SOUNDS), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(lights),
		BOARD_TEST(buzzer),
		BOARD_TEST(buttons),
		BOARD_TEST(buttons_bounce),
		BOARD_TEST(ports_and_battery),
		BOARD_TEST(port_outputs),
		BOARD_TEST(sounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
