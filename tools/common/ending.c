// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "ending.h"

volatile sig_atomic_t ending;

static void end(int signal)
{
	(void)signal;
	ending = 1;
}

void ending_catch_also(int signal)
{
	struct sigaction action = { .sa_handler = end };

	sigaction(signal, &action, NULL);
}

void ending_catch(void)
{
	ending_catch_also(SIGTERM);
	ending_catch_also(SIGINT);
}

void ending_wait_only(sigset_t *while_waiting)
{
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigprocmask(SIG_BLOCK, &blocked, while_waiting);
	sigdelset(while_waiting, SIGTERM);
	sigdelset(while_waiting, SIGINT);
}
