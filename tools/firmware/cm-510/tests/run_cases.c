// SPDX-License-Identifier: GPL-2.0-or-later
#include "../../../dxlsim/tests/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "../../../dxlsim/tests/frame.h"
#include "cases.h"

#define HEARD_MAX	300

/* ID, instruction or error, and parameters, as a packet */
static size_t framed(uint8_t *out, const struct bytes *bytes)
{
	return frame(out, bytes->bytes[0], bytes->bytes[1], bytes->bytes + 2, bytes->len - 2);
}

static void print_bytes(const char *what, const uint8_t *bytes, size_t len)
{
	size_t i;

	print_error("%s:", what);
	for (i = 0; i < len; i++)
		print_error(" %02x", bytes[i]);
	print_error("\n");
}

static void send_step(const struct board_under_test *ops, void *board, const struct step *step)
{
	uint8_t bytes[HEARD_MAX];

	if (step->raw.len)
		ops->send(board, step->raw.bytes, step->raw.len);
	else
		ops->send(board, bytes, framed(bytes, &step->send));
}

static void check_answer(const struct board_under_test *ops, void *board,
			 const struct testcase *testcase, size_t number)
{
	const struct step *step = &testcase->steps[number];
	uint8_t heard[HEARD_MAX], expected[HEARD_MAX];
	size_t expected_len = step->answer.len ? framed(expected, &step->answer) : 0;
	size_t len = ops->heard(board, heard, sizeof(heard));

	if (len == expected_len && !memcmp(heard, expected, len))
		return;
	print_bytes("expected", expected, expected_len);
	print_bytes("heard", heard, len);
	fail_msg("%s: step %zu", testcase->name, number);
}

static void run(const struct board_under_test *ops, void *board, const struct testcase *testcase)
{
	size_t i;

	ops->renew(board);
	for (i = 0; i < testcase->count; i++) {
		if (testcase->steps[i].power) {
			ops->power_cycle(board);
			continue;
		}
		send_step(ops, board, &testcase->steps[i]);
		check_answer(ops, board, testcase, i);
	}
}

void testcases_run(const struct board_under_test *ops, void *board)
{
	size_t i;

	for (i = 0; i < testcase_count; i++)
		run(ops, board, &testcases[i]);
}
