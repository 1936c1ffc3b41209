// SPDX-License-Identifier: LGPL-2.1-or-later
/* All that is looked at of a robot: joints, the devices that the description names, its bus, and the host before. */
#include "diagnosis.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "diagnosed.h"
#include "heat.h"
#include "kept.h"
#include "monotonic.h"

/* Of the alarm of a servo of protocol 1.0; in protocol 2.0 the kernel asks, and has its torque gone. */
#define ALARM_OVERLOAD 0x20

#define NAME_SIZE 256

/* Where a joint is that has not answered for so long is unknown. */
#define SILENT_MS 200

/* A silent device takes its time to be asked, and the thread that asks has other things to do. */
#define ASK_MOST_NS 100000000

/* Beside joints and devices: what no description and no store has. A crash is the last one. */
static const struct {
	const char *label;
	enum part part;
	enum trouble trouble;
	const char *said;
} others[] = {
	{ "Bus", PART_CHEST_BOARD, TROUBLE_DISCONNECTED, "its adapter is gone" },
	{ CRASH_LABEL, PART_HAL, TROUBLE_CRASHED, "the program before has died" },
};

#define OTHERS (sizeof(others) / sizeof(others[0]))

struct diagnosis {
	const struct naohw_robot *robot;
	const struct rules *rules;
	struct diagnosed *list; /* the joints, in their order; devices; others. Empty without rules */
	size_t count;
	struct body body;
	struct verdict verdict;
	const struct diagnosed *forbids; /* the first that forbids waking up */
	char forbids_text[NAOHW_TEXT_SIZE];
	char *kept; /* the path of what is kept for a later host */
	atomic_bool is_to_keep;
	size_t asked; /* so many have been, by the thread that asks */
};

/* ---- what there is ---- */

/* NULL: it is no key of a device that has a Diagnosis. */
static const char *name_of(const char *key, char *name, size_t size)
{
	static const char *const prefixes[] = { KEY_PREFIX, DEVICE_PREFIX };
	const char *tail = "/" DIAGNOSIS_NAME;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t head = strlen(prefixes[i]), length = strlen(key);

		if (!text_begins_with(key, prefixes[i]) || !text_ends_with(key, tail) ||
		    length <= head + strlen(tail))
			continue;
		snprintf(name, size, "%.*s", (int)(length - head - strlen(tail)), key + head);
		return name;
	}
	return NULL;
}

static bool is_there_already(const struct diagnosis *diagnosis, const char *label)
{
	for (size_t i = 0; i < diagnosis->count; i++)
		if (strcmp(diagnosis->list[i].label, label) == 0)
			return true;
	return false;
}

/* Of joints with the same label the first has the keys. */
static int take_joints(struct diagnosis *diagnosis)
{
	const struct naohw_robot *robot = diagnosis->robot;
	int ret = 0;

	for (size_t i = 0; i < robot->joint_count && ret == 0; i++) {
		bool is_first = !is_there_already(diagnosis, robot->joint[i].unit->label);

		ret = diagnosed_take_joint(&diagnosis->list[diagnosis->count++], robot,
					   &diagnosis->body, i, is_first);
	}
	return ret;
}

static int take_devices(struct diagnosis *diagnosis, struct naohw_error *err)
{
	const struct description *description = diagnosis->robot->description;
	char name[NAME_SIZE];

	for (size_t i = 0; i < description->count; i++) {
		const struct preference *what = &description->list[i];
		int ret;

		if (!name_of(what->key, name, sizeof(name)) || !*what->text)
			continue;
		if (is_there_already(diagnosis, name))
			return source_wrong(what, "it for one joint or device of this name", err);
		ret = diagnosed_take_device(&diagnosis->list[diagnosis->count++],
					    diagnosis->robot, &diagnosis->body, name, what, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int take_others(struct diagnosis *diagnosis)
{
	int ret = 0;

	for (size_t i = 0; i < OTHERS && ret == 0; i++)
		ret = diagnosed_take_other(&diagnosis->list[diagnosis->count++], diagnosis->robot,
					   others[i].label, others[i].part, others[i].trouble,
					   others[i].said);
	return ret;
}

static size_t count_devices(const struct description *description)
{
	char name[NAME_SIZE];
	size_t count = 0;

	for (size_t i = 0; i < description->count; i++)
		count += name_of(description->list[i].key, name, sizeof(name)) != NULL;
	return count;
}

static int take_all(struct diagnosis *diagnosis, struct naohw_error *err)
{
	const struct naohw_robot *robot = diagnosis->robot;
	size_t room = robot->joint_count + count_devices(robot->description) + OTHERS;
	int ret;

	diagnosis->list = calloc(room, sizeof(*diagnosis->list));
	if (!diagnosis->list || take_joints(diagnosis) < 0)
		return fail(err, -ENOMEM, "out of memory");
	ret = take_devices(diagnosis, err);
	if (ret < 0)
		return ret;
	return take_others(diagnosis) < 0 ? fail(err, -ENOMEM, "out of memory") : 0;
}

/* ---- what is kept ---- */

static void take_kept(struct diagnosis *diagnosis)
{
	struct content content;

	kept_read(diagnosis->kept, &content);
	for (size_t i = 0; i < diagnosis->count; i++)
		if (kept_has(&content, diagnosis->list[i].label))
			diagnosed_take_kept(&diagnosis->list[i]);
	content_free(&content);
}

static void note_kept(struct diagnosis *diagnosis, struct diagnosed *one)
{
	bool is_to_keep = diagnosed_is_to_keep(one);

	if (atomic_load(&one->is_kept) == is_to_keep)
		return;
	atomic_store(&one->is_kept, is_to_keep);
	atomic_store(&diagnosis->is_to_keep, true);
}

void diagnosis_ask(struct diagnosis *diagnosis)
{
	int64_t begun = monotonic_ns();

	for (size_t i = 0; i < diagnosis->count && monotonic_ns() - begun < ASK_MOST_NS; i++)
		diagnosed_ask(&diagnosis->list[diagnosis->asked++ % diagnosis->count]);
}

/* A program without the rights for that does not get them. */
static bool is_worth_another_try(int error)
{
	return error < 0 && error != -EACCES && error != -EPERM && error != -EROFS && error != -ENOTDIR;
}

void diagnosis_keep(struct diagnosis *diagnosis)
{
	struct content content = { 0 };
	FILE *stream;

	if (!atomic_exchange(&diagnosis->is_to_keep, false))
		return;
	stream = open_memstream(&content.data, &content.size);
	if (!stream)
		return;
	for (size_t i = 0; i < diagnosis->count; i++)
		if (atomic_load(&diagnosis->list[i].is_kept))
			fprintf(stream, "%s\n", diagnosis->list[i].label);
	if (fclose(stream) == 0 && is_worth_another_try(kept_write(diagnosis->kept, &content)))
		atomic_store(&diagnosis->is_to_keep, true);
	free(content.data);
}

/* ---- begin and end ---- */

static int build(struct diagnosis *diagnosis, struct naohw_error *err)
{
	int ret;
	size_t joints = diagnosis->robot->joint_count;

	diagnosis->verdict.way = calloc(joints + 1, sizeof(*diagnosis->verdict.way));
	if (!diagnosis->verdict.way || body_find(&diagnosis->body, diagnosis->robot) < 0)
		return fail(err, -ENOMEM, "out of memory");
	if (!diagnosis->rules)
		return 0;
	diagnosis->kept = kept_path(naohw_robot_path(diagnosis->robot));
	ret = diagnosis->kept ? take_all(diagnosis, err) : fail(err, -ENOMEM, "out of memory");
	if (ret == 0)
		take_kept(diagnosis);
	return ret;
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
	ret = build(diagnosis, err);
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
	for (size_t i = 0; i < diagnosis->count; i++)
		diagnosed_end(&diagnosis->list[i]);
	free(diagnosis->list);
	free(diagnosis->kept);
	free(diagnosis->verdict.way);
	body_free(&diagnosis->body);
	free(diagnosis);
}

/* ---- keys ---- */

size_t diagnosis_key_count(const struct diagnosis *diagnosis)
{
	return diagnosis->count * FINDING_KEYS;
}

size_t diagnosis_keys(const struct diagnosis *diagnosis, struct store_key *keys)
{
	size_t count = 0;

	for (size_t i = 0; i < diagnosis->count; i++)
		count += diagnosed_keys(&diagnosis->list[i], keys + count);
	return count;
}

void diagnosis_find(struct diagnosis *diagnosis, const struct naohw_store *store)
{
	for (size_t i = 0; i < diagnosis->count; i++)
		diagnosed_find(&diagnosis->list[i], store);
}

/* ---- looking ---- */

static bool is_overloaded(const struct diagnosed *one, const struct naohw_frame *frame)
{
	int channel = one->reduces || !frame ?
			      -1 :
			      frame_of_joint(frame, one->joint, NAOHW_QUANTITY_ALARM);

	return channel >= 0 && (frame_raw(frame, (size_t)channel) & ALARM_OVERLOAD);
}

/* Joints are looked at before brakes. */
static bool is_well(const struct diagnosed *joint)
{
	return joint->passive.cause == PASSIVE_FINE && joint->passive.silent_ms == 0;
}

static void look_at(struct diagnosis *diagnosis, struct diagnosed *one,
		    const struct naohw_store *store, const struct diagnosis_seen *seen)
{
	struct diagnosed_seen of = {
		.has_frame = seen->frame,
		.holds_known = one->holds != NO_JOINT && is_well(&diagnosis->list[one->holds]),
		.holds_stiff = one->holds != NO_JOINT && seen->is_stiff[one->holds],
		.now = seen->now,
		.since = seen->since,
	};

	if (one->joint != NO_JOINT) {
		of.has_lost_torque = seen->has_lost_torque[one->joint];
		of.is_overloaded = is_overloaded(one, seen->frame);
	}
	switch (one->trouble) {
	case TROUBLE_DISCONNECTED:
		diagnosed_set(one, seen->lacks_bus, &of);
		break;
	case TROUBLE_CRASHED:
		diagnosed_set(one, seen->has_crashed, &of);
		break;
	default:
		diagnosed_look(one, store, &of);
	}
}

static void note_forbids(struct diagnosis *diagnosis, const struct diagnosed *by)
{
	char cause[NAOHW_TEXT_SIZE];

	diagnosis->forbids = by;
	diagnosed_cause(by, cause);
	snprintf(diagnosis->forbids_text, sizeof(diagnosis->forbids_text), "%.30s: %.31s", by->label,
		 cause);
}

void diagnosis_look(struct diagnosis *diagnosis, const struct naohw_store *store,
		    const struct diagnosis_seen *seen)
{
	struct verdict *verdict = &diagnosis->verdict;

	verdict_clear(verdict, &diagnosis->body);
	diagnosis->forbids = NULL;
	*diagnosis->forbids_text = '\0';
	for (size_t i = 0; i < diagnosis->count; i++) {
		struct diagnosed *one = &diagnosis->list[i];

		if (!one->is_there)
			continue;
		look_at(diagnosis, one, store, seen);
		diagnosed_judge(one, verdict, &diagnosis->body, diagnosis->rules);
		note_kept(diagnosis, one);
		if (verdict->forbids_wake_up && !diagnosis->forbids)
			note_forbids(diagnosis, one);
	}
}

/* ---- what has been found ---- */

const struct body *diagnosis_body(const struct diagnosis *diagnosis)
{
	return &diagnosis->body;
}

const struct verdict *diagnosis_verdict(const struct diagnosis *diagnosis)
{
	return &diagnosis->verdict;
}

double diagnosis_part(const struct diagnosis *diagnosis, size_t joint)
{
	if (!diagnosis->rules || diagnosis->list[joint].reduces)
		return 1;
	return heat_part(diagnosis->list[joint].heat);
}

const char *diagnosis_forbids(const struct diagnosis *diagnosis)
{
	return diagnosis->forbids_text;
}

/* It is the last one that is looked at. */
bool diagnosis_forbids_by_crash(const struct diagnosis *diagnosis)
{
	return diagnosis->forbids && diagnosis->forbids->part == PART_HAL;
}

bool diagnosis_tell(struct diagnosis *diagnosis, struct naohw_store *store, int64_t time)
{
	bool has_changed = false;

	for (size_t i = 0; i < diagnosis->count; i++)
		has_changed |= diagnosed_tell(&diagnosis->list[i], store, time);
	return has_changed;
}

/* ---- the active diagnosis ---- */

void diagnosis_begin_test(struct diagnosis *diagnosis)
{
	for (size_t i = 0; i < diagnosis->count; i++)
		diagnosed_begin_test(&diagnosis->list[i]);
}

void diagnosis_end_test(struct diagnosis *diagnosis, bool is_wanted)
{
	for (size_t i = 0; i < diagnosis->count; i++)
		if (diagnosis->list[i].is_there)
			diagnosed_end_test(&diagnosis->list[i], is_wanted);
}

void diagnosis_judge_joint(struct diagnosis *diagnosis, size_t joint, bool has_failed)
{
	if (diagnosis->rules)
		diagnosis->list[joint].has_failed = has_failed;
}

bool diagnosis_may_move(const struct diagnosis *diagnosis, size_t joint)
{
	const struct diagnosed *one;

	if (!diagnosis->rules)
		return true;
	one = &diagnosis->list[joint];
	return one->is_there && !one->is_by_voltage && one->passive.cause == PASSIVE_FINE &&
	       one->passive.silent_ms <= SILENT_MS && heat_trouble(one->heat) == TROUBLE_NONE;
}

double diagnosis_speed(const struct diagnosis *diagnosis, size_t joint)
{
	return diagnosis->rules ? diagnosed_speed(&diagnosis->list[joint]) : (double)NAN;
}
