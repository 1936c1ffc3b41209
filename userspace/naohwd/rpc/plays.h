/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plays, as JSON. */
#ifndef NAOHWD_RPC_PLAYS_H
#define NAOHWD_RPC_PLAYS_H

#include "call.h"

struct plays;

/* How the last one is. */
struct json_object *play_tell(const struct plays *plays);

#endif
