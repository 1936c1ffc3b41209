// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where sensors and buttons sit in a body, and what reaches them there. NAO's are where
 * naoV33_generated_urdf in https://github.com/ros-naoqi/nao_robot has them; how far they
 * reach around that, and where a Bioloid's distance sensors sit, is ours.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../physics/physics.h"
#include "device.h"
#include "nerve.h"

#define EVERYWHERE	1	/* m: beyond any link */

/* Where on the torso sits what sees distances for an item of a board, and looks ahead. */
struct eye {
	const char *model;
	const char *item;
	double at[3];
};

/* In the kit port 5 has the DMS; the others are for infrared sensors, on both sides of it. */
static const struct eye eyes[] = {
	{ "CM-510", "port_1", { 0.045, 0.03, -0.03 } },
	{ "CM-510", "port_2", { 0.045, -0.03, -0.03 } },
	{ "CM-510", "port_3", { 0.045, 0.015, -0.03 } },
	{ "CM-510", "port_4", { 0.045, -0.015, -0.03 } },
	{ "CM-510", "port_5", { 0.045, 0, -0.03 } },
	{ "CM-510", "port_6", { 0.045, 0, -0.05 } },
};

/* A part of a link that is a button. Of a link with two its board's label says which. */
struct skin {
	const char *model;
	const char *button;
	const char *link;
	bool paired;
	struct patch patch;
};

#define ALL		EVERYWHERE
#define ANYWHERE	{ -ALL, -ALL, -ALL }, { ALL, ALL, ALL }
#define ANY_SIDE	{ 0 }

static const struct skin skins[] = {
	/* Not the sole itself, which is at -0.04511 */
	{ "NAO-foot-board", "left", "Foot", true,
	  { { 0.08, 0, -0.044 }, { ALL, ALL, ALL }, ANY_SIDE } },
	{ "NAO-foot-board", "right", "Foot", true,
	  { { 0.08, -ALL, -0.044 }, { ALL, 0, ALL }, ANY_SIDE } },
	{ "NAO-hand-touch", "back", "Hand", true, { ANYWHERE, { 0, 0, 1 } } },
	{ "NAO-hand-touch", "left", "Hand", true, { ANYWHERE, { 0, 1, 0 } } },
	{ "NAO-hand-touch", "right", "Hand", true, { ANYWHERE, { 0, -1, 0 } } },
	{ "NAO-touch-board", "front", "Head", false,
	  { { 0.02, -ALL, 0.1 }, { ALL, ALL, ALL }, ANY_SIDE } },
	{ "NAO-touch-board", "middle", "Head", false,
	  { { -0.02, -ALL, 0.1 }, { 0.02, ALL, ALL }, ANY_SIDE } },
	{ "NAO-touch-board", "rear", "Head", false,
	  { { -ALL, -ALL, 0.1 }, { -0.02, ALL, ALL }, ANY_SIDE } },
};

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

static const struct world *world_of(const struct device *dev)
{
	return dev->board.body ? dev->board.body->world : NULL;
}

/* --- eyes --- */

static const struct eye *find_eye(const struct device *dev, const struct sense *sense)
{
	const char *item = dev->layout->at[sense->addr]->name;
	size_t i;

	for (i = 0; world_of(dev) && i < COUNT(eyes); i++)
		if (!strcmp(eyes[i].model, dev->model->name) &&
		    !strcmp(eyes[i].item, item))
			return &eyes[i];

	return NULL;
}

bool nerve_sees(const struct device *dev, const struct sense *sense)
{
	return sense->quantity == QUANTITY_DISTANCE && find_eye(dev, sense);
}

double nerve_distance(const struct device *dev, const struct sense *sense)
{
	static const double ahead[3] = { 1, 0, 0 };
	const struct eye *eye = find_eye(dev, sense);
	/* What it can show at all begins its curve. */
	double reach = sense->curve->value / 1000;
	double distance = world_distance(world_of(dev), TORSO, eye->at, ahead, reach, true);

	return isfinite(distance) ? distance * 1000 : 0;
}

/* --- skin --- */

static bool is_touched(const struct device *dev, const struct skin *skin)
{
	const struct world *world = world_of(dev);
	char name[LINK_NAME];
	size_t link;

	if (skin->paired) {
		name[0] = dev->label[0];
		strcpy(name + 1, skin->link);
	} else {
		strcpy(name, skin->link);
	}
	link = physique_link(world_physique(world), name);

	return link < world_physique(world)->count &&
	       world_touched(world, link, &skin->patch);
}

static u8 bit_of(const struct device *dev, const char *button)
{
	const struct board_spec *spec = dev->model->board;
	size_t i;

	for (i = 0; i < spec->button_count; i++)
		if (!strcmp(spec->buttons[i].name, button))
			return 1 << spec->buttons[i].bit;

	return 0;
}

u8 nerve_touched(const struct device *dev)
{
	u8 bits = 0;
	size_t i;

	for (i = 0; world_of(dev) && i < COUNT(skins); i++)
		if (!strcmp(skins[i].model, dev->model->name) &&
		    is_touched(dev, &skins[i]))
			bits |= bit_of(dev, skins[i].button);

	return bits;
}

/* --- sonar --- */

#define SONAR_X		0.00558
#define SONAR_Y		0.01921
#define SONAR_Z		0.06239
#define SONAR_YAW	0.3924	/* to its side */
#define SONAR_REACH	2.55	/* m */

/* A wave is a fan, rad to each side; echoes nearer together than this, mm, are one. */
#define FAN		0.5236
#define FAN_MIDDLE	0.2
#define RAYS		15
#define APART		30

static double ray(const struct device *dev, bool right, double yaw)
{
	const double at[3] = { SONAR_X, right ? -SONAR_Y : SONAR_Y, SONAR_Z };
	const double along[3] = { cos(yaw), sin(yaw), 0 };

	/* A wave that grazes the floor goes on and does not come back. */
	return world_distance(world_of(dev), TORSO, at, along, SONAR_REACH, false);
}

static int by_distance(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

size_t nerve_echoes(const struct device *dev, bool right, bool both, double *mm,
		    size_t most)
{
	double wide = both ? FAN_MIDDLE : FAN;
	double middle = both ? 0 : right ? -SONAR_YAW : SONAR_YAW;
	double all[RAYS];
	size_t count = 0;
	int i;

	for (i = 0; i < RAYS; i++)
		all[i] = 1000 * ray(dev, right, middle + wide * (2.0 * i / (RAYS - 1) - 1));
	qsort(all, RAYS, sizeof(all[0]), by_distance);
	for (i = 0; i < RAYS && count < most && isfinite(all[i]); i++)
		if (!count || all[i] - mm[count - 1] >= APART)
			mm[count++] = all[i];

	return count;
}
