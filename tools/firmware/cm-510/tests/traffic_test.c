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

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(any_traffic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
