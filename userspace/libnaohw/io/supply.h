/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Batteries, of the class power_supply. Reading may ask the board behind it, which takes as long
 * as a request of the bus does; that is for a slow thread. A supply may be read by several.
 */
#ifndef NAOHW_SUPPLY_H
#define NAOHW_SUPPLY_H

#include <stddef.h>

struct supply {
	int dir; /* its directory; -1: closed */
};

/*
 * The one of the board with that label, "LABEL-N-III" where that is a device of the bus; or
 * the one that is @label itself, of a board without one. -ENODEV: none. -ENOTUNIQ: several.
 */
int supply_open(struct supply *supply, const char *label);
void supply_close(struct supply *supply);

/*
 * A property by its file's name, "current_now", in that file's unit (the kernel's ABI has them:
 * microamperes, tenths of a degree). -ENODEV: the supply is gone, or its battery is. -ENOENT: it
 * has no such property. -ENODATA: it does not know now. -EPROTO: it is no number. -EMSGSIZE: the
 * text is longer than @size.
 */
int supply_read(const struct supply *supply, const char *property, double *value);
int supply_read_text(const struct supply *supply, const char *property, char *text, size_t size);

#endif
