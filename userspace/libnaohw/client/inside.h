/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NAOHW_CLIENT_INSIDE_H
#define NAOHW_CLIENT_INSIDE_H

#include <limits.h>
#include <stdint.h>

#include "client.h"
#include "line.h"

#define UNIT_SIZE (NAME_MAX + 32)

struct daemon {
	char *description; /* its path, without links */
	char path[PATH_MAX];
	char unit[UNIT_SIZE]; /* systemd's that hosts it, should there be one */
	struct lines lines;
	int64_t id; /* of the last request */
};

/* The unit of systemd's that hosts the robot with that description, should there be one. */
int unit_name(const char *description, char *unit, size_t size);

#endif
