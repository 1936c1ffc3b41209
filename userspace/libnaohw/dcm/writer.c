// SPDX-License-Identifier: LGPL-2.1-or-later
#include "writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../base/base.h"
#include "../frame/frame.h"
#include "../pose/pose.h"
#include "monotonic.h"

/* How often its thread looks whether it is time to try again */
#define LOOK_MS	      100
/* What could not be written or read, as a board had no power or a packet was lost, is tried again. */
#define RETRY_NS      ((int64_t)1000 * NS_PER_MS)
/* What the diagnosis finds silent is asked so often. */
#define ASK_NS	      ((int64_t)300 * NS_PER_MS)
#define NS_PER_MS     1000000

struct item {
	const struct actuator *actuator; /* NULL: not written so */
	_Atomic(double) level;
	atomic_bool is_left;
	atomic_int error;
};

struct writer {
	const struct actuators *actuators;
	struct item *item; /* by the actuator's number */
	struct beat *beat;
	struct naohw_frame *frame;
	struct naohw_pose *pose;
	struct joints *joints;
	struct diagnosis *diagnosis;
	atomic_bool has_work;
	_Atomic int64_t needed;
	int64_t tried_at; /* its thread's: what had failed */
	int64_t asked_at; /* the same: what is silent */
	pthread_t thread;
	bool runs;
};

static int write_level(const struct writer *writer, const struct actuator *actuator, double level)
{
	if (actuator->kind == ACTUATOR_PERIOD)
		return frame_set_period(writer->frame, (int64_t)(level * NS_PER_MS), NULL);
	return subdevice_write(actuator->subdevice, actuator_value(actuator, level), NULL);
}

static void write_all(struct writer *writer)
{
	for (size_t i = 0; i < writer->actuators->count; i++) {
		struct item *item = &writer->item[i];

		/* What is left meanwhile is left anew, and written the next time. */
		if (atomic_exchange(&item->is_left, false))
			atomic_store(&item->error, write_level(writer, item->actuator,
							       atomic_load(&item->level)));
	}
}

/*
 * What was refused is so the next time as well; a period that does not fit will not when all buses
 * have been tried with it again; and a tone has had its time.
 */
static bool is_to_be_tried(const struct item *item)
{
	int error = atomic_load(&item->error);

	return error && error != -EINVAL && error != -EACCES && error != -EPERM &&
	       item->actuator->kind != ACTUATOR_PERIOD && !item->actuator->is_tone;
}

/* Its level is what was left last, which may be newer than the one that failed. */
static void try_again(struct writer *writer)
{
	int64_t now = monotonic_ns();

	if (now - writer->tried_at < RETRY_NS)
		return;
	writer->tried_at = now;
	joints_ask(writer->joints, writer->pose);
	atomic_store(&writer->needed, frame_needed(writer->frame));
	for (size_t i = 0; i < writer->actuators->count; i++) {
		if (!is_to_be_tried(&writer->item[i]))
			continue;
		atomic_store(&writer->item[i].is_left, true);
		atomic_store(&writer->has_work, true);
	}
}

static void look_after_diagnosis(struct writer *writer)
{
	int64_t now = monotonic_ns();

	if (now - writer->asked_at < ASK_NS)
		return;
	writer->asked_at = now;
	diagnosis_keep(writer->diagnosis);
	diagnosis_ask(writer->diagnosis);
}

static void *run(void *data)
{
	struct writer *writer = data;

	while (!atomic_load(&writer->beat->has_ended)) {
		beat_wait_for_work(writer->beat, &writer->has_work, LOOK_MS);
		try_again(writer);
		look_after_diagnosis(writer);
		if (atomic_exchange(&writer->has_work, false))
			write_all(writer);
	}
	write_all(writer);
	diagnosis_keep(writer->diagnosis);
	return NULL;
}

int writer_begin(const struct actuators *actuators, struct joints *joints, struct beat *beat,
		 struct naohw_frame *frame, struct naohw_pose *pose, struct diagnosis *diagnosis,
		 struct writer **out, struct naohw_error *err)
{
	struct writer *writer = calloc(1, sizeof(*writer));
	int ret;

	if (!writer)
		return fail(err, -ENOMEM, "out of memory");
	writer->item = calloc(actuators->count + 1, sizeof(*writer->item));
	if (!writer->item) {
		free(writer);
		return fail(err, -ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < actuators->count; i++)
		writer->item[i].actuator = &actuators->list[i];
	writer->actuators = actuators;
	writer->beat = beat;
	writer->frame = frame;
	writer->pose = pose;
	writer->joints = joints;
	writer->diagnosis = diagnosis;
	atomic_init(&writer->needed, frame_needed(frame));
	ret = thread_begin(&writer->thread, run, writer);
	if (ret < 0) {
		writer_end(writer);
		return fail(err, ret, "no thread for what is slow: %s", error_text(ret));
	}
	writer->runs = true;
	*out = writer;
	return 0;
}

void writer_end(struct writer *writer)
{
	if (!writer)
		return;
	if (writer->runs)
		pthread_join(writer->thread, NULL);
	free(writer->item);
	free(writer);
}

static struct item *item_of(const struct writer *writer, const struct actuator *actuator)
{
	return &writer->item[actuator - writer->actuators->list];
}

void writer_leave(struct writer *writer, const struct actuator *actuator, double level)
{
	struct item *item = item_of(writer, actuator);

	atomic_store(&item->level, level);
	atomic_store(&item->is_left, true);
	atomic_store(&writer->has_work, true);
}

bool writer_has_work(const struct writer *writer)
{
	return atomic_load(&writer->has_work);
}

int64_t writer_needed(const struct writer *writer)
{
	return atomic_load(&writer->needed);
}

int writer_error_of(const struct writer *writer, const struct actuator *actuator)
{
	return atomic_load(&item_of(writer, actuator)->error);
}
