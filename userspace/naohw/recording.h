/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings of frames, as CSV or binary; Documentation/recordings.rst describes both. A
 * recording has columns, each a value of a joint, and rows, each a frame.
 */
#ifndef NAOHW_RECORDING_H
#define NAOHW_RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <naohw.h>

#define RECORDING_LABEL_SIZE  40
#define RECORDING_COLUMNS_MAX 4096
#define RECORDING_AGE_UNKNOWN 255
/* More seconds than that are no time; they also fit into 64 bits of ns. */
#define RECORDING_TIME_MAX_S  4000000000
/* Room for the longest line, which is the first one of a table with as many columns as can be. */
#define RECORDING_LINE_MAX    262144

struct recording_column {
	char label[RECORDING_LABEL_SIZE]; /* of the joint */
	enum naohw_quantity quantity;
	unsigned int bus; /* of a binary file; 0 and ... */
	unsigned int id;  /* ... 0 where it is not known */
	/* How a binary file holds it; (raw + offset) * scale is the value. */
	unsigned int bits; /* 8, 16 or 32 */
	bool is_signed;
	double scale;
	double offset;
};

struct recording_head {
	int64_t start;	/* of the recording, ns since 1970; 0: not known */
	int64_t period; /* ns; 0: not known */
	size_t count;
	struct recording_column *column;
};

/* "present", and its unit "rad"; NULL: there is no such quantity. */
const char *recording_name(enum naohw_quantity quantity);
const char *recording_unit(enum naohw_quantity quantity);

/* The other way; -1: no quantity has this name. */
int recording_quantity(const char *name);

/* A column by label and quantity, or -1. */
int recording_find(const struct recording_head *head, const char *label,
		   enum naohw_quantity quantity);

/* The values of a row. A joint that has never answered has none: they are NAN. */
void recording_values(const struct recording_head *head, const int64_t *raw, double *values);

/* ---- write ---- */

/* Rows are told by their time, in ns since the first one. All write errors stay in @file. */
void recording_write_csv_head(FILE *file, const struct recording_head *head);
void recording_write_csv_row(FILE *file, const struct recording_head *head, int64_t time,
			     const double *values);
void recording_write_binary_head(FILE *file, const struct recording_head *head);
void recording_write_binary_row(FILE *file, const struct recording_head *head, int64_t time,
				const int64_t *raw);
void recording_write_binary_end(FILE *file, uint64_t rows, uint64_t lost);

/* ---- read ---- */

struct recording;

/*
 * Open a recording of either kind. Return: 0; -EINVAL the file is damaged, or no recording; or
 * why it cannot be read. The message has line or byte, what was found and what was expected.
 */
int recording_open(const char *path, struct recording **recording, struct naohw_error *err);
void recording_close(struct recording *recording);

const struct recording_head *recording_head(const struct recording *recording);

/* The next row. Return: 1; 0 there is none, and the file is whole; or as recording_open(). */
int recording_next(struct recording *recording, int64_t *time, double *values,
		   struct naohw_error *err);

/* From the first row again. */
void recording_rewind(struct recording *recording);

/* ---- what the readers of both kinds share ---- */

struct recording {
	const char *path;
	char *own_path;
	FILE *file;
	bool binary;
	struct recording_head head;
	off_t rows_at;	/* where the rows begin, in bytes */
	uint64_t rows;	/* read so far */
	int64_t time;	/* of the last one */
	/* CSV */
	unsigned long line;
	char *text;
	/* binary */
	uint64_t rows_total;
	size_t row_size;
	unsigned char *row;
	int64_t *raw;
};

int recording_fail(const struct recording *recording, struct naohw_error *err, const char *format,
		   ...) __attribute__((format(printf, 3, 4)));

/* The same for a value of the row that was read last, with its place. */
int recording_fail_value(const struct recording *recording, size_t column, struct naohw_error *err,
			 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Where the row after @rows others begins in a binary file. */
uint64_t recording_row_at(const struct recording *recording, uint64_t rows);

int recording_csv_open(struct recording *recording, struct naohw_error *err);
int recording_csv_next(struct recording *recording, int64_t *time, double *values,
		       struct naohw_error *err);
int recording_binary_open(struct recording *recording, struct naohw_error *err);
int recording_binary_next(struct recording *recording, int64_t *time, double *values,
			  struct naohw_error *err);

/* A binary file, in bytes; all numbers are little-endian. */
#define BINARY_MAGIC	   "NAOHWREC"
#define BINARY_END	   "NAOHWEND"
#define BINARY_MAGIC_SIZE  8
#define BINARY_VERSION	   2
/* That had the servos' angles, and not those of the joints' keys. */
#define BINARY_VERSION_SERVOS 1
#define BINARY_HEAD_SIZE   32
#define BINARY_COLUMN_SIZE 72
#define BINARY_CRC_SIZE	   4
#define BINARY_TIME_SIZE   8
#define BINARY_END_SIZE	   28
#define BINARY_UNIT_SIZE   8

size_t recording_row_size(const struct recording_head *head);
/* CRC-32 of what @crc is of, 0 of nothing, and these bytes. */
uint32_t recording_crc(uint32_t crc, const unsigned char *data, size_t size);

#endif
