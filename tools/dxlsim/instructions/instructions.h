/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a device does with an instruction, and what it answers. */
#ifndef DXLSIM_INSTRUCTIONS_H
#define DXLSIM_INSTRUCTIONS_H

#include <linux/dxl/packet.h>

#include "../devices/devices.h"

struct answer {
	u8 id;
	u8 error;
	u16 len;
	u8 params[TABLE_MAX];
	nsec_t delay;		/* from the end of the request */
};

bool device_supports(const struct device *dev, u8 instruction);
bool device_execute(struct device *dev, const struct dxl_packet *packet,
		    nsec_t now, struct answer *answer);
bool device_refuse_crc(struct device *dev, u8 instruction, nsec_t now,
		       struct answer *answer);
bool device_group_read(struct device *dev, u8 instruction, struct span span,
		       nsec_t now, struct answer *answer);

#endif
