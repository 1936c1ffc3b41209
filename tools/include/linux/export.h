/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _NAOHW_TOOLS_EXPORT_H
#define _NAOHW_TOOLS_EXPORT_H

/* A declaration, so that the semicolon behind the macro stays legal. */
#define EXPORT_SYMBOL_NS_GPL(sym, ns) extern int naohw_no_export

#endif
