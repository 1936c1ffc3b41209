/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of the board's lines: what avr_board.c has of avr_lines.c */
#ifndef CM510_TESTS_AVR_LINES_H
#define CM510_TESTS_AVR_LINES_H

#include "avr_board.h"

/* Port E, by which the bus turns */
#define BUS_TALK	0x04
#define BUS_LISTEN	0x08

void avr_lines_connect(struct avr_board *board, enum avr_line line);

/* Does a byte of others go over the bus, or may who has sent the last one drive it yet? */
bool avr_lines_others_drive(const struct avr_board *board);

#endif
