/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the simulator's command "scene" tells: m, s, and rotation matrices in rows. */
#ifndef DXLCTL_SCENE_H
#define DXLCTL_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As many links and things as the simulator has room for */
#define SCENE_PARTS 64
#define SCENE_NAME 24
#define NO_PARENT SCENE_PARTS

enum part_kind { PART_LINK, PART_BOX, PART_BALL };

/**
 * struct part - a link of the robot or a thing in the room
 * @name: of it
 * @kind: what it is
 * @there: it is; in a film it may come and go
 * @parent: number of the link that this one's joint is on, or NO_PARENT
 * @size: sides of its hull, a box
 * @at: where the middle of that is
 * @turn: how that is turned
 * @joint: where a link's joint is
 */
struct part {
	char name[SCENE_NAME];
	enum part_kind kind;
	bool there;
	size_t parent;
	double size[3];
	double at[3];
	double turn[9];
	double joint[3];
};

struct scene {
	double time;
	double up[3]; /* of the floor, which goes through 0 0 0 */
	struct part parts[SCENE_PARTS];
	size_t count;
};

/* False after saying on standard error which line is none of a scene. */
bool scene_parse(struct scene *scene, const char *text);

/* Number of the part of this name and of a kind like that, or @scene->count. */
size_t scene_find(const struct scene *scene, const char *name, bool link);

#endif
