// SPDX-License-Identifier: GPL-2.0-or-later
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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

/* What we do about a signal, and what was to be done before. */
struct reaction {
	int number;
	void (*handler)(int);
	bool is_ours;
	struct sigaction before;
};

static struct reaction ends[] = {
	{ .number = SIGINT, .handler = interrupt },
	{ .number = SIGTERM, .handler = interrupt },
	{ .number = SIGHUP, .handler = interrupt },
};

static struct reaction of_stream[] = {
	/* What would end or stop a program that holds a stream; Ctrl-Z is for a terminal's sake. */
	{ .number = SIGQUIT, .handler = interrupt },
	{ .number = SIGTSTP, .handler = interrupt },
	/* "stty tostop": who writes from the background is stopped, unless he ignores it. */
	{ .number = SIGTTIN, .handler = SIG_IGN },
	{ .number = SIGTTOU, .handler = SIG_IGN },
};

/*
 * Who started us has a reason to have it ignored: nohup(1), or that Ctrl-C is for another
 * program, as with what a script has started with "&".
 */
static void react(struct reaction *reaction)
{
	/* No SA_RESTART: what waits must end. */
	struct sigaction action = { .sa_handler = reaction->handler };

	if (reaction->is_ours || sigaction(reaction->number, NULL, &reaction->before) < 0 ||
	    reaction->before.sa_handler == SIG_IGN)
		return;
	/* One at a time, or two that come together would not count as two. */
	sigfillset(&action.sa_mask);
	reaction->is_ours = sigaction(reaction->number, &action, NULL) == 0;
}

static void put_back(struct reaction *reaction)
{
	if (reaction->is_ours)
		sigaction(reaction->number, &reaction->before, NULL);
	reaction->is_ours = false;
}

void catch_interrupts(void)
{
	interrupted = 0;
	for (size_t i = 0; i < COUNT(ends); i++)
		react(&ends[i]);
}

void catch_interrupts_of_stream(void)
{
	catch_interrupts();
	for (size_t i = 0; i < COUNT(of_stream); i++)
		react(&of_stream[i]);
}

void release_interrupts(void)
{
	for (size_t i = 0; i < COUNT(ends); i++)
		put_back(&ends[i]);
	for (size_t i = 0; i < COUNT(of_stream); i++)
		put_back(&of_stream[i]);
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
