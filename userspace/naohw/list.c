// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
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

static void number_or_dash(int number, char *text, size_t size)
{
	snprintf(text, size, number < 0 ? "-" : "%d", number);
}

static void print_joint(const struct naohw_joint *joint)
{
	struct naohw_joint_info info;
	char id[16], model[16], firmware[16];

	naohw_joint_get_info(joint, &info);
	if (!info.model) {
		printf("%-16s not there: no IIO device has this label\n", info.label);
		return;
	}
	number_or_dash(info.bus_id, id, sizeof(id));
	number_or_dash(info.model_number, model, sizeof(model));
	number_or_dash(info.firmware, firmware, sizeof(firmware));
	printf("%-16s %3s  %-8s %5s  %8s  %s\n", info.label, id, info.model, model, firmware,
	       info.iio_id);
}

static size_t print_joints(const struct naohw_robot *robot)
{
	size_t count = naohw_robot_joint_count(robot), there = 0;
	struct naohw_joint_info info;

	printf("%-16s %3s  %-8s %5s  %8s  %s\n", "Joint", "ID", "Model", "No.", "Firmware",
	       "Device");
	for (size_t i = 0; i < count; i++) {
		const struct naohw_joint *joint = naohw_robot_joint_at(robot, i);

		print_joint(joint);
		naohw_joint_get_info(joint, &info);
		there += info.model != NULL;
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

int cmd_list(struct cli *cli, int argc, char **argv)
{
	static const struct option options[] = {
		{ "keys", no_argument, NULL, 'k' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct naohw_robot *robot;
	bool keys = false;
	size_t there;
	int option;

	while ((option = getopt_long(argc, argv, "kvh", options, NULL)) >= 0) {
		if (option != 'k' && option != 'v')
			return common_option(cli, option);
		keys = true;
	}
	if (optind < argc)
		return complain_usage(cli, "\"%s\" is one argument too many", argv[optind]);
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	there = print_joints(robot);
	if (keys)
		print_keys(robot);
	naohw_robot_close(robot);
	return there ? STATUS_OK : STATUS_FAILED;
}
