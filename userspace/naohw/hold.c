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

	if (ret < 0)
		return ret == -ENOTSUP ? 0 : ret;
	hold->dcm = dcm;
	hold->labels = labels;
	hold->count = count;
	hold->is_held = true;
	return 0;
}

void hold_end(struct hold *hold)
{
	unsigned int newer;

	if (!hold->is_held)
		return;
	/* Its end drops what is to come, as the end of the last step in the next cycle. */
	(void)naohw_dcm_flush(hold->dcm, NULL);
	/* A joint of two leases ends as the newer one says, which is the one that is left. */
	if (naohw_dcm_lease(hold->dcm, hold->labels, hold->count, NAOHW_LEASE_HOLD, 0, &newer,
			    NULL) == 0)
		(void)naohw_dcm_release(hold->dcm, hold->lease, NULL);
	hold->is_held = false;
}
