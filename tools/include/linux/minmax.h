/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _NAOHW_TOOLS_MINMAX_H
#define _NAOHW_TOOLS_MINMAX_H

#define min(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); \
		     _a < _b ? _a : _b; })
#define max(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); \
		     _a > _b ? _a : _b; })
#define clamp(v, lo, hi) min(max(v, lo), hi)
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))

#endif
