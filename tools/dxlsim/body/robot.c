// SPDX-License-Identifier: GPL-2.0-or-later
#include "robot.h"

#define AMPERE_HOURS	3600

/*
 * Of the size of the OP, whose weight its maker gives, with the Bioloid's battery and
 * AX-12. The lengths and what the battery loses inside are our own.
 */
const struct robot robot_op = {
	.mass = 2.9,
	.height = 0.20,
	.ankles = 0.08,
	.sole = { .front = 0.045, .back = 0.045, .outer = 0.025, .inner = 0.025 },
	.pack = {
		.cells = 3,
		.capacity = 1.0 * AMPERE_HOURS,
		.resistance = 0.15,
		.charger = 1.0,
		.idle = 0.05,
		.full_load = 1.5,
	},
};

/*
 * NAO H25 V3.3: weight, ankles, sensors and battery are as its maker has them; at the
 * back and on the inner side, where two sensors differ by millimetres, their mean. How
 * high the centre of mass is, and what else the battery does, is our own.
 */
const struct robot robot_nao = {
	.mass = 4.996,
	.height = 0.26,
	.ankles = 0.1,
	.sole = { .front = 0.07025, .back = 0.02995, .outer = 0.0299, .inner = 0.0211 },
	.pack = {
		.cells = 6,
		.capacity = 2.15 * AMPERE_HOURS,
		.resistance = 0.3,
		.charger = 1.8,
		.idle = 0.05,
		.full_load = 2.0,
	},
};
