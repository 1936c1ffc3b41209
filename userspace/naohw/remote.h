/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A robot at another machine, to which ssh goes: the command itself runs there. */
#ifndef NAOHW_REMOTE_H
#define NAOHW_REMOTE_H

#include <stdbool.h>

#include "cli.h"

/* Does this URI say so? */
bool is_remote(const char *uri);

/*
 * Become ssh, which has the same command run there; @name is its name. With @moves a hang-up of the
 * line reaches it, as it would go on moving the robot with nobody there. Returns only where
 * that cannot be: complained.
 */
int run_remotely(const struct cli *cli, const char *name, bool moves);

#endif
