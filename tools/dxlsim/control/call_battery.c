// SPDX-License-Identifier: GPL-2.0-or-later
/* The command for the robot's battery. */
#include <stdlib.h>
#include <string.h>

#include "call_battery.h"

static bool tell(struct call *call)
{
	const struct battery *battery = &call->bus->battery;

	fprintf(call->out, "percent %.1f\nvolts %.2f\namperes %.2f\n",
		100 * battery->charge, battery_voltage(battery),
		/* Nothing has no sign. */
		battery->current + 0.0);

	return true;
}

static bool insert(struct call *call, const char *text)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end || !(percent >= 0 && percent <= 100))
		return call_fail(call, "charge is \"%s\", expected percent from 0 to 100, charge, discharge or off",
				 text);
	battery_use(call->bus, percent / 100, call->now);

	return true;
}

bool call_battery(struct call *call)
{
	const char *what = call->argc > 1 ? call->argv[1] : NULL;
	bool charge = what && !strcmp(what, "charge");
	struct battery *battery = &call->bus->battery;

	if (what && !strcmp(what, "off")) {
		battery_remove(call->bus, call->now);
		return true;
	}
	if (what && !charge && strcmp(what, "discharge"))
		return insert(call, what);
	if (!battery->used)
		return call_fail(call, "there is no battery, try: battery PERCENT");
	if (!what)
		return tell(call);
	battery->charger = charge;

	return true;
}
