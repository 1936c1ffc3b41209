/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The robot's battery: lithium cells that the servos drain, with a voltage that
 * follows. Without one, every device has its own supply from the mains.
 */
#ifndef DXLSIM_BATTERY_H
#define DXLSIM_BATTERY_H

#include <stdbool.h>

#include "../base/base.h"
#include "../body/body.h"

struct bus;

struct battery {
	bool used;
	const struct pack *pack;
	bool charger;		/* is connected */
	double charge;		/* of the whole */
	double current;		/* that it gave of late, A; below 0 it is charged */
	nsec_t first;		/* when it was seen to first */
	nsec_t next;		/* when it is seen to again */
};

void battery_use(struct bus *bus, double charge, nsec_t now);
void battery_remove(struct bus *bus, nsec_t now);
double battery_voltage(const struct battery *battery);
nsec_t battery_due(const struct bus *bus);
void battery_play(struct bus *bus, nsec_t now);

#endif
