/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DXLSIM_OPTIONS_H
#define DXLSIM_OPTIONS_H

#include <stdint.h>

#include "link/link.h"

struct options {
	const char *overlay;
	const char *control;
	const char *scenario;
	const char *body;
	enum link_kind link;
	const char *path;
	bool wire_time;
	bool trace;
	bool quiet;
	bool spin;
	uint64_t seed;
	unsigned int turnaround;	/* us */
};

int options_parse(struct options *options, int argc, char **argv);

#endif
