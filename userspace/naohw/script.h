/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command file: its lines, and to whom they go. */
#ifndef NAOHW_SCRIPT_H
#define NAOHW_SCRIPT_H

#include <stdint.h>

#include <naohw.h>

#include "actors.h"
#include "order.h"

/* Bytes of a file */
#define SCRIPT_MAX (1024 * 1024)

/* A line that is in order, by itself and with those before it. */
struct step {
	struct order order;
	struct cast cast; /* whom it gives commands, if it does */
	unsigned long line;
};

/*
 * Read a line. @now, in ms since the beginning, is when it is carried out; a wait brings it to
 * its end. @actors gets the aliases that it makes. Free it with step_free(), but not after a
 * failure. Return: as order_parse(), actors_find() and actors_name(); -EINVAL also: there is not a
 * list for each actuator.
 */
int step_read(struct step *step, const char *text, unsigned long line, int64_t *now,
	      struct actors *actors, struct naohw_error *err);
void step_free(struct step *step);

struct script {
	struct step *step;
	size_t count;
	int64_t end; /* ms since the beginning: when the last command is due, or a wait is over */
};

/*
 * Read all lines of a file. @is_stream: it comes from elsewhere, see lines.h. Return: 0 or a
 * negative errno; the message has @path and the line.
 */
int script_read(struct script *script, int fd, const char *path, bool is_stream,
		struct actors *actors, struct naohw_error *err);
void script_free(struct script *script);

#endif
