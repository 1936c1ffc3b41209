/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands by which a test sets what the boards sense. */
#ifndef DXLSIM_CALL_BOARD_H
#define DXLSIM_CALL_BOARD_H

#include "call.h"

bool call_senses(struct call *call);
bool call_power_cut(struct call *call);
bool call_set(struct call *call);
bool call_obstacle(struct call *call);
bool call_press(struct call *call);
bool call_release(struct call *call);
bool call_freeze(struct call *call);
bool call_thaw(struct call *call);
bool call_noise(struct call *call);

#endif
