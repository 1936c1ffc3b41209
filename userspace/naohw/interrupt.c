// SPDX-License-Identifier: GPL-2.0-or-later
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
/* What would end or stop a program that holds a stream; Ctrl-Z is for a terminal's sake only. */
static const int ends_of_stream[] = { SIGQUIT, SIGTSTP };
/* "stty tostop": who writes from the background is stopped, unless he ignores it. */
static const int ignored_of_stream[] = { SIGTTIN, SIGTTOU };

static volatile sig_atomic_t interrupted;
/* For the handler, which gets no argument of ours. */
static struct naohw_player *volatile player_told;
static volatile sig_atomic_t player_moves;

static void interrupt(int signal)
{
	struct naohw_player *player = player_told;
	bool first = !interrupted;

	(void)signal;
	interrupted = 1;
	if (!player)
		return;
	if (first && player_moves)
		naohw_player_stop(player);
	else
		naohw_player_halt(player);
}

static void set_handler(const int *signals, size_t count, void (*handler)(int))
{
	/* No SA_RESTART: what waits must end. */
	struct sigaction action = { .sa_handler = handler };

	/* One at a time, or two that come together would not count as two. */
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < count; i++)
		sigaction(signals[i], &action, NULL);
}

void catch_interrupts(void)
{
	interrupted = 0;
	set_handler(ends, COUNT(ends), interrupt);
}

void catch_interrupts_of_stream(void)
{
	catch_interrupts();
	set_handler(ends_of_stream, COUNT(ends_of_stream), interrupt);
	set_handler(ignored_of_stream, COUNT(ignored_of_stream), SIG_IGN);
}

void release_interrupts(void)
{
	set_handler(ends, COUNT(ends), SIG_DFL);
	set_handler(ends_of_stream, COUNT(ends_of_stream), SIG_DFL);
	set_handler(ignored_of_stream, COUNT(ignored_of_stream), SIG_DFL);
}

bool is_interrupted(void)
{
	return interrupted;
}

void interrupt_player(struct naohw_player *player, bool moving)
{
	player_moves = moving;
	player_told = player;
}
