// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands by which a test moves the robot that the boards are in. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call_body.h"

#define ANGLE_MAX	180
#define MOTION_MAX	3600000	/* ms */
#define FALL		(700 * NSEC_PER_MSEC)
#define FORCE_MAX	1000	/* N */
#define PUSH		(100 * NSEC_PER_MSEC)
#define PUSH_MIN	0.002	/* s, a step of the world */
#define PUSH_MAX	60

bool call_pose(struct call *call)
{
	struct pose pose;

	body_advance(&call->bus->body, call->now);
	pose = body_pose(&call->bus->body, call->now);
	fprintf(call->out, "%g %g\n", pose.roll, pose.pitch);

	return true;
}

/* In a world it does what it does. False after saying so. */
static bool is_told(struct call *call)
{
	if (!call->bus->body.world)
		return true;

	return call_fail(call, "the robot has a body and obeys physics; push it, or start without --body");
}

/* The time that the argument @arg gives, if it is there. */
static bool parse_time(struct call *call, int arg, nsec_t *time)
{
	unsigned long long ms;

	if (arg >= call->argc)
		return true;
	if (!call_number(call, call->argv[arg], "time in ms", MOTION_MAX, &ms))
		return false;
	*time = ms * NSEC_PER_MSEC;

	return true;
}

static bool move(struct call *call, struct pose pose, int arg)
{
	nsec_t time = 0;

	if (!is_told(call) || !parse_time(call, arg, &time))
		return false;
	body_lean(&call->bus->body, pose, time, call->now);

	return true;
}

static bool parse_angle(struct call *call, const char *text, const char *what,
			double *angle)
{
	char *end;

	errno = 0;
	*angle = strtod(text, &end);
	if (end == text || *end || errno || !(fabs(*angle) <= ANGLE_MAX))
		return call_fail(call, "%s is \"%s\", expected degrees from -%d to %d",
				 what, text, ANGLE_MAX, ANGLE_MAX);

	return true;
}

bool call_lean(struct call *call)
{
	struct pose pose;

	return parse_angle(call, call->argv[1], "roll", &pose.roll) &&
	       parse_angle(call, call->argv[2], "pitch", &pose.pitch) &&
	       move(call, pose, 3);
}

bool call_upright(struct call *call)
{
	return move(call, (struct pose){ 0 }, 1);
}

static bool parse_side(struct call *call, struct pose *pose)
{
	static const struct {
		const char *name;
		struct pose pose;
	} ways[] = {
		{ "face", { .pitch = 90 } },
		{ "back", { .pitch = -90 } },
		{ "left", { .roll = -90 } },
		{ "right", { .roll = 90 } },
	};
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(call->argv[1], ways[i].name)) {
			*pose = ways[i].pose;
			return true;
		}

	return call_fail(call, "\"%s\" is unknown, expected face, back, left or right",
			 call->argv[1]);
}

bool call_fall(struct call *call)
{
	nsec_t time = FALL;
	struct pose pose;

	if (!is_told(call) || !parse_side(call, &pose) ||
	    !parse_time(call, 2, &time))
		return false;
	body_fall(&call->bus->body, pose, time, call->now);

	return true;
}

bool call_lie(struct call *call)
{
	struct pose pose;

	return parse_side(call, &pose) && move(call, pose, 2);
}

/* --- pushes --- */

static bool parse_force(struct call *call, const char *text, double *force)
{
	char *end;

	*force = strtod(text, &end);
	if (end == text || strcmp(end, "N") ||
	    !(*force >= 0 && *force <= FORCE_MAX))
		return call_fail(call, "force is \"%s\", expected one from 0N to %dN",
				 text, FORCE_MAX);

	return true;
}

static bool parse_length(struct call *call, const char *text, nsec_t *length)
{
	double seconds;
	char *end;

	seconds = strtod(text, &end);
	if (end == text || *end || !(seconds >= PUSH_MIN && seconds <= PUSH_MAX))
		return call_fail(call, "time is \"%s\", expected seconds from %g to %d",
				 text, PUSH_MIN, PUSH_MAX);
	*length = llround(seconds * NSEC_PER_SEC);

	return true;
}

static bool parse_link(struct call *call, const char *text, size_t *link)
{
	const struct world *world = call->bus->body.world;
	const struct physique *physique;

	if (!world)
		return call_fail(call, "the robot has no links, it was started without --body");
	physique = world_physique(world);
	*link = physique_link(physique, text);
	if (*link == physique->count)
		return call_fail(call, "the robot has no link \"%s\", as Torso or LFoot",
				 text);

	return true;
}

/* What is behind direction and force. */
static bool parse_rest(struct call *call, nsec_t *length, size_t *link)
{
	int i;

	for (i = 3; i < call->argc; i += 2) {
		const char *word = call->argv[i], *text = call->argv[i + 1];

		if (i + 1 == call->argc || (strcmp(word, "for") && strcmp(word, "at")))
			return call_fail(call, "expected a direction and a force, or behind them: for SECONDS%s",
					 call->bus->body.world ? ", at LINK" : "");
		if (!strcmp(word, "for") ? !parse_length(call, text, length) :
					   !parse_link(call, text, link))
			return false;
	}

	return true;
}

static bool push_link(struct call *call, enum axis about, double force, nsec_t length,
		      size_t link)
{
	struct world *world = call->bus->body.world;
	double push[AXES] = { 0 };

	/* A push about x is to the side, to the right if it is positive. */
	push[about == AXIS_X ? AXIS_Y : AXIS_X] = about == AXIS_X ? -force : force;
	world_advance(world, call->now);
	if (!world_push(world, link, push, length))
		return call_fail(call, "too many pushes at once");

	return true;
}

static bool push(struct call *call, enum axis about, int sign)
{
	nsec_t length = PUSH;
	size_t link = TORSO;
	double force;

	if (!parse_force(call, call->argv[2], &force) ||
	    !parse_rest(call, &length, &link))
		return false;
	if (call->bus->body.world)
		return push_link(call, about, sign * force, length, link);
	if (!body_push(&call->bus->body, about, sign * force, length, call->now))
		return call_fail(call, "the robot neither stands upright nor sways along that line");

	return true;
}

bool call_push(struct call *call)
{
	static const struct {
		const char *name;
		enum axis about;
		int sign;
	} directions[] = {
		{ "forward", AXIS_Y, 1 }, { "backward", AXIS_Y, -1 },
		{ "left", AXIS_X, -1 }, { "right", AXIS_X, 1 },
	};
	size_t i;

	for (i = 0; i < sizeof(directions) / sizeof(directions[0]); i++)
		if (!strcmp(call->argv[1], directions[i].name))
			return push(call, directions[i].about,
				    directions[i].sign);

	return call_fail(call, "\"%s\" is unknown, expected forward, backward, left or right",
			 call->argv[1]);
}
