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

static void set_voltages(struct avr_board *board)
{
	unsigned int channel;

	for (channel = 0; channel <= MAP_PORTS; channel++)
		avr_board_voltage(board, channel, 2500);
}

/* No battery of 0 V, and no port, though nothing may have been converted since the start */
static void first_values(struct avr_board *board)
{
	unsigned int port;

	assert_int_equal(reads8(board, MAP_VOLTAGE), 100);
	for (port = 0; port < MAP_PORTS; port++)
		assert_in_range(reads16(board, MAP_PORT_1 + 2 * port), 511, 513);
}

static uint8_t voltage_at_once(struct avr_board *board)
{
	uint8_t heard[20] = { 0 };

	send_packet(board, LINE_BUS, ID, READ, (uint8_t[]){ MAP_VOLTAGE, 1 }, 2);
	avr_board_run(board, 250);
	avr_board_heard(board, LINE_BUS, heard, sizeof(heard));

	return heard[0] ? heard[5] : 0;
}

static void never_without_values(void **state)
{
	struct avr_board *board = *state;
	unsigned int tries = 0;
	uint8_t voltage;

	avr_board_restart(board);
	set_voltages(board);
	do
		voltage = voltage_at_once(board);
	while (!board->sides[LINE_BUS].said_to && ++tries < 100);
	assert_int_equal(voltage, 100);
	first_values(board);
	send_packet(board, LINE_BUS, ID, RESET, NULL, 0);
	avr_board_run(board, 220);
	hears_status(board, LINE_BUS, ID, 0, NULL, 0);
	assert_int_equal(voltage_at_once(board), 100);
	first_values(board);
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

/* A boot loader that has used all there is, and jumps to the program at last */
static void whatever_ran_before(void **state)
{
	/* The processor has 0 in them at its start. */
	static const struct {
		uint8_t addr, value;
	} left[] = {
		{ 0x3d, 0xff },	/* EIMSK */
		{ 0x4c, 0xc0 },	/* SPCR */
		{ 0x50, 0x08 },	/* ACSR */
		{ 0x53, 0x04 },	/* SMCR: another sleep than idle */
		{ 0x55, 0x02 },	/* MCUCR: vectors are the boot loader's */
		{ 0x57, 0x80 },	/* SPMCSR */
		{ 0x60, 0x48 },	/* WDTCSR: both of a watchdog's ends */
		{ 0x64, 0xad }, { 0x65, 0x3f },	/* PRR0, PRR1 */
		{ 0x68, 0x07 },	/* PCICR */
		{ 0x6e, 0x07 }, { 0x6f, 0x2f }, { 0x70, 0x07 },	/* TIMSK0 to 5 */
		{ 0x71, 0x2f }, { 0x72, 0x2f }, { 0x73, 0x2f },
		{ 0xbc, 0x05 },	/* TWCR */
	};
	struct avr_board *board = *state;
	size_t i;

	avr_board_restart(board);
	for (i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		board->avr->data[left[i].addr] = left[i].value;
	avr_board_run(board, 5000);
	for (i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		assert_int_equal(board->avr->data[left[i].addr] & left[i].value, 0);
	assert_int_equal(reads8(board, MAP_FIRMWARE), MAP_VERSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(lights),
		BOARD_TEST(buzzer),
		BOARD_TEST(buttons),
		BOARD_TEST(buttons_bounce),
		BOARD_TEST(ports_and_battery),
		BOARD_TEST(never_without_values),
		BOARD_TEST(port_outputs),
		BOARD_TEST(sounds),
		BOARD_TEST(whatever_ran_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
