/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _NAOHW_TOOLS_BITS_H
#define _NAOHW_TOOLS_BITS_H

#define BIT(nr) (1UL << (nr))

#endif
