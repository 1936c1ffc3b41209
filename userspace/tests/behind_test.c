// SPDX-License-Identifier: GPL-2.0-or-later
/* Joints that do not move are told by reason, however many there are. */
#include "support.h"

#include <stdlib.h>

#include "../naohw/behind.h"

#define JOINTS 60
#define LABEL  "A joint with a long name %d"

static void all_joints_of_a_reason_are_told(void **state)
{
	struct behind behind = { 0 };
	char label[64], *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	assert_non_null(to);
	for (int i = 0; i < JOINTS; i++) {
		snprintf(label, sizeof(label), LABEL, i);
		behind_add(&behind, label, naohw_reason_of(i % 2 ? "tripped" : "limp"));
		behind_add(&behind, label, naohw_reason_of(""));
	}
	behind_tell(&behind, to);
	fclose(to);
	for (int i = 0; i < JOINTS; i++) {
		snprintf(label, sizeof(label), LABEL "%s", i, i < JOINTS - 2 ? " " : ": ");
		assert_non_null(strstr(text, label));
	}
	/* One line for each */
	assert_ptr_equal(strchr(strchr(text, '\n') + 1, '\n') + 1, text + size);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_joints_of_a_reason_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
