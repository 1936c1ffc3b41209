/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes to the EEPROM, after which a device is deaf for a while. */
#ifndef DXLSIM_TESTS_BURN_H
#define DXLSIM_TESTS_BURN_H

#include "harness.h"

/* Longer than any device takes for a few bytes, or to start. */
#define RIG_BURN_TIME	0.5

/* Longer than a factory reset takes. */
#define RIG_RESET_TIME	1.1

static inline u8 rig_burn8(struct rig *rig, u8 id, u8 addr, unsigned int value)
{
	u8 error = rig_write8(rig, id, addr, value);

	rig_wait(rig, RIG_BURN_TIME);

	return error;
}

static inline u8 rig_burn16(struct rig *rig, u8 id, u8 addr, unsigned int value)
{
	u8 error = rig_write16(rig, id, addr, value);

	rig_wait(rig, RIG_BURN_TIME);

	return error;
}

#endif
