/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is plugged into the ports of a board, by the words of the device tree. */
#ifndef DXLSIM_PORTS_H
#define DXLSIM_PORTS_H

#include <stdbool.h>
#include <stddef.h>

#define PORTS_MAX	6
#define PORTS_PROBLEM	160

struct board_spec;
struct device;
struct plug;

/* What each of its ports has. */
struct ports {
	const struct plug *plugs[PORTS_MAX];
};

/*
 * Of robotis,port-sensors, with commas between the words; false and in @problem
 * (PORTS_PROBLEM) what is wrong with that.
 */
bool ports_read(struct ports *ports, const struct board_spec *spec, const char *words,
		char *problem);

/* Plug them in; the sensors are at rest. */
void ports_plug(struct device *dev, const struct ports *ports);

#endif
