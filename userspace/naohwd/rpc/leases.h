/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leases, as JSON. */
#ifndef NAOHWD_RPC_LEASES_H
#define NAOHWD_RPC_LEASES_H

#include "call.h"

struct leases;

/* All that there are, the oldest first. */
struct json_object *leases_tell(const struct leases *leases);

#endif
