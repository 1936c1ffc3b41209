// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "frames.h"
#include "monotonic.h"

/* The kernel registers a bus's device anew when a program begins or ends to move the robot. */
#define PATIENCE_MS 2000
#define LOOK_MS	    20
#define ANSWER_SIZE 16

/* ---- asking ---- */

static bool is_yes(const char *answer)
{
	return strcmp(answer, "y\n") == 0 || strcmp(answer, "yes\n") == 0;
}

static int ask(const struct naohw_robot *robot)
{
	char answer[ANSWER_SIZE];

	if (!isatty(STDIN_FILENO))
		return complain_usage("no terminal to ask at, expected --yes");
	printf("All joints of %s lose their torque, whichever program moves them. A robot that stands "
	       "falls.\nLet it go? [y/N] ", naohw_robot_path(robot));
	fflush(stdout);
	if (fgets(answer, sizeof(answer), stdin) && is_yes(answer))
		return STATUS_OK;
	return complain("nothing was let go");
}

/* ---- letting go ---- */

static int limp_once(const struct cli *cli, struct naohw_error *err)
{
	struct naohw_robot *robot;
	int ret = try_robot(cli, &robot, err);

	if (ret < 0)
		return ret;
	ret = naohw_robot_limp(robot, err);
	naohw_robot_close(robot);
	return ret;
}

/* What is known of devices is as old as the robot. */
static int limp(const struct cli *cli, struct naohw_robot *robot)
{
	struct naohw_error err;
	int ret = naohw_robot_limp(robot, &err);

	for (int waited = 0; ret == -ENODEV && waited < PATIENCE_MS; waited += LOOK_MS) {
		monotonic_sleep_ms(LOOK_MS);
		ret = limp_once(cli, &err);
	}
	return ret < 0 ? complain("%s", err.message) : STATUS_OK;
}

/* From then on its commands are dropped, and "naohw recover" finds joints to bring back. */
static void wait_for_naohwd(struct naohw_robot *robot)
{
	struct naohw_dcm *dcm;
	struct naohw_error err;

	if (try_naohwd(robot, &dcm, &err) < 0 || !dcm)
		return;
	for (int waited = 0; !naohw_dcm_is_limp(dcm) && waited < PATIENCE_MS; waited += LOOK_MS)
		monotonic_sleep_ms(LOOK_MS);
	close_dcm(dcm);
}

static int run(const struct cli *cli, struct naohw_robot *robot)
{
	int status = cli->line.option[OPTION_YES] ? STATUS_OK : ask(robot);

	if (status == STATUS_OK)
		status = limp(cli, robot);
	if (status != STATUS_OK)
		return status;
	wait_for_naohwd(robot);
	printf("All joints are let go, and get no torque until \"naohw recover\".\n");
	return STATUS_OK;
}

int cmd_limp(const struct cli *cli)
{
	struct naohw_robot *robot;
	int status;

	if (cli->line.operand_count)
		return complain_usage("\"%s\" is one argument too many", cli->line.operand[0]);
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	status = run(cli, robot);
	naohw_robot_close(robot);
	return status;
}
