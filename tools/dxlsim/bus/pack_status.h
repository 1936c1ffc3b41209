/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The status words of a NAO's batteries, as Documentation/boards/nao-battery.rst has them. */
#ifndef DXLSIM_PACK_STATUS_H
#define DXLSIM_PACK_STATUS_H

#include <linux/types.h>

#include "battery.h"

/*
 * @before: what it was. Of that stays what a battery that only drains and fills never comes to,
 * such as that it is too hot, and what lasts until something else is the case.
 */
u16 pack_status_bmz(const struct battery *battery, u16 before);
u16 pack_status_sanyo(const struct battery *battery, u16 before);

#endif
