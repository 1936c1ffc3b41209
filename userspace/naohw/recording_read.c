// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording is opened by what is in it, not by its name. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recording.h"

#define NS_PER_S ((int64_t)1000000000)

/* What a file has in it may be told on a terminal, which is to do nothing by that. */
static void disarm(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '\x7f')
			*text = '?';
}

int recording_fail(const struct recording *recording, struct naohw_error *err, const char *format,
		   ...)
{
	size_t used = 0;
	va_list args;

	if (!recording->binary)
		used = (size_t)snprintf(err->message, sizeof(err->message), "%s:%lu: ",
					recording->path, recording->line);
	else
		used = (size_t)snprintf(err->message, sizeof(err->message), "%s: ",
					recording->path);
	if (used >= sizeof(err->message))
		return -EINVAL;
	va_start(args, format);
	vsnprintf(err->message + used, sizeof(err->message) - used, format, args);
	va_end(args);
	disarm(err->message + used);
	return -EINVAL;
}

static int cannot_read(const char *path, int error, struct naohw_error *err)
{
	snprintf(err->message, sizeof(err->message), "%s: %s", path, strerror(error));
	return -error;
}

/* It is read twice, so it must not be a pipe. */
static int open_file(struct recording *recording, struct naohw_error *err)
{
	struct stat found;

	/* Before it is opened, or that might be waited for. */
	if (stat(recording->path, &found) < 0)
		return cannot_read(recording->path, errno, err);
	if (S_ISDIR(found.st_mode))
		return cannot_read(recording->path, EISDIR, err);
	if (!S_ISREG(found.st_mode))
		return cannot_read(recording->path, ESPIPE, err);
	recording->file = fopen(recording->path, "re");
	return recording->file ? 0 : cannot_read(recording->path, errno, err);
}

static int open_kind(struct recording *recording, struct naohw_error *err)
{
	char magic[BINARY_MAGIC_SIZE];
	size_t got = fread(magic, 1, sizeof(magic), recording->file);

	if (ferror(recording->file))
		return cannot_read(recording->path, errno, err);
	rewind(recording->file);
	recording->binary = got == sizeof(magic) && memcmp(magic, BINARY_MAGIC, got) == 0;
	return recording->binary ? recording_binary_open(recording, err)
				 : recording_csv_open(recording, err);
}

int recording_open(const char *path, struct recording **out, struct naohw_error *err)
{
	struct recording *recording = calloc(1, sizeof(*recording));
	int ret;

	if (!recording)
		return cannot_read(path, ENOMEM, err);
	recording->own_path = strdup(path);
	recording->path = recording->own_path ? recording->own_path : path;
	ret = open_file(recording, err);
	if (ret == 0)
		ret = open_kind(recording, err);
	if (ret < 0) {
		recording_close(recording);
		return ret;
	}
	recording->rows_at = ftello(recording->file);
	recording_rewind(recording);
	*out = recording;
	return 0;
}

void recording_close(struct recording *recording)
{
	if (!recording)
		return;
	if (recording->file)
		fclose(recording->file);
	free(recording->head.column);
	free(recording->text);
	free(recording->row);
	free(recording->raw);
	free(recording->own_path);
	free(recording);
}

const struct recording_head *recording_head(const struct recording *recording)
{
	return &recording->head;
}

uint64_t recording_row_at(const struct recording *recording, uint64_t rows)
{
	return (uint64_t)recording->rows_at + rows * recording->row_size;
}

static uint64_t value_at(const struct recording *recording, size_t column)
{
	uint64_t at = recording_row_at(recording, recording->rows - 1) + BINARY_TIME_SIZE;

	for (size_t i = 0; i < column; i++)
		at += recording->head.column[i].bits / 8;
	return at;
}

int recording_fail_value(const struct recording *recording, size_t column, struct naohw_error *err,
			 const char *format, ...)
{
	const struct recording_column *what = &recording->head.column[column];
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!recording->binary)
		return recording_fail(recording, err, "column %zu (%s.%s): %s", column + 2,
				      what->label, recording_name(what->quantity), text);
	return recording_fail(recording, err, "byte %llu: frame %llu, %s.%s: %s",
			      (unsigned long long)value_at(recording, column),
			      (unsigned long long)recording->rows, what->label,
			      recording_name(what->quantity), text);
}

static int wrong_time(const struct recording *recording, int64_t time, const char *expected,
		      struct naohw_error *err)
{
	char byte[32] = "";

	if (recording->binary)
		snprintf(byte, sizeof(byte), "byte %llu: ",
			 (unsigned long long)recording_row_at(recording, recording->rows));
	return recording_fail(recording, err, "%sframe %llu: its time is %lld ns, expected %s", byte,
			      (unsigned long long)recording->rows + 1, (long long)time, expected);
}

static int check_time(const struct recording *recording, int64_t time, struct naohw_error *err)
{
	char expected[48];

	if (time < 0 || time > RECORDING_TIME_MAX_S * NS_PER_S) {
		snprintf(expected, sizeof(expected), "0 to %lld s",
			 (long long)RECORDING_TIME_MAX_S);
		return wrong_time(recording, time, expected, err);
	}
	if (recording->rows && time <= recording->time) {
		snprintf(expected, sizeof(expected), "more than %lld", (long long)recording->time);
		return wrong_time(recording, time, expected, err);
	}
	return 0;
}

int recording_next(struct recording *recording, int64_t *time, double *values,
		   struct naohw_error *err)
{
	int ret = recording->binary ? recording_binary_next(recording, time, values, err)
				    : recording_csv_next(recording, time, values, err);

	if (ret <= 0)
		return ret;
	ret = check_time(recording, *time, err);
	if (ret < 0)
		return ret;
	recording->rows++;
	recording->time = *time;
	return 1;
}

void recording_rewind(struct recording *recording)
{
	fseeko(recording->file, recording->rows_at, SEEK_SET);
	recording->rows = 0;
	recording->line = 1;
}
