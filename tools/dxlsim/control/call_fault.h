/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control commands that are rows of the faults' table. */
#ifndef DXLSIM_CALL_FAULT_H
#define DXLSIM_CALL_FAULT_H

#include "call.h"

bool call_fault(struct call *call);
bool call_calm(struct call *call);
void call_fault_help(FILE *out);

#endif
