/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A controller's side of the bus in virtual time. */
#ifndef DXLSIM_TESTS_HARNESS_H
#define DXLSIM_TESTS_HARNESS_H

#include "../bus/bus.h"
#include "../control/control.h"
#include "../models/models.h"
#include "frame.h"

#define RIG_BYTES	8192
#define REPLY_PARAMS	1100

struct rig {
	struct bus bus;
	struct control control;
	nsec_t now;
	u8 bytes[RIG_BYTES];	/* heard and not looked at yet */
	size_t len;
	nsec_t heard;		/* when the last of them came */
};

struct reply {
	int id;			/* -1: no answer came */
	int protocol;
	u8 error;
	size_t len;
	u8 params[REPLY_PARAMS];
};

struct rig *rig_new(void);
void rig_free(struct rig *rig);
struct device *rig_add(struct rig *rig, const struct model *model, u8 id);
void rig_wait(struct rig *rig, double seconds);

/* Have in the ports of a board what the device tree would say so. */
void plug(struct device *dev, const char *words);

/* --- the control commands --- */

struct desk {
	struct rig *rig;
	char *answer;
	bool stayed;		/* or the connection is to end */
};

struct desk *desk_new(void);
void desk_free(struct desk *desk);
const char *say(struct desk *desk, const char *line);

void told(struct rig *rig, const char *line, const char *expected);
void order(struct rig *rig, const char *line);

/* --- any bytes --- */

void rig_listen(struct rig *rig);
void rig_run(struct rig *rig);
void rig_forget(struct rig *rig);

/* --- Protocol 1.0 --- */

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

/* --- Protocol 2.0 --- */

void rig_send2(struct rig *rig, u8 id, u8 instruction, const u8 *params,
	       size_t len);
struct reply rig_ask2(struct rig *rig, u8 id, u8 instruction, const u8 *params,
		      size_t len);
struct reply rig_ping2(struct rig *rig, u8 id);
struct reply rig_read2(struct rig *rig, u8 id, u16 addr, u16 len);
struct reply rig_write2(struct rig *rig, u8 id, u16 addr, const u8 *data,
			size_t len);
int rig_value2(struct rig *rig, u8 id, u16 addr, unsigned int size);
u8 rig_set2(struct rig *rig, u8 id, u16 addr, unsigned int size, int value);

/* What the world does to a device, and no instruction. */
void rig_poke(struct rig *rig, u8 id, u16 addr, unsigned int size, int value);

#endif
