/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends a command that goes on and on in order, when the user or the system wants it. */
#ifndef NAOHW_INTERRUPT_H
#define NAOHW_INTERRUPT_H

#include <stdbool.h>

/* Also ends a sleep or a blocking call, which then fail with EINTR. */
void catch_interrupts(void);
bool is_interrupted(void);

#endif
