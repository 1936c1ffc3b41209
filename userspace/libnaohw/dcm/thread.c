// SPDX-License-Identifier: LGPL-2.1-or-later
/* How a DCM begins and ends, and what its users ask it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../feed/feed.h"
#include "../frame/frame.h"
#include "../pose/pose.h"
#include "dcm.h"
#include "described.h"
#include "monotonic.h"

/* Signs of life go on without frames: a fifth of what the kernel's watchdog waits. */
#define FRAME_TIMEOUT_MS 100
/* One pose on its way, and one behind it: none is older than two periods. */
#define POSES_QUEUED	 2

/* ---- settings ---- */

int naohw_dcm_settings_new(struct naohw_dcm_settings **out)
{
	struct naohw_dcm_settings *settings = calloc(1, sizeof(*settings));

	if (!settings)
		return -ENOMEM;
	*out = settings;
	return 0;
}

void naohw_dcm_settings_free(struct naohw_dcm_settings *settings)
{
	free(settings);
}

static int add_call(struct dcm_calls *calls, void (*call)(void *data, struct naohw_dcm *dcm),
		    void *data)
{
	if (calls->count == DCM_CALLS_MAX)
		return -ENOSPC;
	calls->list[calls->count++] = (struct dcm_call){ call, data };
	return 0;
}

int naohw_dcm_settings_at_post_process(struct naohw_dcm_settings *settings,
				       void (*call)(void *data, struct naohw_dcm *dcm), void *data)
{
	return add_call(&settings->post, call, data);
}

int naohw_dcm_settings_at_pre_process(struct naohw_dcm_settings *settings,
				      void (*call)(void *data, struct naohw_dcm *dcm), void *data)
{
	return add_call(&settings->pre, call, data);
}

/* ---- open ---- */

/* Somebody may have set the bus to whatever it can do. */
static int check_period(const struct naohw_dcm *dcm, struct naohw_error *err)
{
	int64_t ms = naohw_frame_period(dcm->frame) / DCM_NS_PER_MS;

	if (ms <= PERIOD_MAX)
		return 0;
	return fail(err, -ERANGE, "the bus's cycle: its period is %d ms, expected %d at the most; "
		    "set " PERIOD_NAME ", or period_us of the bus", (int)ms, PERIOD_MAX);
}

static int open_frame(struct naohw_dcm *dcm, struct naohw_error *err)
{
	struct naohw_frame_settings *settings;
	int ret = naohw_frame_settings_new(&settings);

	if (ret < 0)
		return fail(err, ret, "out of memory");
	naohw_frame_settings_set_newest(settings, 1);
	ret = naohw_frame_open(dcm->robot, settings, &dcm->frame, err);
	naohw_frame_settings_free(settings);
	if (ret < 0)
		return ret;
	frame_allow_partial(dcm->frame, FRAME_TIMEOUT_MS);
	if (dcm->preferences.cycle_time > 0)
		ret = frame_set_period(dcm->frame,
				       (int64_t)(dcm->preferences.cycle_time * DCM_NS_PER_MS), err);
	return ret < 0 ? ret : check_period(dcm, err);
}

static int open_pose(struct naohw_dcm *dcm, struct naohw_error *err)
{
	struct naohw_pose_settings *settings;
	int ret = naohw_pose_settings_new(&settings);

	if (ret < 0)
		return fail(err, ret, "out of memory");
	naohw_pose_settings_set_queue(settings, POSES_QUEUED);
	naohw_pose_settings_set_stiffness(settings, 1);
	naohw_pose_settings_set_auto_recover(settings, dcm->preferences.auto_recover != 0);
	ret = naohw_pose_open(dcm->robot, settings, &dcm->pose, err);
	naohw_pose_settings_free(settings);
	return ret;
}

static int open_store(struct naohw_dcm *dcm, struct naohw_error *err)
{
	struct store_key keys[LIVE_KEYS_MAX];
	size_t count = live_keys(keys);
	int ret = feed_open(dcm->robot, dcm->frame, keys, count, &dcm->store, err);

	if (ret == 0)
		live_find(&dcm->live, dcm->store);
	return ret;
}

/* What is slow tells what it has now, for lines to begin there; of joints the pose knows. */
static void ask_slow(struct actuator *actuator)
{
	double value;

	if (actuator->kind != ACTUATOR_SLOW ||
	    subdevice_read(actuator->subdevice, &value, NULL) < 0)
		return;
	actuator->sent = actuator->next = actuator->line = actuator_level(actuator, value);
	actuator->queue.from.level = actuator->sent;
	actuator->is_known = true;
}

static int find_slots(struct naohw_dcm *dcm, struct naohw_error *err)
{
	dcm->slot = calloc(dcm->actuators.count, sizeof(*dcm->slot));
	if (!dcm->slot)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < dcm->actuators.count; i++) {
		const struct actuator *actuator = &dcm->actuators.list[i];
		char name[ACTUATOR_NAME_MAX * 2];

		if (!actuator->subdevice)
			continue;
		snprintf(name, sizeof(name), "%s/Value", actuator->subdevice->name);
		if (naohw_store_find(dcm->store, name, &dcm->slot[i]) < 0)
			return fail(err, -EINVAL, "%s: is not in the store", name);
	}
	return 0;
}

static int find_all(struct naohw_dcm *dcm, struct naohw_error *err)
{
	int ret = actuators_find(&dcm->actuators, dcm->robot, dcm->pose, err);

	if (ret == 0)
		ret = find_slots(dcm, err);
	if (ret == 0)
		ret = joints_find(&dcm->joints, &dcm->actuators, dcm->robot, dcm->pose, dcm->store,
				  &dcm->preferences, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < dcm->actuators.count; i++) {
		ask_slow(&dcm->actuators.list[i]);
		pose_stay_alive(dcm->pose);
	}
	battery_find(&dcm->battery, dcm->robot, dcm->store);
	return described_aliases(&dcm->aliases, &dcm->actuators, dcm->robot->description, err);
}

static void *run(void *data)
{
	struct naohw_dcm *dcm = data;

	if (dcm->preferences.realtime != 0)
		dcm->is_realtime =
			naohw_realtime_schedule((int)dcm->preferences.realtime_priority, NULL) == 0;
	while (!atomic_load(&dcm->is_to_end))
		dcm_cycle(dcm);
	return NULL;
}

static int build(struct naohw_dcm *dcm, struct naohw_error *err)
{
	int ret = dcm_preferences_read(&dcm->preferences, dcm->robot->description, err);

	if (ret == 0)
		ret = open_frame(dcm, err);
	if (ret == 0)
		ret = open_store(dcm, err);
	/* Late, as from then on the kernel's watchdog waits for the first cycle. */
	if (ret == 0)
		ret = open_pose(dcm, err);
	if (ret == 0)
		ret = find_all(dcm, err);
	if (ret < 0)
		return ret;
	return writer_begin(&dcm->actuators, &dcm->beat, dcm->frame, dcm->pose, &dcm->writer, err);
}

int dcm_new(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
	    struct naohw_dcm **out, struct naohw_error *err)
{
	struct naohw_dcm *dcm = calloc(1, sizeof(*dcm));
	int ret;

	if (!dcm || aliases_begin(&dcm->aliases) < 0) {
		free(dcm);
		return fail(err, -ENOMEM, "out of memory");
	}
	dcm->robot = robot;
	if (settings) {
		dcm->post = settings->post;
		dcm->pre = settings->pre;
	}
	ret = build(dcm, err);
	if (ret < 0) {
		naohw_dcm_close(dcm);
		return ret;
	}
	*out = dcm;
	return 0;
}

int naohw_dcm_open(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
		   struct naohw_dcm **out, struct naohw_error *err)
{
	struct naohw_dcm *dcm;
	int ret = dcm_new(robot, settings, &dcm, err);

	if (ret < 0)
		return ret;
	ret = thread_begin(&dcm->thread, run, dcm);
	if (ret < 0) {
		naohw_dcm_close(dcm);
		return fail(err, ret, "no thread for the cycle: %s", error_text(ret));
	}
	dcm->runs = true;
	*out = dcm;
	return 0;
}

/* ---- close ---- */

void naohw_dcm_close(struct naohw_dcm *dcm)
{
	if (!dcm)
		return;
	if (dcm->runs) {
		atomic_store(&dcm->is_to_end, true);
		naohw_frame_cancel(dcm->frame);
		pthread_join(dcm->thread, NULL);
	}
	beat_end(&dcm->beat);
	writer_end(dcm->writer);
	naohw_store_close(dcm->store);
	naohw_pose_close(dcm->pose);
	naohw_frame_close(dcm->frame);
	dcm_drop_letters(dcm);
	aliases_end(&dcm->aliases);
	joints_free(&dcm->joints);
	actuators_free(&dcm->actuators);
	free(dcm->slot);
	free(dcm);
}

/* ---- asked ---- */

struct naohw_store *naohw_dcm_store(const struct naohw_dcm *dcm)
{
	return dcm->store;
}

int64_t naohw_dcm_get_time(const struct naohw_dcm *dcm, int64_t offset)
{
	int64_t now = dcm_callback_of(dcm) ? dcm->time : monotonic_ns() / DCM_NS_PER_MS;

	if (__builtin_add_overflow(now, offset, &now))
		return offset < 0 ? INT64_MIN + 1 : INT64_MAX;
	return now;
}

const char *naohw_dcm_get_prefix(unsigned int index)
{
	static const char *const prefixes[] = { SUBDEVICE_PREFIX, DEVICE_PREFIX };

	return index < 2 ? prefixes[index] : NULL;
}

int naohw_dcm_wait(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
		   struct naohw_error *err)
{
	int ret;

	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "a callback cannot wait for the cycle that it is in");
	ret = beat_wait_beyond(&dcm->beat, *cycle, timeout_ms, err);
	if (ret == 0)
		*cycle = beat_count(&dcm->beat);
	return ret;
}

int naohw_dcm_get_value(const struct naohw_dcm *dcm, const char *name, double *value)
{
	const struct actuator *actuator = actuator_find(&dcm->actuators, name);

	if (dcm_callback_of(dcm) != DCM_CALLBACK_PRE)
		return -EBUSY;
	if (!actuator)
		return -ENOENT;
	if (actuator->kind == ACTUATOR_ABSENT)
		return -ENODEV;
	*value = actuator_value(actuator, actuator->next);
	return 0;
}

enum naohw_stream naohw_dcm_get_stream(const struct naohw_dcm *dcm)
{
	return writer_stream(dcm->writer);
}

int naohw_dcm_recover(struct naohw_dcm *dcm, struct naohw_error *err)
{
	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "a callback cannot wait for the kernel");
	return pose_tell_recover(dcm->pose, err);
}
