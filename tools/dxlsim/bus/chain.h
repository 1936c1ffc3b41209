/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A group read: devices that answer one after the other, as they are listed. */
#ifndef DXLSIM_CHAIN_H
#define DXLSIM_CHAIN_H

#include <linux/dxl/packet.h>

#include "../devices/devices.h"

struct bus;

struct chain_link {
	u8 id;
	struct span span;
};

struct chain {
	u8 instruction;
	enum dxl_protocol protocol;
	struct chain_link link[DXL_ID_MAX + 1];
	unsigned int count;
	unsigned int next;	/* whose turn it is; @count: nobody's */
	nsec_t turn;		/* when the one before had been heard */
};

bool chain_parse(struct chain *chain, const struct dxl_packet *packet);
void chain_start(struct bus *bus, nsec_t end);
void chain_run(struct bus *bus, nsec_t until);
nsec_t chain_due(const struct chain *chain);
void chain_abandon(struct chain *chain);

#endif
