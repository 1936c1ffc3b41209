/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the board does with an instruction, and what it answers */
#ifndef CM510_SLAVE_H
#define CM510_SLAVE_H

#include "receiver.h"
#include "table.h"

#define ANSWER_MAX	(6 + MAP_SIZE)

struct answer {
	uint8_t len;		/* 0: there is none */
	uint8_t bytes[ANSWER_MAX];
};

struct slave {
	struct table table;
	bool reset;		/* slave_restart() is due before anything else is received */
	uint8_t registered_addr;
	uint8_t registered_len;	/* 0: nothing waits for ACTION */
	uint8_t registered[MAP_SIZE];
};

/* As a new board */
void slave_init(struct slave *slave);

/* What RESET asks for: as a new board that has measured already; so its EEPROM is to be */
void slave_restart(struct slave *slave);

/* Is what was received for the board, alone or among others? */
bool slave_concerned(const struct slave *slave, const struct receiver *receiver);

/*
 * Carry out what was received if it concerns the board. The answer is as the board was
 * set before.
 */
void slave_execute(struct slave *slave, const struct receiver *receiver, enum received received,
		   struct answer *answer);

#endif
