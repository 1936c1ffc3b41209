// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timed DESCRIPTION SECONDS OPENINGS -- has the joints of a robot moved by timed commands for so
 * long, in all ways in which they can be given, by a DCM that is opened so often; and prints what
 * it has seen:
 *
 *   cycles=      by the DCM
 *   missing=     periods of the time in which it was open that had none
 *   gaps=        cycles more than a period and a half after the one before
 *   nack=        periods without a frame
 *   late=        cycles that it counts as too long
 *   refused=     lists of commands that had no room
 *   errors=      looks at it, twice a second, with something wrong
 *   given=       commands
 *   lost=        of these, those whose values were not sent in time
 *   astray=      servos, one at each look, whose goal was another one
 *   heap_open=   bytes of the heap by which it grew while one DCM was open, at most
 *   heap=        and by which the second half of the openings made it grow
 *   fds=         descriptors, the same
 *   mapped_kib=  memory that is mapped beside the heap, the same
 *   arena_kib=   that of the heap, in use or not, the same
 *
 * What malloc() keeps for its threads, a cache and a heap, is to it in use: who compares
 * forbids both by GLIBC_TUNABLES.
 *
 * pkg-config: naohw
 */
#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <naohw.h>

#define JOINTS_MAX	32
#define PREFIX		"Device/SubDeviceList/"
#define PERIOD_MS	10
#define STEP_MS		500
/* When the two commands of a step are reached, and when it is in the store */
#define VIA_MS		200
#define REACHED_MS	400
#define STORE_MS	(2 * PERIOD_MS)
/* Until a DCM has all the memory that it needs */
#define WARM_STEPS	10
#define READY_MS	2000
#define PATIENCE_MS	1000

/* The actuators of one kind, of all joints */
struct group {
	const char *alias;
	const char *part;
	double middle, swing;
	double via;  /* beyond the swing, where only a command leads */
	double near; /* a level of the device, and a little */
	char names[JOINTS_MAX][64];
	const char *list[JOINTS_MAX];
	double want[JOINTS_MAX];
};

struct counts {
	unsigned long missing, nack, late, refused, errors, given, lost, astray;
	long heap_open;
};

struct memory {
	long heap, fds, mapped_kib, arena_kib;
};

static struct group positions = {
	.alias = "Positions", .part = "Position",
	.middle = 0, .swing = 0.2, .via = 0.3, .near = 0.006,
};

static struct group hardnesses = {
	.alias = "Hardnesses", .part = "Hardness",
	.middle = 0.7, .swing = 0.2, .via = 1, .near = 0.002,
};

static struct naohw_robot *robot;
static struct naohw_dcm *dcm;
static size_t joints;
static struct naohw_error err;
static struct counts counts;
static atomic_ulong cycles, gaps;

static void must(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "timed: %s\n", err.message);
	exit(EXIT_FAILURE);
}

/* @data: when the cycle before was, 0: there was none. */
static void count_cycle(void *data, struct naohw_dcm *of)
{
	int64_t *before = data;
	int64_t now = naohw_dcm_get_time(of, 0);

	cycles++;
	gaps += *before && now - *before > PERIOD_MS * 3 / 2;
	*before = now;
}

/* --- commands --- */

/* Other ones in each step, and of each joint */
static void choose(struct group *group, unsigned long step)
{
	for (size_t i = 0; i < joints; i++)
		group->want[i] = group->middle +
				 group->swing * ((double)((step * 7 + i) % 11) - 5) / 5;
}

static struct naohw_command via(const struct group *group, int64_t now)
{
	return (struct naohw_command){ .value = group->via, .time = now + VIA_MS };
}

static struct naohw_command last(const struct group *group, size_t joint, int64_t now)
{
	return (struct naohw_command){ .value = group->want[joint], .time = now + REACHED_MS };
}

static void give_same(struct group *group, int64_t now)
{
	const struct naohw_command list[] = { via(group, now), last(group, 0, now) };

	for (size_t i = 1; i < joints; i++)
		group->want[i] = group->want[0];
	must(naohw_dcm_set(dcm, group->alias, NAOHW_UPDATE_CLEAR_ALL, list, 2, &err));
}

static void give_mixed(struct group *group, int64_t now)
{
	struct naohw_command command[JOINTS_MAX][2];
	const struct naohw_command *list[JOINTS_MAX];
	size_t length[JOINTS_MAX];

	for (size_t i = 0; i < joints; i++) {
		command[i][0] = last(group, i, now);
		command[i][1] = via(group, now);
		list[i] = command[i];
		length[i] = 2;
	}
	must(naohw_dcm_set_mixed(dcm, group->alias, NAOHW_UPDATE_CLEAR_AFTER, list, length, joints,
				 &err));
}

static void give_separate(struct group *group, int64_t now)
{
	const int64_t times[] = { now + VIA_MS, now + REACHED_MS };
	double values[2 * JOINTS_MAX];

	for (size_t i = 0; i < joints; i++) {
		values[2 * i] = group->via;
		values[2 * i + 1] = group->want[i];
	}
	must(naohw_dcm_set_separate(dcm, group->alias, NAOHW_UPDATE_CLEAR_BEFORE, 0, times, 2,
				    values, joints, &err));
}

static void give_each(struct group *group, int64_t now)
{
	const struct naohw_command first = via(group, now);

	for (size_t i = 0; i < joints; i++) {
		const struct naohw_command second = last(group, i, now);

		must(naohw_dcm_set(dcm, group->list[i], NAOHW_UPDATE_MERGE, &second, 1, &err));
		must(naohw_dcm_set(dcm, group->list[i], NAOHW_UPDATE_MERGE, &first, 1, &err));
	}
}

static void give(struct group *group, unsigned long step, int64_t now)
{
	static void (*const ways[])(struct group *group, int64_t now) = {
		give_same, give_mixed, give_separate, give_each,
	};

	choose(group, step);
	ways[step % 4](group, now);
	counts.given += 2 * joints;
}

/* --- what has become of them --- */

static double number_of(const char *name)
{
	struct naohw_value value;
	size_t slot;

	if (naohw_store_find(naohw_dcm_store(dcm), name, &slot) < 0 ||
	    naohw_store_read(naohw_dcm_store(dcm), slot, &value) < 0)
		return NAN;

	return value.number;
}

static void value_name(char *full, size_t size, const char *actuator)
{
	snprintf(full, size, PREFIX "%s/Value", actuator);
}

/* What is not there at all is no number, and not near. */
static bool is_near(double value, double wanted, double near)
{
	return fabs(value - wanted) < near;
}

static double sent_to(const struct group *group, size_t joint)
{
	char name[128];

	value_name(name, sizeof(name), group->list[joint]);

	return number_of(name);
}

/* It is on its way further, and has come this far by a command alone. */
static void look_at_via(const struct group *group)
{
	for (size_t i = 0; i < joints; i++)
		counts.lost += !is_near(sent_to(group, i), group->via, group->swing * 0.4);
}

static void look_at_last(const struct group *group)
{
	for (size_t i = 0; i < joints; i++)
		counts.lost += !is_near(sent_to(group, i), group->want[i], group->near);
}

/* The servo itself is asked, beside the cycle. */
static void look_at_servo(size_t joint)
{
	struct naohw_key *key;
	char name[128];
	double value;

	value_name(name, sizeof(name), positions.list[joint]);
	must(naohw_robot_find_key(robot, name, &key));
	must(naohw_key_read(key, &value, &err));
	counts.astray += !is_near(value, positions.want[joint], positions.near);
}

static bool has_text(const char *name)
{
	struct naohw_value value;
	size_t slot;

	return naohw_store_find(naohw_dcm_store(dcm), name, &slot) < 0 ||
	       naohw_store_read(naohw_dcm_store(dcm), slot, &value) < 0 || value.text[0];
}

static void look_at_dcm(void)
{
	counts.errors += has_text("DCM/Error") || has_text("HAL/Error") ||
			 naohw_dcm_get_stream(dcm) != NAOHW_STREAM_RUNNING;
}

/* --- memory --- */

static long count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	long count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);

	return count;
}

/* Without memory of its own, which it would count. */
static long mapped_kib(void)
{
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[64] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		exit(EXIT_FAILURE);
	close(fd);

	return strtol(text, NULL, 10) * (sysconf(_SC_PAGESIZE) / 1024);
}

static struct memory memory_now(void)
{
	struct memory memory = { .fds = count_fds() };
	struct mallinfo2 info;

	/* One behind the other: the heap is to be the same in both. */
	memory.mapped_kib = mapped_kib();
	info = mallinfo2();
	memory.heap = (long)(info.uordblks + info.hblkhd);
	memory.arena_kib = (long)(info.arena / 1024);
	memory.mapped_kib -= memory.arena_kib;

	return memory;
}

/* --- a DCM --- */

static void sleep_until(int64_t ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL))
		;
}

static void take_step(unsigned long step)
{
	int64_t now = naohw_dcm_get_time(dcm, 0);

	give(&positions, step, now);
	give(&hardnesses, step, now);
	must(naohw_dcm_flush(dcm, &err));
	sleep_until(now + VIA_MS + STORE_MS);
	look_at_via(&positions);
	look_at_via(&hardnesses);
	sleep_until(now + REACHED_MS + STORE_MS);
	look_at_last(&positions);
	look_at_last(&hardnesses);
	look_at_servo(step % joints);
	look_at_dcm();
	sleep_until(now + STEP_MS);
}

static void take_steps(unsigned long count)
{
	static unsigned long step;
	long heap = 0;
	unsigned long i;

	for (i = 0; i < count; i++) {
		take_step(step++);
		if (i == WARM_STEPS)
			heap = memory_now().heap;
	}
	heap = memory_now().heap - heap;
	if (i > WARM_STEPS && heap > counts.heap_open)
		counts.heap_open = heap;
}

static void go_to_middle(const struct group *group, int64_t time)
{
	const struct naohw_command command = { .value = group->middle, .time = time };

	must(naohw_dcm_set(dcm, group->alias, NAOHW_UPDATE_CLEAR_ALL, &command, 1, &err));
}

/* Limp joints would go nowhere, and what is far away is not reached in a step. */
static void make_ready(void)
{
	int64_t now = naohw_dcm_get_time(dcm, 0);

	go_to_middle(&hardnesses, now);
	go_to_middle(&positions, now + READY_MS);
	must(naohw_dcm_flush(dcm, &err));
	sleep_until(now + READY_MS + STEP_MS);
}

static void open_dcm(void)
{
	static int64_t before;
	struct naohw_dcm_settings *settings;

	before = 0;
	must(naohw_dcm_settings_new(&settings));
	naohw_dcm_settings_at_pre_process(settings, count_cycle, &before);
	must(naohw_dcm_open(robot, settings, &dcm, &err));
	naohw_dcm_settings_free(settings);
	must(naohw_dcm_create_alias(dcm, positions.alias, positions.list, joints, NULL, &err));
	must(naohw_dcm_create_alias(dcm, hardnesses.alias, hardnesses.list, joints, NULL, &err));
}

/* The number of the one that has just ended */
static uint64_t await_cycle(void)
{
	uint64_t cycle = 0;

	must(naohw_dcm_wait(dcm, &cycle, PATIENCE_MS, &err));
	must(naohw_dcm_wait(dcm, &cycle, PATIENCE_MS, &err));

	return cycle;
}

static void run(unsigned long steps)
{
	uint64_t first;
	double nack;
	int64_t begin;
	long missing;

	open_dcm();
	first = await_cycle();
	begin = naohw_dcm_get_time(dcm, 0);
	make_ready();
	/* Frames that came while it was opened were nobody's. */
	nack = number_of("HAL/Nack");
	take_steps(steps);
	missing = -(long)(await_cycle() - first);
	missing += (naohw_dcm_get_time(dcm, 0) - begin) / PERIOD_MS;
	counts.missing += missing > 0 ? missing : 0;
	counts.nack += number_of("HAL/Nack") - nack;
	counts.late += number_of("DCM/CycleTimeErrorCounter");
	counts.refused += number_of("DCM/CommandsRefused");
	naohw_dcm_close(dcm);
}

static void name_all(struct group *group)
{
	for (size_t i = 0; i < joints; i++) {
		snprintf(group->names[i], sizeof(group->names[i]), "%s/%s/Actuator",
			 naohw_joint_label(robot, i), group->part);
		group->list[i] = group->names[i];
	}
}

static void report(const struct memory *middle, const struct memory *last)
{
	printf("cycles=%lu\nmissing=%lu\ngaps=%lu\n", cycles, counts.missing, gaps);
	printf("nack=%lu\nlate=%lu\nrefused=%lu\nerrors=%lu\n", counts.nack, counts.late,
	       counts.refused, counts.errors);
	printf("given=%lu\nlost=%lu\nastray=%lu\n", counts.given, counts.lost, counts.astray);
	printf("heap_open=%ld\nheap=%ld\nfds=%ld\n", counts.heap_open,
	       last->heap - middle->heap, last->fds - middle->fds);
	printf("mapped_kib=%ld\narena_kib=%ld\n", last->mapped_kib - middle->mapped_kib,
	       last->arena_kib - middle->arena_kib);
}

int main(int argc, char **argv)
{
	unsigned long seconds = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	unsigned long openings = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	struct memory middle = { 0 }, last;

	if (!seconds || !openings) {
		fputs("usage: timed DESCRIPTION SECONDS OPENINGS\n", stderr);
		return 2;
	}
	must(naohw_robot_open(argv[1], NULL, &robot, &err));
	joints = naohw_robot_joint_count(robot);
	if (!joints || joints > JOINTS_MAX)
		return EXIT_FAILURE;
	name_all(&positions);
	name_all(&hardnesses);
	for (unsigned long i = 0; i < openings; i++) {
		run(seconds * 1000 / STEP_MS / openings);
		last = memory_now();
		/* Until then what libraries keep for themselves has been made. */
		if (i == openings / 2)
			middle = last;
	}
	report(&middle, &last);
	naohw_robot_close(robot);

	return EXIT_SUCCESS;
}
