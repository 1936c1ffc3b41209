/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A libiio made of memory: servos and goal outputs as the kernel drivers show them. */
#ifndef NAOHW_FAKE_IIO_H
#define NAOHW_FAKE_IIO_H

#include <stddef.h>
#include <stdint.h>

#define FAKE_SAMPLE 64 /* 16-bit words in a pose */

void fake_reset(void);

/* An AX-12 at rest in its middle, torque off. */
void fake_servo(const char *label);

/* "dxlN-goal" for @count servos; first ID is 1, labels as given. */
void fake_goal(unsigned int bus, const char *const *labels, unsigned int count);

/* The same for servos whose registers have @bits bits, 16 or 32. */
void fake_goal_of_bits(unsigned int bus, const char *const *labels, unsigned int count,
		       unsigned int bits);

/* An attribute by its file name: "in_angl0_raw", "out_angl0_en". The first is of a servo
 * by label, the second of a goal output by name. */
void fake_set(const char *device, const char *attribute, const char *value);
const char *fake_get(const char *device, const char *attribute);

/* Reading or writing it fails from now on; 0 ends that. */
void fake_fail(const char *device, const char *attribute, int error);

/* The same for this many readings only. */
void fake_fail_times(const char *device, const char *attribute, int error, unsigned int times);

/* Take an attribute away. */
void fake_remove(const char *device, const char *attribute);

/* What was written, in order: "HeadYaw out_angl0_en=1;". */
const char *fake_log(void);

/* Poses that were pushed to a bus. */
unsigned int fake_pushes(unsigned int bus);
const uint16_t *fake_pose(unsigned int bus, unsigned int push);
int fake_buffer_is_open(unsigned int bus);
/* What creating the next buffers fails with; 0: nothing. */
void fake_fail_buffer(int error);

/* Be this machine's own devices ("local"), with @busy as what a probe of them gives. */
void fake_local(int busy);
/* How many buffers were created, well or not; each switches off what was running. */
unsigned int fake_buffers_created(void);
/* How often a value was asked for. */
unsigned int fake_reads(const char *device, const char *attribute);

#endif
