/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A controller's side of the bus in virtual time. It frames and checks packets
 * by itself, so that the codec is not tested against the codec.
 */
#ifndef DXLSIM_TESTS_HARNESS_H
#define DXLSIM_TESTS_HARNESS_H

#include "../bus.h"

struct rig {
	struct bus bus;
	nsec_t now;
};

struct reply {
	int id;			/* -1: no answer came */
	u8 error;
	size_t len;
	u8 params[256];
};

struct rig *rig_new(void);
void rig_free(struct rig *rig);
struct device *rig_add(struct rig *rig, const struct model *model, u8 id);
void rig_wait(struct rig *rig, double seconds);

size_t frame(u8 *bytes, u8 id, u8 instruction, const u8 *params, size_t len);
void rig_send(struct rig *rig, u8 id, u8 instruction, const u8 *params,
	      size_t len);
struct reply rig_reply(struct rig *rig);
struct reply rig_ask(struct rig *rig, u8 id, u8 instruction, const u8 *params,
		     size_t len);

struct reply rig_ping(struct rig *rig, u8 id);
struct reply rig_read(struct rig *rig, u8 id, u8 addr, u8 len);
struct reply rig_write(struct rig *rig, u8 id, u8 addr, const u8 *data,
		       size_t len);
u8 rig_write8(struct rig *rig, u8 id, u8 addr, unsigned int value);
u8 rig_write16(struct rig *rig, u8 id, u8 addr, unsigned int value);
unsigned int rig_read8(struct rig *rig, u8 id, u8 addr);
unsigned int rig_read16(struct rig *rig, u8 id, u8 addr);

#endif
