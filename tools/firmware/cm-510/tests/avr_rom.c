// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <stddef.h>

#include <avr_eeprom.h>

#include "avr_rom.h"

#define EECR		0x3f
#define EEDR		0x40
#define EEARL		0x41
#define EEARH		0x42

#define EEMPE		0x04
#define EEPE		0x02
#define EERE		0x01

#define STEP_US		1700
#define ARMED_CYCLES	4

/* Bits of a byte that become 0 at last, where the power goes meanwhile */
#define LATE_BITS	0xa5

static uint16_t addr_of(const struct avr_rom *rom)
{
	return (rom->avr->data[EEARL] | rom->avr->data[EEARH] << 8) & rom->avr->e2end;
}

static avr_cycle_count_t written(avr_t *avr, avr_cycle_count_t when, void *param)
{
	struct avr_rom *rom = param;

	(void)when;
	rom->bytes[rom->addr] = rom->value;
	avr->data[EECR] &= ~EEPE;

	return 0;
}

static avr_cycle_count_t erased(avr_t *avr, avr_cycle_count_t when, void *param)
{
	struct avr_rom *rom = param;

	(void)when;
	rom->bytes[rom->addr] = rom->value | LATE_BITS;
	rom->steps++;
	avr_cycle_timer_register_usec(avr, STEP_US, written, rom);

	return 0;
}

static void begin(struct avr_rom *rom)
{
	rom->addr = addr_of(rom);
	rom->value = rom->avr->data[EEDR];
	rom->bytes[rom->addr] = 0xff;
	rom->steps++;
	rom->avr->data[EECR] = EEPE;
	avr_cycle_timer_register_usec(rom->avr, STEP_US, erased, rom);
}

/* Nothing is to be asked of it while it writes. */
static void write_control(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	struct avr_rom *rom = param;

	assert(!(avr->data[addr] & EEPE));
	if (value & EERE) {
		avr->data[EEDR] = rom->bytes[addr_of(rom)];
	} else if (value & EEPE) {
		if (avr->cycle <= rom->armed_until)
			begin(rom);
	} else if (value & EEMPE) {
		rom->armed_until = avr->cycle + ARMED_CYCLES;
		avr->data[addr] = EEMPE;
	}
}

void avr_rom_take_over(struct avr_rom *rom, avr_t *avr)
{
	avr_eeprom_desc_t desc = { .ee = NULL, .size = avr->e2end + 1 };
	avr_io_addr_t io = AVR_DATA_TO_IO(EECR);

	avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &desc);
	*rom = (struct avr_rom){ .avr = avr, .bytes = desc.ee };
	avr->io[io].w.c = write_control;
	avr->io[io].w.param = rom;
}

bool avr_rom_is_busy(const struct avr_rom *rom)
{
	return rom->avr->data[EECR] & EEPE;
}

void avr_rom_go_on(struct avr_rom *rom, const struct avr_rom *before)
{
	rom->addr = before->addr;
	rom->value = before->value;
	rom->avr->data[EECR] |= EEPE;
	avr_cycle_timer_register_usec(rom->avr, STEP_US, erased, rom);
}
