// SPDX-License-Identifier: GPL-2.0-or-later
#include "tape.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "ends.h"
#include "nearest.h"
#include "recording.h"
#include "spool.h"
#include "whole_file.h"

#define NS_PER_S 1000000000

/* As it is put by and written by two threads. */
struct row {
	int64_t time; /* since the first one */
	int64_t raw[];
};

struct tape {
	struct whole_file whole;
	bool csv;
	struct samples *samples;
	struct recording_head head;
	size_t *channel; /* of each column */
	/* Of the thread that takes the samples: */
	struct spool *spool; /* NULL: not begun */
	uint64_t rows;
	uint64_t last;	 /* number of the frame that was taken last */
	uint64_t before; /* frames lost before the first one */
	uint64_t lost;	 /* and until the last one */
	uint64_t missed; /* for which there was no room */
	int64_t began;	 /* time of the first frame */
	int64_t ended;	 /* and of the last one */
	/* Of the one that writes them: */
	double *values;
	bool has_head;
	atomic_bool failed;
};

static bool is_wanted(const struct tape_options *options, const char *label)
{
	if (!options->label_count)
		return true;
	for (size_t i = 0; i < options->label_count; i++)
		if (strcmp(options->labels[i], label) == 0)
			return true;
	return false;
}

/* What a name in a file may not have becomes '_'. */
static void copy_label(char *to, const char *label)
{
	size_t i;

	for (i = 0; label[i] && i < RECORDING_LABEL_SIZE - 1; i++)
		to[i] = label[i] == ',' || label[i] == '"' || !isprint((unsigned char)label[i])
				? '_'
				: label[i];
	to[i] = '\0';
}

static void add_column(struct tape *tape, size_t channel)
{
	const struct sample_channel *from = &tape->samples->channel[channel];
	struct recording_column *column = &tape->head.column[tape->head.count];

	copy_label(column->label, naohw_joint_label(tape->samples->robot, from->joint));
	(void)naohw_joint_get_place(tape->samples->robot, from->joint, &column->bus, &column->id);
	column->quantity = from->quantity;
	column->bits = from->bits;
	column->is_signed = from->is_signed;
	column->scale = from->scale;
	column->offset = from->offset;
	tape->channel[tape->head.count++] = channel;
}

static void take_columns(struct tape *tape, const struct tape_options *options)
{
	const struct samples *samples = tape->samples;

	for (size_t i = 0; i < samples->count && tape->head.count < RECORDING_COLUMNS_MAX; i++)
		if (is_wanted(options, naohw_joint_label(samples->robot, samples->channel[i].joint)))
			add_column(tape, i);
}

static bool make_columns(struct tape *tape, const struct tape_options *options)
{
	size_t count = tape->samples->count + 1;

	tape->head.column = calloc(count, sizeof(*tape->head.column));
	tape->channel = calloc(count, sizeof(*tape->channel));
	tape->values = calloc(count, sizeof(*tape->values));
	if (!tape->head.column || !tape->channel || !tape->values) {
		complain("out of memory");
		return false;
	}
	take_columns(tape, options);
	if (tape->head.count == 0)
		complain("%s: the frames have no joint to record", tape->whole.path);
	return tape->head.count > 0;
}

static bool is_in_samples(const struct samples *samples, const char *label)
{
	for (size_t i = 0; i < samples->count; i++)
		if (strcmp(naohw_joint_label(samples->robot, samples->channel[i].joint), label) == 0)
			return true;
	return false;
}

static void complain_of_joint(const struct samples *samples, const char *label)
{
	struct nearest nearest = nearest_to(label);

	for (size_t i = 0; i < samples->count; i++)
		(void)nearest_try(&nearest,
				  naohw_joint_label(samples->robot, samples->channel[i].joint));
	complain("%s: no such joint in the frames%s%s; \"naohw list\" shows the joints", label,
		 nearest_words(&nearest), nearest_name(&nearest));
}

static bool labels_are_there(const struct tape_options *options)
{
	for (size_t i = 0; i < options->label_count; i++) {
		if (is_in_samples(options->samples, options->labels[i]))
			continue;
		complain_of_joint(options->samples, options->labels[i]);
		return false;
	}
	return true;
}

static void tape_free(struct tape *tape)
{
	free(tape->head.column);
	free(tape->channel);
	free(tape->values);
	free(tape);
}

static int64_t wall_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

struct tape *tape_open(const char *path, const char *avoid)
{
	struct tape *tape = calloc(1, sizeof(*tape));

	if (!tape) {
		complain("out of memory");
		return NULL;
	}
	tape->csv = text_ends_with(path, ".csv");
	if (whole_file_open(&tape->whole, path, avoid) < 0) {
		free(tape);
		return NULL;
	}
	return tape;
}

/* ---- by the thread that writes, and when it has ended ---- */

static void need_head(struct tape *tape)
{
	if (tape->has_head)
		return;
	tape->has_head = true;
	if (tape->csv)
		recording_write_csv_head(tape->whole.file, &tape->head);
	else
		recording_write_binary_head(tape->whole.file, &tape->head);
}

static void write_row(void *data, const void *place)
{
	struct tape *tape = data;
	const struct row *row = place;

	need_head(tape);
	if (tape->csv) {
		recording_values(&tape->head, row->raw, tape->values);
		recording_write_csv_row(tape->whole.file, &tape->head, row->time, tape->values);
	} else {
		recording_write_binary_row(tape->whole.file, &tape->head, row->time, row->raw);
	}
	/* The other thread must not ask, as that would wait while we write. */
	if (ferror(tape->whole.file))
		tape->failed = true;
}

/* ---- by the thread that must not wait ---- */

int tape_begin(struct tape *tape, const struct tape_options *options)
{
	struct spool_options spool = {
		.room = options->room ? options->room : TAPE_ROOM,
		.write = write_row,
		.data = tape,
	};
	int ret;

	tape->samples = options->samples;
	if (!labels_are_there(options) || !make_columns(tape, options))
		return -1;
	tape->head.start = wall_clock();
	tape->head.period = tape->samples->period;
	tape->last = samples_number(tape->samples);
	spool.row_size = sizeof(struct row) + tape->head.count * sizeof(int64_t);
	ret = spool_open(&spool, &tape->spool);
	if (ret == 0)
		return 0;
	complain("%s: %s", tape->whole.path, strerror(-ret));
	return -1;
}

static void take_values(const struct tape *tape, int64_t *raw)
{
	for (size_t i = 0; i < tape->head.count; i++)
		raw[i] = samples_raw(tape->samples, tape->channel[i]);
}

static void add_row(struct tape *tape)
{
	int64_t time = samples_time(tape->samples);
	struct row *row;

	/* A clock that somebody has set back would make a file that is refused. */
	if (tape->rows && time <= tape->ended)
		return;
	row = spool_next(tape->spool);
	if (!row) {
		tape->missed++;
		return;
	}
	if (!tape->rows) {
		tape->began = time;
		tape->before = samples_lost(tape->samples);
	}
	tape->ended = time;
	tape->rows++;
	row->time = time - tape->began;
	take_values(tape, row->raw);
	spool_put(tape->spool);
}

int tape_add(struct tape *tape)
{
	samples_look(tape->samples);
	if (samples_number(tape->samples) != tape->last) {
		add_row(tape);
		tape->lost = samples_lost(tape->samples);
	}
	tape->last = samples_number(tape->samples);
	return tape->failed ? -1 : 0;
}

unsigned long long tape_frames(const struct tape *tape)
{
	return tape->rows;
}

unsigned long long tape_lost(const struct tape *tape)
{
	return tape->lost - tape->before + tape->missed;
}

double tape_seconds(const struct tape *tape)
{
	return (double)(tape->ended - tape->began) / NS_PER_S;
}

/* ---- at the end ---- */

static int finish(struct tape *tape)
{
	spool_close(tape->spool);
	need_head(tape);
	if (!tape->csv)
		recording_write_binary_end(tape->whole.file, tape->rows, tape_lost(tape));
	if (tape->missed)
		complain("%s: %llu frames are missing, as the disk was too slow", tape->whole.path,
			 (unsigned long long)tape->missed);
	return whole_file_close(&tape->whole);
}

int tape_close(struct tape *tape)
{
	int ret = 0;

	if (!tape)
		return 0;
	if (tape->spool)
		ret = finish(tape);
	else
		whole_file_discard(&tape->whole);
	tape_free(tape);
	return ret;
}
