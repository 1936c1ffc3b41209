/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NAOHW_CLIENT_INSIDE_H
#define NAOHW_CLIENT_INSIDE_H

#include <limits.h>
#include <stdint.h>

#include "client.h"
#include "line.h"

struct daemon {
	char *description; /* its path, without links */
	char path[PATH_MAX];
	char unit[NAME_MAX + 32]; /* systemd's that hosts it, should there be one */
	struct lines lines;
	int64_t id; /* of the last request */
};

#endif
