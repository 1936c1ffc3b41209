/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bus: bytes of instructions go in, bytes of answers come out. It knows
 * nothing of files and sockets, and time is passed in.
 */
#ifndef DXLSIM_BUS_H
#define DXLSIM_BUS_H

#include <stdio.h>

#include <linux/dxl/packet.h>

#include "device.h"
#include "fault.h"
#include "queue.h"

#define BUS_DEVICES_MAX	(DXL_ID_MAX + 1)

struct bus_stats {
	uint64_t rx_bytes;
	uint64_t rx_packets;
	uint64_t rx_kind[256];		/* by instruction */
	uint64_t rx_protocol2;		/* packets that no device here knows */
	uint64_t checksum_errors;
	uint64_t framing_errors;
	uint64_t gaps;			/* packets given up for lack of bytes */
	uint64_t tx_bytes;
	uint64_t tx_packets;
	uint64_t silenced;
	uint64_t overflows;
};

struct bus {
	struct device devices[BUS_DEVICES_MAX];
	size_t device_count;
	unsigned int baud;
	bool wire_time;
	FILE *trace;

	struct dxl_decoder decoder;
	u8 rx_buf[DXL1_PACKET_MAX];
	nsec_t rx_last;			/* when bytes came in last */
	nsec_t rx_end;			/* when the last of them is off the line */
	nsec_t tx_end;			/* likewise for answers */
	struct queue answers;

	struct faults faults;
	struct bus_stats stats;
};

void bus_init(struct bus *bus, unsigned int baud);
struct device *bus_add(struct bus *bus, const struct model *model, u8 id,
		       const char *label, nsec_t now);
void bus_receive(struct bus *bus, const u8 *bytes, size_t len, nsec_t now);
size_t bus_send(struct bus *bus, u8 *bytes, nsec_t now);
nsec_t bus_due(const struct bus *bus);
void bus_hang_up(struct bus *bus);
void bus_clear_stats(struct bus *bus);

#endif
