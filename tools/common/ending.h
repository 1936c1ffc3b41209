/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that end in order when SIGTERM or SIGINT tells them to. */
#ifndef COMMON_ENDING_H
#define COMMON_ENDING_H

#include <signal.h>

/* One of these signals has come. */
extern volatile sig_atomic_t ending;

/* From now on they only say so; what waits is interrupted (EINTR). */
void ending_catch(void);

/* So does this one. */
void ending_catch_also(int signal);

/* Let them in only while waiting, as ppoll() does with this, so that none can be missed. */
void ending_wait_only(sigset_t *while_waiting);

#endif
