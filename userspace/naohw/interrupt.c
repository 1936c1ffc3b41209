// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stddef.h>

#include "interrupt.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* No SA_RESTART: what waits must end. */
void catch_interrupts(void)
{
	const struct sigaction action = { .sa_handler = interrupt };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool is_interrupted(void)
{
	return interrupted;
}
