/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What everything that is simulated stands on: its time, and its chance. */
#ifndef DXLSIM_BASE_H
#define DXLSIM_BASE_H

#include "random.h"
#include "simtime.h"

#endif
