/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a test tells the simulator beside the bus: commands in lines, from whom they
 * come, and files of them that are played in the bus's time.
 */
#ifndef DXLSIM_CONTROL_H
#define DXLSIM_CONTROL_H

#include "command.h"
#include "console.h"
#include "scenario.h"

#endif
