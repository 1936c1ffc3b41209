// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What it takes to publish a frame of a NAO's 25 joints, and the heap that this NAO has, on the
 * libiio that is none.
 */
#include <string.h>

#include <naohw.h>

#include "bench.h"
#include "fake_iio.h"
#include "heap.h"
#include "nao.h"

#define SERVO  10
#define BODY   ((NAO_JOINTS * SERVO + 7) / 8 * 8)
#define FRAMES 500

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct naohw_store *store;

static void make_frames(unsigned int bus)
{
	unsigned char bytes[BODY + sizeof(int64_t)];

	for (int64_t i = 0; i < FRAMES; i++) {
		int64_t time = 1000000000 + i * 10000000;

		memset(bytes, 1, sizeof(bytes));
		for (unsigned int j = 0; j < NAO_JOINTS; j++)
			bytes[j * SERVO + 8] = bytes[j * SERVO + 9] = 0;
		memcpy(bytes + BODY, &time, sizeof(time));
		fake_frame(bus, bytes, sizeof(bytes));
	}
}

static void begin(void)
{
	struct naohw_error err;

	if (nao_make(&err) < 0)
		die(err.message);
	for (unsigned int bus = 0; bus < NAO_BUSES; bus++)
		make_frames(bus);
	if (naohw_robot_open(NAO_ROBOT, NULL, &robot, &err) < 0 ||
	    naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_store_open(robot, frame, &store, &err) < 0)
		die(err.message);
}

/* With a snapshot and a pose, all that a program may have open */
static void measure_heap(size_t before)
{
	struct naohw_snapshot *snapshot;
	struct naohw_pose *pose;
	struct naohw_error err;

	if (naohw_snapshot_new(store, &snapshot, &err) < 0 ||
	    naohw_pose_open(robot, NULL, &pose, &err) < 0)
		die(err.message);
	printf("heap %zu\n", heap_in_use() - before);
	naohw_pose_close(pose);
	naohw_snapshot_free(snapshot);
}

static void end(void)
{
	naohw_store_close(store);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
}

/* Without the reading of the frame, which is not the library's here */
static void run(void)
{
	int64_t ns = 0;

	for (unsigned int i = 0; i < FRAMES; i++) {
		int64_t start;

		if (naohw_frame_read(frame, NULL) < 0)
			die("no frame");
		start = monotonic_ns();
		naohw_store_publish(store);
		ns += monotonic_ns() - start;
	}
	printf("publish %.2f\n", (double)ns / FRAMES);
}

int main(void)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
		size_t before = heap_in_use();

		begin();
		run();
		measure_heap(before);
		end();
	}
	return 0;
}
