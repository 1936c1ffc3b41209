// SPDX-License-Identifier: GPL-2.0-or-later
/* naohw rest and naohw wake */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "guard_words.h"
#include "interrupt.h"
#include "monotonic.h"
#include "with_dcm.h"

#define REST_KEY "DCM/Rest"
#define AT_REST	 "at rest"
#define LOOK_MS	 20
/* The farthest way at the least speed, and what joints may take behind that; and for torque to come */
#define REST_PATIENCE_MS 60000
#define WAKE_MS		 2500

static bool is_at_rest(const struct naohw_dcm *dcm)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	struct naohw_value value;
	size_t slot;

	return naohw_store_find(store, REST_KEY, &slot) == 0 &&
	       naohw_store_read(store, slot, &value) == 0 && strcmp(value.text, AT_REST) == 0;
}

static int interrupted(void)
{
	complain("interrupted");
	return STATUS_INTERRUPTED;
}

static int rest(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	struct naohw_error err;

	(void)robot;
	if (naohw_dcm_rest(dcm, &err) < 0)
		return complain("%s", err.message);
	for (int waited = 0; waited < REST_PATIENCE_MS; waited += LOOK_MS) {
		if (is_interrupted())
			return interrupted();
		if (is_at_rest(dcm)) {
			printf("The robot is at rest, and has no torque. Its host keeps it so until "
			       "\"naohw wake\".\n");
			return STATUS_OK;
		}
		monotonic_sleep_ms(LOOK_MS);
	}
	return complain("the robot is not at rest within %d s", REST_PATIENCE_MS / 1000);
}

/* Joints that are not stiff now, in a line of their own */
static void list_limp(const struct naohw_dcm *dcm)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	unsigned int count = 0;
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++) {
		struct naohw_value value;

		if (!guard_label(name) || naohw_store_read(store, i, &value) < 0 ||
		    !guard_words[guard_reason(value.text)].is_fault)
			continue;
		printf("%s%s", count++ ? " " : "But for: ", guard_label(name));
	}
	if (count)
		printf(". \"naohw list\" says why.\n");
}

static int wake(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	struct naohw_error err;

	(void)robot;
	if (naohw_dcm_wake_up(dcm, &err) < 0)
		return complain("%s", err.message);
	for (int waited = 0; waited < WAKE_MS; waited += LOOK_MS) {
		if (is_interrupted())
			return interrupted();
		monotonic_sleep_ms(LOOK_MS);
	}
	printf("The robot is awake: its joints are stiff where they are.\n");
	list_limp(dcm);
	return STATUS_OK;
}

int cmd_rest(const struct cli *cli)
{
	return with_dcm(cli, rest);
}

int cmd_wake(const struct cli *cli)
{
	return with_dcm(cli, wake);
}
