// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dcm_bench [ROUNDS] -- what a whole cycle of a NAO takes beside the system calls, which are those
 * of the libiio of memory and the writer's waking, and what diagnosis and rest take of that. There are all
 * sensors that frames have, and all positions, hardnesses and lights on their way. Memory must not be
 * asked for meanwhile.
 */
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include <naohw.h>

#include "allocations.h"
#include "bench.h"
#include "bench_nao.h"
#include "dcm/host.h"
#include "fake_iio.h"
#include "nao_boards.h"

#define CYCLES	500
#define FOREVER 3600000

static struct naohw_robot *robot;
static struct dcm_host *dcm;

/* Of this thread's time what it was in the kernel for. */
static _Thread_local int64_t in_kernel;
/* And what the last cycle took for diagnosis and rest */
static int64_t diagnosed_for;

int __real_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *time,
		 const sigset_t *set);
int __wrap_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *time,
		 const sigset_t *set);
int __real_epoll_pwait(int fd, struct epoll_event *events, int count, int ms, const sigset_t *set);
int __wrap_epoll_pwait(int fd, struct epoll_event *events, int count, int ms, const sigset_t *set);
int __real_timerfd_settime(int fd, int flags, const struct itimerspec *time,
			   struct itimerspec *old);
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *time,
			   struct itimerspec *old);
void __real_rest_look(struct dcm_host *of, bool has_frame);
void __wrap_rest_look(struct dcm_host *of, bool has_frame);
void __real_beat_strike(struct beat *beat, bool work);
void __wrap_beat_strike(struct beat *beat, bool work);

int __wrap_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *set)
{
	int64_t begin = monotonic_ns();
	int ret = __real_ppoll(fds, count, time, set);

	in_kernel += monotonic_ns() - begin;
	return ret;
}

int __wrap_epoll_pwait(int fd, struct epoll_event *events, int count, int ms, const sigset_t *set)
{
	int64_t begin = monotonic_ns();
	int ret = __real_epoll_pwait(fd, events, count, ms, set);

	in_kernel += monotonic_ns() - begin;
	return ret;
}

int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *time, struct itimerspec *old)
{
	int64_t begin = monotonic_ns();
	int ret = __real_timerfd_settime(fd, flags, time, old);

	in_kernel += monotonic_ns() - begin;
	return ret;
}

void __wrap_rest_look(struct dcm_host *of, bool has_frame)
{
	int64_t begin = monotonic_ns();

	__real_rest_look(of, has_frame);
	diagnosed_for = monotonic_ns() - begin;
}

void __wrap_beat_strike(struct beat *beat, bool work)
{
	int64_t begin = monotonic_ns();

	__real_beat_strike(beat, work);
	in_kernel += monotonic_ns() - begin;
}

/* Each is on a long way. */
static void send_all(void)
{
	for (size_t i = 0; i < dcm->actuators.count; i++) {
		const struct actuator *actuator = &dcm->actuators.list[i];
		struct naohw_command command = { .value = 1 };
		struct naohw_error err;

		if (!actuator->is_straight)
			continue;
		command.time = naohw_dcm_get_time(&dcm->base, FOREVER);
		if (naohw_dcm_set(&dcm->base, actuator->name, NAOHW_UPDATE_CLEAR_ALL, &command, 1,
				  &err) < 0)
			die(err.message);
	}
}

static void begin(void)
{
	struct naohw_error err;

	bench_nao();
	if (naohw_robot_open(NAO_ROBOT, NULL, &robot, &err) < 0 ||
	    host_new(robot, NULL, &dcm, &err) < 0)
		die(err.message);
}

static int64_t one_cycle(void)
{
	int64_t begin = monotonic_ns() - in_kernel;

	dcm_cycle(dcm);
	return monotonic_ns() - in_kernel - begin;
}

static int by_size(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

	return one < other ? -1 : one > other;
}

/* Others have the processor in some of the cycles, and not in most. */
static void run(void)
{
	unsigned int requests = 0;
	int64_t took[CYCLES], diagnosed[CYCLES];

	for (unsigned int i = 0; i < CYCLES; i++) {
		unsigned int before;

		bench_next_frames();
		before = allocations();
		took[i] = one_cycle();
		diagnosed[i] = diagnosed_for;
		requests += allocations() - before;
	}
	qsort(took, CYCLES, sizeof(*took), by_size);
	qsort(diagnosed, CYCLES, sizeof(*diagnosed), by_size);
	printf("tick %.2f\ndiagnosis %.2f\nallocations %u\n", (double)took[CYCLES / 2],
	       (double)diagnosed[CYCLES / 2], requests);
	if (requests)
		die("memory was asked for in a cycle");
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;

	for (unsigned long round = 0; round < rounds; round++) {
		begin();
		send_all();
		run();
		naohw_dcm_close(&dcm->base);
		naohw_robot_close(robot);
	}
	return 0;
}
