/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One thread has the frames, and never waits for anybody; another one looks at all joints now
 * and then. Moves nothing. cc monitor.c -o monitor $(pkg-config --cflags --libs naohw) -pthread
 */
#include <err.h>
#include <errno.h>
#include <naohw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOKS 5

static atomic_int ended;

struct loop {
	struct naohw_frame *frame;
	struct naohw_store *store;
};

/* A real one has realtime priority and pushes a pose as well. */
static void *loop(void *data)
{
	struct loop *loop = data;
	struct naohw_error error;
	int ret;

	while (!ended) {
		ret = naohw_frame_read(loop->frame, &error);
		if (ret && ret != -ETIMEDOUT)
			errx(1, "%s", error.message);
		if (naohw_store_publish(loop->store)) /* values are stale after a time-out */
			errx(1, "the store is another's");
	}
	return NULL;
}

static int is_position(const char *name)
{
	const char *end = strstr(name, "/Position/Sensor/Value");

	return end && strcmp(end, "/Position/Sensor/Value") == 0;
}

static void look(const struct naohw_store *store, struct naohw_snapshot *snapshot)
{
	static const char *const states[] = { "absent", "fresh", "stale", "faulty" };
	struct naohw_value value;

	if (naohw_store_check(store, 2000) || naohw_snapshot_take(snapshot))
		errx(1, "nobody publishes");
	for (size_t i = 0; i < naohw_store_slot_count(store); i++) {
		const char *name = naohw_store_name(store, i);

		if (!is_position(name))
			continue;
		if (naohw_snapshot_get(snapshot, i, &value))
			errx(1, "%s is in no snapshot", name);
		printf("%s %.3f %s\n", name, value.number, states[value.state]);
	}
}

int main(void)
{
	struct naohw_snapshot *snapshot;
	struct naohw_robot *robot;
	struct naohw_error error;
	struct loop context;
	pthread_t thread;

	if (naohw_robot_open(NULL, NULL, &robot, &error) ||
	    naohw_frame_open(robot, NULL, &context.frame, &error) ||
	    naohw_store_open(robot, context.frame, &context.store, &error) ||
	    naohw_snapshot_new(context.store, &snapshot, &error))
		errx(1, "%s", error.message);
	if (pthread_create(&thread, NULL, loop, &context))
		errx(1, "no thread");
	for (int i = 0; i < LOOKS; i++) {
		sleep(1);
		look(context.store, snapshot);
	}
	ended = 1;
	if (pthread_join(thread, NULL))
		errx(1, "the thread is not ours");
	naohw_snapshot_free(snapshot);
	naohw_store_close(context.store);
	naohw_frame_close(context.frame);
	naohw_robot_close(robot);
}
