// SPDX-License-Identifier: GPL-2.0-or-later
/* The model of the CM-510 by the cases of its firmware. */
#include "cmocka_all.h"

#include <string.h>

#include "../../firmware/cm-510/tests/cases.h"
#include "harness.h"

#define ID	200
/* For a packet that has broken off to be given up, and for a start */
#define PAUSE	1.5

static void renew(void *board)
{
	struct rig **rig = board;

	if (*rig)
		rig_free(*rig);
	*rig = rig_new();
	rig_add(*rig, &model_cm510, ID);
}

static void power_cycle(void *board)
{
	struct rig *rig = *(struct rig **)board;

	device_power_cycle(&rig->bus.devices[0], rig->now);
	rig_wait(rig, PAUSE);
}

static void send_bytes(void *board, const uint8_t *bytes, size_t len)
{
	struct rig *rig = *(struct rig **)board;

	bus_receive(&rig->bus, bytes, len, rig->now);
	rig_run(rig);
	rig_wait(rig, PAUSE);
}

static size_t heard(void *board, uint8_t *bytes, size_t size)
{
	struct rig *rig = *(struct rig **)board;
	size_t len = rig->len;

	assert_true(len <= size);
	memcpy(bytes, rig->bytes, len);
	rig->len = 0;

	return len;
}

static void it_is_as_its_firmware(void **state)
{
	static const struct board_under_test ops = {
		.renew = renew,
		.power_cycle = power_cycle,
		.send = send_bytes,
		.heard = heard,
	};
	struct rig *rig = NULL;

	(void)state;
	testcases_run(&ops, &rig);
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_as_its_firmware),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
