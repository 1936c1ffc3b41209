/* SPDX-License-Identifier: GPL-2.0 */
/* What one thread needs of it. */
#ifndef _NAOHW_TOOLS_COMPILER_H
#define _NAOHW_TOOLS_COMPILER_H

#define READ_ONCE(x)		(x)
#define WRITE_ONCE(x, value)	((x) = (value))

#endif
