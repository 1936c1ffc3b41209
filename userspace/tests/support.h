/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests share: cmocka with what it needs, and files made on the spot. */
#ifndef NAOHW_TEST_SUPPORT_H
#define NAOHW_TEST_SUPPORT_H

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <naohw.h>

#include "pose/pose.h"

/* Write a file of this test program; the path stays valid until the next call. */
const char *temp_file(const void *data, size_t size);
const char *temp_text(const char *text);

/*
 * The path of a description of HeadYaw and HeadPitch, of which HeadYaw is mounted the other way
 * around: its angle is 0.5 rad less its servo's.
 */
const char *turned_robot(void);

/*
 * The path of one of this joint alone, with a Gain and an Offset of what it gets, and an Offset of
 * what its sensor says, if there is one.
 */
const char *joint_robot(const char *label, const char *sensor_offset, const char *gain,
			const char *offset);

/* Does the message hold @part? Shows the message if not. */
void assert_says(const struct naohw_error *err, const char *part);
void assert_near(double found, double expected, double tolerance);

/* One binary page: make a plain one, change it, seal it with its checksum. */
#define PAGE_SIZE 512
void page_plain(unsigned char *page, const char *name, unsigned int steps);
void page_position(unsigned char *page, unsigned int step, unsigned int id, unsigned int value);
void page_times(unsigned char *page, unsigned int step, unsigned int pause, unsigned int time);
void page_seal(unsigned char *page);

/* A file of @count pages, all erased. */
unsigned char *pages_new(size_t count);
struct naohw_motion *pages_load(const unsigned char *pages, size_t count);

/* Path of a motion file of ../shared, or NULL when it is not there; of a list of facts. */
const char *shared_file(const char *name);
const char *shared_reference(const char *name);

/* An AX-12 with this ID. */
struct servo_axis ax12(unsigned int id, const char *label);

#endif
