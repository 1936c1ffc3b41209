/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An example of the documentation, as it is. The linker gives its main() to this test, whose own
 * is __wrap_main(), and its libiio is fake_iio.c.
 */
#ifndef NAOHW_TEST_EXAMPLE_H
#define NAOHW_TEST_EXAMPLE_H

struct outcome {
	int status;
	char said[8192]; /* on both of its outputs */
	char log[4096];	 /* fake_log() at its end */
};

/* In a process of its own, in which @prepare is called first. */
void run_example(void (*prepare)(void), struct outcome *outcome);

unsigned int times_said(const struct outcome *outcome, const char *text);

/* HeadYaw of @robot, a description, in its middle, in frames of the bus 0; on this machine. */
void prepare_head(const char *robot);
/* The next of these frames. */
void next_frame(void);

int __wrap_main(void);

#endif
