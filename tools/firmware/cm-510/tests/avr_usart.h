/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A USART as the data sheet of the ATmega2561 has it, in the place of simavr's
 *
 * Its transmitter has one byte in the shift register and one behind it, and its receiver two
 * that wait and one that comes: what comes then is lost, and DOR tells. simavr's receiver
 * has 64, and its transmitter says that it is empty when the last byte has gone.
 */
#ifndef CM510_TESTS_AVR_USART_H
#define CM510_TESTS_AVR_USART_H

#include <stdbool.h>
#include <stdint.h>

#include <avr_uart.h>
#include <sim_avr.h>

#define BITS_PER_BYTE	10

struct avr_usart_byte {
	uint8_t byte;
	uint8_t flags;		/* FE and DOR, where UCSRnA has them */
};

struct avr_usart {
	avr_t *avr;
	avr_uart_t *uart;
	/* The first bit of a byte begins to go. */
	void (*begins)(void *param, uint8_t byte);
	void *param;
	bool shifting, filled;	/* the transmitter's two */
	uint8_t behind;
	struct avr_usart_byte waiting[2], shifted;
	unsigned int waits;	/* in the receiver */
	bool stuck;		/* a third that has no place */
	uint8_t lost;		/* DOR for the next one that gets a place */
	unsigned int overruns;
};

/* name is '0' or '1'. */
void avr_usart_take_over(struct avr_usart *usart, avr_t *avr, char name,
			 void (*begins)(void *param, uint8_t byte),
			 void *param);

/* Cycles of a byte, by its registers */
avr_cycle_count_t avr_usart_cycles(const struct avr_usart *usart);

/* A start bit; and BITS_PER_BYTE later, with a stop bit or without one */
void avr_usart_hear_start(struct avr_usart *usart);
void avr_usart_hear(struct avr_usart *usart, uint8_t byte, bool damaged);

#endif
