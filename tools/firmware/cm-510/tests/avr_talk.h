/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets to and from the firmware in simavr, for tests of cmocka */
#ifndef CM510_TESTS_AVR_TALK_H
#define CM510_TESTS_AVR_TALK_H

#include "avr_board.h"

#define ID		200
#define SERVO		3
#define PING		1
#define READ		2
#define WRITE		3
#define RESET		6

/* Long enough for an answer, and for all that is kept */
#define PATIENCE_US	100000

/*
 * A new board of the image that CM510_BIN names; in the end its gates must have been right,
 * and no byte lost.
 */
int talk_set_up(void **state);
int talk_tear_down(void **state);

#define BOARD_TEST(f) cmocka_unit_test_setup_teardown(f, talk_set_up, talk_tear_down)

/* Until the last of it has come */
void send_all(struct avr_board *board, enum avr_line line, const uint8_t *bytes, size_t len);
void send_packet(struct avr_board *board, enum avr_line line, uint8_t id, uint8_t instruction,
		 const uint8_t *params, size_t len);

/* That and nothing else has been said since the last time. */
void hears(struct avr_board *board, enum avr_line line, const uint8_t *bytes, size_t len);
void hears_status(struct avr_board *board, enum avr_line line, uint8_t id, uint8_t error,
		  const uint8_t *params, size_t len);
void hears_nothing(struct avr_board *board, enum avr_line line);

/* Whole packets and nothing else; how many are not the board's */
unsigned int hears_packets(struct avr_board *board, enum avr_line line);

/* On the bus, with an answer */
void writes8(struct avr_board *board, uint8_t addr, uint8_t value);
uint16_t reads16(struct avr_board *board, uint8_t addr);
uint8_t reads8(struct avr_board *board, uint8_t addr);

/* Both lines to 57600 baud; it starts anew. */
void slows_down(struct avr_board *board);

/* A host asks a servo, and a servo answers; and the same at rates at which it takes longer. */
void ask_servo(struct avr_board *board);
void ask_servo_slowly(struct avr_board *board);

#endif
