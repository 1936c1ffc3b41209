// SPDX-License-Identifier: GPL-2.0-or-later
/* naohw rest and naohw wake */
#include <stdio.h>

#include "cli.h"
#include "guard_words.h"
#include "interrupt.h"
#include "monotonic.h"
#include "resting.h"
#include "with_dcm.h"

#define LOOK_MS 20
/* In which the host has begun what it is told, and in which all torque has come */
#define BEGIN_MS 1000
#define WAKE_MS	 2500
#define CRASH_MS 8000

static int rest(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	struct naohw_error err;
	int status = STATUS_OK;

	(void)robot;
	if (naohw_dcm_rest(dcm, &err) < 0)
		return complain("%s", err.message);
	for (int waited = 0; !naohw_dcm_is_resting(dcm) && waited < BEGIN_MS; waited += LOOK_MS)
		monotonic_sleep_ms(LOOK_MS);
	status = await_rest(dcm);
	if (status != STATUS_OK)
		return status;
	if (!naohw_dcm_is_resting(dcm))
		return complain("the robot does not rest: another program has made it wake up");
	printf("The robot is at rest, and has no torque. A naohwd keeps it so until \"naohw wake\".\n");
	return STATUS_OK;
}

/* Is it a joint that has no torque, for a reason that is a fault? @count: of all joints */
static bool is_limp(const struct naohw_dcm *dcm, size_t slot, const char *name, unsigned int *count)
{
	struct naohw_value value;

	if (!guard_label(name) || naohw_store_read(naohw_dcm_store(dcm), slot, &value) < 0)
		return false;
	(*count)++;
	return guard_words[guard_reason(value.text)].is_fault;
}

static int tell_awake(const struct naohw_dcm *dcm)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	unsigned int joints = 0, limp = 0;
	const char *name;

	for (size_t i = 0; (name = naohw_store_name(store, i)); i++)
		limp += is_limp(dcm, i, name, &joints);
	if (limp && limp == joints)
		return complain("no joint is stiff: naohw list says why");
	printf("The robot is awake: its joints are stiff where they are%s", limp ? ", but for" : "");
	for (size_t i = 0; (name = naohw_store_name(store, i)); i++)
		if (is_limp(dcm, i, name, &joints))
			printf(" %s", guard_label(name));
	printf("%s.\n", limp ? "; \"naohw list\" says why" : "");
	return STATUS_OK;
}

static int wake(const struct naohw_robot *robot, struct naohw_dcm *dcm)
{
	struct naohw_value why;
	struct naohw_error err;
	int status;

	(void)robot;
	if (naohw_dcm_wake_up(dcm, &err) < 0)
		return complain("%s", err.message);
	/* After a crash the host waits until it has run for some seconds itself. */
	for (int waited = 0; naohw_dcm_is_resting(dcm) && waited < CRASH_MS; waited += LOOK_MS) {
		status = wait_ms(dcm, LOOK_MS);
		if (status != STATUS_OK)
			return status;
	}
	status = wait_ms(dcm, WAKE_MS);
	if (status != STATUS_OK)
		return status;
	if (naohw_dcm_is_resting(dcm)) {
		read_key(dcm, "DCM/WakeUpForbidden", &why);
		return complain("the robot still rests: %s", *why.text ? why.text : "another program had it rest");
	}
	return tell_awake(dcm);
}

int cmd_rest(const struct cli *cli)
{
	return with_dcm(cli, rest);
}

int cmd_wake(const struct cli *cli)
{
	return with_dcm(cli, wake);
}
