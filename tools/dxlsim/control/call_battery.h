/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command for the robot's battery. */
#ifndef DXLSIM_CALL_BATTERY_H
#define DXLSIM_CALL_BATTERY_H

#include "call.h"

bool call_battery(struct call *call);

#endif
