// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dcmloop DESCRIPTION PERIOD_US CYCLES [PID] -- has libnaohw's DCM move all that a robot has, and
 * measures by how much the time between two cycles, at their pre-process callback, differs
 * from the period; and by how much that between their frames does, as the kernel stamps them,
 * which no cycle can be better than. Prints both of so many cycles, and what was wrong:
 *
 *   cycles=N
 *   actuators=N           on their way
 *   cycle_p50_ns=N        and p99, p999, max
 *   frame_p50_ns=N        the same
 *   nack=N                periods without a frame
 *   late=N                cycles that the DCM counts as too long
 *   cpu_ns=N              of the process PID for a period, which is who hosts the robot
 */
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <naohw.h>

#define NS_PER_MS	1e6
#define PREFIX		"Device/SubDeviceList/"
#define SUFFIX		"/Actuator/Value"
/* Longer than it is measured */
#define WAY_MS		60000
#define PAUSE_NS	200000000
/* Of these some take frames that came while the DCM was opened. */
#define FIRST		100
#define PATIENCE_MS	10000

struct times {
	double period_ns;
	int64_t before_ns;
	double frames_before, nack;
	size_t cycles, count, most;
	bool has_host;
	clockid_t host;
	int64_t begin_ns, begin_cpu_ns, ns, cpu_ns;
	double *cycle, *frame; /* by how much each was off, in ns */
	atomic_bool full;
};

static struct naohw_error err;

static void must(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "dcmloop: %s\n", err.message);
	exit(EXIT_FAILURE);
}

static int64_t ns_of(clockid_t clock)
{
	struct timespec time = { 0 };

	clock_gettime(clock, &time);

	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static double number_of(const struct naohw_dcm *dcm, const char *name)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	struct naohw_value value;
	size_t slot;

	if (naohw_store_find(store, name, &slot) < 0 ||
	    naohw_store_read(store, slot, &value) < 0)
		return NAN;

	return value.number;
}

/* --- the cycle --- */

/* Of periods that are missing between two frames the cycle's own time tells. */
static double off_the_beat(double ns, double period_ns)
{
	return fabs(ns - fmax(round(ns / period_ns), 1) * period_ns);
}

static void note(struct times *times, struct naohw_dcm *dcm, int64_t now)
{
	double frames = number_of(dcm, "HAL/Ack");
	double frame_ns = number_of(dcm, "HAL/CycleTime") * NS_PER_MS;

	if (times->cycles++ == FIRST) {
		times->nack = number_of(dcm, "HAL/Nack");
		times->begin_ns = now;
		times->begin_cpu_ns = times->has_host ? ns_of(times->host) : 0;
	}
	if (times->cycles <= FIRST || times->count == times->most || frames == times->frames_before)
		return;
	times->cycle[times->count] = fabs(now - times->before_ns - times->period_ns);
	times->frame[times->count++] = off_the_beat(frame_ns, times->period_ns);
}

static void pre_process(void *data, struct naohw_dcm *dcm)
{
	struct times *times = data;
	int64_t now = ns_of(CLOCK_MONOTONIC);

	note(times, dcm, now);
	times->before_ns = now;
	times->frames_before = number_of(dcm, "HAL/Ack");
	if (times->count < times->most || atomic_load(&times->full))
		return;
	times->cpu_ns = times->has_host ? ns_of(times->host) - times->begin_cpu_ns : 0;
	times->ns = now - times->begin_ns;
	atomic_store(&times->full, true);
}

/* --- commands --- */

static bool is_actuator(const char *name)
{
	size_t length = strlen(name), n = strlen(SUFFIX);

	return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && length > n &&
	       strcmp(name + length - n, SUFFIX) == 0;
}

/* What is no line and jumps does so after the measurement, or never. */
static size_t send_all(struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	const struct naohw_command command = {
		.value = 1, .time = naohw_dcm_get_time(dcm, WAY_MS),
	};
	size_t count = 0, i;

	for (i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));

		/* Some are of the motors' boards, and not to be set. */
		if (is_actuator(name) &&
		    naohw_dcm_set(dcm, name, NAOHW_UPDATE_CLEAR_ALL, &command, 1, NULL) == 0)
			count++;
	}
	must(naohw_dcm_flush(dcm, &err));

	return count;
}

/* --- all --- */

static int by_size(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return one < other ? -1 : one > other;
}

static void report(const char *name, double *off, size_t n)
{
	qsort(off, n, sizeof(*off), by_size);
	printf("%s_p50_ns=%.0f\n%s_p99_ns=%.0f\n", name, off[n / 2], name, off[n * 99 / 100]);
	printf("%s_p999_ns=%.0f\n%s_max_ns=%.0f\n", name, off[n * 999 / 1000], name, off[n - 1]);
}

static void await_all(struct times *times, struct naohw_dcm *dcm)
{
	uint64_t cycle = 0;

	while (!atomic_load(&times->full)) {
		const struct timespec pause = { .tv_nsec = PAUSE_NS };

		must(naohw_dcm_wait(dcm, &cycle, PATIENCE_MS, &err));
		nanosleep(&pause, NULL);
	}
}

static struct naohw_dcm *open_dcm(struct naohw_robot *robot, struct times *times)
{
	struct naohw_dcm_settings *settings;
	struct naohw_dcm *dcm;

	must(naohw_dcm_settings_new(&settings));
	naohw_dcm_settings_at_pre_process(settings, pre_process, times);
	must(naohw_dcm_open(robot, settings, &dcm, &err));
	naohw_dcm_settings_free(settings);
	must(naohw_realtime_lock(&err));

	return dcm;
}

int main(int argc, char **argv)
{
	bool has_host = argc == 5;
	struct times times = {
		.most = argc == 4 || has_host ? strtoul(argv[3], NULL, 10) : 0,
		.has_host = has_host,
	};
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;

	times.cycle = calloc(times.most, sizeof(*times.cycle));
	times.frame = calloc(times.most, sizeof(*times.frame));
	if (!times.most || !times.cycle || !times.frame) {
		fputs("usage: dcmloop DESCRIPTION PERIOD_US CYCLES [PID]\n", stderr);
		return 2;
	}
	if (has_host && clock_getcpuclockid(strtol(argv[4], NULL, 10), &times.host) != 0) {
		fprintf(stderr, "dcmloop: no process %s\n", argv[4]);
		return EXIT_FAILURE;
	}
	times.period_ns = strtod(argv[2], NULL) * 1000;
	must(naohw_robot_open(argv[1], NULL, &robot, &err));
	dcm = open_dcm(robot, &times);
	printf("actuators=%zu\n", send_all(robot, dcm));
	await_all(&times, dcm);
	printf("cycles=%zu\n", times.count);
	printf("nack=%.0f\nlate=%.0f\n", number_of(dcm, "HAL/Nack") - times.nack,
	       number_of(dcm, "DCM/CycleTimeErrorCounter"));
	if (has_host)
		printf("cpu_ns=%.0f\n", (double)times.cpu_ns / times.ns * times.period_ns);
	report("cycle", times.cycle, times.count);
	report("frame", times.frame, times.count);
	naohw_dcm_close(dcm);
	naohw_robot_close(robot);

	return EXIT_SUCCESS;
}
