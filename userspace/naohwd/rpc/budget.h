/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What clients may have of one thing in a cycle. Each program has its share, however many clients
 * it has, among which that is divided; and a client has its own, whatever the others do. Who
 * wants more at once saves his shares until they are as much; so nobody waits for longer than what
 * he wants takes of them. And what nobody has had of a cycle is there in the next ones for who asks
 * first. In the long run all together have no more than the cycle's.
 */
#ifndef NAOHWD_RPC_BUDGET_H
#define NAOHWD_RPC_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct budget {
	size_t cycle; /* for all clients, in each */
	size_t share; /* for each program, in this one */
	long left;    /* of this cycle; what it is below 0 is of the next ones' */
	size_t spare; /* of those before, a cycle's at the most */
};

/* One client's of it. One that is new has nothing until the next cycle. */
struct portion {
	size_t share; /* in this cycle, and at least 1 */
	size_t left;
	size_t wanted; /* and not had yet, for which it saves; 0: nothing */
};

/* So much for all clients, in each cycle; of the one before the first nobody has had anything. */
void budget_open(struct budget *budget, size_t cycle);

/*
 * A cycle begins, with so many programs; first for all together, and then for each client, of a
 * program that has so many.
 */
void budget_cycle(struct budget *budget, size_t programs);
void portion_cycle(const struct budget *budget, struct portion *portion, size_t clients);

/* May so much be taken now? */
bool budget_has(const struct budget *budget, const struct portion *portion, size_t amount);
/* Return: false: nothing is taken, and this has to wait for another cycle. */
bool budget_take(struct budget *budget, struct portion *portion, size_t amount);
/* It was so much less than what has been taken. */
void budget_give_back(struct budget *budget, size_t amount);

#endif
