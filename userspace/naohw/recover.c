// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>

#include "cli.h"
#include "guard_words.h"
#include "interrupt.h"
#include "monotonic.h"
#include "with_dcm.h"

/* The kernel takes 2 s, and a little for what it asks the servos before. */
#define PATIENCE_MS 6000
#define LOOK_MS	    20

/* A servo may have lost its torque by itself, while its stream runs. @limp: a joint without any */
static enum naohw_stream worst_of_joints(const struct naohw_store *store, bool asks,
					 const char **limp)
{
	enum naohw_stream worst = NAOHW_STREAM_RUNNING;
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++) {
		enum guard_reason reason;
		struct naohw_value value;

		if (!guard_label(name) || naohw_store_read(store, i, &value) < 0)
			continue;
		reason = guard_reason(value.text);
		/* One that the diagnosis has rest may have lost its torque, too; one that was blocked may go on. */
		if (reason == GUARD_TRIPPED || reason == GUARD_SHUT_DOWN ||
		    (asks && (reason == GUARD_DIAGNOSIS || reason == GUARD_STALLED))) {
			*limp = guard_label(name);
			return NAOHW_STREAM_TRIPPED;
		}
		if (reason == GUARD_RECOVERING)
			worst = NAOHW_STREAM_RECOVERING;
	}
	return worst;
}

/* @asks: whether there may be something to bring back, and not whether it is back */
static enum naohw_stream stream_of(const struct naohw_dcm *dcm, bool asks, const char **limp)
{
	enum naohw_stream stream = naohw_dcm_get_stream(dcm);

	*limp = NULL;
	if (stream != NAOHW_STREAM_RUNNING)
		return stream;
	return worst_of_joints(naohw_dcm_store(dcm), asks, limp);
}

static int has_not_come(const char *limp)
{
	return complain("%s%sthe torque has not come back within %d ms", limp ? limp : "",
			limp ? ": " : "", PATIENCE_MS);
}

/* Where one bus has gone meanwhile the others still need somebody to watch. */
static int wait_for_torque(const struct naohw_dcm *dcm)
{
	const char *limp;

	for (int waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
		if (is_interrupted()) {
			complain("interrupted before all of the torque was back");
			return STATUS_INTERRUPTED;
		}
		monotonic_sleep_ms(LOOK_MS);
		if (stream_of(dcm, false, &limp) == NAOHW_STREAM_RUNNING) {
			printf("All joints have their torque.\n");
			return STATUS_OK;
		}
	}
	return has_not_come(limp);
}

static bool has_several_buses(const struct naohw_robot *robot)
{
	size_t count = naohw_robot_joint_count(robot);
	unsigned int first, other, id;

	if (!count || naohw_joint_get_place(robot, 0, &first, &id) < 0)
		return false;
	for (size_t i = 1; i < count; i++)
		if (naohw_joint_get_place(robot, i, &other, &id) == 0 && other != first)
			return true;
	return false;
}

/* Nothing is commanded: all joints stay where the kernel finds them. */
static int recover(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	struct naohw_error err;
	const char *limp;
	bool failed;

	if (stream_of(dcm, true, &limp) == NAOHW_STREAM_RUNNING) {
		printf("No joint has lost its torque: there is nothing to bring back.\n");
		return STATUS_OK;
	}
	failed = naohw_dcm_recover(dcm, &err) < 0;
	if (failed)
		complain("%s", err.message);
	/* What can be helped is, and needs somebody to watch till it has its torque. */
	if (failed && !has_several_buses(robot))
		return STATUS_FAILED;
	return wait_for_torque(dcm);
}

int cmd_recover(const struct cli *cli)
{
	return with_dcm(cli, recover);
}
