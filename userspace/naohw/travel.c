// SPDX-License-Identifier: GPL-2.0-or-later
#include "travel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "keys.h"
#include "monotonic.h"
#include "numbers.h"

#define MAX_S	   3600
#define MS_PER_S   1000.0
#define NS_PER_S   1e9
#define LOOK_MS	   50
/* How often a joint is told to stop */
#define TRIES	   5
/* A joint may be late by so much. */
#define LATE_S	   1
#define NAME_SIZE  256
#define TEXT_SIZE  32

struct traveller {
	struct naohw_key *key;
	double goal;
	int speed_before;	       /* of its servo, without a DCM */
	struct naohw_dcm_joint *joint; /* of the DCM; NULL: another joint's motor moves it */
};

/* ---- time ---- */

static double unit_of(const char *text, size_t length)
{
	if (length > 2 && strcmp(text + length - 2, "ms") == 0)
		return 1 / MS_PER_S;
	return 1;
}

bool travel_parse(const char *text, double *seconds)
{
	size_t length = strlen(text), suffix = 0;
	double unit = unit_of(text, length);
	char number[TEXT_SIZE];

	if (unit < 1)
		suffix = 2;
	else if (length > 1 && text[length - 1] == 's')
		suffix = 1;
	if (length < TEXT_SIZE) {
		memcpy(number, text, length - suffix);
		number[length - suffix] = '\0';
		if (parse_double(number, 0, MAX_S / unit, seconds) && *seconds * unit >= 1 / MS_PER_S) {
			*seconds *= unit;
			return true;
		}
	}
	complain_usage("--in %s: expected a time of 1ms to %ds, as 2s or 500ms", text, MAX_S);
	return false;
}

/* ---- beside a naohwd: by its cycle ---- */

/* The DCM's joint of this position; NULL: it has none of its own, as the motor is another joint's. */
static struct naohw_dcm_joint *find_joint(const struct travel *travel, const struct naohw_key *key)
{
	size_t count = naohw_robot_joint_count(travel->robot);
	char wanted[NAME_SIZE], name[NAME_SIZE];

	short_name(naohw_key_name(key), wanted, sizeof(wanted));
	for (size_t i = 0; i < count; i++) {
		struct naohw_dcm_joint *joint;

		if (naohw_dcm_joint_new(travel->dcm, travel->pose, i, &joint, NULL) < 0)
			continue;
		short_name(naohw_dcm_joint_position(joint), name, sizeof(name));
		if (strcmp(name, wanted) == 0)
			return joint;
		naohw_dcm_joint_free(joint);
	}
	return NULL;
}

/* The DCM would let it take longer, and say nothing. */
static int check_speed(const struct traveller *joint, double seconds)
{
	struct naohw_dcm_look look;
	double way, most;

	if (!joint->joint)
		return STATUS_OK;
	(void)naohw_dcm_joint_look(joint->joint, joint->goal, &look);
	way = fabs(joint->goal - (look.is_limp ? look.present : look.sent));
	most = naohw_dcm_joint_speed_max(joint->joint);
	if (!(way > most * seconds))
		return STATUS_OK;
	return complain("%s: %.3g rad in %.3g s is more than the joint may go: it takes %.3g s",
			naohw_key_name(joint->key), way, seconds, way / most);
}

static int command(const struct travel *travel, const struct traveller *joint)
{
	const struct naohw_command there = {
		.value = joint->goal,
		.time = naohw_dcm_get_time(travel->dcm, (int64_t)(travel->seconds * MS_PER_S)),
	};
	struct naohw_error err;
	int status = check_speed(joint, travel->seconds);

	if (status == STATUS_OK && naohw_dcm_set(travel->dcm, naohw_key_name(joint->key),
						 NAOHW_UPDATE_CLEAR_ALL, &there, 1, &err) < 0)
		return complain("%s", err.message);
	return status;
}

/* ---- any ---- */

int travel_begin(struct travel *travel)
{
	struct naohw_error err;

	if (travel->dcm && naohw_pose_describe(travel->robot, &travel->pose, &err) < 0)
		return complain("%s", err.message);
	catch_interrupts();
	return STATUS_OK;
}

static int send_on_way(const struct travel *travel, struct traveller *joint)
{
	struct naohw_error err;

	if (!travel->dcm) {
		if (naohw_key_go(joint->key, joint->goal, travel->seconds, &joint->speed_before,
				 &err) < 0)
			return complain("%s", err.message);
		return STATUS_OK;
	}
	joint->joint = find_joint(travel, joint->key);
	return command(travel, joint);
}

int travel_add(struct travel *travel, struct naohw_key *key, double value)
{
	struct traveller *more = reallocarray(travel->list, travel->count + 1, sizeof(*more));
	struct traveller *joint;
	int status;

	if (!more)
		return complain("out of memory");
	travel->list = more;
	joint = &more[travel->count];
	*joint = (struct traveller){ .key = key, .goal = naohw_key_bounded(key, value) };
	status = send_on_way(travel, joint);
	if (status == STATUS_OK) {
		travel->end_ns = monotonic_ns() + (int64_t)(travel->seconds * NS_PER_S);
		travel->count++;
	} else {
		naohw_dcm_joint_free(joint->joint);
	}
	return status;
}

/* ---- its end ---- */

/* 0: it is there; HUGE_VAL: nobody knows. */
static double off_of(const struct travel *travel, const struct traveller *joint)
{
	struct naohw_dcm_look look;
	double off;

	if (!travel->dcm)
		return naohw_key_way(joint->key, &off, NULL) == 0 ? off : HUGE_VAL;
	if (!joint->joint)
		return 0;
	(void)naohw_dcm_joint_look(joint->joint, joint->goal, &look);
	return look.off > naohw_dcm_joint_sag(joint->joint) ? look.off : 0;
}

static bool are_there(const struct travel *travel)
{
	for (size_t i = 0; i < travel->count; i++)
		if (off_of(travel, &travel->list[i]) > 0)
			return false;
	return true;
}

static int stop_once(const struct travel *travel, const struct traveller *joint,
		     struct naohw_error *err)
{
	if (travel->dcm)
		return naohw_dcm_set(travel->dcm, naohw_key_name(joint->key),
				     NAOHW_UPDATE_CLEAR_ALL, NULL, 0, err);
	return naohw_key_stay(joint->key, err);
}

/* One answer of a servo may be broken. */
static int stop(const struct travel *travel, const struct traveller *joint, struct naohw_error *err)
{
	int ret = stop_once(travel, joint, err);

	for (int i = 1; ret < 0 && i < TRIES; i++) {
		monotonic_sleep_ms(LOOK_MS);
		ret = stop_once(travel, joint, err);
	}
	return ret;
}

/*
 * An AX-12 obeys its speed at once: one that is on its way would leap there with that of before. So
 * one that could not be stopped keeps the speed of this way, and its user is told.
 */
static int stays_slow(const struct traveller *joint, const char *why)
{
	return complain("%s; the servo keeps the slow speed of this way: when the joint is free, "
			"write %d to its out_anglvel0_raw", why, joint->speed_before);
}

static int end(const struct travel *travel, const struct traveller *joint)
{
	struct naohw_error err;
	double off = off_of(travel, joint);
	int status = STATUS_OK;

	if (off > 0 && stop(travel, joint, &err) < 0)
		return travel->dcm ? complain("%s", err.message) : stays_slow(joint, err.message);
	if (off > 0 && !is_interrupted()) {
		complain("%s: %.3f rad off its goal, so it stops there", naohw_key_name(joint->key),
			 off);
		status = STATUS_NOT_REACHED;
	}
	if (!travel->dcm && naohw_key_put_speed_back(joint->key, joint->speed_before, &err) < 0)
		return stays_slow(joint, err.message);
	return status;
}

int travel_wait(struct travel *travel)
{
	int64_t late = travel->end_ns + (int64_t)(LATE_S * NS_PER_S);
	int status = STATUS_OK;

	while (!is_interrupted() && monotonic_ns() < late &&
	       (monotonic_ns() < travel->end_ns || !are_there(travel)))
		monotonic_sleep_ms(LOOK_MS);
	for (size_t i = 0; i < travel->count; i++) {
		int one = end(travel, &travel->list[i]);

		status = one != STATUS_OK && status != STATUS_FAILED ? one : status;
	}
	return is_interrupted() ? STATUS_INTERRUPTED : status;
}

void travel_free(struct travel *travel)
{
	for (size_t i = 0; i < travel->count; i++)
		naohw_dcm_joint_free(travel->list[i].joint);
	free(travel->list);
	naohw_pose_close(travel->pose);
	release_interrupts();
}
