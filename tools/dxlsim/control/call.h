/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A control command that is being carried out. */
#ifndef DXLSIM_CALL_H
#define DXLSIM_CALL_H

#include <stdbool.h>
#include <stdio.h>

#include "../bus/bus.h"

struct control;

struct call {
	struct control *control;
	struct bus *bus;	/* its bus */
	nsec_t now;
	FILE *out;
	int argc;
	char **argv;
	bool quit;
};

bool call_fail(struct call *call, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool call_number(struct call *call, const char *text, const char *what,
		 unsigned long long max, unsigned long long *value);
struct device *call_device(struct call *call, const char *text);
const struct item *call_item(struct call *call, const struct device *dev,
			     const char *name);
bool call_devices(struct call *call, const char *which,
		  void (*act)(struct call *call, struct device *dev));

#endif
