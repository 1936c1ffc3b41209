/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A servo: what its control table makes of its motor and shaft. */
#ifndef DXLSIM_SERVO_H
#define DXLSIM_SERVO_H

#include <linux/types.h>

#include "joint.h"
#include "simtime.h"

struct device_ops;

struct servo {
	struct joint joint;
	nsec_t time;		/* until when the state has been computed */
	nsec_t power_on_at;
	nsec_t stalled_at;	/* when it met too much load, or NSEC_NEVER */
	bool overload;
	double temperature;	/* degrees C */
	int supply;		/* 0.1 V */
	int outer_load;		/* Present Load that holding still takes */
};

extern const struct device_ops servo_ops;

#endif
