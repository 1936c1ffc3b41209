// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a whole cycle of a NAO takes beside the system calls, which are none on the libiio of
 * memory: 26 sensors of joints and all others, all positions, hardnesses and lights on their way;
 * and how often memory is asked for meanwhile.
 */
#include <string.h>
#include <time.h>

#include <naohw.h>

#include "allocations.h"
#include "bench.h"
#include "dcm/dcm.h"
#include "fake_iio.h"
#include "nao.h"

#define SERVO	  10
#define BODY	  ((NAO_JOINTS * SERVO + 7) / 8 * 8)
#define CYCLES	  500
#define LEVELS	  255
#define FOREVER	  3600000

static struct naohw_robot *robot;
static struct naohw_dcm *dcm;
static int64_t frame_time = 1000000000;

/* There are no lights here, but the work that they make is. */
unsigned int __wrap_source_light_levels(const struct subdevice *s);
int __wrap_subdevice_write(const struct subdevice *s, double value, struct naohw_error *err);

unsigned int __wrap_source_light_levels(const struct subdevice *s)
{
	return strcmp(s->kind->name, "Light") == 0 ? LEVELS : 0;
}

int __wrap_subdevice_write(const struct subdevice *s, double value, struct naohw_error *err)
{
	(void)s;
	(void)value;
	(void)err;
	return 0;
}

static void next_frames(void)
{
	unsigned char bytes[BODY + sizeof(int64_t)];

	memset(bytes, 1, sizeof(bytes));
	for (unsigned int i = 0; i < NAO_JOINTS; i++)
		bytes[i * SERVO + 8] = bytes[i * SERVO + 9] = 0;
	frame_time += 10000000;
	memcpy(bytes + BODY, &frame_time, sizeof(frame_time));
	for (unsigned int bus = 0; bus < NAO_BUSES; bus++)
		fake_frame(bus, bytes, sizeof(bytes));
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
		command.time = naohw_dcm_get_time(dcm, FOREVER);
		if (naohw_dcm_set(dcm, actuator->name, NAOHW_UPDATE_CLEAR_ALL, &command, 1, &err) < 0)
			die(err.message);
	}
}

/* The kernel's goal outputs can say how stiff joints are. */
static void add_stiffness(void)
{
	for (unsigned int bus = 0; bus < NAO_BUSES; bus++) {
		char name[16];

		snprintf(name, sizeof(name), "dxl%u-goal", bus);
		fake_device_set(name, "stiffness", "0");
	}
}

static void begin(void)
{
	struct naohw_error err;

	if (nao_make(&err) < 0)
		die(err.message);
	add_stiffness();
	fake_local(0);
	if (naohw_robot_open(NAO_ROBOT, NULL, &robot, &err) < 0 ||
	    dcm_new(robot, NULL, &dcm, &err) < 0)
		die(err.message);
}

/* Others may have the processor meanwhile. */
static int64_t own_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void run(void)
{
	unsigned int before;
	int64_t ns = 0;

	for (unsigned int i = 0; i < CYCLES; i++) {
		int64_t start;

		next_frames();
		before = allocations();
		start = own_ns();
		dcm_cycle(dcm);
		ns += own_ns() - start;
		/* The first takes what was left for it, and other threads have begun. */
		if (i > 10 && allocations() != before)
			die("memory was asked for in a cycle");
	}
	printf("tick %.2f\n", (double)ns / CYCLES);
}

int main(void)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
		begin();
		send_all();
		run();
		naohw_dcm_close(dcm);
		naohw_robot_close(robot);
	}
	return 0;
}
