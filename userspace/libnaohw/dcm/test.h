/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The active diagnosis. On request, and at rest only, each joint and wheel in turn becomes stiff, goes a few degrees,
 * and back; and when the robot wakes up, its joints are to be where they are sent. Meanwhile all sensors are looked at.
 */
#ifndef NAOHW_DCM_TEST_H
#define NAOHW_DCM_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

struct dcm_host;

enum test_step {
	TEST_NOTHING,
	TEST_STIFFEN, /* a joint becomes stiff */
	TEST_GO,      /* it is on its way */
	TEST_RETURN,  /* and back */
	TEST_SENSORS, /* all joints are done, and the sensors have their time */
	TEST_AWAKE,   /* the robot wakes up */
};

struct test {
	enum test_step step;
	size_t joint;	   /* of the guarded ones */
	int64_t step_ends; /* ms */
	int64_t look_ends; /* ms: the sensors are looked at for so long at least */
	unsigned int passed_through; /* tests by a person that have come to their end */
	double from;	   /* levels: where the joint was, and where it is to go */
	double to;
	double fastest; /* rad/s, that a wheel has turned ... */
	double told;	/* ... and was told to, as its limits have that */
	char untested[NAOHW_TEXT_SIZE]; /* what the last one has left out, with blanks between */
};

/* The cycle's: begin with the first joint; the robot is at rest. */
void test_begin(struct dcm_host *dcm);
/* The robot wakes up now. */
void test_awake(struct dcm_host *dcm);
/* Whatever is under way ends, and says nothing. */
void test_end(struct dcm_host *dcm);

/* Go on with it. */
void test_go_on(struct dcm_host *dcm);

/* Does it move joints that are at rest? */
bool test_moves(const struct test *test);

#endif
