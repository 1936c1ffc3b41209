// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_ioport.h>

#include "avr_board.h"
#include "avr_lines.h"

#define FREQUENCY	16000000
#define EEPROM_SIZE	4096
#define START_US	5000

/* Of a processor whose program counter has three bytes, which simavr does not count */
#define ENTRY_CYCLES	5

#define BUZZER		0x20

static uint8_t *port_of(struct avr_board *board, char name)
{
	return &board->ports[name - 'A'];
}

/* --- pins --- */

static void watch_gates(struct avr_board *board, uint8_t before, uint8_t now)
{
	bool opens = now & BUS_TALK && !(before & BUS_TALK);

	if ((now & BUS_TALK && now & BUS_LISTEN) || (opens && avr_lines_others_drive(board)))
		board->wrong_gates++;
	if (now & BUS_LISTEN && !(before & BUS_LISTEN))
		board->turned = board->avr->cycle;
}

struct watch {
	struct avr_board *board;
	char name;
};

static void see_port(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct avr_board *board = ((struct watch *)param)->board;
	char name = ((struct watch *)param)->name;
	uint8_t *port = port_of(board, name), before = *port;

	(void)irq;
	*port = value;
	if (name == 'E')
		watch_gates(board, before, value);
}

static void hear_buzzer(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct avr_board *board = param;

	(void)irq;
	board->edges += (value & 1) != board->tone;
	board->tone = value & 1;
}

/* OUT of port n is PA(8 - n), and on when low. */
static void convert(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct avr_board *board = param;
	union {
		avr_adc_mux_t mux;
		uint32_t value;
	} asked = { .value = value };
	unsigned int channel = asked.mux.src;
	bool on = channel && channel <= 6 && !(board->ports[0] & 1 << (8 - channel));

	(void)irq;
	if (on)
		board->outs_seen |= 1 << (channel - 1);
	if (channel < 8 && board->outs[channel])
		avr_board_voltage(board, channel, on ? board->outs[channel] : 100);
}

/* simavr has them pulled up again with each write to the port, unless it is told so. */
void avr_board_pull_low(struct avr_board *board, char port, unsigned int pin, bool low)
{
	uint8_t *lows = &board->lows[port - 'A'];
	avr_ioport_external_t external = { .name = port };

	*lows = low ? *lows | 1 << pin : *lows & ~(1 << pin);
	external.mask = *lows;
	avr_ioctl(board->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
	avr_raise_irq(avr_io_getirq(board->avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), !low);
}

void avr_board_voltage(struct avr_board *board, unsigned int channel, unsigned int millivolts)
{
	avr_raise_irq(avr_io_getirq(board->avr, AVR_IOCTL_ADC_GETIRQ, channel), millivolts);
}

/* --- the board --- */

static void log_not(avr_t *avr, const int level, const char *format, va_list args)
{
	(void)avr;
	(void)level;
	(void)format;
	(void)args;
}

static void sleep_not(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr;
	(void)cycles;
}

static void connect_pins(struct avr_board *board)
{
	static struct watch watches[5];
	avr_t *avr = board->avr;
	int i;

	for (i = 0; i < 5; i++) {
		watches[i] = (struct watch){ board, 'A' + i };
		avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('A' + i),
						      IOPORT_IRQ_REG_PORT),
					see_port, &watches[i]);
	}
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 5),
				hear_buzzer, board);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER),
				convert, board);
}

static void enter_interrupt(struct avr_irq_t *irq, uint32_t vector, void *param)
{
	struct avr_board *board = param;

	(void)irq;
	if (vector)
		board->avr->cycle += ENTRY_CYCLES;
}

/* The bytes of the image, put where the processor begins; false without any. */
static bool load(avr_t *avr, const char *image)
{
	uint8_t *bytes = malloc(avr->flashend + 1);
	FILE *file = fopen(image, "rb");
	size_t len = 0;

	if (file) {
		len = fread(bytes, 1, avr->flashend + 1, file);
		fclose(file);
	}
	if (len)
		avr_loadcode(avr, bytes, len, 0);
	free(bytes);

	return len;
}

static bool make(struct avr_board *board)
{
	avr_global_logger_set(log_not);
	board->avr = avr_make_mcu_by_name("atmega2560");
	assert(board->avr);
	avr_init(board->avr);
	board->avr->log = LOG_NONE;
	board->avr->frequency = FREQUENCY;
	board->avr->vcc = board->avr->avcc = board->avr->aref = 5000;
	board->avr->sleep = sleep_not;

	return load(board->avr, board->image);
}

static void unmake(struct avr_board *board)
{
	avr_terminate(board->avr);
	free(board->avr);
	board->avr = NULL;
}

static void fill_eeprom(struct avr_board *board, uint8_t *bytes)
{
	avr_eeprom_desc_t desc = { .ee = bytes, .size = EEPROM_SIZE };

	avr_ioctl(board->avr, AVR_IOCTL_EEPROM_SET, &desc);
}

/* Switched on, with these bytes in its EEPROM */
static void begin(struct avr_board *board, uint8_t *eeprom)
{
	const char *image = board->image;

	memset(board, 0, sizeof(*board));
	board->image = image;
	make(board);
	avr_lines_connect(board, LINE_BUS);
	avr_lines_connect(board, LINE_HOST);
	connect_pins(board);
	avr_rom_take_over(&board->rom, board->avr);
	avr_irq_register_notify(avr_get_interrupt_irq(board->avr, AVR_INT_ANY) +
					AVR_INT_IRQ_RUNNING,
				enter_interrupt, board);
	fill_eeprom(board, eeprom);
}

struct avr_board *avr_board_new(const char *image)
{
	struct avr_board *board = calloc(1, sizeof(*board));

	board->image = image;
	if (!make(board)) {
		avr_board_free(board);
		return NULL;
	}

	return board;
}

void avr_board_free(struct avr_board *board)
{
	unmake(board);
	free(board);
}

void avr_board_renew(struct avr_board *board)
{
	uint8_t eeprom[EEPROM_SIZE];

	memset(eeprom, 0xff, sizeof(eeprom));
	unmake(board);
	begin(board, eeprom);
	avr_board_run(board, START_US);
}

void avr_board_restart(struct avr_board *board)
{
	uint8_t eeprom[EEPROM_SIZE];
	avr_eeprom_desc_t desc = { .ee = eeprom, .size = EEPROM_SIZE };

	avr_ioctl(board->avr, AVR_IOCTL_EEPROM_GET, &desc);
	unmake(board);
	begin(board, eeprom);
}

void avr_board_power_cycle(struct avr_board *board)
{
	avr_board_restart(board);
	avr_board_run(board, START_US);
}

void avr_board_press_mode(struct avr_board *board)
{
	struct avr_rom before = board->rom;
	bool busy = avr_rom_is_busy(&before);

	avr_board_restart(board);
	if (busy)
		avr_rom_go_on(&board->rom, &before);
	avr_board_run(board, 2 * START_US);
}

/* Has somebody waited to interrupt? Not while it starts. */
static void measure(struct avr_board *board, bool interrupted, avr_cycle_count_t cycles)
{
	if (interrupted || board->avr->interrupts.running_ptr)
		board->interrupts += cycles;
	if (board->avr->sreg[S_I] || board->avr->state != cpu_Running) {
		board->unheard = 0;
		return;
	}
	board->unheard += cycles;
	if (board->unheard > board->longest)
		board->longest = board->unheard;
}

static avr_cycle_count_t wake(avr_t *avr, avr_cycle_count_t when, void *param)
{
	(void)avr;
	(void)when;
	(void)param;

	return 0;
}

void avr_board_run(struct avr_board *board, unsigned int us)
{
	avr_t *avr = board->avr;
	avr_cycle_count_t end = avr->cycle + (avr_cycle_count_t)us * CYCLES_PER_US;

	/* One that sleeps would sleep on. */
	avr_cycle_timer_cancel(avr, wake, board);
	avr_cycle_timer_register(avr, end - avr->cycle, wake, board);
	avr->run_cycle_limit = board->measured ? 1 : 1000;
	while (avr->cycle < end) {
		avr_cycle_count_t before = avr->cycle;
		bool interrupted = avr->interrupts.running_ptr;
		int state = avr_run(avr);

		assert(state != cpu_Crashed && state != cpu_Done);
		if (board->measured)
			measure(board, interrupted, avr->cycle - before);
	}
}
