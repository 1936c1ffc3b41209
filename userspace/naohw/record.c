// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#include "background.h"
#include "cli.h"
#include "frames.h"
#include "interrupt.h"
#include "origin.h"
#include "tape.h"

/* More than a disk that takes its time should make us late. */
#define DEPTH	 512
#define NS_PER_S 1e9
/* What the rest of a recording may take before the user wonders. */
#define PATIENCE_S 2

struct record {
	const char *path;
	struct tape_options tape;
	long count;	 /* frames; 0: no end */
	double duration; /* s; 0: no end */
	bool quiet;
};

static bool is_enough(const struct record *record, const struct tape *tape)
{
	if (record->count && tape_frames(tape) >= (unsigned long)record->count)
		return true;
	return record->duration > 0 && tape_frames(tape) && tape_seconds(tape) >= record->duration;
}

/* Tells the user of a disk that hangs, while we wait for it. */
struct reminder {
	const char *path;
	sem_t done;
	pthread_t thread;
	bool is_there;
};

/* A frame that cannot be read ends it; what there is until then is kept. */
static int run(const struct record *record, struct tape *tape)
{
	struct naohw_error err;

	while (!is_interrupted() && !is_enough(record, tape)) {
		if (samples_wait(record->tape.samples, &err) < 0)
			return complain("%s", err.message);
		/* Why it cannot be written, its end will tell. */
		if (tape_add(tape) < 0)
			break;
	}
	return STATUS_OK;
}

static int begin_and_run(const struct record *record, struct tape *tape)
{
	if (tape_begin(tape, &record->tape) < 0)
		return STATUS_FAILED;
	go_realtime(record->quiet);
	return run(record, tape);
}

static int open_samples(struct origin *origin, struct naohw_robot *robot,
			struct samples **samples, struct naohw_error *err)
{
	const struct frame_options options = { .depth = DEPTH };
	int ret = origin_open(origin, robot, &options, err);

	if (ret < 0)
		return ret;
	return origin->dcm ? samples_of_dcm(robot, origin->dcm, samples, err) :
			     samples_of_frame(robot, origin->frame, samples, err);
}

static int open_and_record(struct record *record, struct tape *tape, struct naohw_robot *robot)
{
	struct origin origin = { 0 };
	struct naohw_error err;
	int status;

	catch_interrupts();
	if (open_samples(&origin, robot, &record->tape.samples, &err) == 0)
		status = begin_and_run(record, tape);
	else
		status = complain("%s", err.message);
	samples_free(record->tape.samples);
	origin_close(&origin);
	/* From here on nothing but the disk is waited for, and that may be for ever. */
	release_interrupts();
	return status;
}

static void *remind(void *data)
{
	struct reminder *reminder = data;
	struct timespec until;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += PATIENCE_S;
	do {
		ret = sem_clockwait(&reminder->done, CLOCK_MONOTONIC, &until);
	} while (ret < 0 && errno == EINTR);
	if (ret < 0)
		complain("%s: is still being written; Ctrl-C (or SIGTERM) ends that, and the "
			 "recording is lost", reminder->path);
	return NULL;
}

/* One that cannot be started is not worth a recording. */
static void reminder_begin(struct reminder *reminder, const char *path)
{
	reminder->path = path;
	sem_init(&reminder->done, 0, 0);
	reminder->is_there = background_start(&reminder->thread, remind, reminder) == 0;
}

static void reminder_end(struct reminder *reminder)
{
	sem_post(&reminder->done);
	if (reminder->is_there)
		pthread_join(reminder->thread, NULL);
	sem_destroy(&reminder->done);
}

static int finish(struct tape *tape, const char *path)
{
	struct reminder reminder;
	int ret;

	reminder_begin(&reminder, path);
	ret = tape_close(tape);
	reminder_end(&reminder);
	return ret;
}

static int record_robot(struct record *record, const struct cli *cli)
{
	struct naohw_robot *robot = open_robot(cli);
	unsigned long long frames, lost;
	struct tape *tape;
	double seconds;
	int status;

	if (!robot)
		return STATUS_FAILED;
	tape = tape_open(record->path, NULL);
	status = tape ? open_and_record(record, tape, robot) : STATUS_FAILED;
	naohw_robot_close(robot);
	if (!tape)
		return status;
	frames = tape_frames(tape);
	lost = tape_lost(tape);
	seconds = tape_seconds(tape);
	if (finish(tape, record->path) < 0)
		return STATUS_FAILED;
	if (!record->quiet && (frames || status == STATUS_OK))
		printf("%llu frames in %.2f s, %llu lost: %s\n", frames, seconds, lost,
		       record->path);
	return status;
}

int cmd_record(const struct cli *cli)
{
	const struct line *line = &cli->line;
	struct record record = {
		.count = line_whole(line, OPTION_COUNT, 0),
		.duration = line_number(line, OPTION_DURATION, 0),
		.quiet = line->option[OPTION_QUIET],
	};

	if (line->operand_count == 0)
		return complain_usage("expected FILE, and maybe JOINT...");
	record.path = line->operand[0];
	record.tape.labels = line->operand + 1;
	record.tape.label_count = line->operand_count - 1;
	return record_robot(&record, cli);
}
