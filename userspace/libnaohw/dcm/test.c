// SPDX-License-Identifier: LGPL-2.1-or-later
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "host.h"
#include "rest.h"

/* The way of a joint: 5 degrees at the most, of which it is to go at least half */
#define WAY_RAD	 0.087
#define PASS_PART 0.5
/* In which it becomes stiff, and for each way; then it may take so long to arrive */
#define STIFFEN_MS 500
#define WAY_MS	   500
#define ARRIVE_MS  1000
/*
 * A wheel goes no farther, also with a period more: so fast, rad/s, and so long. In one frame at least it is half as
 * fast as it was told.
 */
#define WHEEL_RAD_S 0.25
#define WHEEL_MS    280
#define MORE "..."
/* In this time a sensor that works answers in many frames, whatever their period. */
#define LOOK_MS	   2500
/*
 * A robot that wakes up has all its torque after 2 s. Then a joint has failed that is so far from where its goals
 * would have it, for so long.
 */
#define AWAKE_MS   2500
#define ASTRAY_RAD 0.26
#define ASTRAY_MS  400

static struct joint_guard *joint_of(struct dcm_host *dcm)
{
	return &dcm->joints.list[dcm->rest.test.joint];
}

static void step(struct dcm_host *dcm, enum test_step to, int64_t ms)
{
	dcm->rest.test.step = to;
	dcm->rest.test.step_ends = dcm->time + ms;
}

bool test_moves(const struct test *test)
{
	return test->step != TEST_NOTHING && test->step != TEST_AWAKE;
}

/* ---- one joint ---- */

/* What has happened to it, or to what it hangs on, meanwhile has nothing to do with its own test. */
static bool is_lost(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	const struct diagnosis *diagnosis = dcm->rest.diagnosis;

	return dcm->joints.has_tripped || reason_lets_go(joint->found) ||
	       diagnosis_verdict(diagnosis)->way[joint->joint] == WAY_LIMP ||
	       !diagnosis_may_move(diagnosis, joint->joint);
}

/* Its way back into its range is to be shorter than that of a test. A limp joint may sag beyond its limit. */
static bool is_within_range(const struct joint_guard *joint)
{
	double beyond = WAY_RAD / 2 * joint->levels_per_rad;

	return joint->present >= joint->position->min - beyond &&
	       joint->present <= joint->position->max + beyond;
}

/* As many names as there is room for, and then that there are more */
static void leave_out(struct dcm_host *dcm, const struct joint_guard *joint)
{
	const char *label = dcm->robot->joint[joint->joint].unit->label;
	char *text = dcm->rest.test.untested;
	size_t length = strlen(text);

	if (text_ends_with(text, MORE))
		return;
	if (length + 1 + strlen(label) + 1 + sizeof(MORE) > NAOHW_TEXT_SIZE)
		label = MORE;
	snprintf(text + length, NAOHW_TEXT_SIZE - length, "%s%s", length ? " " : "", label);
}

static bool can_move(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	if (!joint->hardness || joint->resting != REST_LIMP || is_lost(dcm, joint))
		return false;
	if (joint->wheel)
		return !isnan(diagnosis_speed(dcm->rest.diagnosis, joint->joint));
	return joint->position && joint->is_placed && joint->is_seen && is_within_range(joint);
}

/* Towards the middle of what it may do */
static double goal_of(const struct joint_guard *joint)
{
	const struct actuator *position = joint->position;
	double way = WAY_RAD * joint->levels_per_rad;

	return joint->present + (joint->present < (position->min + position->max) / 2 ? way : -way);
}

static void stiffen(struct dcm_host *dcm, struct joint_guard *joint)
{
	joint->resting = REST_TESTED;
	dcm->rest.test.fastest = dcm->rest.test.told = 0;
	if (joint->position) {
		dcm->rest.test.from = joint->present;
		dcm->rest.test.to = goal_of(joint);
	}
	rest_command(dcm, joint->hardness, dcm->before + STIFFEN_MS,
		     actuator_level(joint->hardness, 1));
	step(dcm, TEST_STIFFEN, STIFFEN_MS);
}

static void go(struct dcm_host *dcm, struct joint_guard *joint)
{
	struct test *test = &dcm->rest.test;

	rest_command(dcm, joint->position, dcm->before + WAY_MS, test->to);
	step(dcm, TEST_GO, WAY_MS + ARRIVE_MS);
}

static void go_back(struct dcm_host *dcm, struct joint_guard *joint)
{
	rest_command(dcm, joint->position, dcm->before + WAY_MS, dcm->rest.test.from);
	step(dcm, TEST_RETURN, WAY_MS);
}

static bool has_gone(const struct test *test, const struct joint_guard *joint)
{
	return (joint->present - test->from) / (test->to - test->from) >= PASS_PART;
}

static void turn(struct dcm_host *dcm, struct joint_guard *wheel, double rad_s, enum test_step to)
{
	rest_command(dcm, wheel->wheel, dcm->before, actuator_level(wheel->wheel, rad_s));
	step(dcm, to, WHEEL_MS);
}

/* ---- all of them ---- */

static void next_joint(struct dcm_host *dcm, size_t from)
{
	struct test *test = &dcm->rest.test;

	for (test->joint = from; test->joint < dcm->joints.count; test->joint++) {
		if (can_move(dcm, joint_of(dcm))) {
			stiffen(dcm, joint_of(dcm));
			return;
		}
		leave_out(dcm, joint_of(dcm));
	}
	test->step = TEST_SENSORS;
	test->step_ends = test->look_ends;
}

static void end_of_all(struct dcm_host *dcm)
{
	diagnosis_end_test(dcm->rest.diagnosis, true);
	dcm->rest.test.step = TEST_NOTHING;
	dcm->rest.test.passed_through++;
}

void test_begin(struct dcm_host *dcm)
{
	test_end(dcm);
	diagnosis_begin_test(dcm->rest.diagnosis);
	dcm->rest.test.look_ends = dcm->time + LOOK_MS;
	*dcm->rest.test.untested = '\0';
	next_joint(dcm, 0);
}

void test_awake(struct dcm_host *dcm)
{
	test_end(dcm);
	diagnosis_begin_test(dcm->rest.diagnosis);
	step(dcm, TEST_AWAKE, AWAKE_MS);
}

static bool has_joint(const struct test *test)
{
	return test_moves(test) && test->step != TEST_SENSORS;
}

void test_end(struct dcm_host *dcm)
{
	struct test *test = &dcm->rest.test;

	if (has_joint(test))
		rest_let_go(dcm, joint_of(dcm));
	test->step = TEST_NOTHING;
}

static bool is_astray(const struct dcm_host *dcm, const struct joint_guard *joint)
{
	return joint->resting == REST_AWAKE && joint->position && joint->is_placed &&
	       joint->hardness && joint->hardness->sent >= actuator_level(joint->hardness, 1) &&
	       joint->found == GUARD_NONE && !is_lost(dcm, joint) &&
	       (joint->stall.way || joint_is_astray(joint, ASTRAY_RAD));
}

static void look_at_awake(struct dcm_host *dcm)
{
	for (size_t i = 0; i < dcm->joints.count; i++)
		if (!is_astray(dcm, &dcm->joints.list[i]))
			dcm->joints.list[i].well_at = dcm->time;
}

/* One that has failed before has passed only with a test of its own. */
static void judge_awake(struct dcm_host *dcm)
{
	for (size_t i = 0; i < dcm->joints.count; i++)
		if (dcm->time - dcm->joints.list[i].well_at >= ASTRAY_MS)
			diagnosis_judge_joint(dcm->rest.diagnosis, dcm->joints.list[i].joint, true);
	diagnosis_end_test(dcm->rest.diagnosis, false);
	dcm->rest.test.step = TEST_NOTHING;
}

static void end_way(struct dcm_host *dcm, struct joint_guard *joint, bool has_passed)
{
	diagnosis_judge_joint(dcm->rest.diagnosis, joint->joint, !has_passed);
	go_back(dcm, joint);
}

static void end_joint(struct dcm_host *dcm, struct joint_guard *joint)
{
	rest_let_go(dcm, joint);
	next_joint(dcm, dcm->rest.test.joint + 1);
}

static void go_on_with_wheel(struct dcm_host *dcm, struct joint_guard *wheel)
{
	struct test *test = &dcm->rest.test;

	if (test->step == TEST_GO) {
		test->fastest = fmax(test->fastest,
				     diagnosis_speed(dcm->rest.diagnosis, wheel->joint));
		test->told = fmax(test->told, actuator_value(wheel->wheel, wheel->at));
	}
	if (dcm->time < test->step_ends)
		return;
	if (test->step == TEST_STIFFEN) {
		turn(dcm, wheel, WHEEL_RAD_S, TEST_GO);
	} else if (test->step == TEST_GO) {
		turn(dcm, wheel, -WHEEL_RAD_S, TEST_RETURN);
	} else {
		diagnosis_judge_joint(dcm->rest.diagnosis, wheel->joint,
				      test->fastest < PASS_PART * test->told);
		end_joint(dcm, wheel);
	}
}

static void go_on_with(struct dcm_host *dcm, struct joint_guard *joint)
{
	struct test *test = &dcm->rest.test;
	bool is_late = dcm->time >= test->step_ends;

	if (test->step == TEST_GO) {
		bool has_passed = has_gone(test, joint);

		if (has_passed || is_late)
			end_way(dcm, joint, has_passed);
		return;
	}
	if (!is_late)
		return;
	if (test->step == TEST_STIFFEN) {
		go(dcm, joint);
		return;
	}
	end_joint(dcm, joint);
}

/* As one without a calibration, or of an empty battery: it goes nowhere, and has not failed. */
static bool has_no_torque(const struct test *test, const struct joint_guard *joint)
{
	return test->step != TEST_STIFFEN && joint->hardness->sent <= 0;
}

void test_go_on(struct dcm_host *dcm)
{
	struct test *test = &dcm->rest.test;
	struct joint_guard *joint;

	if (test->step == TEST_AWAKE) {
		look_at_awake(dcm);
		if (dcm->time >= test->step_ends)
			judge_awake(dcm);
		return;
	}
	if (test->step == TEST_SENSORS && dcm->time >= test->step_ends)
		end_of_all(dcm);
	if (!has_joint(test))
		return;
	joint = joint_of(dcm);
	if (is_lost(dcm, joint) || has_no_torque(test, joint)) {
		if (test->step != TEST_RETURN || joint->wheel)
			leave_out(dcm, joint);
		end_joint(dcm, joint);
	} else if (joint->wheel) {
		go_on_with_wheel(dcm, joint);
	} else {
		go_on_with(dcm, joint);
	}
}
