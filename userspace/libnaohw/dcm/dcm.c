// SPDX-License-Identifier: LGPL-2.1-or-later
/* What all DCMs do alike, and who hosts the cycle. */
#include "dcm.h"

#include <errno.h>
#include <stdlib.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "host.h"
#include "monotonic.h"
#include "remote.h"

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
	if (settings)
		text_names_free(&settings->texts);
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

int naohw_dcm_settings_add_text(struct naohw_dcm_settings *settings, const char *name)
{
	return text_names_add(&settings->texts, name);
}

void naohw_dcm_settings_set_host(struct naohw_dcm_settings *settings, int host)
{
	settings->host = host;
}

/* ---- callbacks ---- */

static _Thread_local const struct naohw_dcm *in_cycle;
static _Thread_local enum dcm_callback in_callback;

enum dcm_callback dcm_callback_of(const struct naohw_dcm *dcm)
{
	return in_cycle == dcm ? in_callback : DCM_CALLBACK_NONE;
}

void dcm_call_all(struct naohw_dcm *dcm, enum dcm_callback kind)
{
	const struct dcm_calls *calls = kind == DCM_CALLBACK_POST ? &dcm->post : &dcm->pre;

	in_cycle = dcm;
	in_callback = kind;
	for (size_t i = 0; i < calls->count; i++)
		calls->list[i].call(calls->list[i].data, dcm);
	in_cycle = NULL;
	in_callback = DCM_CALLBACK_NONE;
}

/* ---- calls ---- */

int dcm_is_closing(struct naohw_error *err)
{
	return fail(err, -ESHUTDOWN, "the DCM is being closed");
}

/* Those of a callback are over when the cycle is. */
static int begin_call(struct naohw_dcm *dcm, struct naohw_error *err)
{
	if (dcm_callback_of(dcm))
		return 0;
	return usage_begin(&dcm->usage) < 0 ? dcm_is_closing(err) : 0;
}

/* What failed meanwhile has failed for this reason. */
static int end_call(struct naohw_dcm *dcm, int ret, struct naohw_error *err)
{
	if (dcm_callback_of(dcm))
		return ret;
	if (ret < 0 && usage_is_forbidden(&dcm->usage))
		ret = dcm_is_closing(err);
	usage_end(&dcm->usage);
	return ret;
}

/* ---- open and close ---- */

int naohw_dcm_open(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
		   struct naohw_dcm **dcm, struct naohw_error *err)
{
	int host = settings ? settings->host : 0;
	int ret = host > 0 ? -ENOENT : remote_open(robot, settings, dcm, err);

	/* Nobody is to listen there, or who does has another robot. */
	if (ret == -ECONNREFUSED || ret == -ENXIO)
		ret = -ENOENT;
	return ret == -ENOENT && host >= 0 ? host_open(robot, settings, dcm, err) : ret;
}

void naohw_dcm_close(struct naohw_dcm *dcm)
{
	if (!dcm)
		return;
	usage_forbid(&dcm->usage);
	dcm->ops->stop(dcm);
	usage_drain(&dcm->usage, NULL, NULL);
	dcm->ops->free(dcm);
}

/* ---- asked ---- */

struct naohw_store *naohw_dcm_store(const struct naohw_dcm *dcm)
{
	return dcm->store;
}

int64_t naohw_dcm_get_time(const struct naohw_dcm *dcm, int64_t offset)
{
	int64_t now = dcm_callback_of(dcm) ? dcm->ops->time(dcm) : monotonic_ns() / DCM_NS_PER_MS;

	if (__builtin_add_overflow(now, offset, &now))
		return offset < 0 ? INT64_MIN + 1 : INT64_MAX;
	return now;
}

const char *naohw_dcm_get_prefix(unsigned int index)
{
	static const char *const prefixes[] = { KEY_PREFIX, DEVICE_PREFIX };

	return index < 2 ? prefixes[index] : NULL;
}

int naohw_dcm_wait(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
		   struct naohw_error *err)
{
	int ret;

	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "a callback cannot wait for the cycle that it is in");
	ret = begin_call(dcm, err);
	if (ret == 0)
		ret = end_call(dcm, dcm->ops->wait(dcm, cycle, timeout_ms, err), err);
	return ret;
}

int naohw_dcm_get_value(const struct naohw_dcm *dcm, const char *name, double *value)
{
	if (dcm_callback_of(dcm) != DCM_CALLBACK_PRE)
		return -EBUSY;
	return dcm->ops->get_value(dcm, name, value);
}

/* While the DCM is being closed, it moves no joint any more. */
enum naohw_stream naohw_dcm_get_stream(const struct naohw_dcm *dcm)
{
	struct naohw_dcm *called = (struct naohw_dcm *)dcm;
	enum naohw_stream stream;

	if (begin_call(called, NULL) < 0)
		return NAOHW_STREAM_TRIPPED;
	stream = dcm->ops->get_stream(dcm);
	(void)end_call(called, 0, NULL);
	return stream;
}

static double read_number(const struct naohw_store *store, const char *key)
{
	struct naohw_value value;
	size_t slot;

	if (naohw_store_find(store, key, &slot) < 0 || naohw_store_read(store, slot, &value) < 0 ||
	    value.state == NAOHW_STATE_ABSENT)
		return 0;
	return value.number;
}

static double number_of(const struct naohw_dcm *dcm, const char *key)
{
	struct naohw_dcm *called = (struct naohw_dcm *)dcm;
	double number;

	if (begin_call(called, NULL) < 0)
		return 0;
	number = read_number(dcm->store, key);
	(void)end_call(called, 0, NULL);
	return number;
}

double naohw_dcm_get_period(const struct naohw_dcm *dcm)
{
	return number_of(dcm, PERIOD_NAME);
}

double dcm_needed_ms(const struct naohw_dcm *dcm, const struct naohw_robot *robot)
{
	if (description_find_key(robot->description, PERIOD_NAME))
		return 0;
	return number_of(dcm, LIVE_NEEDED);
}

/* "": there is no such key, or the DCM is being closed. */
static void read_text(const struct naohw_dcm *dcm, const char *key, struct naohw_value *value)
{
	struct naohw_dcm *called = (struct naohw_dcm *)dcm;
	size_t slot;

	*value->text = '\0';
	if (begin_call(called, NULL) < 0)
		return;
	if (naohw_store_find(dcm->store, key, &slot) < 0 ||
	    naohw_store_read(dcm->store, slot, value) < 0)
		*value->text = '\0';
	(void)end_call(called, 0, NULL);
}

int naohw_dcm_is_limp(const struct naohw_dcm *dcm)
{
	struct naohw_value stream;

	read_text(dcm, LIVE_STREAM, &stream);
	return strcmp(stream.text, LIVE_LIMP) == 0;
}

int naohw_dcm_check_stream(const struct naohw_dcm *dcm, struct naohw_error *err)
{
	if (naohw_dcm_get_stream(dcm) != NAOHW_STREAM_TRIPPED)
		return naohw_dcm_is_resting(dcm) ? fail(err, -EPIPE, DCM_RESTS) : 0;
	if (usage_is_forbidden(&dcm->usage))
		return dcm_is_closing(err);
	if (naohw_dcm_is_limp(dcm))
		return fail(err, -EPIPE, DCM_LIMP);
	return fail(err, -EPIPE,
		    "the kernel's watchdog has switched the torque off, since no pose came in time; "
		    "\"naohw recover\" brings it back");
}

static int ask(struct naohw_dcm *dcm, int (*what)(struct naohw_dcm *dcm, struct naohw_error *err),
	       struct naohw_error *err)
{
	int ret = begin_call(dcm, err);

	return ret < 0 ? ret : end_call(dcm, what(dcm, err), err);
}

static int ask_kernel(struct naohw_dcm *dcm,
		      int (*what)(struct naohw_dcm *dcm, struct naohw_error *err),
		      struct naohw_error *err)
{
	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "a callback cannot wait for the kernel");
	return ask(dcm, what, err);
}

int naohw_dcm_recover(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return ask_kernel(dcm, dcm->ops->recover, err);
}

int naohw_dcm_limp(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return ask_kernel(dcm, dcm->ops->let_go, err);
}

int naohw_dcm_is_resting(const struct naohw_dcm *dcm)
{
	struct naohw_value rest;

	read_text(dcm, REST_KEY, &rest);
	return *rest.text && strcmp(rest.text, REST_NONE) != 0;
}

int naohw_dcm_rest(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return ask(dcm, dcm->ops->rest, err);
}

int naohw_dcm_diagnose(struct naohw_dcm *dcm, struct naohw_error *err)
{
	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "a callback cannot begin a test");
	return ask(dcm, dcm->ops->test, err);
}

int naohw_dcm_wake_up(struct naohw_dcm *dcm, struct naohw_error *err)
{
	return ask_kernel(dcm, dcm->ops->wake_up, err);
}

/* ---- set ---- */

int naohw_dcm_set(struct naohw_dcm *dcm, const char *name, enum naohw_update update,
		  const struct naohw_command *commands, size_t count, struct naohw_error *err)
{
	int ret = begin_call(dcm, err);

	if (ret == 0)
		ret = end_call(dcm, dcm->ops->set(dcm, name, update, commands, count, err), err);
	return ret;
}

int naohw_dcm_set_mixed(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
			const struct naohw_command *const *commands, const size_t *counts,
			size_t actuators, struct naohw_error *err)
{
	int ret = begin_call(dcm, err);

	if (ret == 0)
		ret = end_call(dcm, dcm->ops->set_mixed(dcm, alias, update, commands, counts,
							actuators, err), err);
	return ret;
}

int naohw_dcm_set_separate(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
			   int importance, const int64_t *times, size_t count,
			   const double *values, size_t actuators, struct naohw_error *err)
{
	int ret = begin_call(dcm, err);

	(void)importance;
	if (ret == 0)
		ret = end_call(dcm, dcm->ops->set_separate(dcm, alias, update, times, count, values,
							   actuators, err), err);
	return ret;
}

int naohw_dcm_set_step(struct naohw_dcm *dcm, const char *const *names, const double *goals,
		       size_t count, int64_t begin, int64_t end, struct naohw_error *err)
{
	int ret = begin_call(dcm, err);

	if (ret == 0)
		ret = end_call(dcm, dcm->ops->set_step(dcm, names, goals, count, begin, end, err),
			       err);
	return ret;
}

int naohw_dcm_create_alias(struct naohw_dcm *dcm, const char *alias, const char *const *names,
			   size_t count, const char **answer, struct naohw_error *err)
{
	int ret;

	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "%s: no alias can be made in a callback", alias);
	ret = begin_call(dcm, err);
	if (ret == 0)
		ret = end_call(dcm, dcm->ops->create_alias(dcm, alias, names, count, answer, err),
			       err);
	return ret;
}

int naohw_dcm_remove_alias(struct naohw_dcm *dcm, const char *alias, struct naohw_error *err)
{
	int ret;

	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "%s: no alias can be removed in a callback", alias);
	ret = begin_call(dcm, err);
	if (ret == 0)
		ret = end_call(dcm, dcm->ops->remove_alias(dcm, alias, err), err);
	return ret;
}

int naohw_dcm_flush(struct naohw_dcm *dcm, struct naohw_error *err)
{
	int ret = begin_call(dcm, err);

	if (ret == 0)
		ret = end_call(dcm, dcm->ops->flush(dcm, err), err);
	return ret;
}

/* ---- for who serves others ---- */

static int begin_call_to_host(struct naohw_dcm *dcm)
{
	if (!is_hosted(dcm))
		return -ENOTSUP;
	return dcm_callback_of(dcm) ? -EBUSY : begin_call(dcm, NULL);
}

int naohw_dcm_set_text(struct naohw_dcm *dcm, const char *name, const char *text)
{
	int ret = begin_call_to_host(dcm);

	return ret < 0 ? ret : end_call(dcm, host_set_text(dcm, name, text), NULL);
}

int naohw_dcm_get_actuators(struct naohw_dcm *dcm, const char *name, const char **actuators,
			    size_t room)
{
	int ret = begin_call_to_host(dcm);

	return ret < 0 ? ret : end_call(dcm, host_get_actuators(dcm, name, actuators, room), NULL);
}

uint64_t naohw_dcm_ticket(const struct naohw_dcm *dcm)
{
	struct naohw_dcm *called = (struct naohw_dcm *)dcm;
	uint64_t ticket;

	if (!is_hosted(dcm) || begin_call(called, NULL) < 0)
		return 0;
	ticket = host_ticket(dcm);
	(void)end_call(called, 0, NULL);
	return ticket;
}

int naohw_dcm_has_taken(struct naohw_dcm *dcm, uint64_t ticket, struct naohw_error *err)
{
	int ret;

	if (!is_hosted(dcm))
		return fail(err, -ENOTSUP, "only who hosts a robot has tickets");
	ret = begin_call(dcm, err);
	return ret < 0 ? ret : end_call(dcm, host_has_taken(dcm, ticket, err), err);
}

/* ---- leases ---- */

static int check_lease(const struct naohw_dcm *dcm, struct naohw_error *err)
{
	if (!dcm->ops->lease)
		return fail(err, -ENOTSUP, "the robot is this program's alone, as no naohwd has it");
	if (dcm_callback_of(dcm))
		return fail(err, -EBUSY, "no lease can be had in a callback");
	return 0;
}

static int lease_as(struct naohw_dcm *dcm, const struct dcm_lease *wish, unsigned int *lease,
		    struct naohw_error *err)
{
	int ret = check_lease(dcm, err);

	if (ret == 0)
		ret = begin_call(dcm, err);
	if (ret == 0)
		ret = end_call(dcm, dcm->ops->lease(dcm, wish, lease, err), err);
	return ret;
}

static const char *name_of(enum naohw_lease_end end)
{
	switch (end) {
	case NAOHW_LEASE_SOFTEN:
		return "soften";
	case NAOHW_LEASE_HOLD:
		return "hold";
	case NAOHW_LEASE_FREE:
		return "free";
	}
	return NULL;
}

int naohw_dcm_lease(struct naohw_dcm *dcm, const char *const *names, size_t count,
		    enum naohw_lease_end end, double seconds, unsigned int *lease,
		    struct naohw_error *err)
{
	const struct dcm_lease wish = { names, count, name_of(end), seconds, .joints = NULL };

	return lease_as(dcm, &wish, lease, err);
}

int naohw_dcm_lease_rest(struct naohw_dcm *dcm, const char *const *names, size_t count,
			 const char *const *joints, const double *angles, size_t joint_count,
			 double seconds, unsigned int *lease, struct naohw_error *err)
{
	const struct dcm_lease wish = { names, count, "rest", seconds, joints, angles, joint_count };

	return lease_as(dcm, &wish, lease, err);
}

int naohw_dcm_release(struct naohw_dcm *dcm, unsigned int lease, struct naohw_error *err)
{
	int ret = check_lease(dcm, err);

	if (ret == 0)
		ret = begin_call(dcm, err);
	if (ret == 0)
		ret = end_call(dcm, dcm->ops->release(dcm, lease, err), err);
	return ret;
}
