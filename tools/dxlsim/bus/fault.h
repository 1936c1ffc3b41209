/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults of the line: what may befall an answer or a request on its way. Each
 * has a share of the packets that it hits, and a number of packets that it is to
 * hit next, both for all devices and for single IDs.
 */
#ifndef DXLSIM_FAULT_H
#define DXLSIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/dxl/packet.h>

#include "../base/base.h"

#define FAULT_SCALE	1000000		/* shares are counted in millionths */
#define FAULT_KINDS	16
#define FAULT_IDS	256
#define FAULT_ANY_ID	255		/* where the settings for all IDs are */
#define FAULT_BYTES	4096		/* room for an answer and what is added */

enum fault_stage { FAULT_FRAMING, FAULT_ANSWER, FAULT_REQUEST };

/* A packet that a fault may change; the results below it begin as 0. */
struct mishap {
	enum dxl_protocol protocol;
	u8 id;
	u8 *bytes;		/* of an answer, with room for FAULT_BYTES */
	size_t len;		/* none left: it does not get onto the line */

	bool damaged;		/* what is sent is not what was to be sent */
	nsec_t late;
	nsec_t stall;		/* pause in front of the byte @stall_at */
	size_t stall_at;
	size_t overrun;		/* so many bytes from @overrun_at are not heard */
	size_t overrun_at;
	bool reset;		/* the device resets itself when it has sent */
	nsec_t deaf;		/* for so long from then on */

	bool lost;		/* the request is heard by nobody */
	bool spoiled;		/* the request comes with a wrong checksum */
	bool echo;		/* the request comes back to the controller */
	nsec_t unplug;		/* the adapter is gone for so long */
};

struct fault_kind {
	const char *name;
	const char *done;	/* name of its count in the statistics */
	const char *help;
	enum fault_stage stage;
	const char *unit;	/* name of its value, or NULL */
	uint32_t value;		/* as long as no other has been set */
	void (*apply)(struct mishap *mishap, uint32_t value, uint64_t *random);
};

struct fault_setting {
	uint32_t share;
	uint32_t next;
	uint32_t value;		/* 0: the kind's own */
};

struct faults {
	uint64_t random[FAULT_KINDS];
	struct fault_setting setting[FAULT_KINDS][FAULT_IDS];
	uint64_t count[FAULT_KINDS][FAULT_IDS];
};

const struct fault_kind *fault_kind(unsigned int index);
int fault_find(const char *name);
void faults_seed(struct faults *faults, uint64_t seed);
void faults_clear(struct faults *faults);
void faults_clear_counts(struct faults *faults);
uint64_t faults_count(const struct faults *faults, unsigned int kind);
bool faults_always(const struct faults *faults, const char *name);
void faults_apply(struct faults *faults, enum fault_stage stage,
		  struct mishap *mishap);

#endif
