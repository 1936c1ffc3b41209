// SPDX-License-Identifier: LGPL-2.1-or-later
#include "rest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "host.h"

/* After the time of its way a joint that is held, or hangs, may take so long. */
#define SETTLE_MS 2000
/* A wheel stands after so long, or is dragged. */
#define STOP_MS 1000
/* Nearer than this a joint has arrived where it can be let go. */
#define THERE_RAD 0.1
/* Three looks of the thread that looks at torque */
#define LOST_MS	  300
/* A wish to wake up waits so long for a robot that a person had let go. */
#define WISH_MS	  1000
#define MS_PER_S  1000.0
/* A host that runs for so long does not crash as the one before. */
#define HOST_MS	  5000

/* ---- its keys ---- */

static const struct store_key own_keys[REST_KEYS] = {
	{ REST_KEY, NAOHW_KEY_STRING, false },
	{ REST_FORBIDDEN_KEY, NAOHW_KEY_STRING, false },
	{ "Diagnosis/FallManager/Disabled", NAOHW_KEY_INT, false },
	{ "Diagnosis/SmartStiffness/Disabled", NAOHW_KEY_INT, false },
	{ "Diagnosis/Changes", NAOHW_KEY_INT, false },
	{ "Diagnosis/Tests", NAOHW_KEY_INT, false },
	{ "Diagnosis/Untested", NAOHW_KEY_STRING, false },
};

int rest_begin(struct rest *rest, const struct naohw_robot *robot, const struct rules *rules,
	       struct naohw_error *err)
{
	size_t joints = naohw_robot_joint_count(robot);

	rest->has_lost_torque = calloc(joints + 1, sizeof(*rest->has_lost_torque));
	rest->is_stiff = calloc(joints + 1, sizeof(*rest->is_stiff));
	if (!rest->has_lost_torque || !rest->is_stiff)
		return fail(err, -ENOMEM, "out of memory");
	return diagnosis_new(robot, rules, &rest->diagnosis, err);
}

void rest_end(struct rest *rest)
{
	diagnosis_free(rest->diagnosis);
	free(rest->has_lost_torque);
	free(rest->is_stiff);
}

void rest_find_crash(struct rest *rest)
{
	rest->found_crash = true;
}

size_t rest_key_count(const struct rest *rest)
{
	return REST_KEYS + diagnosis_key_count(rest->diagnosis);
}

size_t rest_keys(const struct rest *rest, struct store_key *keys)
{
	memcpy(keys, own_keys, sizeof(own_keys));
	return REST_KEYS + diagnosis_keys(rest->diagnosis, keys + REST_KEYS);
}

void rest_find(struct rest *rest, const struct naohw_store *store)
{
	size_t *const slots[REST_KEYS] = { &rest->rest_slot, &rest->forbidden_slot,
					   &rest->fall_manager_slot, &rest->stiffness_slot,
					   &rest->changes_slot, &rest->tests_slot,
					   &rest->untested_slot };

	/* They are all there, as the store was made with them. */
	for (size_t i = 0; i < REST_KEYS; i++)
		(void)naohw_store_find(store, own_keys[i].name, slots[i]);
	diagnosis_find(rest->diagnosis, store);
}

static void tell_text(const struct dcm_host *dcm, size_t slot, const char *text)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = dcm->time_ns };

	store_text(&value, text);
	store_put(dcm->base.store, slot, &value);
}

static void tell_number(const struct dcm_host *dcm, size_t slot, double number)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = dcm->time_ns };

	store_number(&value, number);
	store_put(dcm->base.store, slot, &value);
}

static const char *state_of(const struct rest *rest)
{
	if (!rest->is_wanted)
		return REST_NONE;
	if (rest->is_underway)
		return REST_GOES;
	return test_moves(&rest->test) ? REST_TESTS : REST_AT_REST;
}

/* Is what is told now other than what was told last? */
static bool is_news(struct rest *rest, const char *state, const char *forbids)
{
	if (rest->told_state == state && strcmp(rest->told_forbids, forbids) == 0)
		return false;
	rest->told_state = state;
	text_cut(rest->told_forbids, sizeof(rest->told_forbids), forbids);
	return true;
}

static void tell(struct dcm_host *dcm)
{
	struct rest *rest = &dcm->rest;
	bool is_off = diagnosis_verdict(rest->diagnosis)->disables_fall_manager;
	const char *forbids = diagnosis_forbids(rest->diagnosis);

	rest->changes += is_news(rest, state_of(rest), forbids);
	rest->changes += diagnosis_tell(rest->diagnosis, dcm->base.store, dcm->time_ns);
	tell_text(dcm, rest->rest_slot, state_of(rest));
	tell_text(dcm, rest->forbidden_slot, forbids);
	tell_number(dcm, rest->fall_manager_slot, is_off);
	tell_number(dcm, rest->stiffness_slot, is_off);
	tell_number(dcm, rest->changes_slot, rest->changes);
	tell_number(dcm, rest->tests_slot, rest->test.passed_through);
	tell_text(dcm, rest->untested_slot, rest->test.untested);
}

/* ---- one joint ---- */

void rest_command(const struct dcm_host *dcm, struct actuator *actuator, int64_t time, double level)
{
	const struct point from = { .time = dcm->before, .level = actuator->line };
	const struct point to = { .time = time, .level = level };

	if (queue_update(&actuator->queue, NAOHW_UPDATE_CLEAR_ALL, &to, 1, &from) == 0)
		actuator->is_driven = true;
}

static void take(struct actuator *actuator, bool is_taken)
{
	if (actuator)
		atomic_store(&actuator->is_taken, is_taken);
}

static void take_joint(struct joint_guard *joint, enum resting resting)
{
	joint->resting = resting;
	take(joint->position, resting != REST_AWAKE);
	take(joint->wheel, resting != REST_AWAKE);
	take(joint->hardness, resting != REST_AWAKE);
}

static void stop_wheel(const struct dcm_host *dcm, struct joint_guard *joint, bool at_once)
{
	rest_command(dcm, joint->wheel, dcm->before, 0);
	if (at_once)
		joint->at = joint->wheel->line = 0;
}

void rest_let_go(const struct dcm_host *dcm, struct joint_guard *joint)
{
	take_joint(joint, REST_LIMP);
	if (joint->position)
		rest_command(dcm, joint->position, dcm->before, joint->position->line);
	if (joint->wheel)
		stop_wheel(dcm, joint, true);
	if (joint->hardness)
		rest_command(dcm, joint->hardness, dcm->before, actuator_level(joint->hardness, 0));
}

/* As after a trip: its hardness comes slowly, and it goes slowly to where programs have it by then. */
static void free_joint(const struct dcm_host *dcm, struct joint_guard *joint)
{
	take_joint(joint, REST_AWAKE);
	joint->is_soft = true;
	joint->soft_at = dcm->time;
	joint->returns = joint->position;
}

/* One without a hardness cannot be let go. */
static bool is_limp(const struct joint_guard *joint)
{
	return joint->hardness && joint->hardness->sent <= 0;
}

/* NAN: it has no safe posture, or nobody knows where it is. */
static double rest_level(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	const struct preference *rest;

	if (!joint->position || !joint->is_placed)
		return (double)NAN;
	rest = description_find(dcm->robot->description, joint->position->subdevice->name, "Rest");
	return rest ? actuator_level(joint->position, rest->number) : (double)NAN;
}

static double way_ms(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	double way = fabs(joint->rest_level - joint->at) / joint->levels_per_rad;
	double fastest = fmin(dcm->preferences.speed_without_time,
			      joint->levels_per_ms / joint->levels_per_rad * MS_PER_S);

	return way / fastest * MS_PER_S;
}

/* One without torque stays so, and one that stands somewhere stays there until the others have come. */
static void set_out(struct dcm_host *dcm, struct joint_guard *joint)
{
	if (!joint->wheel && is_limp(joint)) {
		rest_let_go(dcm, joint);
		return;
	}
	take_joint(joint, REST_GOING);
	joint->rest_level = rest_level(dcm, joint);
	if (joint->wheel)
		stop_wheel(dcm, joint, false);
	/* What was to come of its stiffness does not. */
	if (joint->hardness)
		rest_command(dcm, joint->hardness, dcm->before, joint->hardness->line);
}

static bool is_there(const struct joint_guard *joint)
{
	if (joint->wheel)
		return joint->at == 0;
	if (isnan(joint->rest_level))
		return true;
	return joint->position->sent == joint->rest_level &&
	       fabs(joint->present - joint->rest_level) <= THERE_RAD * joint->levels_per_rad;
}

/* ---- all of them ---- */

static enum way way_of(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	enum way way = diagnosis_verdict(dcm->rest.diagnosis)->way[joint->joint];

	return dcm->rest.is_wanted && way == WAY_FREE ? WAY_POSTURE : way;
}

/* Return: does it set out now? */
static bool follow(struct dcm_host *dcm, struct joint_guard *joint)
{
	enum way way = way_of(dcm, joint);

	if (joint->resting == REST_TESTED)
		return false;
	if (joint->resting == REST_LIMP) {
		if (way == WAY_FREE)
			free_joint(dcm, joint);
		return false;
	}
	if (way >= WAY_FAILED && joint->wheel && joint->at != 0) {
		bool is_new = joint->resting == REST_AWAKE;

		take_joint(joint, REST_GOING);
		stop_wheel(dcm, joint, true);
		return is_new;
	}
	if (way >= WAY_FAILED) {
		rest_let_go(dcm, joint);
		return false;
	}
	if (way == WAY_FREE || joint->resting == REST_GOING)
		return false;
	set_out(dcm, joint);
	return joint->resting == REST_GOING;
}

/* They arrive together, in the time that the farthest takes. */
static void send_off(struct dcm_host *dcm)
{
	double ms = STOP_MS;

	for (size_t i = 0; i < dcm->joints.count; i++) {
		const struct joint_guard *joint = &dcm->joints.list[i];

		if (joint->resting == REST_GOING && joint->position && !isnan(joint->rest_level))
			ms = fmax(ms, way_ms(dcm, joint));
	}
	for (size_t i = 0; i < dcm->joints.count; i++) {
		struct joint_guard *joint = &dcm->joints.list[i];

		if (joint->resting != REST_GOING || !joint->position)
			continue;
		rest_command(dcm, joint->position, dcm->before + (int64_t)ceil(ms),
			isnan(joint->rest_level) ? joint->position->line : joint->rest_level);
	}
	dcm->rest.deadline = dcm->time + (int64_t)ceil(ms) + SETTLE_MS;
}

static bool all_are_there(const struct dcm_host *dcm)
{
	for (size_t i = 0; i < dcm->joints.count; i++) {
		const struct joint_guard *joint = &dcm->joints.list[i];

		if (joint->resting == REST_GOING && !reason_lets_go(joint->found) && !is_there(joint))
			return false;
	}
	return true;
}

static void end_ways(struct dcm_host *dcm)
{
	struct rest *rest = &dcm->rest;

	if (!rest->is_underway || (dcm->time < rest->deadline && !all_are_there(dcm)))
		return;
	for (size_t i = 0; i < dcm->joints.count; i++)
		if (dcm->joints.list[i].resting == REST_GOING)
			rest_let_go(dcm, &dcm->joints.list[i]);
	rest->is_underway = false;
}

/* Those that may be stiff become so slowly, where they are; how stiff others are is their programs' business. */
static void wake_up(struct dcm_host *dcm)
{
	test_awake(dcm);
	dcm->rest.is_wanted = false;
	for (size_t i = 0; i < dcm->joints.count; i++) {
		struct joint_guard *joint = &dcm->joints.list[i];
		bool was_awake = joint->resting == REST_AWAKE && !is_limp(joint);

		if (way_of(dcm, joint) != WAY_FREE || was_awake)
			continue;
		if (joint->resting == REST_GOING && joint->position)
			rest_command(dcm, joint->position, dcm->before, joint->position->line);
		free_joint(dcm, joint);
		if (joint->hardness)
			rest_command(dcm, joint->hardness, dcm->before,
				actuator_level(joint->hardness, 1));
	}
}

/*
 * While a person has the robot limp, or a bus has tripped, all commands are dropped; that has just been ended, and the
 * thread that looks at torque is to see it, or the wish lapses. What has to be waited for after a crash is a matter of
 * seconds.
 */
static bool must_wait(struct dcm_host *dcm)
{
	struct rest *rest = &dcm->rest;
	bool is_tripped = torque_stream(dcm->torque) == NAOHW_STREAM_TRIPPED;

	if (diagnosis_forbids_by_crash(rest->diagnosis) && !is_tripped)
		return true;
	if (!is_tripped && !torque_is_limp(dcm->torque))
		return false;
	if (!rest->wish_until)
		rest->wish_until = dcm->time + WISH_MS;
	if (dcm->time < rest->wish_until)
		return true;
	/* One that has come meanwhile stays. */
	(void)atomic_compare_exchange_strong(&rest->wish, &(enum rest_wish){ WISH_WAKE_UP },
					     WISH_NOTHING);
	return true;
}

/* WISH_NOTHING, too, while the one that there is has to wait. */
static enum rest_wish next_wish(struct dcm_host *dcm)
{
	struct rest *rest = &dcm->rest;
	enum rest_wish wish = atomic_load(&rest->wish);

	if (wish == WISH_WAKE_UP && must_wait(dcm))
		return WISH_NOTHING;
	rest->wish_until = 0;
	if (wish == WISH_TEST && rest->is_underway)
		return WISH_NOTHING;
	/* One that has come meanwhile is the next. */
	(void)atomic_compare_exchange_strong(&rest->wish, &(enum rest_wish){ wish }, WISH_NOTHING);
	return wish;
}

static void take_wish(struct dcm_host *dcm)
{
	const struct verdict *verdict = diagnosis_verdict(dcm->rest.diagnosis);
	enum rest_wish wish = next_wish(dcm);

	if (wish == WISH_WAKE_UP && !verdict->forbids_wake_up && !verdict->rests)
		wake_up(dcm);
	if (wish == WISH_REST)
		test_end(dcm);
	if (wish == WISH_REST || verdict->rests)
		dcm->rest.is_wanted = true;
	if (wish == WISH_TEST && dcm->rest.is_wanted)
		test_begin(dcm);
}

/*
 * A joint that is to be stiff, and has alone lost its torque: its servo has switched itself off, or was without
 * supply. The joints of a bus that trips, or recovers, are not all found to be so at once.
 */
static bool has_lost_torque(const struct dcm_host *dcm, struct joint_guard *joint)
{
	bool is_gone = joint->found == GUARD_SHUT_DOWN ||
		       (joint->found == GUARD_TRIPPED && !dcm->joints.has_tripped);
	bool is_wanted = joint->resting == REST_AWAKE && !is_limp(joint);

	if (!is_gone) {
		joint->lost_at = 0;
		joint->has_lost = false;
	} else if (!joint->has_lost && is_wanted) {
		if (!joint->lost_at)
			joint->lost_at = dcm->time;
		joint->has_lost = dcm->time - joint->lost_at >= LOST_MS;
	}
	return joint->has_lost;
}

/* It is over when a program has told the kernel to recover, and this host has run for some seconds. */
static bool has_crashed(struct dcm_host *dcm)
{
	struct rest *rest = &dcm->rest;

	if (!rest->begun_at)
		rest->begun_at = dcm->time;
	if (torque_stream(dcm->torque) != NAOHW_STREAM_TRIPPED &&
	    dcm->time - rest->begun_at >= HOST_MS)
		rest->found_crash = false;
	return rest->found_crash;
}

static bool is_stiff(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	return joint->hardness && joint->hardness->sent > 0 && !dcm->joints.has_tripped &&
	       !reason_lets_go(joint->found);
}

static void diagnose(struct dcm_host *dcm, bool has_frame)
{
	struct rest *rest = &dcm->rest;
	const struct diagnosis_seen seen = {
		.frame = has_frame ? dcm->frame : NULL,
		.has_lost_torque = rest->has_lost_torque,
		.is_stiff = rest->is_stiff,
		.has_crashed = has_crashed(dcm),
		.lacks_bus = dcm->lacks_bus,
		.now = dcm->time,
		.since = dcm->since_ms,
	};

	for (size_t i = 0; i < dcm->joints.count; i++) {
		struct joint_guard *joint = &dcm->joints.list[i];

		rest->has_lost_torque[joint->joint] = has_lost_torque(dcm, joint);
		rest->is_stiff[joint->joint] = is_stiff(dcm, joint);
	}
	diagnosis_look(rest->diagnosis, dcm->base.store, &seen);
}

static enum guard_reason reason_of(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	if (joint->resting == REST_AWAKE)
		return GUARD_NONE;
	return diagnosis_verdict(dcm->rest.diagnosis)->way[joint->joint] == WAY_FREE ?
		       GUARD_RESTS :
		       GUARD_DIAGNOSIS;
}

void rest_look(struct dcm_host *dcm, bool has_frame)
{
	struct rest *rest = &dcm->rest;
	bool sets_out = false;

	diagnose(dcm, has_frame);
	take_wish(dcm);
	for (size_t i = 0; i < dcm->joints.count; i++) {
		struct joint_guard *joint = &dcm->joints.list[i];

		sets_out |= follow(dcm, joint);
		/* On its way to rest it needs all that it has. */
		joint->part = joint->resting == REST_GOING ?
				      1 :
				      diagnosis_part(rest->diagnosis, joint->joint);
	}
	if (sets_out) {
		rest->is_underway = true;
		send_off(dcm);
	}
	end_ways(dcm);
	test_go_on(dcm);
	for (size_t i = 0; i < dcm->joints.count; i++)
		dcm->joints.list[i].rests_for = reason_of(dcm, &dcm->joints.list[i]);
	tell(dcm);
}

bool rest_stop(struct dcm_host *dcm)
{
	bool stops = test_moves(&dcm->rest.test);

	test_end(dcm);
	for (size_t i = 0; i < dcm->joints.count && !dcm->rest.is_wanted; i++) {
		if (dcm->joints.list[i].resting != REST_GOING)
			continue;
		rest_let_go(dcm, &dcm->joints.list[i]);
		stops = true;
	}
	return stops;
}

/* ---- other threads ---- */

int host_rest(struct naohw_dcm *dcm, struct naohw_error *err)
{
	(void)err;
	atomic_store(&host_of(dcm)->rest.wish, WISH_REST);
	return 0;
}

/* Of the bus, or of a joint alone, which the diagnosis has rest for that */
static bool needs_recovery(const struct dcm_host *dcm)
{
	if (torque_stream(dcm->torque) == NAOHW_STREAM_TRIPPED)
		return true;
	for (size_t i = 0; i < dcm->robot->joint_count; i++) {
		enum guard_reason reason = torque_of(dcm->torque, i);

		if (reason == GUARD_TRIPPED || reason == GUARD_SHUT_DOWN)
			return true;
	}
	return false;
}

int host_wake_up(struct naohw_dcm *of, struct naohw_error *err)
{
	struct dcm_host *dcm = host_of(of);
	struct naohw_value why;

	if (needs_recovery(dcm)) {
		int ret = of->ops->recover(of, err);

		if (ret < 0)
			return ret;
	}
	if (naohw_store_read(dcm->base.store, dcm->rest.forbidden_slot, &why) == 0 && *why.text &&
	    !text_begins_with(why.text, CRASH_LABEL ":"))
		return fail(err, -EPERM, "waking up is forbidden: %s; see naohw diagnose", why.text);
	atomic_store(&dcm->rest.wish, WISH_WAKE_UP);
	return 0;
}

int host_test(struct naohw_dcm *of, struct naohw_error *err)
{
	struct dcm_host *dcm = host_of(of);
	enum rest_wish other = WISH_NOTHING;

	if (!dcm->preferences.rules)
		return fail(err, -EOPNOTSUPP, "nothing is diagnosed, as the description names no table of "
			    "rules: see " RULES_KEY);
	if (torque_stream(dcm->torque) == NAOHW_STREAM_TRIPPED)
		return fail(err, -EPERM, "the joints have no torque; \"naohw recover\" brings it back");
	if (!naohw_dcm_is_resting(of))
		return fail(err, -EPERM, "only a robot at rest is tested; \"naohw rest\" has it rest");
	if (!atomic_compare_exchange_strong(&dcm->rest.wish, &other, WISH_TEST) && other != WISH_TEST)
		return fail(err, -EBUSY, "the robot is about to wake up, or to rest");
	return 0;
}
