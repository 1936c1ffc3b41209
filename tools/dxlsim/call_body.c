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

bool call_pose(struct call *call)
{
	struct pose pose = body_pose(&call->bus->body, call->now);

	fprintf(call->out, "%g %g\n", pose.roll, pose.pitch);

	return true;
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

	if (!parse_time(call, arg, &time))
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

	if (!parse_side(call, &pose) || !parse_time(call, 2, &time))
		return false;
	body_fall(&call->bus->body, pose, time, call->now);

	return true;
}

bool call_lie(struct call *call)
{
	struct pose pose;

	return parse_side(call, &pose) && move(call, pose, 2);
}
