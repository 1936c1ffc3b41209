// SPDX-License-Identifier: GPL-2.0-or-later
#include "pack_status.h"

/* V of a cell. Below the last a Sanyo's gauge takes it for empty, which its maker can set. */
#define CELL_END	3.0
#define CELL_NEAR_END	3.2
#define CELL_EMPTY	3.0

/* A */
#define TOO_MUCH	6
#define FAR_TOO_MUCH	14

enum {
	BMZ_END			= 1 << 0,
	BMZ_NEAR_END		= 1 << 1,
	BMZ_CHARGE_FET		= 1 << 2,
	BMZ_DISCHARGE_FET	= 1 << 3,
	BMZ_DISCHARGING		= 1 << 5,
	BMZ_FULL		= 1 << 6,
	BMZ_CHARGING		= 1 << 7,
	BMZ_OVER_14_A		= 1 << 12,
	BMZ_OVER_6_A		= 1 << 13,
	BMZ_CHARGER		= 1 << 15,
};

/* It learns; is too hot or too cold; is charged or discharged too much, or with too much. */
#define BMZ_OTHERS	0x4f10

enum {
	SANYO_SEF		= 1 << 5,
	SANYO_AEF		= 1 << 6,
	SANYO_CHGTF		= 1 << 7,
};

static double cell(const struct battery *battery)
{
	return battery_voltage(battery) / battery->pack->cells;
}

u16 pack_status_bmz(const struct battery *battery, u16 before)
{
	u16 status = (before & BMZ_OTHERS) | BMZ_CHARGE_FET | BMZ_DISCHARGE_FET;

	if (cell(battery) < CELL_END)
		status |= BMZ_END;
	if (cell(battery) < CELL_NEAR_END)
		status |= BMZ_NEAR_END;
	if (battery->current > 0)
		status |= BMZ_DISCHARGING;
	if (battery->current < 0)
		status |= BMZ_CHARGING;
	if (battery->charge >= 1)
		status |= BMZ_FULL;
	if (battery->current > FAR_TOO_MUCH)
		status |= BMZ_OVER_14_A;
	if (battery->current > TOO_MUCH)
		status |= BMZ_OVER_6_A;
	if (battery->charger)
		status |= BMZ_CHARGER;

	return status;
}

static u16 flag(u16 status, u16 bit, bool set, bool clear)
{
	if (set)
		return status | bit;

	return clear ? status & ~bit : status;
}

u16 pack_status_sanyo(const struct battery *battery, u16 before)
{
	double charge = battery->charge;
	u16 status = before;

	status = flag(status, SANYO_SEF, charge < 0.1, charge > 0.15);
	status = flag(status, SANYO_AEF, cell(battery) < CELL_EMPTY, charge > 0.05);

	return flag(status, SANYO_CHGTF, charge >= 1 && battery->charger, charge < 0.9);
}
