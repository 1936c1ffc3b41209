/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What naohwd's command line says. */
#ifndef NAOHWD_OPTIONS_H
#define NAOHWD_OPTIONS_H

#include "base/base.h"
#include "lola/lola.h"
#include "rpc/rpc.h"

struct options {
	const char *robot; /* as naohw_robot_open() takes it; NULL: the default */
	struct listen_settings lola[LOLA_DOORS_MAX];
	size_t lolas;
	struct lola_end lola_end;
	struct rpc_settings rpc; /* its path is NULL: there is none */
	mode_t mode; /* of all sockets */
	gid_t group;
	bool is_mode_given;
};

/* What main() is to do then */
enum options_result {
	OPTIONS_RUN,
	OPTIONS_DONE, /* what was asked for has been printed */
	OPTIONS_WRONG, /* what is wrong has been printed */
};

enum options_result options_read(struct options *options, int argc, char **argv);

#endif
