// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>

#include "avr_board.h"
#include "avr_lines.h"

/* What the page of the map gives a master to let go of the line */
#define LET_GO_CYCLES	(20 * CYCLES_PER_US)

avr_cycle_count_t avr_byte_cycles(const struct avr_side *side)
{
	return BITS_PER_BYTE * 8 * (side->rate + 1);
}

static bool gets_in(const struct avr_side *side)
{
	const struct avr_board *board = side->board;

	return side == &board->sides[LINE_HOST] || board->ports['E' - 'A'] & BUS_LISTEN;
}

static void hear(struct avr_side *side, uint16_t byte)
{
	bool damaged = byte & UART_INPUT_FE ||
		       avr_byte_cycles(side) != avr_usart_cycles(&side->usart);

	if (side->gets_in)
		avr_usart_hear(&side->usart, byte & 0xff, damaged);
}

/* PCIFR and PCMSK1: the pin that hears the bus changes, with a byte's start and up to its end. */
#define PCIFR		0x3b
#define PCMSK1		0x6c
#define EDGE		0x02
#define EDGES_OF_PE0	0x01

static void see_edge(struct avr_side *side)
{
	avr_t *avr = side->board->avr;

	if (side == &side->board->sides[LINE_BUS] && side->gets_in &&
	    avr->data[PCMSK1] & EDGES_OF_PE0)
		avr->data[PCIFR] |= EDGE;
}

/* It is cleared by a one. */
static void write_edges(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	(void)param;
	avr->data[addr] &= ~value;
}

/* The one that came is complete, and the next begins. */
static avr_cycle_count_t next_byte(avr_t *avr, avr_cycle_count_t when, void *param)
{
	struct avr_side *side = param;

	(void)avr;
	if (side->comes) {
		see_edge(side);
		hear(side, side->coming[side->coming_from++ % LINE_BYTES]);
	}
	side->comes = side->coming_from != side->coming_to;
	if (!side->comes)
		return 0;
	side->gets_in = gets_in(side);
	if (side->gets_in)
		avr_usart_hear_start(&side->usart);
	see_edge(side);
	side->came = when + avr_byte_cycles(side) + side->skew;

	return side->came;
}

static void send_one(struct avr_side *side, uint16_t byte)
{
	avr_t *avr = side->board->avr;

	assert(side->coming_to - side->coming_from < LINE_BYTES);
	side->coming[side->coming_to++ % LINE_BYTES] = byte;
	if (!avr_cycle_timer_status(avr, next_byte, side))
		avr_cycle_timer_register(avr, 1, next_byte, side);
}

void avr_board_send(struct avr_board *board, enum avr_line line, const uint8_t *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		send_one(&board->sides[line], bytes[i]);
}

void avr_board_send_damaged(struct avr_board *board, enum avr_line line, uint8_t byte)
{
	send_one(&board->sides[line], byte | UART_INPUT_FE);
}

bool avr_board_quiet(const struct avr_board *board)
{
	enum avr_line line;

	for (line = 0; line < LINES; line++)
		if (board->sides[line].coming_from != board->sides[line].coming_to)
			return false;

	return true;
}

size_t avr_board_heard(struct avr_board *board, enum avr_line line, uint8_t *bytes, size_t size)
{
	struct avr_side *side = &board->sides[line];
	size_t len = 0;

	while (side->said_from < side->said_to && len < size)
		bytes[len++] = side->said[side->said_from++ % LINE_BYTES].byte;

	return len;
}

bool avr_lines_others_drive(const struct avr_board *board)
{
	const struct avr_side *bus = &board->sides[LINE_BUS];

	return bus->comes || board->avr->cycle < bus->came + LET_GO_CYCLES;
}

static void say(void *param, uint8_t byte)
{
	struct avr_side *side = param;
	struct avr_board *board = side->board;

	if (side == &board->sides[LINE_BUS])
		board->wrong_gates += !(board->ports['E' - 'A'] & BUS_TALK) || avr_lines_others_drive(board);
	assert(side->said_to - side->said_from < LINE_BYTES);
	side->said[side->said_to++ % LINE_BYTES] =
		(struct avr_said){ board->avr->cycle, byte };
}

void avr_lines_connect(struct avr_board *board, enum avr_line line)
{
	struct avr_side *side = &board->sides[line];

	side->board = board;
	side->rate = 1;
	board->avr->io[AVR_DATA_TO_IO(PCIFR)].w.c = write_edges;
	avr_usart_take_over(&side->usart, board->avr, '0' + line, say, side);
}
