// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far a joint is from where it was sent, which is the one answer to whether it has arrived. */
#include <math.h>
#include <stdlib.h>

#include "dcm.h"

int dcm_joint_off(const struct servo_axis *axis, int present, int goal)
{
	int off = abs(present - goal);
	bool is_beyond = (goal <= axis->min && present < axis->min) ||
			 (goal >= axis->max && present > axis->max);

	return is_beyond && off * fabs(axis->scale) <= NAOHW_BEYOND_RAD ? 0 : off;
}
