/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bus: bytes of instructions go in, bytes of answers come out. It knows
 * nothing of files and sockets, and time is passed in.
 */
#ifndef DXLSIM_BUS_H
#define DXLSIM_BUS_H

#include <stdio.h>

#include <linux/dxl/packet.h>

#include "../body/body.h"
#include "../devices/devices.h"
#include "../instructions/instructions.h"
#include "../physics/physics.h"
#include "battery.h"
#include "chain.h"
#include "count.h"
#include "fault.h"
#include "line.h"

#define BUS_TWINS_MAX	16
#define BUS_DEVICES_MAX	(DXL_ID_MAX + 1 + BUS_TWINS_MAX)
#define BUS_REQUEST_MAX	4096	/* longest packet that a device takes */
#define BUS_IDS		256
#define BUS_NO_ID	255	/* where what concerns no device is counted */

struct bus_stats {
	uint64_t rx_bytes;
	uint64_t rx_packets;
	uint64_t rx_kind[256];		/* by instruction */
	uint64_t rx_protocol2;
	uint64_t checksum_errors;
	uint64_t framing_errors;
	uint64_t gaps;			/* packets given up for lack of bytes */
	uint64_t tx_bytes;
	uint64_t overflows;
	uint64_t unplugged_bytes;	/* sent while the adapter was not there */
	uint64_t output_flushes;	/* by the client of a pty */
	uint64_t delivered_bytes;	/* to the controller, whoever they are from */
	struct counts id[BUS_IDS];
};

/* What the bus knows of a device beside the device itself. */
struct station {
	nsec_t deaf_until;
	nsec_t sending_from;		/* its last answer */
	nsec_t sending_until;
	nsec_t turn_until;		/* deaf while it waits in a fast chain */
	bool hears;			/* it has heard the last packet */
	bool twin;			/* a second device with another's ID */
};

/* When the packet that is being received began, and what was before it. */
struct hearing {
	bool open;			/* more of it may come */
	nsec_t start;
	nsec_t quiet;			/* silence on the line before it */
	u16 talk;
	u16 packet;
};

struct bus {
	struct device devices[BUS_DEVICES_MAX];
	struct station stations[BUS_DEVICES_MAX];
	size_t device_count;
	unsigned int baud;
	bool wire_time;
	nsec_t turnaround;		/* of every device, beside its return delay */
	nsec_t unplugged_until;		/* 0: the adapter is there */
	FILE *trace;

	struct dxl_decoder decoder;
	u8 rx_buf[BUS_REQUEST_MAX];
	struct hearing hearing;
	nsec_t rx_end;			/* when the last byte is off the line */
	struct line line;
	struct chain chain;

	struct body body;
	struct battery battery;
	struct faults faults;
	uint64_t seed;			/* of these, and of noise */
	struct bus_stats stats;
};

void bus_init(struct bus *bus, unsigned int baud);
void bus_seed(struct bus *bus, uint64_t seed);
struct device *bus_add(struct bus *bus, const struct model *model, u8 id,
		       const char *label, nsec_t now);
size_t bus_embody(struct bus *bus, struct world *world);
bool bus_add_twin(struct bus *bus, const struct device *dev, nsec_t now);
void bus_remove_twins(struct bus *bus, u8 id);
void bus_receive(struct bus *bus, const u8 *bytes, size_t len, nsec_t now);
size_t bus_send(struct bus *bus, u8 *bytes, nsec_t now);
nsec_t bus_due(const struct bus *bus);
void bus_hang_up(struct bus *bus);
void bus_clear_stats(struct bus *bus);
uint64_t bus_count(const struct bus *bus, enum count count);

void bus_feed(struct bus *bus, nsec_t now);
void bus_deafen(struct bus *bus, struct device *dev, nsec_t until);
void bus_reset_device(struct bus *bus, struct device *dev, nsec_t now);
bool bus_say(struct bus *bus, const u8 *bytes, size_t len, nsec_t now);
void bus_unplug(struct bus *bus, nsec_t until);
void bus_plug(struct bus *bus);
bool bus_unplugged(const struct bus *bus, nsec_t now);

#endif
