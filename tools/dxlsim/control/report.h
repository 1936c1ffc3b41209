/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics as text, a name and a number a line. */
#ifndef DXLSIM_REPORT_H
#define DXLSIM_REPORT_H

#include <stdio.h>

#include "../bus/bus.h"

void report_bus(const struct bus *bus, FILE *out);
void report_id(const struct bus *bus, u8 id, FILE *out);
void report_all(const struct bus *bus, FILE *out);

#endif
