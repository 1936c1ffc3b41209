/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys that are read again and again, as a stream of lines for programs. Where only changes are
 * wanted, what comes by itself (live.h) is printed when it comes.
 */
#ifndef NAOHW_FOLLOW_H
#define NAOHW_FOLLOW_H

#include "keys.h"
#include "reading.h"

struct follow {
	struct naohw_robot *robot;
	const struct keys *keys;
	struct reading_format format;
	bool changes;	 /* only what differs from the last reading */
	long count;	 /* of readings; 0: no end */
	double interval; /* s, between two of them */
};

/* Until a signal, or until nobody reads what is printed. Return: a status. */
int follow(const struct follow *follow);

#endif
