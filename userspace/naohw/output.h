/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command prints while it holds a stream of poses. A terminal that is stopped, or a pipe
 * that nobody empties, must not make it wait: the robot would fall.
 */
#ifndef NAOHW_OUTPUT_H
#define NAOHW_OUTPUT_H

#include <stdbool.h>

/*
 * From here on what goes to stdout and stderr, whoever writes it, only goes into a pipe, which
 * a thread of ours empties. What does not fit in there is lost. Returns a status; complained.
 */
int output_begin(void);

/*
 * For when the stream has been closed: wait until all has been written, and be as before. The
 * status is that of output_finish(). Without output_begin() that is all.
 */
int output_end(int status);

/* What was printed must have arrived: if not, @status becomes a failure. */
int output_finish(int status);

/* Sleep. false: is_interrupted(), or nobody reads any more what is printed. */
bool output_wait(double seconds);

/* Of what goes to stdout; true also where there is none who could go, as of a file. */
bool output_has_reader(void);

/* Where nobody reads any more, it is no failure that what was printed has not arrived. */
void output_let_go(void);

/* Of stdout, as it is without the pipe. */
bool output_is_terminal(void);

/* Is something still to be written? What is of the moment only is better left out then. */
bool output_is_behind(void);

#endif
