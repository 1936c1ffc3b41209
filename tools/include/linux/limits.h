/* SPDX-License-Identifier: GPL-2.0 */
/* The C library includes the one of the kernel's that this goes before. */
#include_next <linux/limits.h>

#ifndef _NAOHW_TOOLS_LIMITS_H
#define _NAOHW_TOOLS_LIMITS_H

#define U16_MAX 0xffff

#endif
