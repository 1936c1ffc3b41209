/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a device-tree blob says about the bus. */
#ifndef DXLSIM_OVERLAY_H
#define DXLSIM_OVERLAY_H

#include <stdio.h>

#include <linux/dxl/packet.h>

#include "devices/devices.h"

/* With @plugged, what @ports say is in the ports of a board. */
struct overlay_device {
	const struct model *model;
	u8 id;
	char label[LABEL_MAX];
	bool plugged;
	struct ports ports;
};

struct overlay {
	unsigned int baud;
	size_t count;
	struct overlay_device devices[DXL_ID_MAX + 1];
};

int overlay_parse(struct overlay *overlay, const void *blob, size_t size,
		  const char *file, FILE *err);
int overlay_load(struct overlay *overlay, const char *file, FILE *err);

#endif
