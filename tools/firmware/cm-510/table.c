// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "table.h"

/* An interrupt for each byte takes longer than one at 2 Mbaud. */
#define BAUD_MIN	1

struct item {
	uint8_t addr;
	uint8_t size;
	bool writable;
	uint16_t min;
	uint16_t max;
	uint16_t initial;
};

static const struct item items[] = {
	{ MAP_MODEL_NUMBER, 2, false, 0, 0, MAP_MODEL },
	{ MAP_FIRMWARE, 1, false, 0, 0, MAP_VERSION },
	{ MAP_ID, 1, true, 0, 253, 200 },
	{ MAP_BAUD, 1, true, BAUD_MIN, 254, 1 },
	{ MAP_RETURN_DELAY, 1, true, 0, 254, 0 },
	{ MAP_HOST_JACK, 1, true, 0, HOST_RADIO, HOST_RADIO },
	{ MAP_HOST_BAUD, 1, true, BAUD_MIN, 254, 1 },
	{ MAP_STATUS_LEVEL, 1, true, 0, 2, 2 },
	{ MAP_LOST_PACKETS, 2, false, 0, 0, 0 },
	{ MAP_LED, 1, true, 0, 127, 0 },
	{ MAP_PORT_OUTPUT, 1, true, 0, 63, 0 },
	{ MAP_BUZZER, 2, true, 0, 65535, 0 },
	{ MAP_BUTTON, 1, false, 0, 0, 0 },
	{ MAP_VOLTAGE, 1, false, 0, 0, 0 },
	{ MAP_PORT_1, 2, false, 0, 0, 0 },
	{ MAP_PORT_1 + 2, 2, false, 0, 0, 0 },
	{ MAP_PORT_1 + 4, 2, false, 0, 0, 0 },
	{ MAP_PORT_1 + 6, 2, false, 0, 0, 0 },
	{ MAP_PORT_1 + 8, 2, false, 0, 0, 0 },
	{ MAP_PORT_1 + 10, 2, false, 0, 0, 0 },
	{ MAP_SOUNDS, 2, false, 0, 0, 0 },
};

#define END_OF(array)	((array) + sizeof(array) / sizeof((array)[0]))

static bool may_be(const struct item *item, uint16_t value)
{
	return value >= item->min && value <= item->max;
}

static uint16_t value_of(const struct item *item, const uint8_t *bytes)
{
	return item->size == 1 ? bytes[0] : bytes[0] | (uint16_t)bytes[1] << 8;
}

static void store(struct table *table, const struct item *item, uint16_t value)
{
	table->bytes[item->addr] = (uint8_t)value;
	if (item->size == 2)
		table->bytes[item->addr + 1] = value >> 8;
}

void table_init(struct table *table)
{
	const struct item *item;

	memset(table, 0, sizeof(*table));
	for (item = items; item < END_OF(items); item++)
		store(table, item, item->initial);
}

/* --- what is kept --- */

/* Another firmware's EEPROM, or one of another map, says nothing of ours. */
static bool is_ours(const struct table *table, const uint8_t *kept)
{
	return !memcmp(kept, table->bytes, MAP_FIRMWARE + 1);
}

void table_recall(struct table *table, const uint8_t *kept)
{
	const struct item *item;

	if (!is_ours(table, kept))
		return;
	for (item = items; item < END_OF(items); item++)
		if (item->writable && item->addr < MAP_KEPT && may_be(item, kept[item->addr]))
			table->bytes[item->addr] = kept[item->addr];
}

/* --- reading --- */

uint16_t table_value(const struct table *table, uint8_t addr)
{
	return table->bytes[addr] | (uint16_t)table->bytes[addr + 1] << 8;
}

void table_measure(struct table *table, uint8_t addr, uint16_t value)
{
	table->bytes[addr] = (uint8_t)value;
	table->bytes[addr + 1] = value >> 8;
}

void table_count(struct table *table, uint8_t addr)
{
	table_measure(table, addr, table_value(table, addr) + 1);
}

bool table_reaches(uint8_t addr, uint8_t len)
{
	return len && len <= MAP_SIZE && addr <= MAP_SIZE - len;
}

/* --- writing --- */

static bool touches(const struct item *item, uint8_t addr, uint8_t len)
{
	return item->addr < addr + len && addr < item->addr + item->size;
}

/* Whole, and with a value that it can have */
static bool admits(const struct item *item, uint8_t addr, const uint8_t *data, uint8_t len)
{
	if (!item->writable || item->addr < addr || item->addr + item->size > addr + len)
		return false;

	return may_be(item, value_of(item, data + (item->addr - addr)));
}

bool table_admits(uint8_t addr, const uint8_t *data, uint8_t len)
{
	const struct item *item;
	bool any = false;

	if (!table_reaches(addr, len))
		return false;
	for (item = items; item < END_OF(items); item++) {
		if (!touches(item, addr, len))
			continue;
		if (!admits(item, addr, data, len))
			return false;
		any = true;
	}

	return any;
}

void table_write(struct table *table, uint8_t addr, const uint8_t *data, uint8_t len)
{
	const struct item *item;

	for (item = items; item < END_OF(items); item++) {
		if (!touches(item, addr, len))
			continue;
		store(table, item, value_of(item, data + (item->addr - addr)));
		table->unkept |= item->addr < MAP_KEPT;
	}
}
