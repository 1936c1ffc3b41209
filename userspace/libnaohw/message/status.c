// SPDX-License-Identifier: LGPL-2.1-or-later
/* How hot a motor is, by its limit. naohw.h says which of that is its maker's, and which ours. */
#include <math.h>

#include "message.h"

/* degrees C below Max: where its current begins to be limited, and where it has lost 30 % */
#define BEGIN 10
#define THIRTY 7

enum naohw_joint_status status_of(float temperature, float max)
{
	if (isnan(temperature) || isnan(max))
		return NAOHW_STATUS_UNKNOWN;
	if (temperature >= max)
		return NAOHW_STATUS_CRITICALLY_HOT;
	if (temperature > max - THIRTY)
		return NAOHW_STATUS_VERY_HOT;
	if (temperature >= max - BEGIN)
		return NAOHW_STATUS_HOT;
	return NAOHW_STATUS_NORMAL;
}
