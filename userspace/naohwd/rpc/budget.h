/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What clients may have of one thing in a cycle. Each has its share, whatever the others do; what
 * nobody has taken of the shares is there in the next cycle for those who want more, one after the
 * other. So one that wants as much as there is takes nothing from one that wants little, and in the
 * long run all have no more than the cycle's together.
 */
#ifndef NAOHWD_RPC_BUDGET_H
#define NAOHWD_RPC_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct budget {
	size_t cycle; /* for all clients, in each */
	size_t share; /* for each of them, in this one */
	size_t shared;
	long pool; /* for who wants more; what it is below 0 is missing in the next cycles */
};

/* A cycle begins, with so many clients. */
void budget_cycle(struct budget *budget, size_t clients);

/* May @amount be taken by one who has taken @spent of its share? */
bool budget_has(const struct budget *budget, size_t spent, size_t amount);
/* Return: false: nothing is taken, and this has to wait for another cycle. */
bool budget_take(struct budget *budget, size_t *spent, size_t amount);
/* It was less than what has been taken. */
void budget_give_back(struct budget *budget, size_t amount);

#endif
