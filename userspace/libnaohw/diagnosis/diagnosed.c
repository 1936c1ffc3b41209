// SPDX-License-Identifier: LGPL-2.1-or-later
#include "diagnosed.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "heat.h"

#define NAME_SIZE 256
#define NO_SLOT	  SIZE_MAX
#define MODE_SIZE 32

/* A brake may take so long to open or close. */
#define BRAKE_MS 500
/* So long without an answer, and it is asked. */
#define ASK_MS 300
/* With fewer cycles than these a test says nothing. */
#define TESTED_MIN 20

static const struct {
	const char *head;
	const char *tail;
	enum naohw_key_type type;
} key_names[FINDING_KEYS] = {
	[KEY_PASSIVE] = { "Diagnosis/Passive/", "/Error", NAOHW_KEY_INT },
	[KEY_PASSIVE_CAUSE] = { "Diagnosis/Passive/", "/Cause", NAOHW_KEY_STRING },
	[KEY_HEAT] = { "Diagnosis/Temperature/", "/Error", NAOHW_KEY_INT },
	[KEY_ACTIVE] = { "Diagnosis/Active/", "/Error", NAOHW_KEY_INT },
	[KEY_ACTIVE_CAUSE] = { "Diagnosis/Active/", "/Cause", NAOHW_KEY_STRING },
	[KEY_DEGRADED] = { "Diagnosis/Degraded/", "", NAOHW_KEY_INT },
};

/* What a description calls a device, and what the active diagnosis can find of that */
static const struct {
	const char *word;
	enum part part; /* of a fuse for legs it becomes another one */
	enum trouble active;
} device_kinds[] = {
	{ "Brake", PART_BRAKE, TROUBLE_NONE },
	{ "Fuse", PART_LIMB_FUSE, TROUBLE_NONE },
	{ "Battery", PART_BATTERY, TROUBLE_NONE },
	{ "ChestBoard", PART_CHEST_BOARD, TROUBLE_NONE },
	{ "Laser", PART_LASER, TROUBLE_FROZEN },
	{ "Sonar", PART_SONAR, TROUBLE_FROZEN },
	{ "Camera", PART_CAMERA, TROUBLE_NOT_RESPONDING },
	{ "Inertial", PART_INERTIAL, TROUBLE_NOT_RESPONDING },
	{ "Bumper", PART_BUMPER, TROUBLE_BLOCKED },
};

#define DEVICE_KINDS (sizeof(device_kinds) / sizeof(device_kinds[0]))

static bool is_joint(const struct diagnosed *one)
{
	return one->joint != NO_JOINT;
}

/* What its active diagnosis can find; TROUBLE_NONE: it has none. */
static enum trouble active_trouble(const struct diagnosed *one)
{
	if (is_joint(one))
		return TROUBLE_POSITION;
	for (size_t i = 0; i < DEVICE_KINDS; i++)
		if (device_kinds[i].part == one->part)
			return device_kinds[i].active;
	return TROUBLE_NONE;
}

/* ---- what the robot has ---- */

static bool has_key(const struct diagnosed *one, enum finding_key key)
{
	switch (key) {
	case KEY_HEAT:
		return one->temperature.subdevice || is_joint(one);
	case KEY_ACTIVE:
	case KEY_ACTIVE_CAUSE:
		return active_trouble(one) != TROUBLE_NONE;
	case KEY_DEGRADED:
		return one->part == PART_LASER || one->part == PART_SONAR;
	default:
		return true;
	}
}

static int name_keys(struct diagnosed *one)
{
	if (!text_is_plain(one->label))
		return 0;
	for (size_t i = 0; i < FINDING_KEYS; i++) {
		if (!has_key(one, (enum finding_key)i))
			continue;
		if (asprintf(&one->key[i], "%s%s%s", key_names[i].head, one->label,
			     key_names[i].tail) < 0) {
			one->key[i] = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}

static int begin(struct diagnosed *one, const char *label, enum part part)
{
	*one = (struct diagnosed){
		.label = strdup(label),
		.part = part,
		.trouble = TROUBLE_ERROR,
		.severity = SEVERITY_UNKNOWN,
		.joint = NO_JOINT,
		.holds = NO_JOINT,
		.temperature.slot = NO_SLOT,
		.code.slot = NO_SLOT,
		.heat = NAOHW_STATUS_UNKNOWN,
		.was_free = true,
	};
	for (size_t i = 0; i < FINDING_KEYS; i++)
		one->slot[i] = NO_SLOT;
	return one->label ? 0 : -ENOMEM;
}

static int severity_of(const struct naohw_robot *robot, const char *label)
{
	enum naohw_severity severity;

	return naohw_robot_get_severity(robot, label, &severity) == 0 ? (int)severity :
									SEVERITY_UNKNOWN;
}

static void add_sensor(struct diagnosed *one, const struct subdevice *s)
{
	if (one->sensor_count < SENSORS_MAX)
		one->sensor[one->sensor_count++] =
			(struct sensed){ .subdevice = s, .slot = NO_SLOT };
}

/* ---- a joint ---- */

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

static bool is_error_code(const struct subdevice *s)
{
	return s->kind == &source_attribute && strcmp(s->source, "error") == 0;
}

static bool is_speed(const struct subdevice *s)
{
	return text_ends_with(s->name, "/Speed/Sensor");
}

/* Of AX and its kin a speed is a part of the voltage. */
static bool is_by_voltage(const struct naohw_robot *robot, const struct unit *unit)
{
	char mode[MODE_SIZE];

	return subdevice_wheel_of(robot, unit->label) &&
	       (device_read(&unit->device, "operating_mode", mode, sizeof(mode)) < 0 ||
		strcmp(mode, "velocity") != 0);
}

static void take_of_joint(struct diagnosed *one, const struct subdevice *s)
{
	if (s->actuator)
		return;
	/* A wheel has its speed alone. */
	if (text_ends_with(s->name, "/Position/Sensor") || is_speed(s))
		add_sensor(one, s);
	else if (text_ends_with(s->name, "/Temperature/Sensor"))
		one->temperature.subdevice = s;
	else if (is_error_code(s))
		one->code.subdevice = s;
}

int diagnosed_take_joint(struct diagnosed *one, const struct naohw_robot *robot, const struct body *body,
			 size_t joint, bool has_keys)
{
	const struct unit *unit = robot->joint[joint].unit;

	if (begin(one, unit->label, part_of(body->joint[joint].group)) < 0)
		return -ENOMEM;
	one->joint = joint;
	one->severity = severity_of(robot, unit->label);
	one->is_there = unit->device.iio;
	one->is_by_voltage = one->is_there && is_by_voltage(robot, unit);
	one->reduces = unit->device.iio && device_has(&unit->device, "motor_number");
	for (size_t i = 0; i < robot->subdevice_count; i++)
		if (strcmp(robot->subdevice[i].label, unit->label) == 0)
			take_of_joint(one, &robot->subdevice[i]);
	return has_keys ? name_keys(one) : 0;
}

/* ---- a device ---- */

static bool is_below(const char *name, const char *top)
{
	size_t length = strlen(top);

	return strncmp(name, top, length) == 0 && name[length] == '/';
}

/* Of what is listed as a device all values count that it gives, of a part of one those below its name. */
static bool is_of_device(const struct subdevice *s, const char *name, const char *key)
{
	if (s->actuator || !text_begins_with(s->name, KEY_PREFIX))
		return false;
	if (text_begins_with(key, DEVICE_PREFIX))
		return subdevice_is_of(s, name);
	return is_below(s->name, key);
}

static void take_of_device(struct diagnosed *one, const struct subdevice *s)
{
	one->is_there |= s->unit && s->unit->device.iio;
	if (text_ends_with(s->name, "/Error/Sensor"))
		one->code.subdevice = s;
	else if (text_ends_with(s->name, "/Temperature/Sensor") && !one->temperature.subdevice)
		one->temperature.subdevice = s;
	else
		add_sensor(one, s);
}

/* A fuse has nothing else that tells whether it answers. */
static void take_what_there_is(struct diagnosed *one)
{
	if (one->sensor_count)
		return;
	if (one->temperature.subdevice)
		add_sensor(one, one->temperature.subdevice);
	if (one->code.subdevice)
		add_sensor(one, one->code.subdevice);
}

/* What a device says beside its Diagnosis, or NULL */
static const char *text_of(const struct naohw_robot *robot, const char *key, const char *name)
{
	const struct preference *preference = description_find(robot->description, key, name);

	return preference ? preference->text : NULL;
}

static int take_chain(struct diagnosed *one, const struct naohw_robot *robot, const char *key,
		      const struct preference *what, struct naohw_error *err)
{
	const char *chain = text_of(robot, key, "DiagnosisChain");

	if (one->part != PART_LIMB_FUSE)
		return 0;
	one->chains = chain ? body_chain(robot, chain) : 0;
	if (!one->chains)
		return source_wrong(what, "beside it a DiagnosisChain, the chain that the fuse feeds", err);
	if (body_group_of(chain) == GROUP_LEGS)
		one->part = PART_LEG_FUSE;
	return 0;
}

static int take_brake(struct diagnosed *one, const struct naohw_robot *robot, const struct body *body,
		      const char *key, const struct preference *what, struct naohw_error *err)
{
	const char *label = text_of(robot, key, "DiagnosisJoint");
	const struct joint *joint = label ? joint_find(robot, label) : NULL;

	if (one->part != PART_BRAKE)
		return 0;
	if (!label)
		return source_wrong(what, "beside it a DiagnosisJoint, the joint that the brake holds",
				    err);
	if (!joint)
		return fail(err, -EINVAL, "%s:%ld: %s: its DiagnosisJoint \"%s\" is no joint of the robot; "
			    "Device/Without can leave the brake out, too", what->path, what->line,
			    what->key, label);
	one->holds = (size_t)(joint - robot->joint);
	one->chains = body->joint[one->holds].chains;
	return 0;
}

static int find_kind(struct diagnosed *one, const char *name, const struct preference *what,
		     struct naohw_error *err)
{
	for (size_t i = 0; i < DEVICE_KINDS; i++)
		if (strcmp(device_kinds[i].word, what->text) == 0)
			return begin(one, name, device_kinds[i].part);
	return source_wrong(what, "the string Brake, Fuse, Battery, ChestBoard, Laser, Sonar, Camera, "
			    "Inertial or Bumper", err);
}

int diagnosed_take_device(struct diagnosed *one, const struct naohw_robot *robot,
			  const struct body *body, const char *name, const struct preference *what,
			  struct naohw_error *err)
{
	char key[NAME_SIZE];
	int ret = find_kind(one, name, what, err);

	if (ret < 0)
		return ret == -ENOMEM ? fail(err, ret, "out of memory") : ret;
	snprintf(key, sizeof(key), "%.*s", (int)(strlen(what->key) - strlen("/" DIAGNOSIS_NAME)),
		 what->key);
	ret = take_chain(one, robot, key, what, err);
	if (ret == 0)
		ret = take_brake(one, robot, body, key, what, err);
	if (ret < 0)
		return ret;
	one->severity = severity_of(robot, name);
	for (size_t i = 0; i < robot->subdevice_count; i++)
		if (is_of_device(&robot->subdevice[i], name, key))
			take_of_device(one, &robot->subdevice[i]);
	take_what_there_is(one);
	return name_keys(one) < 0 ? fail(err, -ENOMEM, "out of memory") : 0;
}

int diagnosed_take_other(struct diagnosed *one, const struct naohw_robot *robot, const char *label,
			 enum part part, enum trouble trouble, const char *said)
{
	if (begin(one, label, part) < 0)
		return -ENOMEM;
	one->trouble = trouble;
	one->said = said;
	one->severity = severity_of(robot, label);
	one->is_there = true;
	return name_keys(one);
}

static void forget_keys(struct diagnosed *one)
{
	for (size_t i = 0; i < FINDING_KEYS; i++) {
		free(one->key[i]);
		one->key[i] = NULL;
	}
}

void diagnosed_end(struct diagnosed *one)
{
	forget_keys(one);
	free(one->label);
}

/* ---- its keys, and those that it reads ---- */

size_t diagnosed_keys(const struct diagnosed *one, struct store_key *keys)
{
	size_t count = 0;

	for (size_t i = 0; i < FINDING_KEYS; i++)
		if (one->key[i])
			keys[count++] = (struct store_key){ .name = one->key[i],
							    .type = key_names[i].type };
	return count;
}

static void find_value(struct sensed *sensed, const struct naohw_store *store)
{
	char key[NAME_SIZE];
	const struct subdevice *s = sensed->subdevice;

	if (!s || snprintf(key, sizeof(key), "%s%s", s->name,
			   subdevice_has_own_key(s) ? "" : "/Value") >= (int)sizeof(key) ||
	    naohw_store_find(store, key, &sensed->slot) < 0)
		sensed->slot = NO_SLOT;
}

/* An event is what came last, whether its board answers or not. */
static bool tells_silence(const struct sensed *sensor)
{
	return sensor->slot != NO_SLOT && sensor->subdevice->kind != &source_event;
}

void diagnosed_find(struct diagnosed *one, const struct naohw_store *store)
{
	one->asks_kernel = true;
	for (size_t i = 0; i < one->sensor_count; i++) {
		find_value(&one->sensor[i], store);
		one->asks_kernel = one->asks_kernel && !tells_silence(&one->sensor[i]);
	}
	find_value(&one->temperature, store);
	find_value(&one->code, store);
	for (size_t i = 0; i < FINDING_KEYS; i++)
		if (one->key[i] && naohw_store_find(store, one->key[i], &one->slot[i]) < 0)
			one->slot[i] = NO_SLOT;
	/* The store has copied them. */
	forget_keys(one);
}

/* ---- looking ---- */

static bool read_number(const struct naohw_store *store, const struct sensed *sensed, double *number)
{
	struct naohw_value value;

	if (sensed->slot == NO_SLOT || naohw_store_read(store, sensed->slot, &value) < 0 ||
	    (value.state != NAOHW_STATE_FRESH && value.state != NAOHW_STATE_FAULTY))
		return false;
	*number = value.number;
	return true;
}

/* Does any of its values come? And has one changed since the last look? */
static bool look_at_sensors(struct diagnosed *one, const struct naohw_store *store)
{
	bool answers = one->asks_kernel && !atomic_load(&one->is_lost);

	for (size_t i = 0; i < one->sensor_count; i++) {
		struct sensed *sensor = &one->sensor[i];
		double number;

		if (!read_number(store, sensor, &number))
			continue;
		answers = answers || tells_silence(sensor);
		if (one->tested && number != sensor->before)
			one->has_changed = true;
		if (number == 0)
			one->was_free = true;
		if (number > sensor->subdevice->min && number < sensor->subdevice->max)
			one->sees = true;
		sensor->before = number;
	}
	return answers;
}

static void look_at_brake(struct diagnosed *one, const struct diagnosed_seen *seen)
{
	bool is_open = one->sensor[0].before != 0;

	/* The board of a silent joint takes its torque by itself. */
	if (!seen->holds_known || is_open == seen->holds_stiff) {
		one->brake_since = 0;
	} else if (!one->brake_since) {
		one->brake_since = seen->now;
	} else if (seen->now - one->brake_since >= BRAKE_MS) {
		one->brake = is_open ? TROUBLE_OPEN : TROUBLE_CLOSED;
	}
	/* One that stays closed is well again when it has been seen open, and the other way round. */
	if (one->brake == (is_open ? TROUBLE_CLOSED : TROUBLE_OPEN))
		one->brake = TROUBLE_NONE;
}

void diagnosed_look(struct diagnosed *one, const struct naohw_store *store,
		    const struct diagnosed_seen *seen)
{
	struct passive_seen passive = { .has_lost_torque = seen->has_lost_torque };
	double number;

	passive.answers = seen->has_frame && look_at_sensors(one, store);
	passive.has_error = passive.answers && seen->is_overloaded;
	if (passive.answers && read_number(store, &one->code, &number)) {
		passive.code = (int)number;
		/* The kinds of codes are those of motor boards. */
		passive.has_error |= !is_joint(one) && passive.code != 0;
	}
	passive_look(&one->passive, &passive, seen->now, seen->since);
	atomic_store(&one->is_silent, one->passive.silent_ms >= ASK_MS);
	one->looked += seen->has_frame;
	one->tested += passive.answers;
	if (read_number(store, &one->temperature, &number))
		one->heat = heat_status(one->heat, number, one->temperature.subdevice->max);
	if (one->part == PART_BRAKE && passive.answers && one->holds != NO_JOINT)
		look_at_brake(one, seen);
}

void diagnosed_ask(struct diagnosed *one)
{
	double value;

	if (one->sensor_count && one->asks_kernel)
		atomic_store(&one->is_lost, subdevice_is_lost(one->sensor[0].subdevice));
	else if (atomic_load(&one->is_silent) && one->sensor_count)
		(void)subdevice_read(one->sensor[0].subdevice, &value, NULL);
}

void diagnosed_set(struct diagnosed *one, bool is_wrong, const struct diagnosed_seen *seen)
{
	const struct passive_seen passive = { .answers = true };

	if (is_wrong)
		one->passive = (struct passive){ .cause = PASSIVE_NO_ANSWER };
	else if (seen->has_frame)
		passive_look(&one->passive, &passive, seen->now, seen->since);
}

/* What a test has found, and that a bus was gone: on its return its joints are let go first. */
void diagnosed_take_kept(struct diagnosed *one)
{
	if (one->trouble == TROUBLE_DISCONNECTED)
		one->passive.cause = PASSIVE_NO_ANSWER;
	else if (active_trouble(one) != TROUBLE_NONE)
		one->has_failed = true;
	atomic_init(&one->is_kept, diagnosed_is_to_keep(one));
}

bool diagnosed_is_to_keep(const struct diagnosed *one)
{
	return one->has_failed ||
	       (one->trouble == TROUBLE_DISCONNECTED && one->passive.cause != PASSIVE_FINE);
}

/* ---- its test ---- */

void diagnosed_begin_test(struct diagnosed *one)
{
	one->looked = one->tested = 0;
	one->has_changed = false;
	one->sees = false;
	one->was_free = false;
}

/* Where nothing is to be seen, or nothing moves, the values of one that works may stay the same. */
static void end_test_of_distance(struct diagnosed *one, bool is_wanted)
{
	if (one->has_changed)
		one->has_failed = false;
	else if (is_wanted && one->sees)
		one->has_failed = true;
}

void diagnosed_end_test(struct diagnosed *one, bool is_wanted)
{
	switch (one->part) {
	case PART_LASER:
	case PART_SONAR:
		if (one->tested >= TESTED_MIN)
			end_test_of_distance(one, is_wanted);
		break;
	case PART_CAMERA:
		if (one->looked >= TESTED_MIN)
			one->has_failed = !one->has_changed;
		break;
	case PART_BUMPER:
		if (one->tested >= TESTED_MIN)
			one->has_failed = !one->was_free;
		break;
	case PART_INERTIAL:
		if (one->looked >= TESTED_MIN)
			one->has_failed = !one->tested;
		break;
	default:
		break;
	}
}

double diagnosed_speed(const struct diagnosed *one)
{
	for (size_t i = 0; i < one->sensor_count; i++)
		if (is_speed(one->sensor[i].subdevice) && one->sensor[i].slot != NO_SLOT)
			return one->sensor[i].before;
	return (double)NAN;
}

/* ---- what is wrong with it ---- */

static void print_passive(const struct diagnosed *one, char text[NAOHW_TEXT_SIZE])
{
	static const char *const words[] = {
		[PASSIVE_FINE] = "",
		[PASSIVE_NO_ANSWER] = "no answer",
		[PASSIVE_NO_TORQUE] = "it has lost its torque",
		[PASSIVE_CODE] = "overload",
	};

	if (!one->is_there)
		snprintf(text, NAOHW_TEXT_SIZE, "no device");
	else if (one->said && one->passive.cause != PASSIVE_FINE)
		snprintf(text, NAOHW_TEXT_SIZE, "%s", one->said);
	else if (one->passive.cause == PASSIVE_CODE && one->passive.code)
		snprintf(text, NAOHW_TEXT_SIZE, "error code %d", one->passive.code);
	else if (one->passive.cause == PASSIVE_FINE && one->brake != TROUBLE_NONE)
		snprintf(text, NAOHW_TEXT_SIZE, "it stays %s",
			 one->brake == TROUBLE_OPEN ? "open" : "closed");
	else
		snprintf(text, NAOHW_TEXT_SIZE, "%s", words[one->passive.cause]);
}

static const char *active_cause(const struct diagnosed *one)
{
	if (!one->has_failed)
		return "";
	switch (active_trouble(one)) {
	case TROUBLE_POSITION:
		return "it does not go where it is sent";
	case TROUBLE_FROZEN:
		return "its value does not change";
	case TROUBLE_BLOCKED:
		return "it stays pressed";
	default:
		return "it does not respond";
	}
}

void diagnosed_cause(const struct diagnosed *one, char text[NAOHW_TEXT_SIZE])
{
	print_passive(one, text);
	if (!*text && heat_trouble(one->heat) != TROUBLE_NONE)
		snprintf(text, NAOHW_TEXT_SIZE, "too hot");
	if (!*text)
		snprintf(text, NAOHW_TEXT_SIZE, "%s", active_cause(one));
}

/* Return: does it degrade the sensor? */
static bool judge(const struct diagnosed *one, enum trouble trouble, struct verdict *verdict,
		  const struct body *body, const struct rules *rules)
{
	const struct ailment ailment = {
		.part = one->part,
		.trouble = trouble,
		.severity = one->severity,
		.joint = one->joint,
		.chains = one->chains,
	};

	return trouble != TROUBLE_NONE && verdict_add(verdict, body, rules, &ailment);
}

void diagnosed_judge(struct diagnosed *one, struct verdict *verdict, const struct body *body,
		     const struct rules *rules)
{
	bool is_well = one->passive.cause == PASSIVE_FINE;

	one->is_degraded = judge(one, is_well ? one->brake : one->trouble, verdict, body, rules);
	one->is_degraded |= judge(one, heat_trouble(one->heat), verdict, body, rules);
	if (one->has_failed)
		one->is_degraded |= judge(one, active_trouble(one), verdict, body, rules);
}

/* ---- telling ---- */

/* The time of an Error is when it became so, and what has been told stays in the store. */
static bool is_news(struct diagnosed *one, enum finding_key key, bool is_so, int64_t time)
{
	if (one->slot[key] == NO_SLOT || (one->since[key] && one->told[key] == is_so))
		return false;
	one->since[key] = time;
	one->told[key] = is_so;
	return true;
}

static bool tell_flag(struct diagnosed *one, struct naohw_store *store, enum finding_key key,
		      bool is_so, int64_t time)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = time };

	if (!is_news(one, key, is_so, time))
		return false;
	store_number(&value, is_so);
	store_put(store, one->slot[key], &value);
	return true;
}

static void tell_text(const struct diagnosed *one, struct naohw_store *store, enum finding_key key,
		      const char *text, int64_t time)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = time };

	if (one->slot[key] == NO_SLOT)
		return;
	store_text(&value, text);
	store_put(store, one->slot[key], &value);
}

/* A cause may become another one. */
static bool tell_cause(struct diagnosed *one, struct naohw_store *store, const char *cause,
		       int64_t time)
{
	if (one->since[KEY_PASSIVE_CAUSE] && strcmp(one->told_cause, cause) == 0)
		return false;
	one->since[KEY_PASSIVE_CAUSE] = time;
	text_cut(one->told_cause, sizeof(one->told_cause), cause);
	tell_text(one, store, KEY_PASSIVE_CAUSE, cause, time);
	return one->slot[KEY_PASSIVE_CAUSE] != NO_SLOT;
}

bool diagnosed_tell(struct diagnosed *one, struct naohw_store *store, int64_t time)
{
	char cause[NAOHW_TEXT_SIZE];
	bool has_changed = false;

	print_passive(one, cause);
	has_changed |= tell_flag(one, store, KEY_PASSIVE, *cause, time);
	has_changed |= tell_flag(one, store, KEY_HEAT, heat_trouble(one->heat) != TROUBLE_NONE, time);
	has_changed |= tell_cause(one, store, cause, time);
	if (tell_flag(one, store, KEY_ACTIVE, one->has_failed, time)) {
		tell_text(one, store, KEY_ACTIVE_CAUSE, active_cause(one), time);
		has_changed = true;
	}
	return tell_flag(one, store, KEY_DEGRADED, one->is_degraded, time) || has_changed;
}
