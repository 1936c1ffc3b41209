// SPDX-License-Identifier: GPL-2.0-or-later
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

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
	struct naohw_player *player;
	size_t count;
	struct column *column;
	size_t next;	  /* the column to read next */
	int64_t began;	  /* the recording */
	int64_t row;	  /* the present row */
	int64_t slowest;  /* read so far */
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

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
	int64_t time = now();
	int counts, ret;

	column->goal = angle(&column->axis, naohw_player_get_goal(record->player, index));
	column->known = false;
	if (time < column->retry)
		return;
	ret = naohw_player_read_present(record->player, index, &counts, NULL);
	if (ret < 0) {
		column->retry = now() + RETRY_NS;
		return;
	}
	column->known = true;
	column->present = angle(&column->axis, counts);
	time = now() - time;
	if (time > record->slowest && time < SLICE_NS)
		record->slowest = time;
}

void record_some(struct record *record, long free_ms)
{
	int64_t time = now();
	int64_t until = time + (int64_t)free_ms * NS_PER_MS;

	if (until > time + SLICE_NS)
		until = time + SLICE_NS;
	if (record->next == 0 && time < record->row + ROW_NS)
		return;
	if (record->next == 0)
		record->row = time;
	/* Leave room for one read as slow as the slowest, so that no step comes late. */
	while (record->next < record->count && now() + record->slowest < until) {
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
	int64_t until = now() + (int64_t)milliseconds * NS_PER_MS;

	while (now() < until) {
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

struct record *record_open(const char *path, struct naohw_player *player)
{
	struct record *record = calloc(1, sizeof(*record));

	if (!record)
		goto no_memory;
	record->player = player;
	record->path = strdup(path);
	if (!record->path || take_columns(record) < 0)
		goto no_memory;
	record->file = fopen(path, "we");
	if (!record->file) {
		complain("%s: %s", path, strerror(errno));
		goto out;
	}
	write_head(record);
	record->began = now();
	record->row = record->began - ROW_NS;
	return record;

no_memory:
	complain("out of memory");
out:
	if (record) {
		free(record->path);
		free(record->column);
	}
	free(record);
	return NULL;
}

int record_close(struct record *record)
{
	int ret = 0;

	if (!record)
		return 0;
	if (ferror(record->file))
		ret = -1;
	if (fclose(record->file))
		ret = -1;
	if (ret < 0)
		complain("%s: could not be written in full", record->path);
	free(record->path);
	free(record->column);
	free(record);
	return ret;
}
