// SPDX-License-Identifier: GPL-2.0-or-later
#include "budget.h"

static void fill(struct budget *budget, size_t amount)
{
	budget->pool += (long)amount;
	if (budget->pool > (long)budget->cycle)
		budget->pool = (long)budget->cycle;
}

void budget_cycle(struct budget *budget, size_t clients)
{
	fill(budget, budget->cycle - budget->shared);
	budget->shared = 0;
	budget->share = clients ? budget->cycle / clients : 0;
}

static bool is_in_share(const struct budget *budget, size_t spent, size_t amount)
{
	return spent + amount <= budget->share;
}

bool budget_has(const struct budget *budget, size_t spent, size_t amount)
{
	return is_in_share(budget, spent, amount) || budget->pool > 0;
}

bool budget_take(struct budget *budget, size_t *spent, size_t amount)
{
	if (is_in_share(budget, *spent, amount)) {
		*spent += amount;
		budget->shared += amount;
		return true;
	}
	if (budget->pool <= 0)
		return false;
	budget->pool -= (long)amount;
	return true;
}

void budget_give_back(struct budget *budget, size_t amount)
{
	fill(budget, amount);
}
