// SPDX-License-Identifier: GPL-2.0-or-later
#include "hold.h"

#include <errno.h>

/* In which time joints soften if this program dies */
#define SOFTEN_S 3

int hold_begin(struct hold *hold, struct naohw_dcm *dcm, const char *const *labels, size_t count,
	       struct naohw_error *err)
{
	int ret = naohw_dcm_lease(dcm, labels, count, NAOHW_LEASE_SOFTEN, SOFTEN_S, &hold->lease,
				  err);

	if (ret < 0 && ret != -ENOTSUP)
		return ret;
	hold->dcm = dcm;
	hold->labels = labels;
	hold->count = count;
	hold->is_held = ret == 0;
	return 0;
}

/* A joint of two leases ends as the newer one says, which is the one that is left. */
static void leave_as_it_is(const struct hold *hold)
{
	unsigned int newer;

	if (naohw_dcm_lease(hold->dcm, hold->labels, hold->count, NAOHW_LEASE_HOLD, 0, &newer,
			    NULL) == 0)
		(void)naohw_dcm_release(hold->dcm, hold->lease, NULL);
}

void hold_end(struct hold *hold)
{
	if (!hold->dcm)
		return;
	/* What is to come may be dropped, as the end of the last step in the next cycle. */
	(void)naohw_dcm_flush(hold->dcm, NULL);
	if (hold->is_held)
		leave_as_it_is(hold);
	hold->dcm = NULL;
}
