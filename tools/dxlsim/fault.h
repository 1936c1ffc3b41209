/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults of the line: what may befall an answer on its way. */
#ifndef DXLSIM_FAULT_H
#define DXLSIM_FAULT_H

#include <stdint.h>

#include <linux/types.h>

#define FAULT_SCALE	1000000		/* shares are counted in millionths */
#define FAULT_KINDS	2

/* An answer as bytes. A fault may change them; none left: nothing is sent. */
struct wire_answer {
	u8 *bytes;
	size_t len;
};

struct fault_kind {
	const char *name;
	const char *done;	/* name of its count in the statistics */
	const char *help;
	void (*apply)(struct wire_answer *answer, uint64_t *random);
};

struct faults {
	uint64_t random;
	uint32_t share[FAULT_KINDS];
	uint64_t count[FAULT_KINDS];
};

const struct fault_kind *fault_kind(unsigned int index);
int fault_find(const char *name);
void faults_apply(struct faults *faults, struct wire_answer *answer);

#endif
