// SPDX-License-Identifier: GPL-2.0-or-later
/* naohw doctor: what is there, what is missing and why, and what to do about it. */
#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static int look_and_examine(int root, const struct cli *cli)
{
	struct patient patient;
	int status;

	if (patient_look(&patient, root, cli->robot))
		status = examine(&patient, cli->line.option[OPTION_JSON]);
	else
		status = complain("%s", strerror(ENOMEM));
	patient_free(&patient);
	return status;
}

int cmd_doctor(const struct cli *cli)
{
	int root, status;

	if (cli->line.operand_count)
		return complain_usage("\"%s\" is one argument too many", cli->line.operand[0]);
	root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return complain("/: %s", strerror(errno));
	status = look_and_examine(root, cli);
	close(root);
	return status;
}
