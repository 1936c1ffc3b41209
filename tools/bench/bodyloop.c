// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bodyloop DESCRIPTION FRAMES -- what a user of libnaohw would write, to be measured:
 * waits for a frame of the whole body, looks at all joints, and gives a pose for all of
 * them. Prints how many frames that were, how many have been lost, how many servos had
 * not answered in theirs, and the library's part of a frame, which is all but what the
 * kernel does in its calls; the median and p99:
 *
 *   frames=N
 *   lost=N
 *   aged=N
 *   library_ns=N
 *   library_p99_ns=N
 */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <naohw.h>

/* Below the kernel's own threads for interrupts, which have 50. */
#define PRIORITY	40
/* In steps, and a step in rad. */
#define SWING		64
#define STEP		0.005
#define QUANTITIES	(1u << NAOHW_QUANTITY_POSITION | 1u << NAOHW_QUANTITY_SPEED | \
			 1u << NAOHW_QUANTITY_LOAD | 1u << NAOHW_QUANTITY_CURRENT)

struct body {
	struct naohw_robot *robot;
	struct naohw_frame *frame;
	struct naohw_pose *pose;
	size_t joints;
	unsigned long aged;
};

static struct naohw_error err;
/* What the kernel has taken so far, in ticks. */
static uint64_t in_kernel;

/* Asking a clock would be a system call in UML, and take longer than what is measured. */
static uint64_t ticks(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));

	return value;
#endif
}

/* --- what the libraries call instead of the C library's --- */

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct timespec time = { timeout / 1000, timeout % 1000 * 1000000L };
	uint64_t begin = ticks();
	int ret = ppoll(fds, count, timeout < 0 ? NULL : &time, NULL);

	in_kernel += ticks() - begin;

	return ret;
}

int epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
	uint64_t begin = ticks();
	int ret = epoll_pwait(fd, events, count, timeout, NULL);

	in_kernel += ticks() - begin;

	return ret;
}

ssize_t read(int fd, void *buf, size_t size)
{
	uint64_t begin = ticks();
	ssize_t ret = syscall(SYS_read, fd, buf, size);

	in_kernel += ticks() - begin;

	return ret;
}

ssize_t write(int fd, const void *buf, size_t size)
{
	uint64_t begin = ticks();
	ssize_t ret = syscall(SYS_write, fd, buf, size);

	in_kernel += ticks() - begin;

	return ret;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t begin = ticks();
	int ret = syscall(SYS_clock_gettime, clock, time);

	in_kernel += ticks() - begin;

	return ret;
}

/* --- the loop --- */

static void must(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "bodyloop: %s\n", err.message);
	exit(EXIT_FAILURE);
}

static void open_frame(struct body *body)
{
	struct naohw_frame_settings *settings;

	must(naohw_frame_settings_new(&settings));
	naohw_frame_settings_set_newest(settings, 1);
	naohw_frame_settings_set_quantities(settings, QUANTITIES);
	must(naohw_frame_open(body->robot, settings, &body->frame, &err));
	naohw_frame_settings_free(settings);
}

static void open_pose(struct body *body)
{
	struct naohw_pose_settings *settings;

	must(naohw_pose_settings_new(&settings));
	naohw_pose_settings_set_queue(settings, 2);
	must(naohw_pose_open(body->robot, settings, &body->pose, &err));
	naohw_pose_settings_free(settings);
}

static void body_open(struct body *body, const char *description)
{
	size_t i;

	must(naohw_robot_open(description, NULL, &body->robot, &err));
	open_frame(body);
	open_pose(body);
	must(naohw_realtime_lock(&err));
	must(naohw_realtime_schedule(PRIORITY, &err));
	body->joints = naohw_robot_joint_count(body->robot);
	for (i = 0; i < body->joints; i++) {
		if (naohw_pose_has(body->pose, i))
			continue;
		fprintf(stderr, "bodyloop: %s has no goal\n", naohw_joint_label(body->robot, i));
		exit(EXIT_FAILURE);
	}
}

static void body_close(struct body *body)
{
	naohw_pose_close(body->pose);
	naohw_frame_close(body->frame);
	naohw_robot_close(body->robot);
}

/* Looks at all that a frame has of a joint, and sends it to near the middle. */
static void move(struct body *body, size_t joint, double away)
{
	double value, min, max, speed;
	enum naohw_quantity quantity;

	for (quantity = NAOHW_QUANTITY_POSITION; quantity <= NAOHW_QUANTITY_ALARM; quantity++) {
		must(naohw_frame_get(body->frame, joint, quantity, &value));
		body->aged += quantity == NAOHW_QUANTITY_AGE && value > 0;
	}
	must(naohw_pose_get_limits(body->pose, joint, &min, &max));
	must(naohw_pose_get_speed_limit(body->pose, joint, &speed));
	must(naohw_pose_set(body->pose, joint, (min + max) / 2 + away, speed));
}

static void step(struct body *body, unsigned long number)
{
	long away = labs((long)(number % (2 * SWING)) - SWING);
	size_t i;

	must(naohw_frame_read(body->frame, &err));
	for (i = 0; i < body->joints; i++)
		move(body, i, away * STEP);
	must(naohw_pose_push(body->pose, &err));
}

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return time.tv_sec * 1e9 + time.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return one < other ? -1 : one > other;
}

/* Ticks of the library's part of each frame. */
static void run(struct body *body, uint64_t *took, unsigned long frames)
{
	unsigned long i;

	for (i = 0; i < frames; i++) {
		uint64_t begin = ticks() - in_kernel;

		step(body, i);
		took[i] = ticks() - in_kernel - begin;
	}
}

int main(int argc, char **argv)
{
	unsigned long frames = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	uint64_t *took = calloc(frames, sizeof(*took));
	struct body body = { 0 };
	double begin, tick_ns;
	uint64_t first;

	if (!frames || !took) {
		fputs("usage: bodyloop DESCRIPTION FRAMES\n", stderr);
		return 2;
	}
	body_open(&body, argv[1]);
	begin = now_ns();
	first = ticks();
	run(&body, took, frames);
	tick_ns = (now_ns() - begin) / (ticks() - first);
	qsort(took, frames, sizeof(*took), by_size);
	printf("frames=%lu\nlost=%llu\naged=%lu\n", frames,
	       (unsigned long long)naohw_frame_lost(body.frame), body.aged);
	printf("library_ns=%.0f\nlibrary_p99_ns=%.0f\n",
	       took[frames / 2] * tick_ns, took[frames * 99 / 100] * tick_ns);
	body_close(&body);

	return EXIT_SUCCESS;
}
