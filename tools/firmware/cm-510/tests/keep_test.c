// SPDX-License-Identifier: GPL-2.0-or-later
/* The power goes while the firmware saves something, in virtual time. */
#include "../../../dxlsim/tests/cmocka_all.h"

#include <string.h>

#include "../../../dxlsim/tests/frame.h"
#include "../map.h"
#include "avr_talk.h"

#define KEPT		5	/* ID to Host Baud Rate */
#define NOT_HEARD	0xff

struct kept {
	uint8_t bytes[KEPT];
};

/* By whatever ID and at whatever rate it has: 0xff everywhere if it has none of these */
static struct kept asked(struct avr_board *board, const struct kept *as)
{
	struct kept kept;
	uint8_t bytes[20], heard[300];

	memset(&kept, NOT_HEARD, sizeof(kept));
	board->sides[LINE_BUS].rate = as->bytes[MAP_BAUD - MAP_ID];
	send_all(board, LINE_BUS, bytes,
		 frame(bytes, as->bytes[0], READ, (uint8_t[]){ MAP_ID, KEPT }, 2));
	avr_board_run(board, 4000);
	if (avr_board_heard(board, LINE_BUS, heard, sizeof(heard)) == 6 + KEPT)
		memcpy(&kept, heard + 5, KEPT);

	return kept;
}

static bool is(struct avr_board *board, const struct kept *kept)
{
	struct kept now = asked(board, kept);

	return !memcmp(&now, kept, sizeof(now));
}

static void tell(struct avr_board *board, const struct kept *from, const struct kept *to)
{
	uint8_t bytes[20], params[1 + KEPT] = { MAP_ID };

	memcpy(params + 1, to, KEPT);
	board->sides[LINE_BUS].rate = from->bytes[MAP_BAUD - MAP_ID];
	send_all(board, LINE_BUS, bytes,
		 frame(bytes, from->bytes[0], WRITE, params, sizeof(params)));
}

/* Until so many steps of the EEPROM have begun, or there are no more; how many there were */
static unsigned int run_steps(struct avr_board *board, unsigned int steps)
{
	unsigned int ms;

	for (ms = 0; ms < PATIENCE_US / 1000 && board->rom.steps < steps; ms++)
		avr_board_run(board, 1000);

	return board->rom.steps;
}

static const struct kept factory = { { ID, 1, 0, HOST_RADIO, 1 } };

/* A new board that has been told something some times, the last of which holds */
static void become(struct avr_board *board, const struct kept *was, unsigned int times)
{
	struct kept now = factory, next = *was;

	avr_board_renew(board);
	while (times--) {
		next.bytes[MAP_RETURN_DELAY - MAP_ID] =
			was->bytes[MAP_RETURN_DELAY - MAP_ID] + times;
		tell(board, &now, &next);
		avr_board_run(board, PATIENCE_US);
		now = next;
	}
	avr_board_power_cycle(board);
	assert_true(is(board, was));
}

/*
 * What was is told to become what will be, and the power goes at each step of it: what is
 * there then is the one or the other, and is told again what will be, which it keeps.
 */
static void interrupted(struct avr_board *board, const struct kept *was, unsigned int times,
			const struct kept *will)
{
	unsigned int steps = 0, before, news = 0;

	do {
		become(board, was, times);
		before = board->rom.steps;
		tell(board, was, will);
		steps++;
		if (run_steps(board, before + steps) < before + steps)
			break;
		avr_board_power_cycle(board);
		if (is(board, will)) {
			news++;
			continue;
		}
		assert_true(is(board, was));
		assert_int_equal(news, 0);
		tell(board, was, will);
		avr_board_run(board, PATIENCE_US);
		avr_board_power_cycle(board);
		assert_true(is(board, will));
	} while (steps < 200);
	assert_in_range(steps, 3, 100);
	avr_board_power_cycle(board);
	assert_true(is(board, will));
}

static void one_item(void **state)
{
	interrupted(*state, &(struct kept){ { 7, 1, 0, HOST_RADIO, 1 } }, 3,
		    &(struct kept){ { 8, 1, 0, HOST_RADIO, 1 } });
	interrupted(*state, &(struct kept){ { 7, 1, 0, HOST_RADIO, 1 } }, 4,
		    &(struct kept){ { 7, 3, 0, HOST_RADIO, 1 } });
}

static void all_items(void **state)
{
	interrupted(*state, &(struct kept){ { 7, 1, 0, HOST_RADIO, 1 } }, 2,
		    &(struct kept){ { 9, 3, 8, HOST_PC, 34 } });
}

/* A new board's EEPROM has nothing of ours. */
static void from_the_factory(void **state)
{
	interrupted(*state, &factory, 0, &(struct kept){ { 3, 1, 0, HOST_RADIO, 1 } });
}

/* MODE is pressed meanwhile: what is kept is not looked for in an EEPROM that is busy. */
static void started_anew(void **state)
{
	const struct kept was = { { 7, 1, 0, HOST_RADIO, 1 } }, will = { { 8, 1, 0, HOST_RADIO, 1 } };
	struct avr_board *board = *state;
	unsigned int steps, before;

	for (steps = 1; steps < 10; steps++) {
		become(board, &was, 2);
		before = board->rom.steps;
		tell(board, &was, &will);
		if (run_steps(board, before + steps) < before + steps)
			break;
		avr_board_press_mode(board);
		assert_true(is(board, &was) || is(board, &will));
	}
	assert_in_range(steps, 3, 100);
}

/* What is told while something is saved is saved next, and the last is what stays. */
static void told_in_between(void **state)
{
	struct avr_board *board = *state;
	struct kept now = factory;
	unsigned int i;

	for (i = 1; i < 40; i++) {
		struct kept next = now;

		next.bytes[0] = i;
		next.bytes[MAP_RETURN_DELAY - MAP_ID] = i;
		tell(board, &now, &next);
		now = next;
		avr_board_run(board, 7000);
		if (i % 5)
			continue;
		avr_board_run(board, 2 * PATIENCE_US);
		avr_board_power_cycle(board);
		assert_true(is(board, &now));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_TEST(one_item),
		BOARD_TEST(all_items),
		BOARD_TEST(from_the_factory),
		BOARD_TEST(started_anew),
		BOARD_TEST(told_in_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
