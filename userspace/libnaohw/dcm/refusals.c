// SPDX-License-Identifier: LGPL-2.1-or-later
#include "refusals.h"

void refusals_note(struct refusals *refusals, unsigned int party, const struct actuator *actuator)
{
	atomic_fetch_add(&refusals->count, 1);
	atomic_store(&refusals->last[party], actuator);
}

const struct actuator *refusals_take(struct refusals *refusals, unsigned int party)
{
	return atomic_exchange(&refusals->last[party], NULL);
}
