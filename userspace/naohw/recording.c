// SPDX-License-Identifier: GPL-2.0-or-later
#include "recording.h"

#include <math.h>
#include <string.h>

#define QUANTITIES (NAOHW_QUANTITY_ALARM + 1)

/* "present" and "goal" are what a motion's recordings have always had. */
static const struct {
	const char *name;
	const char *unit;
} quantities[QUANTITIES] = {
	[NAOHW_QUANTITY_POSITION] = { "present", "rad" },
	[NAOHW_QUANTITY_GOAL] = { "goal", "rad" },
	[NAOHW_QUANTITY_SPEED] = { "speed", "rad/s" },
	[NAOHW_QUANTITY_LOAD] = { "load", "%" },
	[NAOHW_QUANTITY_VOLTAGE] = { "voltage", "V" },
	[NAOHW_QUANTITY_TEMPERATURE] = { "temperature", "C" },
	[NAOHW_QUANTITY_CURRENT] = { "current", "A" },
	[NAOHW_QUANTITY_AGE] = { "age", "frames" },
	[NAOHW_QUANTITY_ALARM] = { "alarm", "bits" },
};

const char *recording_name(enum naohw_quantity quantity)
{
	return (unsigned int)quantity < QUANTITIES ? quantities[quantity].name : NULL;
}

const char *recording_unit(enum naohw_quantity quantity)
{
	return (unsigned int)quantity < QUANTITIES ? quantities[quantity].unit : NULL;
}

int recording_quantity(const char *name)
{
	for (int i = 0; i < QUANTITIES; i++)
		if (strcmp(quantities[i].name, name) == 0)
			return i;
	return -1;
}

int recording_find(const struct recording_head *head, const char *label,
		   enum naohw_quantity quantity)
{
	for (size_t i = 0; i < head->count; i++)
		if (head->column[i].quantity == quantity &&
		    strcmp(head->column[i].label, label) == 0)
			return (int)i;
	return -1;
}

/* The columns of a joint are beside each other. */
static bool has_answered(const struct recording_head *head, const int64_t *raw, size_t column)
{
	const char *label = head->column[column].label;
	size_t first = column;

	while (first && strcmp(head->column[first - 1].label, label) == 0)
		first--;
	for (size_t i = first; i < head->count && strcmp(head->column[i].label, label) == 0; i++)
		if (head->column[i].quantity == NAOHW_QUANTITY_AGE)
			return raw[i] < RECORDING_AGE_UNKNOWN;
	return true;
}

static bool is_servos_word(enum naohw_quantity quantity)
{
	return quantity != NAOHW_QUANTITY_AGE && quantity != NAOHW_QUANTITY_GOAL;
}

void recording_values(const struct recording_head *head, const int64_t *raw, double *values)
{
	for (size_t i = 0; i < head->count; i++) {
		const struct recording_column *column = &head->column[i];

		values[i] = ((double)raw[i] + column->offset) * column->scale + 0.0;
		if (is_servos_word(column->quantity) && !has_answered(head, raw, i))
			values[i] = NAN;
	}
}

size_t recording_row_size(const struct recording_head *head)
{
	size_t size = BINARY_TIME_SIZE + BINARY_CRC_SIZE;

	for (size_t i = 0; i < head->count; i++)
		size += head->column[i].bits / 8;
	return size;
}

/* CRC-32 of Ethernet and ZIP, four bits at a time. */
uint32_t recording_crc(uint32_t crc, const unsigned char *data, size_t size)
{
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	crc = ~crc;
	for (size_t i = 0; i < size; i++) {
		crc ^= data[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}
