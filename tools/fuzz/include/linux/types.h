/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The integer types that the queue uses beyond those of the codec. */
#ifndef NAOHW_FUZZ_TYPES_H
#define NAOHW_FUZZ_TYPES_H

#include_next <linux/types.h>

typedef int32_t s32;

#endif
