// SPDX-License-Identifier: GPL-2.0-or-later
#include "tape.h"

#include <ctype.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "ends.h"
#include "recording.h"
#include "spool.h"
#include "whole_file.h"

#define NS_PER_S 1000000000
/* A goal is written in these, which is finer than any servo goes. */
#define GOAL_RAD  1e-6
#define GOAL_BITS 32

/* Where a column's value is: a channel of the frame, or a joint of the pose. */
struct source {
	bool is_goal;
	size_t index;
};

/* As it is put by and written by two threads. */
struct row {
	int64_t time; /* since the first one */
	int64_t raw[];
};

struct tape {
	struct whole_file whole;
	bool csv;
	const struct naohw_robot *robot;
	const struct naohw_frame *frame;
	const struct naohw_pose *pose;
	struct recording_head head;
	struct source *source;
	/* Of the thread that takes the frames: */
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

static struct recording_column *add_column(struct tape *tape, size_t joint,
					   enum naohw_quantity quantity, size_t index)
{
	struct recording_column *column = &tape->head.column[tape->head.count];

	copy_label(column->label, naohw_joint_label(tape->robot, joint));
	column->quantity = quantity;
	(void)naohw_joint_get_place(tape->robot, joint, &column->bus, &column->id);
	tape->source[tape->head.count].is_goal = quantity == NAOHW_QUANTITY_GOAL;
	tape->source[tape->head.count++].index = index;
	return column;
}

/* Beside the joint's position, where one can compare them. */
static void add_goal(struct tape *tape, size_t joint)
{
	struct recording_column *column;

	if (!naohw_pose_has(tape->pose, joint))
		return;
	column = add_column(tape, joint, NAOHW_QUANTITY_GOAL, joint);
	column->bits = GOAL_BITS;
	column->is_signed = true;
	column->scale = GOAL_RAD;
	column->offset = 0;
}

static void add_channel(struct tape *tape, size_t joint, size_t channel)
{
	struct recording_column *column =
		add_column(tape, joint, naohw_frame_channel_quantity(tape->frame, channel), channel);

	column->bits = naohw_frame_channel_bits(tape->frame, channel);
	column->is_signed = naohw_frame_channel_is_signed(tape->frame, channel);
	column->scale = naohw_frame_channel_scale(tape->frame, channel);
	column->offset = naohw_frame_channel_offset(tape->frame, channel);
}

static void take_columns(struct tape *tape, const struct tape_options *options)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < naohw_frame_channel_count(tape->frame); i++) {
		size_t joint = naohw_frame_channel_joint(tape->frame, i);

		if (!is_wanted(options, naohw_joint_label(tape->robot, joint)) ||
		    tape->head.count + 2 > RECORDING_COLUMNS_MAX)
			continue;
		if (tape->pose && joint != last)
			add_goal(tape, joint);
		last = joint;
		add_channel(tape, joint, i);
	}
}

static bool make_columns(struct tape *tape, const struct tape_options *options)
{
	size_t count = naohw_frame_channel_count(tape->frame) +
		       naohw_robot_joint_count(tape->robot) + 1;

	tape->head.column = calloc(count, sizeof(*tape->head.column));
	tape->source = calloc(count, sizeof(*tape->source));
	tape->values = calloc(count, sizeof(*tape->values));
	if (!tape->head.column || !tape->source || !tape->values) {
		complain("out of memory");
		return false;
	}
	take_columns(tape, options);
	if (tape->head.count == 0)
		complain("%s: the frames have no joint to record", tape->whole.path);
	return tape->head.count > 0;
}

static bool is_in_frames(const struct tape_options *options, const char *label)
{
	size_t joint;

	return naohw_robot_find_joint(options->robot, label, &joint) == 0 &&
	       naohw_frame_has(options->frame, joint, NAOHW_QUANTITY_AGE);
}

static bool labels_are_there(const struct tape_options *options)
{
	for (size_t i = 0; i < options->label_count; i++) {
		if (is_in_frames(options, options->labels[i]))
			continue;
		complain("%s: no such joint in the frames; \"naohw list\" shows the joints",
			 options->labels[i]);
		return false;
	}
	return true;
}

static void tape_free(struct tape *tape)
{
	free(tape->head.column);
	free(tape->source);
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

	tape->frame = options->frame;
	tape->robot = options->robot;
	tape->pose = options->pose;
	if (!labels_are_there(options) || !make_columns(tape, options))
		return -1;
	tape->head.start = wall_clock();
	tape->head.period = naohw_frame_period(tape->frame);
	tape->last = naohw_frame_count(tape->frame);
	spool.row_size = sizeof(struct row) + tape->head.count * sizeof(int64_t);
	ret = spool_open(&spool, &tape->spool);
	if (ret == 0)
		return 0;
	complain("%s: %s", tape->whole.path, strerror(-ret));
	return -1;
}

static int64_t raw_goal(const struct tape *tape, size_t joint)
{
	double goal = 0;

	(void)naohw_pose_get_goal(tape->pose, joint, &goal);
	return llround(goal / GOAL_RAD);
}

static void take_values(const struct tape *tape, int64_t *raw)
{
	for (size_t i = 0; i < tape->head.count; i++) {
		const struct source *source = &tape->source[i];

		raw[i] = source->is_goal ? raw_goal(tape, source->index)
					 : naohw_frame_raw(tape->frame, source->index);
	}
}

static void add_row(struct tape *tape)
{
	int64_t time = naohw_frame_time(tape->frame);
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
		tape->before = naohw_frame_lost(tape->frame);
	}
	tape->ended = time;
	tape->rows++;
	row->time = time - tape->began;
	take_values(tape, row->raw);
	spool_put(tape->spool);
}

int tape_add(struct tape *tape)
{
	if (naohw_frame_count(tape->frame) != tape->last) {
		add_row(tape);
		tape->lost = naohw_frame_lost(tape->frame);
	}
	tape->last = naohw_frame_count(tape->frame);
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
