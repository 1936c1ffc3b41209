/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a CM-510 answers, by Documentation/boards/cm-510.rst, for whatever claims to be one:
 * the firmware's core, the firmware itself, and dxlsim's model.
 */
#ifndef CM510_TESTS_CASES_H
#define CM510_TESTS_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	size_t len;
	uint8_t bytes[40];
};

/* One thing that happens */
struct step {
	struct bytes send;	/* ID, instruction, parameters */
	struct bytes raw;	/* or what is on the line */
	bool power;		/* or the supply, off and on */
	struct bytes answer;	/* ID, error, parameters; none: silence */
};

struct testcase {
	const char *name;
	const struct step *steps;
	size_t count;
};

extern const struct testcase testcases[];
extern const size_t testcase_count;

/*
 * The board that is tested. After what it was sent it is given the time that it may take,
 * also for its EEPROM, before it is asked what it has said.
 */
struct board_under_test {
	void (*renew)(void *board);	/* as from the factory */
	void (*power_cycle)(void *board);
	void (*send)(void *board, const uint8_t *bytes, size_t len);
	/* All that it has said since it was asked last */
	size_t (*heard)(void *board, uint8_t *bytes, size_t size);
};

/* Fails, as cmocka does, with the name of the case and the number of its step. */
void testcases_run(const struct board_under_test *ops, void *board);

#endif
