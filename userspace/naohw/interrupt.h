/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends a command in order, when the user or the system wants it. naohw(1) says which signals do
 * what.
 */
#ifndef NAOHW_INTERRUPT_H
#define NAOHW_INTERRUPT_H

#include <stdbool.h>

#include <naohw.h>

/* Also ends a sleep or a blocking call, which then fail with EINTR. */
void catch_interrupts(void);

/*
 * The same for a command that is about to open a stream of poses: from now on nothing may end it
 * with the stream open, nor stop it, as then the robot would fall. Until release_interrupts(),
 * which is for when the stream has been closed.
 */
void catch_interrupts_of_stream(void);
void release_interrupts(void);

bool is_interrupted(void);

/*
 * Who is to be told: while it is not @moving yet to halt, from then on to stop, and a second time
 * to halt. NULL: nobody any more.
 */
void interrupt_player(struct naohw_player *player, bool moving);

#endif
