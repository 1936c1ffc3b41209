// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "behind.h"
#include "cli.h"
#include "frames.h"
#include "json.h"
#include "keys.h"
#include "monotonic.h"

#define NUMBER_SIZE 16
#define TORQUE_SIZE 32

struct joint {
	const char *label;
	const char *model; /* NULL: it is not there */
	const char *device;
	/* "" where it is not known */
	char id[NUMBER_SIZE];
	char number[NUMBER_SIZE];
	char firmware[NUMBER_SIZE];
	bool answers;
	const struct naohw_reason *reason;
	char torque[TORQUE_SIZE];
};

static struct joint joint_of(const struct naohw_robot *robot, size_t index)
{
	struct joint joint = {
		.label = naohw_joint_label(robot, index),
		.model = naohw_joint_model(robot, index),
		.device = naohw_joint_iio_id(robot, index),
	};
	unsigned int bus, id, number, firmware;

	if (naohw_joint_get_place(robot, index, &bus, &id) == 0)
		snprintf(joint.id, sizeof(joint.id), "%u", id);
	if (naohw_joint_get_version(robot, index, &number, &firmware) == 0) {
		snprintf(joint.number, sizeof(joint.number), "%u", number);
		snprintf(joint.firmware, sizeof(joint.firmware), "%u", firmware);
	}
	if (naohw_joint_read_torque(robot, index, joint.torque, sizeof(joint.torque)) < 0)
		*joint.torque = '\0';
	return joint;
}

/* One that does not have what it is asked for has answered. Returns how many have. */
static size_t ask(struct naohw_robot *robot, struct joint *joints, size_t count)
{
	size_t answers = 0;
	double position;

	for (size_t i = 0; i < count; i++) {
		struct joint *joint = &joints[i];

		if (!joint->model)
			continue;
		if (!joint->answers) {
			int ret = naohw_joint_read(robot, i, NAOHW_QUANTITY_POSITION, &position,
						   NULL);

			joint->answers = ret == 0 || ret == -ENOENT;
		}
		answers += joint->answers;
	}
	return answers;
}

/* What the kernel knows may be older than the question that has just had no answer. */
static const struct naohw_reason *reason_of(const struct naohw_robot *robot,
					    const struct naohw_dcm *dcm, const struct joint *joint,
					    size_t index)
{
	const struct naohw_reason *reason = naohw_joint_reason(robot, dcm, index);

	if (joint->model && !joint->answers && guard_reason(reason->word) < GUARD_NO_ANSWER)
		return naohw_reason_of("no-answer");
	return reason;
}

#define HEADING "%-16s %3s  %-8s %5s  %8s  %-13s  %s\n"

static const char *or_dash(const char *text)
{
	return *text ? text : "-";
}

/* Why it does not move, or else what the kernel knows of its torque */
static const char *state_of(const struct joint *joint)
{
	return *joint->reason->word ? joint->reason->word : or_dash(joint->torque);
}

static void print_joint(const struct joint *joint)
{
	if (joint->model)
		printf(HEADING, joint->label, or_dash(joint->id), joint->model,
		       or_dash(joint->number), or_dash(joint->firmware), joint->device,
		       state_of(joint));
	else
		printf("%-16s not there: no IIO device has this label (%s)\n", joint->label,
		       joint->reason->word);
}

static void add_known(struct json_object *object, const char *name, const char *number)
{
	if (*number)
		json_add_number(object, name, number);
}

static void print_joint_json(const struct joint *joint)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "joint", joint->label);
	if (joint->model) {
		add_known(object, "id", joint->id);
		json_add_text(object, "model", joint->model);
		add_known(object, "number", joint->number);
		add_known(object, "firmware", joint->firmware);
		if (*joint->torque)
			json_add_text(object, "torque", joint->torque);
		json_add_text(object, "device", joint->device);
		json_add_bool(object, "answers", joint->answers);
	}
	if (*joint->reason->word) {
		json_add_text(object, "reason", joint->reason->word);
		json_add_text(object, "why", joint->reason->what);
	}
	if (joint->reason->remedy)
		json_add_text(object, "do", joint->reason->remedy);
	json_print(object);
}

/* A joint that moves has no reason. */
static void print_joints(const struct naohw_robot *robot, const struct joint *joints, size_t count,
			 size_t answers)
{
	struct behind behind = { 0 };

	printf(HEADING, "Joint", "ID", "Model", "No.", "Firmware", "Device", "State");
	for (size_t i = 0; i < count; i++) {
		print_joint(&joints[i]);
		behind_add(&behind, joints[i].label, joints[i].reason);
	}
	behind_tell(&behind, stdout);
	printf("%zu of %zu joints answer (%s)\n", answers, count, naohw_robot_path(robot));
}

/* Without a naohwd the kernel and the servos are asked why. */
static size_t look_at_joints(struct naohw_robot *robot, struct joint *joints, size_t count)
{
	struct naohw_dcm *dcm;
	struct naohw_error err;
	size_t answers;

	for (size_t i = 0; i < count; i++)
		joints[i] = joint_of(robot, i);
	answers = ask(robot, joints, count);
	if (answers < count) {
		monotonic_sleep_ms(FOUND_MS);
		answers = ask(robot, joints, count);
	}
	(void)try_naohwd(robot, &dcm, &err);
	for (size_t i = 0; i < count; i++)
		joints[i].reason = reason_of(robot, dcm, &joints[i], i);
	naohw_dcm_close(dcm);
	return answers;
}

static int list_joints(struct naohw_robot *robot, bool json)
{
	size_t count = naohw_robot_joint_count(robot), answers;
	struct joint *joints = calloc(count + 1, sizeof(*joints));

	if (!joints)
		return complain("out of memory");
	answers = look_at_joints(robot, joints, count);
	if (json)
		for (size_t i = 0; i < count; i++)
			print_joint_json(&joints[i]);
	else
		print_joints(robot, joints, count, answers);
	free(joints);
	return answers ? STATUS_OK : STATUS_FAILED;
}

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

static void print_key_json(const struct naohw_key *key, bool with_type)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "key", naohw_key_name(key));
	if (with_type) {
		json_add_text(object, "type", type_name(naohw_key_get_type(key)));
		json_add_bool(object, "writable", naohw_key_is_writable(key));
	}
	json_print(object);
}

static void print_key(const struct naohw_key *key, const struct line *line)
{
	bool with_type = line->option[OPTION_LONG];

	if (line->option[OPTION_JSON])
		print_key_json(key, with_type);
	else if (with_type)
		printf("%-6s %-8s %s\n", type_name(naohw_key_get_type(key)),
		       naohw_key_is_writable(key) ? "get set" : "get", naohw_key_name(key));
	else
		printf("%s\n", naohw_key_name(key));
}

static int list_keys(const struct naohw_robot *robot, const struct line *line)
{
	static char *const all[] = { (char *)"*" };
	bool of_all = line->operand_count == 0;
	const struct match match = { .all = line->option[OPTION_ALL], .details = of_all };
	struct keys keys = { 0 };
	int status = STATUS_FAILED;

	if (keys_add_all(&keys, robot, of_all ? all : line->operand,
			 of_all ? 1 : line->operand_count, &match)) {
		for (size_t i = 0; i < keys.count; i++)
			print_key(keys.at[i].key, line);
		if (keys.details_left_out)
			complain("%zu more keys, as Max and Ack, are shown with --all, or if the pattern "
				 "ends in \"*/*\"", keys.details_left_out);
		status = STATUS_OK;
	}
	keys_free(&keys);
	return status;
}

/* What keys there are needs no robot. NULL: complained. */
static struct naohw_robot *describe(const struct cli *cli)
{
	struct naohw_robot *robot;
	struct naohw_error err;

	if (naohw_robot_describe(cli->robot, &robot, &err) == 0)
		return robot;
	complain("%s", err.message);
	return NULL;
}

static bool is_of_keys(const struct line *line)
{
	return line->option[OPTION_KEYS] || line->option[OPTION_LONG] || line->option[OPTION_ALL] ||
	       line->operand_count;
}

int cmd_list(const struct cli *cli)
{
	const struct line *line = &cli->line;
	bool of_keys = is_of_keys(line);
	struct naohw_robot *robot = of_keys ? describe(cli) : open_robot(cli);
	int status;

	if (!robot)
		return STATUS_FAILED;
	status = of_keys ? list_keys(robot, line) : list_joints(robot, line->option[OPTION_JSON]);
	naohw_robot_close(robot);
	return status;
}
