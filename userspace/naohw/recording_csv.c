// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define NS_PER_S 1e9
/* So much of what was found is shown. */
#define SHOWN	 40
/* Some programs begin a text with it to say that it is UTF-8. */
#define MARK	 "\xef\xbb\xbf"

/* As it may be of any length, no more is read of a line than one can have. */
static int get_text(struct recording *recording, size_t *length, struct naohw_error *err)
{
	int byte;

	*length = 0;
	while ((byte = getc_unlocked(recording->file)) != EOF && byte != '\n') {
		if (byte == 0)
			return recording_fail(recording, err, "found a byte 0, expected text");
		if (*length == RECORDING_LINE_MAX)
			return recording_fail(recording, err, "the line has more than %d bytes",
					      RECORDING_LINE_MAX);
		recording->text[(*length)++] = (char)byte;
	}
	recording->text[*length] = '\0';
	if (ferror(recording->file)) {
		recording_fail(recording, err, "%s", strerror(errno));
		return -EIO;
	}
	if (byte == EOF && *length)
		return recording_fail(recording, err,
				      "the line has no end: the file is not whole");
	return byte != EOF;
}

/* The next line without its end. 1; 0: there is none. */
static int next_line(struct recording *recording, struct naohw_error *err)
{
	size_t length;
	int ret = get_text(recording, &length, err);

	if (ret <= 0)
		return ret;
	if (length && recording->text[length - 1] == '\r')
		recording->text[--length] = '\0';
	return 1;
}

/* Cut the next cell off; NULL: the line is at its end. */
static char *next_cell(char **rest)
{
	char *cell = *rest;
	char *comma;

	if (!cell)
		return NULL;
	comma = strchr(cell, ',');
	if (comma)
		*comma = '\0';
	*rest = comma ? comma + 1 : NULL;
	return cell;
}

/* Others may have it in letters of any alphabet; but it is printed. */
static bool is_label(const char *label, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (iscntrl((unsigned char)label[i]))
			return false;
	return length > 0 && length < RECORDING_LABEL_SIZE;
}

static int take_column(struct recording *recording, char *cell, struct naohw_error *err)
{
	struct recording_column *column = &recording->head.column[recording->head.count];
	char *dot = strrchr(cell, '.');
	int quantity = dot ? recording_quantity(dot + 1) : -1;

	if (quantity < 0 || !is_label(cell, (size_t)(dot - cell)))
		return recording_fail(recording, err,
				      "column %zu: found \"%.*s\", expected JOINT.present, "
				      "JOINT.goal or another value of a joint",
				      recording->head.count + 2, SHOWN, cell);
	*dot = '\0';
	if (recording_find(&recording->head, cell, (enum naohw_quantity)quantity) >= 0)
		return recording_fail(recording, err, "column %zu: found %.*s.%s a second time",
				      recording->head.count + 2, SHOWN, cell, dot + 1);
	snprintf(column->label, sizeof(column->label), "%s", cell);
	column->quantity = (enum naohw_quantity)quantity;
	column->bits = 32;
	column->is_signed = true;
	column->scale = 1;
	recording->head.count++;
	return 0;
}

static size_t count_cells(const char *line)
{
	size_t count = 1;

	for (; *line; line++)
		count += *line == ',';
	return count;
}

int recording_csv_open(struct recording *recording, struct naohw_error *err)
{
	char *rest, *cell;
	size_t cells;
	int ret;

	recording->line = 1;
	recording->text = malloc(RECORDING_LINE_MAX + 1);
	if (!recording->text)
		return recording_fail(recording, err, "out of memory");
	ret = next_line(recording, err);
	if (ret < 0)
		return ret;
	if (ret == 0)
		return recording_fail(recording, err, "the file is empty, expected a recording");
	cells = count_cells(recording->text);
	rest = recording->text;
	if (strncmp(rest, MARK, strlen(MARK)) == 0)
		rest += strlen(MARK);
	cell = next_cell(&rest);
	if (strcmp(cell, "time_s") != 0)
		return recording_fail(recording, err,
				      "not a recording: found \"%.*s\", expected time_s or a "
				      "binary recording's " BINARY_MAGIC,
				      SHOWN, cell);
	if (cells < 2 || cells > RECORDING_COLUMNS_MAX + 1)
		return recording_fail(recording, err, "%zu columns, expected 2 to %d", cells,
				      RECORDING_COLUMNS_MAX + 1);
	recording->head.column = calloc(cells, sizeof(*recording->head.column));
	if (!recording->head.column)
		return recording_fail(recording, err, "out of memory");
	while ((cell = next_cell(&rest))) {
		ret = take_column(recording, cell, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static bool parse(const char *cell, double *value)
{
	char *end;

	/* strtod() would pass over blanks, and take "nan" and "0x1". */
	if (strspn(cell, "+-.0123456789eE") != strlen(cell))
		return false;
	*value = strtod(cell, &end);
	return end != cell && *end == '\0' && isfinite(*value);
}

int recording_csv_next(struct recording *recording, int64_t *time, double *values,
		       struct naohw_error *err)
{
	size_t cells;
	double seconds;
	char *rest, *cell;
	int ret;

	recording->line++;
	ret = next_line(recording, err);
	if (ret <= 0)
		return ret;
	cells = count_cells(recording->text);
	if (cells != recording->head.count + 1)
		return recording_fail(recording, err, "found %zu cells, expected %zu as in line 1",
				      cells, recording->head.count + 1);
	rest = recording->text;
	cell = next_cell(&rest);
	if (!parse(cell, &seconds) || seconds < 0 || seconds > RECORDING_TIME_MAX_S)
		return recording_fail(recording, err, "column 1 (time_s): found \"%.*s\", "
				      "expected seconds, 0 to %lld", SHOWN, cell,
				      (long long)RECORDING_TIME_MAX_S);
	*time = llround(seconds * NS_PER_S);
	for (size_t i = 0; (cell = next_cell(&rest)); i++) {
		values[i] = NAN;
		if (*cell && !parse(cell, &values[i]))
			return recording_fail_value(recording, i, err, "found \"%.*s\", expected "
						    "a number or nothing", SHOWN, cell);
	}
	return 1;
}
