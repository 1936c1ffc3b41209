/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The firmware as the board runs it, in simavr and in virtual time: bytes come and go on the
 * bus and at the host's jacks, pins are looked at and pulled.
 *
 * simavr 1.6 has no ATmega2561, but the ATmega2560, which is the same with more pins. Its
 * USARTs and its EEPROM are ours. Bytes of the bus do not get in while the board has shut its
 * gate.
 */
#ifndef CM510_TESTS_AVR_BOARD_H
#define CM510_TESTS_AVR_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "avr_rom.h"
#include "avr_usart.h"

#define CYCLES_PER_US	16
#define LINE_BYTES	65536

enum avr_line {
	LINE_BUS,	/* USART 0 */
	LINE_HOST,	/* USART 1 */
	LINES
};

struct avr_said {
	avr_cycle_count_t start;
	uint8_t byte;
};

struct avr_side {
	struct avr_board *board;
	struct avr_usart usart;
	unsigned int rate;	/* of what comes, as in Baud Rate */
	int skew;		/* and by how many cycles a byte of it is longer */
	uint16_t coming[LINE_BYTES];	/* with UART_INPUT_FE where it is damaged */
	size_t coming_from, coming_to;
	bool comes;		/* the first of them does just now */
	bool gets_in;		/* and is heard */
	avr_cycle_count_t came;	/* when the last of them was complete, or will be */
	struct avr_said said[LINE_BYTES];
	size_t said_from, said_to;
};

struct avr_board {
	avr_t *avr;
	struct avr_side sides[LINES];
	struct avr_rom rom;
	const char *image;
	uint8_t ports[5];	/* A to E: what the board drives them to */
	uint8_t lows[5];	/* and what else pulls low */
	unsigned int wrong_gates;	/* both open, ours while others talk, or a byte without it */
	unsigned int edges;	/* of the buzzer's pin */
	bool tone;		/* where that is */
	uint16_t outs[8];	/* mV at the ports' inputs while their OUT is on; 0: as ever */
	unsigned int outs_seen;	/* ports whose OUT has been on, as bits */
	avr_cycle_count_t turned;	/* when the bus was turned to listening last */
	bool measured;
	avr_cycle_count_t unheard, longest;	/* interrupts off: now, and at most */
	avr_cycle_count_t interrupts;	/* what all of them have taken */
};

/* NULL if there is no such image */
struct avr_board *avr_board_new(const char *image);
void avr_board_free(struct avr_board *board);

/* As from the factory; and with what its EEPROM has. Both wait until it has started. */
void avr_board_renew(struct avr_board *board);
void avr_board_power_cycle(struct avr_board *board);
void avr_board_restart(struct avr_board *board);	/* without that wait */

/* MODE, which does not keep the EEPROM from what it is at; it waits until it has started. */
void avr_board_press_mode(struct avr_board *board);

void avr_board_run(struct avr_board *board, unsigned int us);

/* As soon as the line is free, by the rate of that side */
void avr_board_send(struct avr_board *board, enum avr_line line, const uint8_t *bytes, size_t len);
void avr_board_send_damaged(struct avr_board *board, enum avr_line line, uint8_t byte);
bool avr_board_quiet(const struct avr_board *board);
avr_cycle_count_t avr_byte_cycles(const struct avr_side *side);

/* All that was said since it was asked last */
size_t avr_board_heard(struct avr_board *board, enum avr_line line, uint8_t *bytes, size_t size);

/* Whatever pulls at it, or nothing any more */
void avr_board_pull_low(struct avr_board *board, char port, unsigned int pin, bool low);
void avr_board_voltage(struct avr_board *board, unsigned int channel, unsigned int millivolts);

#endif
