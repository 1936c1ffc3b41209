// SPDX-License-Identifier: GPL-2.0-or-later
#include "record.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "monotonic.h"

#define NS_PER_S   1000000000
#define NS_PER_MS  1000000
/* 25 rows a second, if the reads allow. */
#define ROW_NS	   ((int64_t)40 * NS_PER_MS)
/* A signal or the next row must not wait long. */
#define SLICE_NS   ((int64_t)50 * NS_PER_MS)
/* A servo that failed is left alone for a while: each time-out costs the others a row. */
#define RETRY_NS   ((int64_t)NS_PER_S)

struct column {
	struct naohw_axis axis;
	double goal;
	double present;
	bool known;
	int64_t retry;
};

struct record {
	FILE *file;
	char *path;
	char *temporary; /* NULL: written in place */
	struct naohw_player *player;
	size_t count;
	struct column *column;
	size_t next;	  /* the column to read next */
	int64_t began;	  /* the recording */
	int64_t row;	  /* the present row */
	int64_t slowest;  /* read so far */
};

static double angle(const struct naohw_axis *axis, int counts)
{
	return (counts + axis->offset) * axis->scale;
}

static void write_head(const struct record *record)
{
	fprintf(record->file, "time_s");
	for (size_t i = 0; i < record->count; i++)
		fprintf(record->file, ",%s.goal,%s.present", record->column[i].axis.label,
			record->column[i].axis.label);
	fprintf(record->file, "\n");
}

/* An empty cell is a position that could not be read. */
static void write_row(const struct record *record)
{
	fprintf(record->file, "%.4f", (double)(record->row - record->began) / NS_PER_S);
	for (size_t i = 0; i < record->count; i++) {
		const struct column *column = &record->column[i];

		fprintf(record->file, ",%.5f,", column->goal);
		if (column->known)
			fprintf(record->file, "%.5f", column->present);
	}
	fprintf(record->file, "\n");
}

static void read_column(struct record *record, struct column *column, size_t index)
{
	int64_t time = monotonic_ns();
	int counts, ret;

	column->goal = angle(&column->axis, naohw_player_get_goal(record->player, index));
	column->known = false;
	if (time < column->retry)
		return;
	ret = naohw_player_read_present(record->player, index, &counts, NULL);
	if (ret < 0) {
		column->retry = monotonic_ns() + RETRY_NS;
		return;
	}
	column->known = true;
	column->present = angle(&column->axis, counts);
	time = monotonic_ns() - time;
	if (time > record->slowest && time < SLICE_NS)
		record->slowest = time;
}

void record_some(struct record *record, long free_ms)
{
	int64_t time = monotonic_ns();
	int64_t until = time + (int64_t)free_ms * NS_PER_MS;

	if (until > time + SLICE_NS)
		until = time + SLICE_NS;
	if (record->next == 0 && time < record->row + ROW_NS)
		return;
	if (record->next == 0)
		record->row = time;
	/* Leave room for one read as slow as the slowest, so that no step comes late. */
	while (record->next < record->count && monotonic_ns() + record->slowest < until) {
		read_column(record, &record->column[record->next], record->next);
		record->next++;
	}
	if (record->next < record->count)
		return;
	write_row(record);
	record->next = 0;
}

void record_for(struct record *record, long milliseconds)
{
	const struct timespec pause = { .tv_nsec = 5 * NS_PER_MS };
	int64_t until = monotonic_ns() + (int64_t)milliseconds * NS_PER_MS;

	while (monotonic_ns() < until) {
		record_some(record, 50);
		nanosleep(&pause, NULL);
	}
}

static int take_columns(struct record *record)
{
	record->count = naohw_player_axis_count(record->player);
	record->column = calloc(record->count + 1, sizeof(*record->column));
	if (!record->column)
		return -ENOMEM;
	for (size_t i = 0; i < record->count; i++)
		naohw_player_get_axis(record->player, i, &record->column[i].axis);
	return 0;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat left, right;

	return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
	       left.st_ino == right.st_ino;
}

/* The file itself behind a link; a device or a pipe is written as it is. */
static int take_paths(struct record *record, const char *path)
{
	struct stat found;
	bool there = stat(path, &found) == 0;

	record->path = there ? realpath(path, NULL) : strdup(path);
	if (!record->path)
		return -errno;
	if (there && !S_ISREG(found.st_mode))
		return 0;
	if (asprintf(&record->temporary, "%s.new", record->path) < 0) {
		record->temporary = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int open_file(struct record *record)
{
	const char *path = record->temporary ? record->temporary : record->path;

	/* Not what somebody has put there: it may be a link to elsewhere. */
	if (record->temporary)
		unlink(path);
	record->file = fopen(path, record->temporary ? "wxe" : "we");
	return record->file ? 0 : -errno;
}

static void record_free(struct record *record)
{
	free(record->temporary);
	free(record->path);
	free(record->column);
	free(record);
}

static int prepare(struct record *record, const char *path, const char *motion)
{
	int ret = take_paths(record, path);

	if (ret == 0 && (is_same_file(record->path, motion) ||
			 (record->temporary && is_same_file(record->temporary, motion)))) {
		complain("%s: is the motion file, record to another one", path);
		return -EINVAL;
	}
	if (ret == 0)
		ret = take_columns(record);
	if (ret == 0)
		ret = open_file(record);
	if (ret < 0)
		complain("%s: %s", path, strerror(-ret));
	return ret;
}

struct record *record_open(const char *path, const char *motion, struct naohw_player *player)
{
	struct record *record = calloc(1, sizeof(*record));

	if (!record) {
		complain("out of memory");
		return NULL;
	}
	record->player = player;
	if (prepare(record, path, motion) < 0) {
		record_free(record);
		return NULL;
	}
	write_head(record);
	record->began = monotonic_ns();
	record->row = record->began - ROW_NS;
	return record;
}

static int finish(struct record *record)
{
	bool bad = ferror(record->file) || fflush(record->file);

	/* On the disk before the name is, or a power cut leaves an empty file. */
	if (!bad && record->temporary)
		bad = fsync(fileno(record->file)) < 0;
	if (fclose(record->file))
		bad = true;
	if (!bad && record->temporary)
		bad = rename(record->temporary, record->path) < 0;
	if (bad && record->temporary)
		unlink(record->temporary);
	return bad ? -1 : 0;
}

int record_close(struct record *record)
{
	int ret;

	if (!record)
		return 0;
	ret = finish(record);
	if (ret < 0)
		complain("%s: could not be written in full", record->path);
	record_free(record);
	return ret;
}
