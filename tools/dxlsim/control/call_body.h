/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands by which a test moves the robot that the boards are in. */
#ifndef DXLSIM_CALL_BODY_H
#define DXLSIM_CALL_BODY_H

#include "call.h"

bool call_pose(struct call *call);
bool call_lean(struct call *call);
bool call_upright(struct call *call);
bool call_fall(struct call *call);
bool call_lie(struct call *call);
bool call_push(struct call *call);

#endif
