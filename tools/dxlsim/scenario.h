/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario: control commands from a file, each with the time at which it is
 * carried out. A bus plays one at a time, in the time that is passed in.
 */
#ifndef DXLSIM_SCENARIO_H
#define DXLSIM_SCENARIO_H

#include <stdio.h>

#include "bus.h"

struct scenario;

struct scenario *scenario_load(const char *file, FILE *err);
void scenario_start(struct bus *bus, struct scenario *scenario, nsec_t now);
void scenario_stop(struct bus *bus);
nsec_t scenario_due(const struct bus *bus);
void scenario_play(struct bus *bus, nsec_t now);
void scenario_report(const struct bus *bus, FILE *out);

#endif
