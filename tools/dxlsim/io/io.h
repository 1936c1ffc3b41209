/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that dxlsim runs on: its clock, listening sockets, and bytes that
 * somebody has still to take. Nothing that is simulated knows of it.
 */
#ifndef DXLSIM_IO_H
#define DXLSIM_IO_H

#include "alarm.h"
#include "outbuf.h"
#include "sockets.h"

#endif
