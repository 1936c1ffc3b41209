// SPDX-License-Identifier: LGPL-2.1-or-later
#include "heat.h"

#include "../message/message.h"

/* NAO's boards reduce by more than 30 % at status 2. */
#define VERY_HOT_PART 0.69

enum naohw_joint_status heat_status(enum naohw_joint_status before, double temperature, double max)
{
	enum naohw_joint_status now = status_of((float)temperature, (float)max);
	enum naohw_joint_status soon = status_of((float)(temperature + HEAT_HYSTERESIS), (float)max);

	if (now == NAOHW_STATUS_UNKNOWN)
		return before;
	if (before == NAOHW_STATUS_UNKNOWN || now >= before)
		return now;
	return soon < before ? soon : before;
}

enum trouble heat_trouble(enum naohw_joint_status status)
{
	switch (status) {
	case NAOHW_STATUS_VERY_HOT:
		return TROUBLE_HOT;
	case NAOHW_STATUS_CRITICALLY_HOT:
		return TROUBLE_VERY_HOT;
	default:
		return TROUBLE_NONE;
	}
}

double heat_part(enum naohw_joint_status status)
{
	switch (status) {
	case NAOHW_STATUS_VERY_HOT:
		return VERY_HOT_PART;
	case NAOHW_STATUS_CRITICALLY_HOT:
		return 0;
	default:
		return 1;
	}
}
