// SPDX-License-Identifier: LGPL-2.1-or-later
/* What it takes to publish a frame of a NAO's 25 joints, on the libiio that is none. */
#include <string.h>

#include <naohw.h>

#include "bench.h"
#include "fake_iio.h"

#define BUSES  5
#define JOINTS 5 /* on each */
#define SERVO  10
#define BODY   ((JOINTS * SERVO + 7) / 8 * 8)
#define FRAMES 500

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct naohw_store *store;

static void open_robot(void)
{
	struct naohw_error err;

	if (naohw_robot_open(ROBOTS_DIR "/nao-h25-v33.xml", NULL, &robot, &err) < 0)
		die(err.message);
}

static void make_bus(unsigned int bus)
{
	const char *labels[JOINTS];

	for (unsigned int i = 0; i < JOINTS; i++) {
		labels[i] = naohw_joint_label(robot, bus * JOINTS + i);
		if (!labels[i])
			die("too few joints");
	}
	fake_state(bus, labels, JOINTS, 100);
}

static void make_frames(unsigned int bus)
{
	unsigned char bytes[BODY + sizeof(int64_t)];

	for (int64_t i = 0; i < FRAMES; i++) {
		int64_t time = 1000000000 + i * 10000000;

		memset(bytes, 1, sizeof(bytes));
		for (unsigned int j = 0; j < JOINTS; j++)
			bytes[j * SERVO + 8] = bytes[j * SERVO + 9] = 0;
		memcpy(bytes + BODY, &time, sizeof(time));
		fake_frame(bus, bytes, sizeof(bytes));
	}
}

static void begin(void)
{
	struct naohw_error err;

	fake_reset();
	open_robot();
	for (unsigned int bus = 0; bus < BUSES; bus++) {
		make_bus(bus);
		make_frames(bus);
	}
	/* The first one was for the labels, and has seen no buses. */
	naohw_robot_close(robot);
	open_robot();
	if (naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_store_open(robot, frame, &store, &err) < 0)
		die(err.message);
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
		begin();
		run();
		end();
	}
	return 0;
}
