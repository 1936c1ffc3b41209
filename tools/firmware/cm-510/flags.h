/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What interrupts and the loop tell each other in a bit: where one instruction sets, clears
 * or tests it, so that an interrupt saves no register for it, and none comes between.
 */
#ifndef CM510_FLAGS_H
#define CM510_FLAGS_H

#include <avr/io.h>

#define FLAGS		GPIOR0

enum {
	BUS_BUSY	= _BV(0),	/* others have talked a moment ago */
	BRIDGE_OPEN	= _BV(1),	/* the host is told what is said on the bus */
	HOST_RUNS	= _BV(2),	/* the host's bytes go on as they come */
	BUS_RUNS	= _BV(3),	/* those of the bus do */
};

#endif
