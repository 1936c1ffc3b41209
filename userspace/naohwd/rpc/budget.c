// SPDX-License-Identifier: GPL-2.0-or-later
#include "budget.h"

static void fill(struct budget *budget, size_t amount)
{
	budget->left += (long)amount;
	if (budget->left > (long)budget->cycle)
		budget->left = (long)budget->cycle;
}

void budget_open(struct budget *budget, size_t cycle)
{
	*budget = (struct budget){ .cycle = cycle, .left = (long)cycle };
}

void budget_cycle(struct budget *budget, size_t programs)
{
	if (budget->left > 0)
		budget->spare += (size_t)budget->left;
	if (budget->spare > budget->cycle)
		budget->spare = budget->cycle;
	fill(budget, budget->cycle);
	budget->share = programs ? budget->cycle / programs : 0;
}

void portion_cycle(const struct budget *budget, struct portion *portion, size_t clients)
{
	portion->share = budget->share / clients;
	if (portion->share == 0)
		portion->share = 1;
	if (portion->left > portion->wanted)
		portion->left = portion->wanted;
	portion->left += portion->share;
}

/* Several that have saved may want it in one cycle, which is not to be all of theirs. */
static bool is_own(const struct budget *budget, const struct portion *portion, size_t amount)
{
	return amount <= portion->left && (amount <= portion->share || budget->left > 0);
}

bool budget_has(const struct budget *budget, const struct portion *portion, size_t amount)
{
	return is_own(budget, portion, amount) || amount <= budget->spare;
}

bool budget_take(struct budget *budget, struct portion *portion, size_t amount)
{
	if (is_own(budget, portion, amount)) {
		portion->left -= amount;
		budget->left -= (long)amount;
	} else if (amount <= budget->spare) {
		budget->spare -= amount;
	} else {
		if (portion->wanted < amount)
			portion->wanted = amount;
		return false;
	}
	portion->wanted = 0;
	return true;
}

void budget_give_back(struct budget *budget, size_t amount)
{
	fill(budget, amount);
}
