// SPDX-License-Identifier: GPL-2.0-or-later
#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "digits.h"
#include "recording.h"

#define NS_PER_US 1000
#define US_PER_S  1000000

/* ---- CSV ---- */

void recording_write_csv_head(FILE *file, const struct recording_head *head)
{
	fprintf(file, "time_s");
	for (size_t i = 0; i < head->count; i++)
		fprintf(file, ",%s.%s", head->column[i].label,
			recording_name(head->column[i].quantity));
	fprintf(file, "\n");
}

void recording_write_csv_row(FILE *file, const struct recording_head *head, int64_t time,
			     const double *values)
{
	int64_t us = time / NS_PER_US;

	fprintf(file, "%" PRId64 ".%06" PRId64, us / US_PER_S, us % US_PER_S);
	for (size_t i = 0; i < head->count; i++) {
		if (isnan(values[i]))
			fputc(',', file);
		else
			fprintf(file, ",%.7g", number_unsigned_zero(values[i]));
	}
	fputc('\n', file);
}

/* ---- binary: what is written runs through the checksum ---- */

struct block {
	FILE *file;
	uint32_t crc;
};

static void put(struct block *block, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	block->crc = recording_crc(block->crc, bytes, size);
	fwrite(bytes, 1, size, block->file);
}

static void put8(struct block *block, unsigned int value)
{
	const uint8_t byte = (uint8_t)value;

	put(block, &byte, sizeof(byte));
}

static void put16(struct block *block, unsigned int value)
{
	const uint16_t half = htole16((uint16_t)value);

	put(block, &half, sizeof(half));
}

static void put32(struct block *block, uint32_t value)
{
	const uint32_t word = htole32(value);

	put(block, &word, sizeof(word));
}

static void put64(struct block *block, uint64_t value)
{
	const uint64_t full = htole64(value);

	put(block, &full, sizeof(full));
}

static void put_double(struct block *block, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	put64(block, bits);
}

/* Filled up with zeros. */
static void put_text(struct block *block, const char *text, size_t size)
{
	char field[RECORDING_LABEL_SIZE] = "";

	snprintf(field, size, "%s", text);
	put(block, field, size);
}

static void end_block(struct block *block)
{
	put32(block, block->crc);
}

void recording_write_binary_head(FILE *file, const struct recording_head *head)
{
	struct block block = { .file = file };

	put(&block, BINARY_MAGIC, BINARY_MAGIC_SIZE);
	put16(&block, BINARY_VERSION);
	put16(&block, (unsigned int)head->count);
	put32(&block, (uint32_t)(BINARY_HEAD_SIZE + head->count * BINARY_COLUMN_SIZE +
				 BINARY_CRC_SIZE));
	put64(&block, (uint64_t)head->start);
	put64(&block, (uint64_t)head->period);
	for (size_t i = 0; i < head->count; i++) {
		const struct recording_column *column = &head->column[i];

		put_text(&block, column->label, RECORDING_LABEL_SIZE);
		put_text(&block, recording_unit(column->quantity), BINARY_UNIT_SIZE);
		put_double(&block, column->scale);
		put_double(&block, column->offset);
		put8(&block, column->quantity);
		put8(&block, column->bits);
		put8(&block, column->is_signed);
		put8(&block, 0);
		put16(&block, column->bus);
		put16(&block, column->id);
	}
	end_block(&block);
}

void recording_write_binary_row(FILE *file, const struct recording_head *head, int64_t time,
				const int64_t *raw)
{
	struct block block = { .file = file };

	put64(&block, (uint64_t)time);
	for (size_t i = 0; i < head->count; i++) {
		switch (head->column[i].bits) {
		case 8:
			put8(&block, (unsigned int)raw[i]);
			break;
		case 16:
			put16(&block, (unsigned int)raw[i]);
			break;
		default:
			put32(&block, (uint32_t)raw[i]);
			break;
		}
	}
	end_block(&block);
}

void recording_write_binary_end(FILE *file, uint64_t rows, uint64_t lost)
{
	struct block block = { .file = file };

	put(&block, BINARY_END, BINARY_MAGIC_SIZE);
	put64(&block, rows);
	put64(&block, lost);
	end_block(&block);
}
