/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The devices on the kernel's bus. */
#ifndef DXLATTACH_DEVICES_H
#define DXLATTACH_DEVICES_H

#include "../common/bus_tree.h"

int devices_add(unsigned int bus, const struct bus_tree *tree);
int devices_scan(unsigned int bus);

#endif
