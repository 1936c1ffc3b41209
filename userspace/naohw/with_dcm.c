// SPDX-License-Identifier: GPL-2.0-or-later
#include "with_dcm.h"

#include "frames.h"
#include "interrupt.h"
#include "output.h"

static int run(struct naohw_robot *robot,
	       int (*what)(const struct naohw_robot *robot, struct naohw_dcm *dcm))
{
	struct naohw_dcm *dcm = NULL;
	struct naohw_error err;
	int ret, status = output_begin();

	if (status != STATUS_OK)
		return status;
	catch_interrupts_of_stream();
	ret = naohw_dcm_open(robot, NULL, &dcm, &err);
	if (ret == 0 && !is_interrupted())
		ret = await_dcm(dcm, &err);
	if (is_interrupted())
		status = STATUS_INTERRUPTED;
	else
		status = ret < 0 ? complain("%s", err.message) : what(robot, dcm);
	naohw_dcm_close(dcm);
	release_interrupts();
	return output_end(status);
}

int with_dcm(const struct cli *cli,
	     int (*what)(const struct naohw_robot *robot, struct naohw_dcm *dcm))
{
	struct naohw_robot *robot;
	int status;

	if (cli->line.operand_count)
		return complain_usage("\"%s\" is one argument too many", cli->line.operand[0]);
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	status = run(robot, what);
	naohw_robot_close(robot);
	return status;
}
