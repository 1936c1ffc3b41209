// SPDX-License-Identifier: LGPL-2.1-or-later
#include "torque.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "monotonic.h"

/* Five times within the shortest time in which a watchdog acts unless told otherwise */
#define LOOK_NS	  ((int64_t)100 * 1000000)
#define NS_PER_S  1000000000

struct torque {
	struct naohw_pose *pose;
	atomic_int stream;
	atomic_bool is_limp;
	atomic_int *of; /* by joint */
	sem_t wanted;	/* a look before its time, or the end */
	atomic_bool is_to_end;
	pthread_t thread;
	bool runs;
};

/*
 * The servos before their streams: a servo that recovers while its stream is said to have tripped is
 * one beside which another bus has tripped. Of a bus that does not say it, what it said last holds.
 */
static void look(struct torque *torque)
{
	const struct naohw_robot *robot = pose_robot(torque->pose);
	enum naohw_stream stream;

	for (size_t i = 0; i < robot->joint_count; i++)
		atomic_store(&torque->of[i], (int)joint_reason(robot, &robot->joint[i], false));
	if (naohw_pose_get_stream(torque->pose, &stream, NULL) < 0)
		return;
	/* Whoever sees that it has tripped is to know why. */
	atomic_store(&torque->is_limp,
		     stream == NAOHW_STREAM_TRIPPED && pose_is_limp(torque->pose));
	atomic_store(&torque->stream, (int)stream);
}

static void wait_for_the_next(struct torque *torque)
{
	int64_t until = monotonic_ns() + LOOK_NS;
	const struct timespec time = { .tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S };

	(void)sem_clockwait(&torque->wanted, CLOCK_MONOTONIC, &time);
}

static void *run(void *data)
{
	struct torque *torque = data;

	while (!atomic_load(&torque->is_to_end)) {
		wait_for_the_next(torque);
		look(torque);
	}
	return NULL;
}

int torque_begin(struct naohw_pose *pose, struct torque **out, struct naohw_error *err)
{
	struct torque *torque = calloc(1, sizeof(*torque));
	int ret;

	if (!torque)
		return fail(err, -ENOMEM, "out of memory");
	torque->pose = pose;
	(void)sem_init(&torque->wanted, 0, 0);
	torque->of = calloc(pose_robot(pose)->joint_count + 1, sizeof(*torque->of));
	if (!torque->of) {
		torque_end(torque);
		return fail(err, -ENOMEM, "out of memory");
	}
	look(torque);
	ret = thread_begin(&torque->thread, run, torque);
	if (ret < 0) {
		torque_end(torque);
		return fail(err, ret, "no thread for the servos' torque: %s", error_text(ret));
	}
	torque->runs = true;
	*out = torque;
	return 0;
}

void torque_end(struct torque *torque)
{
	if (!torque)
		return;
	if (torque->runs) {
		atomic_store(&torque->is_to_end, true);
		torque_look(torque);
		pthread_join(torque->thread, NULL);
	}
	(void)sem_destroy(&torque->wanted);
	free(torque->of);
	free(torque);
}

enum naohw_stream torque_stream(const struct torque *torque)
{
	return (enum naohw_stream)atomic_load(&torque->stream);
}

bool torque_is_limp(const struct torque *torque)
{
	return atomic_load(&torque->is_limp);
}

enum guard_reason torque_of(const struct torque *torque, size_t joint)
{
	return (enum guard_reason)atomic_load(&torque->of[joint]);
}

/* One look is of all that happened before it, however often it was wanted. */
void torque_look(struct torque *torque)
{
	int wanted;

	if (sem_getvalue(&torque->wanted, &wanted) < 0 || !wanted)
		(void)sem_post(&torque->wanted);
}
