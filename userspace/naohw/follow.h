/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys that are read again and again, as a stream of lines for programs. */
#ifndef NAOHW_FOLLOW_H
#define NAOHW_FOLLOW_H

#include "keys.h"
#include "reading.h"

struct follow {
	const struct keys *keys;
	struct reading_format format;
	bool changes;	 /* only what differs from the last reading */
	long count;	 /* of readings; 0: no end */
	double interval; /* s */
};

/* Until a signal, or until nobody reads what is printed. Return: a status. */
int follow(const struct follow *follow);

#endif
