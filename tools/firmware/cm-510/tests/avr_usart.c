// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <stddef.h>

#include "avr_usart.h"

/* Bits of UCSRnA */
#define RXC		0x80
#define TXC		0x40
#define UDRE		0x20
#define FE		0x10
#define DOR		0x08
#define U2X		0x02

static uint8_t *status(struct avr_usart *usart)
{
	return &usart->avr->data[usart->uart->r_ucsra];
}

static bool is_set(const struct avr_usart *usart, avr_regbit_t bit)
{
	return avr_regbit_get(usart->avr, bit);
}

avr_cycle_count_t avr_usart_cycles(const struct avr_usart *usart)
{
	unsigned int divisor = avr_regbit_get(usart->avr, usart->uart->ubrrl) |
			       avr_regbit_get(usart->avr, usart->uart->ubrrh)
				       << 8;

	return BITS_PER_BYTE * (is_set(usart, usart->uart->u2x) ? 8 : 16) *
	       (divisor + 1);
}

/* --- interrupts, which are there as long as their cause --- */

static void follow(struct avr_usart *usart, avr_int_vector_t *vector,
		   uint8_t bit, bool cause)
{
	if (cause) {
		avr_raise_interrupt(usart->avr, vector);
		return;
	}
	vector->pending = 0;
	*status(usart) &= ~bit;
}

static void update(struct avr_usart *usart)
{
	follow(usart, &usart->uart->rxc, RXC, usart->waits);
	follow(usart, &usart->uart->udrc, UDRE, !usart->filled);
	follow(usart, &usart->uart->txc, TXC, *status(usart) & TXC);
}

/* --- what goes --- */

static avr_cycle_count_t shifted_out(avr_t *avr, avr_cycle_count_t when,
				     void *param);

static void shift_out(struct avr_usart *usart, uint8_t byte)
{
	usart->shifting = true;
	avr_cycle_timer_register(usart->avr, avr_usart_cycles(usart),
				 shifted_out, usart);
	usart->begins(usart->param, byte);
}

static avr_cycle_count_t shifted_out(avr_t *avr, avr_cycle_count_t when,
				     void *param)
{
	struct avr_usart *usart = param;
	bool more = usart->filled;

	(void)avr;
	usart->filled = false;
	usart->shifting = more;
	if (more)
		usart->begins(usart->param, usart->behind);
	else
		*status(usart) |= TXC;
	update(usart);

	return more ? when + avr_usart_cycles(usart) : 0;
}

/* A byte that is put upon another would be the firmware's mistake. */
static void write_data(avr_t *avr, avr_io_addr_t addr, uint8_t byte,
		       void *param)
{
	struct avr_usart *usart = param;

	(void)avr;
	(void)addr;
	if (!is_set(usart, usart->uart->txen))
		return;
	assert(!usart->filled);
	if (usart->shifting) {
		usart->filled = true;
		usart->behind = byte;
	} else {
		shift_out(usart, byte);
	}
	update(usart);
}

/* --- what comes --- */

static void find_place(struct avr_usart *usart)
{
	if (!usart->stuck || usart->waits == 2)
		return;
	usart->stuck = false;
	usart->shifted.flags |= usart->lost;
	usart->lost = 0;
	usart->waiting[usart->waits++] = usart->shifted;
}

void avr_usart_hear_start(struct avr_usart *usart)
{
	if (!usart->stuck)
		return;
	usart->stuck = false;
	usart->lost = DOR;
	usart->overruns++;
}

void avr_usart_hear(struct avr_usart *usart, uint8_t byte, bool damaged)
{
	if (!is_set(usart, usart->uart->rxen))
		return;
	usart->shifted = (struct avr_usart_byte){ byte, damaged ? FE : 0 };
	usart->stuck = true;
	find_place(usart);
	update(usart);
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t addr, void *param)
{
	struct avr_usart *usart = param;
	uint8_t byte = usart->waiting[0].byte;

	(void)avr;
	(void)addr;
	if (usart->waits) {
		usart->waiting[0] = usart->waiting[1];
		usart->waits--;
	}
	find_place(usart);
	update(usart);

	return byte;
}

/* --- its other registers --- */

static uint8_t read_status(avr_t *avr, avr_io_addr_t addr, void *param)
{
	struct avr_usart *usart = param;

	(void)avr;
	(void)addr;

	return (*status(usart) & (RXC | TXC | UDRE | U2X)) |
	       (usart->waits ? usart->waiting[0].flags : 0);
}

/* TXC is cleared by a one. */
static void write_status(avr_t *avr, avr_io_addr_t addr, uint8_t value,
			 void *param)
{
	struct avr_usart *usart = param;
	uint8_t kept = *status(usart) & (RXC | TXC | UDRE);

	(void)avr;
	(void)addr;
	*status(usart) = (kept & ~(value & TXC)) | (value & U2X);
	update(usart);
}

static void write_control(avr_t *avr, avr_io_addr_t addr, uint8_t value,
			  void *param)
{
	struct avr_usart *usart = param;

	avr->data[addr] = value;
	if (!is_set(usart, usart->uart->rxen)) {
		usart->waits = 0;
		usart->stuck = false;
		usart->lost = 0;
	}
	update(usart);
}

static avr_uart_t *find(avr_t *avr, char name)
{
	avr_io_t *port = avr->io_port;

	while (port &&
	       port->irq_ioctl_get != (uint32_t)AVR_IOCTL_UART_GETIRQ(name))
		port = port->next;
	assert(port);

	return (avr_uart_t *)port;
}

/* Past avr_register_io_*(), which would have simavr's hear it, too. */
static void set_handlers(struct avr_usart *usart, avr_io_addr_t addr,
			 avr_io_read_t read, avr_io_write_t write)
{
	avr_io_addr_t io = AVR_DATA_TO_IO(addr);

	usart->avr->io[io].r.c = read;
	usart->avr->io[io].r.param = usart;
	usart->avr->io[io].w.c = write;
	usart->avr->io[io].w.param = usart;
}

void avr_usart_take_over(struct avr_usart *usart, avr_t *avr, char name,
			 void (*begins)(void *param, uint8_t byte), void *param)
{
	avr_uart_t *uart = find(avr, name);

	*usart = (struct avr_usart){
		.avr = avr,
		.uart = uart,
		.begins = begins,
		.param = param,
	};
	set_handlers(usart, uart->r_udr, read_data, write_data);
	set_handlers(usart, uart->r_ucsra, read_status, write_status);
	set_handlers(usart, uart->r_ucsrb, NULL, write_control);
	update(usart);
}
