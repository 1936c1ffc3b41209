/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EEPROM behind a board's items that is written in pages: each is written whole, or
 * lost when the power goes in the middle.
 */
#ifndef DXLSIM_PAGES_H
#define DXLSIM_PAGES_H

#include "device.h"

bool pages_reached(const struct device *dev, struct span span);
u8 *pages_byte(struct device *dev, unsigned int addr);
enum refusal pages_check(const struct device *dev, struct span span);
void pages_write(struct device *dev, struct span span, const u8 *data, nsec_t now);
void pages_cut(struct device *dev, unsigned int after);

#endif
