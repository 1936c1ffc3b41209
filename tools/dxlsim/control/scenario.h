/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario: control commands from a file, each with the time at which it is
 * carried out. One at a time is played on a bus, in the time that is passed in.
 */
#ifndef DXLSIM_SCENARIO_H
#define DXLSIM_SCENARIO_H

#include <stdio.h>

#include "command.h"

struct scenario *scenario_load(const char *file, FILE *err);
void scenario_start(struct control *control, struct scenario *scenario,
		    nsec_t now);
void scenario_stop(struct control *control);
nsec_t scenario_due(const struct control *control);
void scenario_play(struct control *control, nsec_t now);
void scenario_report(const struct control *control, FILE *out);

#endif
