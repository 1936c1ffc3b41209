// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const char *type_name(enum naohw_key_type type)
{
	switch (type) {
	case NAOHW_KEY_FLOAT:
		return "float";
	case NAOHW_KEY_INT:
		return "int";
	case NAOHW_KEY_STRING:
		return "string";
	case NAOHW_KEY_BOOL:
		return "bool";
	}
	return "?";
}

#define HEADING "%-16s %3s  %-8s %5s  %8s  %s\n"

static void print_joint(const struct naohw_robot *robot, size_t joint)
{
	const char *label = naohw_joint_label(robot, joint);
	const char *model = naohw_joint_model(robot, joint);
	char place[16] = "-", number[16] = "-", version[16] = "-";
	unsigned int bus, id, model_number, firmware;

	if (!model) {
		printf("%-16s not there: no IIO device has this label\n", label);
		return;
	}
	if (naohw_joint_get_place(robot, joint, &bus, &id) == 0)
		snprintf(place, sizeof(place), "%u", id);
	if (naohw_joint_get_version(robot, joint, &model_number, &firmware) == 0) {
		snprintf(number, sizeof(number), "%u", model_number);
		snprintf(version, sizeof(version), "%u", firmware);
	}
	printf(HEADING, label, place, model, number, version, naohw_joint_iio_id(robot, joint));
}

static size_t print_joints(const struct naohw_robot *robot)
{
	size_t count = naohw_robot_joint_count(robot), there = 0;

	printf(HEADING, "Joint", "ID", "Model", "No.", "Firmware", "Device");
	for (size_t i = 0; i < count; i++) {
		print_joint(robot, i);
		there += naohw_joint_model(robot, i) != NULL;
	}
	printf("%zu of %zu joints are there (%s)\n", there, count, naohw_robot_path(robot));
	return there;
}

static void print_keys(const struct naohw_robot *robot)
{
	struct naohw_key *key;

	printf("\n%-6s %-8s %s\n", "Type", "Access", "Key");
	for (size_t i = 0; (key = naohw_robot_key_at(robot, i)); i++)
		printf("%-6s %-8s %s\n", type_name(naohw_key_get_type(key)),
		       naohw_key_is_writable(key) ? "get set" : "get", naohw_key_name(key));
}

int cmd_list(const struct cli *cli)
{
	struct naohw_robot *robot;
	size_t there;

	if (cli->line.operand_count)
		return complain_usage("\"%s\" is one argument too many", cli->line.operand[0]);
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	there = print_joints(robot);
	if (cli->line.option[OPTION_KEYS])
		print_keys(robot);
	naohw_robot_close(robot);
	return there ? STATUS_OK : STATUS_FAILED;
}
