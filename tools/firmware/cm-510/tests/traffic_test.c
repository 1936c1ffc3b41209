// SPDX-License-Identifier: GPL-2.0-or-later
/* Any packets of a host's and of servos through the bridge, in virtual time */
#include "../../../dxlsim/tests/cmocka_all.h"

#include "../../../dxlsim/tests/frame.h"
#include "../map.h"
#include "avr_talk.h"

struct traffic {
	uint32_t seed;
	unsigned int sent[LINES];	/* and to go on to the other */
	unsigned int asked;		/* of the board itself */
};

static unsigned int chance(struct traffic *traffic, unsigned int below)
{
	traffic->seed = traffic->seed * 1664525 + 1013904223;

	return (traffic->seed >> 8) % below;
}

static size_t any_packet(struct traffic *traffic, uint8_t *bytes, uint8_t instruction)
{
	uint8_t params[230];
	size_t len = chance(traffic, chance(traffic, 3) ? 10 : sizeof(params)), i;

	for (i = 0; i < len; i++)
		params[i] = chance(traffic, 4) ? chance(traffic, 256) : 0xff;

	return frame(bytes, 1 + chance(traffic, 20), instruction, params, len);
}

/* A servo's answer, once the bus is silent; the host may not await its last byte. */
static void any_answer(struct traffic *traffic, struct avr_board *board)
{
	struct avr_side *bus = &board->sides[LINE_BUS];
	uint8_t bytes[300];
	size_t left = chance(traffic, 2);

	avr_board_run(board, board->sides[LINE_HOST].rate == 1 ? 1500 : 45000);
	avr_board_send(board, LINE_BUS, bytes, any_packet(traffic, bytes, 0));
	while (bus->coming_to - bus->coming_from > left)
		avr_board_run(board, 1);
	traffic->sent[LINE_BUS]++;
}

static void any_question(struct traffic *traffic, struct avr_board *board)
{
	uint8_t bytes[300];

	if (!chance(traffic, 5)) {
		send_packet(board, LINE_HOST, ID, PING, NULL, 0);
		avr_board_run(board, 300);
		traffic->asked++;
		return;
	}
	send_all(board, LINE_HOST, bytes, any_packet(traffic, bytes, WRITE));
	traffic->sent[LINE_HOST]++;
}

static void any_traffic(void **state)
{
	struct avr_board *board = *state;
	struct traffic traffic = { .seed = 20 };
	unsigned int i, to_bus = 0, to_host = 0;

	ask_servo(board);
	for (i = 0; i < 400; i++) {
		if (i % 20 == 0) {
			board->sides[LINE_HOST].skew = (int)chance(&traffic, 5) - 2;
			board->sides[LINE_BUS].skew = (int)chance(&traffic, 5) - 2;
		}
		if (chance(&traffic, 2))
			any_question(&traffic, board);
		else
			any_answer(&traffic, board);
		avr_board_run(board, 1 + chance(&traffic, chance(&traffic, 2) ? 40 : 600));
		if (i % 20 != 19)
			continue;
		avr_board_run(board, 50000);
		to_bus += hears_packets(board, LINE_BUS);
		to_host += hears_packets(board, LINE_HOST);
	}
	assert_int_equal(to_bus, traffic.sent[LINE_HOST]);
	assert_int_equal(to_host, traffic.sent[LINE_BUS]);
	assert_in_range(traffic.asked, 10, 100);
	assert_int_equal(reads16(board, MAP_LOST_PACKETS), 0);
}

/* --- anything at any time, which may get lost, but must not leave the board deaf --- */

static void any_bytes(struct traffic *traffic, struct avr_board *board)
{
	static const uint8_t ids[] = { ID, ID, 254, SERVO, 5, 255 };
	static const uint8_t instructions[] = { 1, 2, 3, 4, 5, RESET, RESET, 0x83, 0x92 };
	enum avr_line line = chance(traffic, 3) ? LINE_HOST : LINE_BUS;
	uint8_t bytes[300], params[200];
	uint8_t instruction = instructions[chance(traffic, sizeof(instructions))];
	size_t len = chance(traffic, chance(traffic, 4) ? 8 : sizeof(params)), i;

	for (i = 0; i < len; i++)
		params[i] = chance(traffic, 3) ? chance(traffic, 256) : 0xff;
	/* What is in the EEPROM stays: a rate that nobody knows is another matter. */
	params[0] = MAP_LED + chance(traffic, 6);
	len = frame(bytes, ids[chance(traffic, sizeof(ids))], instruction, params, len);
	if (!chance(traffic, 6))
		bytes[chance(traffic, len)] ^= 1 << chance(traffic, 8);
	if (!chance(traffic, 8))
		len = chance(traffic, len);
	for (i = 0; i < len; i++) {
		if (chance(traffic, 400))
			avr_board_send(board, line, bytes + i, 1);
		else
			avr_board_send_damaged(board, line, bytes[i]);
	}
}

/* What both have said is not looked at. */
static void let_pass(struct avr_board *board, unsigned int us)
{
	uint8_t heard[LINE_BYTES];

	avr_board_run(board, us);
	while (!avr_board_quiet(board))
		avr_board_run(board, 50);
	avr_board_heard(board, LINE_BUS, heard, sizeof(heard));
	avr_board_heard(board, LINE_HOST, heard, sizeof(heard));
}

static void answers(struct avr_board *board, enum avr_line line)
{
	send_packet(board, line, ID, READ, (uint8_t[]){ 0, 3 }, 2);
	avr_board_run(board, 20000);
	hears_status(board, line, ID, 0, (uint8_t[]){ 0x10, 0x05, 2 }, 3);
	let_pass(board, 1);
}

static void anything(void **state)
{
	struct avr_board *board = *state;
	struct traffic traffic = { .seed = 510 };
	unsigned int i;

	ask_servo(board);
	for (i = 0; i < 2000; i++) {
		any_bytes(&traffic, board);
		avr_board_run(board, chance(&traffic, chance(&traffic, 2) ? 60 : 2500));
		if (i % 5 != 4)
			continue;
		let_pass(board, 1);
		let_pass(board, 40000);
		assert_int_equal(board->ports['E' - 'A'] & 0x0c, 0x08);
		answers(board, LINE_BUS);
		answers(board, LINE_HOST);
	}
	/* Two talk at once here, which no gate and no byte's time is made for. */
	board->wrong_gates = 0;
	board->sides[LINE_BUS].usart.overruns = 0;
	board->sides[LINE_HOST].usart.overruns = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(any_traffic),
		BOARD_TEST(anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
