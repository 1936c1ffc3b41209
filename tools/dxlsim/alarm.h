/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waking up at a given time. */
#ifndef DXLSIM_ALARM_H
#define DXLSIM_ALARM_H

#include "simtime.h"

struct alarm {
	int fd;			/* becomes readable when it is time */
	nsec_t due;		/* for which it is set */
};

nsec_t alarm_now(void);
int alarm_open(struct alarm *alarm);
void alarm_close(struct alarm *alarm);
int alarm_set(struct alarm *alarm, nsec_t due);

#endif
