/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine's devices, for the rooms above, which know whose they are and what they mean: IIO
 * devices, lights, buttons, buzzers, batteries and memories.
 */
#ifndef NAOHW_IO_H
#define NAOHW_IO_H

#include "anew.h"
#include "attribute.h"
#include "buffer.h"
#include "bus_channel.h"
#include "bus_device.h"
#include "buzzer.h"
#include "channel.h"
#include "device.h"
#include "event.h"
#include "find.h"
#include "holder.h"
#include "light.h"
#include "memory.h"
#include "node.h"
#include "supply.h"
#include "sysfs.h"

#endif
