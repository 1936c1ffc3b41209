/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a fuzz target drives the shims of include/linux. */
#ifndef NAOHW_FUZZ_SHIM_H
#define NAOHW_FUZZ_SHIM_H

#include <linux/kernel-shim.h>

void fuzz_reset(void);
void fuzz_advance(ktime_t until);
ktime_t fuzz_next(void);

#endif
