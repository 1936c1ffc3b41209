/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction being carried out, and what those of both protocols share. */
#ifndef DXLSIM_REQUEST_H
#define DXLSIM_REQUEST_H

#include "instructions.h"

/* Status Return Level from which on an instruction is answered. */
enum level { ANSWER_ALWAYS, ANSWER_READS, ANSWER_ALL };

struct request {
	struct device *dev;
	const u8 *params;
	unsigned int len;
	u8 id;			/* to which it was sent */
	nsec_t now;
	struct answer *answer;
};

struct instruction {
	u8 code;
	enum level level;
	enum refusal (*execute)(struct request *request);
};

struct instructions {
	const struct instruction *list;
	size_t count;
};

extern const struct instructions instructions_1;
extern const struct instructions instructions_2;

enum refusal request_read(struct request *request, struct span span);
enum refusal request_write(struct request *request, struct span span,
			   const u8 *data);
enum refusal request_register(struct request *request, struct span span,
			      const u8 *data);
enum refusal request_action(struct request *request);
enum refusal request_write_entries(struct request *request, unsigned int first,
				   struct span span);

#endif
