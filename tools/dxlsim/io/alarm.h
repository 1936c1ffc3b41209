/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waking up at a given time. */
#ifndef DXLSIM_ALARM_H
#define DXLSIM_ALARM_H

#include <stdbool.h>
#include <time.h>

#include "../base/base.h"

struct alarm {
	int fd;			/* becomes readable when it is time, or -1 */
	bool spin;		/* the clock is asked instead */
	nsec_t due;		/* for which it is set */
};

nsec_t alarm_now(void);
nsec_t alarm_at(const struct timespec *wall);
int alarm_open(struct alarm *alarm, bool spin);
void alarm_close(struct alarm *alarm);
int alarm_set(struct alarm *alarm, nsec_t due);
bool alarm_passed(const struct alarm *alarm);

#endif
