/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control commands by which a test follows the joints. */
#ifndef DXLSIM_CALL_MOTION_H
#define DXLSIM_CALL_MOTION_H

#include "call.h"

bool call_lockstep(struct call *call);
bool call_torque(struct call *call);
bool call_goals(struct call *call);

#endif
