// SPDX-License-Identifier: LGPL-2.1-or-later
/* The joints of a robot, as rules, passive diagnosis and heat have them. */
#include "diagnosis.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "heat.h"
#include "passive.h"

#define KEY_SIZE 160

/* Of the alarm of a servo of protocol 1.0; in protocol 2.0 the kernel asks, and has its torque gone. */
#define ALARM_OVERLOAD 0x20

#define CHAINS_MAX 64
#define NO_SLOT	   SIZE_MAX

/* Of each joint, with its label between both */
enum { KEY_PASSIVE, KEY_CAUSE, KEY_HEAT, KEYS_OF_A_JOINT };

static const struct {
	const char *head;
	const char *tail;
	enum naohw_key_type type;
} key_names[KEYS_OF_A_JOINT] = {
	[KEY_PASSIVE] = { "Diagnosis/Passive/", "/Error", NAOHW_KEY_INT },
	[KEY_CAUSE] = { "Diagnosis/Passive/", "/Cause", NAOHW_KEY_STRING },
	[KEY_HEAT] = { "Diagnosis/Temperature/", "/Error", NAOHW_KEY_INT },
};

struct diagnosed {
	const char *label;
	int severity;
	enum part part;
	bool is_there; /* it has a device, and so is looked at */
	bool reduces; /* its board reduces its stiffness itself when it is hot */
	size_t position_slot; /* those without a slot have NO_SLOT */
	size_t temperature_slot;
	size_t code_slot;
	double temperature_max;
	struct passive passive;
	enum naohw_joint_status heat;
	char key[KEYS_OF_A_JOINT][KEY_SIZE];
	size_t slot[KEYS_OF_A_JOINT];
	bool has_keys;
	/* of KEY_PASSIVE and KEY_HEAT: what was told last, and since when, in ns */
	bool told[KEYS_OF_A_JOINT];
	int64_t since[KEYS_OF_A_JOINT];
};

struct diagnosis {
	const struct naohw_robot *robot;
	const struct rules *rules; /* NULL: there are none, and so no diagnosis */
	struct diagnosed *diagnosed;
	struct body_joint *joint;
	struct body body;
	struct verdict verdict;
	char forbids[NAOHW_TEXT_SIZE];
};

/* ---- what the robot is ---- */

static const char *const of_legs[] = { "Legs", "LLeg", "RLeg", "Leg" };
static const char *const of_head[] = { "Head" };

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static enum group group_of(const char *chain)
{
	if (is_one_of(chain, of_legs, sizeof(of_legs) / sizeof(of_legs[0])))
		return GROUP_LEGS;
	if (is_one_of(chain, of_head, sizeof(of_head) / sizeof(of_head[0])))
		return GROUP_HEAD;
	return GROUP_ARMS;
}

static void take_chain(struct diagnosis *diagnosis, size_t chain)
{
	const struct naohw_robot *robot = diagnosis->robot;
	const char *name = naohw_chain_name(robot, chain);

	/* That of all joints is no limb, and one more than there are bits is left out. */
	if (strcmp(name, "Body") == 0 || chain >= CHAINS_MAX)
		return;
	for (size_t i = 0; i < naohw_chain_joint_count(robot, chain); i++) {
		const struct joint *joint = joint_find(robot, naohw_chain_joint(robot, chain, i));
		struct body_joint *found;

		if (!joint)
			continue;
		found = &diagnosis->joint[joint - robot->joint];
		/* What is of a leg, too, is of a leg, whatever else a description calls a chain. */
		if (found->group == GROUP_ARMS || group_of(name) == GROUP_LEGS)
			found->group = group_of(name);
		found->chains |= (uint64_t)1 << chain;
	}
}

static enum part part_of(enum group group)
{
	switch (group) {
	case GROUP_WHEELS:
		return PART_WHEELS;
	case GROUP_LEGS:
		return PART_LEGS;
	default:
		return PART_LIMBS;
	}
}

static int severity_of(const struct naohw_robot *robot, const char *label)
{
	enum naohw_severity severity;

	return naohw_robot_get_severity(robot, label, &severity) == 0 ? (int)severity :
									SEVERITY_UNKNOWN;
}

/* Of joints with the same label the first has the keys. */
static bool is_first(const struct diagnosis *diagnosis, size_t joint)
{
	for (size_t i = 0; i < joint; i++)
		if (strcmp(diagnosis->diagnosed[i].label, diagnosis->diagnosed[joint].label) == 0)
			return false;
	return true;
}

static void name_keys(struct diagnosis *diagnosis, size_t joint)
{
	struct diagnosed *one = &diagnosis->diagnosed[joint];

	one->has_keys = is_first(diagnosis, joint);
	for (size_t i = 0; i < KEYS_OF_A_JOINT && one->has_keys; i++) {
		int length = snprintf(one->key[i], KEY_SIZE, "%s%s%s", key_names[i].head,
				      one->label, key_names[i].tail);

		one->has_keys = length < KEY_SIZE && text_is_plain(one->key[i]);
	}
}

static void take_joint(struct diagnosis *diagnosis, size_t joint)
{
	const struct naohw_robot *robot = diagnosis->robot;
	const struct unit *unit = robot->joint[joint].unit;
	struct diagnosed *one = &diagnosis->diagnosed[joint];
	struct body_joint *of = &diagnosis->joint[joint];

	if (subdevice_wheel_of(robot, unit->label))
		of->group = GROUP_WHEELS;
	*one = (struct diagnosed){
		.label = unit->label,
		.severity = severity_of(robot, unit->label),
		.part = part_of(of->group),
		.is_there = unit->device.iio,
		.reduces = unit->device.iio && device_has(&unit->device, "motor_number"),
		.position_slot = NO_SLOT,
		.temperature_slot = NO_SLOT,
		.code_slot = NO_SLOT,
		.temperature_max = (double)NAN,
		.heat = NAOHW_STATUS_UNKNOWN,
	};
	name_keys(diagnosis, joint);
}

static int take_robot(struct diagnosis *diagnosis, struct naohw_error *err)
{
	size_t count = diagnosis->robot->joint_count;

	diagnosis->diagnosed = calloc(count + 1, sizeof(*diagnosis->diagnosed));
	diagnosis->joint = calloc(count + 1, sizeof(*diagnosis->joint));
	diagnosis->verdict.way = calloc(count + 1, sizeof(*diagnosis->verdict.way));
	if (!diagnosis->diagnosed || !diagnosis->joint || !diagnosis->verdict.way)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++)
		diagnosis->joint[i].group = GROUP_ARMS;
	for (size_t i = 0; i < naohw_robot_chain_count(diagnosis->robot); i++)
		take_chain(diagnosis, i);
	for (size_t i = 0; i < count; i++)
		take_joint(diagnosis, i);
	diagnosis->body = (struct body){ .joint = diagnosis->joint, .count = count };
	return 0;
}

int diagnosis_new(const struct naohw_robot *robot, const struct rules *rules, struct diagnosis **out,
		  struct naohw_error *err)
{
	struct diagnosis *diagnosis = calloc(1, sizeof(*diagnosis));
	int ret;

	if (!diagnosis)
		return fail(err, -ENOMEM, "out of memory");
	diagnosis->robot = robot;
	diagnosis->rules = rules;
	ret = take_robot(diagnosis, err);
	if (ret < 0) {
		diagnosis_free(diagnosis);
		return ret;
	}
	*out = diagnosis;
	return 0;
}

void diagnosis_free(struct diagnosis *diagnosis)
{
	if (!diagnosis)
		return;
	free(diagnosis->verdict.way);
	free(diagnosis->joint);
	free(diagnosis->diagnosed);
	free(diagnosis);
}

/* ---- its keys, and those that it reads ---- */

size_t diagnosis_key_count(const struct diagnosis *diagnosis)
{
	size_t count = 0;

	for (size_t i = 0; diagnosis->rules && i < diagnosis->body.count; i++)
		if (diagnosis->diagnosed[i].has_keys)
			count += KEYS_OF_A_JOINT;
	return count;
}

void diagnosis_keys(const struct diagnosis *diagnosis, struct store_key *keys)
{
	for (size_t i = 0; diagnosis->rules && i < diagnosis->body.count; i++) {
		const struct diagnosed *one = &diagnosis->diagnosed[i];

		for (size_t k = 0; one->has_keys && k < KEYS_OF_A_JOINT; k++)
			*keys++ = (struct store_key){
				.name = one->key[k],
				.type = key_names[k].type,
			};
	}
}

static size_t slot_of(const struct naohw_store *store, const char *name, const char *tail)
{
	char key[2 * KEY_SIZE];
	size_t slot;

	if (snprintf(key, sizeof(key), "%s%s", name, tail) >= (int)sizeof(key))
		return NO_SLOT;
	return naohw_store_find(store, key, &slot) == 0 ? slot : NO_SLOT;
}

static void find_temperature(struct diagnosed *one, const struct subdevice *s,
			     const struct naohw_store *store)
{
	one->temperature_slot = slot_of(store, s->name, "/Value");
	one->temperature_max = s->max;
}

/* What of a subdevice is of its joint's health */
static void find_in(struct diagnosed *one, const struct subdevice *s,
		    const struct naohw_store *store)
{
	if (s->actuator)
		return;
	if (text_ends_with(s->name, "/Position/Sensor"))
		one->position_slot = slot_of(store, s->name, "/Value");
	else if (text_ends_with(s->name, "/Temperature/Sensor"))
		find_temperature(one, s, store);
	else if (s->kind == &source_attribute && strcmp(s->source, "error") == 0)
		one->code_slot = slot_of(store, s->name, subdevice_has_own_key(s) ? "" : "/Value");
}

void diagnosis_find(struct diagnosis *diagnosis, const struct naohw_store *store)
{
	for (size_t i = 0; i < diagnosis->body.count; i++) {
		struct diagnosed *one = &diagnosis->diagnosed[i];

		for (size_t s = 0; s < diagnosis->robot->subdevice_count; s++)
			if (strcmp(diagnosis->robot->subdevice[s].label, one->label) == 0)
				find_in(one, &diagnosis->robot->subdevice[s], store);
		for (size_t k = 0; k < KEYS_OF_A_JOINT; k++)
			one->slot[k] = one->has_keys ? slot_of(store, one->key[k], "") :
							       NO_SLOT;
	}
}

/* ---- looking ---- */

static bool read_number(const struct naohw_store *store, size_t slot, double *number)
{
	struct naohw_value value;

	if (slot == NO_SLOT || naohw_store_read(store, slot, &value) < 0 ||
	    (value.state != NAOHW_STATE_FRESH && value.state != NAOHW_STATE_FAULTY))
		return false;
	*number = value.number;
	return true;
}

static bool is_overloaded(const struct diagnosed *one, const struct naohw_frame *frame,
			  size_t joint)
{
	int channel = one->reduces ? -1 : frame_of_joint(frame, joint, NAOHW_QUANTITY_ALARM);

	return channel >= 0 && (frame_raw(frame, (size_t)channel) & ALARM_OVERLOAD);
}

static void look_at(struct diagnosis *diagnosis, size_t joint, const struct naohw_store *store,
		    const struct naohw_frame *frame, bool has_lost_torque, int64_t now,
		    double since)
{
	struct diagnosed *one = &diagnosis->diagnosed[joint];
	struct passive_seen seen = { .has_lost_torque = has_lost_torque };
	double number;

	if (frame) {
		seen.answers = one->position_slot == NO_SLOT ||
			       read_number(store, one->position_slot, &number);
		seen.is_overloaded = seen.answers && is_overloaded(one, frame, joint);
	}
	if (seen.answers && read_number(store, one->code_slot, &number))
		seen.code = (int)number;
	passive_look(&one->passive, &seen, now, since);
	if (read_number(store, one->temperature_slot, &number))
		one->heat = heat_status(one->heat, number, one->temperature_max);
}

static void print_cause(const struct diagnosed *one, char text[NAOHW_TEXT_SIZE])
{
	static const char *const words[] = {
		[PASSIVE_NO_ANSWER] = "no answer",
		[PASSIVE_NO_TORQUE] = "it has lost its torque",
		[PASSIVE_CODE] = "overload",
	};

	*text = '\0';
	if (one->passive.cause == PASSIVE_FINE)
		return;
	if (one->passive.cause == PASSIVE_CODE && one->passive.code)
		snprintf(text, NAOHW_TEXT_SIZE, "error code %d", one->passive.code);
	else
		snprintf(text, NAOHW_TEXT_SIZE, "%s", words[one->passive.cause]);
}

static void judge(struct diagnosis *diagnosis, size_t joint, enum trouble trouble,
		  const char *cause)
{
	const struct diagnosed *one = &diagnosis->diagnosed[joint];
	const struct ailment ailment = {
		.part = one->part,
		.trouble = trouble,
		.severity = one->severity,
		.joint = joint,
	};
	bool was_forbidden = diagnosis->verdict.forbids_wake_up;

	(void)verdict_add(&diagnosis->verdict, &diagnosis->body, diagnosis->rules, &ailment);
	if (!was_forbidden && diagnosis->verdict.forbids_wake_up)
		snprintf(diagnosis->forbids, sizeof(diagnosis->forbids), "%.30s: %.30s",
			 one->label, cause);
}

static void judge_joint(struct diagnosis *diagnosis, size_t joint)
{
	const struct diagnosed *one = &diagnosis->diagnosed[joint];
	char cause[NAOHW_TEXT_SIZE];

	if (one->passive.cause != PASSIVE_FINE) {
		print_cause(one, cause);
		judge(diagnosis, joint, TROUBLE_ERROR, cause);
	}
	if (heat_trouble(one->heat) != TROUBLE_NONE)
		judge(diagnosis, joint, heat_trouble(one->heat), "too hot");
}

void diagnosis_look(struct diagnosis *diagnosis, const struct naohw_store *store,
		    const struct naohw_frame *frame, const bool *has_lost_torque, int64_t now,
		    double since)
{
	if (!diagnosis->rules)
		return;
	verdict_clear(&diagnosis->verdict, &diagnosis->body);
	*diagnosis->forbids = '\0';
	for (size_t i = 0; i < diagnosis->body.count; i++) {
		if (!diagnosis->diagnosed[i].is_there)
			continue;
		look_at(diagnosis, i, store, frame, has_lost_torque[i], now, since);
		judge_joint(diagnosis, i);
	}
}

/* ---- what has been found ---- */

const struct verdict *diagnosis_verdict(const struct diagnosis *diagnosis)
{
	return &diagnosis->verdict;
}

double diagnosis_part(const struct diagnosis *diagnosis, size_t joint)
{
	const struct diagnosed *one = &diagnosis->diagnosed[joint];

	return one->reduces || !diagnosis->rules ? 1 : heat_part(one->heat);
}

const char *diagnosis_forbids(const struct diagnosis *diagnosis)
{
	return diagnosis->forbids;
}

/* Its time is when it became so. */
static void tell_error(struct diagnosed *one, struct naohw_store *store, size_t key, int64_t time,
		       bool is_wrong)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH };

	if (!one->since[key] || one->told[key] != is_wrong)
		one->since[key] = time;
	one->told[key] = is_wrong;
	value.time = one->since[key];
	store_number(&value, is_wrong);
	store_put(store, one->slot[key], &value);
}

void diagnosis_tell(struct diagnosis *diagnosis, struct naohw_store *store, int64_t time)
{
	for (size_t i = 0; diagnosis->rules && i < diagnosis->body.count; i++) {
		struct diagnosed *one = &diagnosis->diagnosed[i];
		struct naohw_value cause = { .state = NAOHW_STATE_FRESH, .time = time };

		if (one->slot[KEY_CAUSE] == NO_SLOT)
			continue;
		print_cause(one, cause.text);
		store_put(store, one->slot[KEY_CAUSE], &cause);
		tell_error(one, store, KEY_PASSIVE, time, *cause.text);
		tell_error(one, store, KEY_HEAT, time,
			   heat_trouble(one->heat) != TROUBLE_NONE);
	}
}
