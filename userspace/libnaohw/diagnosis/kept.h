/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a later host is to know: a file of the robot's in STATE_DIRECTORY, as systemd names it, or else in the
 * directory for that of the machine. Each line is a label.
 */
#ifndef NAOHW_DIAGNOSIS_KEPT_H
#define NAOHW_DIAGNOSIS_KEPT_H

#include <stdbool.h>

#include "../description/description.h"

/* The path of a robot's file, by that of its description, for free(); NULL: no memory is left. */
char *kept_path(const char *robot);

/* What it has; nothing, where it is not there or cannot be read. content_free() frees it. */
void kept_read(const char *path, struct content *content);
bool kept_has(const struct content *content, const char *label);

/* In one step. Return: 0 or a negative errno. */
int kept_write(const char *path, const struct content *content);

#endif
