/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control commands: one line in, lines out, the last "ok" or "error: ...". */
#ifndef DXLSIM_COMMAND_H
#define DXLSIM_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "../bus/bus.h"

#define CONTROL_LINE_MAX	512
#define CONTROL_ERROR		"error: "

struct scenario;

/* What commands act on. */
struct control {
	struct bus *bus;
	struct scenario *scenario;	/* that is played on it, or NULL */
};

bool control_line(struct control *control, const char *line, nsec_t now,
		  FILE *out);
bool control_check(const char *line, FILE *out);
bool control_is_text(const char *line);

#endif
