// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench_nao.h"

#include <string.h>

#include "bench.h"
#include "dcm/host.h"
#include "fake_iio.h"
#include "nao_boards.h"

#define LEVELS 255

static struct nao_joints_frame joints = { .time = 1000000000 };
static struct nao_boards_frame boards;

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

/* The kernel's goal outputs can say how stiff joints are. */
static void add_stiffness(void)
{
	for (unsigned int bus = 0; bus < NAO_BUSES; bus++) {
		char name[16];

		snprintf(name, sizeof(name), "dxl%u-goal", bus);
		fake_device_set(name, "stiffness", "0");
	}
}

void bench_nao(void)
{
	struct naohw_error err;

	if (nao_make_whole(&err) < 0)
		die(err.message);
	add_stiffness();
}

void bench_next_frames(void)
{
	for (unsigned int i = 0; i < NAO_JOINTS; i++)
		joints.servo[i].angle ^= 512;
	joints.time += 10000000;
	boards.time = joints.time;
	boards.inertial.rate[0] ^= 1;
	boards.left.force[0] ^= 1;
	for (unsigned int bus = 0; bus < NAO_BUSES; bus++)
		fake_frame(bus, &joints, sizeof(joints));
	fake_frame(NAO_BOARDS, &boards, sizeof(boards));
}
