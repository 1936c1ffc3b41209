// SPDX-License-Identifier: GPL-2.0-or-later
#include "count.h"

/* The name of a count in the statistics. */
const char *count_name(enum count count)
{
	static const char *const names[COUNT_KINDS] = {
		[COUNT_HEARD] = "heard",
		[COUNT_SILENCED] = "silenced",
		[COUNT_DEAF] = "deaf",
		[COUNT_REFUSED] = "refused",
		[COUNT_ANSWERS] = "answers",
		[COUNT_SENT] = "tx_packets",
		[COUNT_GOOD] = "tx_good",
		[COUNT_DAMAGED] = "tx_damaged",
		[COUNT_LOST] = "tx_lost",
		[COUNT_COLLISIONS] = "collisions",
		[COUNT_GAPS_IN_CHAINS] = "chain_gaps",
	};

	return names[count];
}
