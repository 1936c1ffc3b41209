// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "../physics/physics.h"
#include "body.h"

#define DEGREE		(M_PI / 180)

#define GRAVITY		9.80665	/* m/s^2 */

/* Beyond this it is on its way down, and its feet carry nothing. */
#define STANDING	45

void body_init(struct body *body)
{
	*body = (struct body){ .robot = &robot_op };
}

static double between(double from, double to, double share)
{
	return from + (to - from) * share;
}

/* What a request that came before the motion asks for is where that began. */
static double time_passed(const struct body *body, nsec_t now)
{
	if (now >= body->end)
		return 1;
	if (now < body->begin)
		return 0;

	return (double)(now - body->begin) / (body->end - body->begin);
}

static double share_done(const struct body *body, nsec_t now)
{
	double share = time_passed(body, now);

	return body->falls ? share * share : share;
}

/* All of it about the axis of the sway. */
static struct pose about(const struct body *body, double degrees)
{
	return body->about == AXIS_X ? (struct pose){ .roll = degrees } :
				       (struct pose){ .pitch = degrees };
}

static struct pose world_pose(const struct world *world)
{
	struct inertial inertial;

	world_inertial(world, &inertial);

	return (struct pose){
		.roll = inertial.angle[AXIS_X] / DEGREE,
		.pitch = inertial.angle[AXIS_Y] / DEGREE,
	};
}

struct pose body_pose(const struct body *body, nsec_t now)
{
	double share = share_done(body, now);

	if (body->world)
		return world_pose(body->world);
	if (body->sways)
		return about(body, sway_angle(&body->sway, now) / DEGREE);

	return (struct pose){
		.roll = between(body->from.roll, body->to.roll, share),
		.pitch = between(body->from.pitch, body->to.pitch, share),
	};
}

/* Be in @pose when @length has passed. */
void body_lean(struct body *body, struct pose pose, nsec_t length, nsec_t now)
{
	body_advance(body, now);
	body->from = body_pose(body, now);
	body->to = pose;
	body->begin = now;
	body->end = now + length;
	body->falls = false;
	body->sways = false;
	body->motions++;
}

/* The same, beginning at rest. */
void body_fall(struct body *body, struct pose pose, nsec_t length, nsec_t now)
{
	body_lean(body, pose, length, now);
	body->falls = true;
}

/* --- pushes --- */

static double weight(const struct body *body)
{
	return body->robot->mass * GRAVITY;
}

/* From the middle between the ankles to the edge of the feet on the right, m. */
static double reach_aside(const struct robot *robot)
{
	return robot->ankles / 2 + robot->sole.outer;
}

static bool stands_still(const struct body *body, nsec_t now)
{
	struct pose pose = body_pose(body, now);

	return now >= body->end && !pose.roll && !pose.pitch;
}

static void begin_to_sway(struct body *body, enum axis about, nsec_t now)
{
	const struct robot *robot = body->robot;
	bool aside = about == AXIS_X;

	body_lean(body, (struct pose){ 0 }, 0, now);
	body->end = NSEC_NEVER;
	body->sways = true;
	body->about = about;
	body->sway = (struct sway){
		.gravity = GRAVITY / robot->height,
		.least = -(aside ? reach_aside(robot) : robot->sole.back) /
			 robot->height,
		.most = (aside ? reach_aside(robot) : robot->sole.front) /
			robot->height,
		.time = now,
	};
}

/*
 * Push the centre of mass with @force (N) about an axis. False, and nothing is done,
 * if the robot does not stand upright or sways about the other one.
 */
bool body_push(struct body *body, enum axis about, double force, nsec_t length,
	       nsec_t now)
{
	body_advance(body, now);
	if (!body->sways && stands_still(body, now))
		begin_to_sway(body, about, now);
	if (!body->sways || body->about != about)
		return false;
	body->sway.force = force / weight(body);
	body->sway.until = now + length;

	return true;
}

/* Bring it to the time given; what a push has begun may end. */
void body_advance(struct body *body, nsec_t now)
{
	if (body->world)
		world_advance(body->world, now);
	if (!body->sways)
		return;
	sway_advance(&body->sway, now);
	if (!body->sway.ended)
		return;
	body->to = body_pose(body, body->sway.time);
	body->end = body->sway.time;
	body->sways = false;
}

/* So often it goes on though nobody asks: what is left for later makes all wait then. */
#define WORLD_TICK	(4 * WORLD_STEP)

nsec_t body_due(const struct body *body)
{
	return body->world ? world_time(body->world) + WORLD_TICK : NSEC_NEVER;
}

/* Degrees/s at which the angles change. */
static struct pose speed(const struct body *body, nsec_t now)
{
	double seconds = (double)(body->end - body->begin) / NSEC_PER_SEC;
	double pace = body->falls ? 2 * time_passed(body, now) : 1;

	if (body->sways)
		return about(body, body->sway.rate / DEGREE);
	if (now >= body->end)
		return (struct pose){ 0 };

	return (struct pose){
		.roll = (body->to.roll - body->from.roll) / seconds * pace,
		.pitch = (body->to.pitch - body->from.pitch) / seconds * pace,
	};
}

static void feel_world(const struct world *world, struct feeling *feeling)
{
	struct inertial inertial;
	int i;

	world_inertial(world, &inertial);
	for (i = 0; i < AXES; i++) {
		feeling->rate[i] = inertial.rate[i] / DEGREE;
		feeling->acceleration[i] = inertial.acceleration[i] / GRAVITY;
		feeling->angle[i] = inertial.angle[i] / DEGREE;
	}
}

/* Pitch is about the level, roll about the body's own axis. */
void body_feel(const struct body *body, nsec_t now, struct feeling *feeling)
{
	struct pose pose = body_pose(body, now), turns = speed(body, now);
	double roll = pose.roll * DEGREE, pitch = pose.pitch * DEGREE;

	if (body->world) {
		feel_world(body->world, feeling);
		return;
	}
	*feeling = (struct feeling){
		.rate = {
			turns.roll,
			turns.pitch * cos(roll),
			-turns.pitch * sin(roll),
		},
		.acceleration = {
			-sin(pitch),
			cos(pitch) * sin(roll),
			cos(pitch) * cos(roll),
		},
		.angle = { pose.roll, pose.pitch, 0 },
	};
}

/* --- the feet, which stay flat on the ground --- */

static double within_one(double share)
{
	return fmin(fmax(share, 0), 1);
}

/* How far the centre of mass comes to the side by an angle. */
static double shift(const struct robot *robot, double degrees)
{
	return robot->height * sin(degrees * DEGREE);
}

/* The right foot's share of the weight; beyond 0 and 1 it is at its edge. */
static double right_share(const struct robot *robot, const struct pose *pose)
{
	return 0.5 + shift(robot, pose->roll) / robot->ankles;
}

/* Of what a foot carries. Only the one that carries all feels what is beyond. */
static double right_side_share(const struct robot *robot, enum foot foot,
			       const struct pose *pose)
{
	const struct sole *sole = &robot->sole;
	double share = right_share(robot, pose), beyond = share - within_one(share);
	double left = foot == FOOT_RIGHT ? sole->inner : sole->outer;

	return within_one((left + beyond * robot->ankles) /
			  (sole->inner + sole->outer));
}

static double front_share(const struct robot *robot, const struct pose *pose)
{
	const struct sole *sole = &robot->sole;

	return within_one((sole->back + shift(robot, pose->pitch)) /
			  (sole->front + sole->back));
}

static double of_both(double share, bool first)
{
	return first ? share : 1 - share;
}

/* How it would lean if nothing but that put the weight where it is. */
static struct pose weight_pose(const struct body *body, nsec_t now)
{
	if (body->sways)
		return about(body, asin(sway_centre(&body->sway)) / DEGREE);

	return body_pose(body, now);
}

/* Clockwise from the front left one. */
static size_t sensor_at(struct corner corner)
{
	return corner.front ? corner.right : 3 - corner.right;
}

/* What one corner of a foot carries, N. */
double body_force(const struct body *body, enum foot foot, struct corner corner,
		  nsec_t now)
{
	struct pose pose = body_pose(body, now), on = weight_pose(body, now);
	const struct robot *robot = body->robot;

	if (body->world)
		return world_foot(body->world, foot == FOOT_RIGHT, sensor_at(corner));
	if (fmax(fabs(pose.roll), fabs(pose.pitch)) > STANDING)
		return 0;

	return weight(body) *
	       of_both(within_one(right_share(robot, &on)), foot == FOOT_RIGHT) *
	       of_both(right_side_share(robot, foot, &on), corner.right) *
	       of_both(front_share(robot, &on), corner.front);
}
