/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a robot's body is made of, as its description tells: links, each turned by a joint
 * against the one before it. Lengths are in m, masses in kg, angles in rad; x is forward,
 * y to the left, z up. With all joints at 0 every link's axes are those of the torso, the
 * legs hang straight down and the arms point forward, as NAO's do.
 */
#ifndef DXLSIM_PHYSIQUE_H
#define DXLSIM_PHYSIQUE_H

#include <stdbool.h>
#include <stddef.h>

#define LINKS_MAX	32
#define LINK_NAME	24
#define TORSO		0	/* the link that no joint turns */
#define FORCE_SENSORS	4
#define CAMERAS_MAX	2

/**
 * struct part - a rigid part of the body
 * @name: that of its kind in NAO, with L or R before what there are two of
 * @joint: what turns it
 * @servo: the label of the servo that does so; a NAO's hips share one
 * @parent: the link that its joint is on
 * @at: where the joint is, from that of the parent
 * @axis: about which it turns
 * @least: the joint's stops
 * @most: the same
 * @gain: the joint's angle by that of its servo
 * @offset: the joint's angle where its servo's is 0
 * @torque: full torque, Nm; 0: what is said of the kind of servo
 * @speed: and speed without load, rad/s; 0: the same
 * @mass: of it
 * @centre: of its mass, from its joint
 * @inertia: about that, along its axes, kg m^2
 * @low: its hull is a box from here, from its joint
 * @high: to here
 */
struct part {
	char name[LINK_NAME];
	char joint[LINK_NAME];
	char servo[LINK_NAME];
	size_t parent;
	double at[3];
	double axis[3];
	double least;
	double most;
	double gain;
	double offset;
	double torque;
	double speed;
	double mass;
	double centre[3];
	double inertia[3];
	double low[3];
	double high[3];
};

/* A foot: the link, and where its force sensors are, clockwise from the front left one. */
struct sole_plan {
	size_t link;
	double sensor[FORCE_SENSORS][2];
};

/**
 * struct camera - where one is, and where it looks
 * @name: of it
 * @link: the link that it is fixed on
 * @at: from the joint of that
 * @pitch: how far it looks down from the link's x axis
 */
struct camera {
	char name[LINK_NAME];
	size_t link;
	double at[3];
	double pitch;
};

struct physique {
	struct part links[LINKS_MAX];
	size_t count;
	struct sole_plan feet[2];	/* left, right */
	struct camera cameras[CAMERAS_MAX];
	size_t camera_count;
};

/* A number that the description has; false: it has none of this key. */
typedef bool physique_number(const void *description, const char *key, double *number);

#define PHYSIQUE_KEY	128
#define PHYSIQUE_RANGE	48

/* The first key that no body can have so; with nothing expected, it is not there. */
struct physique_fault {
	char key[PHYSIQUE_KEY];
	char expected[PHYSIQUE_RANGE];
};

/* What it is made of, or NULL and why. */
struct physique *physique_new(physique_number *number, const void *description,
			      struct physique_fault *fault);

size_t physique_link(const struct physique *physique, const char *name);
double physique_mass(const struct physique *physique);

#endif
