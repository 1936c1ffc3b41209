// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "body.h"

#define DEGREE		(M_PI / 180)

/*
 * A robot of the size of the OP, whose weight its maker gives as 2.9 kg. The
 * lengths (m) are our own.
 */
#define GRAVITY		9.80665	/* m/s^2 */
#define WEIGHT		(2.9 * GRAVITY)
#define HEIGHT		0.20	/* of the centre of mass */
#define FEET		0.08	/* between the middles of the feet */
#define FOOT_LENGTH	0.09	/* between its front and back sensors */
#define FOOT_WIDTH	0.05

/* Beyond this it is on its way down, and its feet carry nothing. */
#define STANDING	45

void body_init(struct body *body)
{
	*body = (struct body){ .weight = WEIGHT };
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

struct pose body_pose(const struct body *body, nsec_t now)
{
	double share = share_done(body, now);

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

/* From the middle between the feet to their edge, m. */
static double reach(enum axis about)
{
	return (about == AXIS_X ? FEET + FOOT_WIDTH : FOOT_LENGTH) / 2;
}

static bool stands_still(const struct body *body, nsec_t now)
{
	struct pose pose = body_pose(body, now);

	return now >= body->end && !pose.roll && !pose.pitch;
}

static void begin_to_sway(struct body *body, enum axis about, nsec_t now)
{
	body_lean(body, (struct pose){ 0 }, 0, now);
	body->end = NSEC_NEVER;
	body->sways = true;
	body->about = about;
	body->sway = (struct sway){
		.gravity = GRAVITY / HEIGHT,
		.reach = reach(about) / HEIGHT,
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
	body->sway.force = force / body->weight;
	body->sway.until = now + length;

	return true;
}

/* Bring it to the time given; what a push has begun may end. */
void body_advance(struct body *body, nsec_t now)
{
	if (!body->sways)
		return;
	sway_advance(&body->sway, now);
	if (!body->sway.ended)
		return;
	body->to = body_pose(body, body->sway.time);
	body->end = body->sway.time;
	body->sways = false;
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

/* Pitch is about the level, roll about the body's own axis. */
void body_feel(const struct body *body, nsec_t now, struct feeling *feeling)
{
	struct pose pose = body_pose(body, now), turns = speed(body, now);
	double roll = pose.roll * DEGREE, pitch = pose.pitch * DEGREE;

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
static double shift(double degrees)
{
	return HEIGHT * sin(degrees * DEGREE);
}

/* The right foot's share of the weight; beyond 0 and 1 it is at its edge. */
static double right_share(const struct pose *pose)
{
	return 0.5 + shift(pose->roll) / FEET;
}

/* Of what a foot carries. Only the one that carries all feels what is beyond. */
static double right_side_share(const struct pose *pose)
{
	double share = right_share(pose), beyond = share - within_one(share);

	return within_one(0.5 + beyond * FEET / FOOT_WIDTH);
}

static double front_share(const struct pose *pose)
{
	return within_one(0.5 + shift(pose->pitch) / FOOT_LENGTH);
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

/* What one corner of a foot carries, N. */
double body_force(const struct body *body, enum foot foot, struct corner corner,
		  nsec_t now)
{
	struct pose pose = body_pose(body, now), weight = weight_pose(body, now);

	if (fmax(fabs(pose.roll), fabs(pose.pitch)) > STANDING)
		return 0;

	return body->weight *
	       of_both(within_one(right_share(&weight)), foot == FOOT_RIGHT) *
	       of_both(right_side_share(&weight), corner.right) *
	       of_both(front_share(&weight), corner.front);
}
