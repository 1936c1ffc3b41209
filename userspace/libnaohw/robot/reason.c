// SPDX-License-Identifier: LGPL-2.1-or-later
#include "reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"

#define WORDS_SIZE 96
/* As much as a file of the kernel's has at the most */
#define SCAN_SIZE  4096

/* ---- what a servo says ---- */

/* Return: 0; -EPROTO: it is no number; or why it cannot be read. */
static int read_number(int dir, const char *file, double *number)
{
	char text[WORDS_SIZE];
	int ret = sysfs_read(dir, file, text, sizeof(text));

	if (ret < 0)
		return ret;
	return number_parse(text, number) ? 0 : -EPROTO;
}

static enum guard_reason reason_of_state(const char *state)
{
	if (strcmp(state, "recovering-doubted") == 0)
		return GUARD_RECOVERING;
	if (strcmp(state, "lost") == 0)
		return GUARD_NO_ANSWER;
	if (strcmp(state, "relaxed") == 0)
		return GUARD_NO_TORQUE;
	/* Other states take nothing from it. */
	return guard_reason(state);
}

/* The kernel tells the range of the mode that it has heard of last. */
static bool has_no_positions(int dir)
{
	char range[WORDS_SIZE];
	int min, max;

	return sysfs_read(dir, JOINT_GOAL "_raw_available", range, sizeof(range)) == 0 &&
	       sscanf(range, "[%d %*d %d]", &min, &max) == 2 && min >= max;
}

/* Of what servos report these have them switch their torque off. */
static bool has_shut_down(int dir)
{
	static const char *const errors[] = {
		"overload", "overheating", "electrical-shock", "encoder",
	};
	char words[WORDS_SIZE];

	if (sysfs_read(dir, "hardware_error", words, sizeof(words)) < 0)
		return false;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strstr(words, errors[i]))
			return true;
	return false;
}

static enum guard_reason reason_of_registers(int dir)
{
	double on, limit;
	int ret = read_number(dir, JOINT_GOAL "_en", &on);

	if (ret == -ETIMEDOUT || ret == -EHOSTDOWN)
		return GUARD_NO_ANSWER;
	if (ret < 0 || read_number(dir, JOINT_GOAL "_torque_limit", &limit) < 0)
		return GUARD_NONE;
	if (on != 0 && limit > 0)
		return GUARD_NONE;
	if (has_shut_down(dir))
		return GUARD_SHUT_DOWN;
	return on != 0 ? GUARD_TORQUE_LIMIT : GUARD_NO_TORQUE;
}

/* A servo as its driver takes it to be */
struct expected {
	double id;
	double protocol;
	double baud;
};

/*
 * By a line "ID PROTOCOL MODEL FIRMWARE BAUD" of the last scan; of another rate it tells nothing. Of a
 * servo that has told its model then, it tells that it answered: nothing, if that was not just now (@fresh).
 */
static enum guard_reason reason_of_found(const char *line, const struct expected *servo, bool fresh)
{
	unsigned int id, protocol, baud;
	char model[16]; /* "-": it has not told it */

	if (sscanf(line, "%u %u %15s %*s %u", &id, &protocol, model, &baud) != 4 ||
	    id != servo->id || baud != servo->baud)
		return GUARD_NONE;
	if (protocol != servo->protocol)
		return GUARD_PROTOCOL;
	return fresh || *model == '-' ? GUARD_RETURN_LEVEL : GUARD_NONE;
}

/* The directory is the IIO device's; above it are the servo's, and that of its bus. */
static enum guard_reason why_silent(int dir, bool fresh)
{
	enum guard_reason reason = GUARD_NO_ANSWER;
	char found[SCAN_SIZE], *rest = found, *line;
	struct expected servo;

	if (read_number(dir, "../id", &servo.id) < 0 ||
	    read_number(dir, "../protocol", &servo.protocol) < 0 ||
	    read_number(dir, "../../baud", &servo.baud) < 0 ||
	    sysfs_read_lines(dir, "../../scan", found, sizeof(found)) < 0)
		return reason;
	while ((line = strsep(&rest, "\n")))
		reason = reason_of_both(reason, reason_of_found(line, &servo, fresh));
	return reason;
}

enum guard_reason servo_reason(int dir, bool is_wheel, bool asks)
{
	enum guard_reason reason = GUARD_NONE;
	char words[WORDS_SIZE];

	if (sysfs_read(dir, "torque_state", words, sizeof(words)) == 0)
		reason = reason_of_state(words);
	/* The kernel learns of a mode that another program has set when it is asked for that. */
	if (asks && reason < GUARD_NO_ANSWER)
		(void)sysfs_read(dir, "operating_mode", words, sizeof(words));
	if (reason < GUARD_MODE && !is_wheel && has_no_positions(dir))
		reason = GUARD_MODE;
	if (asks && reason < GUARD_SHUT_DOWN)
		reason = reason_of_both(reason, reason_of_registers(dir));
	return asks && reason == GUARD_NO_ANSWER ? why_silent(dir, false) : reason;
}

/* ---- for programs ---- */

const struct naohw_reason *reason_told(enum guard_reason reason)
{
	return &guard_words[reason];
}

const struct naohw_reason *naohw_servo_reason(int directory, int is_wheel)
{
	enum guard_reason reason = servo_reason(directory, is_wheel, true);

	if (reason == GUARD_NO_ANSWER)
		reason = why_silent(directory, true);
	return reason_told(reason);
}

const struct naohw_reason *naohw_reason_of(const char *word)
{
	return reason_told(guard_reason(word));
}

/* ---- what the robot says of it ---- */

/* A board may have been told to give the servos no supply. */
static bool lacks_supply(const struct naohw_robot *robot)
{
	char power[WORDS_SIZE];

	for (size_t i = 0; i < robot->unit_count; i++) {
		const struct device *device = &robot->unit[i].device;

		if (device->dir >= 0 && device_has(device, "servo_power") &&
		    device_read(device, "servo_power", power, sizeof(power)) == 0 &&
		    strcmp(power, "0") == 0)
			return true;
	}
	return false;
}

/* Its driver has refused one that says another number than the overlay. */
static enum guard_reason without_device(const struct joint *joint)
{
	return joint->model_number == JOINT_UNKNOWN ? GUARD_NOT_THERE : GUARD_OTHER_MODEL;
}

enum guard_reason joint_reason(const struct naohw_robot *robot, const struct joint *joint, bool asks)
{
	const struct device *device = &joint->unit->device;
	enum guard_reason reason = GUARD_NONE;

	if (!device->iio)
		return without_device(joint);
	/* Over the network its files are not there to be read. */
	if (device->dir >= 0)
		reason = servo_reason(device->dir, subdevice_wheel_of(robot, joint->unit->label), asks);
	if (!asks)
		return reason;
	if (reason == GUARD_NO_ANSWER && lacks_supply(robot))
		return GUARD_NO_POWER;
	if (reason < GUARD_LIMP && joint_is_limp(robot, joint))
		return GUARD_LIMP;
	return reason;
}

static bool is_leased(const struct device *goals)
{
	char state[WORDS_SIZE];

	return device_has(goals, "stream_state") &&
	       device_read(goals, "stream_state", state, sizeof(state)) == 0 &&
	       strcmp(state, "leased") == 0;
}

bool joint_is_held(const struct naohw_robot *robot, const struct joint *joint)
{
	for (size_t i = 0; i < robot->goals.count; i++) {
		const struct bus_device *bus = &robot->goals.list[i];

		if ((int)bus->number == joint->bus && !bus->poses &&
		    !lease_is_ours(robot, bus->number))
			return bus_device_is_taken(bus) || is_leased(&bus->held);
	}
	return false;
}

bool reason_lets_go(enum guard_reason reason)
{
	return reason == GUARD_FREE || reason == GUARD_TRIPPED || reason == GUARD_SHUT_DOWN ||
	       reason == GUARD_MODE;
}
