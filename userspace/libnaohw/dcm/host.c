// SPDX-License-Identifier: LGPL-2.1-or-later
/* How a DCM of our own begins and ends, and what its users ask it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../feed/feed.h"
#include "../frame/frame.h"
#include "../pose/pose.h"
#include "../store/store.h"
#include "described.h"
#include "host.h"
#include "monotonic.h"

/* One pose on its way, and one behind it: none is older than two periods. */
#define POSES_QUEUED	 2

/* ---- open ---- */

/*
 * ms. Two periods may pass from one sign of life to the next, and without frames this time: a
 * quarter of the kernel's watchdog.
 */
static unsigned int longest_wait(const struct dcm_host *dcm)
{
	int64_t ms = pose_patience(dcm->pose) / DCM_NS_PER_MS;

	return ms > 0 && ms < NAOHW_PERIOD_MAX ? (unsigned int)ms : NAOHW_PERIOD_MAX;
}

/* Somebody may have set the bus to whatever it can do. */
static int check_period(const struct dcm_host *dcm, struct naohw_error *err)
{
	int64_t ms = naohw_frame_period(dcm->frame) / DCM_NS_PER_MS;
	int most = (int)longest_wait(dcm);

	if (ms <= most)
		return 0;
	return fail(err, -ERANGE, "the bus's cycle: its period is %d ms, expected %d at the most; "
		    "set " PERIOD_NAME ", or period_us of the bus%s", (int)ms, most,
		    most < NAOHW_PERIOD_MAX ? ", or a longer watchdog_ms" : "");
}

/* Poses need what only the robot's own machine has, and frames need not be asked for then. */
static int check_machine(const struct naohw_robot *robot, struct naohw_error *err)
{
	if (robot_is_here(robot))
		return 0;
	return fail(err, -EOPNOTSUPP,
		    "the robot is on another machine, and only that machine can host its cycle: "
		    "run the program there, as \"naohw --uri ssh://HOST\" does");
}

/* A cycle reads all, and sends a pose as well. */
static int tell_no_time(int ret, struct naohw_error *err)
{
	size_t used = err ? strlen(err->message) : 0;

	if (err && ret == -ENOSPC)
		snprintf(err->message + used, sizeof(err->message) - used,
			 "; for a cycle set " PERIOD_NAME " to what fits, as by \"naohw pref\", or "
			 "shorten the servos' return delay");
	return ret;
}

static int open_frame(struct dcm_host *dcm, struct naohw_error *err)
{
	struct naohw_frame_settings *settings;
	int ret = naohw_frame_settings_new(&settings);

	if (ret < 0)
		return fail(err, ret, "out of memory");
	naohw_frame_settings_set_newest(settings, 1);
	settings->period = (int64_t)(dcm->preferences.cycle_time * DCM_NS_PER_MS);
	ret = frame_open(dcm->robot, settings, &dcm->frame, err);
	naohw_frame_settings_free(settings);
	return tell_no_time(ret, err);
}

static int open_pose(struct dcm_host *dcm, struct naohw_error *err)
{
	struct naohw_pose_settings *settings;
	int ret = naohw_pose_settings_new(&settings);

	if (ret < 0)
		return fail(err, ret, "out of memory");
	naohw_pose_settings_set_queue(settings, POSES_QUEUED);
	naohw_pose_settings_set_stiffness(settings, 1);
	pose_settings_set_wheels(settings, true);
	naohw_pose_settings_set_auto_recover(settings, dcm->preferences.auto_recover != 0);
	ret = pose_open(dcm->robot, settings, &dcm->pose, err);
	naohw_pose_settings_free(settings);
	if (ret < 0)
		return tell_no_time(ret, err);
	frame_allow_partial(dcm->frame, longest_wait(dcm));
	return check_period(dcm, err);
}

/* Of joints with the same label the first has it. */
static bool has_key(const struct store_key *keys, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(keys[i].name, name) == 0)
			return true;
	return false;
}

/* @names: room for the names of as many keys as there are joints. */
static size_t reason_keys(const struct naohw_robot *robot, char (*names)[REASON_KEY_SIZE],
			  struct store_key *keys)
{
	size_t count = 0;

	for (size_t i = 0; i < naohw_robot_joint_count(robot); i++)
		if (reason_key(naohw_joint_label(robot, i), names[count]) &&
		    !has_key(keys, count, names[count])) {
			keys[count] = (struct store_key){ names[count], NAOHW_KEY_STRING, false };
			count++;
		}
	return count;
}

static int open_store_with(struct dcm_host *dcm, char (*names)[REASON_KEY_SIZE],
			   struct store_key *keys, struct naohw_error *err)
{
	size_t count = live_keys(keys);

	count += rest_keys(&dcm->rest, keys + count);
	count += texts_keys(&dcm->texts, keys + count);
	count += reason_keys(dcm->robot, names, keys + count);
	return feed_open(dcm->robot, dcm->frame, keys, count, &dcm->base.store, err);
}

static int open_store(struct dcm_host *dcm, struct naohw_error *err)
{
	size_t joints = naohw_robot_joint_count(dcm->robot);
	char(*names)[REASON_KEY_SIZE] = calloc(joints + 1, sizeof(*names));
	struct store_key *keys = calloc(LIVE_KEYS_MAX + TEXTS_MAX + rest_key_count(&dcm->rest) +
					joints, sizeof(*keys));
	int ret = names && keys ? open_store_with(dcm, names, keys, err) :
				  fail(err, -ENOMEM, "out of memory");

	free(keys);
	free(names);
	if (ret < 0)
		return ret;
	store_reserve(dcm->base.store);
	live_find(&dcm->live, dcm->base.store);
	texts_find(&dcm->texts, dcm->base.store);
	rest_find(&dcm->rest, dcm->base.store);
	return 0;
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

static int find_slots(struct dcm_host *dcm, struct naohw_error *err)
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
		if (naohw_store_find(dcm->base.store, name, &dcm->slot[i]) < 0)
			return fail(err, -EINVAL, "%s: is not in the store", name);
	}
	return 0;
}

static int find_all(struct dcm_host *dcm, struct naohw_error *err)
{
	int ret = actuators_find(&dcm->actuators, dcm->robot, dcm->pose, err);

	if (ret == 0)
		ret = find_slots(dcm, err);
	if (ret == 0)
		ret = joints_find(&dcm->joints, &dcm->actuators, dcm->robot, dcm->pose, dcm->base.store,
				  &dcm->preferences, diagnosis_body(dcm->rest.diagnosis), err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < dcm->actuators.count; i++) {
		ask_slow(&dcm->actuators.list[i]);
		if (dcm->actuators.list[i].kind == ACTUATOR_PERIOD)
			dcm->actuators.list[i].max = longest_wait(dcm);
		pose_stay_alive(dcm->pose);
	}
	battery_find(&dcm->battery, dcm->robot, dcm->base.store);
	return described_aliases(&dcm->aliases, &dcm->actuators, dcm->robot->description, err);
}

static void *run(void *data)
{
	struct dcm_host *dcm = data;

	if (dcm->preferences.realtime != 0)
		dcm->is_realtime =
			naohw_realtime_schedule((int)dcm->preferences.realtime_priority, NULL) == 0;
	while (!atomic_load(&dcm->is_to_end))
		dcm_cycle(dcm);
	return NULL;
}

static int build(struct dcm_host *dcm, struct naohw_error *err)
{
	int ret = dcm_preferences_read(&dcm->preferences, dcm->robot->description, err);

	if (ret == 0)
		ret = check_machine(dcm->robot, err);
	/* It has the frames as well, but that it moves the robot is what matters. */
	if (ret == 0)
		ret = pose_check_mover(dcm->robot, err);
	if (ret == 0)
		ret = open_frame(dcm, err);
	if (ret == 0)
		ret = rest_begin(&dcm->rest, dcm->robot, dcm->preferences.rules, err);
	if (ret == 0)
		ret = open_store(dcm, err);
	/* Late, as from then on the kernel's watchdog waits for the first cycle. */
	if (ret == 0)
		ret = open_pose(dcm, err);
	if (ret == 0)
		ret = find_all(dcm, err);
	if (ret < 0)
		return ret;
	ret = torque_begin(dcm->pose, &dcm->torque, err);
	if (ret < 0)
		return ret;
	if (torque_stream(dcm->torque) == NAOHW_STREAM_TRIPPED) {
		joints_find_trip(&dcm->joints);
		if (!torque_is_limp(dcm->torque))
			rest_find_crash(&dcm->rest);
	}
	return writer_begin(&dcm->actuators, &dcm->joints, &dcm->beat, dcm->frame, dcm->pose,
			    dcm->rest.diagnosis, &dcm->writer, err);
}

/* ---- close ---- */

static void stop_host(struct naohw_dcm *of)
{
	struct dcm_host *dcm = host_of(of);

	if (dcm->runs) {
		atomic_store(&dcm->is_to_end, true);
		naohw_frame_cancel(dcm->frame);
		pthread_join(dcm->thread, NULL);
	}
	dcm_end_cycles(dcm);
	beat_end(&dcm->beat);
}

static void free_host(struct naohw_dcm *of)
{
	struct dcm_host *dcm = host_of(of);

	writer_end(dcm->writer);
	torque_end(dcm->torque);
	naohw_store_close(dcm->base.store);
	naohw_pose_close(dcm->pose);
	naohw_frame_close(dcm->frame);
	dcm_drop_letters(dcm);
	aliases_end(&dcm->aliases);
	texts_end(&dcm->texts);
	joints_free(&dcm->joints);
	rest_end(&dcm->rest);
	actuators_free(&dcm->actuators);
	free(dcm->slot);
	free(dcm);
}

/* ---- asked ---- */

static int64_t time_of(const struct naohw_dcm *dcm)
{
	return host_of(dcm)->time;
}

static int wait_for_cycle(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
			  struct naohw_error *err)
{
	struct beat *beat = &host_of(dcm)->beat;
	int ret = beat_wait_beyond(beat, *cycle, timeout_ms, err);

	if (ret == 0)
		*cycle = beat_count(beat);
	return ret;
}

static int get_value(const struct naohw_dcm *dcm, const char *name, double *value)
{
	const struct actuator *actuator = actuator_find(&host_of(dcm)->actuators, name);

	if (!actuator)
		return -ENOENT;
	if (actuator->kind == ACTUATOR_ABSENT)
		return -ENODEV;
	if (isnan(actuator->next))
		return -ENODATA;
	*value = actuator_value(actuator, actuator->next);
	return 0;
}

static enum naohw_stream get_stream(const struct naohw_dcm *dcm)
{
	return torque_stream(host_of(dcm)->torque);
}

static int recover(struct naohw_dcm *dcm, struct naohw_error *err)
{
	int ret = pose_tell_recover(host_of(dcm)->pose, err);

	atomic_store(&host_of(dcm)->joints.is_to_forget_stalls, true);
	torque_look(host_of(dcm)->torque);
	return ret;
}

static int let_go(struct naohw_dcm *dcm, struct naohw_error *err)
{
	int ret = pose_let_go(host_of(dcm)->pose, err);

	torque_look(host_of(dcm)->torque);
	return ret;
}

static const struct dcm_ops host_ops = {
	.set = host_set,
	.set_mixed = host_set_mixed,
	.set_separate = host_set_separate,
	.set_step = host_set_step,
	.flush = host_flush,
	.get_stream = get_stream,
	.create_alias = host_create_alias,
	.remove_alias = host_remove_alias,
	.wait = wait_for_cycle,
	.recover = recover,
	.let_go = let_go,
	.rest = host_rest,
	.wake_up = host_wake_up,
	.test = host_test,
	.get_value = get_value,
	.time = time_of,
	.stop = stop_host,
	.free = free_host,
};

bool is_hosted(const struct naohw_dcm *dcm)
{
	return dcm->ops == &host_ops;
}

const struct naohw_pose *dcm_pose(const struct naohw_dcm *dcm)
{
	return is_hosted(dcm) ? host_of(dcm)->pose : NULL;
}

int host_set_text(struct naohw_dcm *dcm, const char *name, const char *text)
{
	return texts_give(&host_of(dcm)->texts, name, text);
}

/* ---- all ---- */

int host_new(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
	     struct dcm_host **out, struct naohw_error *err)
{
	static const struct naohw_dcm_settings none;
	struct dcm_host *dcm = calloc(1, sizeof(*dcm));
	int ret;

	settings = settings ? settings : &none;
	if (!dcm || aliases_begin(&dcm->aliases, &dcm->beat) < 0) {
		free(dcm);
		return fail(err, -ENOMEM, "out of memory");
	}
	dcm->base.ops = &host_ops;
	dcm->base.post = settings->post;
	dcm->base.pre = settings->pre;
	dcm->robot = robot;
	ret = texts_begin(&dcm->texts, &settings->texts) < 0 ? fail(err, -ENOMEM, "out of memory") :
							       build(dcm, err);
	if (ret < 0) {
		naohw_dcm_close(&dcm->base);
		return ret;
	}
	*out = dcm;
	return 0;
}

int host_open(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
	      struct naohw_dcm **out, struct naohw_error *err)
{
	struct dcm_host *dcm;
	int ret = host_new(robot, settings, &dcm, err);

	if (ret < 0)
		return ret;
	ret = thread_begin(&dcm->thread, run, dcm);
	if (ret < 0) {
		naohw_dcm_close(&dcm->base);
		return fail(err, ret, "no thread for the cycle: %s", error_text(ret));
	}
	dcm->runs = true;
	*out = &dcm->base;
	return 0;
}

