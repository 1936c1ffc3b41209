/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command that plays a file of commands. */
#ifndef DXLSIM_CALL_SCENARIO_H
#define DXLSIM_CALL_SCENARIO_H

#include "call.h"

bool call_scenario(struct call *call);

#endif
