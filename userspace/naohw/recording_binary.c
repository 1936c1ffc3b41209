// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recording.h"

/* More than any 32 bits are. */
#define RAW_MAX 0x1p32

static uint16_t get16(const unsigned char *at)
{
	uint16_t half;

	memcpy(&half, at, sizeof(half));
	return le16toh(half);
}

static uint32_t get32(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return le32toh(word);
}

static uint64_t get64(const unsigned char *at)
{
	uint64_t full;

	memcpy(&full, at, sizeof(full));
	return le64toh(full);
}

static double get_double(const unsigned char *at)
{
	uint64_t bits = get64(at);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static int get_bytes(struct recording *recording, unsigned char *data, size_t size, uint64_t at,
		     struct naohw_error *err)
{
	size_t got = fread(data, 1, size, recording->file);

	if (got == size)
		return 0;
	if (ferror(recording->file))
		return recording_fail(recording, err, "%s", strerror(errno));
	return recording_fail(recording, err,
			      "the file ends with byte %llu, expected %zu more: it is not whole",
			      (unsigned long long)at + got, size - got);
}

/* The last four of @size bytes are the checksum of those before. */
static int check_crc(const struct recording *recording, const unsigned char *data, size_t size,
		     uint64_t at, struct naohw_error *err)
{
	uint32_t found = get32(data + size - BINARY_CRC_SIZE);
	uint32_t expected = recording_crc(0, data, size - BINARY_CRC_SIZE);

	if (found == expected)
		return 0;
	return recording_fail(recording, err,
			      "damaged: bytes %llu to %llu have the checksum %08x, found %08x",
			      (unsigned long long)at, (unsigned long long)at + size - 1, expected,
			      found);
}

static int wrong_column(const struct recording *recording, size_t index, const char *what,
			struct naohw_error *err)
{
	return recording_fail(recording, err, "column %zu, byte %zu: %s", index + 1,
			      BINARY_HEAD_SIZE + index * BINARY_COLUMN_SIZE, what);
}

static bool is_label(const unsigned char *label)
{
	size_t length = strnlen((const char *)label, RECORDING_LABEL_SIZE);

	for (size_t i = 0; i < length; i++)
		if (!isprint(label[i]) || label[i] == ',' || label[i] == '"')
			return false;
	return length > 0 && length < RECORDING_LABEL_SIZE;
}

static int check_scale(const struct recording *recording, const struct recording_column *column,
		       struct naohw_error *err)
{
	char what[96];

	if (!isfinite(column->scale) || !isfinite(column->offset))
		return wrong_column(recording, recording->head.count,
				    "scale or offset is not a number", err);
	if (isfinite((RAW_MAX + fabs(column->offset)) * column->scale))
		return 0;
	snprintf(what, sizeof(what), "scale %g and offset %g, expected such that values are numbers",
		 column->scale, column->offset);
	return wrong_column(recording, recording->head.count, what, err);
}

static int check_once(const struct recording *recording, const struct recording_column *column,
		      struct naohw_error *err)
{
	char what[96];

	if (recording_find(&recording->head, column->label, column->quantity) < 0)
		return 0;
	snprintf(what, sizeof(what), "%s.%s a second time", column->label,
		 recording_name(column->quantity));
	return wrong_column(recording, recording->head.count, what, err);
}

static int take_column(struct recording *recording, const unsigned char *at,
		       struct naohw_error *err)
{
	size_t index = recording->head.count;
	struct recording_column *column = &recording->head.column[index];
	const unsigned char *rest = at + RECORDING_LABEL_SIZE + BINARY_UNIT_SIZE;
	int ret;

	if (!is_label(at))
		return wrong_column(recording, index, "no label of printable characters", err);
	memcpy(column->label, at, RECORDING_LABEL_SIZE);
	column->scale = get_double(rest);
	column->offset = get_double(rest + 8);
	column->quantity = (enum naohw_quantity)rest[16];
	column->bits = rest[17];
	column->is_signed = rest[18];
	column->bus = get16(rest + 20);
	column->id = get16(rest + 22);
	if (!recording_name(column->quantity))
		return wrong_column(recording, index, "a kind of value that is not known", err);
	if (strncmp((const char *)at + RECORDING_LABEL_SIZE, recording_unit(column->quantity),
		    BINARY_UNIT_SIZE) != 0)
		return wrong_column(recording, index, "not in the unit that is expected", err);
	if (column->bits != 8 && column->bits != 16 && column->bits != 32)
		return wrong_column(recording, index, "not of 8, 16 or 32 bits", err);
	ret = check_scale(recording, column, err);
	if (ret == 0)
		ret = check_once(recording, column, err);
	if (ret < 0)
		return ret;
	recording->head.count++;
	return 0;
}

/* What has to be known before the checksum can be: how long it all is. */
static int take_sizes(struct recording *recording, const unsigned char *head, size_t *columns,
		      struct naohw_error *err)
{
	unsigned int version = get16(head + 8);
	uint32_t size = get32(head + 12);

	*columns = get16(head + 10);
	if (version == BINARY_VERSION_SERVOS)
		return recording_fail(recording, err, "byte 8: version 1, expected %d: it has the "
				      "angles of servos, and not of joints", BINARY_VERSION);
	if (version != BINARY_VERSION)
		return recording_fail(recording, err, "byte 8: version %u, expected %d", version,
				      BINARY_VERSION);
	if (*columns < 1 || *columns > RECORDING_COLUMNS_MAX)
		return recording_fail(recording, err, "byte 10: %zu columns, expected 1 to %d",
				      *columns, RECORDING_COLUMNS_MAX);
	if (size != BINARY_HEAD_SIZE + *columns * BINARY_COLUMN_SIZE + BINARY_CRC_SIZE)
		return recording_fail(recording, err,
				      "byte 12: a head of %u bytes, expected %zu for %zu columns",
				      size,
				      BINARY_HEAD_SIZE + *columns * BINARY_COLUMN_SIZE +
					      BINARY_CRC_SIZE,
				      *columns);
	return 0;
}

static int take_head(struct recording *recording, unsigned char *head, size_t columns,
		     struct naohw_error *err)
{
	size_t size = BINARY_HEAD_SIZE + columns * BINARY_COLUMN_SIZE + BINARY_CRC_SIZE;
	int ret = get_bytes(recording, head + BINARY_HEAD_SIZE, size - BINARY_HEAD_SIZE,
			    BINARY_HEAD_SIZE, err);

	if (ret == 0)
		ret = check_crc(recording, head, size, 0, err);
	recording->head.start = (int64_t)get64(head + 16);
	recording->head.period = (int64_t)get64(head + 24);
	for (size_t i = 0; i < columns && ret == 0; i++)
		ret = take_column(recording, head + BINARY_HEAD_SIZE + i * BINARY_COLUMN_SIZE,
				  err);
	return ret;
}

static int read_head(struct recording *recording, struct naohw_error *err)
{
	unsigned char start[BINARY_HEAD_SIZE], *head;
	size_t columns = 0;
	int ret = get_bytes(recording, start, sizeof(start), 0, err);

	if (ret == 0)
		ret = take_sizes(recording, start, &columns, err);
	if (ret < 0)
		return ret;
	head = malloc(BINARY_HEAD_SIZE + columns * BINARY_COLUMN_SIZE + BINARY_CRC_SIZE);
	recording->head.column = calloc(columns, sizeof(*recording->head.column));
	recording->raw = calloc(columns, sizeof(*recording->raw));
	if (!head || !recording->head.column || !recording->raw) {
		free(head);
		return recording_fail(recording, err, "out of memory");
	}
	memcpy(head, start, sizeof(start));
	ret = take_head(recording, head, columns, err);
	free(head);
	return ret;
}

/* The end tells how many frames there are, and the file's length must say the same. */
static int read_end(struct recording *recording, uint64_t rows, uint64_t at,
		    struct naohw_error *err)
{
	unsigned char end[BINARY_END_SIZE];
	int ret;

	if (fseeko(recording->file, (off_t)at, SEEK_SET) < 0)
		return recording_fail(recording, err, "%s", strerror(errno));
	ret = get_bytes(recording, end, sizeof(end), at, err);
	if (ret < 0)
		return ret;
	if (memcmp(end, BINARY_END, BINARY_MAGIC_SIZE) != 0)
		return recording_fail(recording, err,
				      "byte %llu: no end mark (" BINARY_END "): the file is not "
				      "whole, or damaged",
				      (unsigned long long)at);
	ret = check_crc(recording, end, sizeof(end), at, err);
	if (ret < 0)
		return ret;
	if (get64(end + 8) != rows)
		return recording_fail(recording, err,
				      "byte %llu: %llu frames, but the file has %llu",
				      (unsigned long long)at + 8,
				      (unsigned long long)get64(end + 8),
				      (unsigned long long)rows);
	recording->rows_total = rows;
	return 0;
}

int recording_binary_open(struct recording *recording, struct naohw_error *err)
{
	int ret = read_head(recording, err);
	struct stat found;
	uint64_t begin, body;

	if (ret < 0)
		return ret;
	if (fstat(fileno(recording->file), &found) < 0)
		return recording_fail(recording, err, "%s", strerror(errno));
	begin = (uint64_t)ftello(recording->file);
	recording->row_size = recording_row_size(&recording->head);
	recording->row = malloc(recording->row_size);
	if (!recording->row)
		return recording_fail(recording, err, "out of memory");
	body = (uint64_t)found.st_size - begin;
	if (body < BINARY_END_SIZE || (body - BINARY_END_SIZE) % recording->row_size)
		return recording_fail(recording, err,
				      "%llu bytes after the head, expected a multiple of %zu and "
				      "%d for the end: the file is not whole",
				      (unsigned long long)body, recording->row_size,
				      BINARY_END_SIZE);
	ret = read_end(recording, (body - BINARY_END_SIZE) / recording->row_size,
		       begin + body - BINARY_END_SIZE, err);
	fseeko(recording->file, (off_t)begin, SEEK_SET);
	return ret;
}

static int64_t unpack(const unsigned char *at, const struct recording_column *column)
{
	switch (column->bits) {
	case 8:
		return column->is_signed ? (int8_t)*at : *at;
	case 16:
		return column->is_signed ? (int16_t)get16(at) : get16(at);
	default:
		return column->is_signed ? (int32_t)get32(at) : (int64_t)get32(at);
	}
}

int recording_binary_next(struct recording *recording, int64_t *time, double *values,
			  struct naohw_error *err)
{
	uint64_t at = recording_row_at(recording, recording->rows);
	const unsigned char *byte = recording->row + BINARY_TIME_SIZE;
	int ret;

	if (recording->rows == recording->rows_total)
		return 0;
	ret = get_bytes(recording, recording->row, recording->row_size, at, err);
	if (ret == 0)
		ret = check_crc(recording, recording->row, recording->row_size, at, err);
	if (ret < 0)
		return ret;
	*time = (int64_t)get64(recording->row);
	for (size_t i = 0; i < recording->head.count; i++) {
		recording->raw[i] = unpack(byte, &recording->head.column[i]);
		byte += recording->head.column[i].bits / 8;
	}
	recording_values(&recording->head, recording->raw, values);
	return 1;
}
