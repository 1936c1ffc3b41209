// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "frames.h"
#include "monotonic.h"

#define PATIENCE_MS 2000
#define LOOK_MS	    20
#define NS_PER_MS   1000000
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

/* A bus of another machine, or the only one, may be known to a robot that is opened again. */
static int let_go(const struct cli *cli, struct naohw_robot *robot, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (int64_t)PATIENCE_MS * NS_PER_MS;
	int ret = naohw_robot_limp(robot, err);

	while (ret == -ENODEV && monotonic_ns() < deadline) {
		monotonic_sleep_ms(LOOK_MS);
		ret = limp_once(cli, err);
	}
	return ret;
}

/* From then on its commands are dropped, and "naohw recover" finds joints to bring back. */
static void wait_for_naohwd(const struct naohw_dcm *dcm)
{
	for (int waited = 0; !naohw_dcm_is_limp(dcm) && waited < PATIENCE_MS; waited += LOOK_MS)
		monotonic_sleep_ms(LOOK_MS);
}

/*
 * This program tells the kernel, as naohwd may hang. A user who may not do that has naohwd do it.
 */
static int limp(const struct cli *cli, struct naohw_robot *robot)
{
	struct naohw_dcm *dcm = NULL;
	struct naohw_error err, of_dcm;
	int ret = let_go(cli, robot, &err);

	if (try_naohwd(robot, &dcm, &of_dcm) == 0 && dcm && ret < 0)
		ret = naohw_dcm_limp(dcm, &err);
	if (dcm && ret == 0)
		wait_for_naohwd(dcm);
	naohw_dcm_close(dcm);
	return ret < 0 ? complain("%s", err.message) : STATUS_OK;
}

static int run(const struct cli *cli, struct naohw_robot *robot)
{
	int status = cli->line.option[OPTION_YES] ? STATUS_OK : ask(robot);

	if (status == STATUS_OK)
		status = limp(cli, robot);
	if (status == STATUS_OK)
		printf("All joints are let go, and get no torque until \"naohw recover\".\n");
	return status;
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
