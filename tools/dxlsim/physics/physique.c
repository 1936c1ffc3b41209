// SPDX-License-Identifier: GPL-2.0-or-later
/* The skeleton that all robots here have, with what a description says of its bones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physique.h"

#define BODY		"Device/Body/"
#define JOINTS		"Device/SubDeviceList/"

/* How wide a hull is where the description does not say, m, and how long at least; ours. */
#define WIDTH		0.04
#define SHORTEST	0.03
#define SIDE_MIN	0.001

/* Of moments of inertia that are written down. */
#define ROUNDING	0.001

/* To which side. */
enum side { MIDDLE, LEFT, RIGHT };

/* Where a link reaches to by its length. */
enum reach { NOWHERE, DOWN, AHEAD };

/* What a joint is on: keys of the body's offsets, from the parent's joint; NULL: 0. */
struct bone {
	const char *name;
	const char *parent;
	const char *joint;
	bool paired;
	const char *at[3];
	bool downwards;		/* the last of these is */
	double axis[3];
	double outwards;	/* what the axis has to the side of its leg, for a pair */
	enum reach reach;
};

/*
 * From the torso on. Of bones with the same name a robot has the one whose joint it has; a
 * bone without a mass is none, and what is on it is on its parent.
 */
static const struct bone bones[] = {
	{ .name = "Neck", .parent = "Torso", .joint = "HeadYaw",
	  .at = { NULL, NULL, "Torso/NeckOffsetZ" }, .axis = { 0, 0, 1 } },
	{ .name = "Head", .parent = "Neck", .joint = "HeadPitch", .axis = { 0, 1, 0 } },
	{ .name = "Shoulder", .parent = "Torso", .joint = "ShoulderPitch", .paired = true,
	  .at = { NULL, "Torso/ShoulderOffsetY", "Torso/ShoulderOffsetZ" },
	  .axis = { 0, 1, 0 } },
	{ .name = "UpperArm", .parent = "Shoulder", .joint = "ShoulderRoll", .paired = true,
	  .axis = { 0, 0, 1 }, .reach = AHEAD },
	{ .name = "Elbow", .parent = "UpperArm", .joint = "ElbowYaw", .paired = true,
	  .at = { "UpperArm/Length", "UpperArm/OffsetY", NULL }, .axis = { 1, 0, 0 } },
	{ .name = "LowerArm", .parent = "Elbow", .joint = "ElbowRoll", .paired = true,
	  .axis = { 0, 0, 1 }, .reach = AHEAD },
	{ .name = "Hand", .parent = "LowerArm", .joint = "WristYaw", .paired = true,
	  .at = { "LowerArm/Length", NULL, NULL }, .axis = { 1, 0, 0 }, .reach = AHEAD },
	{ .name = "Pelvis", .parent = "Torso", .joint = "HipYaw", .paired = true,
	  .at = { NULL, "Torso/HipOffsetY", "Torso/HipOffsetZ" }, .downwards = true,
	  .axis = { 0, 0, 1 } },
	{ .name = "Pelvis", .parent = "Torso", .joint = "HipYawPitch", .paired = true,
	  .at = { NULL, "Torso/HipOffsetY", "Torso/HipOffsetZ" }, .downwards = true,
	  .axis = { 0, M_SQRT1_2, 0 }, .outwards = -M_SQRT1_2 },
	{ .name = "Hip", .parent = "Pelvis", .joint = "HipRoll", .paired = true,
	  .axis = { 1, 0, 0 } },
	{ .name = "Thigh", .parent = "Hip", .joint = "HipPitch", .paired = true,
	  .axis = { 0, 1, 0 }, .reach = DOWN },
	{ .name = "Tibia", .parent = "Thigh", .joint = "KneePitch", .paired = true,
	  .at = { NULL, NULL, "Thigh/Length" }, .downwards = true,
	  .axis = { 0, 1, 0 }, .reach = DOWN },
	{ .name = "Ankle", .parent = "Tibia", .joint = "AnklePitch", .paired = true,
	  .at = { NULL, NULL, "Tibia/Length" }, .downwards = true, .axis = { 0, 1, 0 } },
	{ .name = "Foot", .parent = "Ankle", .joint = "AnkleRoll", .paired = true,
	  .axis = { 1, 0, 0 } },
};

#define BONES	(sizeof(bones) / sizeof(bones[0]))

struct reader {
	struct physique *physique;
	physique_number *number;
	const void *description;
	struct physique_fault *fault;
};

static const char *letter(enum side side)
{
	static const char *const letters[] = { "", "L", "R" };

	return letters[side];
}

static double to_side(enum side side, double value)
{
	return side == RIGHT ? -value : value;
}

/* --- numbers --- */

/* What may be, of keys with this in them; the first that fits. Ours, about what a solver can. */
static const struct range {
	const char *part;
	double least;
	double most;
} ranges[] = {
	{ "/Mass", 1e-4, 100 },
	{ "/Length", 0, 10 },
	{ "/Height", 0, 10 },
	{ "/Inertia", 1e-9, 100 },
	{ BODY "Torque/", 0, 1000 },
	{ BODY "Speed/", 0, 1000 },
	{ BODY, -10, 10 },
	{ "", -1000, 1000 },
};

/* The first is remembered. */
static void find_fault(const struct reader *reader, const char *expected, const char *first,
		       const char *second, const char *third)
{
	if (*reader->fault->key)
		return;
	snprintf(reader->fault->key, PHYSIQUE_KEY, "%s%s%s", first, second, third);
	snprintf(reader->fault->expected, PHYSIQUE_RANGE, "%s", expected);
}

static void check(const struct reader *reader, const char *key, double value)
{
	const struct range *range = ranges;
	char expected[PHYSIQUE_RANGE];

	while (!strstr(key, range->part))
		range++;
	if (value >= range->least && value <= range->most)
		return;
	snprintf(expected, sizeof(expected), "%g to %g", range->least, range->most);
	find_fault(reader, expected, key, "", "");
}

static bool find(const struct reader *reader, double *value, const char *first,
		 const char *second, const char *third)
{
	char key[PHYSIQUE_KEY];

	snprintf(key, sizeof(key), "%s%s%s", first, second, third);

	if (!reader->number(reader->description, key, value))
		return false;
	check(reader, key, *value);

	return true;
}

static bool has(const struct reader *reader, const char *first, const char *second,
		const char *third)
{
	double value;

	return find(reader, &value, first, second, third);
}

static double need(const struct reader *reader, const char *first, const char *second,
		   const char *third)
{
	double value = 0;

	if (!find(reader, &value, first, second, third))
		find_fault(reader, "", first, second, third);

	return value;
}

static double otherwise(const struct reader *reader, const char *first,
			const char *second, const char *third, double value)
{
	find(reader, &value, first, second, third);

	return value;
}

/* --- a link --- */

static void read_joint(const struct reader *reader, struct part *link)
{
	link->gain = need(reader, JOINTS, link->servo, "/Position/Sensor/Gain");
	link->offset = need(reader, JOINTS, link->servo, "/Position/Sensor/Offset");
	link->least = need(reader, JOINTS, link->servo, "/Position/Sensor/Min");
	link->most = need(reader, JOINTS, link->servo, "/Position/Sensor/Max");
	if (link->gain == 0)
		find_fault(reader, "anything but 0", JOINTS, link->servo,
			   "/Position/Sensor/Gain");
	if (link->most < link->least)
		find_fault(reader, "no less than Min", JOINTS, link->servo,
			   "/Position/Sensor/Max");
	link->torque = otherwise(reader, BODY "Torque/", link->joint + 1, "", 0);
	link->speed = otherwise(reader, BODY "Speed/", link->joint + 1, "", 0);
	if (!link->torque)
		link->torque = otherwise(reader, BODY "Torque/", link->joint, "", 0);
	if (!link->speed)
		link->speed = otherwise(reader, BODY "Speed/", link->joint, "", 0);
}

/* A box about the line that it reaches along, if nothing more is known. */
static void read_hull(const struct reader *reader, struct part *link, const char *bone,
		      enum reach reach)
{
	static const char *const low[] = { "/LowX", "/LowY", "/LowZ" };
	static const char *const high[] = { "/HighX", "/HighY", "/HighZ" };
	double length = otherwise(reader, BODY, bone, "/Length", 0);
	int i;

	for (i = 0; i < 3; i++) {
		double half = (length ? WIDTH : SHORTEST) / 2;

		link->low[i] = reach == DOWN && i == 2 && length ? -length : -half;
		link->high[i] = reach == AHEAD && i == 0 && length ? length : half;
		if (reach == AHEAD && i == 0 && length)
			link->low[i] = 0;
		if (reach == DOWN && i == 2 && length)
			link->high[i] = 0;
		if (!strcmp(bone, "Foot") && i == 2)
			link->low[i] = -need(reader, BODY, bone, "/Height");
		link->low[i] = otherwise(reader, BODY, bone, low[i], link->low[i]);
		link->high[i] = otherwise(reader, BODY, bone, high[i], link->high[i]);
	}
}

static void mirror(struct part *link)
{
	double low = link->low[1];

	link->centre[1] = -link->centre[1];
	link->low[1] = -link->high[1];
	link->high[1] = -low;
}

/* Without figures it is as if the mass was spread over the hull. */
static void read_mass(const struct reader *reader, struct part *link, const char *bone)
{
	static const char *const centre[] = { "/CentreX", "/CentreY", "/CentreZ" };
	static const char *const inertia[] = { "/InertiaX", "/InertiaY", "/InertiaZ" };
	double side[3], squares = 0;
	int i;

	link->mass = need(reader, BODY, bone, "/Mass");
	for (i = 0; i < 3; i++) {
		side[i] = link->high[i] - link->low[i];
		squares += side[i] * side[i];
		link->centre[i] = otherwise(reader, BODY, bone, centre[i],
					    (link->high[i] + link->low[i]) / 2);
	}
	for (i = 0; i < 3; i++)
		link->inertia[i] = otherwise(reader, BODY, bone, inertia[i],
					     link->mass / 12 * (squares - side[i] * side[i]));
}

/* What no rigid thing can have, whatever its single numbers are. */
static void check_link(const struct reader *reader, const struct part *link,
		       const char *bone)
{
	static const char *const high[] = { "/HighX", "/HighY", "/HighZ" };
	static const char *const inertia[] = { "/InertiaX", "/InertiaY", "/InertiaZ" };
	int i;

	for (i = 0; i < 3; i++) {
		double others = link->inertia[(i + 1) % 3] + link->inertia[(i + 2) % 3];
		char expected[PHYSIQUE_RANGE];

		snprintf(expected, sizeof(expected), "at least 1 mm beyond Low%c", 'X' + i);
		if (link->high[i] - link->low[i] < SIDE_MIN)
			find_fault(reader, expected, BODY, bone, high[i]);
		if (link->inertia[i] > others * (1 + ROUNDING))
			find_fault(reader, "no more than the other two together", BODY,
				   bone, inertia[i]);
	}
}

static void read_body(const struct reader *reader, struct part *link, const char *bone,
		      enum side side, enum reach reach)
{
	read_hull(reader, link, bone, reach);
	read_mass(reader, link, bone);
	check_link(reader, link, bone);
	if (side == RIGHT)
		mirror(link);
}

static double offset_of(const struct reader *reader, const struct bone *bone, int i)
{
	double value;

	if (!bone->at[i])
		return 0;
	value = i == 1 ? otherwise(reader, BODY, bone->at[i], "", 0) :
			 need(reader, BODY, bone->at[i], "");

	return i == 2 && bone->downwards ? -value : value;
}

/* A robot without elbow yaw has its elbow built in at an angle. */
static void turn_elbow(const struct reader *reader, struct part *link, enum side side)
{
	double yaw = otherwise(reader, BODY, letter(side), "ElbowYaw", 0);

	link->axis[1] = -sin(yaw);
	link->axis[2] = cos(yaw);
}

static bool is_made(const struct physique *physique, const char *name)
{
	return physique_link(physique, name) < physique->count;
}

static void name(char *text, enum side side, const char *bone)
{
	snprintf(text, LINK_NAME, "%s%s", letter(side), bone);
}

/* The nearest of those that it hangs on which the robot has, and where on that. */
static void find_parent(const struct reader *reader, struct part *link,
			const struct bone *bone, enum side side)
{
	const struct bone *at = bone;
	char parent[LINK_NAME];
	int i;

	for (i = 0; i < 3; i++)
		link->at[i] = offset_of(reader, at, i);
	for (;;) {
		name(parent, strcmp(at->parent, "Torso") ? side : MIDDLE, at->parent);
		link->parent = physique_link(reader->physique, parent);
		if (link->parent < reader->physique->count)
			break;
		for (at = bones; strcmp(at->name, parent + (side != MIDDLE)); at++)
			;
		for (i = 0; i < 3; i++)
			link->at[i] += offset_of(reader, at, i);
	}
	link->at[1] = to_side(side, link->at[1]);
}

/* NAO's two hips have one motor, the left one's, whatever else its keys are called by. */
static bool find_servo(const struct reader *reader, struct part *link, const char *joint,
		       enum side side)
{
	bool shared = side == RIGHT && !strcmp(joint, "HipYawPitch");

	name(link->servo, shared ? LEFT : side, joint);

	return has(reader, JOINTS, link->servo, "/Position/Sensor/Gain");
}

static void add(const struct reader *reader, const struct bone *bone, enum side side)
{
	struct physique *physique = reader->physique;
	struct part *link = &physique->links[physique->count];

	*link = (struct part){ 0 };
	name(link->name, side, bone->name);
	name(link->joint, side, bone->joint);
	if (physique->count == LINKS_MAX || is_made(physique, link->name) ||
	    !has(reader, BODY, bone->name, "/Mass") ||
	    !find_servo(reader, link, bone->joint, side))
		return;
	find_parent(reader, link, bone, side);
	memcpy(link->axis, bone->axis, sizeof(link->axis));
	if (bone->outwards)
		link->axis[2] = to_side(side, bone->outwards);
	if (!strcmp(bone->joint, "ElbowRoll"))
		turn_elbow(reader, link, side);
	read_joint(reader, link);
	read_body(reader, link, bone->name, side, bone->reach);
	physique->count++;
}

static void add_torso(const struct reader *reader)
{
	struct part *torso = &reader->physique->links[TORSO];

	strcpy(torso->name, "Torso");
	read_body(reader, torso, "Torso", MIDDLE, NOWHERE);
	reader->physique->count = 1;
}

/* --- feet --- */

/* At the corners of the sole, unless the description says where. */
static void read_foot(const struct reader *reader, enum side side)
{
	static const char *const sensors[] = {
		"Foot/FSR/FrontLeft/Sensor", "Foot/FSR/FrontRight/Sensor",
		"Foot/FSR/RearRight/Sensor", "Foot/FSR/RearLeft/Sensor",
	};
	struct sole_plan *plan = &reader->physique->feet[side - LEFT];
	const struct part *link;
	char foot[LINK_NAME], prefix[PHYSIQUE_KEY / 2];
	int i;

	name(foot, side, "Foot");
	plan->link = physique_link(reader->physique, foot);
	if (plan->link == reader->physique->count) {
		find_fault(reader, "", BODY, "Foot/Mass", "");
		return;
	}
	link = &reader->physique->links[plan->link];
	for (i = 0; i < FORCE_SENSORS; i++) {
		double *at = plan->sensor[i], x, y;

		at[0] = i < 2 ? link->high[0] : link->low[0];
		at[1] = i == 0 || i == 3 ? link->high[1] : link->low[1];
		snprintf(prefix, sizeof(prefix), JOINTS "%s%s", letter(side), sensors[i]);
		/* Of some only the side is known, as 1 and -1. */
		if (find(reader, &x, prefix, "/XPosition", "") && fabs(x) < 1)
			at[0] = x;
		if (find(reader, &y, prefix, "/YPosition", "") && fabs(y) < 1)
			at[1] = y;
	}
}

/* --- cameras --- */

static void read_camera(const struct reader *reader, const char *name)
{
	struct physique *physique = reader->physique;
	struct camera *camera = &physique->cameras[physique->camera_count];

	if (physique->camera_count == CAMERAS_MAX || !has(reader, BODY "Head/", name, "/X"))
		return;
	*camera = (struct camera){
		.link = physique_link(physique, "Head"),
		.at = {
			need(reader, BODY "Head/", name, "/X"),
			otherwise(reader, BODY "Head/", name, "/Y", 0),
			need(reader, BODY "Head/", name, "/Z"),
		},
		.pitch = otherwise(reader, BODY "Head/", name, "/Pitch", 0),
	};
	snprintf(camera->name, sizeof(camera->name), "%s", name);
	/* A robot may be without a head. */
	physique->camera_count += camera->link < physique->count;
}

static void read_cameras(const struct reader *reader)
{
	static const char *const names[] = { "Camera", "CameraTop", "CameraBottom" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		read_camera(reader, names[i]);
}

/* --- all of it --- */

size_t physique_link(const struct physique *physique, const char *wanted)
{
	size_t i;

	for (i = 0; i < physique->count; i++)
		if (!strcmp(physique->links[i].name, wanted))
			break;

	return i;
}

double physique_mass(const struct physique *physique)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < physique->count; i++)
		sum += physique->links[i].mass;

	return sum;
}

struct physique *physique_new(physique_number *number, const void *description,
			      struct physique_fault *fault)
{
	struct physique *physique = calloc(1, sizeof(*physique));
	const struct reader reader = { physique, number, description, fault };
	size_t i;

	if (!physique)
		abort();
	*fault = (struct physique_fault){ 0 };
	add_torso(&reader);
	for (i = 0; i < BONES; i++) {
		add(&reader, &bones[i], bones[i].paired ? LEFT : MIDDLE);
		if (bones[i].paired)
			add(&reader, &bones[i], RIGHT);
	}
	read_foot(&reader, LEFT);
	read_foot(&reader, RIGHT);
	read_cameras(&reader);
	if (!*fault->key)
		return physique;
	free(physique);

	return NULL;
}
