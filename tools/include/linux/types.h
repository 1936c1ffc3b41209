/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's integer types, for kernel sources that userspace compiles too. */
#ifndef _NAOHW_TOOLS_TYPES_H
#define _NAOHW_TOOLS_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef long long s64;

#endif
